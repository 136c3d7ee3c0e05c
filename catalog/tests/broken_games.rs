//! The same faults put into games that are not made for them, large ones among them, and which check finds each. A fault is
//! put around a game: what it says of positions, views, events, scenes or numbers is changed on its way out.
//! `docs/reference/faults.md` shows the table that is made here.

use oboro_core::{
    AgentEntry, Belief, Described, EncodingLayout, Fact, FactInfo, Game, GameEncoding, GameScenes,
    GameWorld, NotationError, ObservationBuffer, Params, Rng, Seat, SeatView, Shape, Symmetry,
};
use oboro_geister::Geister;
use oboro_labyrinth::Labyrinth;
use oboro_saboteur::Saboteur;
use oboro_search::{Defaults, Searchable, standard_agents};
use oboro_sevens::Sevens;
use oboro_small::{DarkHex, Leduc, LiarsDice};
use oboro_testkit::{
    Effort, census, check_agent, check_encoding, check_game, check_random_action, check_scenes,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fmt::{self, Debug, Display};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::thread;

macro_rules! faults {
    ($($name:ident: $layer:ident, $words:literal;)*) => {
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize, JsonSchema,
        )]
        enum Fault {
            #[default]
            Sound,
            $($name,)*
        }

        /// Every fault, what it changes, and what it is.
        const FAULTS: &[(Fault, Layer, &str)] = &[$((Fault::$name, Layer::$layer, $words),)*];
    };
}

/// What a fault changes; checks of layers before it cannot notice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Layer {
    Game,
    Scenes,
    Encoding,
}

faults! {
    NeverEnds: Game, "actions change nothing";
    OverAtOnce: Game, "nobody is to move at the start";
    NothingLegal: Game, "nothing is legal at the third ply";
    ListsTwice: Game, "an action is listed twice";
    RefusesLast: Game, "the last action is listed and refused";
    SameWord: Game, "all positions have the same word for what is legal";
    OffersLess: Game, "a view leaves out the first action";
    WrongSeat: Game, "a view says that it is another seat's";
    NeverTheLast: Game, "the last action is never drawn at random";
    LeaksAloud: Game, "a view shows a bit of what is hidden, and imagined worlds ignore it";
    LeaksSoundly: Game, "a view shows a bit of what is hidden, and imagined worlds agree with it";
    LeaksInHash: Game, "the bit changes the hash of a view alone";
    LeaksInDrawing: Game, "the bit is drawn alone";
    LeaksInPrint: Game, "the bit is in the debug text alone";
    EventTells: Game, "an event tells the bit, and the view after it does not";
    EventsAlike: Game, "all events are equal";
    Skewed: Game, "of two imagined worlds the one whose text comes last is taken";
    SkewedLater: Game, "the same, but not at the start";
    Fixed: Game, "a view always imagines the same world";
    Halved: Game, "half of the possible worlds are never imagined";
    Counts: Game, "every other world is imagined from other random numbers";
    ImaginesWithMark: Game, "positions of imagined worlds cannot be read";
    LosesTheEnd: Game, "a position loses its last letter";
    TwoLines: Game, "a position has two lines";
    PanicsOverNonsense: Game, "a text that is no position leads to a panic";
    HashVaries: Game, "equal worlds have different hashes";
    DrawsNothing: Game, "a world is drawn as nothing";
    DrawsNoEnd: Game, "the end of a game cannot be drawn";
    DrawsByCounter: Game, "a view is drawn otherwise every second time";
    NoNumber: Game, "the payoff is not a number";
    AddsUpToMore: Game, "payoffs are said to add up to one more";
    PaysForfeits: Game, "who gives up is paid 1000";
    PaysTheNext: Game, "each seat is paid what the next one earned";
    UndeclaredFact: Game, "a fact is reported and not declared";
    FactsVary: Game, "facts change when the position is written and read";
    ApplyAllocates: Game, "an action takes memory from the heap";
    ImagineAllocates: Game, "imagining takes memory from the heap";
    PublicShows: Scenes, "a spectator is shown everything";
    TellsSpectators: Scenes, "a spectator is told what the seat to move sees";
    ForgetsOwn: Scenes, "a seat is shown the public scene";
    NoJapanese: Scenes, "actions have no Japanese words";
    SameParts: Scenes, "all actions have the same parts";
    SilentStory: Scenes, "events are told without words";
    OddProbabilities: Scenes, "probabilities of secrets add up to 2";
    WrongProbabilities: Scenes, "the first value of a secret is too likely";
    NoAnswers: Scenes, "secrets have no answers";
    NumbersForget: Encoding, "every second number of a view is 0";
    NumbersTooLarge: Encoding, "a number is larger than its channel says";
    SameNumber: Encoding, "all actions have the same number";
    FindsNothing: Encoding, "no number leads back to its action";
    SilentTruth: Encoding, "the truth is all zeros";
    EncodingAllocates: Encoding, "writing an observation takes memory from the heap";
}

