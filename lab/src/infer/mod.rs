//! Reconstruction by inference: what a paper leaves open is a parameter, what it printed is evidence.
//!
//! A paper's folder names its open [`Choices`]. A *reading* gives each of them a value. Readings are judged in stages
//! (successive halving): all of them by few games, the best of them by more, by χ² over the printed numbers that are for
//! fitting. The reading that the experiment itself plays is judged in every stage, however it fits. The last stage gives
//! every reading a weight, prior × exp(−χ²/2R²). R is Birge's ratio: where even the best reading is farther off than chance
//! explains, all errors are widened until it is not.
//!
//! The best readings then play games that judged nobody. From those, each printed number, those held out included, gets
//! its predictive probability. What comes out is *inferred*: a statement about the readings that were tried.

mod choices;

pub use choices::Choices;

use crate::experiment::{ExperimentError, Wanted};
use crate::{
    CellReport, Experiment, Folder, GameResult, Manifest, Match, MatchManifest, Report, Scale,
};
use choices::{Number, Numbers, Place};
use oboro_catalog::Allowed;
use oboro_core::Seed;
use oboro_stats::Confidence;
use oboro_stats::distribution::normal_two_sided;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is to be inferred: the readings of an experiment, and the matches that judge them.
#[derive(Debug)]
pub struct InferencePlan {
    id: String,
    title: String,
    seed: Seed,
    choices: Choices,
    /// The experiment, with the tables that have its numbers.
    base: toml::Table,
    /// The same, read: a reading changes who plays and by which rules, never what the tables count.
    tables: Experiment,
    /// The numbers that judge from each stage on, and those that judge nobody.
    fit: Vec<Vec<Place>>,
    held_out: Vec<Place>,
    /// The matches that judge from each stage on, and all.
    judging: Vec<BTreeSet<String>>,
    needed: BTreeSet<String>,
    /// The readings that are weighed, and last the one that is played, where it is none of them.
    readings: Vec<Reading>,
    /// How many are weighed.
    weighed: usize,
    /// The place of the reading that the experiment itself plays.
    played: usize,
    /// Every different match of any reading, each with its name.
    matches: Vec<(String, Match)>,
}

#[derive(Debug)]
struct Reading {
    /// The place of its value in every choice; nothing for the reading that is played, where it has other values.
    places: Vec<usize>,
    words: Vec<String>,
    log_prior: f64,
    /// The place of each of its matches among those of the plan.
    matches: BTreeMap<String, usize>,
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
        let mut base: toml::Table = toml::from_str(text).map_err(|e| fault(e.to_string()))?;
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

    /// Begins with all readings.
    pub fn start(&self) -> Inferring<'_> {
        Inferring {
            plan: self,
            alive: (0..self.weighed).collect(),
            stages: Vec::new(),
            played: BTreeMap::new(),
        }
    }
}

/// An inference under way: play what is [`wanted`](Inferring::wanted), [`judge`](Inferring::judge), and again.
#[derive(Debug)]
pub struct Inferring<'a> {
    plan: &'a InferencePlan,
    /// The readings that go on, the best first after a stage.
    alive: Vec<usize>,
    stages: Vec<Judged>,
    /// The games of each match that were wanted so far.
    played: BTreeMap<usize, u64>,
}

/// A stage that is over.
#[derive(Debug)]
struct Judged {
    report: StageReport,
    /// χ² of every reading it judged.
    chi_square: BTreeMap<usize, f64>,
    /// The square of Birge's ratio.
    birge: f64,
}

