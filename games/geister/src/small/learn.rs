//! A policy that learns by playing itself, as the one of the whole board did.
//!
//! The trainer of nets (`python -m oboro.learn`) steps the game of the engine, whose board is 6 × 6;
//! here the same objective is applied to a table: a policy gradient on games of the policy with
//! itself, advantages traced by a critic that sees the colours, an entropy bonus, and a pull
//! towards a frozen copy of the policy that is renewed now and then. Each batch of games is used
//! once, so there is no ratio to clip.

use super::board::Position;
use super::tree::{LANES, Next, Profile, Row, Tree, has, normalise};
use oboro_core::{Rng, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// How a policy learns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Learning {
    /// Games played in all.
    pub games: u64,
    /// Games between two updates.
    pub batch: u32,
    /// How far an update goes.
    pub rate: f32,
    /// The entropy bonus.
    pub entropy: f32,
    /// The share of rate and entropy bonus that is left at the end; they fall evenly.
    pub fall: f32,
    /// The weight of the pull towards the frozen copy; 0 lets it go.
    pub magnet: f32,
    /// Updates after which the copy is renewed.
    pub renew: u32,
    /// How much later plies count in an advantage.
    pub trace: f32,
    /// What tells two decisions apart: the position, as a net sees it, or the whole history.
    pub sight: Sight,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning {
            games: 1_000_000,
            batch: 4096,
            rate: 0.5,
            entropy: 0.03,
            fall: 0.1,
            magnet: 0.06,
            renew: 60,
            trace: 0.95,
            sight: Sight::Position,
        }
    }
}

/// What a learner remembers of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sight {
    /// Where everything stands, which captured pieces were what, and the ply.
    Position,
    /// All moves.
    History,
}

impl Learning {
    /// Whether anything can be learned so.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn validate(&self) -> Result<(), SpecError> {
        let numbers = [
            ("rate", self.rate, 100.0),
            ("entropy", self.entropy, 100.0),
            ("magnet", self.magnet, 100.0),
            ("fall", self.fall, 1.0),
            ("trace", self.trace, 1.0),
        ];
        for (name, number, most) in numbers {
            if !(0.0..=most).contains(&number) {
                return Err(SpecError(format!("{name}={number}: 0 to {most}")));
            }
        }
        for (name, number) in
            [("games", self.games), ("batch", self.batch.into()), ("renew", self.renew.into())]
        {
            if number == 0 {
                return Err(SpecError(format!("{name}=0: at least 1")));
            }
        }
        Ok(())
    }
}

/// A policy that learns, and the critic that sees both colourings.
#[derive(Clone, Debug)]
pub struct Learner<'a> {
    tree: &'a Tree,
    how: Learning,
    rng: Rng,
    games: u64,
    updates: u64,
    /// Which slot a node's decisions are kept in.
    slot_of: Vec<u32>,
    slots: Vec<Slot>,
    logits: Vec<Row>,
    magnet: Vec<Row>,
    /// The set-up of each seat is one decision more.
    set_up: [Row; 2],
    set_up_magnet: [Row; 2],
    /// What is gathered until the next update.
    batch: Batch,
}

/// The decisions at one node, or at all nodes that look the same, one for each colouring.
#[derive(Clone, Debug)]
struct Slot {
    /// Where the rows of its steps begin.
    first: u32,
    steps: u8,
    /// How often each decision was met in this batch.
    met: [u32; LANES],
    /// What seat 0 wins from here on, by its colouring and the other's.
    critic: [Row; LANES],
}

impl Slot {
    fn rows(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.steps)
    }
}

#[derive(Clone, Debug, Default)]
struct Batch {
    samples: Vec<Sample>,
    /// The choices of set-ups: seat, colouring, advantage.
    set_ups: Vec<(usize, usize, f32)>,
    /// The advantages of each step, summed; zero between updates.
    gains: Vec<Row>,
}

/// One decision of a game.
#[derive(Clone, Copy, Debug)]
struct Sample {
    slot: u32,
    step: u8,
    mover: u8,
    own: u8,
    advantage: f32,
}

/// How fast the critic follows what it sees.
const CRITIC_RATE: f32 = 0.1;

/// Numbers for the steps of one decision.
type Steps = [f32; Tree::STEPS];

