//! The rules of Geister for boards of other sizes, and what everybody sees of a game.

use crate::square::Direction;
use oboro_core::SpecError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A small board.
///
/// As on the whole one, pieces stand on the nearest rows without their outer columns, numbered from
/// the left, the front row first, and the two far corners are exits. The game itself would be 6
/// wide, 6 high, with 2 rows of home and 4 reds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Board {
    /// Columns, 3 to 6.
    pub width: u8,
    /// Rows, 3 to 6.
    pub height: u8,
    /// The rows that a side's pieces fill at first, 1 or 2.
    pub rows: u8,
    /// How many pieces of a side are red.
    pub reds: u8,
    /// The game is drawn after this many moves of both sides together.
    pub plies: u8,
}

impl Default for Board {
    /// Two reds and two blues a side on a board of 4 × 4.
    fn default() -> Board {
        Board { width: 4, height: 4, rows: 2, reds: 2, plies: 8 }
    }
}

impl Board {
    /// The most pieces a side may have: four of which two are red have six colourings.
    pub(super) const PIECES: usize = 4;

    /// One red and one blue a side on a board of 4 × 3, where every capture decides.
    pub fn smallest() -> Board {
        Board { width: 4, height: 3, rows: 1, reds: 1, plies: 7 }
    }

    /// How many pieces a side has.
    pub fn pieces(&self) -> usize {
        usize::from(self.width.saturating_sub(2)) * usize::from(self.rows)
    }

    /// Whether it can be played on.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn validate(&self) -> Result<(), SpecError> {
        let fault = |text: String| Err(SpecError(text));
        if !(3..=6).contains(&self.width) || !(3..=6).contains(&self.height) {
            return fault(format!("board {}x{}: 3x3 to 6x6", self.width, self.height));
        }
        if !(1..=2).contains(&self.rows) || 2 * self.rows > self.height {
            return fault(format!("rows={}: 1, or 2 on 4 rows or more", self.rows));
        }
        let pieces = self.pieces();
        if !(2..=Board::PIECES).contains(&pieces) {
            return fault(format!(
                "board {}x{} with rows={}: {pieces} pieces a side, but 2 to {} can be solved",
                self.width,
                self.height,
                self.rows,
                Board::PIECES
            ));
        }
        if self.reds == 0 || usize::from(self.reds) >= pieces {
            return fault(format!("reds={}: 1 to {}", self.reds, pieces - 1));
        }
        if self.plies == 0 {
            return fault("plies=0: a game has at least one".to_owned());
        }
        Ok(())
    }

    /// The ways to colour the pieces of a side, each the set of its reds.
    pub fn colourings(&self) -> Vec<u8> {
        let all = 0..1u8 << self.pieces();
        all.filter(|set| set.count_ones() == u32::from(self.reds)).collect()
    }

    /// The square a step leads to, in the frame of the mover, who has home at the bottom.
    fn step(self, square: u8, direction: Direction) -> Option<u8> {
        let (x, y) = (square % self.width, square / self.width);
        match direction {
            Direction::North => square.checked_sub(self.width),
            Direction::East => (x + 1 < self.width).then(|| square + 1),
            Direction::South => (y + 1 < self.height).then(|| square + self.width),
            Direction::West => (x > 0).then(|| square - 1),
        }
    }

    /// The steps from a square to the nearest exit, in the own frame.
    pub(super) fn to_exit(self, square: u8) -> u8 {
        let (x, y) = (square % self.width, square / self.width);
        y + x.min(self.width - 1 - x)
    }

    /// The same square seen from the other side.
    pub(super) fn turned(self, square: u8) -> u8 {
        self.width * self.height - 1 - square
    }

    fn distance(self, a: u8, b: u8) -> u8 {
        (a % self.width).abs_diff(b % self.width) + (a / self.width).abs_diff(b / self.width)
    }
}

/// What everybody sees: where pieces stand, each side's in its own frame, and which were captured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Position {
    pub(super) places: [[u8; Board::PIECES]; 2],
    /// The captured pieces of a side that were blue, and those that were red.
    pub(super) lost: [[u8; 2]; 2],
    pub(super) ply: u8,
}