use Fault::*;

thread_local! {
    static COUNTER: Cell<u64> = const { Cell::new(0) };
}

/// Whether this is asked for the second, fourth … time.
fn every_other_time() -> bool {
    COUNTER.with(|counter| counter.replace(counter.get() + 1)) % 2 == 1
}

fn take_memory() {
    drop(std::hint::black_box(vec![1]));
}

/// A bit that depends on all of a world.
fn bit(world: &impl Hash) -> u8 {
    let mut hasher = DefaultHasher::new();
    world.hash(&mut hasher);
    (hasher.finish() & 1) as u8
}

/// A game with a fault.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "G: Params")]
struct Broken<G: Game> {
    fault: Fault,
    game: G,
}

struct World<G: Game> {
    fault: Fault,
    real: G::World,
    plies: u8,
    /// Whether it was imagined or read.
    copied: bool,
}

struct View<G: Game> {
    fault: Fault,
    real: G::View,
    leak: u8,
    plies: u8,
}

struct Event<G: Game> {
    fault: Fault,
    real: G::Event,
    leak: u8,
}

impl<G: Game> Clone for World<G> {
    fn clone(&self) -> World<G> {
        World { real: self.real.clone(), ..*self }
    }
}

impl<G: Game> PartialEq for World<G> {
    fn eq(&self, other: &World<G>) -> bool {
        self.real == other.real
    }
}

impl<G: Game> Eq for World<G> {}

impl<G: Game> Hash for World<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.real.hash(state);
        (self.fault == HashVaries && self.copied).hash(state);
    }
}

impl<G: Game> Debug for World<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.real, f)
    }
}

impl<G: Game> Display for World<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        assert!(self.fault != DrawsNoEnd || self.to_act().is_some(), "no drawing of the end");
        if self.fault == DrawsNothing { Ok(()) } else { Display::fmt(&self.real, f) }
    }
}

impl<G: Game> Clone for View<G> {
    fn clone(&self) -> View<G> {
        View { real: self.real.clone(), ..*self }
    }
}

impl<G: Game> PartialEq for View<G> {
    fn eq(&self, other: &View<G>) -> bool {
        let shown = [LeaksAloud, LeaksSoundly].contains(&self.fault);
        self.real == other.real && (!shown || self.leak == other.leak)
    }
}

impl<G: Game> Eq for View<G> {}

impl<G: Game> Hash for View<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.real.hash(state);
        let shown = [LeaksAloud, LeaksSoundly, LeaksInHash].contains(&self.fault);
        (if shown { self.leak } else { 0 }).hash(state);
    }
}

impl<G: Game> Debug for View<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.real, f)?;
        if self.fault == LeaksInPrint { write!(f, "{}", self.leak) } else { Ok(()) }
    }
}

impl<G: Game> Display for View<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.real, f)?;
        match self.fault {
            LeaksInDrawing => write!(f, "{}", self.leak),
            DrawsByCounter if every_other_time() => f.write_str("!"),
            _ => Ok(()),
        }
    }
}

impl<G: Game> Clone for Event<G> {
    fn clone(&self) -> Event<G> {
        Event { real: self.real.clone(), ..*self }
    }
}

impl<G: Game> PartialEq for Event<G> {
    fn eq(&self, other: &Event<G>) -> bool {
        self.fault == EventsAlike || self.real == other.real && self.leak == other.leak
    }
}

