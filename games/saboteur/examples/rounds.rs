//! Rounds of six equal programs in the paper's setting: how often the diggers reach the gold.
//!
//! ```text
//! cargo run --release -p oboro-saboteur --example rounds [ROUNDS [AGENT…]]
//! ```
//! Without agents it goes through the programs of the paper's tables 6 to 14. Each line gives the
//! rate for all rounds, for those with five diggers and for those with four, with 95 % intervals
//! (Wilson), beside the published rate.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::{AgentEntry, FactValue, Game, Live, Seed};
use oboro_saboteur::Saboteur;
use oboro_saboteur::agents::agents;

/// The paper's programs, with the rates of tables 6 to 14 for all, five and four diggers. For
/// `100:0` and `E_card` the tables 12 to 14 have the labels the other way round.
const PAPER: [(&str, [f64; 3]); 8] = [
    ("path:50:50", [0.592, 0.777, 0.519]),
    ("path:60:40", [0.537, 0.706, 0.468]),
    ("path:70:30", [0.608, 0.782, 0.539]),
    ("path", [0.618, 0.819, 0.537]),
    ("path:90:10", [0.624, 0.833, 0.543]),
    ("path:100:0", [0.679, 0.881, 0.598]),
    ("path:cards=true", [0.669, 0.847, 0.597]),
    ("path:100:0,cards=true", [0.694, 0.873, 0.623]),
];

#[derive(Clone, Copy, Default)]
struct Tally {
    rounds: u64,
    gold: u64,
}

impl Tally {
    fn add(&mut self, gold: bool) {
        self.rounds += 1;
        self.gold += u64::from(gold);
    }

    /// The rate and its Wilson interval, as text.
    fn text(self) -> String {
        let (n, z) = (self.rounds as f64, 1.959_963_984_540_054);
        let rate = self.gold as f64 / n;
        let centre = (rate + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
        format!("{rate:.3} [{:.3}, {:.3}]", centre - half, centre + half)
    }
}

fn game_fact(facts: &[oboro_core::Fact], name: &str) -> f64 {
    match facts.iter().find(|fact| fact.name == name) {
        Some(oboro_core::Fact { value: FactValue::Game(value), .. }) => *value,
        _ => panic!("no fact {name}"),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let rounds: u64 = args.next().map_or(Ok(30_000), |text| text.parse())?;
    let named: Vec<String> = args.collect();
    let programs: Vec<(&str, Option<[f64; 3]>)> = if named.is_empty() {
        PAPER.map(|(spec, rates)| (spec, Some(rates))).to_vec()
    } else {
        named.iter().map(|spec| (spec.as_str(), None)).collect()
    };
    let rules = Saboteur::paper();
    println!("{rounds} rounds each; all, five diggers, four diggers");
    for (text, published) in programs {
        let (_, factory) = AgentEntry::resolve(&agents(), &rules, &text.parse()?)?;
        let seed = Seed::from_u64(1).child(text);
        let mut tallies = [Tally::default(); 3];
        for number in 0..rounds {
            let seeds = seed.game(number, number);
            let world = rules.deal(&mut seeds.deal());
            let agents = vec![factory.clone(); rules.seats()];
            let outcome = Live::among(&rules, world, &agents, &seeds).run()?;
            let gold = game_fact(&outcome.facts, "gold") > 0.0;
            let five = game_fact(&outcome.facts, "diggers") > 4.5;
            tallies[0].add(gold);
            tallies[if five { 1 } else { 2 }].add(gold);
        }
        let rates: Vec<String> = tallies.iter().map(|tally| tally.text()).collect();
        println!("{text:24} {}", rates.join("  "));
        if let Some(published) = published {
            let differences: Vec<String> = tallies
                .iter()
                .zip(published)
                .map(|(tally, rate)| {
                    let ours = tally.gold as f64 / tally.rounds as f64;
                    format!("{rate:.3} ({:+.3})        ", ours - rate)
                })
                .collect();
            println!("{:>24} {}", "published", differences.join("  "));
        }
    }
    Ok(())
}
