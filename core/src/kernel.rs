use crate::{Game, GameWorld, Rng, Seat, SeatView};
use std::time::Instant;

/// A piece of fixed work whose speed is worth knowing.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// What is done, in a few words.
    pub name: &'static str,
    /// What is counted: "games", "nodes", "positions".
    pub unit: &'static str,
    /// Does the work once.
    pub run: fn() -> Work,
    /// The checksum the work must give: a change of play cannot pass for a change of speed.
    pub checksum: u64,
}

/// Work for which some processors have a quicker way. What is computed is the same on all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FastPath {
    /// The work, in a few words.
    pub work: &'static str,
    /// The instructions that this processor has for it; nothing where it does as any other.
    pub by: Option<&'static str>,
}

/// What one run of a kernel came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// How many units were done.
    pub count: u64,
    /// A checksum over the answers.
    pub checksum: u64,
}

/// A kernel's speed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The work of one run.
    pub work: Work,
    /// Seconds of the quickest run.
    pub seconds: f64,
}

impl Measured {
    /// Units a second.
    pub fn rate(&self) -> f64 {
        self.work.count as f64 / self.seconds
    }
}

impl Kernel {
    /// A piece of work, with the checksum it must give.
    pub const fn new(
        name: &'static str,
        unit: &'static str,
        checksum: u64,
        run: fn() -> Work,
    ) -> Kernel {
        Kernel { name, unit, run, checksum }
    }

    /// Whole games of random actions, each from a fresh deal: what every game should have.
    pub const fn random_games<G: Game + Default>(checksum: u64) -> Kernel {
        Kernel::new("random games from a fresh deal", "games", checksum, random_games::<G>)
    }

    /// Worlds imagined by the first seat in the middle of random games.
    pub const fn imagined_worlds<G: Game + Default>(checksum: u64) -> Kernel {
        Kernel::new("worlds imagined", "worlds", checksum, imagined_worlds::<G>)
    }

    /// Runs the kernel `repeats` times and keeps the quickest.
    ///
    /// # Panics
    /// If two runs give different answers.
    #[allow(clippy::disallowed_methods, reason = "measuring time is what it is for")]
    pub fn measure(&self, repeats: u32) -> Measured {
        let timed = || {
            let start = Instant::now();
            let work = (self.run)();
            Measured { work, seconds: start.elapsed().as_secs_f64() }
        };
        let mut best = timed();
        for _ in 1..repeats {
            let again = timed();
            assert_eq!(best.work, again.work, "{}: fixed work gives fixed answers", self.name);
            if again.seconds < best.seconds {
                best = again;
            }
        }
        best
    }

    /// One line for `cargo bench`, after checking the answer.
    ///
    /// # Panics
    /// If the checksum is not the pinned one.
    pub fn bench_line(&self) -> String {
        let measured = self.measure(5);
        let rate = measured.rate();
        assert_eq!(measured.work.checksum, self.checksum, "{}: the answer changed", self.name);
        format!("{:<44}{rate:>14.0} {}/s{:>12.1} ns", self.name, self.unit, 1e9 / rate)
    }
}

fn random_games<G: Game + Default>() -> Work {
    const GAMES: u64 = 100_000;
    let (game, mut rng, mut checksum) = (G::default(), Rng::from_u64(1), Checksum::default());
    for _ in 0..GAMES {
        let mut world = game.deal(&mut rng);
        world.play_out_randomly(&mut rng);
        Seat::all(game.seats()).for_each(|seat| checksum.add(world.payoff(seat).to_bits()));
    }
    Work { count: GAMES, checksum: checksum.value() }
}

fn imagined_worlds<G: Game + Default>() -> Work {
    const EACH: u64 = 10;
    let (game, mut rng, mut checksum) = (G::default(), Rng::from_u64(2), Checksum::default());
    let mut count = 0;
    while count < 100_000 {
        let mut world = game.deal(&mut rng);
        while world.to_act().is_some() && rng.chance(0.9) {
            let view = world.view(Seat::FIRST);
            for _ in 0..EACH {
                // What is imagined shows in what somebody could do there.
                let imagined = view.imagine(&mut rng);
                let mut choices = 0;
                imagined.for_each_legal(|_| choices += 1);
                checksum.add(choices);
            }
            count += EACH;
            let action = world.random_action(&mut rng);
            world.apply(action);
        }
    }
    checksum.add(rng.bits());
    Work { count, checksum: checksum.value() }
}

/// Mixes values into a checksum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Mixes in one value.
    #[inline]
    pub fn add(&mut self, value: u64) {
        // A product carries bits upwards only, and those of many values are at the top: fold them down again.
        let product = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }

    /// The checksum so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_value_reaches_both_halves_of_the_checksum() {
        let of = |value: u64| {
            let mut checksum = Checksum::default();
            checksum.add(value);
            checksum.add(0);
            checksum.value()
        };
        for bit in 0..64 {
            let changed = of(0) ^ of(1 << bit);
            assert!(changed as u32 != 0 && changed >> 32 != 0, "bit {bit}: {changed:x}");
        }
    }
}
