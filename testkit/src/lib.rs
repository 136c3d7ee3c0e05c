//! What every game must keep, checked on random games. Each game's tests call [`check_game`], [`check_agent`] for every
//! agent it has, and [`check_standard_agents`] for those that every game has.
//!
//! The checks panic with the seed and the position at fault: they are meant for tests only.
#![forbid(unsafe_code)]

use oboro_core::{
    FactValue, Factory, Game, GameWorld, Live, NotationError, Policy, Record, Replay, Rng, Seat,
    SeatView, Seed,
};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::str::FromStr;

mod encoding;
mod fuzz;
mod golden;
mod hidden;
mod scenes;
mod standard;

pub use encoding::{check_encoding, check_symmetry};
pub use fuzz::{FUZZ_VARIABLE, damaged, damaged_text, fuzz, fuzz_factor};
pub use golden::{check_golden, scene_page};
pub use scenes::{check_scene_equality, check_scenes};
pub use standard::check_standard_agents;

use hidden::{Doubts, check_imagined_like_dealt};

/// Says which of the paths that a test compares were not run, because the processor has not what they need. The lines go past
/// the test harness, which hides what tests that pass print.
pub fn say_not_run(paths: &[(&str, bool)]) {
    for (path, _) in paths.iter().filter(|(_, is_run)| !is_run) {
        let _ = writeln!(std::io::stderr(), "not run: {path}, which this processor lacks");
    }
}

/// How much of a game to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Random games to play.
    pub games: u64,
    /// No game may be longer than this many actions.
    pub max_plies: u32,
    /// Check the costly laws at every so many plies.
    pub every: u32,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 20, max_plies: 10_000, every: 1 }
    }
}

/// Plays random games and checks the laws at every position. The laws:
///
/// - a game ends; while it goes on, somebody is to move and has a legal action;
/// - legal actions are distinct, `is_legal` agrees, actions that were just refused stay refused, and worlds with the
///   same [word](GameWorld::legal_word) have the same ones;
/// - the view of the seat to move offers the same actions as the world, other views none;
/// - **nobody peeks**: an imagined world looks the same to the seat that imagined it; from every seat something
///   is hidden at some time; and imagined worlds are distributed as dealt ones are;
/// - **events say exactly what the view learns**: for two worlds with equal views, an action gives
///   equal events if and only if it leads to equal views;
/// - positions and actions survive writing and reading;
/// - mangled positions and actions are refused or read, never panicked over;
/// - payoffs add up as the rules declare, and the facts of a finished game are those declared.
///
/// # Panics
/// If a law is broken.
pub fn check_game<G: Game>(game: &G, effort: Effort) {
    let mut doubts = Doubts::new(game.seats());
    let mut words = BTreeMap::new();
    for number in 0..effort.games {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        let mut plies = 0;
        let mut gone = None;
        while let Some(mover) = world.to_act() {
            let place = || format!("seed {number}, ply {plies}: {}", game.write_position(&world));
            assert!(plies < effort.max_plies, "the game goes on for ever; {}", place());
            assert!(mover.index() < game.seats(), "seat {mover} does not exist; {}", place());
            let actions = check_legal(&world, mover, gone, &place);
            if let Some(word) = world.legal_word() {
                let same = words.entry(word).or_insert_with(|| actions.clone());
                assert_eq!(*same, actions, "other actions have the same word; {}", place());
            }
            if plies % effort.every == 0 {
                check_views(game, &world, &mut rng, &mut doubts, &place);
                check_notation(game, &world, &actions, &place);
                check_mangled(game, &world, &actions, &mut rng);
            }
            let action = actions[rng.below(actions.len())];
            gone = Some(action);
            world.apply(action);
            plies += 1;
        }
        let place = || format!("seed {number}, the end: {}", game.write_position(&world));
        check_legal_at_end(&world, &place);
        check_views(game, &world, &mut rng, &mut doubts, &place);
        check_notation(game, &world, &[], &place);
        let sum: f64 = Seat::all(game.seats()).map(|seat| world.payoff(seat)).sum();
        if let Some(declared) = game.payoff_sum() {
            assert!((sum - declared).abs() < 1e-9, "payoffs sum to {sum}; {}", place());
        }
        check_facts(game, &world, &place);
    }
    doubts.check();
    check_imagined_like_dealt(game);
}

/// A finished game reports the facts that the rules declare: their names in order, each with one number for
/// the game or one for each seat.
fn check_facts<G: Game>(game: &G, world: &G::World, place: &dyn Fn() -> String) {
    let reported = world.facts();
    let reported: Vec<(&str, Option<usize>)> = reported
        .iter()
        .map(|fact| match &fact.value {
            FactValue::Game(_) => (fact.name, None),
            FactValue::Seats(values) => (fact.name, Some(values.len())),
        })
        .collect();
    let declared = game.facts().iter();
    let declared: Vec<(&str, Option<usize>)> =
        declared.map(|info| (info.name, info.per_seat.then(|| game.seats()))).collect();
    assert_eq!(reported, declared, "facts reported and declared; {}", place());
}

