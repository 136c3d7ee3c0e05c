//! Reconstruction by inference: what a paper leaves open is a parameter, what it printed is evidence.
//!
//! A paper's folder names its open [`Choices`]. A *reading* gives each of them a value. Readings are judged in stages
//! (successive halving): all of them by few games, the best of them by more, by χ² over the printed numbers that are for
//! fitting. The last stage gives every reading a weight, prior × exp(−χ²/2R²). R is Birge's ratio: where even the best
//! reading is farther off than chance explains, all errors are widened until it is not.
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
    readings: Vec<Reading>,
    /// Every different match of any reading, each with its name.
    matches: Vec<(String, Match)>,
}

#[derive(Debug)]
struct Reading {
    places: Vec<usize>,
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
        for places in self.choices.readings(&self.seed)? {
            let experiment =
                self.experiment(&bare, &places, external).map_err(|error| error.to_string())?;
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
            let log_prior = self.choices.log_prior(&places);
            self.readings.push(Reading { places, log_prior, matches });
        }
        Ok(())
    }

    /// The experiment as a reading has it.
    fn experiment(
        &self,
        base: &toml::Table,
        places: &[usize],
        external: Allowed<'_>,
    ) -> Result<Experiment, ExperimentError> {
        let name = format!("{} with {}", self.id, self.choices.words(places).join(", "));
        let fault = |message: String| ExperimentError::new(&name, message);
        let changed = self.choices.experiment_of(base, places).map_err(fault)?;
        let text = toml::to_string(&changed).map_err(|error| fault(error.to_string()))?;
        Experiment::parse_among(&name, &text, external)
    }

    /// The name of the experiment.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How many readings there are.
    pub fn readings(&self) -> usize {
        self.readings.len()
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
            alive: (0..self.readings.len()).collect(),
            stages: Vec::new(),
            played: BTreeMap::new(),
        }
    }
}

/// An inference under way: play what is [`wanted`](Inferring::wanted), [`judge`](Inferring::judge), and again.
#[derive(Debug)]
pub struct Inferring<'a> {
    plan: &'a InferencePlan,
    /// The readings still judged, the best first after a stage.
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
        for reading in &self.alive {
            for (id, place) in &plan.readings[*reading].matches {
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
        for &reading in &self.alive {
            let report = plan.report(reading, folder, |_| 0..stage.games)?;
            let squares = fit.iter().filter_map(|place| find(&report, place)?.z).map(|z| z * z);
            chi_square.insert(reading, scaled_sum(squares.collect(), fit.len()));
        }
        let best = chi_square.values().copied().fold(f64::INFINITY, f64::min);
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
        let weights = posterior(&plan.readings, last);
        let finalists = self.alive.iter().map(|&number| {
            let report = plan.report(number, folder, |id| plan.confirming(id))?;
            Ok(Finalist { number, weight: weights[&number], report })
        });
        let finalists: Vec<Finalist> = finalists.collect::<Result<_, ExperimentError>>()?;
        let fit = plan.fit.iter().flatten().map(|place| (place, false));
        let numbers = fit.chain(plan.held_out.iter().map(|place| (place, true)));
        let numbers = numbers.filter_map(|(place, held_out)| number(place, held_out, &finalists));
        let mut played = self.played.clone();
        played.extend(self.games_wanted());
        Ok(Inference {
            experiment: plan.id.clone(),
            title: plan.title.clone(),
            seed: plan.seed.to_string(),
            games: played.values().sum(),
            readings: plan.readings.len() as u64,
            stages: self.stages.iter().map(|stage| stage.report.clone()).collect(),
            confirmed_by: plan.choices.confirm,
            birge_ratio: last.birge.sqrt(),
            choices: plan.posteriors(&weights),
            numbers: numbers.collect(),
            best: finalists.iter().map(|finalist| plan.describe(finalist, last)).collect(),
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

    fn describe(&self, finalist: &Finalist, last: &Judged) -> ReadingReport {
        let inside = |places: &mut dyn Iterator<Item = &Place>| {
            let scores: Vec<f64> =
                places.filter_map(|place| find(&finalist.report, place)?.z).collect();
            let chi_square = scores.iter().map(|z| z * z).sum();
            let inside = scores.iter().filter(|z| z.abs() <= Confidence::P95.z()).count();
            Fit { numbers: scores.len() as u64, inside: inside as u64, chi_square }
        };
        ReadingReport {
            values: self.choices.words(&self.readings[finalist.number].places),
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

/// The weight of every reading that the last stage judged; they sum to 1.
fn posterior(readings: &[Reading], last: &Judged) -> BTreeMap<usize, f64> {
    let log = |(reading, chi_square): (&usize, &f64)| {
        (*reading, readings[*reading].log_prior - chi_square / (2.0 * last.birge))
    };
    let logs: Vec<(usize, f64)> = last.chi_square.iter().map(log).collect();
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
}

impl Inference {
    /// The printed numbers that no confirmed reading explains.
    pub fn unexplained(&self) -> impl Iterator<Item = &NumberReport> {
        self.numbers.iter().filter(|number| number.explained_by == 0)
    }
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

    /// Whether the printed numbers leave one value only, with 95 of 100.
    pub fn is_identified(&self) -> bool {
        self.values.iter().any(|value| value.posterior >= 0.95)
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
