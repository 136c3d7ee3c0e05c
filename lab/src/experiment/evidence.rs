//! What tables and figures are filled from.

use super::design::{MatchNumber, Selection};
use crate::GameResult;
use crate::estimate::Observed;
use crate::measure::{MeasureError, Value, select};
use std::collections::BTreeMap;

/// The text of a course of evolution, a `progress.csv`, by its name; `None` where there is no such course.
pub(super) type Course<'a> = &'a dyn Fn(&str) -> Result<Option<String>, MeasureError>;

/// The best fitness by run and generation.
pub(super) type BestByRun = BTreeMap<(u64, u64), f64>;

/// The games of every match of an experiment, and the courses of evolution behind its agents.
pub(super) struct Evidence<'a> {
    /// By the matches' numbers.
    pub(super) games: Vec<Vec<GameResult>>,
    /// How many games of each match share a deal.
    pub(super) games_per_deal: Vec<u64>,
    pub(super) course: Course<'a>,
}

impl Evidence<'_> {
    /// Adds the games of a pool, numbered anew, behind those of the matches.
    pub(super) fn add_pool(&mut self, members: &[Selection]) -> Result<(), MeasureError> {
        let mut pooled = Vec::new();
        for member in members {
            for game in self.select(member)? {
                pooled.push(GameResult { n: pooled.len() as u64, ..game.clone() });
            }
        }
        self.games.push(pooled);
        self.games_per_deal.push(1);
        Ok(())
    }

    /// The games of a match.
    pub(super) fn games(&self, the_match: MatchNumber) -> &[GameResult] {
        &self.games[the_match.index()]
    }

    /// The games of a selection.
    pub(super) fn select(&self, selection: &Selection) -> Result<Vec<&GameResult>, MeasureError> {
        select(self.games(selection.the_match), &selection.filters)
    }

    /// A number of each of the selected games, where they have it.
    pub(super) fn observe(
        &self,
        selection: &Selection,
        value: &Value,
    ) -> Result<Observed, MeasureError> {
        let games_per_deal = self.games_per_deal[selection.the_match.index()];
        Observed::new(self.games(selection.the_match), games_per_deal, value, &selection.filters)
    }

    /// The best fitness by run and generation of a course of evolution; `None` if there is no such course.
    pub(super) fn best_by_run(&self, name: &str) -> Result<Option<BestByRun>, MeasureError> {
        let Some(text) = (self.course)(name)? else { return Ok(None) };
        let mut all = BTreeMap::new();
        for (i, line) in text.lines().enumerate().skip(1) {
            let damaged = || {
                MeasureError::new(format!(
                    "evolve/{name}/progress.csv:{}: expected run,generation,best,…",
                    i + 1
                ))
            };
            let mut fields = line.split(',');
            let mut next = || fields.next().ok_or_else(damaged);
            let run = next()?.parse().map_err(|_| damaged())?;
            let generation = next()?.parse().map_err(|_| damaged())?;
            let best = next()?.parse().map_err(|_| damaged())?;
            all.insert((run, generation), best);
        }
        Ok(Some(all))
    }
}
