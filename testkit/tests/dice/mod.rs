//! A game small enough to be broken on purpose: two players hold a hidden die each and say in turn whether the
//! other's is high, low or even. The second may not say what the first said. At the end the dice are shown.

mod encoding;

use oboro_core::{
    Belief, Described, Fact, FactInfo, Game, GameScenes, GameWorld, NotationError, Phrase, Rng,
    Scanner, Seat, SeatView,
};
use oboro_search::Searchable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is wrong with the game; each breaks one law.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fault {
    #[default]
    None,
    NeverEnds,
    NoAction,
    ListsTwice,
    RefusesListed,
    AcceptsUnlisted,
    SameWord,
    GoesOnAfterTheEnd,
    ViewOffersOthers,
    EverybodyMayMove,
    ForgetsWhoseViewItIs,
    ImaginesAnotherView,
    ShowsAllDice,
    NeverImaginesASix,
    EventSaysTooMuch,
    EventSaysTooLittle,
    LosesPositions,
    LosesActions,
    PanicsOverNonsense,
    PayoffsDoNotAddUp,
    UndeclaredFact,
    ImaginesSixesTooOften,
    ImaginesSixesLater,
    ImaginesInStep,
    ImaginesOtherwiseLater,
    NeverImaginesTheTruth,
    ImaginesUnreadable,
    ReadsImpossible,
    LeaksBesideEquality,
    HashDiffers,
    WorldHashDiffers,
    DrawsAtRandom,
    CannotBeDrawnAtTheEnd,
    DrawsNothing,
    ForgetsWords,
    ViewMissesWords,
    LeaksParity,
    FactsVary,
    PayoffsOfMangled,
    PaysForfeits,
    LosesForfeits,
    RangeTooSmall,
    DealsDoNotAddUp,
    ListsTooFewDeals,
    ListsOtherChances,
    SharesTooLittle,
    Allocates,
    SceneForgets,
    PublicSceneShows,
    SameParts,
    NoJapanese,
    SilentStory,
    PublicEventSaysTooMuch,
    OddProbabilities,
    WrongProbabilities,
    NoAnswers,
    NumbersForget,
    NumbersForgetWhose,
    NumbersTooLarge,
    SameNames,
    SameNumber,
    NumberBeyondAll,
    FindsIllegal,
    FindsNothing,
    SilentTruth,
    TruthTellsHalf,
    EncodingAllocates,
    SymmetryLoses,
    UnequalSymmetry,
    WrongSymmetry,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Dice {
    pub(crate) fault: Fault,
}

#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Guess {
    High,
    Low,
    Even,
    /// Only a faulty game writes this one.
    Odd,
}

const GUESSES: [Guess; 3] = [Guess::High, Guess::Low, Guess::Even];

impl Guess {
    fn is_right(self, die: u8) -> bool {
        match self {
            Guess::High => die > 3,
            Guess::Low => die <= 3,
            Guess::Even => die.is_multiple_of(2),
            Guess::Odd => false,
        }
    }
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Guess::High => "high",
            Guess::Low | Guess::Odd => "low",
            Guess::Even => "even",
        })
    }
}

impl FromStr for Guess {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Guess, NotationError> {
        let found = GUESSES.into_iter().find(|guess| guess.to_string() == text);
        found.ok_or_else(|| NotationError::new(text, 0, "expected high, low or even"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct World {
    dice: [u8; 2],
    said: [Option<Guess>; 2],
    fault: Fault,
}

impl Hash for World {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.dice, self.said).hash(state);
        if self.fault == Fault::WorldHashDiffers {
            count().hash(state);
        }
    }
}

#[derive(Clone, Copy, Eq, Debug)]
pub(crate) struct View {
    seat: Seat,
    own: u8,
    other: Option<u8>,
    said: [Option<Guess>; 2],
    /// Whether the other die is even, which only a faulty game tells.
    parity: Option<bool>,
    /// What only a faulty game puts here, and equality does not look at.
    leak: u8,
    pub(crate) fault: Fault,
}

impl PartialEq for View {
    fn eq(&self, other: &View) -> bool {
        let parts = |view: &View| (view.seat, view.own, view.other, view.said, view.parity);
        parts(self) == parts(other)
    }
}

impl Hash for View {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.seat, self.own, self.other, self.said, self.parity).hash(state);
        if self.fault == Fault::HashDiffers {
            count().hash(state);
        }
    }
}

impl View {
    /// What a faulty game lets through.
    pub(crate) fn leak(&self) -> u8 {
        self.leak
    }
}

/// Another number at every call.
fn count() -> u32 {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed)
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Event {
    seat: Seat,
    guess: Guess,
    shown: Option<u8>,
    parity: Option<bool>,
}

