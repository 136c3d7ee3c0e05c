//! Policies inside simulations.

#![allow(clippy::inline_always, reason = "a playout is one loop; measured")]

use super::field::{Field, Step};
use super::lanes::{self, Plan};
use super::pick::{ByBytes, Pick};
use super::program::Program;
use super::strategy::{Strategy, action_of};
use crate::action::Action;
use crate::piece::{Piece, Placement};
#[cfg(target_arch = "x86_64")]
use crate::playout::processor::scatters_bits;
use crate::public::Ending;
use crate::square::{Bitboard, CAPTURED, ESCAPED};
use crate::world::World;
use oboro_core::{FastPath, GameWorld, Policy, Rng, Seat};
use oboro_lanes::Kind;

/// Playouts in which each seat follows a policy; it may be another one for each.
#[derive(Clone, Debug)]
pub struct GpPlayouts {
    programs: [Program; 2],
    /// The same for many worlds together, where the processor can and the policies are not too large.
    plans: Option<Box<[Plan; 2]>>,
}

impl GpPlayouts {
    /// The policies by seat, in the search of a seat or without a search; none is random play.
    pub fn new(strategies: [Option<&Strategy>; 2], searcher: Option<Seat>) -> GpPlayouts {
        let random = Strategy::random();
        let [first, second] = strategies.map(|strategy| strategy.unwrap_or(&random));
        GpPlayouts {
            programs: [first.program(searcher), second.program(searcher)],
            plans: Kind::best()
                .and_then(|_| Some(Box::new([first.plan(searcher)?, second.plan(searcher)?]))),
        }
    }
}

/// Which quicker ways this processor has through the playouts of policies.
pub(crate) fn fast_paths() -> [FastPath; 2] {
    #[cfg(target_arch = "x86_64")]
    let alone = scatters_bits().then_some("BMI2");
    #[cfg(not(target_arch = "x86_64"))]
    let alone = None;
    let together = Kind::best().map(Kind::name);
    [
        FastPath { work: "playouts of evolved policies", by: alone },
        FastPath { work: "playouts of evolved policies, many together", by: together },
    ]
}

impl Strategy {
    /// The policy for playouts outside a search, the same for both seats.
    pub fn playouts(&self) -> GpPlayouts {
        GpPlayouts::new([Some(self), Some(self)], None)
    }
}

impl Policy<World> for GpPlayouts {
    fn choose(&mut self, world: &World, rng: &mut Rng) -> Action {
        if world.public.placed < 2 {
            return Action::Place(Placement::random(rng));
        }
        let field = Field::of(world);
        let [first, second] = &self.programs;
        let step = if world.public.mover() == 0 {
            first.draw::<0>(&field, rng, ByBytes)
        } else {
            second.draw::<1>(&field, rng, ByBytes)
        };
        action_of(world, step)
    }

    /// Plays on bitboards alone and puts the pieces back at the end. Which pieces stayed on an
    /// exit is not kept track of.
    fn play_out(&mut self, world: &mut World, rng: &mut Rng) {
        play_out(&self.programs, world, rng);
    }

    fn play_out_all(&mut self, worlds: &mut [World], rng: &mut Rng) {
        self.play_out_all_by(Kind::best(), worlds, rng);
    }
}

impl GpPlayouts {
    /// Plays all worlds in lanes of a kind, or one after the other.
    fn play_out_all_by(&self, kind: Option<Kind>, worlds: &mut [World], rng: &mut Rng) {
        let alone = |world: &mut World, rng: &mut Rng| play_out(&self.programs, world, rng);
        if let (Some(kind), Some(plans)) = (kind, &self.plans) {
            return kind.run(lanes::PlayOut { plans, worlds, rng, alone });
        }
        for world in worlds {
            alone(world, &mut rng.fork());
        }
    }
}

fn play_out(programs: &[Program; 2], world: &mut World, rng: &mut Rng) {
    while world.public.placed < 2 {
        world.apply(Action::Place(Placement::random(rng)));
    }
    if world.public.ending.is_some() {
        return;
    }
    let playout = BoardPlayout::new(world);
    #[cfg(target_arch = "x86_64")]
    if scatters_bits() {
        // SAFETY: the processor has what the function is compiled for.
        #[allow(unsafe_code, reason = "most of a search is spent here")]
        return unsafe { quick::play(playout, programs, world, rng) };
    }
    playout.play(programs, world, rng, ByBytes);
}

/// The same with instructions that not every processor has.
#[cfg(target_arch = "x86_64")]
mod quick {
    use super::super::pick::ByBits;
    use super::{BoardPlayout, Program, Rng, World};
    use std::arch::x86_64::_pdep_u64;

    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    pub(super) fn play(
        playout: BoardPlayout,
        programs: &[Program; 2],
        world: &mut World,
        rng: &mut Rng,
    ) {
        playout.play(programs, world, rng, ByBits(|ones, board| _pdep_u64(ones, board)));
    }
}

/// A playout in progress.
struct BoardPlayout {
    field: Field,
    /// The number of the piece on each square; anything where none stands.
    names: [u8; 64],
    /// The piece that left the board.
    left: Option<(Seat, Piece)>,
}

