//! The game as numbers, and what can be wrong with them.

use super::{Dice, Event, Fault, GUESSES, Guess, View, World};
use oboro_core::{
    Channel, EncodingLayout, GameEncoding, ObservationBuffer, Seat, SeatView, Shape, Symmetry,
};

/// What each said, the observer first; whether the observer speaks first; how often a guess was heard.
const SAID: usize = 3;
const FIRST: usize = 2 * SAID;
const HEARD: usize = FIRST + 1;
const FEATURES: usize = HEARD + SAID;

impl GameEncoding for Dice {
    /// How often each guess was heard.
    type Memory = [u8; SAID];

    fn layout(&self) -> EncodingLayout {
        let dice = |names: &[&str]| {
            let planes = names.iter().map(|name| Channel::flag(*name, "what it shows")).collect();
            Shape::new([1, 6], planes, vec![])
        };
        let mut observation = dice(&["own die", "other die"]);
        let words = |who: &str| {
            GUESSES.map(|guess| Channel::flag(format!("{who} {guess}"), "whether it was said"))
        };
        let other = if self.fault == Fault::SameNames { "own" } else { "other" };
        observation.features.extend(words("own"));
        observation.features.extend(words(other));
        observation.features.push(Channel::flag("first", "the observer speaks first"));
        observation.features.extend(words("heard"));
        if self.fault == Fault::UnequalSymmetry {
            observation.planes[1].max = 2;
        }
        EncodingLayout { observation, truth: dice(&["other die"]), actions: SAID }
    }

    fn memory(&self, _: &View) -> [u8; SAID] {
        [0; SAID]
    }

    fn remember(&self, memory: &mut [u8; SAID], _: &View, event: &Event) {
        memory[event.guess as usize] += 1;
    }

    fn encode(&self, view: &View, memory: &[u8; SAID], out: ObservationBuffer<'_>) {
        if self.fault == Fault::EncodingAllocates {
            std::hint::black_box(vec![1]);
        }
        let one = if self.fault == Fault::NumbersTooLarge { 2 } else { 1 };
        out.planes[usize::from(view.own) - 1] = one;
        if let Some(other) = view.other {
            out.planes[5 + usize::from(other)] = 1;
        }
        let whose = [view.seat.index(), 1 - view.seat.index()];
        for (i, seat) in whose.into_iter().enumerate() {
            if let Some(said) = view.said[seat].filter(|_| self.fault != Fault::NumbersForget) {
                out.features[SAID * i + said as usize] = 1;
            }
        }
        let first = view.seat == Seat::FIRST && self.fault != Fault::NumbersForgetWhose;
        out.features[FIRST] = first.into();
        out.features[HEARD..].copy_from_slice(memory);
    }

    fn encode_truth(&self, world: &World, seat: Seat, out: ObservationBuffer<'_>) {
        let die = usize::from(world.dice[1 - seat.index()]) - 1;
        match self.fault {
            Fault::SilentTruth => {}
            Fault::TruthTellsHalf => out.planes[die / 3] = 1,
            _ => out.planes[die] = 1,
        }
    }

    fn action_index(&self, _: &View, action: Guess) -> usize {
        match self.fault {
            Fault::SameNumber => 0,
            Fault::NumberBeyondAll => action as usize + 1,
            _ => action as usize,
        }
    }

    fn action_at(&self, view: &View, number: usize) -> Option<Guess> {
        let guess = GUESSES.get(number).copied()?;
        match self.fault {
            Fault::FindsIllegal => Some(guess),
            Fault::FindsNothing => None,
            _ => view.legal_actions().contains(&guess).then_some(guess),
        }
    }

    /// One and three are both low and odd.
    fn symmetries(&self) -> Vec<Symmetry> {
        let swapped = |planes: u32, features: u32| -> Vec<u32> {
            let die = match self.fault {
                Fault::WrongSymmetry => [1, 0, 2, 3, 4, 5],
                Fault::SymmetryLoses => [2, 1, 2, 3, 4, 5],
                _ => [2, 1, 0, 3, 4, 5],
            };
            let dice = (0..planes).flat_map(|plane| die.map(|place| 6 * plane + place));
            let rest = planes * 6..planes * 6 + features;
            dice.chain(rest).collect()
        };
        let mut observation = swapped(2, FEATURES as u32);
        if self.fault == Fault::UnequalSymmetry {
            observation.rotate_left(6);
        }
        vec![Symmetry {
            name: "one and three exchanged".to_owned(),
            observation,
            truth: swapped(1, 0),
            actions: (0..SAID as u32).collect(),
        }]
    }
}