fn turn(said: [Option<Guess>; 2]) -> Option<Seat> {
    said.iter().position(Option::is_none).map(Seat::new)
}

fn legal(said: [Option<Guess>; 2], fault: Fault, mut visit: impl FnMut(Guess)) {
    match (turn(said), fault) {
        (None, Fault::GoesOnAfterTheEnd) => visit(Guess::High),
        (None, _) => {}
        (Some(seat), Fault::NoAction) if seat != Seat::FIRST => {}
        (Some(_), Fault::LosesActions) => [Guess::Odd, Guess::High].into_iter().for_each(visit),
        (Some(_), _) => {
            GUESSES.into_iter().filter(|guess| said[0] != Some(*guess)).for_each(&mut visit);
            if fault == Fault::ListsTwice {
                visit(if said[0] == Some(Guess::Even) { Guess::Low } else { Guess::Even });
            }
        }
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let over = turn(self.said).is_none();
        assert!(self.fault != Fault::CannotBeDrawnAtTheEnd || !over, "nothing to draw");
        if self.fault == Fault::DrawsNothing {
            return Ok(());
        }
        write!(f, "dice {:?}", self.dice)
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.fault == Fault::DrawsAtRandom {
            write!(f, "{} ", count())?;
        }
        write!(f, "your die {}", self.own)
    }
}

impl GameWorld for World {
    type Action = Guess;
    type View = View;
    type Event = Event;

    fn to_act(&self) -> Option<Seat> {
        turn(self.said)
    }

    fn for_each_legal(&self, visit: impl FnMut(Guess)) {
        legal(self.said, self.fault, visit);
    }

    fn legal_word(&self) -> Option<u64> {
        let first = self.said[0].map_or(0, |guess| 1 + guess as u64);
        Some(if self.fault == Fault::SameWord { 0 } else { first })
    }

    fn is_legal(&self, action: Guess) -> bool {
        let mut found = false;
        self.for_each_legal(|guess| found |= guess == action);
        match self.fault {
            Fault::RefusesListed => found && action != Guess::Low,
            Fault::AcceptsUnlisted => turn(self.said).is_some(),
            _ => found,
        }
    }

    fn apply(&mut self, action: Guess) {
        let seat = self.to_act().expect("somebody is to move");
        if self.fault == Fault::Allocates {
            std::hint::black_box(vec![action]);
        }
        // Without an end the second word becomes the first.
        let place = if self.fault == Fault::NeverEnds { 0 } else { seat.index() };
        self.said[place] = Some(action);
    }

    fn payoff(&self, seat: Seat) -> f64 {
        let right = |seat: usize| {
            let guess = self.said[seat].is_some_and(|guess| guess.is_right(self.dice[1 - seat]));
            f64::from(u8::from(guess))
        };
        let (own, other) = (seat.index(), 1 - seat.index());
        // Of a six against a six nobody gets anything; that is dealt rarely, and read often.
        let twelve = self.fault == Fault::PayoffsOfMangled && self.dice == [6, 6];
        let fee = f64::from(u8::from(self.fault == Fault::PayoffsDoNotAddUp || twelve)) / 10.0;
        0.5 + (right(own) - right(other)) / 2.0 - fee
    }

    fn view(&self, seat: Seat) -> View {
        let shown = turn(self.said).is_none() || self.fault == Fault::ShowsAllDice;
        let seen = if self.fault == Fault::ForgetsWhoseViewItIs { Seat::FIRST } else { seat };
        let other = self.dice[1 - seat.index()];
        let mut said = self.said;
        match self.fault {
            // At the end nobody knows what the first said.
            Fault::ForgetsWords if turn(said).is_none() => said[0] = Some(Guess::High),
            // The other's first word is not heard.
            Fault::ViewMissesWords if seat != Seat::FIRST && said[0] == Some(Guess::Low) => {
                said[0] = Some(Guess::Even);
            }
            _ => {}
        }
        let parity = self.fault == Fault::LeaksParity && self.said[0].is_some();
        View {
            seat: seen,
            own: self.dice[seat.index()],
            other: shown.then_some(other),
            said,
            parity: parity.then_some(other.is_multiple_of(2)),
            leak: if self.fault == Fault::LeaksBesideEquality { other } else { 0 },
            fault: self.fault,
        }
    }

    fn event(&self, action: Guess, observer: Seat) -> Event {
        let seat = self.to_act().expect("somebody is to move");
        let last = seat != Seat::FIRST && self.fault != Fault::NeverEnds;
        let shown = match self.fault {
            Fault::EventSaysTooMuch | Fault::ShowsAllDice => true,
            Fault::EventSaysTooLittle => false,
            _ => last,
        };
        let other = self.dice[1 - observer.index()];
        let parity = (self.fault == Fault::LeaksParity).then_some(other.is_multiple_of(2));
        Event { seat, guess: action, shown: shown.then_some(other), parity }
    }

