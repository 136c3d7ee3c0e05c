//! Playouts of policies, many together: see [`lanes`](crate::playout::lanes).
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the vectors of the task that it belongs to"
)]

mod plan;

use super::field::{EAST, FARTHEST, LEFT_HALF, NORTH, RINGS, SOUTH, WEST};
use crate::bitboard::{ALL, LEFT, RIGHT};
use crate::playout::lanes::{Group, Move, Rounds, play_all};
use crate::square::{Bitboard, ESCAPED, EXITS, OFFSETS, WAYS};
use crate::world::World;
use oboro_core::Rng;
use oboro_lanes::{Lanes, Mask, Task};
use plan::{
    BLUE_NEAR_GOAL, BOARDS, CERTAINLY, COUNTS, Compared, DISTANCES, ENEMY, FREE, KEEPER,
    MoveChoice, NEAREST, NEXT_TO_BLUE, NEXT_TO_RED, NUMBERS, OWN, PURSUED, RED_NEAR_GOAL, SAFE,
    WORDS, Ways,
};

pub(crate) use plan::Plan;

/// Plays every world to its end by the plans of both sides, each with a stream forked for it; `alone` plays those that
/// are not placed yet.
pub(super) struct PlayOut<'a, F> {
    pub(super) plans: &'a [Plan; 2],
    pub(super) worlds: &'a mut [World],
    pub(super) rng: &'a mut Rng,
    pub(super) alone: F,
}

impl<F: FnMut(&mut World, &mut Rng)> Task for PlayOut<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, zero: L) {
        let [first, second] = self.plans;
        let scenes = [Scene::empty(zero), Scene::empty(zero)];
        let rounds = PlannedRounds { first, second, scenes, words: [0; WORDS] };
        play_all(zero, self.worlds, self.rng, self.alone, rounds);
    }
}

/// The plans of both sides, and room to think.
struct PlannedRounds<'a, L> {
    first: &'a Plan,
    second: &'a Plan,
    scenes: [Scene<L>; 2],
    words: [u16; WORDS],
}

impl<L: Lanes> Rounds<L> for PlannedRounds<'_, L> {
    #[inline(always)]
    fn play(&mut self, one: &mut Group<L>, other: &mut Group<L>) {
        step::<0, L>([one, other], self.first, &mut self.scenes, &mut self.words);
        step::<1, L>([one, other], self.second, &mut self.scenes, &mut self.words);
    }
}

/// What a plan looks at in eight games; the places are those that the plan gives them.
struct Scene<L> {
    boards: [L; BOARDS],
    numbers: [L; NUMBERS],
}

/// For each side the nearer half of the distances from its exits, the nearer half of each half, and so on.
static NEARER: [[Bitboard; 3]; 2] = {
    let mut nearer = [[0; 3]; 2];
    let mut at = 0;
    while at < 2 * 3 * (FARTHEST + 1) {
        let (side, half, distance) = (at / 24, at / 8 % 3, at % 8);
        if distance >> (2 - half) & 1 == 0 {
            nearer[side][half] |= RINGS[side][distance];
        }
        at += 1;
    }
    nearer
};

impl<L: Lanes> Scene<L> {
    #[inline(always)]
    fn empty(zero: L) -> Scene<L> {
        Scene { boards: [zero; BOARDS], numbers: [zero; NUMBERS] }
    }

    /// Takes in the position of each game; what is true of it, a word for each of what is given to a plan.
    #[inline(always)]
    fn look<const SIDE: usize>(&mut self, group: &Group<L>, plan: &Plan) -> [(u8, u8); 5] {
        let (own, enemy) = (group.sides[SIDE].boards(), group.sides[1 - SIDE].boards());
        let every = |word| own[0].every(word);
        let free = every(ALL).without(own[0]);
        self.boards[usize::from(OWN)..][..3].copy_from_slice(&own);
        self.boards[usize::from(ENEMY)..][..3].copy_from_slice(&enemy);
        self.boards[usize::from(FREE)] = free;
        for (place, board) in [own[1], own[2], enemy[1], enemy[2]].into_iter().enumerate() {
            self.numbers[usize::from(COUNTS) + place] = board.count_ones();
        }
        for &one in &plan.nearest {
            let (which, enemys) = if one < 3 { (one, 0) } else { (one - 3, 1) };
            let mut pieces = self.boards[usize::from(OWN + which) % BOARDS];
            let mut distance = every(FARTHEST as u64);
            for (half, steps) in NEARER[SIDE ^ enemys].into_iter().zip([4, 2, 1]) {
                let there = pieces.meets(every(half));
                pieces = pieces.but(there, pieces & every(half));
                distance = distance - every(steps).only(there);
            }
            self.boards[usize::from(NEAREST + one) % BOARDS] = pieces;
            self.numbers[usize::from(DISTANCES + one) % NUMBERS] = distance;
        }
        if plan.pursues {
            let (blue, red) = (around(enemy[1]), around(enemy[2]));
            let any = blue | red;
            let pursued = [own[0] & any, own[0] & blue, own[0] & red];
            self.boards[usize::from(PURSUED)..][..3].copy_from_slice(&pursued);
            self.boards[usize::from(SAFE)] = free.without(any | enemy[0]);
        }
        let near = around(own[0]);
        let corners = every(plan.corners[SIDE]);
        [
            (KEEPER, own[0].meets(corners).bits()),
            (NEXT_TO_BLUE, near.meets(enemy[1]).bits()),
            (NEXT_TO_RED, near.meets(enemy[2]).bits()),
            (BLUE_NEAR_GOAL, corners.meets(enemy[1]).bits()),
            (RED_NEAR_GOAL, corners.meets(enemy[2]).bits()),
        ]
    }

