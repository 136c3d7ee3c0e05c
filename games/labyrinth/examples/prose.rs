//! What the thesis says in prose, measured: `cargo run --release -p oboro-labyrinth --example prose [GAMES]`.
//!
//! Each agent meets Big Brain by the corners of figure 4.1, first and second by turns. For its own turns it counts how often it reaches the
//! goal on the first turn (4.3.2), ends a turn on a fixed tile (4.3.4), begins a turn where it ended the last one (4.4), stays where it
//! is (2.2.2), and declines a goal within reach (3.2.4). Rates come with Wilson's 95 % intervals and their n. Turns of one game are
//! not independent, so intervals of turns are a little too narrow.
#![allow(clippy::print_stdout, reason = "an example prints")]

use oboro_core::{AgentEntry, Factory, Game, GameWorld, Live, Seat, Seed};
use oboro_labyrinth::{Action, Cell, Corner, Goal, Labyrinth, World, agents};
use std::error::Error;

const AGENTS: [&str; 9] = [
    "treasure-count",
    "distance",
    "static-tile",
    "hybrid",
    "hybrid:arrival=250",
    "slide-direction",
    "distance:threshold=1",
    "static-tile:threshold=1",
    "saboteur",
];

#[derive(Clone, Copy, Default)]
struct Share {
    yes: u32,
    of: u32,
}

impl Share {
    fn add(&mut self, yes: bool) {
        self.yes += u32::from(yes);
        self.of += 1;
    }

    /// The rate in per cent with its Wilson interval and n.
    fn text(self) -> String {
        if self.of == 0 {
            return "–".to_owned();
        }
        let (n, z) = (f64::from(self.of), 1.959_963_984_540_054);
        let rate = f64::from(self.yes) / n;
        let centre = (rate + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
        let [rate, low, high] = [rate, centre - half, centre + half].map(|x| 100.0 * x);
        format!("{rate:.1} ({low:.1} to {high:.1}; {})", self.of)
    }
}

#[derive(Clone, Copy, Default)]
struct Tally {
    first: Share,
    fixed: Share,
    unmoved: Share,
    stays: Share,
    declines: Share,
}

fn factory(spec: &str) -> Result<Factory<Labyrinth>, Box<dyn Error>> {
    Ok(AgentEntry::resolve(&agents(), &Labyrinth::default(), &spec.parse()?)?.1)
}

/// Whether a turn reaches what the seat looks for.
fn reaches(world: &World, seat: Seat, action: Action) -> bool {
    let mut after = *world;
    after.apply(action);
    match world.goal(seat) {
        Goal::Treasure(_) => after.public().cards_found(seat) > world.public().cards_found(seat),
        Goal::Home(_) => after.to_act().is_none(),
    }
}

/// Counts the turns of one seat in a game.
fn count(live: &mut Live<Labyrinth>, own: Seat, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let mut ended: Option<Cell> = None;
    while live.to_act().is_some() {
        let before = *live.world();
        let (seat, action) = live.step()?;
        if seat != own {
            continue;
        }
        let from = before.public().pawn(own);
        let is_there = reaches(&before, own, action);
        match ended.replace(action.to) {
            None => tally.first.add(is_there),
            Some(cell) => tally.unmoved.add(from == cell),
        }
        tally.fixed.add(action.to.x() % 2 == 0 && action.to.y() % 2 == 0);
        tally.stays.add(from == action.to);
        let mut legal = Vec::new();
        before.legal(&mut legal);
        if is_there || legal.into_iter().any(|other| reaches(&before, own, other)) {
            tally.declines.add(!is_there);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let games: u64 = std::env::args().nth(1).map_or(Ok(400), |text| text.parse())?;
    let rival = factory("big-brain")?;
    println!(
        "| agent | goal on the first turn | turns that end on a fixed tile | not moved since the last turn | stays where it is | declines a goal within reach |"
    );
    println!("|---|---|---|---|---|---|");
    for spec in AGENTS {
        let own = factory(spec)?;
        let mut tally = Tally::default();
        for number in 0..games {
            // The agent sits at the bottom right and Big Brain at the top left, whoever moves first.
            let is_first = number % 2 == 0;
            let first_corner = if is_first { Corner::BottomRight } else { Corner::TopLeft };
            let rules = Labyrinth { first_corner, ..Labyrinth::default() };
            let mut players = [own.clone(), rival.clone()];
            let seats: Vec<Seat> = Seat::all(2).collect();
            if !is_first {
                players.reverse();
            }
            let seeds = Seed::from_u64(2024).child(spec).game(number, number);
            let world = rules.deal(&mut seeds.deal());
            let mut live = Live::among(&rules, world, &players, &seeds);
            count(&mut live, seats[usize::from(!is_first)], &mut tally)?;
        }
        let Tally { first, fixed, unmoved, stays, declines } = tally;
        let shares = [first, fixed, unmoved, stays, declines].map(Share::text).join(" | ");
        println!("| {spec} | {shares} |");
    }
    Ok(())
}