/// A captured piece's place.
const GONE: u8 = u8::MAX;

/// What the side to move may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A piece moves to a square.
    To { piece: u8, direction: Direction, square: u8, captured: Option<u8> },
    /// A piece leaves the board, if it is blue.
    Escape { piece: u8 },
}

impl Position {
    /// The start.
    pub(super) fn start(board: Board) -> Position {
        let mut places = [GONE; Board::PIECES];
        let columns = board.width - 2;
        for piece in 0..board.pieces() as u8 {
            let (x, y) = (1 + piece % columns, board.height - board.rows + piece / columns);
            places[usize::from(piece)] = board.width * y + x;
        }
        Position { places: [places; 2], lost: [[0; 2]; 2], ply: 0 }
    }

    /// The seat that moves.
    pub(super) fn mover(&self) -> usize {
        usize::from(self.ply & 1)
    }

    /// The pieces of a side on the board, and where.
    pub(super) fn pieces(&self, side: usize) -> impl Iterator<Item = (u8, u8)> {
        (0u8..).zip(self.places[side]).filter(|(_, place)| *place != GONE)
    }

    /// Whether the captures so far allow a side to have these reds.
    pub(super) fn allows(&self, side: usize, reds: u8) -> bool {
        let [blue, red] = self.lost[side];
        reds & blue == 0 && red & !reds == 0
    }

    /// All steps of the side to move, piece by piece, each north, east, south, west.
    pub(super) fn steps(&self, board: Board) -> Vec<Step> {
        let side = self.mover();
        let mut steps = Vec::new();
        for (piece, place) in self.pieces(side) {
            for direction in Direction::ALL {
                let Some(square) = board.step(place, direction) else {
                    if direction == Direction::North && board.to_exit(place) == 0 {
                        steps.push(Step::Escape { piece });
                    }
                    continue;
                };
                if self.pieces(side).any(|(_, own)| own == square) {
                    continue;
                }
                let turned = board.turned(square);
                let enemy = self.pieces(1 - side).find(|(_, place)| *place == turned);
                let captured = enemy.map(|(piece, _)| piece);
                steps.push(Step::To { piece, direction, square, captured });
            }
        }
        steps
    }

    /// The position after a move; a captured piece turns out to have this colour.
    pub(super) fn after(&self, piece: u8, square: u8, captured: Option<(u8, bool)>) -> Position {
        let mut next = *self;
        let side = self.mover();
        next.places[side][usize::from(piece)] = square;
        if let Some((piece, red)) = captured {
            next.places[1 - side][usize::from(piece)] = GONE;
            next.lost[1 - side][usize::from(red)] |= 1 << piece;
        }
        next.ply += 1;
        next
    }

    /// Who has won by the captures so far.
    pub(super) fn winner(&self, board: Board) -> Option<usize> {
        let blues = board.pieces() as u32 - u32::from(board.reds);
        (0..2).find_map(|side| {
            let [blue, red] = self.lost[side].map(u8::count_ones);
            if blue == blues {
                Some(1 - side)
            } else {
                (red == u32::from(board.reds)).then_some(side)
            }
        })
    }

    /// Whether nobody can win any more within the ply limit, however both play.
    pub(super) fn is_dead(&self, board: Board) -> bool {
        let left = board.plies - self.ply;
        let nearest = self
            .pieces(0)
            .flat_map(|(_, a)| self.pieces(1).map(move |(_, b)| board.distance(a, board.turned(b))))
            .min();
        (0..2).all(|side| {
            // The moves that this side has left.
            let moves = if side == self.mover() { left.div_ceil(2) } else { left / 2 };
            let escapes = self.pieces(side).any(|(_, place)| board.to_exit(place) < moves);
            let [blue, red] = self.lost[1 - side].map(|lost| lost.count_ones() as u8);
            let to_go = (board.pieces() as u8 - board.reds - blue).min(board.reds - red);
            let captures = to_go <= moves && nearest.is_some_and(|steps| steps <= left);
            !escapes && !captures
        })
    }
}
