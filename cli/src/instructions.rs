//! Counting instructions, where the processor's counters are readable.

#[cfg(target_os = "linux")]
mod counters {
    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter};

    /// Counts the instructions that this thread completes outside the kernel.
    pub(crate) struct Instructions(Counter);

    impl Instructions {
        /// A counter, if the processor has one and this process may read it.
        pub(crate) fn open() -> Option<Instructions> {
            Builder::new(Hardware::INSTRUCTIONS).build().ok().map(Instructions)
        }

        /// How many instructions some work takes.
        pub(crate) fn of(&mut self, work: impl FnOnce()) -> Option<u64> {
            self.0.reset().ok()?;
            self.0.enable().ok()?;
            work();
            self.0.disable().ok()?;
            self.0.read().ok()
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod counters {
    /// There is no way to read the counters here.
    pub(crate) enum Instructions {}

    impl Instructions {
        /// Nothing.
        pub(crate) fn open() -> Option<Instructions> {
            None
        }

        /// Nobody can ask.
        pub(crate) fn of(&mut self, _: impl FnOnce()) -> Option<u64> {
            match *self {}
        }
    }
}

pub(crate) use counters::Instructions;
