//! What every game must keep, checked on random games. Each game's tests call [`check_game`], [`check_agent`] for every
//! agent it has, and [`check_standard_agents`] for those that every game has.
//!
//! The checks panic with the seed and the position at fault: they are meant for tests only.

use oboro_core::{
    FactValue, Game, GameWorld, NotationError, Policy, Rng, Seat, SeatView, changed_params,
};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::str::FromStr;

mod agents;
mod allocations;
mod census;
mod encoding;
mod fuzz;
mod golden;
mod hidden;
mod scenes;
mod standard;

pub use agents::check_agent;
pub use allocations::{allocations, memory};
pub use census::census;
pub use encoding::{check_encoding, check_symmetries, check_symmetry};
pub use fuzz::{FUZZ_VARIABLE, damaged, damaged_text, fuzz, fuzz_factor};
pub use golden::{check_golden, scene_page};
pub use scenes::{check_scene_equality, check_scenes};
pub use standard::check_standard_agents;

use hidden::{
    Doubts, check_deals, check_imagined_like_dealt, check_imagined_like_played, check_shared,
    check_support,
};

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
/// - **nobody peeks**: an imagined world looks the same to the seat that imagined it, drawn and printed, too; from every
///   seat something is hidden at some time; imagined worlds are distributed as those that are dealt or played, by
///   single columns of the position and by pairs; and where few can be imagined, the true one is among them;
/// - **events say exactly what the view learns**: for two worlds with equal views, an action gives
///   equal events if and only if it leads to equal views; two actions with equal events lead to equal views;
/// - where the game declares [perfect recall](Game::PERFECT_RECALL), actions with different events and different stories
///   lead to different views;
/// - worlds and views that are equal have equal hashes, and can be drawn at every ply;
/// - positions and actions survive writing and reading, imagined worlds as well;
/// - mangled positions and actions are refused or read, never panicked over, and what is read can be imagined and
///   played to the end;
/// - payoffs add up as the rules declare, the facts of a finished game are those declared and those of its record, and
///   who [forfeits](Game::forfeit_payoffs) gets no more than from the worst ending;
/// - the [list of all deals](Game::deals) is what is dealt, as often as it says;
/// - worlds that [share](GameWorld::shared) everything go on alike;
/// - a playout takes no memory from the heap.
///
/// # Panics
/// If a law is broken: with the rules, the seed of the random game, the ply and the position.
pub fn check_game<G: Game>(game: &G, effort: Effort) {
    let mut doubts = Doubts::new(game.seats());
    let mut words = BTreeMap::new();
    let mut worst = vec![f64::INFINITY; game.seats()];
    for number in 0..effort.games {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        let mut sister: Option<Sister<G::World>> = None;
        let mut plies = 0;
        let mut gone = None;
        while let Some(mover) = world.to_act() {
            let place = || place(game, number, plies, &world);
            assert!(plies < effort.max_plies, "the game goes on for ever; {}", place());
            assert!(mover.index() < game.seats(), "seat {mover} does not exist; {}", place());
            let actions = check_legal(&world, mover, gone, &place);
            if let Some(word) = world.legal_word() {
                let same = words.entry(word).or_insert_with(|| actions.clone());
                assert_eq!(*same, actions, "other actions have the same word; {}", place());
            }
            check_drawing(game, &world, &place);
            if plies % effort.every == 0 {
                check_views(game, &world, &mut rng, &mut doubts, &place);
                check_notation(game, &world, &actions, &place);
                check_mangled(game, &world, &actions, &mut rng, &place);
                check_choices(game, &world, &actions, &place);
            }
            let action = actions[rng.below(actions.len())];
            gone = Some(action);
            if G::PERFECT_RECALL {
                sister = sister.filter(|sister| sister.world.is_legal(action));
                match &mut sister {
                    Some(sister) => sister.world.apply(action),
                    None => {
                        sister = Sister::new(game, &world, [action, world.random_action(&mut rng)]);
                    }
                }
            }
            world.apply(action);
            plies += 1;
            if let Some(sister) = &sister {
                sister.check(&world, &|| crate::place(game, number, plies, &world));
            }
        }
        let place = || format!("the end of {}", place(game, number, plies, &world));
        check_legal_at_end(&world, &place);
        check_drawing(game, &world, &place);
        check_views(game, &world, &mut rng, &mut doubts, &place);
        check_notation(game, &world, &[], &place);
        check_payoffs(game, &world, &place);
        for (seat, worst) in Seat::all(game.seats()).zip(&mut worst) {
            *worst = worst.min(world.payoff(seat));
        }
        check_facts(game, &world, &place);
    }
    doubts.check();
    check_deals(game);
    check_imagined_like_dealt(game);
    check_imagined_like_played(game);
    check_forfeits(game, &worst);
    allocations::check_playouts(game);
}

