//! Puzzles: endgames in which exactly one turn reaches the last treasure.

use crate::public::Finish;
use crate::rules::Labyrinth;
use crate::world::World;
use oboro_core::{
    Game, GameWorld, Puzzle, PuzzleBook, Seat, Seed, Tool, ToolHost, Toolbox, check_range,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) fn toolbox() -> Toolbox {
    Toolbox {
        name: "puzzles",
        about: "Writes puzzles of a game\n\n\
            The result is the file puzzles.txt in the folder of the game.",
        tools: vec![Tool::new(
            "labyrinth",
            "Prints endgames in which exactly one turn of many reaches the last treasure",
            make,
        )],
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct PuzzleParams {
    /// Number of puzzles
    count: u32,
    /// Where everything random comes from
    seed: u64,
}

impl Default for PuzzleParams {
    fn default() -> PuzzleParams {
        PuzzleParams { count: 120, seed: 1 }
    }
}

/// Whoever finds the only card has won.
fn rules() -> Labyrinth {
    Labyrinth { cards: Some(1), finish: Finish::LastCard, ..Labyrinth::default() }
}

fn make(params: &PuzzleParams, host: &dyn ToolHost) -> Result<(), String> {
    let &PuzzleParams { count, seed } = params;
    check_range("count", count, 1..=10_000).map_err(|error| error.to_string())?;
    let recipe = format!("oboro puzzles labyrinth --count {count} --seed {seed}");
    let rules = [("cards", "1"), ("finish", "last-card")];
    let rules = rules.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let puzzles = find(Seed::from_u64(seed)).take(count as usize).collect();
    host.print(&PuzzleBook { recipe, rules, puzzles }.to_string())
}

/// Puzzles from games of random turns, at most one from each.
fn find(seed: Seed) -> impl Iterator<Item = Puzzle> {
    (0..).filter_map(move |number| {
        let rng = &mut seed.game(number, number).deal();
        let mut world = rules().deal(rng);
        for _ in 0..2 * (1 + rng.below(12)) {
            let turn = world.random_action(rng);
            world.apply(turn);
            world.to_act()?;
        }
        puzzle(&world)
    })
}

/// The puzzle of a position, if exactly one turn wins it.
fn puzzle(world: &World) -> Option<Puzzle> {
    let mut winning = Vec::new();
    world.for_each_legal(|turn| {
        let mut after = *world;
        after.apply(turn);
        if after.public().winner() == Some(Seat::FIRST) {
            winning.push(turn);
        }
    });
    let [solution] = winning[..] else { return None };
    let position = rules().write_position(world);
    Some(Puzzle { moves: 1, solution: solution.to_string(), position })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_puzzle_has_one_solution_among_many_turns() {
        let book: PuzzleBook = Labyrinth::PUZZLES.parse().unwrap();
        assert!(book.puzzles.len() >= 100, "{} puzzles", book.puzzles.len());
        let mut positions = BTreeSet::new();
        for said in &book.puzzles {
            let world = rules().parse_position(&said.position).unwrap();
            assert_eq!(world.to_act(), Some(Seat::FIRST));
            assert_eq!(puzzle(&world).as_ref(), Some(said));
            let mut turns = 0;
            world.for_each_legal(|_| turns += 1);
            assert!(turns >= 50, "{turns} turns: {}", said.position);
            assert!(positions.insert(&said.position), "twice: {}", said.position);
        }
    }

    /// The command in the file writes the file.
    #[test]
    fn the_recipe_makes_the_puzzles() {
        let book: PuzzleBook = Labyrinth::PUZZLES.parse().unwrap();
        assert_eq!(book.recipe, "oboro puzzles labyrinth --count 120 --seed 1");
        assert!(find(Seed::from_u64(1)).take(book.puzzles.len()).eq(book.puzzles));
    }
}
