//! Random playouts.

use crate::World;
use oboro_core::{FastPath, Rng};

/// The fast path of this processor.
pub(crate) fn fast_path() -> FastPath {
    #[cfg(target_arch = "x86_64")]
    let by = is_supported().then_some("AVX2 and BMI2");
    #[cfg(not(target_arch = "x86_64"))]
    let by = None;
    FastPath { work: "random playouts", by }
}

/// Plays uniformly random actions to the end of the game.
pub(crate) fn play_out(world: &mut World, rng: &mut Rng) {
    #[cfg(target_arch = "x86_64")]
    if is_supported() {
        // SAFETY: the processor has what the function is compiled for.
        #[allow(unsafe_code, reason = "an eighth fewer instructions in random rounds")]
        return unsafe { avx2(world, rng) };
    }
    turns(world, rng);
}

/// Whether the processor has what [`avx2`] is compiled for.
#[cfg(target_arch = "x86_64")]
fn is_supported() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2(world: &mut World, rng: &mut Rng) {
    turns(world, rng);
}

/// Turn by turn. It is compiled for every kind of processor, with all that it calls often.
#[allow(
    clippy::inline_always,
    reason = "playouts are compiled for more than one kind of processor"
)]
#[inline(always)]
fn turns(world: &mut World, rng: &mut Rng) {
    while let Some(mover) = world.public.turn {
        let action = world.public.random_action(mover, *world.hand(mover), rng);
        world.take_turn(mover, action);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Saboteur};
    use oboro_core::{Game, GameWorld};

    #[test]
    fn playouts_equal_games_played_action_by_action() {
        #[cfg(target_arch = "x86_64")]
        oboro_testkit::say_not_run(&[("playouts by AVX2 and BMI2", is_supported())]);
        let mut rng = Rng::from_u64(6);
        for number in 0..240 {
            let players = 3 + number % 8;
            let rules = match number % 3 {
                0 => Saboteur { players, ..Saboteur::paper() },
                1 => Saboteur { players, bounds: Bounds::Three, ..Saboteur::default() },
                _ => Saboteur { players, ..Saboteur::default() },
            };
            let mut world = rules.deal(&mut rng);
            // From the deal and from the middle of a game.
            for _ in 0..rng.below(60) {
                if world.to_act().is_some() {
                    world.apply(world.random_action(&mut rng));
                }
            }
            let (mut reference, mut stream) = (world.clone(), rng.clone());
            while reference.to_act().is_some() {
                reference.apply(reference.random_action(&mut stream));
            }
            play_out(&mut world, &mut rng);
            assert_eq!(world, reference);
            assert_eq!(rng, stream, "both streams stand at the same place");
        }
    }
}
