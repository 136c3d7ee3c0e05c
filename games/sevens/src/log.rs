use crate::{Card, Cards, MAX_PLAYERS, Sevens};
use oboro_core::Seat;

/// One event of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LogEntry {
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
pub(crate) struct Log {
    len: u8,
    bytes: [u8; CAPACITY],
}

/// A byte of the log is the number of the card that was laid, which is never 0, or one of these and the seat's number.
pub(crate) const PASSED: u8 = 64;
pub(crate) const RETIRED: u8 = 128;

impl Log {
    /// Nothing has happened yet.
    pub(crate) const EMPTY: Log = Log { len: 0, bytes: [0; CAPACITY] };

    /// Adds an entry if there is room; returns whether there was.
    #[inline]
    pub(crate) fn push(&mut self, entry: LogEntry) -> bool {
        let byte = match entry {
            LogEntry::Laid(card) => card.index() as u8,
            LogEntry::Passed(seat) => PASSED + seat.index() as u8,
            LogEntry::Retired(seat) => RETIRED + seat.index() as u8,
        };
        let Some(slot) = self.bytes.get_mut(usize::from(self.len)) else {
            return false;
        };
        *slot = byte;
        self.len += 1;
        true
    }

    /// Adds up to four entries, each a byte as they are kept here, while there is room; a 0 is none.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn append(&mut self, entries: u32) {
        let bytes = entries.to_le_bytes();
        let at = usize::from(self.len);
        let has_zero = entries.wrapping_sub(0x0101_0101) & !entries & 0x8080_8080 != 0;
        if !has_zero && let Some(slots) = self.bytes.get_mut(at..at + 4) {
            slots.copy_from_slice(&bytes);
            self.len += 4;
            return;
        }
        for byte in bytes {
            if let Some(slot) = self.bytes.get_mut(usize::from(self.len)) {
                *slot = byte;
                self.len += u8::from(byte != 0);
            }
        }
    }

    /// The entries, oldest first.
    pub(crate) fn entries(&self) -> impl DoubleEndedIterator<Item = LogEntry> + '_ {
        self.bytes[..usize::from(self.len)].iter().map(|&byte| match byte {
            RETIRED.. => LogEntry::Retired(Seat::new((byte - RETIRED).into())),
            PASSED.. => LogEntry::Passed(Seat::new((byte - PASSED).into())),
            _ => LogEntry::Laid(Card::from_index(byte.into())),
        })
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.len.into()
    }

    /// The cards that entries name.
    pub(crate) fn cards(&self) -> Cards {
        let laid = |entry| if let LogEntry::Laid(card) = entry { Some(card) } else { None };
        self.entries().filter_map(laid).collect()
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.entries()).finish()
    }
}