impl Inferring<'_> {
    /// What is done next, in words.
    pub fn step(&self) -> String {
        let all = self.plan.choices.stages.len();
        match self.plan.choices.stages.get(self.stages.len()) {
            Some(_) => format!("stage {} of {all}", self.stages.len() + 1),
            None => "confirmation".to_owned(),
        }
    }

    /// Whether a stage is still to be judged; afterwards the games of the confirmation are wanted.
    pub fn is_judging(&self) -> bool {
        self.stages.len() < self.plan.choices.stages.len()
    }

    /// The readings of the next step: those that go on, and the one that is played.
    fn judged(&self) -> Vec<usize> {
        let beside = Some(self.plan.played).filter(|played| !self.alive.contains(played));
        self.alive.iter().copied().chain(beside).collect()
    }

    /// The games that the next step needs.
    pub fn wanted(&self) -> Vec<Wanted> {
        let wanted = self.games_wanted().into_iter().map(|(place, end)| {
            let (id, the_match) = &self.plan.matches[place];
            Wanted { id: id.clone(), the_match: the_match.clone(), games: 0..end }
        });
        wanted.collect()
    }

    /// How many games of each match of the plan the next step needs, those of the steps before included.
    fn games_wanted(&self) -> BTreeMap<usize, u64> {
        let plan = self.plan;
        let judging = plan.judging.get(self.stages.len());
        let mut games: BTreeMap<usize, u64> = BTreeMap::new();
        for reading in self.judged() {
            for (id, place) in &plan.readings[reading].matches {
                let end = match judging {
                    Some(judging) if !judging.contains(id) => continue,
                    Some(_) => plan.choices.stages[self.stages.len()].games,
                    None => plan.confirming(id).end,
                };
                games.insert(*place, end);
            }
        }
        games
    }

    /// Judges the readings of a stage by games that a folder has, and keeps the best.
    ///
    /// # Errors
    /// If the folder's files are damaged.
    pub fn judge(&mut self, folder: &Folder) -> Result<(), ExperimentError> {
        let plan = self.plan;
        let number = self.stages.len();
        self.played.extend(self.games_wanted());
        let stage = &plan.choices.stages[number];
        let fit: Vec<&Place> = plan.fit[..=number].iter().flatten().collect();
        let mut chi_square = BTreeMap::new();
        for reading in self.judged() {
            let report = plan.report(reading, folder, |_| 0..stage.games)?;
            let squares = fit.iter().filter_map(|place| find(&report, place)?.z).map(|z| z * z);
            chi_square.insert(reading, scaled_sum(squares.collect(), fit.len()));
        }
        // A reading that is played and was not drawn is judged beside the others and weighs nothing.
        self.alive = chi_square.keys().copied().filter(|reading| *reading < plan.weighed).collect();
        let of_weighed = self.alive.iter().map(|reading| chi_square[reading]);
        let best = of_weighed.fold(f64::INFINITY, f64::min);
        let birge = (best / fit.len() as f64).max(1.0);
        let rank =
            |reading: &usize| chi_square[reading] / birge - 2.0 * plan.readings[*reading].log_prior;
        let judged = self.alive.len();
        self.alive.sort_by(|a, b| rank(a).total_cmp(&rank(b)).then(a.cmp(b)));
        self.alive.truncate(stage.keep);
        let report = StageReport {
            readings: judged as u64,
            games: stage.games,
            numbers: fit.len() as u64,
            best_chi_square: best,
            kept: self.alive.len() as u64,
        };
        self.stages.push(Judged { report, chi_square, birge });
        Ok(())
    }

    /// What was inferred, when all stages are judged and the confirmation has been played.
    ///
    /// # Errors
    /// If the folder's files are damaged.
    pub fn conclude(&self, folder: &Folder) -> Result<Inference, ExperimentError> {
        let plan = self.plan;
        let Some(last) = self.stages.last() else {
            return Err(ExperimentError::new(&plan.id, "no stage was judged"));
        };
        let weights = posterior(&plan.readings[..plan.weighed], last);
        let finalists = self.alive.iter().map(|&number| {
            let report = plan.report(number, folder, |id| plan.confirming(id))?;
            Ok(Finalist { number, weight: weights[&number], report })
        });
        let finalists: Vec<Finalist> = finalists.collect::<Result<_, ExperimentError>>()?;
        let fit = plan.fit.iter().flatten().map(|place| (place, false));
        let numbers = fit.chain(plan.held_out.iter().map(|place| (place, true)));
        let numbers = numbers.filter_map(|(place, held_out)| number(place, held_out, &finalists));
        let mut games = self.played.clone();
        games.extend(self.games_wanted());
        let played = plan.standing(&weights, last, folder)?;
        Ok(Inference {
            experiment: plan.id.clone(),
            title: plan.title.clone(),
            seed: plan.seed.to_string(),
            games: games.values().sum(),
            readings: plan.weighed as u64,
            stages: self.stages.iter().map(|stage| stage.report.clone()).collect(),
            confirmed_by: plan.choices.confirm,
            birge_ratio: last.birge.sqrt(),
            choices: plan.posteriors(&weights),
            numbers: numbers.collect(),
            best: finalists.iter().map(|finalist| plan.describe(finalist, last)).collect(),
            played: Some(played),
        })
    }
}

