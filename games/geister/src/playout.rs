//! Random playouts: what Monte Carlo agents spend their time on.
//!
//! [`plain`] says what is drawn in which order. The others draw the same from the same stream and are only quicker:
//! which of them is used depends on the processor, and what comes out does not.

#[cfg(target_arch = "x86_64")]
mod packed;
mod plain;
#[cfg(target_arch = "x86_64")]
mod swift;

use crate::world::World;
use oboro_core::Rng;

/// Plays uniformly random legal moves to the end, for a world whose sides are placed. Which
/// pieces stayed on an exit is not kept track of.
pub(crate) fn play_out(world: &mut World, rng: &mut Rng) {
    #[cfg(target_arch = "x86_64")]
    if swift::is_supported() {
        // SAFETY: the processor has what the function is compiled for.
        #[allow(unsafe_code, reason = "most of a search is spent here")]
        return unsafe { swift::play_out(world, rng) };
    }
    plain::play_out(world, rng);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Geister, Placements};
    use oboro_core::{Game, GameWorld};

    /// Positions of random games, some near their end, and some with a limit that ends them soon.
    fn positions(count: u64) -> impl Iterator<Item = (World, Rng)> {
        (0..count).map(|number| {
            let mut rng = Rng::from_u64(number);
            let plies = if number % 7 == 0 { 40 } else { 300 };
            let rules = Geister { placements: Placements::Random, plies, ..Geister::default() };
            let mut world = rules.deal(&mut rng);
            for _ in 0..rng.below(200) {
                if world.to_act().is_some() {
                    world.apply(world.random_action(&mut rng));
                }
            }
            (world, rng)
        })
    }

    #[test]
    fn every_processor_plays_the_same_games() {
        let mut blocked = 0;
        for (start, stream) in positions(3000) {
            let [mut plain, mut quick] = [start; 2];
            let [mut plain_stream, mut quick_stream] = [stream.clone(), stream];
            plain::play_out(&mut plain, &mut plain_stream);
            play_out(&mut quick, &mut quick_stream);
            assert_eq!(quick, plain, "from {start:?}");
            assert_eq!(quick_stream, plain_stream, "as many draws");
            blocked += u32::from(start.public.lingered != [0; 2]);
        }
        assert!(blocked > 100, "reds that may not leave are among them: {blocked}");
    }
}
