//! What experiment tables measure: a number a game, of the games that pass some conditions.

use crate::{GameResult, Match, Numbers};
use oboro_core::{FactInfo, did_you_mean};
use oboro_stats::Interval;
use std::fmt;
use std::str::FromStr;

/// A number that every game has: `payoff[a]`, `win[b]`, `first[a]`, `plies`, or a fact of the game such as
/// `turns` or `rank[b]`. Entrants are lettered in order of appearance in the match; a digit instead of
/// a letter is a seat: `payoff[0]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    text: String,
    name: String,
    of: Option<Of>,
}

/// Whose number it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Entrant(usize),
    Seat(usize),
}

/// A condition on games: a [`Value`], one of `= != < <= > >=`, and a number.
#[derive(Clone, PartialEq, Debug)]
pub struct Filter {
    text: String,
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

impl MeasureError {
    pub(crate) fn new(message: String) -> MeasureError {
        MeasureError(message)
    }
}

impl From<MeasureError> for String {
    fn from(error: MeasureError) -> String {
        error.0
    }
}

impl FromStr for Value {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Value, MeasureError> {
        let fail = || {
            MeasureError(format!(
                "`{text}` is no value: write NAME or NAME[x], x a letter for an entrant or a digit for a seat, \
                 such as payoff[a]"
            ))
        };
        let (name, of) = match text.split_once('[') {
            None => (text, None),
            Some((name, rest)) => match rest.strip_suffix(']').map(str::as_bytes) {
                Some([letter @ b'a'..=b'z']) => {
                    (name, Some(Of::Entrant(usize::from(letter - b'a'))))
                }
                Some([digit @ b'0'..=b'9']) => (name, Some(Of::Seat(usize::from(digit - b'0')))),
                _ => return Err(fail()),
            },
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(fail());
        }
        Ok(Value { text: text.to_owned(), name: name.to_owned(), of })
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
        Ok(Filter { text: text.to_owned(), value: value.trim().parse()?, comparison, number })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Value {
    /// The entrant whose number it is, from 0.
    pub(crate) fn entrant(&self) -> Option<usize> {
        match self.of {
            Some(Of::Entrant(entrant)) => Some(entrant),
            Some(Of::Seat(_)) | None => None,
        }
    }

    /// Which of several ways to play its entrant or seat drew for a game.
    pub(crate) fn variant(&self) -> Value {
        Value { text: "variant".to_owned(), name: "variant".to_owned(), of: self.of }
    }

    /// Whether the games of a match have it; facts are those that the game declares.
    ///
    /// # Errors
    /// If there is no such entrant, seat or fact, or it needs an entrant, or has none.
    pub(crate) fn check(&self, the_match: &Match) -> Result<(), MeasureError> {
        let (entrants, seats) = (the_match.entrants().len(), the_match.agents().len());
        self.check_by(entrants, seats, the_match.rules().facts())
    }

    fn check_by(
        &self,
        entrants: usize,
        seats: usize,
        facts: &[FactInfo],
    ) -> Result<(), MeasureError> {
        match self.of {
            Some(Of::Entrant(entrant)) if entrant >= entrants => {
                return Err(MeasureError(format!(
                    "`{self}`: the match has {entrants} different agents, lettered from a"
                )));
            }
            Some(Of::Seat(seat)) if seat >= seats => {
                return Err(MeasureError(format!(
                    "`{self}`: the match has {seats} seats, numbered from 0"
                )));
            }
            _ => {}
        }
        match (self.name.as_str(), self.of) {
            ("payoff", None) => Err(self.needs("an entrant or a seat")),
            ("win" | "first", None | Some(Of::Seat(_))) => Err(self.needs("an entrant")),
            ("plies", Some(_)) => Err(self.belongs_to_the_game()),
            ("payoff" | "win" | "first" | "plies", _) => Ok(()),
            // Which of several ways to play an agent drew, whatever the game.
            ("variant", of) => of.map(|_| ()).ok_or_else(|| self.needs("an entrant or a seat")),
            (name, of) => match (facts.iter().find(|fact| fact.name == name), of) {
                (None, _) => Err(self.unknown(facts.iter().map(|fact| fact.name))),
                (Some(fact), None) if fact.per_seat => Err(self.needs("an entrant or a seat")),
                (Some(fact), Some(_)) if !fact.per_seat => Err(self.belongs_to_the_game()),
                (Some(_), _) => Ok(()),
            },
        }
    }

    fn unknown<'a>(&self, facts: impl Iterator<Item = &'a str>) -> MeasureError {
        let facts: Vec<&str> = facts.collect();
        let guess = did_you_mean(&self.name, facts.iter().copied());
        let guess = guess.map_or(String::new(), |guess| format!("; did you mean `{guess}`?"));
        MeasureError(format!(
            "games here have no `{}`{guess} (there is: payoff[x], win[x], first[x], plies, {})",
            self.name,
            facts.join(", ")
        ))
    }

