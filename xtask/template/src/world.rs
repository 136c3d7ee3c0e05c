//! The whole truth.

use crate::{Action, Event, Public, View};
use oboro_core::{Fact, GameWorld, Seat};

/// The whole truth: what everybody knows, and both dice. Playouts copy it: it stays small and plain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct World {
    pub(crate) public: Public,
    pub(crate) dice: [u8; 2],
}

impl World {
    pub(crate) fn new(dice: [u8; 2], sides: u8) -> World {
        World { public: Public { said: [None; 2], sides }, dice }
    }

    /// What everybody knows.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// A seat's die.
    pub fn die(&self, seat: Seat) -> u8 {
        self.dice[seat.index()]
    }

    fn is_right(self, seat: Seat) -> bool {
        let other = self.die(seat.next(2));
        self.public.said[seat.index()].is_some_and(|said| said.is_right(other, self.public.sides))
    }
}

impl GameWorld for World {
    type Action = Action;
    type View = View;
    type Event = Event;

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.public.to_act()
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        self.public.for_each_legal(visit);
    }

    fn apply(&mut self, action: Action) {
        let seat = self.to_act().expect("somebody is to move");
        self.public.said[seat.index()] = Some(action);
    }

    fn payoff(&self, seat: Seat) -> f64 {
        let right = |seat| f64::from(self.is_right(seat));
        0.5 + (right(seat) - right(seat.next(2))) / 2.0
    }

    fn view(&self, seat: Seat) -> View {
        View::of(*self, seat)
    }

    fn event(&self, action: Action, _: Seat) -> Event {
        let seat = self.to_act().expect("somebody is to move");
        // After the last word both dice lie open.
        let last = seat != Seat::FIRST;
        Event { seat, action, shown: last.then_some(self.dice) }
    }

    fn facts(&self) -> Vec<Fact> {
        vec![Fact::seats("right", Seat::all(2).map(|seat| f64::from(self.is_right(seat))))]
    }
}
