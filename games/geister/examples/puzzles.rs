//! Makes Geister puzzles: positions in which the side to move wins by force whatever the hidden colours are.
//!
//! `cargo run --release -p oboro-geister --example puzzles -- SEED POSITIONS [PLIES]` places pieces at random so many times,
//! as the published puzzles were made, and prints every forced win in at least PLIES plies (7): its length, the enemy
//! pieces whose colours are known, and the position. In every second position some are known. Equal seeds print equal puzzles.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
use oboro_geister::agents::search::{Position, Proof, Prover};
use oboro_geister::{Colour, Geister, Piece, View, World};
use std::error::Error;

/// Wins longer than this are not looked for.
const LONGEST: u32 = 13;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).map(|text| text.parse::<u64>()).transpose();
    let (Some(seed), Some(count)) = (number(0)?, number(1)?) else {
        return Err("give a seed and a number of positions".into());
    };
    let shortest = number(2)?.unwrap_or(7);
    let rules = Geister::default();
    let mut rng = Rng::from_u64(seed);
    let mut prover = Prover::new(20);
    for number in 0..count {
        let world = random_world(&rules, &mut rng);
        let view = world.view(world.to_act().ok_or("a game that goes on")?);
        let known = if number % 2 == 0 { 0 } else { rng.below(256) as u8 & view.hidden() };
        let reds = known & world.reds(view.enemy());
        let here = Position::knowing(&view, reds, known & !reds).ok_or("what is true can be")?;
        if let Proof::Win { plies, .. } = prover.prove(&here, LONGEST, u64::MAX)
            && u64::from(plies) >= shortest
        {
            println!("{plies} {} {}", known_text(&view, reds, known), rules.write_position(&world));
        }
    }
    Ok(())
}

/// One to four pieces of either colour a side, anywhere, seat 0 to move and not yet on an exit with a blue.
fn random_world(rules: &Geister, rng: &mut Rng) -> World {
    loop {
        let mut squares: Vec<usize> = (0..36).collect();
        rng.shuffle(&mut squares);
        let mut places = squares.into_iter();
        let sides = [0, 1].map(|_| {
            let alive = [1 + rng.below(4), 1 + rng.below(4)];
            let mut pieces = String::new();
            for (colour, alive) in [Colour::Red, Colour::Blue].into_iter().zip(alive) {
                for piece in 0..4 {
                    let place = places.next().filter(|_| piece < alive);
                    let place =
                        place.map_or_else(|| "99".into(), |s| format!("{}{}", s % 6, s / 6));
                    pieces += &format!("{place}{}", colour.letter());
                }
            }
            pieces
        });
        let text = format!("40 {} {}", sides[0], sides[1]);
        let Ok(world) = rules.parse_position(&text) else { continue };
        let view = world.view(Seat::FIRST);
        let leaves = |piece| view.public().is_on_exit(view.seat(), piece);
        if world.to_act() == Some(view.seat()) && !Piece::of_set(view.own_blues()).any(leaves) {
            return world;
        }
    }
}

/// The pieces whose colours are known, as `ArFb`; `-` for none.
fn known_text(view: &View, reds: u8, known: u8) -> String {
    let colour = |piece: Piece| if piece.is_in(reds) { 'r' } else { 'b' };
    let known = Piece::of_set(known & view.hidden());
    let text: String = known.flat_map(|piece| [piece.letter(), colour(piece)]).collect();
    if text.is_empty() { "-".into() } else { text }
}
