//! The effect of every action on a mine.

use super::field::Field;
use super::prospect::{Fails, Prospect, times};
use super::search::Search;
use super::ways::{End, Network, Ways};
use crate::{Action, Board, Cell, Goal, Goals, OpenEnds, Side, Tile};
use arrayvec::ArrayVec;

/// A mine as the diggers see it: where its ways end, and how far each end is from each goal.
#[derive(Clone, Debug)]
pub(in crate::agents) struct Survey<'a, const W: usize> {
    ways: Ways<'a, W>,
    search: Search<W>,
    /// For each open end.
    misses: ArrayVec<Fails, { OpenEnds::MAX }>,
    /// For each open end: at all those before it.
    heads: ArrayVec<Fails, { OpenEnds::MAX }>,
    filling: Filling,
    /// The cards that rocks can fall on, once computed.
    network: Option<Network<W>>,
    /// The chance of the gold.
    value: f64,
    /// How many cards the diggers are short of it.
    short: f64,
}

/// An open end that is filled with a card: what is the same whichever card it is.
#[derive(Clone, Debug)]
struct Filling {
    /// The bit of the cell, if one was filled.
    bit: Option<u8>,
    /// Whether there may be a goal beside it.
    is_by_goal: bool,
    /// At all open ends before the first that a card changes.
    head: Fails,
    /// For each of the others that are left and the empty cells beside it, those with the highest bits
    /// first; what is beside it is set for each card.
    tail: ArrayVec<Fails, { OpenEnds::MAX + 4 }>,
    beside: ArrayVec<Beside, 4>,
}

/// An empty cell beside the one that is filled.
#[derive(Clone, Debug)]
struct Beside {
    /// The side of the filled cell it lies on.
    side: Side,
    was_end: bool,
    /// Its place in the tail.
    place: usize,
    /// If the card is closed towards it, and if it is open.
    misses: [Fails; 2],
}

impl Filling {
    /// Puts an empty cell beside the filled one next.
    #[inline]
    fn put<const W: usize>(
        &mut self,
        ways: &Ways<'_, W>,
        search: &Search<W>,
        side: Side,
        end: End,
        was_end: bool,
    ) {
        let behind = side.opposite();
        let miss = |is_open| search.misses(ways, end.beside(behind, is_open), 1 << behind as u8);
        let closed = if was_end { miss(false) } else { [1.0; 4] };
        let misses = [closed, miss(true)];
        self.beside.push(Beside { side, was_end, place: self.tail.len(), misses });
        self.tail.push(closed);
    }
}

impl<'a, const W: usize> Survey<'a, W> {
    /// Surveys a mine.
    #[inline]
    pub(in crate::agents) fn new(prospect: &'a Prospect<'a>, board: &'a Board) -> Self {
        let ways = Ways::new(prospect, board);
        let search = Search::new(&ways.loose, ways.empty);
        let (mut misses, mut heads) = (ArrayVec::new(), ArrayVec::new());
        let mut all = [1.0; 4];
        for &end in ways.ends() {
            let miss = search.misses(&ways, end, 0);
            heads.push(all);
            misses.push(miss);
            all = times(all, &miss);
        }
        let value = prospect.value(Goals::EMPTY, all);
        let short = prospect.odds.short(value);
        let filling = Filling {
            bit: None,
            is_by_goal: false,
            head: all,
            tail: ArrayVec::new(),
            beside: ArrayVec::new(),
        };
        Survey { ways, search, misses, heads, filling, network: None, value, short }
    }

    /// The chance of the gold.
    pub(super) fn value(&self) -> f64 {
        self.value
    }

    /// How many cards the diggers are short of the gold.
    pub(in crate::agents) fn short(&self) -> f64 {
        self.short
    }

    /// How many cards nearer to the gold an action brings the diggers.
    pub(in crate::agents) fn progress(&mut self, action: Action) -> f64 {
        let chance = self.after(action);
        self.progress_to(chance)
    }

    /// How many cards nearer to the gold the diggers are when they have this chance of it.
    pub(super) fn progress_to(&self, chance: f64) -> f64 {
        self.short - self.ways.prospect.odds.short(chance)
    }

