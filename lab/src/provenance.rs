/// The version of Oboro.
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The commit this program was built from, with `+changes` if its sources differed from it then;
/// `unknown` if it was built without git.
pub fn commit() -> String {
    env!("OBORO_COMMIT").to_owned()
}
