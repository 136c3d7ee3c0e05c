//! Many random playouts of four players together, eight games a vector; see [`oboro_lanes`].
//!
//! Every game has a stream of its own and draws from it what a playout alone would. A round at a time is played in all of
//! them; in lanes in which a seat is out, nothing happens at its turn.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the vectors of the task that it belongs to"
)]

use crate::log::{PASSED, RETIRED};
use crate::{Cards, GapRule, Public, World};
use oboro_core::Rng;
use oboro_lanes::{LANES, Lanes, Mask, Streams, Task};

/// The players of a game.
const SEATS: usize = 4;

/// More rounds than a game has: 48 cards and eight passes a seat, two seats at least a round.
const ROUNDS: usize = 64;

/// Whether a world can be played here: four players and the default rule for gaps.
pub(super) fn can_play(world: &World) -> bool {
    world.public.gaps == GapRule::Bridge && usize::from(world.public.players) == SEATS
}

/// Plays all worlds to their end as [`Random`](crate::agents::Random) does, or, with `PASSES`, by any legal action: then
/// a pass is one more thing to draw while passes are left. Every world has a stream forked for it, in order.
pub(super) struct PlayOut<'a, const PASSES: bool> {
    pub(super) worlds: &'a mut [World],
    pub(super) rng: &'a mut Rng,
}

impl<const PASSES: bool> Task for PlayOut<'_, PASSES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, zero: L) {
        let mut queue = Queue { worlds: self.worlds, next: 0, rng: self.rng };
        // Two groups: while one waits for its results, the other goes on.
        let (mut first, mut first_notes) = (Group::empty(zero), Notes::empty(zero));
        let (mut second, mut second_notes) = (Group::empty(zero), Notes::empty(zero));
        loop {
            refill(&mut first, &mut first_notes, &mut queue);
            refill(&mut second, &mut second_notes, &mut queue);
            if first.going | second.going == 0 {
                return;
            }
            turn::<0, PASSES, L>(&mut first);
            turn::<0, PASSES, L>(&mut second);
            turn::<1, PASSES, L>(&mut first);
            turn::<1, PASSES, L>(&mut second);
            turn::<2, PASSES, L>(&mut first);
            turn::<2, PASSES, L>(&mut second);
            turn::<3, PASSES, L>(&mut first);
            turn::<3, PASSES, L>(&mut second);
            first_notes.add(first.log);
            second_notes.add(second.log);
        }
    }
}

/// The worlds that wait to be played.
struct Queue<'a> {
    worlds: &'a mut [World],
    next: usize,
    rng: &'a mut Rng,
}

impl Queue<'_> {
    /// The next world that is not over, by number; for all others a stream is forked and not used.
    fn next(&mut self) -> Option<usize> {
        while let Some(world) = self.worlds.get(self.next) {
            self.next += 1;
            if world.public.to_act().is_some() {
                return Some(self.next - 1);
            }
            let _ = self.rng.fork();
        }
        None
    }
}

/// Eight games. Seats are counted from the one that was up first; small numbers of seats have a byte each in one word.
#[derive(Clone, Copy)]
struct Group<L> {
    streams: Streams<L>,
    /// The hands; empty for seats that are out.
    hands: [L; SEATS],
    table: L,
    /// The passes left to each seat.
    passes: L,
    /// The ranks of the seats that are out.
    ranks: L,
    /// The seats' numbers in their world.
    names: L,
    finished: L,
    /// The worst rank that is free.
    worst: L,
    /// The log bytes of the round, one a seat; 0 for nothing.
    log: L,
    /// The games that go on, a bit each.
    going: u8,
}

impl<L: Lanes> Group<L> {
    #[inline(always)]
    fn empty(zero: L) -> Group<L> {
        Group {
            streams: Streams::new(zero),
            hands: [zero; SEATS],
            table: zero,
            passes: zero,
            ranks: zero,
            names: zero,
            finished: zero,
            worst: zero,
            log: zero,
            going: 0,
        }
    }

    /// Puts a world that is not over into a lane.
    #[inline]
    fn load(&mut self, lane: usize, world: &World, rng: &mut Rng) {
        let set = |vector: &mut L, value: u64| {
            let mut words = vector.words();
            words[lane] = value;
            *vector = vector.of(words);
        };
        let public = &world.public;
        let names = [0, 1, 2, 3].map(|seat| (public.turn + seat) % SEATS as u8);
        let bytes = |of: [u8; SEATS]| u64::from(u32::from_le_bytes(of));
        self.streams.fork(lane, rng);
        for (vector, name) in self.hands.iter_mut().zip(names) {
            set(vector, world.hands[usize::from(name)].0);
        }
        set(&mut self.table, public.table.0);
        set(&mut self.passes, bytes(names.map(|name| public.passes[usize::from(name)])));
        set(&mut self.ranks, bytes(names.map(|name| public.ranks[usize::from(name)])));
        set(&mut self.names, bytes(names));
        set(&mut self.finished, public.finished.into());
        set(&mut self.worst, (public.players - public.retired - 1).into());
        self.going |= 1 << lane;
    }