    /// The games in which a comparison holds.
    #[inline(always)]
    fn holds(&self, asked: &Compared) -> u8 {
        let left = self.numbers[usize::from(asked.left) % NUMBERS];
        let right = self.numbers[usize::from(asked.right) % NUMBERS];
        let pairs = left.every(asked.pairs).down_each(left.up(3) + right);
        pairs.meets(left.every(1)).bits()
    }

    #[inline(always)]
    fn board(&self, place: u8) -> L {
        self.boards[usize::from(place) % BOARDS]
    }
}

/// What the plan of a side wants in eight games.
#[derive(Clone, Copy)]
struct Wanted<L> {
    movers: L,
    onto: L,
    /// The games in which pieces may go each way; see [`Ways`].
    ways: u64,
    threshold: L,
}

impl<L: Lanes> Wanted<L> {
    /// What is done where nothing else is; where that is comes later.
    #[inline(always)]
    fn usual(scene: &Scene<L>, choice: &MoveChoice) -> Wanted<L> {
        let (movers, onto) = (scene.board(choice.movers), scene.board(choice.onto));
        Wanted { movers, onto, ways: 0, threshold: movers.every(choice.threshold) }
    }

    /// Wants something else in some games.
    #[inline(always)]
    fn choose(&mut self, scene: &Scene<L>, choice: &MoveChoice, bits: u8) {
        let here = self.movers.mask(bits);
        self.movers = self.movers.but(here, scene.board(choice.movers));
        self.onto = self.onto.but(here, scene.board(choice.onto));
        self.ways |= u64::from(bits) * choice.ways.0;
        self.threshold = self.threshold.but(here, self.movers.every(choice.threshold));
    }

    /// The games in which pieces may go a way.
    #[inline(always)]
    fn may_go(&self, way: usize) -> L::Mask {
        self.movers.mask((self.ways >> (8 * way)) as u8)
    }
}

/// A move of one side wherever it is up, in two groups: what is true in them is kept in one word.
#[inline(always)]
fn step<const SIDE: usize, L: Lanes>(
    [first, second]: [&mut Group<L>; 2],
    plan: &Plan,
    scenes: &mut [Scene<L>; 2],
    words: &mut [u16; WORDS],
) {
    let [one, other] = scenes;
    let given = one.look::<SIDE>(first, plan).into_iter().zip(other.look::<SIDE>(second, plan));
    for ((place, low), (_, high)) in given {
        words[usize::from(place) % WORDS] = u16::from_le_bytes([low, high]);
    }
    for asked in &plan.comparisons {
        words[usize::from(asked.word) % WORDS] =
            u16::from_le_bytes([one.holds(asked), other.holds(asked)]);
    }
    for gate in &plan.gates {
        let [left, right] = gate.both;
        words[usize::from(gate.word) % WORDS] = (words[usize::from(left.word) % WORDS] ^ left.flip)
            & (words[usize::from(right.word) % WORDS] ^ right.flip);
    }
    let usual = &plan.usual;
    let (mut one_wants, mut other_wants) = (Wanted::usual(one, usual), Wanted::usual(other, usual));
    let mut rest = u16::MAX;
    for (literal, choice) in &plan.others {
        let chosen = words[usize::from(literal.word) % WORDS] ^ literal.flip;
        rest &= !chosen;
        let [low, high] = chosen.to_le_bytes();
        one_wants.choose(one, choice, low);
        other_wants.choose(other, choice, high);
    }
    let [low, high] = rest.to_le_bytes();
    one_wants.ways |= u64::from(low) * usual.ways.0;
    other_wants.ways |= u64::from(high) * usual.ways.0;
    play::<SIDE, L>(first, one_wants, plan.dices);
    play::<SIDE, L>(second, other_wants, plan.dices);
}

