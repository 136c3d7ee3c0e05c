//! What is to be inferred: readings as experiments, and the matches that they share.

use super::Choices;
use super::choices::{Number, Numbers, Place};
use crate::experiment::{ExperimentError, expand};
use crate::{Experiment, Folder, GameResult, Manifest, Match, MatchManifest, Report, Scale};
use oboro_catalog::Allowed;
use oboro_core::Seed;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is to be inferred: the readings of an experiment, and the matches that judge them.
#[derive(Debug)]
pub struct InferencePlan {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) seed: Seed,
    pub(super) choices: Choices,
    /// The experiment, with the tables that have its numbers.
    pub(super) base: toml::Table,
    /// The same, read: a reading changes who plays and by which rules, never what the tables count.
    pub(super) tables: Experiment,
    /// The numbers that judge from each stage on, and those that judge nobody.
    pub(super) fit: Vec<Vec<Place>>,
    pub(super) held_out: Vec<Place>,
    /// The matches that judge from each stage on, and all.
    pub(super) judging: Vec<BTreeSet<String>>,
    pub(super) needed: BTreeSet<String>,
    /// The readings that are weighed, and last the one that is played, where it is none of them.
    pub(super) readings: Vec<Reading>,
    /// How many are weighed.
    pub(super) weighed: usize,
    /// The place of the reading that the experiment itself plays.
    pub(super) played: usize,
    /// Every different match of any reading, each with its name.
    pub(super) matches: Vec<(String, Match)>,
}

#[derive(Debug)]
pub(super) struct Reading {
    /// The place of its value in every choice; nothing for the reading that is played, where it has other values.
    pub(super) places: Vec<usize>,
    pub(super) words: Vec<String>,
    pub(super) log_prior: f64,
    /// The place of each of its matches among those of the plan.
    pub(super) matches: BTreeMap<String, usize>,
}

impl InferencePlan {
    /// Everything that readings of an experiment play; `name` is its file for error messages. Without a seed it has
    /// the experiment's.
    ///
    /// # Errors
    /// If a choice or a number does not fit the experiment.
    pub fn new(
        choices: Choices,
        name: &str,
        text: &str,
        seed: Option<Seed>,
        external: Allowed<'_>,
    ) -> Result<InferencePlan, ExperimentError> {
        let own = Experiment::parse_among(name, text, external)?;
        let numbers = Numbers::find(&choices, name, text, external)?;
        let seed = seed.unwrap_or_else(|| own.default_seed());
        let fault = |message: String| ExperimentError::new(name, message);
        let base = toml::from_str(text).map_err(|error| fault(error.to_string()))?;
        let mut base = expand(base).map_err(fault)?;
        let named: BTreeSet<&str> = numbers
            .fit
            .iter()
            .flatten()
            .chain(&numbers.held_out)
            .map(|number| number.place.table.as_str())
            .collect();
        base.remove("figure");
        if let Some(tables) = base.get_mut("table").and_then(toml::Value::as_array_mut) {
            let id = |table: &toml::Value| table.get("id")?.as_str().map(str::to_owned);
            tables.retain(|table| id(table).is_some_and(|id| named.contains(id.as_str())));
        }
        let reduced = toml::to_string(&base).map_err(|error| fault(error.to_string()))?;
        let tables = Experiment::parse_among(name, &reduced, external)?;
        let matches_of = |numbers: &[Number]| -> BTreeSet<String> {
            numbers.iter().flat_map(|number| number.matches.clone()).collect()
        };
        let places = |numbers: &[Number]| -> Vec<Place> {
            numbers.iter().map(|number| number.place.clone()).collect()
        };
        let mut judging: Vec<BTreeSet<String>> = Vec::new();
        for stage in &numbers.fit {
            let mut so_far = judging.last().cloned().unwrap_or_default();
            so_far.extend(matches_of(stage));
            judging.push(so_far);
        }
        let mut needed = judging.last().cloned().unwrap_or_default();
        needed.extend(matches_of(&numbers.held_out));
        let mut plan = InferencePlan {
            id: own.id().to_owned(),
            title: own.title().to_owned(),
            seed,
            base,
            tables,
            fit: numbers.fit.iter().map(|stage| places(stage)).collect(),
            held_out: places(&numbers.held_out),
            judging,
            needed,
            readings: Vec::new(),
            weighed: 0,
            played: 0,
            matches: Vec::new(),
            choices,
        };
        plan.add_readings(external).map_err(fault)?;
        Ok(plan)
    }