impl BoardPlayout {
    fn new(world: &World) -> BoardPlayout {
        let mut names = [0; 64];
        for places in &world.public.places {
            for (name, place) in places.iter().enumerate() {
                names[usize::from(place & 63)] = name as u8;
            }
        }
        BoardPlayout { field: Field::of(world), names, left: None }
    }

    /// Plays a world to its end.
    #[inline(always)]
    fn play(
        mut self,
        [first, second]: &[Program; 2],
        world: &mut World,
        rng: &mut Rng,
        pick: impl Pick,
    ) {
        let (mut ply, limit) = (world.public.ply, world.public.limit);
        // One round of the loop is a move of each side, so that neither has to ask whose turn it is.
        let mut second_begins = ply & 1 == 1;
        let ending = loop {
            if !second_begins {
                if ply >= limit {
                    break Ending::Draw;
                }
                ply += 1;
                if let Some(ending) = self.step::<0>(first, rng, pick) {
                    break ending;
                }
            }
            second_begins = false;
            if ply >= limit {
                break Ending::Draw;
            }
            ply += 1;
            if let Some(ending) = self.step::<1>(second, rng, pick) {
                break ending;
            }
        };
        world.public.ply = ply;
        world.public.ending = Some(ending);
        self.put_back(world);
    }

    #[inline(always)]
    fn step<const SIDE: usize>(
        &mut self,
        program: &Program,
        rng: &mut Rng,
        pick: impl Pick,
    ) -> Option<Ending> {
        let (direction, to) = match program.draw::<SIDE>(&self.field, rng, pick) {
            Step::To(direction, to) => (direction, to),
            Step::Leave(from) => {
                let (seat, name) = (Seat::new(SIDE), self.names[usize::from(from & 63)]);
                self.field.blues[SIDE] ^= 1 << from;
                self.left = Some((seat, Piece::new(name.into())));
                return Some(Ending::Escape(seat));
            }
        };
        let from = Field::origin(SIDE, direction, to);
        self.names[usize::from(to & 63)] = self.names[usize::from(from & 63)];
        let field = &mut self.field;
        let target: Bitboard = 1 << to;
        let way = 1 << from | target;
        let is_blue = (field.blues[SIDE] >> from & 1).wrapping_neg();
        field.blues[SIDE] ^= way & is_blue;
        field.reds[SIDE] ^= way & !is_blue;
        let enemy = 1 - SIDE;
        if field.all(enemy) & target == 0 {
            return None;
        }
        field.blues[enemy] &= !target;
        field.reds[enemy] &= !target;
        if field.blues[enemy] == 0 {
            Some(Ending::BluesCaptured(Seat::new(SIDE)))
        } else if field.reds[enemy] == 0 {
            Some(Ending::RedsCaptured(Seat::new(enemy)))
        } else {
            None
        }
    }

