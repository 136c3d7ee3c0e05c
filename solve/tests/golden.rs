//! Values of the literature and of `OpenSpiel` 2.0.2 (`pyspiel.exploitability` of `UniformRandomPolicy`, `CFRPlusSolver`).

use oboro_core::{AgentEntry, Game, Rng, Spec};
use oboro_small::{
    GeisterSmall, Goofspiel, GoofspielRules, Kuhn, Leduc, LiarsDice, LiarsDiceRules, PointsOrder,
    Small,
};
use oboro_solve::{Limits, Method, Sampler, Sampling, Solver, Strategy, Tree, TreeError, Uniform};

fn tree<G: Game>(game: &G) -> Tree<G> {
    Tree::new(game, Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn solved<G: Game>(tree: &Tree<G>, method: Method, iterations: u32) -> (f64, f64) {
    let mut solver = Solver::new(tree, method);
    (0..iterations).for_each(|_| solver.iterate());
    let average = solver.average();
    (tree.exploitability(&average), tree.payoffs(&average)[0])
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} ± {tolerance}");
}

#[test]
fn uniform_play_is_as_exploitable_as_openspiel_says() {
    let kuhn = tree(&Kuhn::default());
    assert_eq!(kuhn.sets(), 12);
    near(kuhn.exploitability(&kuhn.uniform()), 0.458_333_333_333_333_3, 1e-12);
    let leduc = tree(&Leduc::default());
    assert_eq!(leduc.sets(), 936);
    near(leduc.exploitability(&leduc.uniform()), 2.373_611_111_111_111, 1e-12);
    near(leduc.nash_conv(&leduc.uniform()), 4.747_222_222_222_222, 1e-12);
    let dice = tree(&LiarsDice::default());
    assert_eq!(dice.sets(), 24_576);
    near(dice.exploitability(&dice.uniform()), 0.780_744_323_192_239_7, 1e-12);
    for (cards, points_order, sets, expected) in [
        (3, PointsOrder::Descending, 16, 2.0 / 3.0),
        (4, PointsOrder::Descending, 162, 0.708_333_333_333_333_3),
        (4, PointsOrder::Ascending, 162, 0.708_333_333_333_333_3),
        (3, PointsOrder::Random, 90, 2.0 / 3.0),
    ] {
        let goofspiel = tree(&Small(GoofspielRules { cards, points_order }));
        assert_eq!(goofspiel.sets(), sets);
        near(goofspiel.exploitability(&goofspiel.uniform()), expected, 1e-12);
    }
}

#[test]
fn every_method_finds_the_value_of_kuhn_poker() {
    let kuhn = tree(&Kuhn::default());
    for (method, left) in [(Method::Cfr, 0.01), (Method::CfrPlus, 2e-4), (Method::Dcfr, 2e-4)] {
        let (exploitability, value) = solved(&kuhn, method, 2000);
        assert!(exploitability < left, "{method:?} {exploitability}");
        near(value, -1.0 / 18.0, left);
    }
    let mut last = Solver::new(&kuhn, Method::CfrPlus);
    (0..2000).for_each(|_| last.iterate());
    assert!(kuhn.exploitability(&last.last()) < 0.1, "the last iterate");
}

#[test]
fn leduc_and_goofspiel_have_their_values() {
    let leduc = tree(&Leduc::default());
    let (exploitability, value) = solved(&leduc, Method::CfrPlus, 600);
    assert!(exploitability < 0.002, "{exploitability}");
    // −0.085606424078 (Waugh and Bagnell 2015 among others).
    near(value, -0.085_606_424_078, 0.001);
    let goofspiel = tree(&Goofspiel::default());
    let (exploitability, value) = solved(&goofspiel, Method::Dcfr, 1500);
    assert!(exploitability < 0.001, "{exploitability}");
    near(value, 0.0, 0.001);
}

#[test]
fn sampling_finds_it_too_and_needs_no_list_of_deals() {
    let kuhn = tree(&Kuhn::default());
    let mut sampler = Sampler::new(&Kuhn::default(), Rng::from_u64(1)).unwrap();
    (0..20_000).for_each(|_| sampler.iterate().unwrap());
    let (met, average) = sampler.average();
    assert_eq!(met.sets(), 12);
    let found = kuhn.measure(&kuhn.profile_of(&Strategy::of(&met, &average)));
    assert!(found.exploitability < 0.02, "{found:?}");
    near(found.payoffs[0], -1.0 / 18.0, 0.01);
}

#[test]
fn small_boards_of_geister_keep_their_figures() {
    // The figures of version 0.1, which had a solver of its own: 4 x 3, one red and one blue a side, eight plies.
    let game = GeisterSmall::default();
    let geister = tree(&game);
    assert_eq!(geister.sets(), 55_772);
    let uniform = geister.measure(&geister.uniform());
    near(uniform.best[0], 0.851, 5e-4);
    near(uniform.best[1], 0.793, 5e-4);
    near(uniform.exploitability, 0.322, 5e-4);
    assert!(solved(&geister, Method::CfrPlus, 30).0 < 0.05);
    let agents = oboro_small::geister_agents();
    let runner: Spec = "runner".parse().unwrap();
    let (_, factory) = AgentEntry::resolve(&agents, &game, &runner).unwrap();
    let mut rng = Rng::from_u64(1);
    let found =
        geister.measure_agent(&factory, Sampling { samples: 1 }, &mut rng, &mut |_| {}).unwrap();
    assert_eq!((found.best, found.error), (vec![1.0, 1.0], 0.0));
}

#[test]
fn what_an_agent_does_is_sampled_with_its_error() {
    let game = Leduc::default();
    let leduc = tree(&game);
    let agents = oboro_small::agents();
    let measure = |spec: &str, samples| {
        let (_, factory) = AgentEntry::resolve(&agents, &game, &spec.parse().unwrap()).unwrap();
        let sampling = Sampling { samples };
        leduc.measure_agent(&factory, sampling, &mut Rng::from_u64(3), &mut |_| {}).unwrap()
    };
    let random = measure("random", 5);
    near(random.exploitability, 2.373_611_111_111_111, 1e-12);
    assert_eq!(random.error, 0.0, "it knows its probabilities");
    let searched = measure("mc:20", 20);
    assert!(searched.error > 0.005 && searched.error < 0.5, "{searched:?}");
}

#[test]
fn online_outcome_sampling_gets_less_exploitable_with_playouts() {
    let game = Kuhn::default();
    let kuhn = tree(&game);
    let agents = oboro_small::agents();
    let left = |spec: &str| {
        let (_, factory) = AgentEntry::resolve(&agents, &game, &spec.parse().unwrap()).unwrap();
        let mut rng = Rng::from_u64(1);
        let sampling = Sampling { samples: 20 };
        kuhn.measure_agent(&factory, sampling, &mut rng, &mut |_| {}).unwrap().exploitability
    };
    let (few, many, best) = (left("oos:20"), left("oos:2000"), left("ismcts:2000"));
    assert!(many < 0.07 && many < few / 2.0 && many < best / 2.0, "{few} {many} {best}");
}

#[test]
fn strategies_survive_their_file_and_faults_are_named() {
    let game = Small(LiarsDiceRules { faces: 3 });
    let dice = tree(&game);
    let mut solver = Solver::new(&dice, Method::CfrPlus);
    (0..50).for_each(|_| solver.iterate());
    let average = solver.average();
    let text = Strategy::write(&dice, &average, "cfr+ 50 iterations");
    let read = Strategy::parse(&game, &text).unwrap();
    assert_eq!(read.len(), dice.sets());
    let (ours, theirs) = (dice.measure(&average), dice.measure(&dice.profile_of(&read)));
    near(ours.exploitability, theirs.exploitability, 1e-5);

    let said = |text: &str| Strategy::parse(&game, text).unwrap_err().to_string();
    let line = text.lines().nth(5).unwrap();
    assert!(said("nonsense").contains("line 1: a strategy file starts with"));
    assert!(said(&text.replace("liars-dice", "leduc")).starts_with("line 2: this is a strategy"));
    assert!(said(&text.replace("faces=3", "faces=4")).starts_with("line 3: this is a strategy"));
    let broken = |with: &str| said(&text.replace(line, with));
    assert!(broken("11: | 1x1").contains("line 6: `1x1` needs a probability"));
    assert!(broken("11: | 1x1 0.3").contains("line 6: the probabilities add up to 0.3"));
    assert!(broken("11: | liar 1").contains("line 6: `liar` is not legal"));
    assert!(broken("11: liar | 1x1 1").contains("line 6: column"));
    assert!(broken("11: 1x1 liar | 1x1 1").contains("line 6: the game is over"));
    assert!(broken("11").contains("line 6: expected `POSITION |"));
}

#[test]
fn games_that_are_too_large_are_refused() {
    let limits = Limits { sets: 100, ..Limits::default() };
    let error = Tree::new(&Leduc::default(), limits).unwrap_err();
    assert!(matches!(error, TreeError::TooLarge("leduc", _)), "{error}");
}

#[test]
fn uniform_play_is_measured_depth_first_too() {
    fn both<G: Game>(game: &G) {
        let (tree, found) = (tree(game), Uniform::measure(game, Limits::default()).unwrap());
        let stored = tree.measure(&tree.uniform());
        assert_eq!((found.sets, found.histories), (tree.sets(), tree.histories()), "{}", G::NAME);
        near(found.measured.exploitability, stored.exploitability, 1e-9);
        for (found, stored) in found.measured.best.iter().zip(&stored.best) {
            near(*found, *stored, 1e-9);
        }
        for (found, stored) in found.measured.payoffs.iter().zip(&stored.payoffs) {
            near(*found, *stored, 1e-9);
        }
    }
    both(&Kuhn::default());
    both(&Leduc::default());
    both(&Small(LiarsDiceRules { faces: 4 }));
    both(&Small(GoofspielRules { cards: 4, points_order: PointsOrder::Random }));
    both(&GeisterSmall::default());
    let limits = Limits { sets: 100, ..Limits::default() };
    assert!(Uniform::measure(&Leduc::default(), limits).is_err());
}
