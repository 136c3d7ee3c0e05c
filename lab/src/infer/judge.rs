//! Judging readings in stages, and what follows from it.

use super::choices::Place;
use super::inference::{
    ChoicePosterior, Fit, Inference, NumberReport, PlayedReading, ReadingReport, StageReport,
    ValuePosterior,
};
use super::plan::{InferencePlan, Reading};
use crate::experiment::{ExperimentError, Wanted};
use crate::{CellReport, Folder, Report};
use oboro_stats::Confidence;
use oboro_stats::distribution::normal_two_sided;
use std::collections::BTreeMap;

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
    /// Begins with all readings.
    pub fn start(&self) -> Inferring<'_> {
        Inferring {
            plan: self,
            alive: (0..self.weighed).collect(),
            stages: Vec::new(),
            played: BTreeMap::new(),
        }
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