fn check_legal<W: GameWorld>(
    world: &W,
    mover: Seat,
    previous: Option<W::Action>,
    place: &dyn Fn() -> String,
) -> Vec<W::Action>
where
    W::View: SeatView<Action = W::Action, World = W>,
{
    let mut actions = Vec::new();
    world.legal(&mut actions);
    assert!(!actions.is_empty(), "no legal action; {}", place());
    for (i, action) in actions.iter().enumerate() {
        assert!(!actions[..i].contains(action), "{action} is listed twice; {}", place());
        assert!(world.is_legal(*action), "{action} is listed but refused; {}", place());
    }
    if let Some(previous) = previous.filter(|p| !actions.contains(p)) {
        let mut copy = world.clone();
        assert!(copy.play(previous).is_err(), "{previous} is not listed but accepted; {}", place());
        assert!(copy == *world, "a refused action changed the world; {}", place());
    }
    assert_eq!(world.view(mover).legal_actions(), actions, "the mover's view; {}", place());
    actions
}

fn check_legal_at_end<W: GameWorld>(world: &W, place: &dyn Fn() -> String) {
    world.for_each_legal(|action| panic!("{action} is legal after the end; {}", place()));
}

fn check_views<G: Game>(
    game: &G,
    world: &G::World,
    rng: &mut Rng,
    doubts: &mut Doubts,
    place: &dyn Fn() -> String,
) {
    for seat in Seat::all(game.seats()) {
        let view = world.view(seat);
        assert_eq!(view.seat(), seat, "whose view; {}", place());
        assert_eq!(view.to_act(), world.to_act(), "whose turn in the view; {}", place());
        if world.to_act() != Some(seat) {
            assert!(view.legal_actions().is_empty(), "seat {seat} may not move; {}", place());
        }
        let imagined = view.imagine(rng);
        assert_eq!(imagined.view(seat), view, "seat {seat} imagined another view; {}", place());
        doubts.note(seat, imagined != *world);
        check_events(game, world, &imagined, seat, place);
    }
}

/// `ours` and `theirs` look the same to `seat`.
fn check_events<G: Game>(
    game: &G,
    ours: &G::World,
    theirs: &G::World,
    seat: Seat,
    place: &dyn Fn() -> String,
) {
    // A sample is enough: large action lists would make the check quadratic.
    const SAMPLE: usize = 40;
    let mut actions = Vec::new();
    ours.legal(&mut actions);
    let step = actions.len().div_ceil(SAMPLE).max(1);
    for &action in actions.iter().step_by(step).filter(|a| theirs.is_legal(**a)) {
        let (mut here, mut there) = (ours.clone(), theirs.clone());
        let same_event = here.event(action, seat) == there.event(action, seat);
        here.apply(action);
        there.apply(action);
        let same_view = here.view(seat) == there.view(seat);
        assert_eq!(
            same_event,
            same_view,
            "seat {seat}, {action}: events {} but the views after it {}; {}; imagined {}",
            if same_event { "agree" } else { "differ" },
            if same_view { "agree" } else { "differ" },
            place(),
            game.write_position(theirs),
        );
    }
}

fn check_notation<G: Game>(
    game: &G,
    world: &G::World,
    actions: &[G::Action],
    place: &dyn Fn() -> String,
) {
    let text = game.write_position(world);
    assert!(!text.contains('\n'), "a position is one line; {}", place());
    match game.parse_position(&text) {
        Ok(back) => assert!(
            back == *world,
            "a position changed by writing and reading: {} became {}",
            text,
            game.write_position(&back)
        ),
        Err(error) => panic!("own position refused: {error}; {}", place()),
    }
    for action in actions {
        assert_eq!(action.to_string().parse::<G::Action>().as_ref(), Ok(action), "{}", place());
    }
}

/// Small damage to good texts must end in an error or in a position that can be played on.
fn check_mangled<G: Game>(game: &G, world: &G::World, actions: &[G::Action], rng: &mut Rng) {
    let text = mangle(&game.write_position(world), rng);
    if let Ok(mut read) = game.parse_position(&text) {
        let again = game.write_position(&read);
        assert!(game.parse_position(&again).is_ok_and(|w| w == read), "{text} reads as {again}");
        for seat in Seat::all(game.seats()) {
            let imagined = read.view(seat).imagine(rng);
            assert_eq!(imagined.view(seat), read.view(seat), "{text}");
        }
        for _ in 0..20 {
            if read.to_act().is_none() {
                break;
            }
            let mut some = false;
            read.for_each_legal(|_| some = true);
            assert!(some, "no legal action, and not over: {}", game.write_position(&read));
            read.apply(read.random_action(rng));
        }
    }
    let action = mangle(&actions[rng.below(actions.len())].to_string(), rng);
    let _: Result<G::Action, NotationError> = G::Action::from_str(&action);
}

