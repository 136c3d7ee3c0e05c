use oboro_core::{GameWorld, Policy, Rng};

/// Plays a world to its end, every seat by the same policy.
#[inline]
pub fn playout<W: GameWorld>(world: &mut W, policy: &mut impl Policy<W>, rng: &mut Rng) {
    while world.to_act().is_some() {
        let action = policy.choose(world, rng);
        world.apply(action);
    }
}