impl<G: Game> Debug for Event<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.real, f)
    }
}

impl<G: Game> GameWorld for World<G> {
    type Action = G::Action;
    type View = View<G>;
    type Event = Event<G>;

    fn to_act(&self) -> Option<Seat> {
        if self.fault == OverAtOnce && self.plies == 0 { None } else { self.real.to_act() }
    }

    fn for_each_legal(&self, mut visit: impl FnMut(G::Action)) {
        if self.fault == NothingLegal && self.plies == 2 {
            return;
        }
        let mut again = self.fault == ListsTwice;
        self.real.for_each_legal(|action| {
            visit(action);
            if std::mem::take(&mut again) {
                visit(action);
            }
        });
    }

    fn is_legal(&self, action: G::Action) -> bool {
        let mut last = None;
        if self.fault == RefusesLast {
            self.real.for_each_legal(|action| last = Some(action));
        }
        self.real.is_legal(action) && last != Some(action)
    }

    fn legal_word(&self) -> Option<u64> {
        if self.fault == SameWord { Some(0) } else { self.real.legal_word() }
    }

    fn random_action(&self, rng: &mut Rng) -> G::Action {
        let action = self.real.random_action(rng);
        let (mut first, mut last) = (None, None);
        if self.fault == NeverTheLast {
            self.real.for_each_legal(|action| {
                first.get_or_insert(action);
                last = Some(action);
            });
        }
        if last == Some(action) { first.unwrap_or(action) } else { action }
    }

    fn apply(&mut self, action: G::Action) {
        match self.fault {
            NeverEnds => return,
            ApplyAllocates => take_memory(),
            _ => {}
        }
        self.real.apply(action);
        self.plies = self.plies.saturating_add(1);
    }

    fn payoff(&self, seat: Seat) -> f64 {
        match self.fault {
            NoNumber => f64::NAN,
            // Two seats are in every game.
            PaysTheNext if seat.index() < 2 => self.real.payoff(Seat::new(1 - seat.index())),
            _ => self.real.payoff(seat),
        }
    }

    fn view(&self, seat: Seat) -> View<G> {
        let leak = bit(&self.real);
        View { fault: self.fault, real: self.real.view(seat), leak, plies: self.plies }
    }

    fn event(&self, action: G::Action, seat: Seat) -> Event<G> {
        let leak = match self.fault {
            EventTells => bit(&self.real),
            LeaksSoundly => {
                let mut next = self.real.clone();
                next.apply(action);
                bit(&next)
            }
            _ => 0,
        };
        Event { fault: self.fault, real: self.real.event(action, seat), leak }
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.real.facts();
        if self.fault == UndeclaredFact || self.fault == FactsVary && self.copied {
            facts.push(Fact::game("undeclared", 1.0));
        }
        facts
    }
}

impl<G: Game> SeatView for View<G> {
    type Action = G::Action;
    type World = World<G>;

    fn seat(&self) -> Seat {
        let seat = self.real.seat();
        if self.fault == WrongSeat { Seat::new(1 - seat.index().min(1)) } else { seat }
    }

    fn to_act(&self) -> Option<Seat> {
        if self.fault == OverAtOnce && self.plies == 0 { None } else { self.real.to_act() }
    }

    fn for_each_legal(&self, mut visit: impl FnMut(G::Action)) {
        let mut left_out = self.fault != OffersLess;
        self.real.for_each_legal(|action| {
            if std::mem::replace(&mut left_out, true) {
                visit(action);
            }
        });
    }

