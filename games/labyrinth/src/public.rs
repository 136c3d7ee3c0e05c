use crate::action::Action;
use crate::board::{Board, reach_of_all_pushes};
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::tile::Rotation;
use crate::treasure::{Treasure, TreasureSet};
use oboro_core::{Rng, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest number of players.
pub(crate) const MAX_SEATS: usize = 4;

/// The public table: the board, the pawns, and the progress of each player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Public {
    pub(crate) board: Board,
    pub(crate) seats: u8,
    /// Cards dealt to each player.
    pub(crate) cards: u8,
    pub(crate) homes: [Cell; MAX_SEATS],
    pub(crate) pawns: [Cell; MAX_SEATS],
    pub(crate) found: [u8; MAX_SEATS],
    /// Treasures on which a player ended a turn without turning a card over: not the one it seeks.
    pub(crate) refused: [TreasureSet; MAX_SEATS],
    pub(crate) last: Option<Entry>,
    pub(crate) finish: Finish,
    pub(crate) ply: u16,
    pub(crate) ply_limit: u16,
}

/// Condition that wins the game.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// To be back home after the last card, as the rulebook has it.
    Home,
    /// To find the last card.
    LastCard,
}

/// The goal of a player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// The top card of its pile.
    Treasure(Treasure),
    /// Its home corner, after the last card.
    Home(Cell),
}

impl Public {
    /// The tiles and treasures.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The number of players.
    #[inline]
    pub fn seats(&self) -> usize {
        self.seats as usize
    }

    /// The number of cards dealt to each player.
    #[inline]
    pub(crate) fn cards_dealt(&self) -> usize {
        self.cards as usize
    }

    /// The cell of a player's pawn.
    #[inline]
    pub fn pawn(&self, seat: Seat) -> Cell {
        self.pawns[seat.index()]
    }

    /// A player's home corner.
    #[inline]
    pub fn home(&self, seat: Seat) -> Cell {
        self.homes[seat.index()]
    }

    /// The number of cards a player has turned over.
    #[inline]
    pub fn cards_found(&self, seat: Seat) -> usize {
        self.found[seat.index()] as usize
    }

    /// The number of cards a player has still to find.
    #[inline]
    pub fn cards_left(&self, seat: Seat) -> usize {
        self.cards_dealt() - self.cards_found(seat)
    }

    /// Whether a player has found all its cards and is on its way home.
    #[inline]
    pub fn is_going_home(&self, seat: Seat) -> bool {
        self.cards_left(seat) == 0
    }

    /// Treasures that a player is known not to seek now: it ended a turn on them, and no card was
    /// turned over.
    #[inline]
    pub fn refused(&self, seat: Seat) -> TreasureSet {
        self.refused[seat.index()]
    }

    /// The last push, by whomever it was.
    #[inline]
    pub fn last_push(&self) -> Option<Entry> {
        self.last
    }

    /// The number of turns played by all players.
    #[inline]
    pub fn turns_played(&self) -> usize {
        self.ply as usize
    }

    /// The number of turns of a player.
    pub(crate) fn own_turns(&self, seat: Seat) -> usize {
        (self.turns_played() + self.seats() - 1 - seat.index()) / self.seats()
    }

    /// Whether a player has found all its cards and is where that wins.
    ///
    /// A pawn gets onto a home corner only by its own turn, so standing there is having won.
    #[inline]
    pub(crate) fn has_won(&self, seat: Seat) -> bool {
        self.is_going_home(seat)
            && (self.finish == Finish::LastCard || self.pawn(seat) == self.home(seat))
    }

    /// The player that has won.
    #[inline]
    pub(crate) fn winner(&self) -> Option<Seat> {
        Seat::all(self.seats()).find(|&seat| self.has_won(seat))
    }

    /// Whose turn it is; `None` when the game is over.
    #[inline]
    pub fn to_act(&self) -> Option<Seat> {
        let over = self.ply >= self.ply_limit || self.winner().is_some();
        (!over).then(|| Seat::new(self.turns_played() % self.seats()))
    }

    /// The cell of a goal; `None` is the extra tile.
    #[inline]
    pub fn place(&self, goal: Goal) -> Option<Cell> {
        match goal {
            Goal::Treasure(treasure) => self.board.place(treasure),
            Goal::Home(cell) => Some(cell),
        }
    }

    /// The cells the mover can walk to after a push.
    #[inline]
    pub(crate) fn reach_after(&self, seat: Seat, entry: Entry, rotation: Rotation) -> CellSet {
        let start = entry.carry(self.pawn(seat));
        self.board.corridors_after(entry, rotation).reach(start.into())
    }

    pub(crate) fn for_each_legal(&self, mut visit: impl FnMut(Action)) {
        let Some(mover) = self.to_act() else { return };
        reach_of_all_pushes(&self.board, self.last, self.pawn(mover), |entry, rotation, cells| {
            for to in cells {
                visit(Action { entry, rotation, to });
            }
        });
    }

    pub(crate) fn is_legal(&self, action: Action) -> bool {
        self.to_act().is_some_and(|mover| {
            Some(action.entry) != self.last.map(Entry::opposite)
                && self.reach_after(mover, action.entry, action.rotation).contains(action.to)
        })
    }

    /// Every pair of a push and a cell with the same probability: a push weighs as much as the
    /// cells it opens.
    pub(crate) fn random_action(&self, rng: &mut Rng) -> Action {
        let mover = self.to_act().expect("the game is not over");
        let mut pushes = arrayvec::ArrayVec::<(Entry, Rotation, CellSet), 48>::new();
        let mut total = 0;
        reach_of_all_pushes(&self.board, self.last, self.pawn(mover), |entry, rotation, cells| {
            total += cells.len();
            pushes.push((entry, rotation, cells));
        });
        let mut number = rng.below(total);
        for (entry, rotation, cells) in pushes {
            if number < cells.len() {
                let to = cells.iter().nth(number).expect("the set has so many cells");
                return Action { entry, rotation, to };
            }
            number -= cells.len();
        }
        unreachable!("the number is below the total")
    }

    /// Pushes and walks, and settles whether the mover reached `goal`.
    #[inline]
    pub(crate) fn apply(&mut self, action: Action, goal: Goal) {
        self.push(action.entry, action.rotation);
        self.walk(action.to, goal);
    }

    /// The first half of a turn.
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry, rotation: Rotation) {
        self.board.push(entry, rotation);
        for pawn in &mut self.pawns[..self.seats as usize] {
            *pawn = entry.carry(*pawn);
        }
        self.last = Some(entry);
    }

    /// The second half of a turn.
    #[inline]
    pub(crate) fn walk(&mut self, to: Cell, goal: Goal) {
        let mover = self.turns_played() % self.seats();
        self.pawns[mover] = to;
        self.ply += 1;
        if let Goal::Treasure(wanted) = goal {
            if self.board.place(wanted) == Some(to) {
                self.found[mover] += 1;
                self.refused[mover] = TreasureSet::EMPTY;
            } else if let Some(other) = self.board.treasure_at(to) {
                self.refused[mover].insert(other);
            }
        }
    }
}
