//! Random playouts in one loop, both sides unrolled, for any processor: what is drawn, and in which order.

use crate::piece::Piece;
use crate::public::Ending;
use crate::square::{Bitboard, CAPTURED, EXITS, OUT, STEPS};
use crate::world::World;
use oboro_core::{Rng, Seat};

/// How many slots (piece and direction) are drawn at once. About a third of them are legal moves;
/// testing a few without a branch costs less than guessing wrong when the first legal one comes.
const SLOTS: u32 = 6;

/// One side's pieces.
struct Side {
    places: [u8; Piece::COUNT],
    occupied: Bitboard,
    alive: u8,
    reds: u8,
}

/// What a move did.
enum Step {
    Went,
    Won(fn(Seat) -> Ending),
    Lost(fn(Seat) -> Ending),
}

/// Plays uniformly random legal moves to the end, for a world whose sides are placed. Which
/// pieces stayed on an exit is not kept track of.
pub(super) fn play_out(world: &mut World, rng: &mut Rng) {
    let board = &mut world.public;
    let [mut first, mut second] = [0, 1].map(|side| Side {
        places: board.places[side],
        occupied: board.occupied[side],
        alive: board.alive[side],
        reds: world.reds[side],
    });
    let (mut ply, limit) = (board.ply, board.limit);
    // One round of the loop is a move of each side, so that neither has to ask whose turn it is.
    let mut second_begins = ply & 1 == 1;
    let ending = board.ending.unwrap_or_else(|| {
        loop {
            if !second_begins {
                if ply >= limit {
                    break Ending::Draw;
                }
                ply += 1;
                match random_step::<0>(&mut first, &mut second, rng) {
                    Step::Went => {}
                    Step::Won(how) => break how(Seat::new(0)),
                    Step::Lost(how) => break how(Seat::new(1)),
                }
            }
            second_begins = false;
            if ply >= limit {
                break Ending::Draw;
            }
            ply += 1;
            match random_step::<1>(&mut second, &mut first, rng) {
                Step::Went => {}
                Step::Won(how) => break how(Seat::new(1)),
                Step::Lost(how) => break how(Seat::new(0)),
            }
        }
    });
    board.ply = ply;
    board.ending = Some(ending);
    for (side, end) in [first, second].into_iter().enumerate() {
        board.places[side] = end.places;
        board.occupied[side] = end.occupied;
        board.alive[side] = end.alive;
        board.stayed[side] &= end.alive;
    }
}

#[inline]
fn random_step<const SIDE: usize>(own: &mut Side, enemy: &mut Side, rng: &mut Rng) -> Step {
    // A red on an exit may not leave; away from the exits nobody has to ask.
    let kept = if own.occupied & EXITS[SIDE] == 0 { 0 } else { own.reds };
    let (piece, target) = if kept == 0 {
        draw::<SIDE>(own, rng, |_| 0)
    } else {
        draw::<SIDE>(own, rng, |piece| u64::from(kept >> piece & 1) * OUT)
    };
    let place = &mut own.places[piece];
    own.occupied ^= 1 << (*place & 63);
    if target == OUT {
        *place = crate::square::ESCAPED;
        own.alive &= !(1 << piece);
        return Step::Won(Ending::Escape);
    }
    own.occupied ^= target;
    *place = target.trailing_zeros() as u8;
    if enemy.occupied & target == 0 {
        return Step::Went;
    }
    enemy.occupied ^= target;
    let captured = enemy.places.iter().position(|p| p == place);
    let captured = captured.expect("a piece stands on every occupied square");
    enemy.places[captured] = CAPTURED;
    enemy.alive &= !(1 << captured);
    if enemy.alive & !enemy.reds == 0 {
        Step::Won(Ending::BluesCaptured)
    } else if enemy.alive & enemy.reds == 0 {
        Step::Lost(Ending::RedsCaptured)
    } else {
        Step::Went
    }
}

/// A uniformly random legal move as a piece and its target: slots are drawn until one is legal,
/// and every legal move has exactly one slot.
#[inline]
fn draw<const SIDE: usize>(
    own: &Side,
    rng: &mut Rng,
    barred: impl Fn(usize) -> Bitboard,
) -> (usize, Bitboard) {
    let steps = &STEPS[SIDE];
    let slot = |bits: u64, k: u32| {
        let bits = bits >> (5 * k);
        let piece = (bits & 7) as usize;
        let place = usize::from(own.places[piece] & 63);
        (piece, steps[(bits >> 3 & 3) as usize][place])
    };
    loop {
        let bits = rng.bits();
        let mut legal = 0u32;
        for k in 0..SLOTS {
            let (piece, target) = slot(bits, k);
            legal |= u32::from(target & !own.occupied & !barred(piece) != 0) << k;
        }
        if legal != 0 {
            return slot(bits, legal.trailing_zeros());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Geister, Placements};
    use oboro_core::{Game, GameWorld, Rng};

    /// Mean length and results of many playouts agree with those of single random actions.
    #[test]
    fn the_loop_plays_like_single_random_actions() {
        let rules = Geister { placements: Placements::Random, ..Geister::default() };
        let games = 4000;
        let mut sums = [[0.0; 6]; 2];
        let mut rng = Rng::from_u64(5);
        for (one_by_one, sums) in sums.iter_mut().enumerate() {
            for _ in 0..games {
                let mut world = rules.deal(&mut rng);
                if one_by_one == 1 {
                    while world.to_act().is_some() {
                        world.apply(world.random_action(&mut rng));
                    }
                } else {
                    play_out(&mut world, &mut rng);
                }
                let index = match world.public().ending().expect("the end") {
                    Ending::Escape(seat) => seat.index(),
                    Ending::BluesCaptured(_) => 2,
                    Ending::RedsCaptured(_) => 3,
                    Ending::Draw => 4,
                };
                sums[index] += 1.0;
                sums[5] += f64::from(world.public().ply()) / 164.0;
            }
        }
        for (looped, single) in sums[0].iter().zip(sums[1]) {
            // Five standard deviations of the difference of two counts.
            assert!((looped - single).abs() < 5.0 * (looped + single).sqrt(), "{sums:?}");
        }
    }

    #[test]
    fn a_red_never_leaves_and_a_blue_does() {
        let rules = Geister::default();
        // Seat 0 has one piece of each colour, on its exits.
        let text = "20 00R50B99R99R99B99R99B99B 41B31B21B11B40R30R20R10R";
        let start = rules.parse_position(text).unwrap();
        let mut rng = Rng::from_u64(1);
        for _ in 0..500 {
            let mut world = start;
            play_out(&mut world, &mut rng);
            assert!(!crate::Piece::new(0).is_in(world.public().escaped(Seat::FIRST)));
            // What the loop leaves behind is a position like any other.
            let written = rules.write_position(&world);
            let read = rules.parse_position(&written).unwrap();
            assert_eq!(read.public().ending(), world.public().ending(), "{written}");
        }
    }
}