    /// The chance of the gold after an action.
    pub(super) fn after(&mut self, action: Action) -> f64 {
        let Ways { prospect, board, .. } = self.ways;
        match action {
            Action::Dig { tile, at } => match Field::<W>::bit(at) {
                Some(bit) if !board.joins_loose(at, tile) => {
                    if self.filling.bit != Some(bit) {
                        self.fill(at, bit);
                    }
                    let is_by_goal = self.filling.is_by_goal;
                    let touched = if is_by_goal { board.touches(at, tile) } else { Goals::EMPTY };
                    self.after_tile(tile, touched)
                }
                _ => self.after_change(action),
            },
            Action::RockFall { at } => {
                if self.network.is_none() {
                    self.network = Network::new(&self.ways);
                }
                match (&self.network, Field::<W>::bit(at)) {
                    (Some(network), Some(bit)) => {
                        prospect.value_by(&self.ways.without(network, bit), Goals::EMPTY)
                    }
                    _ => self.after_change(action),
                }
            }
            _ => self.value,
        }
    }

    /// The same, worked out afresh.
    fn after_change(&self, action: Action) -> f64 {
        let Ways { prospect, board, .. } = self.ways;
        let mut board = *board;
        let touched = board.change(prospect.rules, action);
        prospect.value_by(&Ways::<W>::new(prospect, &board), touched)
    }

    /// Fills an open end.
    fn fill(&mut self, at: Cell, bit: u8) {
        let Survey { ways, search, misses, heads, filling, .. } = self;
        // Ways to a goal get longer if it was the only next step of a cell beside it. What is further
        // off goes through one of those.
        let mut is_longer = ways.is_cut();
        let mut beside = ArrayVec::<(Side, End), 4>::new();
        // Those with the highest bits first.
        for side in [Side::Down, Side::Right, Side::Left, Side::Up] {
            let next = Field::<W>::next(bit, side);
            if ways.empty.contains(next) {
                is_longer |= search.is_step(next, side, ways.likely);
                beside.push((side, End::new(ways.board, at.next(side), next)));
            }
        }
        let other;
        let mut search = &*search;
        if is_longer {
            let mut rest = ways.empty;
            rest.remove(bit);
            other = Search::new(&ways.loose, rest);
            search = &other;
        }

        let ends = ways.ends();
        let mut from = 0;
        if !is_longer {
            let first = beside.first().map_or(bit, |(_, end)| end.bit.max(bit));
            from = ends.iter().take_while(|end| end.bit > first).count();
        }
        (filling.bit, filling.head) = (Some(bit), heads[from]);
        filling.is_by_goal = at.x() + 1 >= Goal::Upper.cell().x();
        filling.tail.clear();
        filling.beside.clear();
        let mut beside = beside.as_slice();
        for (end, miss) in ends[from..].iter().zip(&misses[from..]) {
            while let [(side, new), rest @ ..] = beside
                && new.bit > end.bit
            {
                filling.put(ways, search, *side, *new, false);
                beside = rest;
            }
            if let [(side, new), rest @ ..] = beside
                && new.bit == end.bit
            {
                filling.put(ways, search, *side, *new, true);
                beside = rest;
            } else if end.bit != bit {
                filling.tail.push(if is_longer { search.misses(ways, *end, 0) } else { *miss });
            }
        }
        for (side, new) in beside {
            filling.put(ways, search, *side, *new, false);
        }
    }

    /// The chance of the gold when the filled cell has this tile, which joins nothing but itself and
    /// these goals to the start.
    fn after_tile(&mut self, tile: Tile, touched: Goals) -> f64 {
        let Filling { head, tail, beside, .. } = &mut self.filling;
        for beside in beside {
            let is_end = beside.was_end || tile.is_passable();
            let is_open = is_end && tile.sides().contains(beside.side);
            tail[beside.place] = beside.misses[usize::from(is_open)];
        }
        self.ways.prospect.value(touched, tail.iter().fold(*head, times))
    }
}
