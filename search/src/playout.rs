use oboro_core::{GameWorld, Policy, Rng};

/// Plays a world to its end, every seat by the same policy.
#[inline]
pub fn playout<W: GameWorld>(world: &mut W, policy: &mut impl Policy<W>, rng: &mut Rng) {
    policy.play_out(world, rng);
}