/// Where a law was broken: the rules, the seed of the random game, the ply and the position.
pub(crate) fn place<G: Game>(game: &G, number: u64, plies: u32, world: &G::World) -> String {
    let changed = changed_params(game).into_iter().map(|(key, value)| format!("{key}={value}"));
    let changed = changed.collect::<Vec<_>>().join(",");
    let rules = if changed.is_empty() { "standard rules" } else { &changed };
    format!("{} ({rules}), seed {number}, ply {plies}: {}", G::NAME, game.write_position(world))
}

/// The lines in which two values differ as they are printed.
pub(crate) fn difference<T: Debug>(ours: &T, theirs: &T) -> String {
    const LINES: usize = 4;
    let (ours, theirs) = (format!("{ours:#?}"), format!("{theirs:#?}"));
    let pairs = ours.lines().zip(theirs.lines()).filter(|(here, there)| here != there);
    let pairs = pairs
        .take(LINES)
        .map(|(here, there)| format!("`{}` against `{}`", here.trim(), there.trim()));
    let found = pairs.collect::<Vec<_>>().join(", ");
    if found.is_empty() { "they are printed alike".to_owned() } else { found }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A game that differs from another in one action, and goes on like it.
struct Sister<W> {
    world: W,
    /// By seat: whether it saw another thing of that action.
    differs: Vec<bool>,
}

impl<W: GameWorld> Sister<W> {
    /// The game as it is after another action than `action`.
    fn new<G: Game<World = W, Action = W::Action>>(
        game: &G,
        world: &W,
        [action, other]: [W::Action; 2],
    ) -> Option<Sister<W>>
    where
        W::Event: PartialEq,
    {
        let differs = |seat| world.event(action, seat) != world.event(other, seat);
        let differs: Vec<bool> = Seat::all(game.seats()).map(differs).collect();
        let mut world = world.clone();
        world.apply(other);
        differs.contains(&true).then_some(Sister { world, differs })
    }

    /// With perfect recall no seat takes the two for each other that once could tell them apart.
    fn check(&self, world: &W, place: &dyn Fn() -> String)
    where
        W::View: SeatView,
    {
        for (seat, _) in Seat::all(self.differs.len()).zip(&self.differs).filter(|(_, d)| **d) {
            let (ours, theirs) = (world.view(seat), self.world.view(seat));
            assert!(
                ours != theirs,
                "seat {seat} has forgotten something in spite of perfect recall: two stories lead to the view {ours:?}; {}",
                place()
            );
        }
    }
}

/// Worlds and views can be drawn at every ply.
fn check_drawing<G: Game>(game: &G, world: &G::World, place: &dyn Fn() -> String) {
    assert!(!world.to_string().trim().is_empty(), "the world is drawn as nothing; {}", place());
    for seat in Seat::all(game.seats()) {
        let drawn = world.view(seat).to_string();
        assert!(!drawn.trim().is_empty(), "seat {seat} is drawn nothing; {}", place());
    }
}

/// Actions of which a seat sees the same lead it to the same view; with perfect recall, those of which it sees different
/// things lead it to different views.
fn check_choices<G: Game>(
    game: &G,
    world: &G::World,
    actions: &[G::Action],
    place: &dyn Fn() -> String,
) {
    // Neighbours in the list are those most easily taken for each other.
    const SAMPLE: usize = 12;
    let step = actions.len().div_ceil(SAMPLE).max(1);
    for pair in actions.windows(2).step_by(step) {
        let after = [pair[0], pair[1]].map(|action| {
            let mut next = world.clone();
            next.apply(action);
            next
        });
        for seat in Seat::all(game.seats()) {
            let [here, there] = [pair[0], pair[1]].map(|action| world.event(action, seat));
            let same_view = after[0].view(seat) == after[1].view(seat);
            let fits = if here == there { same_view } else { !same_view || !G::PERFECT_RECALL };
            assert!(
                fits,
                "seat {seat} sees {here:?} of {} and {there:?} of {}, but its views after them {}; {}",
                pair[0],
                pair[1],
                if same_view { "agree" } else { "differ" },
                place()
            );
        }
    }
}

fn check_payoffs<G: Game>(game: &G, world: &G::World, place: &dyn Fn() -> String) {
    let payoffs: Vec<f64> = Seat::all(game.seats()).map(|seat| world.payoff(seat)).collect();
    assert!(payoffs.iter().all(|payoff| payoff.is_finite()), "{payoffs:?}; {}", place());
    let sum: f64 = payoffs.iter().sum();
    if let Some(declared) = game.payoff_sum() {
        assert!(
            (sum - declared).abs() < 1e-9,
            "payoffs sum to {sum}, not to {declared}; {}",
            place()
        );
    }
}

/// Who gives a game up gets no more than the worst ending seen, and payoffs still add up.
fn check_forfeits<G: Game>(game: &G, worst: &[f64]) {
    for seat in Seat::all(game.seats()) {
        let payoffs = game.forfeit_payoffs(seat);
        assert_eq!(payoffs.len(), game.seats(), "{}: payoffs of a forfeit", G::NAME);
        let (own, worst) = (payoffs[seat.index()], worst[seat.index()]);
        assert!(
            own <= worst + 1e-9,
            "{}: seat {seat} gets {own} for giving up, and {worst} from the worst ending",
            G::NAME
        );
        let sum: f64 = payoffs.iter().sum();
        let fits = game.payoff_sum().is_none_or(|declared| (sum - declared).abs() < 1e-9);
        assert!(fits, "{}: payoffs of a forfeit of seat {seat} sum to {sum}", G::NAME);
    }
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
    let read = game.parse_position(&game.write_position(world)).map(|world| world.facts());
    let facts = world.facts();
    assert!(
        read.as_ref() == Ok(&facts) && world.facts() == facts,
        "facts are not what the record says: {facts:?} against {read:?}; {}",
        place()
    );
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
        check_imagined(&imagined, &view, place);
        check_support(world, &view, rng, place);
        check_written(game, &imagined, place);
        doubts.note(seat, imagined != *world);
        check_events(game, world, &imagined, seat, place);
        check_shared(game, world, &imagined, place);
    }
}