    fn imagine(&self, rng: &mut Rng) -> World<G> {
        // Where all worlds have the same bit, there is no end to looking for the other.
        const TRIES: usize = 200;
        let mut real = self.real.imagine(rng);
        match self.fault {
            LeaksSoundly => {
                let mut tries = (0..TRIES).map(|_| self.real.imagine(rng));
                if bit(&real) != self.leak {
                    real = tries.find(|world| bit(world) == self.leak).unwrap_or(real);
                }
            }
            Halved => {
                let mut tries = (0..TRIES).map(|_| self.real.imagine(rng));
                real = tries.find(|world| bit(world) == 0).unwrap_or(real);
            }
            Skewed | SkewedLater if self.fault == Skewed || self.plies > 0 => {
                let other = self.real.imagine(rng);
                if format!("{other:?}") > format!("{real:?}") {
                    real = other;
                }
            }
            Fixed => real = self.real.imagine(&mut Rng::from_u64(0)),
            Counts if every_other_time() => real = self.real.imagine(rng),
            ImagineAllocates => take_memory(),
            _ => {}
        }
        World { fault: self.fault, real, plies: self.plies, copied: true }
    }
}

impl<G: Game> Game for Broken<G> {
    type World = World<G>;
    type View = View<G>;
    type Action = G::Action;
    type Event = Event<G>;
    const NAME: &'static str = G::NAME;
    const PERFECT_RECALL: bool = G::PERFECT_RECALL;

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn deal(&self, rng: &mut Rng) -> World<G> {
        World { fault: self.fault, real: self.game.deal(rng), plies: 0, copied: false }
    }

    fn write_position(&self, world: &World<G>) -> String {
        let mut text = self.game.write_position(&world.real);
        match self.fault {
            LosesTheEnd => drop(text.pop()),
            TwoLines => text.push('\n'),
            ImaginesWithMark if world.copied => text.push('!'),
            _ => {}
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<World<G>, NotationError> {
        let read = self.game.parse_position(text);
        assert!(self.fault != PanicsOverNonsense || read.is_ok(), "nonsense");
        Ok(World { fault: self.fault, real: read?, plies: 1, copied: true })
    }

    fn payoff_sum(&self) -> Option<f64> {
        let more = if self.fault == AddsUpToMore { 1.0 } else { 0.0 };
        self.game.payoff_sum().map(|sum| sum + more)
    }

    fn facts(&self) -> &'static [FactInfo] {
        self.game.facts()
    }

    fn forfeit_payoffs(&self, seat: Seat) -> Vec<f64> {
        let mut payoffs = self.game.forfeit_payoffs(seat);
        if self.fault == PaysForfeits {
            payoffs[seat.index()] = 1000.0;
        }
        payoffs
    }
}

impl<G: Searchable> Searchable for Broken<G> {
    const DEFAULTS: Defaults = Defaults::GENERAL;

    fn payoff_range(&self) -> f64 {
        self.game.payoff_range()
    }
}

impl<G: GameScenes> GameScenes for Broken<G> {
    type Scene = G::Scene;
    type ActionData = G::ActionData;
    type EventData = G::EventData;

    fn scene(&self, view: &View<G>) -> G::Scene {
        if self.fault == ForgetsOwn {
            let some = view.real.imagine(&mut Rng::from_u64(0));
            return self.game.public_scene(&some);
        }
        self.game.scene(&view.real)
    }

    fn public_scene(&self, world: &World<G>) -> G::Scene {
        if self.fault == PublicShows {
            return self.game.full_scene(&world.real);
        }
        self.game.public_scene(&world.real)
    }

    fn full_scene(&self, world: &World<G>) -> G::Scene {
        self.game.full_scene(&world.real)
    }

    fn describe(&self, view: &View<G>, action: G::Action) -> Described<G::ActionData> {
        let mut described = self.game.describe(&view.real, action);
        match self.fault {
            NoJapanese => described.text.ja.clear(),
            SameParts => {
                let first = view.legal_actions()[0];
                described.parts = self.game.describe(&view.real, first).parts;
            }
            _ => {}
        }
        described
    }

    fn public_event(&self, world: &World<G>, action: G::Action) -> Event<G> {
        let real = match world.real.to_act() {
            Some(mover) if self.fault == TellsSpectators => world.real.event(action, mover),
            _ => self.game.public_event(&world.real, action),
        };
        Event { fault: self.fault, real, leak: 0 }
    }

    fn narrate(&self, before: &G::Scene, event: &Event<G>) -> Described<G::EventData> {
        let mut told = self.game.narrate(before, &event.real);
        if self.fault == SilentStory {
            told.text.en.clear();
        }
        told
    }

