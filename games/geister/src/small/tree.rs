//! The public tree of a small board, and policies as tables over it.

use super::board::{Board, Position, Step};
use oboro_core::SpecError;
use std::ops::Range;

/// The most colourings a side can have.
pub const LANES: usize = 6;

/// A number for each colouring of a side, in the order of [`Board::colourings`].
pub type Row = [f32; LANES];

/// A set of colourings, one bit each.
pub(super) type Mask = u8;

/// Whether a set has a colouring.
pub(super) fn has(mask: Mask, colouring: usize) -> bool {
    mask >> colouring & 1 == 1
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The game goes on at this node.
    Node(u32),
    /// This side has won.
    Won(u8),
    /// Nobody wins within the ply limit.
    Drawn,
}

/// A step of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The mover's colourings that allow it: all, or for an escape those with that piece blue.
    pub(super) able: Mask,
    /// Where it leads, by the colour of the piece it captures: the enemy's colourings of which this
    /// is so. A step that captures nothing has one outcome, for all of them.
    pub(super) outcomes: [(Mask, Next); 2],
}

/// A position at which somebody is to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    first: u32,
    count: u8,
    /// The seat that moves.
    pub(super) mover: u8,
    /// Each side's colourings that agree with the captures.
    pub(super) possible: [Mask; 2],
}

/// Every public course of the game on a board: each node is a history, not only a position.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) board: Board,
    pub(super) colourings: Vec<u8>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// The position and steps of each node, for policies that look at the board.
    pub(super) positions: Vec<Position>,
    /// The most steps it may have.
    limit: usize,
}

impl Tree {
    /// The most steps a tree may have: a table of policies then takes 500 MB.
    pub const LIMIT: usize = 20_000_000;

    /// The most steps at one node: four directions for each piece.
    pub(super) const STEPS: usize = 4 * Board::PIECES;

    /// The tree of a board.
    ///
    /// # Errors
    /// If the board is none, or its tree is too large.
    pub fn new(board: Board) -> Result<Tree, SpecError> {
        Tree::within(Tree::LIMIT, board)
    }

