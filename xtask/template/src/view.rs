//! All that one seat knows.

use crate::{Action, Public, World};
use oboro_core::{Rng, Seat, SeatView};

/// All that one seat knows: what was said, its own die, and the other once it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct View {
    pub(crate) public: Public,
    pub(crate) seat: Seat,
    pub(crate) own: u8,
    pub(crate) other: Option<u8>,
}

impl View {
    pub(crate) fn of(world: World, seat: Seat) -> View {
        let over = world.public.to_act().is_none();
        let other = over.then(|| world.die(seat.next(2)));
        View { public: world.public, seat, own: world.die(seat), other }
    }

    /// What everybody knows.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The own die.
    pub fn own(&self) -> u8 {
        self.own
    }

    /// A die, if the seat knows it.
    pub(crate) fn die(self, seat: Seat) -> Option<u8> {
        if seat == self.seat { Some(self.own) } else { self.other }
    }
}

impl SeatView for View {
    type Action = Action;
    type World = World;

    fn seat(&self) -> Seat {
        self.seat
    }

    fn to_act(&self) -> Option<Seat> {
        self.public.to_act()
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if self.to_act() == Some(self.seat) {
            self.public.for_each_legal(visit);
        }
    }

    /// The other die may show anything.
    fn imagine(&self, rng: &mut Rng) -> World {
        let other = self.other.unwrap_or_else(|| 1 + rng.below(self.public.sides.into()) as u8);
        let mut dice = [other; 2];
        dice[self.seat.index()] = self.own;
        World { public: self.public, dice }
    }
}
