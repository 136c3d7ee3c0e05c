//! Counterfactual regret minimisation: the policy that nobody beats, nearer with every iteration.

use super::tree::{LANES, Mask, Next, Profile, Row, Tree, has, normalise};
use super::value::{Sides, Worth, mean, walk, wide};
use std::ops::Range;

/// CFR+ over the public tree: for each decision and each step, how much better that step would
/// have been so far (never below 0); the two sides improve in turn, each step is taken in
/// proportion to its regret, and the average of all iterations, late ones weighted more, is what
/// comes nearer and nearer to a policy that nobody beats.
#[derive(Clone, Debug)]
pub struct Cfr<'a> {
    tree: &'a Tree,
    iterations: u32,
    regrets: Vec<Row>,
    sums: Vec<Row>,
    set_up_regrets: [Row; 2],
    set_up_sums: [Row; 2],
}

impl<'a> Cfr<'a> {
    /// Before the first iteration.
    pub fn new(tree: &'a Tree) -> Cfr<'a> {
        let none = vec![[0.0; LANES]; tree.edges.len()];
        Cfr {
            tree,
            iterations: 0,
            regrets: none.clone(),
            sums: none,
            set_up_regrets: [[0.0; LANES]; 2],
            set_up_sums: [[0.0; LANES]; 2],
        }
    }

    /// How many iterations were made.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// One iteration: each side in turn learns what it would rather have done.
    pub fn iterate(&mut self) {
        self.iterations += 1;
        let weight = f64::from(self.iterations) * f64::from(self.iterations);
        for us in 0..2 {
            let theirs = self.set_up(1 - us);
            let sums = &mut self.set_up_sums[1 - us];
            sums.iter_mut().zip(theirs).for_each(|(sum, p)| *sum += weight as f32 * p);
            let mut learner = Learner { regrets: &mut self.regrets, sums: &mut self.sums, weight };
            let worth = walk(self.tree, &mut learner, us, Next::Node(0), &wide(&theirs));
            let own = wide(&self.set_up(us));
            let mean: f64 = own.iter().zip(&worth).map(|(likely, worth)| likely * worth).sum();
            let regrets = &mut self.set_up_regrets[us][..self.tree.colourings.len()];
            for (regret, worth) in regrets.iter_mut().zip(worth) {
                *regret = grown(*regret, worth - mean);
            }
        }
    }

    /// How likely a side sets up each colouring now.
    fn set_up(&self, side: usize) -> Row {
        in_proportion(&self.set_up_regrets[side], self.tree.colourings.len())
    }

    /// The average of all iterations.
    pub fn average(&self) -> Profile {
        let mut average = Profile::by(self.tree, |node, colouring, weights| {
            let sums = &self.sums[self.tree.steps_of(node)];
            if sums.iter().all(|row| row[colouring] == 0.0) {
                weights.fill(1.0);
            } else {
                weights.iter_mut().zip(sums).for_each(|(weight, row)| *weight = row[colouring]);
            }
        });
        let count = self.tree.colourings.len();
        average.set_up = self.set_up_sums.map(|sums| in_proportion(&sums, count));
        average
    }
}

/// Weights as probabilities; all of the first `count` alike if there are no weights.
fn in_proportion(weights: &Row, count: usize) -> Row {
    let mut row = *weights;
    if row.iter().all(|&weight| weight == 0.0) {
        row[..count].fill(1.0);
    }
    normalise(&mut row);
    row
}

/// Regrets below this count as none: their reciprocals would not be numbers, and arithmetic with
/// them is slow.
const LEAST: f32 = 1e-30;

/// A regret that grows, or not.
fn grown(regret: f32, by: f64) -> f32 {
    let sum = regret + by as f32;
    if sum > LEAST { sum } else { 0.0 }
}

struct Learner<'a> {
    regrets: &'a mut [Row],
    sums: &'a mut [Row],
    /// What this iteration counts in the average.
    weight: f64,
}

impl Learner<'_> {
    /// Every step in proportion to its regret, or all that are allowed alike.
    fn matched(&self, tree: &Tree, steps: Range<usize>, likely: &mut [Row]) {
        let (edges, regrets) = (&tree.edges[steps.clone()], &self.regrets[steps]);
        let mut sums = [0.0; LANES];
        for row in regrets {
            (0..LANES).for_each(|c| sums[c] += row[c]);
        }
        let unknown = sums
            .iter()
            .enumerate()
            .fold(0, |mask: Mask, (c, &sum)| mask | Mask::from(sum == 0.0) << c);
        let scale = sums.map(|sum: f32| if sum > 0.0 { 1.0 / sum } else { 0.0 });
        for (likely, row) in likely.iter_mut().zip(regrets) {
            *likely = std::array::from_fn(|c| row[c] * scale[c]);
        }
        if unknown == 0 {
            return;
        }
        for c in (0..LANES).filter(|&c| has(unknown, c)) {
            let count = edges.iter().filter(|edge| has(edge.able, c)).count();
            for (likely, edge) in likely.iter_mut().zip(edges) {
                likely[c] = if has(edge.able, c) { 1.0 / count as f32 } else { 0.0 };
            }
        }
    }
}

impl Sides for Learner<'_> {
    fn theirs(&mut self, tree: &Tree, steps: Range<usize>, reach: &Worth, likely: &mut [Row]) {
        self.matched(tree, steps.clone(), likely);
        let counts: Row = reach.map(|reach| (self.weight * reach) as f32);
        for (sum, likely) in self.sums[steps].iter_mut().zip(likely) {
            (0..LANES).for_each(|c| sum[c] += counts[c] * likely[c]);
        }
    }

    fn ours(&mut self, tree: &Tree, steps: Range<usize>, worth: &[Worth]) -> Worth {
        let mut likely = [[0.0; LANES]; Tree::STEPS];
        let likely = &mut likely[..steps.len()];
        self.matched(tree, steps.clone(), likely);
        let mean = mean(likely, worth);
        let regrets = self.regrets[steps.clone()].iter_mut();
        for ((regret, edge), worth) in regrets.zip(&tree.edges[steps]).zip(worth) {
            for c in (0..LANES).filter(|&c| has(edge.able, c)) {
                regret[c] = grown(regret[c], worth[c] - mean[c]);
            }
        }
        mean
    }
}
