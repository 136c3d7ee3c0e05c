//! Eight games side by side: one word of each in a vector of the processor.
//!
//! What is written once over [`Lanes`] runs with AVX-512, with AVX2, and as plain loops, and gives the same numbers with
//! each. [`Kind::best`] says what this processor has, and [`Kind::run`] runs a [`Task`] compiled for it.
//!
//! ```
//! use oboro_lanes::{Kind, Lanes, Task};
//!
//! /// The number of bits of eight words.
//! struct Count([u64; 8]);
//!
//! impl Task for Count {
//!     type Output = [u64; 8];
//!     #[inline(always)]
//!     fn run<L: Lanes>(self, zero: L) -> [u64; 8] {
//!         zero.of(self.0).count_ones().words()
//!     }
//! }
//!
//! for kind in Kind::supported() {
//!     assert_eq!(kind.run(Count([0, 1, 3, 7, 15, u64::MAX, 2, 4])), [0, 1, 2, 3, 4, 64, 1, 1]);
//! }
//! ```
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the vectors of the function that it ends up in"
)]

mod plain;
mod streams;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};
use std::sync::LazyLock;

pub use streams::Streams;

/// How many games there are side by side.
pub const LANES: usize = 8;

/// Eight words of 64 bits. Sums and differences wrap around. [`Kind::run`] makes the first value, after it has asked the
/// processor; all others are made from one that exists.
pub trait Lanes:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// Some of the lanes.
    type Mask: Mask;

    /// The same word in every lane.
    #[must_use]
    fn every(self, word: u64) -> Self;

    /// These words.
    #[must_use]
    fn of(self, words: [u64; LANES]) -> Self;

    /// What the lanes hold.
    fn words(self) -> [u64; LANES];

    /// The lanes whose bits are set.
    fn mask(self, bits: u8) -> Self::Mask;

    /// The bits that `other` has not.
    #[must_use]
    fn without(self, other: Self) -> Self;

    /// Shifts up by less than 64.
    #[must_use]
    fn up(self, by: u32) -> Self;

    /// Shifts down by less than 64.
    #[must_use]
    fn down(self, by: u32) -> Self;

    /// Shifts each lane up by a number of its own; from 64 on nothing is left.
    #[must_use]
    fn up_each(self, by: Self) -> Self;

    /// Shifts each lane down by a number of its own; from 64 on nothing is left.
    #[must_use]
    fn down_each(self, by: Self) -> Self;

    /// The number of bits in each lane.
    #[must_use]
    fn count_ones(self) -> Self;

    /// The products of the low halves.
    #[must_use]
    fn times(self, other: Self) -> Self;

    /// The lanes in which two words have a bit in common.
    fn meets(self, other: Self) -> Self::Mask;

    /// The lanes in which two words are equal.
    fn equals(self, other: Self) -> Self::Mask;

    /// The lanes in which a word is less than another one, both below 2⁶³.
    fn is_below(self, other: Self) -> Self::Mask;

    /// The word in some lanes, 0 in the others.
    #[must_use]
    fn only(self, lanes: Self::Mask) -> Self;

    /// Another word in some lanes.
    #[must_use]
    fn but(self, lanes: Self::Mask, other: Self) -> Self;

    /// For each byte of `at`, which is less than 8, the byte of this word with that number.
    #[must_use]
    fn look_up(self, at: Self) -> Self;

    /// All bits of the bytes that are equal in both.
    #[must_use]
    fn equal_bytes(self, other: Self) -> Self;

    /// Another's bytes where the top bit of a byte of `which` is set.
    #[must_use]
    fn but_bytes(self, which: Self, other: Self) -> Self;

    /// Turns the bits round, upwards, by less than 64.
    #[must_use]
    #[inline(always)]
    fn turned(self, by: u32) -> Self {
        if by == 0 { self } else { self.up(by) | self.down(64 - by) }
    }

    /// Turns the bits of each lane round, upwards, by at most 64.
    #[must_use]
    #[inline(always)]
    fn turned_each(self, by: Self) -> Self {
        self.up_each(by) | self.down_each(self.every(64) - by)
    }

    /// The lowest byte of each lane, eight times.
    #[must_use]
    #[inline(always)]
    fn low_bytes(self) -> Self {
        self.look_up(self.every(0))
    }

    /// The lanes that hold 0.
    #[inline(always)]
    fn is_zero(self) -> Self::Mask {
        self.equals(self.every(0))
    }
}

/// Some of eight lanes.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// One bit for each lane.
    fn bits(self) -> u8;

    /// Whether there is one.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
}

/// A piece of work that is compiled for every kind of vectors. It and all that it calls must be inlined.
pub trait Task {
    /// What comes out.
    type Output;

    /// Does the work with some kind of vectors, of which it is given the first.
    fn run<L: Lanes>(self, zero: L) -> Self::Output;
}

/// The kinds of vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Loops over arrays, on any processor.
    Plain,
    /// Two vectors of 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// One vector of 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kind {
    /// The kinds of this architecture, the best one last.
    const ALL: &[Kind] = &[
        Kind::Plain,
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2,
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512,
    ];

    /// The kinds that this processor has, the best one last.
    pub fn supported() -> Vec<Kind> {
        Kind::ALL.iter().copied().filter(|kind| kind.is_supported()).collect()
    }

    /// Every kind of this architecture by name, and whether this processor has it: for tests that say what they skip.
    pub fn coverage() -> Vec<(&'static str, bool)> {
        Kind::ALL.iter().map(|kind| (kind.name(), kind.is_supported())).collect()
    }

    /// The best kind for work that is worth it: none where there are only plain loops. The variable `OBORO_LANES` takes
    /// another one, so that one machine can measure what others have: `plain`, `avx2` or `avx512`; `none` for no lanes.
    pub fn best() -> Option<Kind> {
        static BEST: LazyLock<Option<Kind>> = LazyLock::new(|| {
            let wanted = std::env::var("OBORO_LANES").unwrap_or_default();
            let quick = || Kind::supported().pop().filter(|kind| *kind != Kind::Plain);
            let called = || Kind::supported().into_iter().find(|kind| kind.code() == wanted);
            if wanted == "none" { None } else { called().or_else(quick) }
        });
        *BEST
    }

    /// Whether one vector has all eight words. With two halves some work is quicker one game after the other.
    pub fn is_whole(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => true,
            _ => false,
        }
    }

    /// Its name in `OBORO_LANES`.
    fn code(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain loops",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2, lanes",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512, lanes",
        }
    }

    /// Whether this processor has it.
    #[inline]
    pub fn is_supported(self) -> bool {
        match self {
            Kind::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => {
                Kind::Avx2.is_supported()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
            }
        }
    }

    /// Runs a task, compiled for these vectors.
    ///
    /// # Panics
    /// If the processor does not have them.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        assert!(self.is_supported(), "{} on a processor without it", self.name());
        match self {
            Kind::Plain => task.run(plain::Plain([0; LANES])),
            // SAFETY: the processor was asked.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "eight games together take a third of the time")]
            Kind::Avx2 => unsafe { x86::run_with_avx2(task) },
            // SAFETY: the processor was asked.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "eight games together take a third of the time")]
            Kind::Avx512 => unsafe { x86::run_with_avx512(task) },
        }
    }
}
