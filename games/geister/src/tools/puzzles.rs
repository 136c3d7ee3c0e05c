//! Puzzles: positions with a forced win that does not depend on hidden colours, and one first move that keeps it.

use crate::agents::search::{Position, Proof, Prover};
use crate::policy::EagerPolicy;
use crate::rules::Geister;
use crate::{Action, Direction, Placement, World};
use oboro_core::{
    Game, GameWorld, Policy as _, Puzzle, PuzzleBook, Seat, Seed, Tool, ToolHost, Toolbox,
    check_range, params,
};

pub(super) fn toolbox() -> Toolbox {
    Toolbox {
        name: "puzzles",
        about: "Writes puzzles of a game\n\n\
            The result is the file puzzles.txt in the folder of the game.",
        tools: vec![Tool::new(
            "geister",
            "Prints positions with a proven win, whatever the hidden colours are, that only one first move keeps",
            make,
        )],
    }
}

params! {
    struct PuzzleParams {
        /// Number of puzzles
        count: u32 = 120,
        /// Most moves that the winner needs, from 2; all numbers of moves are about equally frequent
        moves: u32 = 4,
        /// Where everything random comes from
        seed: u64 = 1,
    }
}

/// Nodes that a search may visit: enough for nearly all proofs of a few moves.
const BUDGET: u64 = 300_000;
/// Entries of the prover's table, as a power of two.
const TABLE_BITS: u32 = 18;

fn make(params: &PuzzleParams, host: &dyn ToolHost) -> Result<(), String> {
    let &PuzzleParams { count, moves, seed } = params;
    check_range("count", count, 1..=10_000)?;
    check_range("moves", moves, 2..=8)?;
    let recipe = format!("oboro puzzles geister --count {count} --moves {moves} --seed {seed}");
    let puzzles = find(count as usize, moves, Seed::from_u64(seed), host);
    host.print(&PuzzleBook { recipe, rules: Vec::new(), puzzles }.to_string())
}

/// Plays games until there are enough puzzles, at most one from each.
fn find(count: usize, most: u32, seed: Seed, host: &dyn ToolHost) -> Vec<Puzzle> {
    let mut prover = Prover::new(TABLE_BITS);
    let share = count.div_ceil(most as usize - 1);
    let mut found: Vec<Puzzle> = Vec::new();
    for number in 0.. {
        if found.len() == count {
            break;
        }
        let rng = &mut seed.game(number, number).deal();
        let placements = [Placement::random(rng), Placement::random(rng)];
        let mut world = World::placed(placements, Geister::default().plies);
        while let Some(seat) = world.to_act() {
            if seat == Seat::FIRST
                && let Some(puzzle) = puzzle(&mut prover, &world, most)
            {
                let alike = found.iter().filter(|other| other.moves == puzzle.moves).count();
                if alike < share {
                    found.push(puzzle);
                    host.say(&format!("{} of {count} after {} games", found.len(), number + 1));
                    break;
                }
            }
            let action = EagerPolicy.choose(&world, rng);
            world.apply(action);
        }
    }
    found
}

/// The puzzle of a position, if the mover has a forced win of two moves or more that one first move keeps.
fn puzzle(prover: &mut Prover, world: &World, most: u32) -> Option<Puzzle> {
    let view = world.view(Seat::FIRST);
    let Proof::Win(plies) = prover.prove(&Position::of(&view), 2 * most - 1, BUDGET) else {
        return None;
    };
    let moves = plies.div_ceil(2);
    if moves < 2 {
        return None;
    }
    let winning: Vec<Action> =
        prover.winning_moves(&view, plies, BUDGET).collect::<Result<_, _>>().ok()?;
    let [solution] = winning[..] else { return None };
    // A blue that simply walks towards the exits is no puzzle.
    if let Action::Move(piece, Direction::North) = solution
        && !piece.is_in(world.reds(Seat::FIRST))
        && world.public().capture(Seat::FIRST, piece, Direction::North).is_none()
    {
        return None;
    }
    let position = Geister::default().write_position(world);
    Some(Puzzle { moves, solution: solution.to_string(), position })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn book() -> PuzzleBook {
        Geister::PUZZLES.parse().unwrap()
    }

    /// The prover finds the win in no fewer moves, and with no other first move.
    #[test]
    fn every_puzzle_has_a_forced_win_and_one_solution() {
        let book = book();
        assert!(book.puzzles.len() >= 100, "{} puzzles", book.puzzles.len());
        let mut positions = BTreeSet::new();
        let mut prover = Prover::new(TABLE_BITS);
        for said in &book.puzzles {
            let world = Geister::default().parse_position(&said.position).unwrap();
            assert_eq!(puzzle(&mut prover, &world, 8).as_ref(), Some(said));
            assert!(positions.insert(&said.position), "twice: {}", said.position);
        }
    }

    /// The command in the file writes the file.
    #[test]
    fn the_recipe_makes_the_puzzles() {
        let book = book();
        assert_eq!(book.recipe, "oboro puzzles geister --count 120 --moves 4 --seed 1");
        assert_eq!(find(120, 4, Seed::from_u64(1), &()), book.puzzles);
    }
}