    /// The tree of a board, if it has no more than so many steps.
    pub(super) fn within(limit: usize, board: Board) -> Result<Tree, SpecError> {
        board.validate()?;
        let colourings = board.colourings();
        let mut tree =
            Tree { board, colourings, nodes: vec![], edges: vec![], positions: vec![], limit };
        let start = Position::start(board);
        if start.is_dead(board) {
            return Err(SpecError(format!("plies={}: nobody could win so soon", board.plies)));
        }
        tree.grow(start)?;
        Ok(tree)
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many positions there are at which somebody is to move, each counted once a history.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many steps there are, all nodes together.
    pub fn steps(&self) -> usize {
        self.edges.len()
    }

    /// How many decisions there are to be made: for each node and each colouring of its mover one,
    /// and one a side for the set-up.
    pub fn decisions(&self) -> usize {
        let at = |node: &Node| node.possible[usize::from(node.mover)].count_ones() as usize;
        2 + self.nodes.iter().map(at).sum::<usize>()
    }

    /// The steps of a node.
    pub(super) fn steps_of(&self, node: u32) -> Range<usize> {
        let node = &self.nodes[node as usize];
        node.first as usize..node.first as usize + usize::from(node.count)
    }

    /// The colourings of a side in which a condition on its reds holds.
    fn mask(&self, holds: impl Fn(u8) -> bool) -> Mask {
        let bits = self.colourings.iter().enumerate();
        bits.fold(0, |mask, (at, reds)| mask | Mask::from(holds(*reds)) << at)
    }

    fn grow(&mut self, position: Position) -> Result<u32, SpecError> {
        let steps = position.steps(self.board);
        let number = self.nodes.len() as u32;
        let first = self.edges.len();
        if first + steps.len() > self.limit {
            return Err(SpecError(format!(
                "the tree has more than {} steps: try fewer plies or a smaller board",
                self.limit
            )));
        }
        let mover = position.mover();
        let possible = [0, 1].map(|side| self.mask(|reds| position.allows(side, reds)));
        let (count, mover) = (steps.len() as u8, mover as u8);
        self.nodes.push(Node { first: first as u32, count, mover, possible });
        self.positions.push(position);
        let none = Edge { able: 0, outcomes: [(0, Next::Drawn); 2] };
        self.edges.resize(first + steps.len(), none);
        for (at, step) in steps.into_iter().enumerate() {
            self.edges[first + at] = self.edge(&position, step, possible)?;
        }
        Ok(number)
    }

    fn edge(
        &mut self,
        position: &Position,
        step: Step,
        possible: [Mask; 2],
    ) -> Result<Edge, SpecError> {
        let mover = position.mover();
        let (own, enemy) = (possible[mover], possible[1 - mover]);
        let nothing = (0, Next::Drawn);
        let (piece, square, captured) = match step {
            Step::Escape { piece } => {
                let able = own & self.mask(|reds| reds >> piece & 1 == 0);
                return Ok(Edge { able, outcomes: [(enemy, Next::Won(mover as u8)), nothing] });
            }
            Step::To { piece, square, captured, .. } => (piece, square, captured),
        };
        let Some(captured) = captured else {
            let next = self.next(position.after(piece, square, None))?;
            return Ok(Edge { able: own, outcomes: [(enemy, next), nothing] });
        };
        let mut outcomes = [nothing; 2];
        for red in [false, true] {
            let those = enemy & self.mask(|reds| (reds >> captured & 1 == 1) == red);
            if those != 0 {
                let after = position.after(piece, square, Some((captured, red)));
                outcomes[usize::from(red)] = (those, self.next(after)?);
            }
        }
        Ok(Edge { able: own, outcomes })
    }

    fn next(&mut self, position: Position) -> Result<Next, SpecError> {
        if let Some(winner) = position.winner(self.board) {
            return Ok(Next::Won(winner as u8));
        }
        if position.is_dead(self.board) {
            return Ok(Next::Drawn);
        }
        Ok(Next::Node(self.grow(position)?))
    }
}

/// A policy for both seats: how likely each colouring is set up, and how likely each step is taken
/// at each node with each colouring of the mover.
#[derive(Clone, Debug)]
pub struct Profile {
    /// For each seat.
    pub(super) set_up: [Row; 2],
    /// For each step of the tree.
    pub(super) steps: Vec<Row>,
}

impl Profile {
    /// All that is allowed, equally likely.
    pub fn uniform(tree: &Tree) -> Profile {
        Profile::by(tree, |_, _, weights| weights.fill(1.0))
    }

    /// What a function says of each decision: it is given the number of a node and of a colouring
    /// of the mover, and fills in a weight for each step; steps that are not allowed get none.
    /// Set-ups are equally likely.
    pub(super) fn by(tree: &Tree, mut weigh: impl FnMut(u32, usize, &mut [f32])) -> Profile {
        let mut set_up = [0.0; LANES];
        set_up[..tree.colourings.len()].fill(1.0);
        normalise(&mut set_up);
        let mut steps = vec![[0.0; LANES]; tree.edges.len()];
        let mut weights = [0.0; Tree::STEPS];
        for (number, node) in (0..).zip(&tree.nodes) {
            let range = tree.steps_of(number);
            for colouring in 0..tree.colourings.len() {
                if !has(node.possible[usize::from(node.mover)], colouring) {
                    continue;
                }
                let weights = &mut weights[..range.len()];
                weights.fill(0.0);
                weigh(number, colouring, weights);
                for (weight, edge) in weights.iter_mut().zip(&tree.edges[range.clone()]) {
                    if !has(edge.able, colouring) {
                        *weight = 0.0;
                    }
                }
                normalise(weights);
                for (row, weight) in steps[range.clone()].iter_mut().zip(weights) {
                    row[colouring] = *weight;
                }
            }
        }
        Profile { set_up: [set_up; 2], steps }
    }
}

/// Makes weights sum to 1, if there are any.
pub(super) fn normalise(weights: &mut [f32]) {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        for weight in weights {
            *weight /= sum;
        }
    }
}
