//! What `oboro`'s search would get if nothing were hidden from it: `cargo run --release -p oboro-sevens --example ceiling`, or with
//! a number of games after `--`.
//!
//! One player among three of a known kind plays every deal from every seat, once as the fair agent and once with all hands and
//! the others' manners told to the same search. No agent can be asked to peek; this example holds the worlds itself.
#![allow(clippy::print_stdout, reason = "an example prints")]

use oboro_core::{Agent, AgentEntry, Factory, Game, GameWorld, Player, Rng, Seat};
use oboro_search::Budget;
use oboro_sevens::agents::{Search, Suspect};
use oboro_sevens::{Action, MAX_PLAYERS, Sevens, World, agents};

/// The same for both.
const PLAYOUTS: u32 = 2000;

/// Who plays one game among three others.
enum One {
    Fair(Box<dyn Agent<Sevens>>),
    Oracle(Suspect),
}

impl One {
    fn act(&mut self, world: &World, seat: Seat, rng: &mut Rng) -> Action {
        match self {
            One::Fair(agent) => agent.act(&world.view(seat), rng),
            One::Oracle(suspect) => {
                let mut actions = Vec::new();
                world.legal(&mut actions);
                let search = Search { budget: Budget::from(PLAYOUTS) };
                let truth = |_: &mut Rng| (*world, [*suspect; MAX_PLAYERS]);
                search.run(seat, actions, truth, |_| 0.0, rng)[0].action
            }
        }
    }
}

fn agent(factory: &Factory<Sevens>) -> Box<dyn Agent<Sevens>> {
    let Player::Agent(agent) = factory() else { panic!("no agent here is an oracle") };
    agent
}

fn factory(text: &str) -> Factory<Sevens> {
    let spec = text.parse().expect("a spec");
    AgentEntry::resolve(&agents(), &Sevens::default(), &spec).expect("an agent").1
}

/// The points of one player among three others.
fn play(one: &mut One, others: &Factory<Sevens>, number: u64) -> f64 {
    let mut rng = Rng::from_u64(number / 4);
    let mut world = Sevens::default().deal(&mut rng);
    let me = Seat::new(number as usize % 4);
    let mut three: Vec<_> = (0..4).map(|_| agent(others)).collect();
    while let Some(seat) = world.to_act() {
        let action = if seat == me {
            one.act(&world, seat, &mut rng)
        } else {
            three[seat.index()].act(&world.view(seat), &mut rng)
        };
        world.apply(action);
    }
    world.payoff(me)
}

/// The mean and the half width of its interval; the four games of a deal count as one.
fn summary(points: &[f64]) -> (f64, f64) {
    let deals: Vec<f64> = points.chunks(4).map(|deal| deal.iter().sum::<f64>() / 4.0).collect();
    let n = deals.len() as f64;
    let mean = deals.iter().sum::<f64>() / n;
    let variance = deals.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * libm::sqrt(variance / n))
}

fn main() {
    let deals = std::env::args().nth(1).map_or(Ok(25), |text| text.parse::<u64>());
    let Ok(deals @ 2..) = deals else {
        println!("ceiling DEALS: a number of deals from 2, each played from four seats");
        return;
    };
    let fair = factory(&format!("oboro:{PLAYOUTS}"));
    for (name, suspect) in
        [("eval", Suspect::Eval), ("rule", Suspect::Rule), ("random", Suspect::Random)]
    {
        let others = factory(name);
        let points = |one: &dyn Fn() -> One| -> Vec<f64> {
            (0..4 * deals).map(|number| play(&mut one(), &others, number)).collect()
        };
        let (mean, half) = summary(&points(&|| One::Fair(agent(&fair))));
        let (most, width) = summary(&points(&|| One::Oracle(suspect)));
        println!(
            "among {name}: oboro {mean:.3} ± {half:.3}, all hands told {most:.3} ± {width:.3}"
        );
    }
}
