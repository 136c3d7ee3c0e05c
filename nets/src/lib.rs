//! Small nets evaluated by hand, the same on every processor.
//!
//! A net is read from a file of named arrays ([`Tensors`], the safetensors format, as the trainer writes it). The body
//! of a [`BoardNet`] is computed in integers, whose sums do not depend on their order; its last layers, and the whole of a [`SetNet`] or a [`FlatNet`], in plain
//! floating point in a fixed order. So the same weights and the same board give the same bits everywhere, however wide the
//! processor's registers are.
#![deny(unsafe_code)]

#[allow(
    clippy::inline_always,
    reason = "what is compiled for a wider processor must be inlined where that is said"
)]
mod board;
#[allow(
    clippy::inline_always,
    reason = "what is compiled for a wider processor must be inlined where that is said"
)]
mod convolution;
mod dense;
mod flat;
mod linear;
mod set;
mod tensors;
#[cfg(target_arch = "x86_64")]
mod wide;
#[allow(
    clippy::inline_always,
    reason = "what is compiled for a wider processor must be inlined where that is said"
)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "the plain loop serves where vectors are not written out")
)]
mod winograd;

pub use board::{Answers, BoardNet, Scratch};
pub use flat::{FlatNet, FlatScratch};
pub use set::{SetNet, SetScratch};
pub use tensors::{NetError, Tensors};
