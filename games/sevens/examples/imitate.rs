//! Fits a policy to the decisions of the search agents:
//! `cargo run --release -p oboro-sevens --example imitate > games/sevens/src/agents/searcher.txt`.
//!
//! Search agents play each other and the simple agents. A [`LearnedPolicy`] is fitted to their decisions in nine of ten
//! games. Its mean log-likelihood on the tenth goes to the error stream, beside that of a uniform policy.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use oboro_core::{Agent, AgentEntry, Factory, Game, GameWorld, Player, Rng, Seat};
use oboro_sevens::agents::{LearnedPolicy, Turn};
use oboro_sevens::{Sevens, World, agents};

/// The imitated agents.
const IMITATED: [&str; 9] = [
    "mc:100",
    "mc:400",
    "upp:200",
    "reader:60",
    "mc:100,policy=eval",
    "mc:100,policy=rule",
    "ismcts:400",
    "uct:400",
    "pimc:20,worlds=10",
];
/// The other agents at their tables.
const OTHERS: [&str; 3] = ["eval", "random", "rule"];

const GAMES: u64 = 5000;
const SEED: u64 = 555_000_000;
const EPOCHS: u32 = 5;
/// The first step of a parameter; later ones are the smaller the more it has moved (`AdaGrad`).
const STEP: f32 = 0.3;
/// Weight decay.
const DECAY: f32 = 0.0005;

/// A decision: the parameters of the legal actions, and the index of the chosen one.
struct Decision {
    parameters: Vec<usize>,
    chosen: usize,
}

impl Decision {
    /// The probability of each action.
    fn probabilities(&self, logits: &[f32]) -> Vec<f32> {
        let weights = self.parameters.iter().map(|&parameter| libm::expf(logits[parameter]));
        let sum: f32 = weights.clone().sum();
        weights.map(|weight| weight / sum).collect()
    }
}

fn factories(specs: &[&str]) -> Vec<Factory<Sevens>> {
    let resolve = |text: &&str| {
        let spec = text.parse().expect("a spec");
        AgentEntry::resolve(&agents(), &Sevens::default(), &spec).expect("an agent").1
    };
    specs.iter().map(resolve).collect()
}

/// The decisions of the imitated agents in one game. At every other table all players are the same agent.
fn game(number: u64, imitated: &[Factory<Sevens>], others: &[Factory<Sevens>]) -> Vec<Decision> {
    let mut rng = Rng::from_u64(SEED + number);
    let mut world = Sevens::default().deal(&mut rng);
    let kind = rng.below(imitated.len());
    let alike = rng.chance(0.5);
    let mut seated: Vec<(Box<dyn Agent<Sevens>>, bool)> = Seat::all(4)
        .map(|seat| {
            let (factory, is_imitated) = if alike {
                (&imitated[kind], true)
            } else if rng.chance(0.5) {
                (&imitated[rng.below(imitated.len())], true)
            } else {
                (&others[rng.below(others.len())], false)
            };
            let Player::Agent(mut agent) = factory() else { panic!("no agent here is an oracle") };
            agent.begin(&world.view(seat));
            (agent, is_imitated)
        })
        .collect();
    let mut decisions = Vec::new();
    while let Some(seat) = world.to_act() {
        let (agent, is_imitated) = &mut seated[seat.index()];
        let action = agent.act(&world.view(seat), &mut rng);
        if *is_imitated {
            decisions.extend(decision(&world, seat, action));
        }
        for (other, (agent, _)) in Seat::all(4).zip(&mut seated) {
            agent.observe(&world.event(action, other));
        }
        world.apply(action);
    }
    decisions
}

/// The decision, if there is more than one legal action.
fn decision(world: &World, seat: Seat, action: oboro_sevens::Action) -> Option<Decision> {
    let cards = world.playable_hand();
    let (mut parameters, mut chosen) = (Vec::new(), 0);
    if !cards.is_empty() {
        let turn = Turn { public: world.public(), seat, hand: world.hand(seat), cards };
        LearnedPolicy::for_each_action(turn, |of| {
            if of.action == action {
                chosen = parameters.len();
            }
            parameters.push(of.parameter);
        });
    }
    (parameters.len() > 1).then_some(Decision { parameters, chosen })
}

/// The mean log-likelihood of the chosen actions.
fn log_likelihood<'a>(
    decisions: impl Iterator<Item = &'a Decision> + Clone,
    probability: impl Fn(&Decision) -> f32,
) -> f64 {
    let count = decisions.clone().count() as f64;
    decisions.map(|decision| libm::log(probability(decision).into())).sum::<f64>() / count
}

fn main() {
    let (imitated, others) = (factories(&IMITATED), factories(&OTHERS));
    let games: Vec<Vec<Decision>> =
        (0..GAMES).map(|number| game(number, &imitated, &others)).collect();
    let (held_out, shown) = games.split_at(games.len() / 10);
    let mut shown: Vec<&Decision> = shown.iter().flatten().collect();
    let mut rng = Rng::from_u64(SEED);
    let mut logits = [0.0; LearnedPolicy::PARAMETERS];
    let mut moved = [1.0; LearnedPolicy::PARAMETERS];
    for _ in 0..EPOCHS {
        rng.shuffle(&mut shown);
        for decision in &shown {
            let probabilities = decision.probabilities(&logits);
            for (i, &parameter) in decision.parameters.iter().enumerate() {
                let was_chosen = f32::from(u8::from(i == decision.chosen));
                let gradient = was_chosen - probabilities[i] - DECAY * logits[parameter];
                moved[parameter] += gradient * gradient;
                logits[parameter] += STEP * gradient / libm::sqrtf(moved[parameter]);
            }
        }
        eprintln!(
            "{} decisions, {:.4} for those held out, {:.4} for a uniform policy",
            shown.len(),
            log_likelihood(held_out.iter().flatten(), |d| d.probabilities(&logits)[d.chosen]),
            log_likelihood(held_out.iter().flatten(), |d| 1.0 / d.parameters.len() as f32),
        );
    }
    for row in logits.chunks(16) {
        let numbers: Vec<String> = row.iter().map(|logit| format!("{logit:.2}")).collect();
        println!("{}", numbers.join(" "));
    }
}
