//! The work whose speed is worth knowing.

use crate::Dice;
use oboro_core::Kernel;

/// The kernels of `oboro bench`. The checksums keep a change of play from passing for a change of speed: when you change the
/// rules, `cargo xtask bless NAME` writes them anew.
pub fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::random_games::<Dice>(0x493e_e1e4_0824_b732),
        Kernel::imagined_worlds::<Dice>(0x542a_ea6c_269c_d143),
    ]
}
