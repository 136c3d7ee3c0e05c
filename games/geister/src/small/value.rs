//! What a policy is worth, and what the best answer to it wins.
//!
//! One walk serves all purposes. It sees the tree from one side, *ours*, and carries along how
//! likely the other side's policy leads here with each of its colourings; what comes back is, for
//! each colouring of ours, what we win from here against all of those together, a win counted 1, a
//! draw 0 and a loss -1. Endings are public, so there a sum is enough.

use super::tree::{LANES, Next, Profile, Row, Tree, has};
use std::ops::Range;

/// A number for each colouring, to be summed over the whole tree.
pub(super) type Worth = [f64; LANES];

/// How the two sides decide during a walk.
pub(super) trait Sides {
    /// How likely the other side takes each of these steps with each colouring; `reach` says how
    /// likely it came here with each.
    fn theirs(&mut self, tree: &Tree, steps: Range<usize>, reach: &Worth, likely: &mut [Row]);

    /// What a node is worth to us where we are to move, given what each of its steps is worth.
    fn ours(&mut self, tree: &Tree, steps: Range<usize>, worth: &[Worth]) -> Worth;
}

/// What is won from here on by the side `us`.
pub(super) fn walk(
    tree: &Tree,
    sides: &mut impl Sides,
    us: usize,
    next: Next,
    reach: &Worth,
) -> Worth {
    let node = match next {
        Next::Drawn => return [0.0; LANES],
        Next::Won(winner) => {
            let sum: f64 = reach.iter().sum();
            return [if usize::from(winner) == us { sum } else { -sum }; LANES];
        }
        Next::Node(node) => node,
    };
    if reach.iter().all(|&likely| likely == 0.0) {
        return [0.0; LANES];
    }
    let steps = tree.steps_of(node);
    let edges = &tree.edges[steps.clone()];
    if usize::from(tree.nodes[node as usize].mover) == us {
        let mut worth = [[0.0; LANES]; Tree::STEPS];
        for (worth, edge) in worth.iter_mut().zip(edges) {
            // What we capture shows which colourings the other side may have.
            for (mask, next) in edge.outcomes.iter().filter(|(mask, _)| *mask != 0) {
                let reach = std::array::from_fn(|c| if has(*mask, c) { reach[c] } else { 0.0 });
                add(worth, &walk(tree, sides, us, *next, &reach));
            }
        }
        sides.ours(tree, steps, &worth[..edges.len()])
    } else {
        let mut likely = [[0.0; LANES]; Tree::STEPS];
        sides.theirs(tree, steps, reach, &mut likely[..edges.len()]);
        let mut worth = [0.0; LANES];
        for (likely, edge) in likely.iter().zip(edges) {
            let reach = std::array::from_fn(|c| reach[c] * f64::from(likely[c]));
            for (mask, next) in edge.outcomes.iter().filter(|(mask, _)| *mask != 0) {
                let from_here = walk(tree, sides, us, *next, &reach);
                for c in (0..LANES).filter(|&c| has(*mask, c)) {
                    worth[c] += from_here[c];
                }
            }
        }
        worth
    }
}

fn add(sum: &mut Worth, more: &Worth) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// The set-up of a side as a walk begins with it.
pub(super) fn wide(set_up: &Row) -> Worth {
    set_up.map(f64::from)
}

/// We answer the other side's policy as well as can be.
struct Best<'a>(&'a Profile);

impl Sides for Best<'_> {
    fn theirs(&mut self, _: &Tree, steps: Range<usize>, _: &Worth, likely: &mut [Row]) {
        likely.copy_from_slice(&self.0.steps[steps]);
    }

    fn ours(&mut self, tree: &Tree, steps: Range<usize>, worth: &[Worth]) -> Worth {
        let mut best = [f64::NEG_INFINITY; LANES];
        for (edge, worth) in tree.edges[steps].iter().zip(worth) {
            for c in (0..LANES).filter(|&c| has(edge.able, c)) {
                best[c] = best[c].max(worth[c]);
            }
        }
        // Colourings that the captures exclude are worth nothing to anybody.
        best.map(|worth| if worth.is_finite() { worth } else { 0.0 })
    }
}

/// We play by the first policy, the other side by the second.
struct Each<'a>(&'a Profile, &'a Profile);

impl Sides for Each<'_> {
    fn theirs(&mut self, tree: &Tree, steps: Range<usize>, reach: &Worth, likely: &mut [Row]) {
        Best(self.1).theirs(tree, steps, reach, likely);
    }

    fn ours(&mut self, _: &Tree, steps: Range<usize>, worth: &[Worth]) -> Worth {
        mean(&self.0.steps[steps], worth)
    }
}

/// What a node is worth to whoever takes its steps so likely.
pub(super) fn mean(likely: &[Row], worth: &[Worth]) -> Worth {
    let mut mean = [0.0; LANES];
    for (likely, worth) in likely.iter().zip(worth) {
        (0..LANES).for_each(|c| mean[c] += f64::from(likely[c]) * worth[c]);
    }
    mean
}

/// What the best possible opponent scores from a seat against a policy that it knows, the policy's
/// random choices apart: points a game, a win counted 1, a draw ½.
pub fn best_response(tree: &Tree, policy: &Profile, seat: usize) -> f64 {
    let theirs = wide(&policy.set_up[1 - seat]);
    let worth = walk(tree, &mut Best(policy), seat, Next::Node(0), &theirs);
    let best = worth[..tree.colourings.len()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    points(best)
}

/// How far a policy can be beaten: what the best possible opponent scores above ½ when it has each
/// seat in turn. A perfect policy has 0, and ½ is the worst.
pub fn exploitability(tree: &Tree, policy: &Profile) -> f64 {
    f64::midpoint(best_response(tree, policy, 0), best_response(tree, policy, 1)) - 0.5
}

/// What seat 0 scores, seat 0 playing by one policy and seat 1 by another.
pub fn worth(tree: &Tree, first: &Profile, second: &Profile) -> f64 {
    let theirs = wide(&second.set_up[1]);
    let worth = walk(tree, &mut Each(first, second), 0, Next::Node(0), &theirs);
    let own = wide(&first.set_up[0]);
    points(own.iter().zip(&worth).map(|(likely, worth)| likely * worth).sum())
}

/// Points a game from what was won and lost.
fn points(balance: f64) -> f64 {
    f64::midpoint(1.0, balance)
}
