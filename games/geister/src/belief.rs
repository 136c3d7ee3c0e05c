//! Which enemy pieces are red, judged by how they are moved.
//!
//! Every hidden piece carries evidence for being red, in units of log odds. A colouring weighs the
//! exponential of the evidence of its reds; since the number of reds is known, what is learnt of
//! one piece tells of the others too.

use crate::action::Event;
use crate::board::Board;
use crate::piece::Piece;
use crate::view::View;
use oboro_core::Seat;

/// How much each kind of behaviour tells, in log odds for red.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Tells {
    /// It stays where it can be captured, though it could move or be saved.
    pub(crate) exposed: f64,
    /// It moves to where it can be captured.
    pub(crate) advanced: f64,
    /// It could be captured and moved away.
    pub(crate) fled: f64,
    /// It stood on its exit and did not leave.
    pub(crate) lingered: f64,
}

/// What an observer believes of the enemy's colours.
#[derive(Clone, Debug)]
pub(crate) struct Belief {
    tells: Tells,
    evidence: [f64; Piece::COUNT],
    /// The board as the observed events have left it, once there is one.
    board: Option<Board>,
}

impl Belief {
    pub(crate) fn new(tells: Tells) -> Belief {
        Belief { tells, evidence: [0.0; Piece::COUNT], board: None }
    }

    /// Takes in what `observer` saw.
    pub(crate) fn observe(&mut self, event: Event, observer: Seat) {
        let Event::Moved { seat, piece, direction, .. } = event else {
            return;
        };
        let Some(before) = self.board else {
            return;
        };
        let mut after = before;
        after.step(piece, direction);
        if seat != observer {
            self.judge(&before, &after, piece, observer);
        }
        self.board = Some(after);
    }

    /// What an enemy move says about every enemy piece.
    fn judge(&mut self, before: &Board, after: &Board, moved: Piece, observer: Seat) {
        let enemy = observer.next(2);
        for piece in Piece::of_set(after.alive(enemy)) {
            let exposed = |board: &Board| {
                let square = board.square(enemy, piece).expect("on the board");
                board.is_attacked(square, observer)
            };
            let evidence = &mut self.evidence[piece.index()];
            *evidence += match (exposed(before), exposed(after), piece == moved) {
                (true, false, true) => -self.tells.fled,
                (_, true, true) => self.tells.advanced,
                (true, true, false) => self.tells.exposed,
                _ => 0.0,
            };
            // No single habit should ever be taken for certain.
            *evidence = evidence.clamp(-6.0, 6.0);
        }
    }

    /// Makes sure that what was observed led to this view; forgets everything otherwise, as when an
    /// agent is asked about a position out of the blue.
    pub(crate) fn join(&mut self, view: &View) {
        if self.board.is_none_or(|board| board.places != view.board().places) {
            self.evidence = [0.0; Piece::COUNT];
        }
        self.board = Some(*view.board());
    }

    /// The colourings of the hidden pieces with their probabilities.
    pub(crate) fn colourings(&self, view: &View) -> Vec<(u8, f64)> {
        let lingered = view.board().lingered(view.enemy());
        let evidence = |piece: Piece| {
            let lingered = if piece.is_in(lingered) { self.tells.lingered } else { 0.0 };
            self.evidence[piece.index()] + lingered
        };
        let mut weighted: Vec<(u8, f64)> = view
            .colourings()
            .map(|reds| {
                let log: f64 = Piece::of_set(reds).map(evidence).sum();
                (reds, libm::exp(log))
            })
            .collect();
        let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut weighted {
            *weight /= total;
        }
        weighted
    }

    /// The probability of each hidden piece to be red; 0 for pieces that are not hidden.
    pub(crate) fn reds(&self, view: &View) -> [f64; Piece::COUNT] {
        let mut share = [0.0; Piece::COUNT];
        for (reds, weight) in self.colourings(view) {
            for piece in Piece::of_set(reds) {
                share[piece.index()] += weight;
            }
        }
        share
    }
}
