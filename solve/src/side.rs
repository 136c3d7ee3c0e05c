use crate::tree::TreeError;
use oboro_core::{Game, GameWorld, Seat, SeatView};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The end of a list.
const NONE: u32 = u32::MAX;

/// The information sets of one seat, each after the sequence that leads to it: parents come before children.
///
/// With perfect recall a set has one parent, so that it is found among the few children of that sequence, by the hash of
/// its view.
#[derive(Clone, Debug)]
pub struct Side<A> {
    pub(crate) sets: Vec<Set>,
    /// The action of every sequence but the first, which is empty.
    actions: Vec<A>,
    /// By sequence, the first of the sets that come after it.
    children: Vec<u32>,
    /// A history that leads to each set: its deal and its actions.
    deals: Vec<u32>,
    ends: Vec<u32>,
    histories: Vec<A>,
}

/// One information set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Set {
    /// The sequence that leads here.
    pub(crate) parent: u32,
    /// Its own sequences are `first..first + count`.
    pub(crate) first: u32,
    pub(crate) count: u16,
    next: u32,
    /// The hash of its view.
    pub(crate) view: u64,
}

impl Set {
    /// The sequences of the set.
    #[inline]
    pub(crate) fn sequences(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }
}

/// The hash by which views are told apart.
pub(crate) fn hash_of(view: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    view.hash(&mut hasher);
    hasher.finish()
}

impl<A: Copy + Eq> Side<A> {
    pub(crate) fn new() -> Side<A> {
        Side {
            sets: Vec::new(),
            actions: Vec::new(),
            children: vec![NONE],
            deals: Vec::new(),
            ends: vec![0],
            histories: Vec::new(),
        }
    }

    /// How many information sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// How many sequences there are, the empty one included.
    pub fn sequences(&self) -> usize {
        self.children.len()
    }

    /// The sequences of an information set.
    pub fn sequences_of(&self, set: usize) -> Range<usize> {
        self.sets[set].sequences()
    }

    /// The actions of an information set.
    pub fn actions_of(&self, set: usize) -> &[A] {
        let range = self.sequences_of(set);
        &self.actions[range.start - 1..range.end - 1]
    }

    /// A history that leads to an information set: the number of the deal, and the actions since.
    pub fn history_of(&self, set: usize) -> (usize, &[A]) {
        let range = self.ends[set] as usize..self.ends[set + 1] as usize;
        (self.deals[set] as usize, &self.histories[range])
    }

    /// The set that the seat to move is in after a sequence of its own; a new one if it was never met.
    pub(crate) fn find<G: Game<Action = A>>(
        &mut self,
        world: &G::World,
        seat: Seat,
        parent: u32,
        (deal, history): (u32, &[A]),
    ) -> Result<u32, TreeError> {
        let view = world.view(seat);
        let hash = hash_of(&view);
        let first = self.children[parent as usize];
        let mut at = first;
        while at != NONE {
            let set = &self.sets[at as usize];
            if set.view == hash {
                return Ok(at);
            }
            at = set.next;
        }
        let first_sequence = self.children.len();
        view.for_each_legal(|action| self.actions.push(action));
        let count = self.actions.len() + 1 - first_sequence;
        if count == 0 || count > usize::from(u16::MAX) || self.actions.len() >= NONE as usize {
            return Err(TreeError::TooManyActions(count));
        }
        self.children.resize(first_sequence + count, NONE);
        let number = self.sets.len() as u32;
        let (first_sequence, count) = (first_sequence as u32, count as u16);
        self.sets.push(Set { parent, first: first_sequence, count, next: first, view: hash });
        self.children[parent as usize] = number;
        self.deals.push(deal);
        self.histories.extend_from_slice(history);
        self.ends.push(self.histories.len() as u32);
        Ok(number)
    }

    /// The action of a sequence that is not empty.
    pub(crate) fn action(&self, sequence: usize) -> A {
        self.actions[sequence - 1]
    }

    /// Whether no view was met after two different sequences: a seat that forgets what it did would see it again.
    pub(crate) fn recalls(&self) -> Result<(), (usize, usize)> {
        let mut views: Vec<(u64, usize)> =
            self.sets.iter().enumerate().map(|(number, set)| (set.view, number)).collect();
        views.sort_unstable();
        let twice = views.windows(2).find(|pair| pair[0].0 == pair[1].0);
        twice.map_or(Ok(()), |pair| Err((pair[0].1, pair[1].1)))
    }

    /// The probability by the seat's own strategy of each sequence.
    pub(crate) fn reaches(&self, strategy: &[f64], reaches: &mut Vec<f64>) {
        reaches.clear();
        reaches.resize(self.sequences(), 1.0);
        for set in &self.sets {
            let before = reaches[set.parent as usize];
            for sequence in set.sequences() {
                reaches[sequence] = before * strategy[sequence];
            }
        }
    }

    /// Equal probabilities at every set.
    pub fn uniform(&self) -> Vec<f64> {
        let mut strategy = vec![1.0; self.sequences()];
        for set in &self.sets {
            strategy[set.sequences()].fill(1.0 / f64::from(set.count));
        }
        strategy
    }
}