/// A reading that was confirmed.
struct Finalist {
    number: usize,
    weight: f64,
    report: Report,
}

impl InferencePlan {
    /// The games of a match that judge nobody.
    fn confirming(&self, id: &str) -> Range<u64> {
        let confirm = self.choices.confirm;
        if self.judging.last().is_some_and(|judging| judging.contains(id)) {
            let last = self.choices.stages.last().map_or(0, |stage| stage.games);
            last..last + confirm
        } else {
            0..self.choices.held_out_games.unwrap_or(confirm)
        }
    }

    /// The tables of a reading from some of its games.
    fn report(
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

    fn posteriors(&self, weights: &BTreeMap<usize, f64>) -> Vec<ChoicePosterior> {
        let of_choice = self.choices.open.iter().enumerate().map(|(number, choice)| {
            let mut posterior = vec![0.0; choice.prior().len()];
            for (reading, weight) in weights {
                posterior[self.readings[*reading].places[number]] += weight;
            }
            let values = choice.values().zip(choice.prior()).zip(posterior);
            ChoicePosterior {
                name: choice.name.clone(),
                open: choice.open.clone(),
                quote: choice.quote.clone(),
                values: values
                    .map(|((value, prior), posterior)| ValuePosterior { value, prior, posterior })
                    .collect(),
            }
        });
        of_choice.collect()
    }

    /// Where the reading stands that the experiment itself plays.
    fn standing(
        &self,
        weights: &BTreeMap<usize, f64>,
        last: &Judged,
        folder: &Folder,
    ) -> Result<PlayedReading, ExperimentError> {
        let number = self.played;
        let report = self.report(number, folder, |id| self.confirming(id))?;
        let weight = weights.get(&number).copied().unwrap_or_default();
        let own = last.chi_square[&number];
        let better = last.chi_square.values().filter(|other| **other < own).count() as u64;
        Ok(PlayedReading {
            reading: self.describe(&Finalist { number, weight, report }, last),
            is_weighed: number < self.weighed,
            rank: better + 1,
            of: last.chi_square.len() as u64,
        })
    }

    fn describe(&self, finalist: &Finalist, last: &Judged) -> ReadingReport {
        let inside = |places: &mut dyn Iterator<Item = &Place>| {
            let scores: Vec<f64> =
                places.filter_map(|place| find(&finalist.report, place)?.z).collect();
            let chi_square = scores.iter().map(|z| z * z).sum();
            let inside = scores.iter().filter(|z| z.abs() <= Confidence::P95.z()).count();
            Fit { numbers: scores.len() as u64, inside: inside as u64, chi_square }
        };
        ReadingReport {
            values: self.readings[finalist.number].words.clone(),
            posterior: finalist.weight,
            judged_chi_square: last.chi_square[&finalist.number],
            fitted: inside(&mut self.fit.iter().flatten()),
            held_out: inside(&mut self.held_out.iter()),
        }
    }
}

/// χ² of `count` numbers. Numbers without any game count as the mean of the others: a reading whose games say nothing of a
/// number does not fit it better than one that is off.
fn scaled_sum(squares: Vec<f64>, count: usize) -> f64 {
    let scored = squares.len() as f64;
    let sum: f64 = squares.into_iter().sum();
    if scored > 0.0 { sum * count as f64 / scored } else { f64::MAX }
}

/// The weight of each of these readings that the last stage judged; they sum to 1.
fn posterior(readings: &[Reading], last: &Judged) -> BTreeMap<usize, f64> {
    let log = |(reading, chi_square): (&usize, &f64)| {
        let log_prior = readings.get(*reading)?.log_prior;
        Some((*reading, log_prior - chi_square / (2.0 * last.birge)))
    };
    let logs: Vec<(usize, f64)> = last.chi_square.iter().filter_map(log).collect();
    let most = logs.iter().map(|(_, log)| *log).fold(f64::NEG_INFINITY, f64::max);
    let weights = logs.into_iter().map(|(reading, log)| (reading, libm::exp(log - most)));
    let weights: BTreeMap<usize, f64> = weights.collect();
    let sum: f64 = weights.values().sum();
    weights.into_iter().map(|(reading, weight)| (reading, weight / sum)).collect()
}

/// A printed number with what the readings predict.
fn number(place: &Place, held_out: bool, finalists: &[Finalist]) -> Option<NumberReport> {
    let scored = finalists.iter().filter_map(|finalist| {
        let cell = find(&finalist.report, place)?;
        Some((finalist.weight, cell, cell.z?))
    });
    let scored: Vec<(f64, &CellReport, f64)> = scored.collect();
    let (_, best, z) = *scored.first()?;
    let sum: f64 = scored.iter().map(|(weight, ..)| weight).sum();
    // The probability of at most the printed number, and of at least it, over the readings.
    let (mut below, mut above) = (0.0, 0.0);
    for (weight, _, z) in &scored {
        let tail = normal_two_sided(*z) / 2.0;
        let (low, high) = if *z < 0.0 { (tail, 1.0 - tail) } else { (1.0 - tail, tail) };
        below += weight * low;
        above += weight * high;
    }
    let ours = best.ours?;
    let inside = |(_, _, z): &&(f64, &CellReport, f64)| z.abs() <= Confidence::P95.z();
    Some(NumberReport {
        table: place.table.clone(),
        row: place.row.clone(),
        cell: place.cell.clone(),
        held_out,
        published: best.published.clone()?,
        ours: ours.value,
        low: ours.interval.map(|interval| interval.low),
        high: ours.interval.map(|interval| interval.high),
        n: ours.n,
        z,
        p: if sum > 0.0 { (2.0 * f64::min(below, above) / sum).min(1.0) } else { 0.0 },
        explained_by: scored.iter().filter(inside).count() as u64,
        of: scored.len() as u64,
    })
}

fn find<'a>(report: &'a Report, place: &Place) -> Option<&'a CellReport> {
    let table = report.tables.iter().find(|table| table.id == place.table)?;
    let rows = table.rows.iter().filter(|row| row.label == place.row);
    rows.flat_map(|row| &row.cells)
        .find(|cell| cell.label == place.cell && cell.published.is_some())
}

