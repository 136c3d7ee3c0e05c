use super::error::ExperimentError;
use super::{Experiment, Scale, Shard};
use crate::Match;
use oboro_core::{Seed, did_you_mean};
use std::ops::Range;

/// Which of an experiment's games to play now.
#[derive(Clone, Default, Debug)]
pub struct Portion {
    /// One of several equal parts.
    pub shard: Option<Shard>,
    /// The first so many games of every match.
    pub at_most: Option<u64>,
    /// The matches whose names fit one of these patterns, * being anything; all without any.
    pub only: Vec<String>,
}

/// A match with the games of it that are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its name.
    pub id: String,
    /// The match.
    pub the_match: Match,
    /// Which games.
    pub games: Range<u64>,
}

impl Wanted {
    /// All games of a match.
    pub(crate) fn whole(id: String, the_match: Match) -> Wanted {
        Wanted { id, games: 0..the_match.games(), the_match }
    }

    /// How many games are wanted of some matches.
    pub fn count(wanted: &[Wanted]) -> u64 {
        wanted.iter().map(|wanted| wanted.games.end - wanted.games.start).sum()
    }
}

impl Portion {
    /// The matches with the games to play of each.
    ///
    /// # Errors
    /// If a pattern fits no match.
    pub fn of(
        &self,
        experiment: &Experiment,
        scale: Scale,
        seed: &Seed,
    ) -> Result<Vec<Wanted>, ExperimentError> {
        let matches = experiment.matches(scale, seed);
        for pattern in &self.only {
            if !matches.iter().any(|(id, _)| fits(id, pattern)) {
                let names: Vec<&str> = matches.iter().map(|(id, _)| id.as_str()).collect();
                let guess = did_you_mean(pattern, names.iter().copied())
                    .map(|guess| format!("; did you mean `{guess}`?"))
                    .unwrap_or_default();
                let names = names.join(", ");
                return Err(ExperimentError::new(
                    experiment.id(),
                    format!("no match fits `{pattern}`{guess} (matches: {names})"),
                ));
            }
        }
        let is_wanted =
            |id: &str| self.only.is_empty() || self.only.iter().any(|pattern| fits(id, pattern));
        let part = |games| {
            let range = self.shard.map_or(0..games, |shard| shard.range(games));
            let end = self.at_most.map_or(range.end, |most| range.end.min(range.start + most));
            range.start..end
        };
        let wanted = matches.into_iter().filter(|(id, _)| is_wanted(id));
        let wanted =
            wanted.map(|(id, the_match)| Wanted { id, games: part(the_match.games()), the_match });
        Ok(wanted.collect())
    }
}

/// Whether a name fits a pattern in which * stands for anything.
pub(crate) fn fits(name: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let Some(name) = name.strip_prefix(start) else {
        return false;
    };
    name.char_indices().map(|(i, _)| i).chain([name.len()]).any(|i| fits(&name[i..], rest))
}
