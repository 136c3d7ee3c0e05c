/// The published experiments that come with Oboro: name and text of each.
pub fn papers() -> &'static [(&'static str, &'static str)] {
    &[("sevens-2018", include_str!("../../papers/sevens-2018.toml"))]
}

/// The text of a published experiment.
pub fn paper(name: &str) -> Option<&'static str> {
    papers().iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