/// What was inferred of an experiment: the readings that fit its printed numbers best, and what they leave unexplained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Inference {
    /// The experiment.
    pub experiment: String,
    /// Its title.
    pub title: String,
    /// The seed of its games.
    pub seed: String,
    /// How many games were played for it.
    pub games: u64,
    /// How many readings were judged.
    pub readings: u64,
    /// The stages, in order.
    pub stages: Vec<StageReport>,
    /// Games of each match from which the numbers are predicted; they judged nobody.
    pub confirmed_by: u64,
    /// By how much errors were widened so that the best reading is off by no more than chance explains; 1 if it was not.
    pub birge_ratio: f64,
    /// The open choices with what was inferred of them.
    pub choices: Vec<ChoicePosterior>,
    /// The printed numbers, those held out last.
    pub numbers: Vec<NumberReport>,
    /// The readings that were confirmed, the best first.
    pub best: Vec<ReadingReport>,
    /// Where the reading stands that the experiment itself plays; `None` in results of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<PlayedReading>,
}

/// What printed numbers say of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identification {
    /// One of its values, given that one of the readings that were judged is right.
    Identified,
    /// Nothing, because no reading fits: even the best is off by far more than chance explains.
    NoReadingFits,
    /// No single value.
    Open,
}

/// Above this Birge's ratio no reading fits.
const NO_FIT: f64 = 2.0;

/// What a value's probability must come to.
const SETTLED: f64 = 0.95;

/// By how much its odds must have grown.
const BAYES_FACTOR: f64 = 3.0;

impl Inference {
    /// By how many readings of equal weight the probabilities would be as uncertain: 1/Σw². Readings that were judged last
    /// but not confirmed count as one with all their weight.
    pub fn effective_readings(&self) -> f64 {
        let weights = self.best.iter().map(|reading| reading.posterior);
        let rest = (1.0 - weights.clone().sum::<f64>()).max(0.0);
        let squares: f64 = weights.chain([rest]).map(|weight| weight * weight).sum();
        if squares > 0.0 { 1.0 / squares } else { 0.0 }
    }

    /// Whether every combination of values was judged by all games: then the probabilities are no sample of them.
    fn is_complete(&self) -> bool {
        let combinations: f64 = self.choices.iter().map(|c| c.values.len() as f64).product();
        self.stages.last().is_some_and(|stage| stage.readings as f64 >= combinations)
    }