/// Draws one of the wanted moves in each game in which the side is up, and makes it.
#[inline(always)]
fn play<const SIDE: usize, L: Lanes>(group: &mut Group<L>, wanted: Wanted<L>, dices: bool) {
    let up = group.up::<SIDE>();
    let own = group.sides[SIDE];
    let every = |word| own.occupied.every(word);
    let blues = own.occupied.without(own.reds);
    let free = every(ALL).without(own.occupied);
    let anything = Wanted { movers: own.occupied, onto: free, ways: !0, ..wanted };
    let any = targets::<SIDE, L>(&anything, blues);
    let mut targets = targets::<SIDE, L>(&wanted, blues);
    let [north, east, south, west] = targets;
    let mut freely = (north | east | south | west).is_zero();
    if dices {
        let asked = wanted.threshold.is_below(every(CERTAINLY)) & up & !freely;
        let drawn = group.streams.bits(asked).down(11);
        freely = freely | asked & !drawn.is_below(wanted.threshold);
    }
    for direction in 0..4 {
        targets[direction] = targets[direction].but(freely, any[direction]);
    }

    // Which of them, counted through the four directions.
    let mut ends = [targets[0].count_ones(); 4];
    for direction in 1..4 {
        ends[direction] = ends[direction - 1] + targets[direction].count_ones();
    }
    let drawn = group.streams.below(up, ends[3]);
    let back = OFFSETS[SIDE].map(|offset| i64::from(-offset).rem_euclid(64) as u64);
    let (mut board, mut turn, mut number) = (targets[0], every(back[0]), drawn);
    for direction in 1..4 {
        let past = !drawn.is_below(ends[direction - 1]);
        board = board.but(past, targets[direction]);
        turn = turn.but(past, every(back[direction]));
        number = number.but(past, drawn - ends[direction - 1]);
    }
    // No direction has more than eight: seven before it at most.
    for before in 0..7 {
        let more = every(before).is_below(number);
        board = board.but(more, board & (board - every(1)));
    }
    let bit = board.without(board - every(1)).only(up);
    let origin = bit.turned_each(turn);
    let target = bit & every(ALL);
    // 64 where there is no square.
    let (from, onto) = ((origin - every(1)).count_ones(), (target - every(1)).count_ones());
    let stays = target.meets(target);
    let to = every(ESCAPED.into()).but(stays, onto);
    let moved = own.places.equal_bytes(from.low_bytes());
    let places = own.places.but_bytes(moved, to.low_bytes());
    group.go::<SIDE>(&Move { lanes: up, stays, places, origin, target, onto });
}

/// The squares reached by a step in each direction of pieces that may go there. Pieces that leave the
/// board come to where the rotation of a step leads, beyond it.
#[inline(always)]
fn targets<const SIDE: usize, L: Lanes>(wanted: &Wanted<L>, blues: L) -> [L; 4] {
    let Wanted { movers, onto, .. } = *wanted;
    let north = (step_towards::<SIDE, L>(movers, NORTH) & onto).only(wanted.may_go(Ways::NORTH));
    let leavers = (blues & blues.every(EXITS[SIDE]) & movers).only(wanted.may_go(Ways::OUT));
    let south = (step_towards::<SIDE, L>(movers, SOUTH) & onto).only(wanted.may_go(Ways::SOUTH));
    [
        north | step_towards::<SIDE, L>(leavers, NORTH),
        aside::<SIDE, L>(wanted, EAST, [Ways::LEFT_EAST, Ways::RIGHT_EAST]),
        south,
        aside::<SIDE, L>(wanted, WEST, [Ways::LEFT_WEST, Ways::RIGHT_WEST]),
    ]
}

/// The squares reached from the left and the right half of the board.
#[inline(always)]
fn aside<const SIDE: usize, L: Lanes>(
    wanted: &Wanted<L>,
    direction: usize,
    [left, right]: [usize; 2],
) -> L {
    let (way, every) = (WAYS[SIDE][direction], |word| wanted.movers.every(word));
    let left = every(LEFT_HALF[SIDE] & way).only(wanted.may_go(left));
    let right = every(!LEFT_HALF[SIDE] & way).only(wanted.may_go(right));
    step_towards::<SIDE, L>(wanted.movers & (left | right), direction) & wanted.onto
}

#[inline(always)]
fn step_towards<const SIDE: usize, L: Lanes>(from: L, direction: usize) -> L {
    from.turned(i32::from(OFFSETS[SIDE][direction]).rem_euclid(64) as u32)
}

/// The squares next to those of a board, and perhaps some beyond the board.
#[inline(always)]
fn around<L: Lanes>(board: L) -> L {
    let east = board.without(board.every(RIGHT)).up(1);
    let west = board.without(board.every(LEFT)).down(1);
    board.up(6) | board.down(6) | east | west
}
