//! What our dependencies may be used under: a list we have agreed to, checked without any network.

use std::path::Path;
use std::process::Command;

/// Licences that go with MIT and Apache-2.0.
const AGREED: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether a licence expression can be met by what we have agreed to: one choice of every `OR`, all parts of every
/// `AND`.
fn is_agreed(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    plain.split(" AND ").all(|part| part.split(" OR ").any(|one| AGREED.contains(&one.trim())))
}

/// The kind of machine this is, as the compiler calls it.
fn host() -> Result<String, String> {
    let said =
        Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let said = String::from_utf8_lossy(&said.stdout);
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say its host".to_owned())
}

/// Checks the licences of everything in `Cargo.lock`; says which are not agreed to.
pub(crate) fn check(root: &Path) -> Result<usize, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        // What is built on this kind of machine has been fetched; the rest would need the network.
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform"])
        .arg(host()?)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(is_agreed))
        .map(|package| format!("{} ({})", package["name"], package["license"]))
        .collect();
    if refused.is_empty() { Ok(packages.len()) } else { Err(refused.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dependency_has_a_licence_we_agreed_to() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let packages = check(root).unwrap_or_else(|refused| panic!("{refused}"));
        assert!(packages > 50, "{packages}");
    }

    #[test]
    fn expressions_are_weighed_part_by_part() {
        assert!(is_agreed("MIT OR GPL-3.0") && is_agreed("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!is_agreed("GPL-3.0") && !is_agreed("MIT AND GPL-3.0"));
    }
}