    /// What the printed numbers say of a choice. A value is *identified* if some reading fits (Birge's ratio at most 2), its
    /// probability is 0.95 or more, and that is clearly away from its prior: its odds are at least three times those before, and
    /// the lower end of the probability's 95 % interval (Wilson's, by [`effective_readings`](Self::effective_readings)) is above
    /// one half and above the prior. Where every combination was judged to the end, the probability is no sample and has no
    /// such interval.
    pub fn identification(&self, choice: &ChoicePosterior) -> Identification {
        let sample = if self.is_complete() { f64::INFINITY } else { self.effective_readings() };
        let is_clear = |value: &ValuePosterior| {
            let (low, odds) = (lower_end(value.posterior, sample), |p: f64| p / (1.0 - p));
            value.posterior >= SETTLED
                && odds(value.posterior) >= BAYES_FACTOR * odds(value.prior)
                && low > f64::max(0.5, value.prior)
        };
        match (self.birge_ratio > NO_FIT, choice.values.iter().any(is_clear)) {
            (true, _) => Identification::NoReadingFits,
            (false, true) => Identification::Identified,
            (false, false) => Identification::Open,
        }
    }

    /// The printed numbers that no confirmed reading explains.
    pub fn unexplained(&self) -> impl Iterator<Item = &NumberReport> {
        self.numbers.iter().filter(|number| number.explained_by == 0)
    }
}

/// The lower end of Wilson's 95 % interval of a share of a sample of so many.
fn lower_end(share: f64, n: f64) -> f64 {
    if n.is_infinite() {
        return share;
    }
    let z = Confidence::P95.z();
    let z2 = z * z;
    let spread = z * (share * (1.0 - share) * n + z2 / 4.0).max(0.0).sqrt();
    (share * n + z2 / 2.0 - spread) / (n + z2)
}

/// Where the reading stands that the experiment itself plays. It is judged in every stage and confirmed, however it fits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayedReading {
    /// The reading.
    pub reading: ReadingReport,
    /// Whether it has a weight. Where readings are drawn from the prior, one that was not drawn has none.
    pub is_weighed: bool,
    /// Its place by χ² in the last stage; 1 is the best.
    pub rank: u64,
    /// Among how many.
    pub of: u64,
}

/// A stage of an inference.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StageReport {
    /// How many readings it judged.
    pub readings: u64,
    /// By how many games of each match.
    pub games: u64,
    /// By how many printed numbers.
    pub numbers: u64,
    /// χ² of the best of them.
    pub best_chi_square: f64,
    /// How many it kept.
    pub kept: u64,
}

/// An open choice with what was inferred of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChoicePosterior {
    /// What it is called.
    pub name: String,
    /// Where the text leaves it open.
    pub open: String,
    /// What the text says.
    pub quote: String,
    /// Its values.
    pub values: Vec<ValuePosterior>,
}

impl ChoicePosterior {
    /// Its values, the likeliest first.
    pub fn likeliest(&self) -> Vec<&ValuePosterior> {
        let mut values: Vec<&ValuePosterior> = self.values.iter().collect();
        values.sort_by(|a, b| b.posterior.total_cmp(&a.posterior));
        values
    }
}

/// A value of an open choice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ValuePosterior {
    /// The value.
    pub value: String,
    /// Its probability before any game.
    pub prior: f64,
    /// Its probability given the printed numbers, over the readings of the last stage.
    pub posterior: f64,
}

/// A printed number beside the prediction of the readings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NumberReport {
    /// Its table.
    pub table: String,
    /// Its row.
    pub row: String,
    /// Its cell.
    pub cell: String,
    /// Whether it judged no reading.
    pub held_out: bool,
    /// As printed.
    pub published: String,
    /// That of the best reading.
    pub ours: f64,
    /// The ends of its 95 % interval.
    pub low: Option<f64>,
    /// The ends of its 95 % interval.
    pub high: Option<f64>,
    /// How many games it rests on.
    pub n: u64,
    /// How far the two are apart, in standard errors of the difference.
    pub z: f64,
    /// The predictive probability of a number at least as far out as the printed one, on either side, over the confirmed
    /// readings by their weights.
    pub p: f64,
    /// How many of the confirmed readings have it within their 95 %.
    pub explained_by: u64,
    /// Of how many.
    pub of: u64,
}

