//! All that one seat knows.

use crate::action::Action;
use crate::piece::{Colour, Piece};
use crate::public::Public;
use crate::world::World;
use oboro_core::{Rng, Seat, SeatView};

/// All that one seat knows: the board, its own colours, and the colours it has been shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct View {
    pub(crate) seat: Seat,
    pub(crate) public: Public,
    /// The seat's own reds, on the board or not.
    pub(crate) reds: u8,
    /// Enemy pieces shown to be red and to be blue.
    pub(crate) shown_reds: u8,
    pub(crate) shown_blues: u8,
}

impl View {
    pub(crate) fn of(world: &World, seat: Seat) -> View {
        let enemy = seat.next(2);
        let shown = !world.public.alive(enemy);
        View {
            seat,
            public: world.public,
            reds: world.reds(seat),
            shown_reds: shown & world.reds(enemy),
            shown_blues: shown & !world.reds(enemy),
        }
    }

    /// What both see.
    #[inline]
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The other seat.
    #[inline]
    pub(crate) fn enemy(&self) -> Seat {
        self.seat.next(2)
    }

    /// The seat's own reds, on the board or not, as a set.
    #[inline]
    pub fn reds(&self) -> u8 {
        self.reds
    }

    /// The seat's own reds on the board.
    #[inline]
    pub(crate) fn own_reds(&self) -> u8 {
        self.reds & self.public.alive(self.seat)
    }

    /// The seat's own blues on the board.
    #[inline]
    pub(crate) fn own_blues(&self) -> u8 {
        !self.reds & self.public.alive(self.seat)
    }

    /// A blue of the seat's own that stands on an exit, and wins by leaving.
    pub(crate) fn leaver(&self) -> Option<Piece> {
        Piece::of_set(self.own_blues()).find(|&piece| self.public.is_on_exit(self.seat, piece))
    }

    /// The enemy pieces whose colour is still hidden: all on the board.
    #[inline]
    pub(crate) fn hidden(&self) -> u8 {
        self.public.alive(self.enemy())
    }

    /// How many of the hidden enemy pieces are red.
    #[inline]
    pub fn hidden_reds(&self) -> u32 {
        4 - self.shown_reds.count_ones()
    }

    /// How many of the hidden enemy pieces are blue.
    #[inline]
    pub fn hidden_blues(&self) -> u32 {
        4 - self.shown_blues.count_ones()
    }

    /// The colour of a piece as far as this seat knows it.
    pub fn colour(&self, owner: Seat, piece: Piece) -> Option<Colour> {
        let (reds, blues) = if owner == self.seat {
            let placed = self.public.has_placed(owner);
            (self.reds, if placed { !self.reds } else { 0 })
        } else {
            (self.shown_reds, self.shown_blues)
        };
        if piece.is_in(reds) {
            Some(Colour::Red)
        } else if piece.is_in(blues) {
            Some(Colour::Blue)
        } else {
            None
        }
    }

    /// The world in which the hidden pieces with these reds among them are red, and the others blue.
    pub fn with_reds(&self, hidden_reds: u8) -> World {
        let mut reds = [self.reds; 2];
        reds[self.enemy().index()] = hidden_reds & self.hidden() | self.shown_reds;
        World { public: self.public, reds }
    }

    /// The red sets that the hidden pieces may have, each equally likely by the rules alone.
    pub fn colourings(&self) -> impl Iterator<Item = u8> + Clone + use<> {
        let (hidden, count) = (self.hidden(), self.hidden_reds());
        let may_be = self.public.has_placed(self.enemy());
        (0..=u8::MAX)
            .filter(move |&reds| may_be && reds & !hidden == 0 && reds.count_ones() == count)
    }
}

impl SeatView for View {
    type Action = Action;
    type World = World;

    #[inline]
    fn seat(&self) -> Seat {
        self.seat
    }

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.public.to_act()
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if self.to_act() == Some(self.seat) {
            self.public.for_each_legal(self.reds, visit);
        }
    }

    #[inline]
    fn imagine(&self, rng: &mut Rng) -> World {
        if !self.public.has_placed(self.enemy()) {
            return self.with_reds(0);
        }
        // Deal the reds that are left to the hidden pieces: each set is equally likely.
        let (mut hidden, mut reds) = (self.hidden(), 0);
        let mut to_deal = self.hidden_reds();
        while to_deal > 0 {
            // As `Rng::choose_bit` draws; how many bits to skip is nothing that a processor could guess.
            let drawn = Piece::nth_of_set(hidden, rng.below(hidden.count_ones() as usize)).bit();
            hidden ^= drawn;
            reds |= drawn;
            to_deal -= 1;
        }
        self.with_reds(reds)
    }
}
