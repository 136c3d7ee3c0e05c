//! Positions, actions and events as plain data for screens and programs.

use crate::{Action, Dice, Event, Public, View, World};
use oboro_core::{Belief, Described, GameScenes, GameWorld, Phrase, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Scene {
    /// Whose view it is; null for a spectator's, and for the whole truth.
    pub viewer: Option<Seat>,
    /// The players, in order of their seats.
    pub seats: Vec<SeatScene>,
    /// Whose turn it is; null when the game is over.
    pub to_act: Option<Seat>,
    /// How many sides a die has.
    pub sides: u8,
}

/// A player, and what the viewer knows of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SeatScene {
    /// Its seat.
    pub seat: Seat,
    /// Its die; null where the viewer does not know it.
    pub die: Option<u8>,
    /// What it said; null before it spoke.
    pub said: Option<Action>,
}

/// An action taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum ActionData {
    /// Says something of the other's die.
    Say {
        /// What.
        what: Action,
    },
}

/// What an observer saw happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EventData {
    /// Who spoke.
    pub seat: Seat,
    /// What it did.
    #[serde(flatten)]
    pub did: ActionData,
    /// Both dice, if they are shown now.
    pub shown: Option<[u8; 2]>,
}

fn scene(public: &Public, viewer: Option<Seat>, die: impl Fn(Seat) -> Option<u8>) -> Scene {
    let seat = |seat: Seat| SeatScene { seat, die: die(seat), said: public.said[seat.index()] };
    Scene {
        viewer,
        seats: Seat::all(2).map(seat).collect(),
        to_act: public.to_act(),
        sides: public.sides,
    }
}

fn words(by: Option<Seat>, action: Action) -> Phrase {
    let ja = match action {
        Action::High => "「大きい」と言う",
        Action::Low => "「小さい」と言う",
        Action::Even => "「偶数」と言う",
    };
    Phrase::action(by, ["say", "says"], &action.to_string(), ja)
}

impl GameScenes for Dice {
    type Scene = Scene;
    type ActionData = ActionData;
    type EventData = EventData;

    fn scene(&self, view: &View) -> Scene {
        let die = |seat| if seat == view.seat { Some(view.own) } else { view.other };
        scene(&view.public, Some(view.seat), die)
    }

    fn public_scene(&self, world: &World) -> Scene {
        let over = world.to_act().is_none();
        scene(&world.public, None, |seat| over.then(|| world.die(seat)))
    }

    fn full_scene(&self, world: &World) -> Scene {
        scene(&world.public, None, |seat| Some(world.die(seat)))
    }

    fn describe(&self, _: &View, action: Action) -> Described<ActionData> {
        Described { parts: ActionData::Say { what: action }, text: words(None, action) }
    }

    fn public_event(&self, world: &World, action: Action) -> Event {
        // Nobody sees more of a word than anybody else.
        world.event(action, Seat::FIRST)
    }

    fn narrate(&self, _: &Scene, event: &Event) -> Described<EventData> {
        let did = ActionData::Say { what: event.action };
        let parts = EventData { seat: event.seat, did, shown: event.shown };
        Described { parts, text: words(Some(event.seat), event.action) }
    }

    fn secrets(&self, view: &View) -> Vec<Belief> {
        if view.other.is_some() {
            return Vec::new();
        }
        let subject = format!("die:{}", view.seat().next(2));
        vec![Belief::weighted(&subject, (1..=view.public.sides).map(|die| (die, 1.0)))]
    }

    fn answers(&self, world: &World, view: &View) -> Vec<String> {
        let hidden = view.other.is_none();
        hidden.then(|| world.die(view.seat().next(2)).to_string()).into_iter().collect()
    }
}
