//! What a player gains by taking the place of a `path` player at a table of five others: the same
//! deals twice, with one seat played by each of two agents.
//!
//! ```text
//! cargo run --release -p oboro-saboteur --example newcomer [ROUNDS [AGENT [OTHERS [RULES]]]]
//! ```
//! AGENT is `foreman` by default, OTHERS `path`, and RULES `published` or `paper`. The seat goes
//! around the table. Printed are the mean nuggets a round as digger and as saboteur, and the mean
//! of the paired differences with its 95 % interval.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::{AgentEntry, Factory, Game, Live, Seat, Seed};
use oboro_saboteur::agents::agents;
use oboro_saboteur::{Role, Saboteur};

/// Nuggets of the two agents in the same seat and deal.
#[derive(Default)]
struct Pairs {
    count: f64,
    newcomer: f64,
    regular: f64,
    squares: f64,
}

impl Pairs {
    fn add(&mut self, newcomer: f64, regular: f64) {
        self.count += 1.0;
        self.newcomer += newcomer;
        self.regular += regular;
        self.squares += (newcomer - regular) * (newcomer - regular);
    }

    fn text(&self) -> String {
        let mean = (self.newcomer - self.regular) / self.count;
        let variance = (self.squares / self.count - mean * mean) * self.count / (self.count - 1.0);
        let half = 1.959_963_984_540_054 * (variance / self.count).sqrt();
        format!(
            "n = {:6}: {:.3} instead of {:.3}, difference {mean:+.3} [{:+.3}, {:+.3}]",
            self.count,
            self.newcomer / self.count,
            self.regular / self.count,
            mean - half,
            mean + half
        )
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |index: usize, default: &'static str| args.get(index).map_or(default, String::as_str);
    let rounds: u64 = arg(0, "4000").parse()?;
    let rules = match arg(3, "published") {
        "published" => Saboteur { rounds: 1, ..Saboteur::default() },
        "paper" => Saboteur::paper(),
        other => return Err(format!("rules: `{other}` is neither published nor paper").into()),
    };
    let build = |text: &str| -> Result<Factory<Saboteur>, Box<dyn std::error::Error>> {
        Ok(AgentEntry::resolve(&agents(), &rules, &text.parse()?)?.1)
    };
    let newcomer = build(arg(1, "foreman"))?;
    let regular = build(arg(2, "path"))?;

    let mut as_digger = Pairs::default();
    let mut as_saboteur = Pairs::default();
    for number in 0..rounds {
        let seeds = Seed::from_u64(1).child("newcomer").game(number, number);
        let world = rules.deal(&mut seeds.deal());
        let seat = Seat::new((number % rules.seats() as u64) as usize);
        let role = world.role(seat);
        let play = |own: &Factory<Saboteur>| {
            let mut agents = vec![regular.clone(); rules.seats()];
            agents[seat.index()] = own.clone();
            let outcome = Live::among(&rules, world.clone(), &agents, &seeds).run();
            outcome.map(|outcome| outcome.payoffs[seat.index()])
        };
        let pairs = match role {
            Role::Digger => &mut as_digger,
            Role::Saboteur => &mut as_saboteur,
        };
        pairs.add(play(&newcomer)?, play(&regular)?);
    }
    println!("digger,   {}", as_digger.text());
    println!("saboteur, {}", as_saboteur.text());
    Ok(())
}