    fn secrets(&self, view: &View<G>) -> Vec<Belief> {
        let mut secrets = self.game.secrets(&view.real);
        for value in secrets.iter_mut().flat_map(|secret| &mut secret.values) {
            value.probability *= match self.fault {
                OddProbabilities => 2.0,
                WrongProbabilities => 0.5,
                _ => 1.0,
            };
        }
        if self.fault == WrongProbabilities {
            for secret in &mut secrets {
                secret.values[0].probability += 0.5;
            }
        }
        secrets
    }

    fn answers(&self, world: &World<G>, view: &View<G>) -> Vec<String> {
        if self.fault == NoAnswers {
            return Vec::new();
        }
        self.game.answers(&world.real, &view.real)
    }
}

/// Sets the first number too high that has a limit.
fn exceed(shape: &Shape, out: &mut ObservationBuffer<'_>) {
    let cells = shape.cells();
    let plane = shape.planes.iter().position(|channel| channel.max < u8::MAX);
    let feature = shape.features.iter().position(|channel| channel.max < u8::MAX);
    if let Some(plane) = plane {
        out.planes[plane * cells] = u8::MAX;
    } else if let Some(feature) = feature {
        out.features[feature] = u8::MAX;
    }
}

impl<G: GameEncoding> GameEncoding for Broken<G> {
    type Memory = G::Memory;
    const WRITES_ALL: bool = G::WRITES_ALL;
    const TRUTH_IS_PARTIAL: bool = G::TRUTH_IS_PARTIAL;

    fn layout(&self) -> EncodingLayout {
        self.game.layout()
    }

    fn memory(&self, start: &View<G>) -> G::Memory {
        self.game.memory(&start.real)
    }

    fn remember(&self, memory: &mut G::Memory, before: &View<G>, event: &Event<G>) {
        self.game.remember(memory, &before.real, &event.real);
    }

    fn encode(&self, view: &View<G>, memory: &G::Memory, out: ObservationBuffer<'_>) {
        let ObservationBuffer { planes, features } = out;
        let mut out = ObservationBuffer { planes, features };
        let again = ObservationBuffer { planes: out.planes, features: out.features };
        self.game.encode(&view.real, memory, again);
        match self.fault {
            NumbersForget => {
                out.planes.iter_mut().step_by(2).for_each(|number| *number = 0);
                out.features.iter_mut().step_by(2).for_each(|number| *number = 0);
            }
            NumbersTooLarge => exceed(&self.layout().observation, &mut out),
            EncodingAllocates => take_memory(),
            _ => {}
        }
    }

    fn encode_truth(&self, world: &World<G>, seat: Seat, out: ObservationBuffer<'_>) {
        if self.fault != SilentTruth {
            self.game.encode_truth(&world.real, seat, out);
        }
    }

    fn action_index(&self, view: &View<G>, action: G::Action) -> usize {
        if self.fault == SameNumber { 0 } else { self.game.action_index(&view.real, action) }
    }