    fn add_readings(&mut self, external: Allowed<'_>) -> Result<(), String> {
        // Readings that differ elsewhere share the games of a match.
        let mut known: BTreeMap<(String, Vec<String>, String), usize> = BTreeMap::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        // Tables need not be read to know the matches.
        let mut bare = self.base.clone();
        bare.remove("table");
        bare.remove("pool");
        if let Some(matches) = bare.get_mut("match").and_then(toml::Value::as_array_mut) {
            let id = |entry: &toml::Value| entry.get("id")?.as_str().map(str::to_owned);
            matches.retain(|entry| id(entry).is_some_and(|id| self.needed.contains(&id)));
        }
        let weighed = self.choices.readings(&self.seed)?;
        self.weighed = weighed.len();
        let played = self.choices.played();
        let among = weighed.iter().position(|places| Some(places) == played.as_ref());
        self.played = among.unwrap_or(weighed.len());
        let beside = among.is_none().then_some(None);
        for places in weighed.into_iter().map(Some).chain(beside) {
            let experiment = self
                .experiment(&bare, places.as_deref(), external)
                .map_err(|error| error.to_string())?;
            let mut matches = BTreeMap::new();
            for (id, the_match) in experiment.matches(Scale::Full, &self.seed) {
                let key = (id.clone(), the_match.agents().to_vec(), the_match.rules().changed());
                let place = *known.entry(key).or_insert_with(|| {
                    let count = counts.entry(id.clone()).or_default();
                    *count += 1;
                    self.matches.push((format!("{id}.{count:05}"), the_match));
                    self.matches.len() - 1
                });
                matches.insert(id, place);
            }
            let reading = if let Some(places) = places {
                let words = self.choices.words(&places);
                let log_prior = self.choices.log_prior(&places);
                Reading { places, words, log_prior, matches }
            } else {
                let words = self.choices.words_played();
                Reading { places: Vec::new(), words, log_prior: 0.0, matches }
            };
            self.readings.push(reading);
        }
        Ok(())
    }

    /// The experiment as a reading has it; without one as it is.
    fn experiment(
        &self,
        base: &toml::Table,
        places: Option<&[usize]>,
        external: Allowed<'_>,
    ) -> Result<Experiment, ExperimentError> {
        let words = places.map_or_else(Vec::new, |places| self.choices.words(places));
        let name = format!("{} with {}", self.id, words.join(", "));
        let fault = |message: String| ExperimentError::new(&name, message);
        let changed = match places {
            Some(places) => self.choices.experiment_of(base, places).map_err(fault)?,
            None => base.clone(),
        };
        let text = toml::to_string(&changed).map_err(|error| fault(error.to_string()))?;
        Experiment::parse_among(&name, &text, external)
    }

    /// The name of the experiment.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How many readings are weighed.
    pub fn readings(&self) -> usize {
        self.weighed
    }

    /// What a folder with its games says.
    pub fn manifest(&self) -> Manifest {
        let matches = self.matches.iter();
        let matches =
            matches.map(|(id, the_match)| MatchManifest::new(id.clone(), the_match, None));
        Manifest::new(Some(format!("{} inferred", self.id)), &self.seed, matches.collect())
    }

    /// The games of a match that judge nobody.
    pub(super) fn confirming(&self, id: &str) -> Range<u64> {
        let confirm = self.choices.confirm;
        if self.judging.last().is_some_and(|judging| judging.contains(id)) {
            let last = self.choices.stages.last().map_or(0, |stage| stage.games);
            last..last + confirm
        } else {
            0..self.choices.held_out_games.unwrap_or(confirm)
        }
    }

    /// The tables of a reading from some of its games.
    pub(super) fn report(
        &self,
        reading: usize,
        folder: &Folder,
        games: impl Fn(&str) -> Range<u64>,
    ) -> Result<Report, ExperimentError> {
        let reading = &self.readings[reading];
        let mut played: BTreeMap<&str, Vec<GameResult>> = BTreeMap::new();
        for (id, place) in &reading.matches {
            let all = folder
                .read_games(&self.matches[*place].0, 0)
                .map_err(|error| ExperimentError::new(&self.id, error.to_string()))?;
            let range = games(id);
            let some = all.into_iter().filter(|game| range.contains(&game.n)).collect();
            played.insert(id, some);
        }
        self.tables.report(Scale::Full, |id| played.get(id).cloned().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that the papers' choices call played are those of the experiment.
    #[test]
    fn what_is_called_played_is_what_the_experiment_plays() {
        for paper in crate::PaperFolder::with_choices() {
            let choices = Choices::parse(paper.id, paper.file("choices.toml").unwrap()).unwrap();
            let text = paper.file(choices.experiment()).unwrap();
            let base: toml::Table = toml::from_str(text).unwrap();
            let matches = |experiment: &toml::Table| -> Vec<(String, Vec<String>, String)> {
                let text = toml::to_string(experiment).unwrap();
                let experiment = Experiment::parse(paper.id, &text).unwrap();
                let all = experiment.matches(Scale::Quick, &Seed::from_u64(1)).into_iter();
                // 0 for standing on the goal is the term's absence.
                let plain = |spec: &String| spec.replace(":arrival=0", "");
                let of_match = all.map(|(id, the_match)| {
                    let agents = the_match.agents().iter().map(plain).collect();
                    (id, agents, the_match.rules().changed())
                });
                of_match.collect()
            };
            let Some(played) = choices.played() else {
                assert_eq!(paper.id, "geister-gp-2022", "its playouts end with the game");
                continue;
            };
            let set = choices.experiment_of(&base, &played).unwrap();
            assert_eq!(matches(&set), matches(&base), "{}", paper.id);
        }
    }
}
