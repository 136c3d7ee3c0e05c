//! The turns of opponents inside the search.

use super::hypotheses::{GoalPosterior, Opponent};
use super::opponent_model::OpponentPolicy;
use super::turn_cache::TurnCache;
use crate::action::Action;
use crate::agents::table::Table;
use crate::cell::Cell;
use crate::entry::Entry;
use crate::tile::Rotation;
use crate::tiles::{PUSHES, Targets};
use crate::treasure::Treasure;
use arrayvec::ArrayVec;
use oboro_core::Rng;

/// Below this probability the turn of the policy of the fewest turns is not searched for.
const UNLIKELY: f64 = 0.01;

/// A push, its probability, and its joint probability with reaching a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub(super) entry: Entry,
    pub(super) rotation: Rotation,
    pub(super) chance: f64,
    pub(super) hit: f64,
}

/// The pushes of an opponent with their probabilities, over its posterior.
pub(super) fn replies(
    table: &Table,
    opponent: &Opponent,
    cache: &mut TurnCache,
) -> ArrayVec<Reply, PUSHES> {
    let tiles = table.tiles();
    let pawn = table.pawns[opponent.seat];
    let mut replies = ArrayVec::<Reply, PUSHES>::new();
    let mut reached = ArrayVec::<Targets, PUSHES>::new();
    for (entry, rotation) in tiles.pushes() {
        let corridors = tiles.maze.gap(entry).filled(tiles.extra.turned(rotation));
        reached.push(Targets::of(entry, corridors.reach(entry.carry(pawn).into())));
        replies.push(Reply { entry, rotation, chance: 0.0, hit: 0.0 });
    }
    let all = u64::MAX >> (64 - replies.len());
    let mut expect = |goal: Option<Cell>, treasure: Option<Treasure>, chance: f64| {
        // One bit for each push that reaches it.
        let hits = (reached.iter().enumerate())
            .fold(0, |hits, (i, targets)| hits | u64::from(targets.contain(goal)) << i);
        let weights = opponent.policies(treasure);
        for (policy, weight) in OpponentPolicy::ALL.into_iter().zip(weights) {
            let weight = weight * chance;
            let mut made = if hits == 0 || policy == OpponentPolicy::Random { all } else { hits };
            if policy == OpponentPolicy::Shortest
                && weight > UNLIKELY
                && let Some(turn) = cache.shortest_turn(table, opponent.seat, goal, hits != 0)
            {
                let is_it = |reply: &Reply| (reply.entry, reply.rotation) == turn.push();
                made = replies.iter().position(is_it).map_or(made, |i| 1 << i);
            }
            let share = weight / f64::from(made.count_ones());
            for (i, reply) in replies.iter_mut().enumerate().filter(|(i, _)| made >> i & 1 != 0) {
                reply.chance += share;
                if hits >> i & 1 != 0 && policy != OpponentPolicy::Random {
                    reply.hit += share;
                }
            }
        }
    };
    match &opponent.posterior {
        GoalPosterior::Home(home) => expect(Some(*home), None, 1.0),
        GoalPosterior::Treasures(odds) => odds.iter().for_each(|&(treasure, chance)| {
            expect(table.board.place(treasure), Some(treasure), chance);
        }),
        GoalPosterior::Won => {}
    }
    replies.retain(|reply| reply.chance > 0.0);
    replies
}

/// Plays the turn of an opponent and returns its push. Where the policy does not determine the turn, the push is random.
pub(super) fn play_turn(
    table: &mut Table,
    seat: usize,
    goal: Option<Cell>,
    can_reach: bool,
    policy: OpponentPolicy,
    cache: &mut TurnCache,
    rng: &mut Rng,
) -> Entry {
    let turn = match policy {
        OpponentPolicy::Shortest => cache.shortest_turn(table, seat, goal, can_reach),
        OpponentPolicy::Greedy | OpponentPolicy::Noisy if can_reach => {
            rng.choose(&table.arrivals(seat, goal)).copied()
        }
        _ => None,
    };
    if let Some(Action { entry, rotation, to }) = turn {
        table.push(entry, rotation);
        table.pawns[seat] = to;
        return entry;
    }
    let entries: ArrayVec<Entry, { Entry::COUNT }> = Entry::legal_after(table.last).collect();
    let entry = *rng.choose(&entries).expect("there are legal entries");
    table.push(entry, Rotation::ALL[rng.below(4)]);
    entry
}
