/// The published experiments that come with Oboro: name and text of each.
pub fn papers() -> &'static [(&'static str, &'static str)] {
    &[
        ("saboteur-2019", include_str!("../../papers/saboteur-2019.toml")),
        ("saboteur-2019-readings", include_str!("../../papers/saboteur-2019-readings.toml")),
        ("sevens-2018", include_str!("../../papers/sevens-2018.toml")),
    ]
}

/// The text of a published experiment.
pub fn paper(name: &str) -> Option<&'static str> {
    papers().iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