fn mangle(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(2) {
        if chars.is_empty() {
            break;
        }
        let at = rng.below(chars.len());
        match rng.below(5) {
            0 => drop(chars.remove(at)),
            1 => chars.truncate(at),
            2 => chars.insert(at, chars[rng.below(chars.len())]),
            3 => chars[at] = [' ', '0', '9', 'x', '-', '朧', ':'][rng.below(7)],
            _ => {
                let other = rng.below(chars.len());
                chars.swap(at, other);
            }
        }
    }
    chars.into_iter().collect()
}

/// Plays games among agents of one kind, twice each, and checks that every action is legal, that
/// equal seeds give equal games, that saying what they believe does not change how they play, and that the
/// record replays.
///
/// # Panics
/// If a law is broken.
pub fn check_agent<G: Game>(game: &G, factory: &Factory<G>, games: u64) {
    let play = |number: u64, inquisitive: bool| {
        let seeds = Seed::from_u64(number).game(0, 0);
        let world = game.deal(&mut seeds.deal());
        let agents = vec![Some(factory.clone()); game.seats()];
        let mut live = Live::new(game.clone(), world, agents, &seeds);
        let mut asides = Rng::from_u64(number);
        while let Some(seat) = live.to_act() {
            if inquisitive {
                live.beliefs(seat, &mut asides);
            }
            live.step().unwrap_or_else(|error| panic!("seed {number}: {error}"));
        }
        live.record()
    };
    for number in 0..games {
        let record = play(number, false);
        assert!(
            record == play(number, true),
            "seed {number}: a second game, in which the agent was asked for its beliefs, differs"
        );
        let read: Record = record.to_string().parse().expect("a record reads back");
        let replay = Replay::new(game, &read).expect("a record of this game");
        replay.finish().unwrap_or_else(|error| panic!("seed {number}: {error}"));
    }
}

/// Checks that a policy chooses legal actions only, through whole games.
///
/// # Panics
/// If it does not.
pub fn check_policy<G: Game>(game: &G, policy: &mut impl Policy<G::World>, games: u64) {
    for number in 0..games {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        while world.to_act().is_some() {
            let action = policy.choose(&world, &mut rng);
            assert!(world.is_legal(action), "{action} in {}", game.write_position(&world));
            world.apply(action);
        }
    }
}

/// Checks that `draw` gives every one of `expected` about equally often: χ² below its 1 − 10⁻⁶
/// quantile (Wilson–Hilferty). With a fixed seed the answer is the same every time.
///
/// # Panics
/// If something else is drawn, or the counts are too uneven.
pub fn check_uniform<T: Ord + std::fmt::Debug + Clone>(
    expected: &[T],
    draws: usize,
    mut draw: impl FnMut(&mut Rng) -> T,
) {
    let mut rng = Rng::from_u64(0x0b0_0b0);
    let mut counts: BTreeMap<T, usize> = expected.iter().map(|e| (e.clone(), 0)).collect();
    assert_eq!(counts.len(), expected.len(), "the expected values are distinct");
    for _ in 0..draws {
        let drawn = draw(&mut rng);
        let count = counts.get_mut(&drawn);
        *count.unwrap_or_else(|| panic!("{drawn:?} was drawn but not expected")) += 1;
    }
    let mean = draws as f64 / expected.len() as f64;
    assert!(mean >= 20.0, "too few draws for {} values", expected.len());
    let chi2: f64 = counts.values().map(|&c| (c as f64 - mean).powi(2) / mean).sum();
    let freedom = (expected.len() - 1) as f64;
    let limit = limit_of_chi_squared(freedom);
    assert!(freedom == 0.0 || chi2 < limit, "χ² = {chi2:.1} over {limit:.1}: {counts:?}");
}

/// The 1 − 10⁻⁶ quantile of χ² (Wilson–Hilferty).
fn limit_of_chi_squared(freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom.max(1.0));
    freedom * (1.0 - spread + 4.753 * spread.sqrt()).powi(3)
}

/// Checks [`GameWorld::random_action`] against the list of legal actions, at positions of a few
/// random games.
///
/// # Panics
/// If it is not uniform over them.
pub fn check_random_action<G: Game>(game: &G, positions: u64) {
    for number in 0..positions {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        let mut actions = Vec::new();
        for _ in 0..rng.below(30) {
            let mut next = world.clone();
            next.apply(next.random_action(&mut rng));
            if next.to_act().is_none() {
                break;
            }
            world = next;
        }
        world.legal(&mut actions);
        let draws = actions.len() * 50;
        check_uniform(&actions, draws, |rng| world.random_action(rng));
    }
}