impl<'a> Learner<'a> {
    /// A learner that plays at random as yet.
    ///
    /// # Errors
    /// If nothing can be learned so.
    pub fn new(tree: &'a Tree, how: Learning, rng: Rng) -> Result<Learner<'a>, SpecError> {
        how.validate()?;
        let (mut slots, mut slot_of, mut logits) = (Vec::new(), Vec::new(), Vec::new());
        let mut known: BTreeMap<Position, u32> = BTreeMap::new();
        for (node, position) in (0..).zip(&tree.positions) {
            let fresh = slots.len() as u32;
            let slot = match how.sight {
                Sight::Position => *known.entry(*position).or_insert(fresh),
                Sight::History => fresh,
            };
            slot_of.push(slot);
            if slot < fresh {
                continue;
            }
            let edges = &tree.edges[tree.steps_of(node)];
            slots.push(Slot {
                first: logits.len() as u32,
                steps: edges.len() as u8,
                met: [0; LANES],
                critic: [[0.0; LANES]; LANES],
            });
            // What is not allowed is never drawn.
            let open = |able| move |c| if has(able, c) { 0.0 } else { f32::NEG_INFINITY };
            logits.extend(edges.iter().map(|edge| std::array::from_fn(open(edge.able)) as Row));
        }
        let count = tree.colourings.len();
        let set_up = std::array::from_fn(|c| if c < count { 0.0 } else { f32::NEG_INFINITY });
        Ok(Learner {
            tree,
            how,
            rng,
            games: 0,
            updates: 0,
            slot_of,
            slots,
            batch: Batch { gains: vec![[0.0; LANES]; logits.len()], ..Batch::default() },
            magnet: logits.clone(),
            logits,
            set_up: [set_up; 2],
            set_up_magnet: [set_up; 2],
        })
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many decisions it keeps apart.
    pub fn decisions(&self) -> usize {
        let open = |slot: &Slot, c: usize| {
            self.logits[slot.rows()].iter().any(|row| row[c] > f32::NEG_INFINITY)
        };
        2 + self
            .slots
            .iter()
            .map(|slot| (0..LANES).filter(|&c| open(slot, c)).count())
            .sum::<usize>()
    }

    /// Plays and learns until so many games were played in all.
    pub fn learn(&mut self, games: u64) {
        while self.games < games {
            let batch = u64::from(self.how.batch).min(games - self.games);
            (0..batch).for_each(|_| self.play());
            self.games += batch;
            self.update();
        }
    }

    /// The policy as it is now.
    pub fn policy(&self) -> Profile {
        let mut policy = Profile::by(self.tree, |node, colouring, weights| {
            let slot = &self.slots[self.slot_of[node as usize] as usize];
            weights.copy_from_slice(&likely(&self.logits[slot.rows()], colouring)[..weights.len()]);
        });
        policy.set_up = self.set_up.map(softmax);
        policy
    }

    /// One game of the policy with itself.
    fn play(&mut self) {
        let set_ups = self.set_up.map(softmax);
        let pair = set_ups.map(|row| self.draw(&row));
        let begin = self.batch.samples.len();
        let mut node = 0;
        let result = loop {
            let slot_number = self.slot_of[node as usize];
            let slot = &mut self.slots[slot_number as usize];
            let mover = self.tree.nodes[node as usize].mover;
            let own = pair[usize::from(mover)];
            slot.met[own] += 1;
            let likely = likely(&self.logits[slot.rows()], own);
            let step = self.draw(&likely);
            self.batch.samples.push(Sample {
                slot: slot_number,
                step: step as u8,
                mover,
                own: own as u8,
                advantage: 0.0,
            });
            let edge = &self.tree.edges[self.tree.steps_of(node)][step];
            let other = pair[usize::from(1 - mover)];
            let outcome = edge.outcomes.iter().find(|(mask, _)| has(*mask, other));
            match outcome.expect("a captured piece has a colour").1 {
                Next::Node(next) => node = next,
                Next::Won(winner) => break if winner == 0 { 1.0 } else { -1.0 },
                Next::Drawn => break 0.0,
            }
        };
        self.judge(begin, pair, set_ups, result);
    }

    /// Traces advantages back through a game, and lets the critic learn from it.
    fn judge(&mut self, begin: usize, pair: [usize; 2], set_ups: [Row; 2], result: f32) {
        let [first, second] = pair;
        let at_start = self.slots[0].critic;
        let (mut ahead, mut traced) = (result, 0.0);
        for sample in self.batch.samples[begin..].iter_mut().rev() {
            let judged = &mut self.slots[sample.slot as usize].critic[first][second];
            traced = ahead - *judged + self.how.trace * traced;
            ahead = *judged;
            *judged += CRITIC_RATE * traced;
            sample.advantage = if sample.mover == 0 { traced } else { -traced };
        }
        // What a set-up brought, beside what the policy's own would on average.
        let won = ahead + traced;
        let usual =
            |by: &dyn Fn(usize) -> f32, row: &Row| (0..LANES).map(|c| row[c] * by(c)).sum::<f32>();
        let usual_first = usual(&|c| at_start[c][second], &set_ups[0]);
        let usual_second = usual(&|c| at_start[first][c], &set_ups[1]);
        self.batch.set_ups.push((0, first, won - usual_first));
        self.batch.set_ups.push((1, second, usual_second - won));
    }

    /// One step uphill from what the batch has shown.
    fn update(&mut self) {
        let whole = (self.games as f32 / self.how.games as f32).min(1.0);
        let left = 1.0 - (1.0 - self.how.fall) * whole;
        let hill = Hill {
            rate: self.how.rate * left,
            entropy: self.how.entropy * left,
            magnet: self.how.magnet,
        };
        let Batch { samples, set_ups, gains } = &mut self.batch;
        let squares = samples.iter().map(|s| s.advantage).chain(set_ups.iter().map(|s| s.2));
        let (sum, count) =
            squares.fold((0.0, 0.0), |(sum, count), a| (sum + f64::from(a * a), count + 1.0));
        let scale = 1.0 / libm::sqrt(sum / count + 1e-8) as f32;
        for sample in samples.iter() {
            let row = self.slots[sample.slot as usize].first as usize + usize::from(sample.step);
            gains[row][usize::from(sample.own)] += scale * sample.advantage;
        }
        for sample in samples.drain(..) {
            let (slot, own) = (&mut self.slots[sample.slot as usize], usize::from(sample.own));
            let met = std::mem::take(&mut slot.met[own]);
            if met == 0 {
                continue; // an earlier sample of the same decision has brought all of them in
            }
            let rows = slot.rows();
            let mut logits = column(&self.logits[rows.clone()], own);
            let pull = column(&self.magnet[rows.clone()], own);
            let gained = column(&gains[rows.clone()], own);
            let steps = rows.len();
            hill.climb(&mut logits[..steps], &pull[..steps], &gained[..steps], met);
            for (at, row) in rows.enumerate() {
                self.logits[row][own] = logits[at];
                gains[row][own] = 0.0;
            }
        }
        for seat in 0..2 {
            let mut gained = [0.0; LANES];
            let own = set_ups.iter().filter(|(of, _, _)| *of == seat);
            own.clone().for_each(|(_, c, advantage)| gained[*c] += scale * advantage);
            let met = own.count() as u32;
            hill.climb(&mut self.set_up[seat], &self.set_up_magnet[seat], &gained, met);
        }
        set_ups.clear();
        self.updates += 1;
        if self.updates % u64::from(self.how.renew) == 0 {
            self.magnet.copy_from_slice(&self.logits);
            self.set_up_magnet = self.set_up;
        }
    }

    fn draw(&mut self, likely: &[f32]) -> usize {
        let mut left = self.rng.unit() as f32;
        let mut last = 0;
        for (at, &share) in likely.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            last = at;
            left -= share;
            if left < 0.0 {
                break;
            }
        }
        last
    }
}

/// Which way is up, and how far.
struct Hill {
    rate: f32,
    entropy: f32,
    magnet: f32,
}

impl Hill {
    /// Moves the logits of one decision along the mean gradient of what was gained by each choice,
    /// plus that of the entropy bonus, less that of the distance to the magnet.
    fn climb(&self, logits: &mut [f32], magnet: &[f32], gained: &[f32], met: u32) {
        let (mut likely, mut pull) = ([0.0; Tree::STEPS], [0.0; Tree::STEPS]);
        let count = logits.len();
        let (likely, pull) = (&mut likely[..count], &mut pull[..count]);
        likely.copy_from_slice(logits);
        pull.copy_from_slice(magnet);
        soften(likely);
        soften(pull);
        let all: f32 = gained.iter().sum();
        let log = |share: f32| libm::logf(share.max(1e-30));
        let entropy: f32 = likely.iter().map(|&p| -p * log(p)).sum();
        let distance: f32 = likely.iter().zip(&*pull).map(|(&p, &q)| p * (log(p) - log(q))).sum();
        for at in 0..count {
            let p = likely[at];
            let gain = (gained[at] - p * all) / met as f32;
            let spread = -p * (log(p) + entropy);
            let away = p * (log(p) - log(pull[at]) - distance);
            logits[at] += self.rate * (gain + self.entropy * spread - self.magnet * away);
        }
    }
}

/// One colouring's number of each row.
fn column(rows: &[Row], colouring: usize) -> Steps {
    let mut steps = [0.0; Tree::STEPS];
    steps.iter_mut().zip(rows).for_each(|(step, row)| *step = row[colouring]);
    steps
}

/// How likely each step is with a colouring.
fn likely(rows: &[Row], colouring: usize) -> Steps {
    let mut steps = column(rows, colouring);
    soften(&mut steps[..rows.len()]);
    steps
}

fn softmax(mut row: Row) -> Row {
    soften(&mut row);
    row
}

/// Logits become probabilities.
fn soften(weights: &mut [f32]) {
    let most = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    weights.iter_mut().for_each(|weight| *weight = libm::expf(*weight - most));
    normalise(weights);
}