/// A reading that was confirmed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReadingReport {
    /// Its values, one a choice.
    pub values: Vec<String>,
    /// Its probability given the printed numbers.
    pub posterior: f64,
    /// χ² of the games that judged it.
    pub judged_chi_square: f64,
    /// The numbers for fitting, by games that judged nobody.
    pub fitted: Fit,
    /// The numbers held out.
    pub held_out: Fit,
}

/// How well a reading fits some numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Fit {
    /// How many.
    pub numbers: u64,
    /// How many of them lie where 95 of 100 samples of the paper's size would.
    pub inside: u64,
    /// χ² of all.
    pub chi_square: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An inference of one choice of two values, by the weights of the confirmed readings.
    fn inference(
        birge_ratio: f64,
        weights: &[f64],
        judged: u64,
        values: [(f64, f64); 2],
    ) -> Inference {
        let fit = Fit { numbers: 1, inside: 1, chi_square: 1.0 };
        let best = weights.iter().map(|weight| ReadingReport {
            values: vec!["a".to_owned()],
            posterior: *weight,
            judged_chi_square: 1.0,
            fitted: fit,
            held_out: fit,
        });
        let values = values.into_iter().zip(["a", "b"]).map(|((prior, posterior), value)| {
            ValuePosterior { value: value.to_owned(), prior, posterior }
        });
        let choice = ChoicePosterior {
            name: "order".to_owned(),
            open: "1".to_owned(),
            quote: "…".to_owned(),
            values: values.collect(),
        };
        Inference {
            experiment: "toy".to_owned(),
            title: "toy".to_owned(),
            seed: "1".to_owned(),
            games: 1,
            readings: 100,
            stages: vec![StageReport {
                readings: judged,
                games: 1,
                numbers: 1,
                best_chi_square: 1.0,
                kept: weights.len() as u64,
            }],
            confirmed_by: 1,
            birge_ratio,
            choices: vec![choice],
            numbers: vec![],
            best: best.collect(),
            played: None,
        }
    }

    #[test]
    fn a_choice_is_identified_only_clearly_away_from_its_prior_given_the_sampling() {
        let found = |birge, weights: &[f64], values| {
            let inference = inference(birge, weights, 1, values);
            inference.identification(&inference.choices[0])
        };
        let clear = [(0.5, 0.99), (0.5, 0.01)];
        let many = [0.1; 10];
        assert_eq!(found(1.3, &many, clear), Identification::Identified);
        assert_eq!(
            found(1.3, &[0.6, 0.3, 0.1], clear),
            Identification::Open,
            "two readings say it"
        );
        assert_eq!(found(1.3, &many, [(0.5, 0.9), (0.5, 0.1)]), Identification::Open);
        assert_eq!(found(3.3, &many, clear), Identification::NoReadingFits);
        let believed_before = [(0.98, 0.99), (0.02, 0.01)];
        assert_eq!(found(1.0, &many, believed_before), Identification::Open, "as it was before");
    }

    #[test]
    fn probabilities_over_all_combinations_are_no_sample() {
        let both = inference(1.0, &[1.0], 2, [(0.5, 0.99), (0.5, 0.01)]);
        assert_eq!(both.identification(&both.choices[0]), Identification::Identified);
        for prior in [0.995, 0.98] {
            let before = inference(1.0, &[1.0], 2, [(prior, 0.99), (1.0 - prior, 0.01)]);
            let found = before.identification(&before.choices[0]);
            assert_eq!(found, Identification::Open, "as good as known before: {prior}");
        }
    }

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

    #[test]
    fn effective_readings_count_the_rest_as_one() {
        let of = |weights: &[f64]| inference(1.0, weights, 1, [(0.5, 0.5); 2]).effective_readings();
        assert!((of(&[0.25; 4]) - 4.0).abs() < 1e-9);
        assert!((of(&[1.0]) - 1.0).abs() < 1e-9);
        assert!((of(&[0.5]) - 2.0).abs() < 1e-9, "{}", of(&[0.5]));
        assert!((lower_end(1.0, 10.0) - 10.0 / (10.0 + 3.8415)).abs() < 1e-3);
        assert!(lower_end(0.97, 0.0).abs() < 1e-9);
    }
}
