//! What `oboro`'s search would get if less were hidden from it: `cargo run --release -p oboro-sevens --example ceiling`, or with
//! a number of deals after `--`.
//!
//! One player among three of a known kind plays every deal from every seat: as the fair agent; by the same search, told how the
//! others play and a share of their cards, the rest dealt at random; and, among `eval`, with all hands told and every later decision
//! of its own weighed by playouts, too. No agent can be asked to peek; this example holds the worlds itself.
#![allow(clippy::print_stdout, reason = "an example prints")]

use oboro_core::{Agent, AgentEntry, Factory, Game, GameWorld, Player, Policy, Rng, Seat};
use oboro_search::Budget;
use oboro_sevens::agents::{Eval, PlaysBy, Search, Suspect};
use oboro_sevens::{Action, Card, Cards, MAX_PLAYERS, Sevens, World, agents};

/// The same for all that search once.
const PLAYOUTS: u32 = 2000;

/// Of those who plan, for each action now and at each later decision.
const PLANNED: [u32; 2] = [50, 12];

/// The shares of the others' cards that are told.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Who plays one game among three others.
enum One {
    Fair(Box<dyn Agent<Sevens>>),
    /// Knows how the others play, and each of their cards with a probability.
    Told(Suspect, f64),
    /// Knows everything, and that it will at its later decisions.
    Planner,
}

impl One {
    fn act(&mut self, world: &World, seat: Seat, shown: Cards, rng: &mut Rng) -> Action {
        match self {
            One::Fair(agent) => agent.act(&world.view(seat), rng),
            One::Told(suspect, _) => {
                let mut actions = Vec::new();
                world.legal(&mut actions);
                let search = Search { budget: Budget::from(PLAYOUTS) };
                let imagine =
                    |rng: &mut Rng| (deal(world, seat, shown, rng), [*suspect; MAX_PLAYERS]);
                search.run(seat, actions, imagine, |_| 0.0, rng)[0].action
            }
            One::Planner => best(world, &PLANNED, rng),
        }
    }
}

/// A deal in which the others hold what is shown of their cards, and any of the rest.
fn deal(world: &World, seat: Seat, shown: Cards, rng: &mut Rng) -> World {
    let view = world.view(seat);
    let mut rest: Vec<Card> = view.unknown().minus(shown).iter().collect();
    rng.shuffle(&mut rest);
    let mut rest = rest.into_iter();
    let mut hands = [Cards::NONE; MAX_PLAYERS];
    for other in Seat::all(4).filter(|&other| other != seat) {
        let hand = world.hand(other);
        let hidden = hand.minus(shown).iter().count();
        hands[other.index()] = hand.and(shown).iter().chain(rest.by_ref().take(hidden)).collect();
    }
    view.with_hands(hands)
}

/// What does best among `eval` in so many playouts each. Later decisions are made in the same way with the numbers after the first;
/// when there are none, as by `eval`.
fn best(world: &World, playouts: &[u32], rng: &mut Rng) -> Action {
    let seat = world.to_act().expect("somebody is up");
    let (&count, later) = playouts.split_first().expect("a number of playouts");
    let mut actions = Vec::new();
    world.legal(&mut actions);
    if let [only] = actions[..] {
        return only;
    }
    let mut policy = PlaysBy(Eval::default());
    let mut worth = |action: Action| -> f64 {
        let mut points = 0.0;
        for _ in 0..count {
            let mut world = *world;
            world.apply(action);
            if later.is_empty() {
                policy.play_out(&mut world, rng);
            }
            while let Some(up) = world.to_act() {
                let own = up == seat;
                let next = if own { best(&world, later, rng) } else { policy.choose(&world, rng) };
                world.apply(next);
            }
            points += world.payoff(seat);
        }
        points
    };
    let weighed = actions.into_iter().map(|action| (worth(action), action));
    weighed.max_by(|(a, _), (b, _)| a.total_cmp(b)).expect("whoever is up has an action").1
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
    let share = if let One::Told(_, share) = one { *share } else { 0.0 };
    let dealt = Seat::all(4).fold(Cards::NONE, |all, seat| all.or(world.hand(seat)));
    let shown: Cards = dealt.iter().filter(|_| rng.chance(share)).collect();
    let mut three: Vec<_> = (0..4).map(|_| agent(others)).collect();
    while let Some(seat) = world.to_act() {
        let action = if seat == me {
            one.act(&world, seat, shown, &mut rng)
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
        let report = |what: &str, one: &dyn Fn() -> One| {
            let points: Vec<f64> =
                (0..4 * deals).map(|number| play(&mut one(), &others, number)).collect();
            let (mean, half) = summary(&points);
            println!("among {name}, {what}: {mean:.3} ± {half:.3}");
        };
        report("oboro", &|| One::Fair(agent(&fair)));
        for share in SHARES {
            let what = format!("{:.0} % of the others' cards told", 100.0 * share);
            report(&what, &|| One::Told(suspect, share));
        }
        if matches!(suspect, Suspect::Eval) {
            report("all of them told, later decisions planned", &|| One::Planner);
        }
    }
}
