//! The tree and its arithmetic against a plain second implementation that keeps whole worlds, one
//! for each pair of colourings, and knows neither rows nor masks.

use super::tree::{Next, has};
use super::*;
use oboro_core::Rng;

/// A whole world. Squares are column and row as seat 0 sees them.
#[derive(Clone, Debug)]
struct World {
    board: Board,
    /// Owner, number, red, column, row of every piece on the board.
    pieces: Vec<(usize, u8, bool, i8, i8)>,
    ply: u8,
    winner: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Move {
    To(u8, i8, i8),
    Out(u8),
}

impl World {
    fn deal(board: Board, reds: [u8; 2]) -> World {
        let (width, height) = (board.width as i8, board.height as i8);
        let mut pieces = Vec::new();
        for seat in [0, 1] {
            let mut number = 0;
            for row in height - board.rows as i8..height {
                for column in 1..width - 1 {
                    let red = reds[seat] >> number & 1 == 1;
                    let turned = (width - 1 - column, height - 1 - row);
                    let (x, y) = if seat == 0 { (column, row) } else { turned };
                    pieces.push((seat, number, red, x, y));
                    number += 1;
                }
            }
        }
        World { board, pieces, ply: 0, winner: None }
    }

    fn mover(&self) -> usize {
        usize::from(self.ply % 2)
    }

    fn is_over(&self) -> bool {
        self.winner.is_some() || self.ply == self.board.plies
    }

    /// Every move that anybody could think the mover has, and whether it has it.
    fn moves(&self) -> Vec<(Move, bool)> {
        let (width, height) = (self.board.width as i8, self.board.height as i8);
        let ahead = if self.mover() == 0 { -1 } else { 1 };
        let far_row = if self.mover() == 0 { 0 } else { height - 1 };
        let mut moves = Vec::new();
        let mut own: Vec<_> = self.pieces.iter().filter(|p| p.0 == self.mover()).collect();
        own.sort_by_key(|piece| piece.1);
        for &&(_, number, red, x, y) in &own {
            if y == far_row && (x == 0 || x == width - 1) {
                moves.push((Move::Out(number), !red));
            }
            for (right, forward) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let (to_x, to_y) = (x - ahead * right, y + ahead * forward);
                let inside = (0..width).contains(&to_x) && (0..height).contains(&to_y);
                if inside && !own.iter().any(|p| (p.3, p.4) == (to_x, to_y)) {
                    moves.push((Move::To(number, to_x, to_y), true));
                }
            }
        }
        moves
    }

    /// The world after a move, and the colour of what was captured.
    fn after(&self, action: Move) -> (World, Option<bool>) {
        let (mut next, mover) = (self.clone(), self.mover());
        next.ply += 1;
        let Move::To(number, x, y) = action else {
            next.winner = Some(mover);
            return (next, None);
        };
        let captured = self.pieces.iter().find(|p| (p.3, p.4) == (x, y)).map(|p| p.2);
        next.pieces.retain(|p| (p.3, p.4) != (x, y));
        let piece = next.pieces.iter_mut().find(|p| (p.0, p.1) == (mover, number)).unwrap();
        (piece.3, piece.4) = (x, y);
        for seat in [0, 1] {
            let left = |red: bool| next.pieces.iter().any(|p| p.0 == seat && p.2 == red);
            if !left(false) {
                next.winner = Some(1 - seat);
            } else if !left(true) {
                next.winner = Some(seat);
            }
        }
        (next, captured)
    }

    fn balance(&self, us: usize) -> f64 {
        self.winner.map_or(0.0, |winner| if winner == us { 1.0 } else { -1.0 })
    }
}

/// Some play as a policy says, and where in the tree; nowhere once the tree calls it drawn.
struct Twin<'a> {
    tree: &'a Tree,
    policy: &'a Profile,
}

