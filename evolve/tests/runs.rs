//! Whole runs: toy problems with known answers, threads, kills and damaged files.

use crate::toy;

use oboro_core::Seed;
use oboro_evolve::{CheckpointError, Evolution, GenomeBreeder, Plan, Settings, Tree};
use std::cell::Cell;
use std::fs;
use toy::{Kind, Toy, breeder, everything, value};

fn plan(problem: &str, generations: u32, population: usize) -> Plan {
    Plan {
        problem: problem.to_owned(),
        settings: Settings { generations, population, ..Settings::default() },
        seed: Seed::from_u64(7),
    }
}

/// Minus the distance from x² + x + 1 over a few points.
fn regression(tree: &Tree<Toy>) -> f64 {
    let distance = |x: i64| value(tree, x, 0).abs_diff(x * x + x + 1).min(1_000_000) as f64;
    -(-6..=6).map(distance).sum::<f64>()
}

#[test]
fn a_polynomial_is_found_from_its_values() {
    use Toy::{Add, Constant, Times, X};
    let constants = (-2..3).map(Constant).collect();
    let breeder = breeder(Kind::Number, vec![vec![X], vec![Add], vec![Times], constants]);
    let done = plan("x² + x + 1", 60, 300).run(&breeder, regression, None, |_| ()).unwrap();
    assert_eq!(done.best().fitness, 0.0, "{:?}", done.best());
    let at_100 = value(&done.best().individual, 100, 0);
    assert_eq!(at_100, 10_101, "it is the polynomial, not a fit");
}

#[test]
fn parity_of_three_bits_is_found() {
    use Toy::{And, Bit, Not, Or};
    let bits = (0..3).map(Bit).collect();
    let breeder = breeder(Kind::Truth, vec![bits, vec![And], vec![Or], vec![Not]]);
    let right = |tree: &Tree<Toy>| {
        let agrees = |bits: &u8| value(tree, 0, *bits) == i64::from(bits.count_ones() % 2);
        (0..8).filter(agrees).count() as f64
    };
    let mut plan = plan("parity of three bits", 150, 800);
    plan.settings.mutation = 0.4;
    plan.settings.crossover = 0.9;
    let done = plan.run(&breeder, right, None, |_| ()).unwrap();
    assert_eq!(done.best().fitness, 8.0);
}

#[test]
fn the_best_never_gets_worse() {
    let breeder = breeder(Kind::Number, everything());
    let done = plan("x² + x + 1", 20, 50).run(&breeder, regression, None, |_| ()).unwrap();
    assert_eq!(done.history.len(), 21);
    let best: Vec<f64> = done.history.iter().map(|p| p.best.fitness).collect();
    assert!(best.is_sorted(), "{best:?}");
    assert!(best[20] > best[0]);
}

fn on_threads(threads: usize) -> Evolution<Tree<Toy>> {
    let breeder = breeder(Kind::Number, everything());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let run = || plan("x² + x + 1", 12, 60).run(&breeder, regression, None, |_| ());
    pool.build().expect("a pool of threads").install(run).expect("a run")
}

#[test]
fn any_number_of_threads_gives_the_same_run() {
    let alone = on_threads(1);
    assert_eq!(on_threads(2), alone);
    assert_eq!(on_threads(5), alone);
}