    fn action_at(&self, view: &View<G>, number: usize) -> Option<G::Action> {
        self.game.action_at(&view.real, number).filter(|_| self.fault != FindsNothing)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.game.symmetries()
    }
}

/// Whether a fault changes anything in a game.
fn applies<G: GameScenes>(game: &G, fault: Fault) -> bool {
    let world = game.deal(&mut Rng::from_u64(0));
    let mut end = world.clone();
    end.play_out_randomly(&mut Rng::from_u64(0));
    let secrets = [&world, &end].iter().any(|world| {
        Seat::all(game.seats()).any(|seat| !game.secrets(&world.view(seat)).is_empty())
    });
    match fault {
        AddsUpToMore => game.payoff_sum().is_some(),
        OddProbabilities | WrongProbabilities | NoAnswers => secrets,
        TellsSpectators => hides_from_spectators(game),
        _ => true,
    }
}

/// Whether spectators see less of some action than the seat that plays it.
fn hides_from_spectators<G: GameScenes>(game: &G) -> bool {
    (0..5).any(|number| {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        while let Some(mover) = world.to_act() {
            let action = world.random_action(&mut rng);
            if world.event(action, mover) != game.public_event(&world, action) {
                return true;
            }
            world.apply(action);
        }
        false
    })
}

/// The first check that finds a fault, as a cell of the table.
fn cell<G: GameScenes + GameEncoding + Searchable>(
    real: &G,
    (fault, layer): (Fault, Layer),
    sound: &str,
) -> &'static str {
    if !applies(real, fault) {
        return "";
    }
    let game = Broken { fault, game: real.clone() };
    let effort = Effort { games: 4, max_plies: 500, every: 5 };
    let fails = |check: &dyn Fn()| catch_unwind(AssertUnwindSafe(check)).is_err();
    let search = "ismcts:9".parse().expect("a spec");
    let (_, factory) =
        AgentEntry::resolve(&standard_agents(), &game, &search).expect("a standard agent");
    let checks: [(Layer, &str, &dyn Fn()); 6] = [
        (Layer::Game, "game", &|| check_game(&game, effort)),
        (Layer::Game, "random action", &|| check_random_action(&game, 4)),
        (Layer::Game, "agent", &|| check_agent(&game, &factory, 2)),
        (Layer::Game, "census", &|| assert_eq!(census(&game), sound)),
        (Layer::Scenes, "scenes", &|| check_scenes(&game, effort)),
        (Layer::Encoding, "encoding", &|| check_encoding(&game, Effort { games: 2, ..effort })),
    ];
    let mut rest = checks.iter().filter(|(checked, ..)| fault == Sound || *checked == layer);
    rest.find(|(_, _, check)| fails(check)).map_or("**nothing**", |(_, name, _)| name)
}

/// By which check each fault is found; first for the game without one.
fn column<G: GameScenes + GameEncoding + Searchable>(game: &G) -> Vec<&'static str> {
    let sound = census(&Broken { fault: Sound, game: game.clone() });
    let faults = FAULTS.iter().map(|&(fault, layer, _)| (fault, layer));
    [(Sound, Layer::Game)].into_iter().chain(faults).map(|it| cell(game, it, &sound)).collect()
}

#[test]
fn faults_in_many_games_are_found() {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let columns = thread::scope(|scope| {
        let columns = [
            ("sevens", scope.spawn(|| column(&Sevens::default()))),
            (
                "saboteur",
                scope.spawn(|| column(&Saboteur { players: 3, rounds: 1, ..Saboteur::default() })),
            ),
            (
                "labyrinth",
                scope.spawn(|| column(&Labyrinth { turn_limit: 8, ..Labyrinth::default() })),
            ),
            ("geister", scope.spawn(|| column(&Geister { plies: 30, ..Geister::default() }))),
            ("leduc", scope.spawn(|| column(&Leduc::default()))),
            ("liars-dice", scope.spawn(|| column(&LiarsDice::default()))),
            ("dark-hex", scope.spawn(|| column(&DarkHex::default()))),
        ];
        columns.map(|(name, column)| (name, column.join()))
    });
    set_hook(hook);
    let columns = columns.map(|(name, column)| (name, column.expect("a column")));
    for (name, column) in &columns {
        assert_eq!(column[0], "**nothing**", "{name} without a fault");
    }
    let names = columns.each_ref().map(|(name, _)| *name).join(" | ");
    let mut rows = format!("| fault | {names} |\n|---{}|\n", "|---".repeat(columns.len()));
    let (mut count, mut missed) = (0, 0);
    for (n, (_, _, words)) in FAULTS.iter().enumerate() {
        let cells = columns.each_ref().map(|(_, column)| column[n + 1]);
        count += cells.iter().filter(|cell| !cell.is_empty()).count();
        missed += cells.iter().filter(|cell| cell.starts_with('*')).count();
        rows += &format!("| {words} | {} |\n", cells.join(" | "));
    }
    let found = count - missed;
    let page = std::fs::read_to_string("../docs/reference/faults.md").expect("the page");
    assert!(page.contains(&rows), "the table in docs/reference/faults.md should be\n{rows}");
    assert!(page.contains(&format!("{found} of {count}")), "{found} of {count} are found");
}
