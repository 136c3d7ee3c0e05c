use oboro_core::{GameWorld, Policy, Rng};

/// Plays a world to its end, every seat by the same policy.
#[inline]
pub fn playout<W: GameWorld>(world: &mut W, policy: &mut impl Policy<W>, rng: &mut Rng) {
    policy.play_out(world, rng);
}

/// Plays worlds to their end: one from the stream itself, several each from one of its own.
#[inline]
pub(crate) fn play_out_batch<W: GameWorld>(
    worlds: &mut [W],
    policy: &mut impl Policy<W>,
    rng: &mut Rng,
) {
    match worlds {
        [world] => policy.play_out(world, rng),
        worlds => policy.play_out_all(worlds, rng),
    }
}
