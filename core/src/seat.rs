use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A player's place at the table, counted from 0; seat 0 moves first.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// Seat 0, the one that moves first.
    pub const FIRST: Seat = Seat(0);

    /// The seat with this number.
    ///
    /// # Panics
    /// If `index` is above 255: no table is that large.
    pub const fn new(index: usize) -> Seat {
        assert!(index <= u8::MAX as usize, "a seat number fits a byte");
        Seat(index as u8)
    }

    /// Its number, for indexing arrays kept one entry a seat.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next seat around a table of `seats`.
    #[inline]
    #[must_use]
    pub const fn next(self, seats: usize) -> Seat {
        let next = self.0 as usize + 1;
        Seat(if next >= seats { 0 } else { next as u8 })
    }

    /// All seats of a table in order of play, this one first.
    pub fn round(self, seats: usize) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (0..seats).map(move |turns| Seat::new((self.index() + turns) % seats))
    }

    /// How many turns after `first` this seat moves, at a table of `seats`.
    #[inline]
    pub const fn turns_after(self, first: Seat, seats: usize) -> usize {
        (self.index() + seats - first.index()) % seats
    }

    /// All seats of a table, in order.
    pub fn all(seats: usize) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (0..seats).map(Seat::new)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
