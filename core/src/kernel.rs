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

/// Mixes values into a checksum (FNV-1a over 64-bit words).
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
        self.0 = (self.0 ^ value).wrapping_mul(0x0100_0000_01b3);
    }

    /// The checksum so far.
    pub fn value(self) -> u64 {
        self.0
    }
}
