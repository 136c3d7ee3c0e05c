//! Values of the literature and of `OpenSpiel` 2.0.2; each test names its source.

use oboro_core::{Agent, AgentEntry, Game, Rng, SeatView, Spec, fresh};
use oboro_small::{
    GeisterSmall, GoofspielRules, Kuhn, Leduc, LiarsDice, LiarsDiceRules, PhantomTtt, PointsOrder,
    Rules, Small,
};
use oboro_solve::{
    Limits, Measured, Method, Reached, Sampler, Sampling, Solver, Strategy, Tree, TreeError,
    Uniform,
};

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

/// The figures of a game: its information sets, how far uniform play can be exploited, and the value to seat 0, which so many
/// iterations find to this width.
fn figures<G: Game>(
    game: &G,
    sets: usize,
    uniform: f64,
    value: f64,
    (iterations, width): (u32, f64),
) {
    let tree = tree(game);
    assert_eq!(tree.sets(), sets, "{}", G::NAME);
    near(tree.exploitability(&tree.uniform()), uniform, 1e-12);
    near(tree.nash_conv(&tree.uniform()), 2.0 * uniform, 1e-12);
    let mut solver = Solver::new(&tree, Method::Dcfr);
    (0..iterations).for_each(|_| solver.iterate());
    let found = tree.measure(&solver.average());
    // What a strategy is worth for certain its best response says: the value is at least this and at most that.
    let (least, most) = (-found.best[1], found.best[0]);
    assert!(least - 1e-9 <= value && value <= most + 1e-9, "{}: {least} to {most}", G::NAME);
    assert!(most - least < width, "{}: {least} to {most}", G::NAME);
}

/// Sources, all in `OpenSpiel` 2.0.2: `pyspiel.exploitability` of `UniformRandomPolicy` for uniform play;
/// `python/algorithms/sequence_form_lp_test.py` for the values of Kuhn poker (−1/18, Kuhn 1950), Leduc (−0.085606424078, Lanctot
/// and others 2017, appendix E.2), Liar's Dice (−0.027131782945736, Neller and Lanctot 2013) and Goofspiel with four cards
/// (0, as the game is symmetric).
#[test]
fn the_figures_are_those_of_openspiel() {
    const KUHN: f64 = -1.0 / 18.0;
    const LEDUC: f64 = -0.085_606_424_078;
    const DICE: f64 = -0.027_131_782_945_736;
    figures(&Kuhn::default(), 12, 0.458_333_333_333_333_3, KUHN, (1000, 0.001));
    figures(&Leduc::default(), 936, 2.373_611_111_111_111, LEDUC, (1000, 0.001));
    figures(&LiarsDice::default(), 24_576, 0.780_744_323_192_239_7, DICE, (100, 0.02));
    for (cards, points_order, sets, uniform) in [
        (3, PointsOrder::Descending, 16, 2.0 / 3.0),
        (4, PointsOrder::Descending, 162, 0.708_333_333_333_333_3),
        (4, PointsOrder::Ascending, 162, 0.708_333_333_333_333_3),
        (3, PointsOrder::Random, 90, 2.0 / 3.0),
    ] {
        let game = Small(GoofspielRules { cards, points_order });
        figures(&game, sets, uniform, 0.0, (1500, 0.002));
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
fn sampling_finds_it_too_and_needs_no_list_of_deals() {
    let kuhn = tree(&Kuhn::default());
    let mut sampler = Sampler::new(&Kuhn::default(), Rng::from_u64(1)).unwrap();
    (0..20_000).for_each(|_| sampler.iterate().unwrap());
    let (met, average) = sampler.average();
    assert_eq!(met.sets(), 12);
    assert_eq!(sampler.sets(), 12);
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

/// What an agent of the small games is found to lose with and without a tree in memory.
fn both<R: Rules>(game: &Small<R>, spec: &str, samples: u32) -> (Measured, Reached) {
    let agents = oboro_small::agents();
    let spec = spec.parse().expect("a spec");
    let (_, factory) = AgentEntry::resolve(&agents, game, &spec).expect("an agent");
    let (sampling, limits) = (Sampling { samples }, Limits::default());
    let tree = tree(game);
    let mut rng = Rng::from_u64(3);
    let stored = tree.measure_agent(&factory, sampling, &mut rng, &mut |_| {});
    let reached = Reached::measure(game, &factory, sampling, limits, &mut rng, &mut |_| {});
    (stored.expect("an agent that plays"), reached.expect("an agent that plays"))
}

#[test]
fn agents_are_measured_alike_where_only_their_own_policies_lead() {
    let (stored, reached) = both(&Leduc::default(), "random", 2);
    near(stored.exploitability, reached.measured.exploitability, 1e-9);
    let all = |found: &Measured| [&found.best[..], &found.payoffs].concat();
    for (stored, reached) in all(&stored).into_iter().zip(all(&reached.measured)) {
        near(stored, reached, 1e-9);
    }
    assert_eq!((reached.asked, reached.measured.error), (936, 0.0), "it plays everything");
    // Sampled play differs between the two by its samples, and by no more than the error says.
    let (stored, reached) = both(&Kuhn::default(), "uct:8", 400);
    let (stored, reached) = (stored, reached.measured);
    assert!(stored.sampled && reached.sampled);
    let spread = (stored.error.powi(2) + reached.error.powi(2)).sqrt();
    near(stored.exploitability, reached.exploitability, 4.0 * spread);
    assert!((0.5..2.0).contains(&(stored.error / reached.error)), "{stored:?} {reached:?}");
}

/// Plays the first legal action: so pure that it meets few information sets of a large game.
#[derive(Clone, Copy)]
struct First;

impl<G: Game> Agent<G> for First {
    fn act(&mut self, view: &G::View, _: &mut Rng) -> G::Action {
        view.legal_actions()[0]
    }
}

#[test]
fn pure_play_is_measured_in_games_that_are_too_large_for_a_tree() {
    let sampling = Sampling { samples: 1 };
    let measure = |limits| {
        let (game, mut rng) = (PhantomTtt::default(), Rng::from_u64(1));
        Reached::measure(&game, &fresh(First), sampling, limits, &mut rng, &mut |_| {})
    };
    let found = measure(Limits::default()).unwrap();
    // Of 5 990 669 information sets. Knowing where it goes, both seats win for certain.
    assert!(found.asked < 1000, "{found:?}");
    assert_eq!(found.measured.best, [1.0, 1.0], "{found:?}");
    assert_eq!((found.measured.exploitability, found.measured.error), (1.0, 0.0));
    let few = Limits { sets: 100, histories: 1000 };
    assert!(measure(few).unwrap_err().contains("more than 100 information sets or 1000 histories"));
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
    assert_eq!((random.error, random.sampled), (0.0, false), "it knows its probabilities");
    let searched = measure("mc:20", 20);
    assert!(searched.sampled);
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
    fn alike<G: Game>(game: &G) {
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
    alike(&Kuhn::default());
    alike(&Leduc::default());
    alike(&Small(LiarsDiceRules { faces: 4 }));
    alike(&Small(GoofspielRules { cards: 4, points_order: PointsOrder::Random }));
    alike(&GeisterSmall::default());
    let limits = Limits { sets: 100, ..Limits::default() };
    assert!(Uniform::measure(&Leduc::default(), limits).is_err());
}