#[test]
fn a_killed_run_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let breeder = breeder(Kind::Number, everything());
    let plan = plan("x² + x + 1", 12, 60);
    let whole = folder.path().join("whole.json");
    plan.run(&breeder, regression, Some(&whole), |_| ()).unwrap();

    let killed = folder.path().join("killed.json");
    for stop in [0, 5, 11] {
        let seen = Cell::new(None);
        let died = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            plan.run(&breeder, regression, Some(&killed), |evolution| {
                seen.set(Some(evolution.latest().generation));
                assert!(evolution.latest().generation < stop, "killed here");
            })
        }));
        assert!(died.is_err());
        assert_eq!(seen.get(), Some(stop));
    }
    let mut first = None;
    plan.run(&breeder, regression, Some(&killed), |evolution| {
        first.get_or_insert(evolution.latest().generation);
    })
    .unwrap();
    assert_eq!(first, Some(11), "it went on where it was killed");
    assert_eq!(fs::read(&killed).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn checkpoints_of_other_runs_and_damaged_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let breeder = breeder(Kind::Number, everything());
    let plan = plan("x² + x + 1", 1, 10);
    let run = |plan: &Plan| plan.run(&breeder, regression, Some(&path), |_| ());
    run(&plan).unwrap();

    let said = |plan: &Plan| run(plan).unwrap_err().to_string();
    let mut other = plan.clone();
    other.seed = Seed::from_u64(8);
    assert!(said(&other).ends_with("the seed is 7 there and 8 here"));
    let mut other = plan.clone();
    other.problem = "x³".to_owned();
    assert!(said(&other).contains("the problem is x² + x + 1 there"));
    let mut other = plan.clone();
    other.settings.mutation = 0.5;
    assert!(said(&other).contains("the setting is"));

    let good = fs::read_to_string(&path).unwrap();
    let faults = [
        ("", "EOF"),
        ("{}", "missing field"),
        (&good[..good.len() / 2], "EOF"),
        (&good.replace("\"Add\"", "\"If\""), "program"),
        (&good.replace("\"X\"", "{\"Constant\":99}"), "vocabulary"),
    ];
    for (text, reason) in faults {
        fs::write(&path, text).unwrap();
        let error = run(&plan).unwrap_err();
        assert!(matches!(error, CheckpointError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn a_run_can_be_continued_for_more_generations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let breeder = breeder(Kind::Number, everything());
    let run = |generations, path| {
        plan("x² + x + 1", generations, 40).run(&breeder, regression, path, |_| ())
    };
    run(4, Some(path.as_path())).unwrap();
    let continued = run(9, Some(path.as_path())).unwrap();
    assert_eq!(continued, run(9, None).unwrap());
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    type Spoil = fn(&mut Settings);
    let spoilers: [(Spoil, &str); 5] = [
        (|s| s.population = 1, "population=1"),
        (|s| s.tournament = 0, "tournament=0"),
        (|s| s.elites = 10, "elites=10"),
        (|s| s.mutation = 1.5, "mutation=1.5"),
        (|s| s.crossover = f64::NAN, "crossover=NaN"),
    ];
    for (spoil, said) in spoilers {
        let mut plan = plan("genes", 1, 10);
        spoil(&mut plan.settings);
        let breeder = GenomeBreeder { length: 2 };
        let error = plan.run(&breeder, |_| 0.0, None, |_| ()).unwrap_err();
        assert!(error.to_string().starts_with(said), "{error}");
    }
}

#[test]
fn a_fitness_that_is_no_number_counts_as_worst() {
    let breeder = GenomeBreeder { length: 1 };
    let odd = |genes: &Vec<f64>| {
        if genes[0] < 0.5 { f64::NAN } else { -genes[0] }
    };
    let done = plan("genes", 10, 40).run(&breeder, odd, None, |_| ()).unwrap();
    assert!((0.5..0.55).contains(&done.best().individual[0]));
}

#[test]
fn genes_find_a_point_and_stay_between_0_and_1() {
    let breeder = GenomeBreeder { length: 4 };
    let point = [0.1, 0.9, 0.5, 1.0];
    let near = |genes: &Vec<f64>| {
        let distances = genes.iter().zip(point).map(|(g, p)| (g - p).abs());
        -distances.sum::<f64>()
    };
    let done = plan("a point", 60, 100).run(&breeder, near, None, |_| ()).unwrap();
    assert!(done.best().fitness > -0.1, "{:?}", done.best());
    let genes = done.population.iter().flat_map(|one| &one.individual);
    assert!(genes.into_iter().all(|g| (0.0..=1.0).contains(g)));
}