    fn needs(&self, what: &str) -> MeasureError {
        MeasureError(format!("`{0}` needs {what}: {0}[a]", self.name))
    }

    fn belongs_to_the_game(&self) -> MeasureError {
        MeasureError(format!("`{}` belongs to the game: no [x]", self.name))
    }

    /// Its number in one game; `None` where the entrant does not play.
    ///
    /// # Errors
    /// If the game has no such fact, or it needs an entrant.
    pub fn of(&self, game: &GameResult) -> Result<Option<f64>, MeasureError> {
        let by_seat = |values: &[f64]| match self.of {
            Some(Of::Entrant(entrant)) => Ok(game.mean_of(values, entrant)),
            Some(Of::Seat(seat)) => Ok(values.get(seat).copied()),
            None => Err(self.needs("an entrant or a seat")),
        };
        match (self.name.as_str(), self.of) {
            ("payoff", _) => by_seat(&game.payoffs),
            ("win", Some(Of::Entrant(entrant))) => Ok(Some(game.win_share(entrant))),
            ("first", Some(Of::Entrant(entrant))) => {
                Ok(game.seats.first().map(|&first| f64::from(u8::from(first == entrant))))
            }
            ("win" | "first", _) => Err(self.needs("an entrant")),
            ("plies", None) => Ok(Some(f64::from(game.plies))),
            (name, of) => match (game.facts.get(name), of) {
                (Some(Numbers::Game(value)), None) => Ok(Some(*value)),
                (Some(Numbers::Seats(values)), _) => by_seat(values),
                (Some(Numbers::Game(_)), Some(_)) => Err(self.belongs_to_the_game()),
                (None, _) => Err(self.unknown(game.facts.keys().map(String::as_str))),
            },
        }
    }

    /// The range that it can lie in, as far as games show: shares from 0 to 1; payoffs, and facts that are yes or no, between
    /// the least and the greatest that any seat of any game had. `None` for what may go on, such as turns.
    pub(crate) fn range(&self, games: &[GameResult]) -> Option<Interval> {
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            let hull = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), hull);
            (low < high).then_some(Interval { low, high })
        };
        match self.name.as_str() {
            "win" | "first" => Some(Interval { low: 0.0, high: 1.0 }),
            "payoff" => ends(&mut games.iter().flat_map(|game| game.payoffs.iter().copied())),
            name => {
                let facts = games.iter().filter_map(|game| game.facts.get(name));
                let values = facts.flat_map(|numbers| match numbers {
                    Numbers::Game(value) => std::slice::from_ref(value),
                    Numbers::Seats(values) => values,
                });
                let is_answer = |value: &f64| *value == 0.0 || *value == 1.0;
                let range = ends(&mut values.clone().copied());
                range.filter(|_| values.clone().all(is_answer))
            }
        }
    }

    /// Its number for every single seat of its entrant.
    ///
    /// # Errors
    /// As [`of`](Value::of).
    pub(crate) fn each(&self, game: &GameResult) -> Result<Vec<f64>, MeasureError> {
        match (self.name.as_str(), self.of) {
            ("payoff", Some(Of::Entrant(entrant))) => {
                Ok(game.each_of(&game.payoffs, entrant).collect())
            }
            _ => Ok(self.of(game)?.into_iter().collect()),
        }
    }
}

