//! Many playouts together, eight games a vector; see [`oboro_lanes`].
//!
//! Every game has a stream of its own and draws from it what it would draw alone.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the vectors of the task that it belongs to"
)]

pub(crate) mod random;

use super::packed::Packed;
use crate::public::Ending;
use crate::square::{CAPTURED, ESCAPED};
use crate::world::World;
use oboro_core::{Rng, Seat};
use oboro_lanes::{LANES, Lanes, Mask, Streams};

/// How many games go on more quickly one after the other than together; measured, about the same for random games and
/// for those of policies.
const FEW: u32 = 6;

/// Plays every world to its end, each with a stream forked for it, in order: in lanes by rounds, in which each side may
/// move once, or alone where a world is not placed yet or over. The last few are played to their end alone, too:
/// a round takes as long for them as for all.
#[inline(always)]
pub(crate) fn play_all<L: Lanes>(
    zero: L,
    worlds: &mut [World],
    rng: &mut Rng,
    alone: impl FnMut(&mut World, &mut Rng),
    mut rounds: impl Rounds<L>,
) {
    let mut queue = Queue { worlds, next: 0, rng, alone };
    // Two groups: while one waits for its results, the other goes on.
    let (mut first, mut first_games) = (Group::empty(zero), [None; LANES]);
    let (mut second, mut second_games) = (Group::empty(zero), [None; LANES]);
    refill(&mut first, &mut first_games, &mut queue);
    refill(&mut second, &mut second_games, &mut queue);
    while first.playing.count_ones() + second.playing.count_ones() > FEW {
        let before = [first.playing, second.playing];
        rounds.play(&mut first, &mut second);
        if first.playing != before[0] {
            refill(&mut first, &mut first_games, &mut queue);
        }
        if second.playing != before[1] {
            refill(&mut second, &mut second_games, &mut queue);
        }
    }
    finish(&first, first_games, &mut queue);
    finish(&second, second_games, &mut queue);
}

/// How games go on. No closure, since those are not always inlined.
pub(crate) trait Rounds<L> {
    /// Plays a round of two groups, in which each side may move once.
    fn play(&mut self, first: &mut Group<L>, second: &mut Group<L>);
}

/// The worlds that wait to be played, and how those are that no lane takes.
struct Queue<'a, F> {
    worlds: &'a mut [World],
    next: usize,
    rng: &'a mut Rng,
    alone: F,
}

impl<F: FnMut(&mut World, &mut Rng)> Queue<'_, F> {
    /// The next world for a lane, by number. Streams are forked in order of the worlds.
    fn next(&mut self) -> Option<usize> {
        while let Some(world) = self.worlds.get_mut(self.next) {
            self.next += 1;
            let board = &world.public;
            if board.placed == 2 && board.ending.is_none() && board.ply < board.limit {
                return Some(self.next - 1);
            }
            (self.alone)(world, &mut self.rng.fork());
        }
        None
    }
}

/// The pieces of one side in eight games; see [`Packed`].
#[derive(Clone, Copy)]
pub(crate) struct Side<L> {
    pub(crate) places: L,
    pub(crate) occupied: L,
    pub(crate) reds: L,
}

impl<L: Lanes> Side<L> {
    /// Where its pieces stand: all, the blues, the reds.
    #[inline(always)]
    pub(crate) fn boards(&self) -> [L; 3] {
        [self.occupied, self.occupied.without(self.reds), self.reds]
    }
}

/// Eight games.
#[derive(Clone, Copy)]
pub(crate) struct Group<L> {
    pub(crate) streams: Streams<L>,
    pub(crate) sides: [Side<L>; 2],
    /// Plies until the limit.
    left: L,
    /// The games that go on, a bit each.
    playing: u8,
    /// Those in which the second side is up.
    turns: u8,
}

impl<L: Lanes> Group<L> {
    #[inline(always)]
    fn empty(zero: L) -> Group<L> {
        let side = Side { places: zero, occupied: zero, reds: zero };
        let streams = Streams::new(zero);
        Group { streams, sides: [side; 2], left: zero, playing: 0, turns: 0 }
    }

