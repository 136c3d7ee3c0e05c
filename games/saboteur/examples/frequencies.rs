//! Counts action classes by policy and role, and prints the table of `oboro`'s opponent model
//! (`src/agents/oboro/frequencies.rs`).
//!
//! ```text
//! cargo run --release -p oboro-saboteur --example frequencies [GAMES] > games/saboteur/src/agents/oboro/frequencies.rs
//! ```
//! Every seat of every round follows a policy drawn at random, at tables of 3 to 10 players, by the published rules and by
//! the paper's. `oboro` itself uses the table, so the program is run again until the table does not change.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::{AgentEntry, Factory, Game, GameWorld, Live, Rng, Seat, Seed};
use oboro_saboteur::agents::agents;
use oboro_saboteur::agents::oboro::{CLASS_NAMES, CLASSES, POLICIES, RoundTracker};
use oboro_saboteur::{Goal, GoalCard, Role, Saboteur, Seats};
use std::error::Error;

/// The policies in the order of the table, with few playouts for speed.
const NAMES: [&str; POLICIES] = ["path", "foreman", "oboro:playouts=16", "random"];

type Counts = [[[[f64; CLASSES]; 2]; 2]; POLICIES];

fn main() -> Result<(), Box<dyn Error>> {
    let games = std::env::args().nth(1).map_or(Ok(2000), |text| text.parse())?;
    let mut counts: Counts = [[[[0.0; CLASSES]; 2]; 2]; POLICIES];
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
    let policies: Vec<usize> = (0..players).map(|_| rng.below(POLICIES)).collect();
    let seated: Vec<Factory<Saboteur>> = policies
        .iter()
        .map(|&policy| Ok(AgentEntry::resolve(&agents(), &rules, &NAMES[policy].parse()?)?.1))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let world = rules.deal(&mut seeds.deal());
    let is_saboteur = |seat: &Seat| world.role(*seat) == Role::Saboteur;
    let saboteurs: Seats = Seat::all(players.into()).filter(is_saboteur).collect();
    let gold = Goal::ALL.into_iter().find(|&goal| world.goal(goal) == GoalCard::Gold);
    let gold = gold.ok_or("no gold")?;
    let mut live = Live::among(&rules, world, &seated, &seeds);
    let mut tracker = RoundTracker::new(rules);
    let observer = Seat::FIRST;
    while live.to_act().is_some() {
        let before = live.world().clone();
        let (_, action) = live.step()?;
        tracker.update(&before.view(observer));
        if let Some(class) = tracker.observe(&before.event(action, observer)) {
            let role = usize::from(saboteurs.contains(class.actor()));
            let policy = policies[class.actor().index()];
            let stopped = usize::from(class.was_stopped());
            counts[policy][role][stopped][class.class(saboteurs, gold)] += 1.0;
        }
    }
    Ok(())
}

fn print(counts: &Counts) {
    println!("//! Frequencies of action classes by policy: counted, not tuned.");
    println!("//!");
    println!("//! Printed by `cargo run --release -p oboro-saboteur --example frequencies`.");
    println!();
    println!("use super::action_class::{{CLASSES, POLICIES}};");
    println!();
    println!(
        "/// By policy, role (digger, saboteur), whether a tool is broken, and class of the action."
    );
    println!("#[rustfmt::skip]");
    println!("pub(super) const FREQUENCIES: [[[[f64; CLASSES]; 2]; 2]; POLICIES] = [");
    for (policy, name) in counts.iter().zip(NAMES) {
        println!("    // {name}");
        println!("    [");
        for role in policy {
            println!("        [");
            for stopped in role {
                // Add one half to each count, so that nothing is impossible.
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
        let rate = |policy: usize, role: usize, stopped: usize| {
            counts[policy][role][stopped][class] / counts[policy][role][stopped].iter().sum::<f64>()
        };
        eprint!("{name:30}");
        for policy in 0..POLICIES {
            eprint!("  {:.3}/{:.3}", rate(policy, 0, 0), rate(policy, 1, 0));
        }
        for policy in 1..3 {
            eprint!("  {:.3}/{:.3}", rate(policy, 0, 1), rate(policy, 1, 1));
        }
        eprintln!();
    }
}
