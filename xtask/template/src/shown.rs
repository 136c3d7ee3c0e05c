//! What screens, terminals and programs that learn get of the game, by the defaults that every game can use. A game that
//! wants better implements `GameScenes` or `GameEncoding` itself.

use crate::{Action, Dice, Event, View, World};
use oboro_core::{
    Belief, Channel, DefaultEncoding, DefaultScenes, GameWorld, Label, Observed, Phrase, Seat,
    SeatView, draw_seats,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an observer knows, as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Sight {
    /// The dice, in order of the seats; null where the observer does not know one.
    pub dice: [Option<u8>; 2],
    /// What each seat said; null before it spoke.
    pub said: [Option<Action>; 2],
}

fn words(by: Option<Seat>, action: Action) -> Phrase {
    let word = action.to_string();
    Phrase::action(by, ["say", "says"], &word, &format!("「{word}」と言う"))
}

impl DefaultScenes for Dice {
    type Sight = Sight;

    fn sight(&self, view: &View) -> Sight {
        Sight { dice: [0, 1].map(|seat| view.die(Seat::new(seat))), said: view.public.said }
    }

    fn public_sight(&self, world: &World) -> Sight {
        let over = world.to_act().is_none();
        Sight { dice: world.dice.map(|die| over.then_some(die)), said: world.public.said }
    }

    fn public_event(&self, world: &World, action: Action) -> Event {
        // Nobody sees more of a word than anybody else.
        world.event(action, Seat::FIRST)
    }

    fn tell(&self, event: &Event) -> Phrase {
        words(Some(event.seat), event.action)
    }

    fn phrase(&self, action: Action) -> Phrase {
        words(None, action)
    }

    /// What a person should see at a glance.
    fn labels(&self, observed: &Observed<'_, Dice>) -> Vec<Label> {
        match observed {
            Observed::Seat(view) => vec![Label::new("Your die", "自分のサイコロ", view.own)],
            Observed::All(_) => Vec::new(),
        }
    }

    fn secrets(&self, view: &View) -> Vec<Belief> {
        let dice = (1..=view.public.sides).map(|die| (die, 1.0));
        let hidden = view.other.is_none();
        hidden.then(|| Belief::weighted("other die", dice)).into_iter().collect()
    }

    fn answers(&self, world: &World, view: &View) -> Vec<String> {
        let hidden = view.other.is_none();
        hidden.then(|| world.die(view.seat().next(2)).to_string()).into_iter().collect()
    }
}

impl DefaultEncoding for Dice {
    fn action_count(&self) -> usize {
        Action::ALL.len()
    }

    fn action_index(&self, action: Action) -> usize {
        action as usize
    }

    fn view_channels(&self) -> Vec<Channel> {
        let die = |name| Channel::count(name, self.sides, "what it shows; 0 while it is hidden");
        let said = |name| {
            let about = "the number of what was said, from 1; 0 for nothing";
            Channel::count(name, Action::ALL.len() as u8, about)
        };
        let second = Channel::flag("second", "the observer speaks second");
        vec![second, die("own die"), die("other die"), said("own word"), said("other word")]
    }

    fn write_view(&self, view: &View, out: &mut [u8]) {
        let said = |seat: Seat| view.public.said[seat.index()].map_or(0, |said| said as u8 + 1);
        let (own, other) = (view.seat, view.seat.next(2));
        let second = u8::from(own != Seat::FIRST);
        out.copy_from_slice(&[second, view.own, view.other.unwrap_or(0), said(own), said(other)]);
    }

    fn hidden_channels(&self) -> Vec<Channel> {
        vec![Channel::count("other die", self.sides, "what it shows")]
    }

    fn write_hidden(&self, world: &World, seat: Seat, out: &mut [u8]) {
        out[0] = world.die(seat.next(2));
    }
}

fn line(said: Option<Action>, die: Option<u8>) -> String {
    let die = die.map_or("?".to_owned(), |die| die.to_string());
    format!("[{die}]  {}", said.map_or(String::new(), |said| format!("said {said}")))
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |seat: Seat| line(self.public.said[seat.index()], Some(self.die(seat)));
        draw_seats(f, 2, self.to_act(), line)
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |seat: Seat| line(self.public.said[seat.index()], self.die(seat));
        draw_seats(f, 2, self.to_act(), line)
    }
}