impl Filter {
    /// As [`Value::check`].
    pub(crate) fn check(&self, the_match: &Match) -> Result<(), MeasureError> {
        self.value.check(the_match)
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn game() -> GameResult {
        let facts = [
            ("turns".to_owned(), Numbers::Game(12.0)),
            ("rank".to_owned(), Numbers::Seats(vec![2.0, 1.0, 3.0])),
        ];
        GameResult {
            n: 0,
            seats: vec![1, 0, 1],
            payoffs: vec![1.0, 2.0, 0.0],
            plies: 40,
            facts: BTreeMap::from(facts),
            forfeit: None,
        }
    }

    fn value(text: &str) -> Result<Option<f64>, String> {
        let value: Value = text.parse().map_err(|error: MeasureError| error.to_string())?;
        value.of(&game()).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_of_entrants_seats_or_the_game() {
        assert_eq!(value("payoff[a]"), Ok(Some(2.0)));
        assert_eq!(value("payoff[b]"), Ok(Some(0.5)), "the mean of its two seats");
        assert_eq!(value("payoff[0]"), Ok(Some(1.0)));
        assert_eq!(value("rank[b]"), Ok(Some(2.5)));
        assert_eq!(value("rank[2]"), Ok(Some(3.0)));
        assert_eq!(value("win[a]"), Ok(Some(1.0)));
        assert_eq!(value("first[b]"), Ok(Some(1.0)));
        assert_eq!(value("turns"), Ok(Some(12.0)));
        assert_eq!(value("plies"), Ok(Some(40.0)));
        assert_eq!(value("payoff[c]"), Ok(None), "no third entrant plays");
        for bad in ["payoff", "turns[a]", "glory", "win[0]", "payoff[A]", "payoff[a", "[a]", "a b"]
        {
            assert!(value(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_no_game_of_a_match_can_have_is_known_before_the_first() {
        let facts = [FactInfo::game("turns", ""), FactInfo::seats("rank", "")];
        let check = |text: &str| text.parse::<Value>().unwrap().check_by(2, 3, &facts);
        for good in [
            "payoff[a]",
            "payoff[b]",
            "payoff[2]",
            "win[b]",
            "plies",
            "turns",
            "rank[1]",
            "variant[a]",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "payoff[c]",
            "payoff[3]",
            "payoff",
            "win[0]",
            "first",
            "plies[a]",
            "rank[c]",
            "rank",
            "turns[a]",
            "glory",
            "variant",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert!(check("rnak[a]").unwrap_err().to_string().contains("did you mean `rank`"));
    }

    #[test]
    fn conditions_compare() {
        let passes = |text: &str| text.parse::<Filter>().unwrap().passes(&game()).unwrap();
        assert!(passes("turns=12") && passes("turns>=12") && passes("rank[a] < 2"));
        assert!(!passes("turns!=12") && !passes("plies<=39") && !passes("plies>40"));
        assert!(!passes("payoff[c]=0"), "nobody's number passes nothing");
        for bad in ["turns", "turns=x", "=3", "turns[?]=3"] {
            assert!(bad.parse::<Filter>().is_err(), "{bad}");
        }
    }

    #[test]
    fn ties_share_the_win() {
        let mut tied = game();
        tied.payoffs = vec![2.0, 2.0, 0.0];
        assert_eq!((tied.win_share(0), tied.win_share(1)), (0.5, 0.5));
    }
}