    /// Puts a game into a lane.
    #[inline]
    fn load(&mut self, lane: usize, world: &World, rng: &mut Rng) {
        let set = |vector: &mut L, value: u64| {
            let mut words = vector.words();
            words[lane] = value;
            *vector = vector.of(words);
        };
        self.streams.fork(lane, rng);
        for (side, vectors) in self.sides.iter_mut().enumerate() {
            let Packed { places, occupied, reds } = Packed::of(world, side);
            set(&mut vectors.places, places);
            set(&mut vectors.occupied, occupied);
            set(&mut vectors.reds, reds);
        }
        set(&mut self.left, (world.public.limit - world.public.ply).into());
        self.playing |= 1 << lane;
        self.turns = self.turns & !(1 << lane) | (world.public.ply as u8 & 1) << lane;
    }

    /// The games in which a side is up.
    #[inline(always)]
    pub(crate) fn up<const SIDE: usize>(&self) -> L::Mask {
        self.left.mask(self.playing & if SIDE == 0 { !self.turns } else { self.turns })
    }

    /// Makes a move of a side in some games.
    #[inline(always)]
    pub(crate) fn go<const SIDE: usize>(&mut self, step: &Move<L>) {
        let Move { lanes, stays, places, origin, target, onto } = *step;
        let own = &mut self.sides[SIDE];
        let way = origin | target;
        let red = own.reds.meets(origin);
        own.places = places;
        own.occupied = own.occupied ^ way;
        own.reds = own.reds ^ way.only(red);

        // A piece that stands there is captured.
        let enemy = &mut self.sides[1 - SIDE];
        let captured = enemy.places.equal_bytes(onto.low_bytes());
        let gone = onto.every(u64::from_le_bytes([CAPTURED; 8]));
        enemy.places = enemy.places.but_bytes(captured, gone);
        enemy.occupied = enemy.occupied.without(target);
        enemy.reds = enemy.reds.without(target);

        self.left = self.left - self.left.every(1).only(lanes);
        self.turns ^= lanes.bits();
        let over = lanes & !stays
            | enemy.reds.is_zero()
            | enemy.reds.equals(enemy.occupied)
            | self.left.is_zero();
        self.playing &= !over.bits();
    }

    /// Writes the position of a lane's game into its world, and how it ended if it is over.
    #[inline]
    fn store(&self, lane: usize, world: &mut World) {
        let get = |vector: L| vector.words()[lane];
        let mut ending = Ending::Draw;
        for (side, vectors) in self.sides.iter().enumerate() {
            let (own, enemy) = (Seat::new(side), Seat::new(1 - side));
            let places = get(vectors.places);
            let (occupied, reds) = (get(vectors.occupied), get(vectors.reds));
            if places.to_le_bytes().contains(&ESCAPED) {
                ending = Ending::Escape(own);
            } else if reds == occupied {
                ending = Ending::BluesCaptured(enemy);
            } else if reds == 0 {
                ending = Ending::RedsCaptured(own);
            }
            Packed { places, occupied, reds }.put_back(world, side);
        }
        world.public.ply = world.public.limit - get(self.left) as u16;
        world.public.ending = (self.playing >> lane & 1 == 0).then_some(ending);
    }
}

/// A move in some of eight games.
pub(crate) struct Move<L: Lanes> {
    pub(crate) lanes: L::Mask,
    /// Those in which the piece stays on the board.
    pub(crate) stays: L::Mask,
    /// Where the mover's pieces are after it.
    pub(crate) places: L,
    /// The square it starts from as a bit, and where it leads; none for a piece that leaves.
    pub(crate) origin: L,
    pub(crate) target: L,
    /// The number of the square it leads to; elsewhere one that no piece has.
    pub(crate) onto: L,
}

/// Writes down the games that are over, and begins others in their place.
#[inline(never)]
fn refill<L: Lanes>(
    group: &mut Group<L>,
    games: &mut [Option<usize>; LANES],
    queue: &mut Queue<impl FnMut(&mut World, &mut Rng)>,
) {
    for (lane, game) in games.iter_mut().enumerate() {
        if group.playing >> lane & 1 == 1 {
            continue;
        }
        if let Some(number) = *game {
            group.store(lane, &mut queue.worlds[number]);
        }
        *game = queue.next();
        if let Some(number) = *game {
            group.load(lane, &queue.worlds[number], queue.rng);
        }
    }
}

/// Plays the games that still go on to their end, one after the other.
#[inline(never)]
fn finish<L: Lanes>(
    group: &Group<L>,
    games: [Option<usize>; LANES],
    queue: &mut Queue<impl FnMut(&mut World, &mut Rng)>,
) {
    for (lane, game) in games.into_iter().enumerate() {
        if let Some(number) = game {
            let world = &mut queue.worlds[number];
            group.store(lane, world);
            (queue.alone)(world, &mut group.streams.stream(lane));
        }
    }
}
