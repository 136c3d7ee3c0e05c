//! What the statistics say where there is little or nothing to say, and whether their promises
//! hold in play. Their values are checked in `tests/golden.rs`.
#![allow(clippy::float_cmp, reason = "these answers are exact by convention")]

use crate::Trials;
use crate::{
    Confidence, CrossTable, Decision, Interval, Moments, Rate, Score, Sprt, SprtError,
    benjamini_hochberg, binomial_test, bootstrap, chi_square_fit, fisher_exact, holm,
    outside_by_chance, paired, pearson, predict_mean, predict_share, quantile, score_of_elo, welch,
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
fn bounded_means_keep_to_their_range_and_are_wilsons_at_its_ends() {
    let range = Interval { low: 0.0, high: 2.0 };
    for n in [1, 2, 7, 100] {
        for k in [0, 1, n / 2, n] {
            let ends = moments(&[vec![2.0; k], vec![0.0; n - k]].concat());
            let got = ends.within(range, P95).unwrap();
            let wilson = rate(k as u64, n as u64).wilson(P95);
            assert!((got.low - 2.0 * wilson.low).abs() < 1e-9, "{k} of {n}: {got:?} {wilson:?}");
            assert!((got.high - 2.0 * wilson.high).abs() < 1e-9, "{k} of {n}: {got:?} {wilson:?}");
        }
    }
    let few = moments(&[2.0, 2.0, 1.0]);
    assert!(few.estimate(P95).unwrap().interval.unwrap().high > 2.0, "Student's leaves it");
    assert!(few.within(range, P95).unwrap().high <= 2.0);
    let same = moments(&[1.0; 20]).within(range, P95).unwrap();
    assert!(same.low < 0.95 && same.high > 1.05, "twenty equal values are no certainty: {same:?}");
    let many: Moments = (0..1000).map(|i| 0.5 + f64::from(i % 11) / 10.0).collect();
    let (student, got) = (many.estimate(P95).unwrap().interval.unwrap(), many.within(range, P95));
    let got = got.unwrap();
    assert!((student.low - got.low).abs() < 1e-3 && (student.high - got.high).abs() < 1e-3);
    assert_eq!(moments(&[]).within(range, P95), None);
    assert_eq!(moments(&[3.0]).within(range, P95), None);
    assert_eq!(moments(&[0.0]).within(Interval { low: 0.0, high: 0.0 }, P95), None);
}

#[test]
fn bounded_means_cover_as_often_as_they_promise() {
    let mut rng = Rng::from_u64(8);
    let mut covered = Rate::default();
    for round in 0..3000 {
        // Deals of two games, the second of which often ends as the first.
        let p = 0.05 + 0.9 * f64::from(round % 10) / 9.0;
        let deals: Trials = (0..25)
            .map(|_| {
                let first = rng.chance(p);
                let second = if rng.chance(0.5) { first } else { rng.chance(p) };
                f64::midpoint(f64::from(u8::from(first)), f64::from(u8::from(second)))
            })
            .collect();
        covered.push(deals.interval(P95).contains(p));
    }
    let share = covered.value().unwrap();
    assert!((0.93..0.98).contains(&share), "{share}");
}

#[test]
fn ratings_of_trials_vary_as_the_trials_do() {
    let trials = |won: usize, lost: usize| -> Trials {
        std::iter::repeat_n(1.0, won).chain(std::iter::repeat_n(0.0, lost)).collect()
    };
    let margin = |table: &CrossTable| {
        let gap = table.ratings(P95).difference(0, 1).unwrap();
        (gap.elo, gap.interval.high - gap.elo)
    };
    let (mut games, mut deals) = (CrossTable::new(2), CrossTable::new(2));
    games.add(0, 1, Score { wins: 60, draws: 0, losses: 40 });
    deals.add_trials(0, 1, &trials(60, 40), 0.5);
    let ((elo, by_model), (same, by_trial)) = (margin(&games), margin(&deals));
    assert!((elo - same).abs() < 1e-9);
    // One more trial of full variance.
    assert!((by_trial / by_model - 1.01_f64.sqrt()).abs() < 1e-9, "{by_trial} {by_model}");

    // Half of the points in every deal says more than half of the deals.
    let mut drawn = CrossTable::new(2);
    drawn.add_trials(0, 1, &std::iter::repeat_n(0.5, 100).collect(), 0.5);
    let (elo, width) = margin(&drawn);
    assert!(elo.abs() < 1e-9 && width > 1.0 && width < by_trial / 5.0, "{width}");

    // Three seats of four win three games in four: no difference.
    let mut uneven = CrossTable::new(3);
    uneven.add_trials(0, 1, &trials(75, 25), 0.75);
    uneven.add_trials(1, 2, &trials(25, 75), 0.25);
    uneven.add_trials(2, 0, &trials(75, 25), 0.75);
    assert!(uneven.ratings(P95).players.iter().all(|player| player.elo.abs() < 1e-9));
}

/// Leagues of equal agents at four seats, `a b a b`, in which every other rotation of a deal gives the same game.
#[test]
fn ratings_by_deal_cover_where_ratings_by_game_do_not() {
    let mut rng = Rng::from_u64(9);
    let (mut by_deal, mut by_game) = (Rate::default(), Rate::default());
    for _ in 0..400 {
        let (mut deals, mut games) = (CrossTable::new(3), CrossTable::new(3));
        for (i, j) in [(0, 1), (1, 2), (0, 2)] {
            let mut trials = Trials::default();
            let mut score = Score::default();
            for _ in 0..30 {
                let won = u64::from(rng.chance(0.5)) + u64::from(rng.chance(0.5));
                trials.push(won as f64 / 2.0);
                score.add(Score { wins: 2 * won, draws: 0, losses: 4 - 2 * won });
            }
            deals.add_trials(i, j, &trials, 0.5);
            games.add(i, j, score);
        }
        let covers = |table: &CrossTable| {
            table.ratings(P95).difference(0, 1).unwrap().interval.contains(0.0)
        };
        by_deal.push(covers(&deals));
        by_game.push(covers(&games));
    }
    let (by_deal, by_game) = (by_deal.value().unwrap(), by_game.value().unwrap());
    assert!((0.92..0.99).contains(&by_deal), "{by_deal}");
    assert!(by_game < 0.88, "what it was: {by_game}");
}

#[test]
fn trials_of_whole_points_are_tested_as_games_are() {
    let score = Score { wins: 30, draws: 10, losses: 20 };
    let points = [(1.0, score.wins), (0.5, score.draws), (0.0, score.losses)];
    let trials: Trials =
        points.iter().flat_map(|(points, n)| std::iter::repeat_n(*points, *n as usize)).collect();
    let test = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
    assert!((test.llr(&score) - test.trials_llr(&trials)).abs() < 1e-9);
    assert_eq!(test.trials_llr(&Trials::default()), 0.0);
    // What is fair for one seat of four is no strength.
    let quarter = test.with_fair_share(0.25).unwrap();
    let won: Trials = (0..400).map(|n| f64::from(u8::from(n % 4 == 0))).collect();
    assert!(quarter.trials_llr(&won) < 0.0 && test.trials_llr(&won) < quarter.trials_llr(&won));
    assert!(matches!(test.with_fair_share(1.0), Err(SprtError::Fair(_))));
}

#[test]
fn predictions_leave_room_at_the_ends_and_allow_for_rounding() {
    let never = predict_share((0.0, 10_000.0), 20, 0.1, P95).unwrap();
    assert_eq!((never.low, never.high), (-0.05, 0.05));
    assert_eq!(predict_share((1.0, 1.0), 0, 0.1, P95), None);
    let enormous = predict_share((1.0, 1.0), u64::MAX, f64::NAN, P95).unwrap();
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
        let ours = (ours.successes() as f64, ours.failures() as f64);
        let expected = predict_share(ours, theirs.n(), 0.0, P95).unwrap();
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

/// Noncentral χ² as a mixture of central ones with Poisson weights, which is its definition.
#[test]
fn noncentral_chi_square_is_near_its_poisson_mixture() {
    use crate::distribution::{chi_square_critical, chi_square_upper, noncentral_chi_square_upper};
    for (df, lambda) in [(1.0, 4.0), (2.0, 4.0), (3.0, 6.0), (8.0, 16.0), (30.0, 12.0)] {
        let bound = chi_square_critical(df, 0.05);
        assert!((chi_square_upper(df, bound) - 0.05).abs() < 1e-9);
        let (mut weight, mut exact) = (libm::exp(-lambda / 2.0), 0.0);
        for extra in 0..200 {
            exact += weight * chi_square_upper(df + 2.0 * f64::from(extra), bound);
            weight *= lambda / 2.0 / f64::from(extra + 1);
        }
        let found = noncentral_chi_square_upper(df, lambda, bound);
        assert!((found - exact).abs() < 0.015, "{df} {lambda}: {found} {exact}");
    }
    assert_eq!(noncentral_chi_square_upper(2.0, 1.0, 0.0), 1.0);
}
