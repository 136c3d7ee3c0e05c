//! What the statistics say where there is little or nothing to say, and whether their promises
//! hold in play. Their values are checked in `tests/golden.rs`.
#![allow(clippy::float_cmp, reason = "these answers are exact by convention")]

use crate::{
    Confidence, CrossTable, Decision, Interval, Moments, Rate, Score, Sprt, SprtError,
    benjamini_hochberg, binomial_test, bootstrap, chi_square_fit, fisher_exact, holm,
    outside_by_chance, paired, pearson, predict_mean, predict_rate, quantile, score_of_elo, welch,
};
use oboro_core::Rng;

const P95: Confidence = Confidence::P95;

fn rate(successes: u64, n: u64) -> Rate {
    Rate::new(successes, n).expect("successes of n")
}

fn moments(values: &[f64]) -> Moments {
    values.iter().copied().collect()
}

#[test]
fn no_trials_leave_everything_open() {
    let none = Rate::default();
    let all = Interval { low: 0.0, high: 1.0 };
    assert_eq!(none.value(), None);
    assert_eq!((none.wilson(P95), none.clopper_pearson(P95)), (all, all));
    assert_eq!(binomial_test(none, 0.3), Some(1.0));
    assert_eq!(fisher_exact(none, rate(3, 5)), 1.0);
    assert_eq!(Score::default().interval(P95), all);
    assert_eq!(Score::default().elo(P95), None);
    assert_eq!(Rate::new(2, 1), None);
}

#[test]
fn a_rate_counted_in_parts_is_the_rate_of_the_whole() {
    let mut first = Rate::default();
    for won in [true, false, true] {
        first.push(won);
    }
    assert_eq!(first.merged(rate(1, 4)), rate(3, 7));
}

#[test]
fn intervals_hold_the_rate_they_were_made_from() {
    for n in [1, 2, 7, 100, 12_345] {
        for k in [0, 1, n / 3, n / 2, n - 1, n] {
            let share = k as f64 / n as f64;
            let (wilson, exact) = (rate(k, n).wilson(P95), rate(k, n).clopper_pearson(P95));
            assert!(wilson.contains(share) && exact.contains(share), "{k} of {n}");
            assert!(wilson.low >= 0.0 && wilson.high <= 1.0, "{k} of {n}");
        }
    }
}

#[test]
fn means_need_two_values_for_an_interval_and_variation_for_a_test() {
    let (none, one, same) = (moments(&[]), moments(&[3.0]), moments(&[3.0, 3.0, 3.0]));
    assert_eq!(none.estimate(P95), None);
    let single = one.estimate(P95).unwrap();
    assert_eq!((single.mean, single.sd, single.interval), (3.0, None, None));
    let constant = same.estimate(P95).unwrap();
    assert_eq!(constant.interval, Some(Interval::around(3.0, 0.0)));
    assert_eq!(same.t_test(2.0), None);
    assert_eq!(welch(&same, &same, P95), None);
    assert_eq!(welch(&one, &same, P95), None);
    assert!(welch(&same, &moments(&[1.0, 2.0]), P95).is_some());
    assert_eq!(paired(&[1.0, 2.0], &[0.0, 1.0], P95), None);
    assert_eq!(paired(&[1.0], &[0.0, 1.0], P95), None);
    assert_eq!(moments(&[1.0, f64::NAN]).estimate(P95), None);
    assert_eq!(moments(&[1.0, f64::INFINITY]).variance(), None);
    assert_eq!(Moments::from_summary(1, 0.0, 1.0), None);
    assert_eq!(Moments::from_summary(5, 0.0, -1.0), None);
}

#[test]
fn unusable_samples_are_refused() {
    let ones = [1.0; 5];
    let steps = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(pearson(&ones, &steps, P95), None);
    assert_eq!(pearson(&steps[..2], &steps[..2], P95), None);
    assert_eq!(pearson(&steps, &steps[..4], P95), None);
    assert_eq!(pearson(&[1.0, f64::NAN, 2.0], &steps[..3], P95), None);
    assert_eq!(chi_square_fit(&[], &[]), None);
    assert_eq!(chi_square_fit(&[4], &[1.0]), None);
    assert_eq!(chi_square_fit(&[0, 0], &[1.0, 1.0]), None);
    assert_eq!(chi_square_fit(&[1, 2], &[1.0, 0.0]), None);
    assert_eq!(chi_square_fit(&[1, 2], &[1.0, f64::NAN]), None);
    assert_eq!(binomial_test(rate(1, 2), f64::NAN), None);
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let mut rng = Rng::from_u64(1);
    assert_eq!(bootstrap(&[], 10, P95, |n| rng.below(n), mean), None);
    assert_eq!(bootstrap(&steps, 0, P95, |n| rng.below(n), mean), None);
    assert_eq!(bootstrap(&steps, 10, P95, |n| rng.below(n), |_| f64::NAN), None);
    assert_eq!(
        bootstrap(&[2.0], 10, P95, |n| rng.below(n), mean),
        Some(Interval::around(2.0, 0.0))
    );
    assert_eq!(quantile(&steps, 1.5), None);
}