/// An imagined world gives the same view: equal, printed and drawn alike, with the same hash.
fn check_imagined<V: SeatView>(imagined: &V::World, view: &V, place: &dyn Fn() -> String)
where
    V::World: GameWorld<View = V>,
{
    let seat = view.seat();
    let again = imagined.view(seat);
    assert!(
        again == *view,
        "seat {seat} imagined another view: {}; {}",
        difference(view, &again),
        place()
    );
    assert_eq!(hash_of(&again), hash_of(view), "equal views have different hashes; {}", place());
    assert!(
        format!("{again:?}") == format!("{view:?}") && again.to_string() == view.to_string(),
        "equal views of seat {seat} are printed or drawn differently: {}; {}",
        difference(view, &again),
        place()
    );
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
    check_written(game, world, place);
    for action in actions {
        assert_eq!(action.to_string().parse::<G::Action>().as_ref(), Ok(action), "{}", place());
    }
}

/// A world comes back from its text.
fn check_written<G: Game>(game: &G, world: &G::World, place: &dyn Fn() -> String) {
    let text = game.write_position(world);
    assert!(!text.contains('\n'), "a position is one line; {}", place());
    match game.parse_position(&text) {
        Ok(back) => {
            assert!(
                back == *world,
                "a position changed by writing and reading: {text} became {}: {}; {}",
                game.write_position(&back),
                difference(world, &back),
                place()
            );
            assert_eq!(
                hash_of(&back),
                hash_of(world),
                "equal worlds have different hashes; {text}"
            );
        }
        Err(error) => panic!("own position {text} refused: {error}; {}", place()),
    }
}

