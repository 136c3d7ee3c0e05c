//! A game small enough to be broken on purpose: two players hold a hidden die each and say in turn whether the
//! other's is high, low or even. The second may not say what the first said. At the end the dice are shown.

mod encoding;

use oboro_core::{
    Belief, Described, Fact, FactInfo, Game, GameScenes, GameWorld, NotationError, Phrase, Rng,
    Scanner, Seat, SeatView,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

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

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct World {
    dice: [u8; 2],
    said: [Option<Guess>; 2],
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct View {
    seat: Seat,
    own: u8,
    other: Option<u8>,
    said: [Option<Guess>; 2],
    fault: Fault,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Event {
    seat: Seat,
    guess: Guess,
    shown: Option<u8>,
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
        write!(f, "dice {:?}", self.dice)
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        if self.fault != Fault::NeverEnds || seat == Seat::FIRST {
            self.said[seat.index()] = Some(action);
        }
    }

    fn payoff(&self, seat: Seat) -> f64 {
        let right = |seat: usize| {
            let guess = self.said[seat].is_some_and(|guess| guess.is_right(self.dice[1 - seat]));
            f64::from(u8::from(guess))
        };
        let (own, other) = (seat.index(), 1 - seat.index());
        let fee = f64::from(u8::from(self.fault == Fault::PayoffsDoNotAddUp)) / 10.0;
        0.5 + (right(own) - right(other)) / 2.0 - fee
    }

    fn view(&self, seat: Seat) -> View {
        let shown = turn(self.said).is_none() || self.fault == Fault::ShowsAllDice;
        let seen = if self.fault == Fault::ForgetsWhoseViewItIs { Seat::FIRST } else { seat };
        let other = self.dice[1 - seat.index()];
        View {
            seat: seen,
            own: self.dice[seat.index()],
            other: shown.then_some(other),
            said: self.said,
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
        let shown = shown.then(|| self.dice[1 - observer.index()]);
        Event { seat, guess: action, shown }
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::game("sum", self.dice[0] + self.dice[1])];
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
        let sides = if self.fault == Fault::NeverImaginesASix { 5 } else { 6 };
        let mut dice = [1 + rng.below(sides) as u8; 2];
        dice[self.seat.index()] = self.own;
        if let Some(other) = self.other {
            dice[1 - self.seat.index()] = other;
        }
        if self.fault == Fault::ImaginesAnotherView {
            dice[self.seat.index()] = 1;
        }
        World { dice, said: self.said, fault: self.fault }
    }
}

impl Game for Dice {
    type World = World;
    type View = View;
    type Action = Guess;
    type Event = Event;
    const NAME: &'static str = "dice";

    fn seats(&self) -> usize {
        2
    }

    fn deal(&self, rng: &mut Rng) -> World {
        let dice = [0; 2].map(|_: u8| 1 + rng.below(6) as u8);
        World { dice, said: [None; 2], fault: self.fault }
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
        let mut world = World { dice: [0; 2], said: [None; 2], fault: self.fault };
        for die in &mut world.dice {
            let digit = s.peek().and_then(|c| c.to_digit(10)).filter(|d| (1..=6).contains(d));
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

    fn facts(&self) -> &'static [FactInfo] {
        &[FactInfo { name: "sum", per_seat: false, about: "both dice together" }]
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
        Event { seat, guess: action, shown }
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
