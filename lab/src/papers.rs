/// The published experiments that come with Oboro: name and text of each.
pub fn papers() -> &'static [(&'static str, &'static str)] {
    &[
        ("geister-gp-2022", include_str!("../../papers/geister-gp-2022.toml")),
        ("geister-keeper-2019", include_str!("../../papers/geister-keeper-2019.toml")),
        ("labyrinth-2024", include_str!("../../papers/labyrinth-2024.toml")),
        ("labyrinth-2024-readings", include_str!("../../papers/labyrinth-2024-readings.toml")),
        ("saboteur-2019", include_str!("../../papers/saboteur-2019.toml")),
        ("saboteur-2019-readings", include_str!("../../papers/saboteur-2019-readings.toml")),
        ("sevens-2018", include_str!("../../papers/sevens-2018.toml")),
        ("sevens-2018-beyond", include_str!("../../papers/sevens-2018-beyond.toml")),
    ]
}

/// The courses of evolution that come with an experiment, for learning curves: lines of course, run, generation, best fitness.
const COURSES: [(&str, &str); 1] =
    [("geister-gp-2022", include_str!("../../papers/geister-gp-2022.csv"))];

/// A course that comes with an experiment, as a `progress.csv`.
pub(crate) fn course(experiment: &str, name: &str) -> Option<String> {
    let (_, text) = COURSES.iter().find(|(known, _)| *known == experiment)?;
    let lines: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(',')).collect();
    (!lines.is_empty()).then(|| format!("run,generation,best\n{}\n", lines.join("\n")))
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
    fn courses_are_found_by_experiment_and_name() {
        let text = course("geister-gp-2022", "tuned-loss").unwrap();
        assert_eq!(text.lines().count(), 1 + 5 * 51, "five runs of 50 generations after the first");
        assert!(text.starts_with("run,generation,best\n1,0,"));
        assert_eq!(course("geister-gp-2022", "tuned"), None, "whole names only");
        assert_eq!(course("sevens-2018", "tuned-loss"), None);
    }

    #[test]
    fn every_paper_can_be_read_and_played() {
        for (name, text) in papers() {
            let experiment =
                Experiment::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(experiment.id(), *name, "a paper is found by its own name");
        }
    }
}