    fn put_back(&self, world: &mut World) {
        let board = &mut world.public;
        for side in 0..2 {
            let occupied = self.field.blues[side] | self.field.reds[side];
            let mut alive = 0;
            let before = board.alive[side];
            for square in crate::square::squares(occupied) {
                let piece = Piece::new(self.names[square.index()].into());
                board.places[side][piece.index()] = square.index() as u8;
                alive |= piece.bit();
            }
            for piece in Piece::of_set(before & !alive) {
                board.places[side][piece.index()] = CAPTURED;
            }
            board.alive[side] = alive;
            board.occupied[side] = occupied;
            board.stayed[side] &= alive;
        }
        if let Some((seat, piece)) = self.left {
            board.places[seat.index()][piece.index()] = ESCAPED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geister;
    use crate::agents::gp::{Corners, PrimitiveSet, StrategySource};
    use crate::playout::tests::positions;
    use oboro_core::Game;
    use oboro_evolve::{Breeder as _, Crossover, Shape, TreeBreeder};
    use oboro_testkit::say_not_run;
    use std::sync::Arc;

    /// All policies that come with the game, by name.
    fn included() -> Vec<Vec<Arc<Strategy>>> {
        let load = |name: &str| StrategySource::Named(name.to_owned()).load().unwrap();
        let loaded = StrategySource::names().into_iter().map(load);
        loaded.map(|policies| policies.strategies().to_vec()).collect()
    }

    #[test]
    fn every_processor_plays_the_same_playouts() {
        #[cfg(target_arch = "x86_64")]
        say_not_run(&[("playouts of policies by BMI2", scatters_bits())]);
        for policies in included() {
            let mut policy = policies[0].playouts();
            let mut stream = Rng::from_u64(3);
            for _ in 0..20 {
                let pair = [Placement::random(&mut stream), Placement::random(&mut stream)];
                let [mut quick, mut expected] = [World::placed(pair, 300); 2];
                let mut other = stream.clone();
                policy.play_out(&mut quick, &mut stream);
                BoardPlayout::new(&expected).play(
                    &policy.programs,
                    &mut expected,
                    &mut other,
                    ByBytes,
                );
                assert_eq!(quick, expected, "{}", policies[0]);
                assert_eq!(stream, other, "as many draws: {}", policies[0]);
            }
        }
    }

    /// Plays worlds together and by the reference loop, and compares; the last one is not placed yet.
    fn check_together(policy: &GpPlayouts, start: &[World], seed: u64) {
        let mut one_by_one = start.to_vec();
        if let Some(last) = one_by_one.last_mut() {
            *last = Geister::default().deal(&mut Rng::from_u64(seed));
        }
        let mut other = Rng::from_u64(seed);
        let together = Kind::supported().into_iter().map(|kind| {
            let (mut together, mut stream) = (one_by_one.clone(), Rng::from_u64(seed));
            policy.play_out_all_by(Some(kind), &mut together, &mut stream);
            (kind, together, stream)
        });
        let together: Vec<_> = together.collect();
        for (number, expected) in one_by_one.iter_mut().enumerate() {
            let (begin, mut own) = (*expected, other.fork());
            while expected.public.placed < 2 {
                expected.apply(Action::Place(Placement::random(&mut own)));
            }
            if expected.public.ending.is_none() {
                BoardPlayout::new(expected).play(&policy.programs, expected, &mut own, ByBytes);
            }
            for (kind, quick, _) in &together {
                assert_eq!(quick[number], *expected, "{kind:?}, {policy:?} from {begin:?}");
            }
        }
        for (kind, _, stream) in together {
            assert_eq!(stream, other, "{kind:?}: as many draws");
        }
    }

    #[test]
    fn many_playouts_together_are_those_played_one_by_one() {
        say_not_run(&Kind::coverage());
        let worlds: Vec<World> = positions(500).map(|(world, _)| world).collect();
        let over = worlds.iter().filter(|world| world.public.ending.is_some()).count();
        let odd = worlds.iter().filter(|world| world.public.ply % 2 == 1).count();
        assert!(over > 50 && odd > 50, "{over} are over, {odd} begin with the second side");
        for (number, policies) in included().into_iter().enumerate() {
            for strategy in &policies {
                let policy = strategy.playouts();
                assert_eq!(policy.plans.is_some(), Kind::best().is_some(), "{strategy}");
                check_together(&policy, &worlds[number..][..33], number as u64);
            }
            for count in [0, 1, 7, 16, 17, 500] {
                let seat = Seat::new(count % 2);
                let enemy = policies.last().map(|last| &**last);
                let policy = GpPlayouts::new([None, enemy], Some(seat));
                if count < 500 || number % 10 == 0 {
                    check_together(&policy, &worlds[..count], number as u64);
                }
            }
        }
    }

    #[test]
    fn batched_and_single_playouts_of_random_trees_agree() {
        let worlds: Vec<World> = positions(200).map(|(world, _)| world).collect();
        let breeder = TreeBreeder {
            vocabulary: PrimitiveSet::All.vocabulary(),
            shape: Shape::default(),
            crossover: Crossover::Node,
        };
        let mut rng = Rng::from_u64(12);
        let (mut wholly, mut dice) = (0, 0);
        for number in 0..400 {
            let mut create = |reading: usize| {
                let mut tree = breeder.create(number, &mut rng);
                for _ in 0..number % 7 {
                    tree = breeder.mutate(&tree, &mut rng);
                }
                let strategy = Strategy::new(tree).with_corners(Corners::ALL[reading % 3]);
                let often = strategy.moves() * usize::from(rng.chance(0.5));
                dice += u32::from(often > 0);
                let chances: Vec<f64> = (0..often).map(|_| rng.unit()).collect();
                strategy.with_chances(&chances)
            };
            let (own, enemy) = (create(number), create(number / 3));
            let searcher = [None, Some(Seat::new(0)), Some(Seat::new(1))][number / 9 % 3];
            let policy = GpPlayouts::new([Some(&own), Some(&enemy)], searcher);
            check_together(&policy, &worlds[number % 160..][..40], number as u64);
            wholly += u32::from(own.moves() == 1);
        }
        assert!(wholly < 100 && dice > 300, "{wholly} of one move, {dice} with probabilities");
    }

    #[test]
    fn policies_too_large_for_lanes_are_played_one_by_one() {
        let compared = |number: usize| {
            let measures = ["getNumOfMyBlue", "getNumOfOppRed", "getMinimumDistanceOfRedToGoal"];
            let comparisons = ["<", "<=", "==", "!=", ">", ">="];
            let (left, sign) = (measures[number % 3], comparisons[number / 3 % 6]);
            format!("({left} {sign} {})", number / 18)
        };
        let text = (0..40).fold("doRandomMove".to_owned(), |rest, number| {
            let moves = ["doCaptureMove", "doMoveCloserToGoal", "doMoveRedCloserToMyGoal"];
            let (one, other) = (compared(number), compared(number + 40));
            format!("if {one} and {other} then {} else {rest} end if", moves[number % 3])
        });
        let strategy: Strategy = text.parse().unwrap();
        let policy = strategy.playouts();
        #[cfg(target_arch = "x86_64")]
        assert!(strategy.plan(None).is_none(), "more words than there can be");
        let worlds: Vec<World> = positions(30).map(|(world, _)| world).collect();
        check_together(&policy, &worlds, 5);
    }
}
