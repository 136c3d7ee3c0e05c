//! Puzzles: endgames in which exactly one turn reaches the last treasure, or makes sure that the next one will.

use crate::entry::Entry;
use crate::public::{Finish, Goal, Public};
use crate::rules::Labyrinth;
use crate::tile::Rotation;
use crate::tiles::Tiles;
use crate::treasure::TreasureSet;
use crate::world::World;
use oboro_core::{
    Game, GameWorld, Puzzle, PuzzleBook, Seat, Seed, Tool, ToolHost, Toolbox, check_range, params,
};

pub(crate) fn toolbox() -> Toolbox {
    Toolbox {
        name: "puzzles",
        about: "Writes puzzles of a game\n\n\
            The result is the file puzzles.txt in the folder of the game.",
        tools: vec![Tool::new(
            "labyrinth",
            "Prints endgames in which exactly one turn of many wins in one turn or in two",
            make,
        )],
    }
}

params! {
    struct PuzzleParams {
        /// Number of puzzles
        count: u32 = 120,
        /// Where everything random comes from
        seed: u64 = 1,
    }
}

/// Where the extra tile is pushed in, and how it is turned.
type Push = (Entry, Rotation);

/// The player that finds the second card has won.
fn rules() -> Labyrinth {
    Labyrinth { cards: Some(2), finish: Finish::LastCard, ..Labyrinth::default() }
}

fn make(params: &PuzzleParams, host: &dyn ToolHost) -> Result<(), String> {
    let &PuzzleParams { count, seed } = params;
    check_range("count", count, 1..=10_000)?;
    let recipe = format!("oboro puzzles labyrinth --count {count} --seed {seed}");
    let rules = [("cards", "2"), ("finish", "last-card")];
    let rules = rules.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let puzzles = find(Seed::from_u64(seed)).take(count as usize).collect();
    host.print(&PuzzleBook { recipe, rules, puzzles }.to_string())
}

/// Puzzles from games of random turns, at most one from each; every third takes two turns.
fn find(seed: Seed) -> impl Iterator<Item = Puzzle> {
    let mut found = 0;
    (0..).filter_map(move |number| {
        let rng = &mut seed.game(number, number).deal();
        let mut world = rules().deal(rng);
        for _ in 0..2 * (1 + rng.below(12)) {
            let turn = world.random_action(rng);
            world.apply(turn);
            world.to_act()?;
        }
        // The first seat is one treasure ahead, so that the other cannot win in its next turn.
        if world.public.cards_found(Seat::new(1)) > 0 {
            return None;
        }
        world.public.found[0] = 1;
        world.public.refused[0] = TreasureSet::EMPTY;
        let moves = if found % 3 == 2 { 2 } else { 1 };
        let made = puzzle(&world, moves)?;
        found += 1;
        Some(made)
    })
}

/// The puzzle of a position, if exactly one turn wins it within so many turns, and none sooner.
fn puzzle(world: &World, moves: u32) -> Option<Puzzle> {
    let goal = world.goal(Seat::FIRST);
    if moves > 1 && may_reach(&world.public, goal) {
        return None;
    }
    let (mut winning, mut refutation) = (Vec::new(), None);
    world.for_each_legal(|turn| {
        let mut after = world.public;
        after.apply(turn, goal);
        let wins = match moves {
            1 => after.winner() == Some(Seat::FIRST),
            _ => winning.len() < 2 && wins_next(&after, goal, &mut refutation),
        };
        if wins {
            winning.push(turn);
        }
    });
    let [solution] = winning[..] else { return None };
    let position = rules().write_position(world);
    Some(Puzzle { moves, solution: solution.to_string(), position })
}

/// Whether the first seat reaches its goal in its next turn, whatever the other pushes now; where the other's pawn walks does
/// not matter. The push that prevents it is tried first the next time.
fn wins_next(public: &Public, goal: Goal, refutation: &mut Option<Push>) -> bool {
    let holds = |(entry, rotation)| {
        let mut after = *public;
        after.push(entry, rotation);
        may_reach(&after, goal)
    };
    let is_legal = |(entry, _): Push| Some(entry) != public.last.map(Entry::opposite);
    if refutation.is_some_and(|push| is_legal(push) && !holds(push)) {
        return false;
    }
    let found = Tiles::new(&public.board, public.last).pushes().find(|&push| !holds(push));
    *refutation = found.or(*refutation);
    found.is_none()
}

/// Whether some turn of the first seat reaches its goal.
fn may_reach(public: &Public, goal: Goal) -> bool {
    let tiles = Tiles::new(&public.board, public.last);
    tiles.targets(public.pawn(Seat::FIRST)).contain(public.place(goal))
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
            assert_eq!(puzzle(&world, said.moves).as_ref(), Some(said));
            let mut turns = 0;
            world.for_each_legal(|_| turns += 1);
            assert!(turns >= 50, "{turns} turns: {}", said.position);
            assert!(positions.insert(&said.position), "twice: {}", said.position);
        }
        assert!(book.puzzles.iter().filter(|puzzle| puzzle.moves == 2).count() >= 30);
    }

    /// Played out: after the solution of a puzzle of two turns, every turn of the other leaves a winning one.
    #[test]
    fn no_defence_helps_against_two_turns() {
        let book: PuzzleBook = Labyrinth::PUZZLES.parse().unwrap();
        for said in book.puzzles.iter().filter(|puzzle| puzzle.moves == 2).take(3) {
            let mut world = rules().parse_position(&said.position).unwrap();
            world.apply(said.solution.parse().unwrap());
            assert_eq!(world.public.winner(), None);
            world.for_each_legal(|reply| {
                let mut after = world;
                after.apply(reply);
                let mut wins = false;
                after.for_each_legal(|turn| {
                    let mut end = after;
                    end.apply(turn);
                    wins |= end.public.winner() == Some(Seat::FIRST);
                });
                assert!(wins, "{reply}: {}", said.position);
            });
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
