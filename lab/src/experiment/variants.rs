//! Numbers by variant: where an agent draws one of several ways to play for every game, the fact
//! `variant` says which, and the same games tell how good each of them is.

use super::design::Fitness;
use super::evidence::Evidence;
use crate::measure::{Filter, MeasureError, Value, select};
use crate::{Estimate, GameResult};
use oboro_stats::{Confidence, pearson};
use std::collections::BTreeMap;

/// A variant with fewer games is left out: its mean says next to nothing.
const FEWEST_GAMES: usize = 20;

/// The values of each variant that has enough games, by its number. Games without variants have none.
fn by_variant(
    games: &[GameResult],
    filters: &[Filter],
    value: &Value,
) -> Result<BTreeMap<u64, Vec<f64>>, MeasureError> {
    let mut variants: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    let variant = value.variant();
    for game in select(games, filters)? {
        if game.facts.contains_key("variant")
            && let (Some(number), Some(value)) = (variant.of(game)?, value.of(game)?)
            && number > 0.0
        {
            variants.entry(number as u64).or_default().push(value);
        }
    }
    variants.retain(|_, values| values.len() >= FEWEST_GAMES);
    Ok(variants)
}

/// The best variant's value. It is the best by the very games that measure it, so it is somewhat
/// lower in truth.
pub(super) fn best(
    games: &[GameResult],
    filters: &[Filter],
    value: &Value,
) -> Result<Option<Estimate>, MeasureError> {
    let variants = by_variant(games, filters, value)?;
    let estimates = variants.values().filter_map(|values| Estimate::new(values));
    Ok(estimates.max_by(|a, b| a.value.total_cmp(&b.value)))
}

/// The correlation of fitness and value over the variants of several matches.
pub(super) fn correlation(
    evidence: &Evidence<'_>,
    filters: &[Filter],
    value: &Value,
    known: &[Fitness],
) -> Result<Option<Estimate>, MeasureError> {
    let (mut fitness, mut values) = (Vec::new(), Vec::new());
    for known in known {
        let Some(runs) = evidence.best_by_run(&known.course)? else { continue };
        for (variant, measured) in by_variant(evidence.games(known.the_match), filters, value)? {
            if let Some(best) = runs.get(&(variant, known.generation)) {
                fitness.push(*best);
                values.push(measured.iter().sum::<f64>() / measured.len() as f64);
            }
        }
    }
    Ok(pearson(&fitness, &values, Confidence::P95).map(Estimate::of_correlation))
}

#[cfg(test)]
mod tests {
    use super::super::design::MatchNumber;
    use super::*;
    use crate::Numbers;

    /// Games of three variants of the first entrant: they win 8, 12 and 16 games of 20.
    fn games() -> Vec<GameResult> {
        (0..60u32)
            .map(|n| {
                let (variant, win) = (n % 3 + 1, f64::from(u8::from(n / 3 < 4 + 4 * (n % 3 + 1))));
                let facts = Numbers::Seats(vec![0.0, variant.into()]);
                GameResult {
                    n: n.into(),
                    seats: vec![1, 0],
                    payoffs: vec![1.0 - win, win],
                    plies: 1,
                    facts: BTreeMap::from([("variant".to_owned(), facts)]),
                    forfeit: None,
                }
            })
            .collect()
    }

    fn payoff() -> Value {
        "payoff[a]".parse().unwrap()
    }

    #[test]
    fn the_best_variant_is_found_by_its_own_games() {
        let found = best(&games(), &[], &payoff()).unwrap().unwrap();
        assert_eq!((found.value, found.n), (0.8, 20));
        assert!(best(&games()[..59], &[], &payoff()).unwrap().is_some_and(|f| f.value < 0.7));
        assert_eq!(best(&games()[..30], &[], &payoff()).unwrap(), None, "too few of each");
        let mut plain = games();
        for game in &mut plain {
            game.facts.clear();
        }
        assert_eq!(best(&plain, &[], &payoff()).unwrap(), None, "older results have no variants");
    }

    #[test]
    fn fitness_is_correlated_over_the_variants_of_all_matches() {
        let known = [0, 1].map(|number| Fitness {
            the_match: MatchNumber::of(number),
            course: "bred".to_owned(),
            generation: 5,
        });
        let course = |rising: bool| {
            let end = if rising { "0.3" } else { "0.1" };
            move |name: &str| {
                Ok((name == "bred")
                    .then(|| format!("run,generation,best\n1,4,9\n1,5,0.1\n2,5,0.2\n3,5,{end}\n")))
            }
        };
        let found = |rising| {
            let course = course(rising);
            let evidence = Evidence {
                games: vec![games(), games()],
                games_per_deal: vec![1; 2],
                course: &course,
            };
            correlation(&evidence, &[], &payoff(), &known).unwrap().unwrap()
        };
        assert!((found(true).value - 1.0).abs() < 1e-12);
        let mixed = found(false);
        assert!(mixed.value.abs() < 1e-12 && mixed.n == 6, "{mixed:?}");
        let expected = mixed.predict(30, 0.001).unwrap().interval;
        assert!(expected.contains(0.473) && !expected.contains(-0.9999), "{expected:?}");
        let evidence = Evidence {
            games: vec![games(), games()],
            games_per_deal: vec![1; 2],
            course: &|_| Ok(None),
        };
        let none = correlation(&evidence, &[], &payoff(), &known).unwrap();
        assert_eq!(none, None, "nothing is known of their fitness");
    }
}
