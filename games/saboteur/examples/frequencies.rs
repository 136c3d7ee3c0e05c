//! Counts what players of each known kind do in each role, and prints the table that `oboro` reads deeds by
//! (`src/agents/oboro/frequencies.rs`).
//!
//! ```text
//! cargo run --release -p oboro-saboteur --example frequencies [GAMES] > games/saboteur/src/agents/oboro/frequencies.rs
//! ```
//! Every seat of every round is given to a kind drawn at random, at tables of 3 to 10 players, by the published rules
//! and by the paper's. As `oboro` plays by the table itself, it is run again until the table stays as it is.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::{AgentEntry, Factory, Game, GameWorld, Live, Rng, Seat, Seed};
use oboro_saboteur::agents::agents;
use oboro_saboteur::agents::oboro::{CLASS_NAMES, CLASSES, KINDS, Watcher};
use oboro_saboteur::{Goal, GoalCard, Role, Saboteur, Seats};
use std::error::Error;

/// The kinds, in the order of the table; few nodes, for speed.
const NAMES: [&str; KINDS] = ["path", "foreman", "oboro:nodes=16", "random"];

type Counts = [[[[f64; CLASSES]; 2]; 2]; KINDS];

fn main() -> Result<(), Box<dyn Error>> {
    let games = std::env::args().nth(1).map_or(Ok(2000), |text| text.parse())?;
    let mut counts: Counts = [[[[0.0; CLASSES]; 2]; 2]; KINDS];
    for number in 0..games {
        play(number, &mut counts)?;
    }
    print(&counts);
    Ok(())
}

fn play(number: u64, counts: &mut Counts) -> Result<(), Box<dyn Error>> {
    let seeds = Seed::from_u64(1).child("frequencies").game(number, number);
    let mut rng = Rng::from_u64(number);
    let players = 3 + (number / 2 % 8) as u8;
    let published = Saboteur { rounds: 1, ..Saboteur::default() };
    let rules = if number.is_multiple_of(2) { published } else { Saboteur::paper() };
    let rules = Saboteur { players, ..rules };
    let kinds: Vec<usize> = (0..players).map(|_| rng.below(KINDS)).collect();
    let seated: Vec<Factory<Saboteur>> = kinds
        .iter()
        .map(|&kind| Ok(AgentEntry::resolve(&agents(), &rules, &NAMES[kind].parse()?)?.1))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let world = rules.deal(&mut seeds.deal());
    let mut saboteurs = Seats::default();
    for seat in Seat::all(players.into()).filter(|&seat| world.role(seat) == Role::Saboteur) {
        saboteurs.insert(seat);
    }
    let gold = Goal::ALL.into_iter().find(|&goal| world.goal(goal) == GoalCard::Gold);
    let gold = gold.ok_or("no gold")?;
    let mut live = Live::among(&rules, world, &seated, &seeds);
    let mut watcher = Watcher::new(rules);
    let observer = Seat::FIRST;
    while live.to_act().is_some() {
        let before = live.world().clone();
        let (_, action) = live.step()?;
        watcher.look_around(&before.view(observer));
        if let Some(deed) = watcher.observe(&before.event(action, observer)) {
            let role = usize::from(saboteurs.has(deed.actor()));
            let kind = kinds[deed.actor().index()];
            let class = deed.class(saboteurs, gold);
            counts[kind][role][usize::from(deed.was_stopped())][class] += 1.0;
        }
    }
    Ok(())
}

fn print(counts: &Counts) {
    println!("//! How often each known kind of player does what: counted, not tuned.");
    println!("//!");
    println!("//! Printed by `cargo run --release -p oboro-saboteur --example frequencies`.");
    println!();
    println!("use super::deed::{{CLASSES, KINDS}};");
    println!();
    println!(
        "/// By kind, role (digger, saboteur), whether a tool is broken, and class of the deed."
    );
    println!("#[rustfmt::skip]");
    println!("pub(super) const FREQUENCIES: [[[[f64; CLASSES]; 2]; 2]; KINDS] = [");
    for (kind, name) in counts.iter().zip(NAMES) {
        println!("    // {name}");
        println!("    [");
        for role in kind {
            println!("        [");
            for stopped in role {
                // A little of everything, so that nothing is impossible.
                let all: f64 = stopped.iter().sum::<f64>() + 0.5 * CLASSES as f64;
                let shares: Vec<String> =
                    stopped.iter().map(|count| format!("{:.5}", (count + 0.5) / all)).collect();
                println!("            [{}],", shares.join(", "));
            }
            println!("        ],");
        }
        println!("    ],");
    }
    println!("];");
    for (class, name) in CLASS_NAMES.iter().enumerate() {
        let rate = |kind: usize, role: usize, stopped: usize| {
            counts[kind][role][stopped][class] / counts[kind][role][stopped].iter().sum::<f64>()
        };
        eprint!("{name:30}");
        for kind in 0..KINDS {
            eprint!("  {:.3}/{:.3}", rate(kind, 0, 0), rate(kind, 1, 0));
        }
        for kind in 1..3 {
            eprint!("  {:.3}/{:.3}", rate(kind, 0, 1), rate(kind, 1, 1));
        }
        eprintln!();
    }
}
