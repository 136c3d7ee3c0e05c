use crate::{Card, MAX_PLAYERS, Sevens};
use oboro_core::Seat;

/// One thing that happened at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A card was laid (by whom, [`Public::laid`](crate::Public::laid) knows).
    Laid(Card),
    /// A player passed.
    Passed(Seat),
    /// A player passed with none left and laid all its cards.
    Retired(Seat),
}

/// Longest possible game: 48 cards and every pass of every player.
const CAPACITY: usize = 48 + MAX_PLAYERS * (Sevens::MAX_PASSES as usize + 1);

/// Everything that happened at the table, oldest first, one byte each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Log {
    len: u8,
    bytes: [u8; CAPACITY],
}

const PASSED: u8 = 64;
const RETIRED: u8 = 128;

impl Log {
    /// Nothing has happened yet.
    pub(crate) const EMPTY: Log = Log { len: 0, bytes: [0; CAPACITY] };

    /// Adds an entry; tells whether there was room.
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry) -> bool {
        let byte = match entry {
            Entry::Laid(card) => card.index() as u8,
            Entry::Passed(seat) => PASSED + seat.index() as u8,
            Entry::Retired(seat) => RETIRED + seat.index() as u8,
        };
        let Some(slot) = self.bytes.get_mut(usize::from(self.len)) else {
            return false;
        };
        *slot = byte;
        self.len += 1;
        true
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry> + '_ {
        self.bytes[..usize::from(self.len)].iter().map(|&byte| match byte {
            RETIRED.. => Entry::Retired(Seat::new((byte - RETIRED).into())),
            PASSED.. => Entry::Passed(Seat::new((byte - PASSED).into())),
            _ => Entry::Laid(Card::from_index(byte.into())),
        })
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.len.into()
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.entries()).finish()
    }
}