/// Small damage to good texts must end in an error or in a position that can be played on.
fn check_mangled<G: Game>(
    game: &G,
    world: &G::World,
    actions: &[G::Action],
    rng: &mut Rng,
    place: &dyn Fn() -> String,
) {
    let text = game.write_position(world);
    let mangled = [(); 3].map(|()| mangle(&text, rng));
    for text in mangled.into_iter().chain([exchange_words(&text, rng)]) {
        let Ok(mut read) = game.parse_position(&text) else { continue };
        let place = || format!("read from `{text}`, made of {}", place());
        check_written(game, &read, &place);
        for seat in Seat::all(game.seats()) {
            let view = read.view(seat);
            check_imagined(&view.imagine(rng), &view, &place);
            check_support(&read, &view, rng, &place);
        }
        for _ in 0..PLIES_AFTER_READING {
            if read.to_act().is_none() {
                check_payoffs(game, &read, &place);
                break;
            }
            let mut some = false;
            read.for_each_legal(|_| some = true);
            assert!(some, "no legal action, and not over; {}", place());
            read.apply(read.random_action(rng));
        }
    }
    let action = mangle(&actions[rng.below(actions.len())].to_string(), rng);
    let _: Result<G::Action, NotationError> = G::Action::from_str(&action);
}

/// How far a position that was read from a mangled text is played on.
const PLIES_AFTER_READING: u32 = 20;

/// A text in which two words have changed places, or one has become a copy of another.
fn exchange_words(text: &str, rng: &mut Rng) -> String {
    let is_word = |c: char| c.is_alphanumeric();
    let mut words: Vec<&str> = text.split(|c| !is_word(c)).collect();
    let (here, there) = (rng.below(words.len()), rng.below(words.len()));
    if rng.below(4) == 0 {
        words[here] = words[there];
    } else {
        words.swap(here, there);
    }
    let mut between = text.chars().filter(|&c| !is_word(c));
    let mut exchanged = String::new();
    for word in words {
        exchanged.push_str(word);
        exchanged.extend(between.next());
    }
    exchanged
}

fn mangle(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(2) {
        if chars.is_empty() {
            break;
        }
        let at = rng.below(chars.len());
        match rng.below(6) {
            0 => drop(chars.remove(at)),
            1 => chars.truncate(at),
            2 => chars.insert(at, chars[rng.below(chars.len())]),
            3 => chars[at] = char::from_u32(chars[at] as u32 + 1).unwrap_or('x'),
            4 => chars[at] = [' ', '0', '9', 'x', '-', '朧', ':'][rng.below(7)],
            _ => {
                let other = rng.below(chars.len());
                chars.swap(at, other);
            }
        }
    }
    chars.into_iter().collect()
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

/// Checks that `draw` gives every one of `expected`, and about equally often: χ² below its 1 − 10⁻⁶
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
    // Among a thousand values χ² does not notice one.
    let missed = counts.iter().find(|(_, count)| **count == 0);
    assert!(missed.is_none(), "{missed:?} was never drawn");
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
