//! The published experiments that come with Oboro: one folder each under `papers/`, found by the build script.

/// The files of a paper's folder that are no experiments.
const NO_EXPERIMENTS: [&str; 5] =
    ["choices.toml", "inventory.toml", "results.toml", "en.toml", "ja.toml"];

/// A published paper: the folder `papers/ID` with its experiments and what is said of them.
///
/// | file | what it is |
/// |---|---|
/// | `experiment.toml` | the paper's own experiment, called ID |
/// | `NAME.toml` | another experiment on it, called ID-NAME |
/// | `courses.csv` | courses of evolution, for learning curves: lines of course, run, generation, best fitness |
/// | `results.toml` | verdicts of runs at a larger scale, written by `oboro experiment --store` |
/// | `choices.toml` | what the paper leaves open, for `oboro infer` |
/// | `inferred.json` | what was inferred of it |
/// | `inventory.toml`, `prose.*.md`, `en.toml`, `ja.toml` | for the report |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PaperFolder {
    /// Its name.
    pub id: &'static str,
    files: &'static [(&'static str, &'static str)],
}

static PAPERS: &[PaperFolder] = include!(concat!(env!("OUT_DIR"), "/papers.rs"));

impl PaperFolder {
    /// All papers, by name.
    pub fn all() -> &'static [PaperFolder] {
        PAPERS
    }

    /// The text of one of its files.
    pub fn file(&self, name: &str) -> Option<&'static str> {
        self.files.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// All papers with open choices to infer, by name.
    pub fn with_choices() -> impl Iterator<Item = &'static PaperFolder> {
        PAPERS.iter().filter(|paper| paper.file("choices.toml").is_some())
    }

    /// Its experiments: name and text, the paper's own first.
    pub fn experiments(&self) -> Vec<(String, &'static str)> {
        let own = self.file("experiment.toml").map(|text| (self.id.to_owned(), text));
        let others = self.files.iter().filter_map(|(file, text)| {
            let name = file.strip_suffix(".toml").filter(|name| *name != "experiment")?;
            let is_one = !NO_EXPERIMENTS.contains(file);
            is_one.then(|| (format!("{}-{name}", self.id), *text))
        });
        own.into_iter().chain(others).collect()
    }
}

/// Every experiment that comes with the program: name and text, by paper.
pub fn papers() -> Vec<(String, &'static str)> {
    PAPERS.iter().flat_map(PaperFolder::experiments).collect()
}

/// The text of a published experiment.
pub fn paper(name: &str) -> Option<&'static str> {
    papers().into_iter().find(|(known, _)| known == name).map(|(_, text)| text)
}

/// A course of evolution that comes with an experiment, as a `progress.csv`.
pub(crate) fn course(experiment: &str, name: &str) -> Option<String> {
    let paper = PAPERS.iter().find(|paper| paper.id == experiment)?;
    let lines: Vec<&str> = paper
        .file("courses.csv")?
        .lines()
        .filter_map(|line| line.strip_prefix(name)?.strip_prefix(','))
        .collect();
    (!lines.is_empty()).then(|| format!("run,generation,best\n{}\n", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Experiment;

    #[test]
    fn courses_are_found_by_experiment_and_name() {
        let (experiment, text) = PAPERS
            .iter()
            .find_map(|paper| Some((paper.id, paper.file("courses.csv")?)))
            .expect("a paper has courses");
        let name = text.lines().nth(1).unwrap().split(',').next().unwrap();
        let found = course(experiment, name).unwrap();
        let lines = text.lines().filter(|line| line.starts_with(&format!("{name},"))).count();
        assert_eq!(found.lines().count(), 1 + lines);
        assert!(found.starts_with("run,generation,best\n1,0,"), "{found}");
        assert_eq!(course(experiment, &name[..name.len() - 1]), None, "whole names only");
        assert_eq!(course("nowhere", name), None);
    }

    /// Best runs rest on the games of one run, means on those of five.
    #[test]
    fn the_2022_thesis_has_the_games_behind_its_numbers() {
        let text = paper("geister-gp-2022").unwrap();
        let lines = || text.lines().filter(|line| line.contains("published = "));
        let best: Vec<&str> = lines().filter(|line| line.contains("best = true")).collect();
        assert!(best.len() > 90 && best.iter().all(|line| line.contains("published-n = 1000")));
        let alone = ["\"random-", "\"algorithm-"];
        let single = lines().filter(|line| alone.iter().any(|name| line.contains(name)));
        assert!(single.clone().count() > 5);
        assert!(single.clone().all(|line| line.contains("published-n = 1000")));
    }

    #[test]
    fn every_paper_can_be_read_and_played() {
        assert!(papers().len() >= PAPERS.len());
        for (name, text) in papers() {
            let experiment =
                Experiment::parse(&name, text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(experiment.id(), name, "an experiment is called by its folder and file");
        }
    }
}
