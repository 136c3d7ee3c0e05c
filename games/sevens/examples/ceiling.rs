//! An upper bound for `oboro`: the score of its search when less is hidden.
//! `cargo run --release -p oboro-sevens --example ceiling`, or with a number of deals after `--`.
//!
//! One player among three of a known policy plays every deal from every seat, in three ways: as the agent; by the same
//! search with the others' policy and a share of their cards revealed; and, among `eval`, with all hands revealed and
//! its later decisions searched, too. Agents cannot look at worlds; this example holds the worlds itself.
#![allow(clippy::print_stdout, reason = "an example prints")]

use oboro_core::{Agent, AgentEntry, Factory, Game, GameWorld, Player, Policy, Rng, Seat};
use oboro_search::Budget;
use oboro_sevens::agents::{Eval, HandPlayer, OpponentPolicy, Search};
use oboro_sevens::{Action, Card, Cards, MAX_PLAYERS, Sevens, World, agents};

/// Playouts per decision of the single searches.
const PLAYOUTS: u32 = 2000;

/// Playouts per action of the planner, now and at each later decision.
const PLANNED: [u32; 2] = [50, 12];

/// The revealed shares of the others' cards.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The player of one seat.
enum One {
    Fair(Box<dyn Agent<Sevens>>),
    /// Knows the policy of the others, and each of their cards with a probability.
    Informed(OpponentPolicy, f64),
    /// Knows everything, now and at its later decisions.
    Planner,
}

impl One {
    fn act(&mut self, world: &World, seat: Seat, shown: Cards, rng: &mut Rng) -> Action {
        match self {
            One::Fair(agent) => agent.act(&world.view(seat), rng),
            One::Informed(policy, _) => {
                let mut actions = Vec::new();
                world.legal(&mut actions);
                let search = Search { budget: Budget::from(PLAYOUTS) };
                let imagine =
                    |rng: &mut Rng| (deal(world, seat, shown, rng), [*policy; MAX_PLAYERS]);
                search.run(seat, actions, imagine, |_| 0.0, rng)[0].action
            }
            One::Planner => best(world, &PLANNED, rng),
        }
    }
}

/// A random deal that agrees with the shown cards.
fn deal(world: &World, seat: Seat, shown: Cards, rng: &mut Rng) -> World {
    let view = world.view(seat);
    let mut rest: Vec<Card> = view.unknown().without(shown).iter().collect();
    rng.shuffle(&mut rest);
    let mut rest = rest.into_iter();
    let mut hands = [Cards::EMPTY; MAX_PLAYERS];
    for other in Seat::all(4).filter(|&other| other != seat) {
        let hand = world.hand(other);
        let hidden = hand.without(shown).iter().count();
        hands[other.index()] = hand.and(shown).iter().chain(rest.by_ref().take(hidden)).collect();
    }
    view.with_hands(hands)
}

/// The action with the best mean among `eval`, with so many playouts for each. Later decisions use the numbers after
/// the first, and follow `eval` when there are none.
fn best(world: &World, playouts: &[u32], rng: &mut Rng) -> Action {
    let seat = world.to_act().expect("somebody is up");
    let (&count, later) = playouts.split_first().expect("a number of playouts");
    let mut actions = Vec::new();
    world.legal(&mut actions);
    if let [only] = actions[..] {
        return only;
    }
    let mut policy = HandPlayer(Eval::default());
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
    let values = actions.into_iter().map(|action| (worth(action), action));
    values.max_by(|(a, _), (b, _)| a.total_cmp(b)).expect("there is a legal action").1
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
    let share = if let One::Informed(_, share) = one { *share } else { 0.0 };
    let dealt = Seat::all(4).fold(Cards::EMPTY, |all, seat| all.or(world.hand(seat)));
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
    for (name, policy) in [
        ("eval", OpponentPolicy::Eval),
        ("rule", OpponentPolicy::Rule),
        ("random", OpponentPolicy::Random),
    ] {
        let others = factory(name);
        let report = |what: &str, one: &dyn Fn() -> One| {
            let points: Vec<f64> =
                (0..4 * deals).map(|number| play(&mut one(), &others, number)).collect();
            let (mean, half) = summary(&points);
            println!("among {name}, {what}: {mean:.3} ± {half:.3}");
        };
        report("oboro", &|| One::Fair(agent(&fair)));
        for share in SHARES {
            let what = format!("{:.0} % of the others' cards revealed", 100.0 * share);
            report(&what, &|| One::Informed(policy, share));
        }
        if policy == OpponentPolicy::Eval {
            report("all of them revealed, later decisions searched", &|| One::Planner);
        }
    }
}
