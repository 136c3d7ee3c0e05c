//! The memory of what the table no longer shows.

use super::SEATS;
use crate::{Action, Cell};
use oboro_core::Seat;

/// The memory of a round: who laid which card when, where rocks fell, and who broke and mended whose tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    pub(super) turns: u8,
    digs: [Dig; 40],
    digs_len: u8,
    pub(super) rocks: [Option<Cell>; 3],
    /// By seat.
    pub(super) counts: [ActionCounts; SEATS],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dig {
    pub(super) at: Cell,
    pub(super) seat: u8,
    pub(super) turn: u8,
}

/// The actions of a player by kind; those against tools also by seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ActionCounts {
    pub(super) ways: u8,
    pub(super) blocks: u8,
    pub(super) rocks: u8,
    pub(super) maps: u8,
    pub(super) broke: [u8; SEATS],
    pub(super) mended: [u8; SEATS],
}

impl Memory {
    pub(super) const NEW: Memory = Memory {
        turns: 0,
        digs: [Dig { at: Cell::START, seat: 0, turn: 0 }; 40],
        digs_len: 0,
        rocks: [None; 3],
        counts: [ActionCounts {
            ways: 0,
            blocks: 0,
            rocks: 0,
            maps: 0,
            broke: [0; SEATS],
            mended: [0; SEATS],
        }; SEATS],
    };

    pub(super) fn digs(&self) -> &[Dig] {
        &self.digs[..usize::from(self.digs_len)]
    }

    pub(super) fn saw(&mut self, seat: Seat, action: Option<Action>) {
        self.turns += 1;
        let counts = &mut self.counts[seat.index()];
        match action {
            Some(Action::Dig { tile, at }) => {
                *(if tile.is_passable() { &mut counts.ways } else { &mut counts.blocks }) += 1;
                let dig = Dig { at, seat: seat.index() as u8, turn: self.turns };
                self.digs[usize::from(self.digs_len)] = dig;
                self.digs_len += 1;
            }
            Some(Action::RockFall { at }) => {
                counts.rocks += 1;
                if let Some(gone) = self.digs().iter().position(|dig| dig.at == at) {
                    self.digs_len -= 1;
                    self.digs[gone] = self.digs[usize::from(self.digs_len)];
                }
                if let Some(place) = self.rocks.iter_mut().find(|place| place.is_none()) {
                    *place = Some(at);
                }
            }
            Some(Action::Look { .. }) => counts.maps += 1,
            Some(Action::Break { seat, .. }) => counts.broke[seat.index()] += 1,
            Some(Action::Mend { seat, .. }) => counts.mended[seat.index()] += 1,
            Some(Action::Discard { .. }) | None => {}
        }
    }
}
