use crate::side::Side;
use crate::tree::{Profile, Tree};
use oboro_core::Game;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How regrets are minimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Counterfactual regret minimisation (Zinkevich et al. 2007).
    Cfr,
    /// CFR+ (Tammelin 2014): regrets never fall below 0, and iteration `t` weighs `t²` in the average.
    #[serde(rename = "cfr+")]
    CfrPlus,
    /// Discounted CFR (Brown and Sandholm 2019) with α = 3/2, β = 0, γ = 2.
    Dcfr,
    /// External-sampling Monte Carlo CFR (Lanctot et al. 2009): one deal and one line of the others an iteration.
    Mccfr,
}

impl Method {
    /// All of them by name.
    pub const ALL: [(&'static str, Method); 4] = [
        ("cfr", Method::Cfr),
        ("cfr+", Method::CfrPlus),
        ("dcfr", Method::Dcfr),
        ("mccfr", Method::Mccfr),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let entry = Method::ALL.iter().find(|(_, method)| *method == self);
        entry.expect("all methods are listed").0
    }

    /// The method with this name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.iter().find(|(other, _)| *other == name).map(|(_, method)| *method)
    }
}

/// Regret minimisation over a whole tree, the seats in turn.
#[derive(Clone, Debug)]
pub struct Solver<'a, G: Game> {
    tree: &'a Tree<G>,
    method: Method,
    iterations: u32,
    seats: Vec<Learner>,
    /// The probabilities of sequences by the current strategies.
    reaches: Vec<Vec<f64>>,
    values: Vec<f64>,
}

/// What is kept for each sequence of a seat.
#[derive(Clone, Debug)]
struct Learner {
    regrets: Vec<f64>,
    sums: Vec<f64>,
    strategy: Vec<f64>,
}

/// Every action in proportion to its regret; all alike where nothing is regretted.
#[inline]
pub(crate) fn match_regrets(regrets: &[f64], strategy: &mut [f64]) {
    let total: f64 = regrets.iter().map(|regret| regret.max(0.0)).sum();
    if total > 0.0 {
        let scale = 1.0 / total;
        for (share, regret) in strategy.iter_mut().zip(regrets) {
            *share = regret.max(0.0) * scale;
        }
    } else {
        strategy.fill(1.0 / strategy.len() as f64);
    }
}

/// Weights as probabilities, set by set.
pub(crate) fn normalised<A: Copy + Eq>(side: &Side<A>, sums: &[f64]) -> Vec<f64> {
    let mut strategy = vec![1.0; side.sequences()];
    for set in &side.sets {
        let range = set.sequences();
        match_regrets(&sums[range.clone()], &mut strategy[range]);
    }
    strategy
}

impl<'a, G: Game> Solver<'a, G> {
    /// Before the first iteration: every action is as likely as any other. [`Method::Mccfr`] goes through the whole tree
    /// here, as [`Method::Cfr`] does; [`Sampler`](crate::Sampler) samples.
    pub fn new(tree: &'a Tree<G>, method: Method) -> Solver<'a, G> {
        let learner = |side: &Side<G::Action>| Learner {
            regrets: vec![0.0; side.sequences()],
            sums: vec![0.0; side.sequences()],
            strategy: side.uniform(),
        };
        let seats: Vec<Learner> = tree.sides().iter().map(learner).collect();
        let reaches = tree.reaches(&tree.uniform());
        Solver { tree, method, iterations: 0, seats, reaches, values: Vec::new() }
    }

    /// How many iterations were made.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// One iteration: each seat in turn learns what it would rather have done.
    pub fn iterate(&mut self) {
        self.iterations += 1;
        let time = f64::from(self.iterations);
        // What the past counts in regrets, above and below 0, and this iteration in the average.
        let (above, below, weight) = match self.method {
            Method::Cfr | Method::Mccfr => (1.0, 1.0, 1.0),
            Method::CfrPlus => (1.0, 0.0, time * time),
            Method::Dcfr => {
                let grown = time * time.sqrt();
                (grown / (grown + 1.0), 0.5, time * time)
            }
        };
        for seat in 0..self.seats.len() {
            self.tree.values(seat, &self.reaches, &mut self.values);
            let side = &self.tree.sides()[seat];
            let Learner { regrets, sums, strategy } = &mut self.seats[seat];
            let reaches = &mut self.reaches[seat];
            let plus = self.method == Method::CfrPlus;
            side.fold_up(&mut self.values, |range, values| {
                let (regrets, shares) = (&mut regrets[range.clone()], &strategy[range.clone()]);
                let values = &values[range];
                let mean: f64 = shares.iter().zip(values).map(|(share, value)| share * value).sum();
                for (regret, value) in regrets.iter_mut().zip(values) {
                    let sum = *regret + value - mean;
                    *regret = if plus {
                        sum.max(0.0)
                    } else {
                        sum * if sum > 0.0 { above } else { below }
                    };
                }
                mean
            });
            for set in &side.sets {
                let range = set.sequences();
                let before = reaches[set.parent as usize];
                let shares = &mut strategy[range.clone()];
                match_regrets(&regrets[range.clone()], shares);
                let reached = reaches[range.clone()].iter_mut().zip(&mut sums[range]);
                for (share, (reach, sum)) in shares.iter().zip(reached) {
                    *reach = before * share;
                    *sum += weight * *reach;
                }
            }
        }
    }

    /// The average of all iterations, which comes nearer and nearer to a strategy that nobody exploits.
    pub fn average(&self) -> Profile {
        let seats = self.tree.sides().iter().zip(&self.seats);
        Profile(seats.map(|(side, learner)| normalised(side, &learner.sums)).collect())
    }

    /// The strategies of the last iteration.
    pub fn last(&self) -> Profile {
        Profile(self.seats.iter().map(|learner| learner.strategy.clone()).collect())
    }
}