    /// Writes the end of a lane's game into its world.
    #[inline]
    fn store(&self, lane: usize, world: &mut World) {
        let public = &mut world.public;
        let get = |vector: L| vector.words()[lane];
        let [names, passes, ranks] = [self.names, self.passes, self.ranks].map(get);
        for (seat, &hand) in self.hands.iter().enumerate() {
            let byte = |word: u64| (word >> (8 * seat)) as u8;
            let name = usize::from(byte(names)) % SEATS;
            let left = Cards(get(hand));
            // The one that has cards left takes the rank that is left.
            let is_last = !left.is_empty();
            public.ranks[name] = if is_last { get(self.finished) as u8 } else { byte(ranks) };
            public.passes[name] = byte(passes);
            public.laid[name] = public.laid[name].or(world.hands[name].without(left));
            world.hands[name] = left;
        }
        public.table = Cards(get(self.table));
        (public.finished, public.retired) = (public.players, 0);
        public.turn = Public::NOBODY;
    }
}

/// The parts of eight games that playing does not need.
struct Notes<L> {
    /// The log bytes of the latest rounds.
    logs: [L; ROUNDS],
    /// The number of the round that comes.
    round: usize,
    /// The number of each lane's world, and of the round with which it began.
    games: [Option<(usize, usize)>; LANES],
}

impl<L: Lanes> Notes<L> {
    #[inline(always)]
    fn empty(zero: L) -> Notes<L> {
        Notes { logs: [zero; ROUNDS], round: 0, games: [None; LANES] }
    }

    #[inline(always)]
    fn add(&mut self, log: L) {
        self.logs[self.round % ROUNDS] = log;
        self.round += 1;
    }
}

/// Writes down the games that are over, and begins others in their place.
#[inline(never)]
fn refill<L: Lanes>(group: &mut Group<L>, notes: &mut Notes<L>, queue: &mut Queue) {
    for lane in 0..LANES {
        if group.going >> lane & 1 == 1 {
            continue;
        }
        if let Some((number, since)) = notes.games[lane] {
            let world = &mut queue.worlds[number];
            group.store(lane, world);
            for round in since..notes.round {
                world.public.log.append(notes.logs[round % ROUNDS].words()[lane] as u32);
            }
        }
        notes.games[lane] = queue.next().map(|number| (number, notes.round));
        if let Some((number, _)) = notes.games[lane] {
            group.load(lane, &queue.worlds[number], queue.rng);
        }
    }
}

/// The turn of a seat in all games that have it in play.
#[inline(always)]
fn turn<const SEAT: usize, const PASSES: bool, L: Lanes>(group: &mut Group<L>) {
    let hand = group.hands[SEAT];
    let every = |word| hand.every(word);
    let one = every(1);
    let is_up = hand.meets(hand) & hand.mask(group.going);
    let may_pass = group.passes.meets(every(0xFF << (8 * SEAT)));
    let playable = (outwards(group.table) & hand).only(is_up);

    let mut choices = playable.count_ones();
    if PASSES {
        choices = choices + one.only(is_up & (may_pass | playable.is_zero()));
    }
    let choice = group.streams.below(choices.meets(choices), choices);
    let mut skipping = Skipping { cards: playable, skipped: one };
    // As often as nearly all need it, then as often as any does: the processor would have to guess how often.
    let mut more = skipping.skip(choice, choice.meets(choice));
    for _ in 0..3 {
        more = skipping.skip(choice, more);
    }
    while more.any() {
        more = skipping.skip(choice, more);
    }

    let cards = skipping.cards;
    let card = cards & (every(0) - cards);
    let lays = card.meets(card);
    let passes = is_up & !lays & may_pass;
    let retires = is_up & !lays & !may_pass;
    let laid = card.but(retires, hand);
    let is_out = laid.equals(hand) & is_up;
    group.hands[SEAT] = hand.without(laid);
    group.table = group.table | laid;
    let byte = 8 * SEAT as u32;
    group.passes = group.passes - every(1 << byte).only(passes);
    let rank = group.finished.but(retires, group.worst);
    // As yet all its bits are set.
    let rank = rank.up(byte) | every(!(0xFF << byte));
    group.ranks = group.ranks.but(is_out, group.ranks & rank);
    group.worst = group.worst - one.only(retires);
    group.finished = group.finished + one.only(is_out & !retires);
    group.going &= !group.finished.equals(group.worst).bits();

    // The number of a card is that of the bits below its own.
    let number = (card - one).count_ones();
    let name = group.names.down(byte) & every(0xFF);
    let entry = number.but(passes, name + every(PASSED.into()));
    let entry = entry.but(retires, name + every(RETIRED.into()));
    let entry = entry.up(byte).only(is_up);
    group.log = if SEAT == 0 { entry } else { group.log | entry };
}

/// On the way to the card that was chosen.
struct Skipping<L> {
    /// Those that are left; the next one is the lowest.
    cards: L,
    /// One more than were skipped.
    skipped: L,
}

impl<L: Lanes> Skipping<L> {
    /// Skips a card in some lanes; those in which that was not enough.
    #[inline(always)]
    fn skip(&mut self, choice: L, lanes: L::Mask) -> L::Mask {
        let one = choice.every(1);
        self.cards = self.cards.but(lanes, self.cards & (self.cards - one));
        self.skipped = self.skipped + one;
        !choice.is_below(self.skipped)
    }
}

/// As [`GapRule`] has it.
#[inline(always)]
fn outwards<L: Lanes>(table: L) -> L {
    table.up(1) & table.every(Cards::HIGH.0) | table.down(1) & table.every(Cards::LOW.0)
}
