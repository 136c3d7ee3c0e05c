//! Every statistic against values computed by `SciPy`, statsmodels or mpmath:
//! `golden/make_stats.py` made them, and `golden/stats.json` says with which versions.

use oboro_core::Rng;
use oboro_stats::{
    Confidence, CrossTable, Decision, Interval, Moments, Rate, Score, Sprt, TestResult,
    benjamini_hochberg, binomial_test, bootstrap, chi_square_fit, distribution, fisher_exact, holm,
    outside_by_chance, paired, pearson, predict_mean, predict_share, quantile, welch,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One case of the golden file.
struct Case(Value);

impl Case {
    fn f(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap_or_else(|| panic!("{key} in {}", self.0))
    }

    fn u(&self, key: &str) -> u64 {
        self.0[key].as_u64().unwrap_or_else(|| panic!("{key} in {}", self.0))
    }

    fn s(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_else(|| panic!("{key} in {}", self.0))
    }

    fn list(&self, key: &str) -> Vec<f64> {
        read(&self.0[key])
    }

    fn counts(&self, key: &str) -> Vec<u64> {
        read(&self.0[key])
    }

    fn rate(&self) -> Rate {
        Rate::new(self.u("successes"), self.u("n")).expect("a rate")
    }

    fn score(&self) -> Score {
        Score { wins: self.u("wins"), draws: self.u("draws"), losses: self.u("losses") }
    }

    fn confidence(&self) -> Confidence {
        Confidence::new(self.f("confidence")).expect("a level")
    }

    /// The expected number under `key` is `got`, up to a relative 1e-9 or what `scale` allows.
    fn near(&self, key: &str, got: f64, scale: f64) {
        let want = self.f(key);
        let error = (got - want).abs();
        let allowed = 1e-9 * want.abs().max(scale);
        assert!(
            error <= allowed,
            "{key}: got {got:e}, want {want:e}, off by {error:e} in {}",
            self.0
        );
    }

    fn is(&self, key: &str, got: f64) {
        self.near(key, got, 1e-300);
    }

    fn is_or_null(&self, key: &str, got: Option<f64>) {
        match got {
            Some(got) => self.near(key, got, 1.0),
            None => assert!(self.0[key].is_null(), "{key} in {}", self.0),
        }
    }

    /// Both ends are right, relative to the larger of them.
    fn interval(&self, got: Interval) {
        let scale = got.low.abs().max(got.high.abs());
        self.near("low", got.low, scale);
        self.near("high", got.high, scale);
    }

    fn test(&self, got: TestResult) {
        self.near("statistic", got.statistic, 1e-9);
        self.is("df", got.df);
        self.is("p", got.p);
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    T::deserialize(value).unwrap_or_else(|error| panic!("{error} in {value}"))
}

fn golden() -> Value {
    serde_json::from_str(include_str!("golden/stats.json")).expect("the golden file")
}

fn cases(section: &str) -> Vec<Case> {
    let cases = golden()[section].as_array().unwrap_or_else(|| panic!("{section}")).clone();
    assert!(!cases.is_empty(), "{section}");
    cases.into_iter().map(Case).collect()
}

fn sample(name: &str) -> Vec<f64> {
    read(&golden()["samples"][name])
}

fn moments(name: &str) -> Moments {
    sample(name).into_iter().collect()
}

#[test]
fn tails_agree_with_mpmath_however_far_out() {
    for case in cases("t_two_sided") {
        case.is("p", distribution::t_two_sided(case.f("df"), case.f("t")));
    }
    for case in cases("chi_square_upper") {
        case.is("p", distribution::chi_square_upper(case.f("df"), case.f("x")));
    }
}

#[test]
fn critical_values_agree_with_mpmath() {
    for case in cases("t_critical") {
        case.is("t", distribution::t_critical(case.f("df"), case.f("alpha")));
    }
    for case in cases("normal_critical") {
        case.is("z", distribution::normal_critical(case.f("alpha")));
    }
}

#[test]
fn intervals_of_rates_agree_with_statsmodels() {
    for case in cases("wilson") {
        let got = case.rate().wilson(case.confidence());
        // The lower end of a rare event is a difference of nearly equal numbers there and here.
        case.near("low", got.low, 1e-6);
        case.is("high", got.high);
    }
    for case in cases("clopper_pearson") {
        let got = case.rate().clopper_pearson(case.confidence());
        case.is("low", got.low);
        case.is("high", got.high);
    }
}

#[test]
fn exact_tests_agree_with_scipy() {
    for case in cases("binomial_test") {
        case.is("value", binomial_test(case.rate(), case.f("p")).unwrap());
    }
    for case in cases("fisher_exact") {
        let (a, b) = (case.counts("a"), case.counts("b"));
        let rates = [a, b].map(|counts| Rate::new(counts[0], counts[1]).unwrap());
        case.is("value", fisher_exact(rates[0], rates[1]));
        case.is("value", fisher_exact(rates[1], rates[0]));
    }
}

#[test]
fn chi_square_agrees_with_scipy() {
    for case in cases("chi_square_fit") {
        case.test(chi_square_fit(&case.counts("counts"), &case.list("shares")).unwrap());
    }
}

/// The scale of the sd's error: a running mean of 1e9 cannot say where the values lie around it
/// to better than its own last bits, 1e-7.
fn mean_bits(mean: f64) -> f64 {
    mean.abs() * 1e-7
}

#[test]
fn means_agree_with_exact_sums() {
    for case in cases("mean") {
        let got = moments(case.s("sample")).estimate(case.confidence()).unwrap();
        case.is("mean", got.mean);
        case.near("sd", got.sd.unwrap(), mean_bits(got.mean));
        case.interval(got.interval.unwrap());
    }
}

#[test]
fn merged_blocks_have_the_moments_of_the_whole() {
    for case in cases("mean") {
        let values = sample(case.s("sample"));
        let merged = values
            .chunks(7)
            .map(|block| block.iter().copied().collect())
            .fold(Moments::default(), Moments::merged);
        assert_eq!(merged.n(), values.len() as u64);
        case.is("mean", merged.mean().unwrap());
        case.near("sd", merged.sd().unwrap(), mean_bits(case.f("mean")));
    }
}

#[test]
fn t_tests_agree_with_scipy() {
    for case in cases("t_test") {
        case.test(moments(case.s("sample")).t_test(case.f("expected")).unwrap());
    }
    for case in cases("welch") {
        let (a, b) = (moments(case.s("a")), moments(case.s("b")));
        let got = welch(&a, &b, case.confidence()).unwrap();
        case.near("difference", got.difference, 1e-3);
        case.interval(got.interval);
        case.test(got.test);
    }
    for case in cases("welch_from_summaries") {
        let [a, b] = ["a", "b"].map(|key| {
            let summary = case.list(key);
            Moments::from_summary(summary[0] as u64, summary[1], summary[2]).unwrap()
        });
        let got = welch(&a, &b, Confidence::P95).unwrap().test;
        case.is("statistic", got.statistic);
        case.is("p", got.p);
    }
    for case in cases("paired") {
        let got = paired(&case.list("a"), &case.list("b"), case.confidence()).unwrap();
        // `tiny` reversed against itself has mean 0 up to rounding.
        case.near("difference", got.difference, 1e-12);
        case.interval(got.interval);
        case.near("statistic", got.test.statistic, 1e-3);
        case.is("p", got.test.p);
    }
}

#[test]
fn correlation_agrees_with_scipy() {
    for case in cases("pearson") {
        let got = pearson(&case.list("x"), &case.list("y"), case.confidence()).unwrap();
        case.is("r", got.r);
        case.near("p", got.p, 1e-12);
        case.interval(got.interval);
    }
}

#[test]
fn bootstrap_agrees_with_the_same_draws_in_python() {
    for case in cases("bootstrap") {
        let statistic = match case.s("statistic") {
            "mean" => |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64,
            "median" => |v: &[f64]| quantile(v, 0.5).unwrap(),
            _ => |v: &[f64]| v.iter().copied().collect::<Moments>().sd().unwrap(),
        };
        let mut rng = Rng::from_u64(case.u("seed"));
        let resamples = case.u("resamples") as usize;
        let values = sample(case.s("sample"));
        let got = bootstrap(&values, resamples, case.confidence(), |n| rng.below(n), statistic);
        case.interval(got.unwrap());
    }
}

#[test]
fn corrections_agree_with_statsmodels() {
    for case in cases("corrections") {
        for (key, correct) in
            [("holm", holm as fn(&[f64]) -> Vec<f64>), ("benjamini_hochberg", benjamini_hochberg)]
        {
            let (got, want) = (correct(&case.list("p")), case.list(key));
            assert_eq!(got.len(), want.len());
            for (got, want) in got.iter().zip(want) {
                assert!((got - want).abs() < 1e-14, "{key}: {got} for {want} in {}", case.0);
            }
        }
    }
    for case in cases("outside_by_chance") {
        let got = outside_by_chance(case.u("cells"), case.u("outside"), case.confidence());
        case.is("p", got.p);
    }
}

#[test]
fn elo_agrees_with_the_roots_of_wilsons_equation() {
    for case in cases("elo") {
        let score = case.score();
        case.is("share", score.share().unwrap());
        let interval = score.interval(case.confidence());
        case.near("share_low", interval.low, 1e-3);
        case.near("share_high", interval.high, 1e-3);
        let got = score.elo(case.confidence()).unwrap();
        case.is_or_null("elo", got.difference);
        case.is_or_null("low", got.low);
        case.is_or_null("high", got.high);
    }
}

#[test]
fn ratings_agree_with_a_general_optimiser() {
    for case in cases("bradley_terry") {
        let players = case.u("players") as usize;
        let mut table = CrossTable::new(players);
        let games: Vec<[u64; 5]> = read(&case.0["games"]);
        for [i, j, wins, draws, losses] in games {
            let score = Score { wins, draws, losses };
            table.add(i as usize, j as usize, score);
        }
        let got = table.ratings(Confidence::P95);
        assert_eq!(got.identifiable, case.0["identifiable"], "{}", case.0);
        let groups: Vec<Vec<usize>> = read(&case.0["groups"]);
        assert_eq!(got.groups, groups, "{}", case.0);
        for (key, pick) in [
            ("elo", (|r| r.elo) as fn(&oboro_stats::Rating) -> f64),
            ("low", |r| r.interval.low),
            ("high", |r| r.interval.high),
        ] {
            for (rating, want) in got.players.iter().zip(case.list(key)) {
                let error = (pick(rating) - want).abs();
                assert!(error < 1e-6, "{key} {} for {want} in {}", pick(rating), case.0);
            }
        }
        let gap = got.difference(0, players - 1).unwrap();
        case.near("first_less_last", gap.elo, 100.0);
        case.near("margin", (gap.interval.high - gap.interval.low) / 2.0, 100.0);
    }
}

#[test]
fn sequential_tests_agree_with_constrained_maximisation() {
    for case in cases("sprt") {
        let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|key| case.f(key));
        let test = Sprt::new(elo0, elo1, alpha, beta).unwrap();
        let got = test.status(&case.score());
        case.near("llr", got.llr, 1.0);
        case.is("lower", got.lower);
        case.is("upper", got.upper);
        case.near("binomial_llr", test.binomial_llr(&case.score()), 1e-3);
        let llr = case.f("llr");
        let want = match got.decision {
            Decision::AcceptH0 => llr <= case.f("lower"),
            Decision::AcceptH1 => llr >= case.f("upper"),
            Decision::Continue => case.f("lower") < llr && llr < case.f("upper"),
        };
        assert!(want, "{got:?} in {}", case.0);
    }
}

#[test]
fn predictions_agree_with_scipy() {
    for case in cases("predict_mean") {
        let ours = Moments::from_summary(case.u("n"), case.f("mean"), case.f("sd")).unwrap();
        let got = predict_mean(&ours, case.u("k"), case.f("step"), case.confidence());
        case.interval(got.unwrap());
    }
    for case in cases("predict_rate") {
        let ours = (case.f("successes"), case.f("n") - case.f("successes"));
        let got = predict_share(ours, case.u("k"), case.f("step"), case.confidence());
        case.interval(got.unwrap());
    }
}
