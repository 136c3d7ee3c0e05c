//! All that the only rival may do next, with its probability.

use super::super::tiles::{PUSHES, Targets};
use super::forecast::{Outlook, Rival};
use super::memo::Memo;
use super::reading::Manner;
use super::standing::Standing;
use crate::cell::Cell;
use crate::entry::Entry;
use crate::tile::Rotation;
use crate::treasure::Treasure;
use arrayvec::ArrayVec;

/// What is less likely than this is not worth the search for what a keen player would do.
const UNLIKELY: f64 = 0.01;

/// A push, how likely it is made, and how likely it is made to reach a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub(super) entry: Entry,
    pub(super) rotation: Rotation,
    pub(super) chance: f64,
    pub(super) hit: f64,
}

/// What a rival may push, over all it may look for and all manners it may have.
pub(super) fn replies(table: &Standing, rival: &Rival, memo: &mut Memo) -> ArrayVec<Reply, PUSHES> {
    let tiles = table.tiles();
    let pawn = table.pawns[rival.seat];
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
        let weights = rival.manners(treasure);
        for (manner, weight) in Manner::ALL.into_iter().zip(weights) {
            let weight = weight * chance;
            let mut made = if hits == 0 || manner == Manner::Idle { all } else { hits };
            if manner == Manner::Keen
                && weight > UNLIKELY
                && let Some(turn) = memo.keen_turn(table, rival.seat, goal, hits != 0)
            {
                let is_it = |reply: &Reply| (reply.entry, reply.rotation) == turn.push();
                made = replies.iter().position(is_it).map_or(made, |i| 1 << i);
            }
            let share = weight / f64::from(made.count_ones());
            for (i, reply) in replies.iter_mut().enumerate().filter(|(i, _)| made >> i & 1 != 0) {
                reply.chance += share;
                if hits >> i & 1 != 0 && manner != Manner::Idle {
                    reply.hit += share;
                }
            }
        }
    };
    match &rival.outlook {
        Outlook::Home(home) => expect(Some(*home), None, 1.0),
        Outlook::Treasures(odds) => odds.iter().for_each(|&(treasure, chance)| {
            expect(table.board.place(treasure), Some(treasure), chance);
        }),
        Outlook::Won => {}
    }
    replies.retain(|reply| reply.chance > 0.0);
    replies
}