    fn shared(&self) -> Option<World> {
        (self.fault == Fault::SharesTooLittle).then_some(World { dice: [1; 2], ..*self })
    }

    fn facts(&self) -> Vec<Fact> {
        let sum = match self.fault {
            Fault::FactsVary => count(),
            _ => u32::from(self.dice[0] + self.dice[1]),
        };
        let mut facts = vec![Fact::game("sum", sum)];
        if self.fault == Fault::UndeclaredFact {
            facts.push(Fact::game("luck", 1.0));
        }
        facts
    }
}

impl SeatView for View {
    type Action = Guess;
    type World = World;

    fn seat(&self) -> Seat {
        self.seat
    }

    fn to_act(&self) -> Option<Seat> {
        turn(self.said)
    }

    fn for_each_legal(&self, mut visit: impl FnMut(Guess)) {
        if self.to_act() == Some(self.seat) || self.fault == Fault::EverybodyMayMove {
            match self.fault {
                Fault::ViewOffersOthers => visit(Guess::Even),
                fault => legal(self.said, fault, visit),
            }
        }
    }

    fn imagine(&self, rng: &mut Rng) -> World {
        let sides = match self.fault {
            Fault::NeverImaginesASix => 5,
            Fault::ImaginesUnreadable => 7,
            Fault::ImaginesOtherwiseLater if self.said[0].is_some() => 3,
            _ => 6,
        };
        let mut die = 1 + rng.below(sides) as u8;
        while self.parity.is_some_and(|even| even != die.is_multiple_of(2)) {
            die = 1 + rng.below(6) as u8;
        }
        let spoken = self.said[0].is_some();
        match self.fault {
            Fault::ImaginesSixesTooOften if rng.chance(0.3) => die = 6,
            Fault::ImaginesSixesLater if spoken && rng.chance(0.3) => die = 6,
            Fault::ImaginesInStep if rng.chance(0.5) => die = self.own,
            Fault::NeverImaginesTheTruth if self.own == die => die = 1 + die % 6,
            _ => {}
        }
        let mut dice = [die; 2];
        dice[self.seat.index()] = self.own;
        if let Some(other) = self.other {
            dice[1 - self.seat.index()] = other;
        }
        if self.fault == Fault::ImaginesAnotherView {
            dice[self.seat.index()] = 1;
        }
        let mut said = self.said;
        if self.fault == Fault::ForgetsWords && turn(said).is_none() {
            let others = GUESSES.into_iter().filter(|guess| Some(*guess) != said[1]);
            said[0] = others.collect::<Vec<_>>().get(rng.below(2)).copied();
        }
        World { dice, said, fault: self.fault }
    }
}

impl Game for Dice {
    type World = World;
    type View = View;
    type Action = Guess;
    type Event = Event;
    const NAME: &'static str = "dice";
    const PERFECT_RECALL: bool = true;

    fn seats(&self) -> usize {
        2
    }

    fn deal(&self, rng: &mut Rng) -> World {
        let dice = [0; 2].map(|_: u8| 1 + rng.below(6) as u8);
        World { dice, said: [None; 2], fault: self.fault }
    }

    fn deals(&self) -> Option<Vec<(f64, World)>> {
        let pairs = (1..=6).flat_map(|one| (1..=6).map(move |two| [one, two]));
        let share = |[one, two]: [u8; 2]| match self.fault {
            Fault::DealsDoNotAddUp => 0.1,
            Fault::ListsTooFewDeals => 1.0 / 30.0,
            Fault::ListsOtherChances if one == two => 1.0 / 16.0,
            Fault::ListsOtherChances => 1.0 / 48.0,
            _ => 1.0 / 36.0,
        };
        let listed = pairs.filter(|[one, two]| one != two || self.fault != Fault::ListsTooFewDeals);
        let start = |dice| World { dice, said: [None; 2], fault: self.fault };
        Some(listed.map(|dice| (share(dice), start(dice))).collect())
    }

