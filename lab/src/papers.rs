/// The published experiments that come with Oboro: name and text of each.
pub fn papers() -> &'static [(&'static str, &'static str)] {
    &[
        ("geister-gp-2022", include_str!("../../papers/geister-gp-2022.toml")),
        ("geister-keeper-2019", include_str!("../../papers/geister-keeper-2019.toml")),
        ("labyrinth-2024", include_str!("../../papers/labyrinth-2024.toml")),
        ("saboteur-2019", include_str!("../../papers/saboteur-2019.toml")),
        ("saboteur-2019-readings", include_str!("../../papers/saboteur-2019-readings.toml")),
        ("sevens-2018", include_str!("../../papers/sevens-2018.toml")),
        ("sevens-2018-beyond", include_str!("../../papers/sevens-2018-beyond.toml")),
    ]
}

/// The text of a published experiment.
pub fn paper(name: &str) -> Option<&'static str> {
    papers().iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Experiment;

    #[test]
    fn every_paper_can_be_read_and_played() {
        for (name, text) in papers() {
            let experiment =
                Experiment::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(experiment.id(), *name, "a paper is found by its own name");
        }
    }
}
