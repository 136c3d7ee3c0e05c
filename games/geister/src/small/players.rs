//! Policies that nobody had to learn.

use super::board::{Position, Step};
use super::tree::{LANES, Next, Profile, Tree, has};

/// What a step is worth to each pair of colourings when both sides see all: the first seat's
/// colouring counts by rows.
type Worlds = [[f32; LANES]; LANES];

impl Profile {
    /// Runs for the exits without a thought for the other side: it leaves if it can, and otherwise
    /// moves the blue that is nearest to an exit one step nearer, if the way is free of its own.
    pub fn runner(tree: &Tree) -> Profile {
        Profile::by(tree, |node, colouring, weights| {
            let reds = tree.colourings[colouring];
            let position = &tree.positions[node as usize];
            let steps = position.steps(tree.board);
            let left = |step: &Step| steps_left(tree, position, *step, reds);
            let best = steps.iter().map(left).min().expect("somebody can always move");
            for (weight, step) in weights.iter_mut().zip(&steps) {
                *weight = f32::from(u8::from(left(step) == best));
            }
        })
    }

    /// Solves the game for each colouring of the other side as if all could be seen, and takes the
    /// step that is best on average, every colouring that agrees with the captures being as likely
    /// as any other: determinization without the noise of playouts.
    pub fn pimc(tree: &Tree) -> Profile {
        let mut open = vec![[0.0; LANES]; tree.edges.len()];
        solve_open(tree, 0, &mut open);
        Profile::by(tree, |node, colouring, weights| {
            let range = tree.steps_of(node);
            let sums = open[range.clone()].iter().map(|row| row[colouring]);
            let able = tree.edges[range.clone()].iter().map(|edge| has(edge.able, colouring));
            let best = sums.clone().zip(able).filter(|(_, able)| *able).map(|(sum, _)| sum);
            let best = best.fold(f32::NEG_INFINITY, f32::max);
            for (weight, sum) in weights.iter_mut().zip(sums) {
                *weight = f32::from(u8::from(sum == best));
            }
        })
    }
}

/// The steps that a blue still needs to an exit after a step, or more than any if a red moves.
fn steps_left(tree: &Tree, position: &Position, step: Step, reds: u8) -> u8 {
    match step {
        Step::Escape { piece } => {
            if reds >> piece & 1 == 0 {
                0
            } else {
                u8::MAX
            }
        }
        Step::To { piece, square, .. } => {
            let place = position.places[position.mover()][usize::from(piece)];
            let nearer = tree.board.to_exit(square) < tree.board.to_exit(place);
            if reds >> piece & 1 == 0 && nearer { 1 + tree.board.to_exit(square) } else { u8::MAX }
        }
    }
}

/// What a node is worth to the first seat with every pair of colourings, both seeing all and
/// playing perfectly; for each step of its mover, with each colouring of the mover, the sum over
/// the colourings of the other is written down.
fn solve_open(tree: &Tree, node: u32, sums: &mut [[f32; LANES]]) -> Worlds {
    let range = tree.steps_of(node);
    let mover = usize::from(tree.nodes[node as usize].mover);
    let sign = if mover == 0 { 1.0 } else { -1.0 };
    let mut best = [[-sign * f32::INFINITY; LANES]; LANES];
    for at in range {
        let edge = tree.edges[at];
        let mut sum = [0.0; LANES];
        for (mask, next) in edge.outcomes.into_iter().filter(|(mask, _)| *mask != 0) {
            let worth = match next {
                Next::Drawn => [[0.0; LANES]; LANES],
                Next::Won(winner) => [[if winner == 0 { 1.0 } else { -1.0 }; LANES]; LANES],
                Next::Node(next) => solve_open(tree, next, sums),
            };
            for own in (0..LANES).filter(|&own| has(edge.able, own)) {
                for other in (0..LANES).filter(|&other| has(mask, other)) {
                    let (a, b) = if mover == 0 { (own, other) } else { (other, own) };
                    sum[own] += sign * worth[a][b];
                    let best = &mut best[a][b];
                    if sign * worth[a][b] > sign * *best {
                        *best = worth[a][b];
                    }
                }
            }
        }
        sums[at] = sum;
    }
    best
}
