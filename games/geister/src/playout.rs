//! Random playouts: what Monte Carlo agents spend their time on.
//!
//! [`reference`](self::reference) says what is drawn in which order. The others draw the same from the same stream and are only
//! quicker: which of them is used depends on the processor; the games do not.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod lanes;
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "single playouts have no quick way elsewhere")
)]
mod packed;
#[cfg(target_arch = "x86_64")]
pub(crate) mod processor;
mod reference;

use crate::world::World;
use oboro_core::{FastPath, GameWorld, Rng};
use oboro_lanes::Kind;

/// How a playout is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Reference,
}

impl Way {
    /// The quickest that the processor has.
    #[inline]
    fn best() -> Way {
        #[cfg(target_arch = "x86_64")]
        {
            if avx512::is_supported() {
                return Way::Avx512;
            }
            if avx2::is_supported() {
                return Way::Avx2;
            }
        }
        Way::Reference
    }

    /// Plays a world to its end. The processor must have the way, as [`best`](Way::best) says.
    #[inline]
    fn play_out(self, world: &mut World, rng: &mut Rng) {
        match self {
            // SAFETY: `best` has asked whether the processor has what the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "most of a search is spent here")]
            Way::Avx512 => unsafe { avx512::play_out(world, rng) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "most of a search is spent here")]
            Way::Avx2 => unsafe { avx2::play_out(world, rng) },
            Way::Reference => reference::play_out(world, rng),
        }
    }
}

/// Plays uniformly random legal moves to the end, for a world whose sides are placed. Which
/// pieces stayed on an exit is not kept track of.
pub(crate) fn play_out(world: &mut World, rng: &mut Rng) {
    Way::best().play_out(world, rng);
}

/// The vectors for random playouts in lanes. In halves they take 1.2 times as long as one playout after the other, which
/// draws its moves with vectors, too (measured on 2026-11-18).
fn lanes_for_random() -> Option<Kind> {
    Kind::best().filter(|kind| kind.is_whole())
}

/// Which of the quicker ways this processor has.
pub(crate) fn fast_paths() -> [FastPath; 2] {
    let alone = match Way::best() {
        #[cfg(target_arch = "x86_64")]
        Way::Avx512 => Some("AVX-512"),
        #[cfg(target_arch = "x86_64")]
        Way::Avx2 => Some("AVX2 and BMI2"),
        Way::Reference => None,
    };
    [
        FastPath { work: "random playouts", by: alone },
        FastPath { work: "random playouts, many together", by: lanes_for_random().map(Kind::name) },
    ]
}

/// Plays every world to its end, each with a stream of its own that is forked for it, in order.
pub(crate) fn play_out_all(worlds: &mut [World], rng: &mut Rng) {
    if let Some(kind) = lanes_for_random() {
        return kind.run(lanes::random::PlayOut { worlds, rng });
    }
    for world in worlds {
        world.play_out_randomly(&mut rng.fork());
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Geister, Placements};
    use oboro_core::Game;
    use oboro_testkit::say_not_run;

    /// Positions of random games, some near their end, and some with a limit that ends them soon.
    pub(crate) fn positions(count: u64) -> impl Iterator<Item = (World, Rng)> {
        (0..count).map(|number| {
            let mut rng = Rng::from_u64(number);
            let plies = if number % 7 == 0 { 40 } else { 300 };
            let rules = Geister { placements: Placements::Random, plies };
            let mut world = rules.deal(&mut rng);
            for _ in 0..rng.below(200) {
                if world.to_act().is_some() {
                    world.apply(world.random_action(&mut rng));
                }
            }
            (world, rng)
        })
    }

    /// Every way that the processor has beside the reference.
    fn quick_ways() -> Vec<Way> {
        let mut ways = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let [avx2, avx512] = [avx2::is_supported(), avx512::is_supported()];
            say_not_run(&[("playouts by AVX2", avx2), ("playouts by AVX-512", avx512)]);
            ways.extend(avx2.then_some(Way::Avx2));
            ways.extend(avx512.then_some(Way::Avx512));
        }
        ways
    }

    #[test]
    fn every_processor_plays_the_same_games() {
        let (mut blocked, ways) = (0, quick_ways());
        for (start, stream) in positions(3000) {
            let (mut expected, mut expected_stream) = (start, stream.clone());
            reference::play_out(&mut expected, &mut expected_stream);
            for way in &ways {
                let (mut quick, mut quick_stream) = (start, stream.clone());
                way.play_out(&mut quick, &mut quick_stream);
                assert_eq!(quick, expected, "{way:?} from {start:?}");
                assert_eq!(quick_stream, expected_stream, "{way:?}: as many draws");
            }
            blocked += u32::from(start.public.stayed != [0; 2]);
        }
        assert!(blocked > 100, "reds that may not leave are among them: {blocked}");
    }

    #[test]
    fn many_games_together_are_those_played_one_by_one() {
        say_not_run(&Kind::coverage());
        for (count, kind) in [0, 1, 7, 16, 17, 500]
            .into_iter()
            .flat_map(|count| Kind::supported().into_iter().map(move |kind| (count, kind)))
        {
            let mut together: Vec<World> = positions(count).map(|(world, _)| world).collect();
            if let Some(last) = together.last_mut() {
                *last = Geister::default().deal(&mut Rng::from_u64(1)); // not placed yet
            }
            let mut one_by_one = together.clone();
            let [mut stream, mut other] = [Rng::from_u64(count), Rng::from_u64(count)];
            kind.run(lanes::random::PlayOut { worlds: &mut together, rng: &mut stream });
            for (world, same) in one_by_one.iter_mut().zip(together) {
                let mut own = other.fork();
                while world.public.placed < 2 {
                    world.apply(world.random_action(&mut own));
                }
                reference::play_out(world, &mut own);
                assert_eq!(same, *world, "{kind:?}");
            }
            assert_eq!(stream, other, "{kind:?}: as many draws");
        }
    }
}