impl Twin<'_> {
    fn likely(&self, node: Option<u32>, at: usize, colouring: usize) -> f64 {
        // Where the tree has ended nothing matters any more: the first move always exists.
        node.map_or(f64::from(u8::from(at == 0)), |node| {
            f64::from(self.policy.steps[self.tree.steps_of(node)][at][colouring])
        })
    }

    /// The node that a move leads to; it agrees with the tree on what has ended.
    fn next(
        &self,
        node: Option<u32>,
        at: usize,
        after: &World,
        captured: Option<bool>,
    ) -> Option<u32> {
        let edge = &self.tree.edges[self.tree.steps_of(node?)][at];
        match edge.outcomes[usize::from(captured == Some(true))].1 {
            Next::Node(next) => {
                assert!(!after.is_over());
                Some(next)
            }
            Next::Won(winner) => {
                assert_eq!(after.winner, Some(usize::from(winner)));
                None
            }
            Next::Drawn => {
                assert_eq!(after.winner, None);
                None
            }
        }
    }

    fn moves(&self, node: Option<u32>, world: &World, colouring: usize) -> Vec<(Move, bool)> {
        let moves = world.moves();
        if let Some(node) = node {
            let edges = &self.tree.edges[self.tree.steps_of(node)];
            let able: Vec<bool> = edges.iter().map(|edge| has(edge.able, colouring)).collect();
            assert_eq!(moves.iter().map(|m| m.1).collect::<Vec<_>>(), able);
        }
        moves
    }

    /// What seat 0 wins on average in one world.
    fn balance(&self, world: &World, node: Option<u32>, pair: [usize; 2]) -> f64 {
        if world.is_over() {
            return world.balance(0);
        }
        let colouring = pair[world.mover()];
        let mut sum = 0.0;
        for (at, (action, _)) in self.moves(node, world, colouring).into_iter().enumerate() {
            let likely = self.likely(node, at, colouring);
            if likely > 0.0 {
                let (after, captured) = world.after(action);
                let next = self.next(node, at, &after, captured);
                sum += likely * self.balance(&after, next, pair);
            }
        }
        sum
    }

    /// What the best answer wins, knowing its own colouring and what all see; each world is one
    /// colouring of the other side, with how likely it is here.
    fn best(
        &self,
        us: usize,
        own: usize,
        node: Option<u32>,
        worlds: &[(World, usize, f64)],
    ) -> f64 {
        let Some((world, _, _)) = worlds.first() else { return 0.0 };
        if world.is_over() {
            return worlds.iter().map(|(world, _, weight)| weight * world.balance(us)).sum();
        }
        let ours = world.mover() == us;
        let colouring = if ours { own } else { worlds[0].1 };
        let mut found = Vec::new();
        for (at, (action, able)) in self.moves(node, world, colouring).into_iter().enumerate() {
            if ours && !able {
                continue;
            }
            let mut sum = 0.0;
            for seen in [None, Some(false), Some(true)] {
                let mut rest = Vec::new();
                for (world, theirs, weight) in worlds {
                    let likely = if ours { 1.0 } else { self.likely(node, at, *theirs) };
                    let (after, captured) = world.after(action);
                    if captured == seen && weight * likely > 0.0 {
                        rest.push((after, *theirs, weight * likely));
                    }
                }
                if let Some((after, _, _)) = rest.first() {
                    let next = self.next(node, at, after, seen);
                    sum += self.best(us, own, next, &rest);
                }
            }
            found.push(sum);
        }
        if ours { found.into_iter().fold(f64::NEG_INFINITY, f64::max) } else { found.iter().sum() }
    }

    fn worlds(&self, us: usize, own: usize) -> Vec<(World, usize, f64)> {
        let colourings = self.tree.board.colourings();
        let world = |theirs: usize| {
            let mut reds = [colourings[theirs]; 2];
            reds[us] = colourings[own];
            World::deal(self.tree.board, reds)
        };
        let each = (0..colourings.len()).map(|c| (world(c), c, self.policy.set_up[1 - us][c]));
        each.map(|(world, c, weight)| (world, c, f64::from(weight))).collect()
    }

    fn best_response(&self, seat: usize) -> f64 {
        let colourings = 0..self.tree.board.colourings().len();
        let each = colourings.map(|own| self.best(seat, own, Some(0), &self.worlds(seat, own)));
        0.5 + 0.5 * each.fold(f64::NEG_INFINITY, f64::max)
    }

    fn worth(&self) -> f64 {
        let mut sum = 0.0;
        for own in 0..self.tree.board.colourings().len() {
            for (world, theirs, weight) in self.worlds(0, own) {
                let likely = f64::from(self.policy.set_up[0][own]) * weight;
                sum += likely * self.balance(&world, Some(0), [own, theirs]);
            }
        }
        0.5 + 0.5 * sum
    }
}

/// Anything at all.
fn haphazard(tree: &Tree, seed: u64) -> Profile {
    let mut rng = Rng::from_u64(seed);
    let mut weight = || if rng.chance(0.3) { 0.001 } else { rng.unit() as f32 };
    let mut policy = Profile::by(tree, |_, _, weights| weights.fill_with(&mut weight));
    for row in &mut policy.set_up {
        let row = &mut row[..tree.colourings.len()];
        row.fill_with(&mut weight);
        super::tree::normalise(row);
    }
    policy
}

