//! Policies inside simulations.

#![allow(clippy::inline_always, reason = "a playout is one loop; measured")]

use super::field::{Field, Step};
use super::pick::{ByBytes, Pick};
use super::program::Program;
use super::strategy::{Strategy, action_of};
use crate::action::Action;
use crate::piece::{Piece, Placement};
#[cfg(target_arch = "x86_64")]
use crate::processor::scatters_bits;
use crate::public::Ending;
use crate::square::{Bitboard, CAPTURED, ESCAPED};
use crate::world::World;
use oboro_core::{FastPath, GameWorld, Policy, Rng, Seat};

/// Playouts in which each seat follows a policy; it may be another one for each.
#[derive(Clone, Debug)]
pub struct GpPlayouts {
    programs: [Program; 2],
}

impl GpPlayouts {
    /// The policies by seat, in the search of a seat or without a search; none is random play.
    pub fn new(strategies: [Option<&Strategy>; 2], searcher: Option<Seat>) -> GpPlayouts {
        GpPlayouts {
            programs: strategies.map(|strategy| match strategy {
                Some(strategy) => strategy.program(searcher),
                None => Strategy::random().program(searcher),
            }),
        }
    }
}

/// Whether this processor has a quicker way through the playouts of policies.
pub(crate) fn fast_path() -> FastPath {
    #[cfg(target_arch = "x86_64")]
    let by = scatters_bits().then_some("BMI2");
    #[cfg(not(target_arch = "x86_64"))]
    let by = None;
    FastPath { work: "playouts of evolved policies", by }
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
        while world.public.placed < 2 {
            world.apply(Action::Place(Placement::random(rng)));
        }
        if world.public.ending.is_some() {
            return;
        }
        let race = Race::new(world);
        #[cfg(target_arch = "x86_64")]
        if scatters_bits() {
            // SAFETY: the processor has what the function is compiled for.
            #[allow(unsafe_code, reason = "most of a search is spent here")]
            return unsafe { quick::play(race, &self.programs, world, rng) };
        }
        race.play(&self.programs, world, rng, ByBytes);
    }
}

/// The same with instructions that not every processor has.
#[cfg(target_arch = "x86_64")]
mod quick {
    use super::super::pick::ByBits;
    use super::{Program, Race, Rng, World};
    use std::arch::x86_64::_pdep_u64;

    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    pub(super) fn play(race: Race, programs: &[Program; 2], world: &mut World, rng: &mut Rng) {
        race.play(programs, world, rng, ByBits(|ones, board| _pdep_u64(ones, board)));
    }
}

/// A playout in progress.
struct Race {
    field: Field,
    /// The number of the piece on each square; anything where none stands.
    names: [u8; 64],
    /// The piece that left the board.
    left: Option<(Seat, Piece)>,
}

impl Race {
    fn new(world: &World) -> Race {
        let mut names = [0; 64];
        for places in &world.public.places {
            for (name, place) in places.iter().enumerate() {
                names[usize::from(place & 63)] = name as u8;
            }
        }
        Race { field: Field::of(world), names, left: None }
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
            for square in crate::squares(occupied) {
                let piece = Piece::new(self.names[square.index()].into());
                board.places[side][piece.index()] = square.index() as u8;
                alive |= piece.bit();
            }
            for piece in Piece::of_set(before & !alive) {
                board.places[side][piece.index()] = CAPTURED;
            }
            board.alive[side] = alive;
            board.occupied[side] = occupied;
            board.lingered[side] &= alive;
        }
        if let Some((seat, piece)) = self.left {
            board.places[seat.index()][piece.index()] = ESCAPED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::StrategySource;

    #[test]
    fn every_processor_plays_the_same_playouts() {
        for name in StrategySource::names() {
            let squad = StrategySource::Named(name.to_owned()).load().unwrap();
            let mut policy = squad.strategies()[0].playouts();
            let mut stream = Rng::from_u64(3);
            for _ in 0..20 {
                let pair = [Placement::random(&mut stream), Placement::random(&mut stream)];
                let [mut quick, mut plain] = [World::placed(pair, 300); 2];
                let mut other = stream.clone();
                policy.play_out(&mut quick, &mut stream);
                Race::new(&plain).play(&policy.programs, &mut plain, &mut other, ByBytes);
                assert_eq!(quick, plain, "{name}");
                assert_eq!(stream, other, "{name}: as many draws");
            }
        }
    }
}