    fn write_position(&self, world: &World) -> String {
        let mut text = format!("{}{}", world.dice[0], world.dice[1]);
        if self.fault != Fault::LosesPositions {
            for guess in world.said.iter().flatten() {
                text.push(' ');
                text.push_str(&guess.to_string());
            }
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        let mut s = Scanner::new(text);
        let most = if self.fault == Fault::ReadsImpossible { 9 } else { 6 };
        let mut world = World { dice: [0; 2], said: [None; 2], fault: self.fault };
        for die in &mut world.dice {
            let digit = s.peek().and_then(|c| c.to_digit(10)).filter(|d| (1..=most).contains(d));
            assert!(digit.is_some() || self.fault != Fault::PanicsOverNonsense, "that is no die");
            *die = digit.ok_or_else(|| s.error("expected a die from 1 to 6"))? as u8;
            s.take();
        }
        for i in 0..2 {
            let word = s.word();
            if !word.is_empty() {
                world.said[i] = Some(word.parse()?);
            }
        }
        s.finish()?;
        if world.said[0].is_some() && world.said[0] == world.said[1] {
            return Err(s.error("the second may not say what the first said"));
        }
        Ok(world)
    }

    fn payoff_sum(&self) -> Option<f64> {
        Some(1.0)
    }

    fn forfeit_payoffs(&self, seat: Seat) -> Vec<f64> {
        let mut payoffs = vec![1.0; 2];
        payoffs[seat.index()] = match self.fault {
            Fault::PaysForfeits => 0.5,
            Fault::LosesForfeits => -1.0,
            _ => 0.0,
        };
        payoffs
    }

    fn facts(&self) -> &'static [FactInfo] {
        &[FactInfo { name: "sum", per_seat: false, about: "both dice together" }]
    }
}

impl Searchable for Dice {
    fn payoff_range(&self) -> f64 {
        if self.fault == Fault::RangeTooSmall { 0.5 } else { 1.0 }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Scene {
    dice: [Option<u8>; 2],
    said: [Option<Guess>; 2],
    to_act: Option<usize>,
    seat: Option<usize>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Said {
    seat: Option<usize>,
    guess: Option<Guess>,
    shown: Option<u8>,
}

fn stage(dice: [Option<u8>; 2], said: [Option<Guess>; 2], seat: Option<Seat>) -> Scene {
    Scene { dice, said, to_act: turn(said).map(Seat::index), seat: seat.map(Seat::index) }
}

impl GameScenes for Dice {
    type Scene = Scene;
    type ActionData = Said;
    type EventData = Said;

    fn scene(&self, view: &View) -> Scene {
        let mut dice = [view.other; 2];
        dice[view.seat.index()] = (self.fault != Fault::SceneForgets).then_some(view.own);
        stage(dice, view.said, Some(view.seat))
    }

    fn public_scene(&self, world: &World) -> Scene {
        let over = turn(world.said).is_none();
        let shown = over || self.fault == Fault::PublicSceneShows;
        stage(world.dice.map(|die| shown.then_some(die)), world.said, None)
    }

    fn full_scene(&self, world: &World) -> Scene {
        stage(world.dice.map(Some), world.said, None)
    }

    fn describe(&self, view: &View, action: Guess) -> Described<Said> {
        let ja = if self.fault == Fault::NoJapanese { "" } else { "宣言" };
        let guess = (self.fault != Fault::SameParts).then_some(action);
        Described {
            parts: Said { seat: Some(view.seat.index()), guess, shown: None },
            text: Phrase::new(format!("Say {action}"), ja),
        }
    }

    fn public_event(&self, world: &World, action: Guess) -> Event {
        let seat = world.to_act().expect("somebody is to move");
        let shown = seat != Seat::FIRST || self.fault == Fault::PublicEventSaysTooMuch;
        // Both dice in one number.
        let shown = shown.then(|| world.dice[0] * 10 + world.dice[1]);
        Event { seat, guess: action, shown, parity: None }
    }

    fn narrate(&self, _: &Scene, event: &Event) -> Described<Said> {
        let told = self.fault != Fault::SilentStory;
        let shown = event.shown.filter(|_| told);
        let parts = Said { seat: Some(event.seat.index()), guess: Some(event.guess), shown };
        Described { parts, text: Phrase::new(format!("{} is said", event.guess), "宣言した") }
    }

    fn secrets(&self, view: &View) -> Vec<Belief> {
        if view.other.is_some() {
            return Vec::new();
        }
        let weight = |die: u8| match self.fault {
            Fault::WrongProbabilities => f64::from(die),
            _ => 1.0,
        };
        let mut belief = Belief::weighted("die", (1..=6).map(|die| (die, weight(die))));
        if self.fault == Fault::OddProbabilities {
            belief.values[0].probability = 0.9;
        }
        vec![belief]
    }

    fn answers(&self, world: &World, view: &View) -> Vec<String> {
        if view.other.is_some() || self.fault == Fault::NoAnswers {
            return Vec::new();
        }
        vec![world.dice[1 - view.seat.index()].to_string()]
    }
}