fn agree(tree: &Tree, policy: &Profile) {
    let twin = Twin { tree, policy };
    let pairs = [
        (worth(tree, policy, policy), twin.worth()),
        (best_response(tree, policy, 0), twin.best_response(0)),
        (best_response(tree, policy, 1), twin.best_response(1)),
    ];
    for (ours, theirs) in pairs {
        assert!((ours - theirs).abs() < 1e-6, "{:?}: {ours} and {theirs}", tree.board);
    }
}

#[test]
fn rows_and_worlds_agree_on_every_kind_of_board() {
    for board in [
        Board::smallest(),
        Board { width: 3, height: 4, rows: 2, reds: 1, plies: 6 },
        Board { width: 5, height: 3, rows: 1, reds: 2, plies: 5 },
        Board { plies: 4, ..Board::default() },
    ] {
        let tree = Tree::new(board).unwrap();
        for policy in [Profile::uniform(&tree), haphazard(&tree, 1), Profile::pimc(&tree)] {
            agree(&tree, &policy);
        }
    }
}

#[test]
fn each_side_can_win_in_all_three_ways_on_the_usual_boards() {
    // Worlds played at random end in every way that there is.
    for board in [Board { plies: 8, ..Board::smallest() }, Board::default()] {
        let mut rng = Rng::from_u64(2);
        let colourings = board.colourings();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..20_000 {
            let reds = [0, 1].map(|_| *rng.choose(&colourings).unwrap());
            let mut world = World::deal(board, reds);
            let mut escaped = false;
            while !world.is_over() {
                let mut moves = world.moves();
                moves.retain(|(_, able)| *able);
                let (action, _) = *rng.choose(&moves).unwrap();
                escaped = matches!(action, Move::Out(_));
                world = world.after(action).0;
            }
            // Whoever moved last won by taking the last blue, or lost by taking the last red.
            let by = world.winner.map(|winner| (winner, escaped, winner != world.mover()));
            seen.extend(by);
        }
        for winner in [0, 1] {
            for (escaped, moved_last) in [(true, true), (false, true), (false, false)] {
                assert!(seen.contains(&(winner, escaped, moved_last)), "{board:?}: {seen:?}");
            }
        }
    }
}

#[test]
fn nobody_beats_what_many_iterations_leave() {
    let tree = Tree::new(Board::smallest()).unwrap();
    let mut cfr = Cfr::new(&tree);
    let mut left = Vec::new();
    for iterations in [1, 30, 300] {
        while cfr.iterations() < iterations {
            cfr.iterate();
        }
        left.push(exploitability(&tree, &cfr.average()));
    }
    assert!(left[0] > 0.1 && left[1] < 0.08 && left[2] < 0.008, "{left:?}");
    // The twin, who knows no rows, finds no more to win either.
    let policy = cfr.average();
    let twin = Twin { tree: &tree, policy: &policy };
    let both = f64::midpoint(twin.best_response(0), twin.best_response(1)) - 0.5;
    assert!((both - left[2]).abs() < 1e-6, "{both} and {left:?}");
}

#[test]
fn no_policy_scores_more_than_the_best_response() {
    let tree = Tree::new(Board::smallest()).unwrap();
    let policies = [
        Profile::uniform(&tree),
        Profile::runner(&tree),
        Profile::pimc(&tree),
        haphazard(&tree, 7),
        haphazard(&tree, 8),
    ];
    for policy in &policies {
        for other in &policies {
            let first = worth(&tree, other, policy);
            assert!(first <= best_response(&tree, policy, 0) + 1e-9);
            let second = 1.0 - worth(&tree, policy, other);
            assert!(second <= best_response(&tree, policy, 1) + 1e-9);
        }
    }
}

#[test]
fn a_runner_that_is_known_is_always_beaten() {
    // Whoever runs with blues only shows which they are.
    let tree = Tree::new(Board::smallest()).unwrap();
    assert_eq!(exploitability(&tree, &Profile::runner(&tree)), 0.5);
}

#[test]
fn boards_that_cannot_be_solved_are_refused_with_the_reason() {
    let board = Board::default();
    for (board, said) in [
        (Board { width: 7, ..board }, "3x3 to 6x6"),
        (Board { width: 6, height: 6, ..board }, "2 to 4 can be solved"),
        (Board { width: 3, rows: 1, ..board }, "1 pieces a side"),
        (Board { height: 3, ..board }, "rows=2"),
        (Board { reds: 4, ..board }, "1 to 3"),
        (Board { reds: 0, ..board }, "1 to 3"),
        (Board { plies: 0, ..board }, "plies=0"),
        (Board { plies: 1, ..board }, "nobody could win so soon"),
        (Board { plies: 30, ..board }, "fewer plies"),
    ] {
        let error = Tree::within(1000, board).unwrap_err().to_string();
        assert!(error.contains(said), "{board:?}: {error}");
    }
}
