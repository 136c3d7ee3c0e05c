//! What experiment tables measure: a number a game, of the games that pass some conditions.

use crate::stats::{Confidence, Interval, Moments, Rate, predict_mean, predict_rate};
use crate::{GameResult, Numbers};
use serde::Serialize;
use std::str::FromStr;

/// A number that every game has: `payoff[a]`, `win[b]`, `first[a]`, `plies`, or a fact of the game such as
/// `turns` or `rank[b]`. Entrants are lettered in order of appearance in the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    name: String,
    entrant: Option<usize>,
}

/// A condition on games: a [`Value`], one of `= != < <= > >=`, and a number.
#[derive(Clone, PartialEq, Debug)]
pub struct Filter {
    value: Value,
    comparison: Comparison,
    number: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// A value or condition that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct MeasureError(String);

impl FromStr for Value {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Value, MeasureError> {
        let fail = || {
            MeasureError(format!(
                "`{text}` is no value: write NAME or NAME[x], x a letter for an entrant, such as payoff[a]"
            ))
        };
        let (name, entrant) = match text.split_once('[') {
            None => (text, None),
            Some((name, rest)) => match rest.strip_suffix(']').map(str::as_bytes) {
                Some([letter @ b'a'..=b'z']) => (name, Some(usize::from(letter - b'a'))),
                _ => return Err(fail()),
            },
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(fail());
        }
        Ok(Value { name: name.to_owned(), entrant })
    }
}

impl FromStr for Filter {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Filter, MeasureError> {
        const SIGNS: [(&str, Comparison); 6] = [
            ("!=", Comparison::NotEqual),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("=", Comparison::Equal),
            ("<", Comparison::Less),
            (">", Comparison::More),
        ];
        let fail =
            || MeasureError(format!("`{text}` is no condition: write one such as diggers=5"));
        let (sign, comparison) =
            SIGNS.into_iter().find(|(sign, _)| text.contains(sign)).ok_or_else(fail)?;
        let (value, number) = text.split_once(sign).ok_or_else(fail)?;
        let number = number.trim().parse().map_err(|_| fail())?;
        Ok(Filter { value: value.trim().parse()?, comparison, number })
    }
}

impl Value {
    /// Its number in one game; `None` where the entrant does not play.
    ///
    /// # Errors
    /// If the game has no such fact, or it needs an entrant.
    pub fn of(&self, game: &GameResult) -> Result<Option<f64>, MeasureError> {
        let truth = |b: bool| f64::from(u8::from(b));
        let needs = || MeasureError(format!("`{0}` needs an entrant: {0}[a]", self.name));
        let entrant = self.entrant;
        Ok(match (self.name.as_str(), entrant) {
            ("payoff", _) => game.mean_of(&game.payoffs, entrant.ok_or_else(needs)?),
            ("win", _) => Some(game.win_share(entrant.ok_or_else(needs)?)),
            ("first", _) => {
                let entrant = entrant.ok_or_else(needs)?;
                game.seats.first().map(|&first| truth(first == entrant))
            }
            ("plies", None) => Some(f64::from(game.plies)),
            (name, entrant) => match (game.facts.get(name), entrant) {
                (Some(Numbers::Game(value)), None) => Some(*value),
                (Some(Numbers::Seats(values)), Some(entrant)) => game.mean_of(values, entrant),
                (Some(Numbers::Seats(_)), None) => return Err(needs()),
                (Some(Numbers::Game(_)), Some(_)) => {
                    return Err(MeasureError(format!("`{name}` belongs to the game: no [x]")));
                }
                (None, _) => {
                    let facts: Vec<&str> = game.facts.keys().map(String::as_str).collect();
                    return Err(MeasureError(format!(
                        "games here have no `{name}` (there is: payoff[x], win[x], first[x], plies, {})",
                        facts.join(", ")
                    )));
                }
            },
        })
    }

    /// Its number for every single seat of its entrant.
    ///
    /// # Errors
    /// As [`of`](Value::of).
    pub(crate) fn each(&self, game: &GameResult) -> Result<Vec<f64>, MeasureError> {
        match (self.name.as_str(), self.entrant) {
            ("payoff", Some(entrant)) => Ok(game.each_of(&game.payoffs, entrant).collect()),
            _ => Ok(self.of(game)?.into_iter().collect()),
        }
    }
}

impl Filter {
    /// Whether a game passes.
    ///
    /// # Errors
    /// As [`Value::of`].
    pub fn passes(&self, game: &GameResult) -> Result<bool, MeasureError> {
        let Some(value) = self.value.of(game)? else { return Ok(false) };
        Ok(match self.comparison {
            Comparison::Equal => value == self.number,
            Comparison::NotEqual => value != self.number,
            Comparison::Less => value < self.number,
            Comparison::AtMost => value <= self.number,
            Comparison::More => value > self.number,
            Comparison::AtLeast => value >= self.number,
        })
    }
}

/// The games that pass all conditions.
///
/// # Errors
/// As [`Value::of`].
pub(crate) fn select<'a>(
    games: &'a [GameResult],
    filters: &[Filter],
) -> Result<Vec<&'a GameResult>, MeasureError> {
    let mut selected = Vec::new();
    for game in games {
        let mut passes = true;
        for filter in filters {
            passes &= filter.passes(game)?;
        }
        if passes {
            selected.push(game);
        }
    }
    Ok(selected)
}

/// A measured number with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The mean, or the rate.
    pub value: f64,
    /// Its 95 % interval: Wilson's for a rate, Student's for a mean; `None` for a single value.
    pub interval: Option<Interval>,
    /// How many games it rests on.
    pub n: u64,
    #[serde(skip)]
    sample: Sample,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Sample {
    Rate(Rate),
    Mean(Moments),
}

impl Estimate {
    /// The estimate from one number a game; `None` without any. Numbers that are all 0 or 1 are a rate.
    pub fn new(values: &[f64]) -> Option<Estimate> {
        let n = values.len() as u64;
        if n == 0 {
            return None;
        }
        if values.iter().all(|&v| v == 0.0 || v == 1.0) {
            let rate = Rate::new(values.iter().filter(|&&v| v == 1.0).count() as u64, n)?;
            let interval = Some(rate.wilson(Confidence::P95));
            return Some(Estimate {
                value: rate.value()?,
                interval,
                n,
                sample: Sample::Rate(rate),
            });
        }
        let moments: Moments = values.iter().copied().collect();
        let estimate = moments.estimate(Confidence::P95)?;
        Some(Estimate {
            value: estimate.mean,
            interval: estimate.interval,
            n,
            sample: Sample::Mean(moments),
        })
    }

    /// Where a published number of a sample of `n`, printed in steps of `step`, should lie if it was
    /// drawn as ours was.
    pub fn predict(&self, n: u64, step: f64) -> Option<Interval> {
        match &self.sample {
            Sample::Rate(rate) => predict_rate(*rate, n, step, Confidence::P95),
            Sample::Mean(moments) => predict_mean(moments, n, step, Confidence::P95),
        }
    }

    /// The rate behind it, if it is one.
    pub(crate) fn rate(&self) -> Option<Rate> {
        if let Sample::Rate(rate) = self.sample { Some(rate) } else { None }
    }
}