#[test]
fn corrections_take_a_missing_test_for_no_finding() {
    assert_eq!(holm(&[f64::NAN, 0.25]), [1.0, 0.5]);
    assert_eq!(benjamini_hochberg(&[f64::NAN, 0.25]), [1.0, 0.5]);
    assert_eq!(outside_by_chance(0, 0, P95).p, 1.0);
}

#[test]
fn ratings_stay_finite_and_say_when_the_results_do_not_fix_them() {
    assert!(CrossTable::new(0).ratings(P95).players.is_empty());
    assert_eq!(CrossTable::new(1).ratings(P95).players[0].elo, 0.0);

    let mut swept = CrossTable::new(3);
    let mut fair = CrossTable::new(3);
    for (i, j) in [(0, 1), (1, 2), (0, 2)] {
        let wins = |wins, losses| Score { wins, draws: 0, losses };
        swept.add(i, j, wins(50, 0));
        fair.add(i, j, wins(30, 20));
    }
    swept.add(1, 1, Score { wins: 9, draws: 0, losses: 9 });
    let ratings = swept.ratings(P95);
    assert!(!ratings.identifiable);
    assert_eq!(ratings.groups, [[0], [1], [2]]);
    let elos: Vec<f64> = ratings.players.iter().map(|player| player.elo).collect();
    assert!(elos.iter().all(|elo| elo.is_finite()) && elos[0] > elos[1] && elos[1] > elos[2]);

    let ratings = fair.ratings(P95);
    assert!(ratings.identifiable);
    let anchored = ratings.anchored(1).unwrap();
    assert_eq!(anchored[1].interval, Interval::around(0.0, 0.0));
    assert_eq!(anchored[0].elo, ratings.players[0].elo - ratings.players[1].elo);
    assert_eq!(ratings.difference(0, 3), None);
}

#[test]
fn predictions_leave_room_at_the_ends_and_allow_for_rounding() {
    let never = predict_rate(rate(0, 10_000), 20, 0.1, P95).unwrap();
    assert_eq!((never.low, never.high), (-0.05, 0.05));
    assert_eq!(predict_rate(rate(1, 2), 0, 0.1, P95), None);
    let enormous = predict_rate(rate(1, 2), u64::MAX, f64::NAN, P95).unwrap();
    assert!(enormous.low > 0.0 && enormous.high < 1.0);
    assert_eq!(predict_mean(&moments(&[1.0]), 10, 0.1, P95), None);
    assert_eq!(predict_mean(&moments(&[1.0, 2.0]), 0, 0.1, P95), None);
    let constant = predict_mean(&moments(&[4.0, 4.0]), 10, 0.5, P95);
    assert_eq!(constant, Some(Interval::around(4.0, 0.25)));
}

#[test]
fn predictions_cover_the_share_they_promise() {
    let mut rng = Rng::from_u64(5);
    let mut flips = |n: u64, p: f64| {
        let mut rate = Rate::default();
        (0..n).for_each(|_| rate.push(rng.chance(p)));
        rate
    };
    let mut covered = Rate::default();
    for round in 0..2000 {
        let p = f64::from(round % 20 + 1) / 21.0;
        let (ours, theirs) = (flips(150, p), flips(100, p));
        let expected = predict_rate(ours, theirs.n(), 0.0, P95).unwrap();
        covered.push(expected.contains(theirs.value().unwrap()));
    }
    let share = covered.value().unwrap();
    assert!((0.945..0.98).contains(&share), "{share}");
}

#[test]
fn sequential_tests_refuse_bounds_that_make_no_test() {
    for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (f64::NAN, 1.0), (0.0, 1e9)] {
        assert!(matches!(Sprt::new(elo0, elo1, 0.05, 0.05), Err(SprtError::Elo(..))));
    }
    for (alpha, beta) in [(0.0, 0.05), (0.5, 0.5), (f64::NAN, 0.1), (0.1, -0.1)] {
        assert!(matches!(Sprt::new(0.0, 5.0, alpha, beta), Err(SprtError::Errors(..))));
    }
    let test = Sprt::new(-2000.0, 2000.0, 0.05, 0.05).unwrap();
    assert_eq!(test.llr(&Score::default()), 0.0);
    let swept = Score { wins: 1_000_000, ..Score::default() };
    assert!(test.llr(&swept).is_finite());
}

#[test]
fn sequential_tests_err_about_as_often_as_they_promise() {
    let test = Sprt::new(0.0, 60.0, 0.05, 0.05).unwrap();
    let mut rng = Rng::from_u64(11);
    for (elo, wrong) in [(0.0, Decision::AcceptH1), (60.0, Decision::AcceptH0)] {
        let mut errors = Rate::default();
        for _ in 0..400 {
            let mut score = Score::default();
            let mut decision = Decision::Continue;
            while decision == Decision::Continue {
                // A third of the games is drawn; the rest makes up the expected score.
                match rng.unit() {
                    u if u < 1.0 / 3.0 => score.draws += 1,
                    u if u < score_of_elo(elo) + 1.0 / 6.0 => score.wins += 1,
                    _ => score.losses += 1,
                }
                decision = test.status(&score).decision;
            }
            errors.push(decision == wrong);
        }
        // Three standard errors of 5 % in 400 are 3.3 %, and the seed is fixed.
        let share = errors.value().unwrap();
        assert!((0.017..0.083).contains(&share), "{share} wrong at {elo}");
    }
}
