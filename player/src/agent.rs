//! The player: hypotheses, opponents, evaluation and search put together.

use crate::evaluator::{Evaluator, Position, Prediction};
use crate::hypotheses::Hypotheses;
use crate::particles::Particles;
use crate::playable::Playable;
use crate::search::{Search, compare_by_policies};
use crate::types::Opponents;
use oboro_core::{
    ActionValue, Agent, Analysis, Belief, Estimate, Rng, SeatView, SpecError, advise, check_range,
    draw_action,
};
use oboro_search::{Budget, Prover, Tally};
use std::fmt;

/// How much the player thinks, and how it chooses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Rollouts a decision; without any it plays its evaluator's policy.
    pub playouts: u32,
    /// Seconds after which the rollouts of a decision end.
    pub seconds: Option<f64>,
    /// How many of the likeliest actions are compared.
    pub candidates: usize,
    /// Temperature of the policy.
    pub temperature: f64,
}

/// Actions less likely than this share of the likeliest are no candidates.
const LEAST_SHARE: f64 = 0.01;

/// An action that is expected to bring this share of the range of payoffs more becomes e times as likely. In Geister against
/// `naotti`, 100 games each: 94 % with 0.05, 97 % with 0.1, 98 % with 0.2, with intervals of 4 points.
const WORTH: f64 = 0.1;

/// The same where games are played out: the error of a mean falls with the root of the number of rollouts.
const NOISE: f64 = 0.8;

/// What is said of a position with a proven win.
const PROVEN: &str = "a forced win, whatever is hidden";

/// Rollouts for an estimate of all actions, judged by a net or played out.
const ESTIMATE_ROLLOUTS: u32 = 256;
const ESTIMATE_PLAYOUTS: u32 = 2000;

impl Limits {
    /// Whether they are sound, under the names they have as parameters.
    ///
    /// # Errors
    /// If one is out of range, or there is a time for rollouts that are not there.
    pub fn check(&self) -> Result<(), SpecError> {
        check_range("candidates", self.candidates, 2..=1000)?;
        check_range("temperature", self.temperature, 0.01..=10.0)?;
        match (self.playouts, self.seconds) {
            (0, None) => Ok(()),
            (0, Some(_)) => Err(SpecError("seconds: playouts=0 leaves nothing to end".to_owned())),
            _ => self.budget().map(|_| ()),
        }
    }

    fn budget(&self) -> Result<Budget, SpecError> {
        Budget::new("playouts", self.playouts, self.seconds)
    }
}

/// Plays any game: proves wins where it can, follows the policy of its evaluator, and corrects it by what rollouts in likely
/// worlds say.
pub struct PlayerAgent<G: Playable> {
    game: G,
    limits: Limits,
    evaluator: Box<dyn Evaluator<G>>,
    prover: Option<Box<dyn Prover<G>>>,
    /// What the seat remembers; none if it was not told what came before.
    memory: Option<G::Memory>,
    /// What the seat knew and remembered at the start, and what it has seen that the hypotheses have not taken in yet.
    start: Option<(G::View, G::Memory)>,
    unread: Vec<Unread<G>>,
    /// How many actions it has seen.
    plies: u32,
    /// The last turn of the seat that the hypotheses have taken in.
    turn: Option<G::View>,
    /// What may be true; made when it is first needed.
    worlds: Option<Worlds<G>>,
    /// How the others may play, where worlds are replayed.
    opponents: Opponents<G>,
    /// The chance by which worlds are drawn. It is the same in every game, so asking changes nothing.
    chance: Rng,
}

impl<G: Playable> fmt::Debug for PlayerAgent<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayerAgent").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Something seen.
#[derive(Clone)]
struct Unread<G: Playable> {
    /// If it was the seat's own turn: what it knew and remembered before. Hypotheses take in every turn, whether the player
    /// was asked then or not, so that what it believes follows from what it was told.
    turn: Option<(G::View, G::Memory)>,
    /// How many actions it had seen before.
    plies: u32,
    event: G::Event,
}

/// What may be true, listed and followed, or sampled and replayed.
#[derive(Clone)]
enum Worlds<G: Playable> {
    Followed(Hypotheses<G>),
    Sampled(Particles<G>),
}

/// What a decision rests on.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision<A> {
    /// The probability of each action that may be played.
    pub policy: Vec<(A, f64)>,
    /// What rollouts said, the best first; empty if there were none.
    pub tallies: Vec<Tally<A>>,
}

impl<G: Playable> PlayerAgent<G> {
    /// A player that plays by an evaluator.
    pub fn new(game: &G, evaluator: Box<dyn Evaluator<G>>, limits: Limits) -> PlayerAgent<G> {
        PlayerAgent {
            game: game.clone(),
            limits,
            evaluator,
            prover: (limits.playouts > 0).then(G::prover).flatten(),
            memory: None,
            start: None,
            unread: Vec::new(),
            plies: 0,
            turn: None,
            worlds: None,
            opponents: Opponents::new(),
            chance: Rng::from_u64(0),
        }
    }

    /// Begins a game with a view whose seat remembers what came before.
    pub fn begin_with(&mut self, view: &G::View, memory: G::Memory) {
        self.start = Some((view.clone(), memory.clone()));
        self.memory = Some(memory);
        self.unread.clear();
        self.plies = 0;
        self.turn = None;
        self.worlds = None;
        self.chance = Rng::from_u64(0);
    }

    fn memory(&self, view: &G::View) -> G::Memory {
        self.memory.clone().unwrap_or_else(|| self.game.memory(view))
    }

    /// The evaluator's policy, at the temperature of the player.
    fn prior(&mut self, view: &G::View) -> Vec<(G::Action, f64)> {
        let temperature = self.limits.temperature;
        let prediction = self.evaluate(view);
        prediction.sharpen(temperature);
        prediction.policy.clone()
    }

    /// What the evaluator says of the present.
    fn evaluate(&mut self, view: &G::View) -> &mut Prediction<G::Action> {
        let memory = self.memory(view);
        ask(self.evaluator.as_mut(), view, &memory, self.plies)
    }

    /// Whether the evaluator's policy is played as it is.
    fn plays_by_policy(&self) -> bool {
        self.limits.playouts == 0 || self.evaluator.is_solution()
    }

    fn proven(&mut self, view: &G::View) -> Option<G::Action> {
        self.prover.as_mut()?.winning_action(view)
    }

    /// Notes what was seen, to be taken in when it is needed.
    fn see(&mut self, turn: Option<(G::View, G::Memory)>, event: &G::Event) {
        self.unread.push(Unread { turn, plies: self.plies, event: event.clone() });
        self.plies += 1;
    }

    /// What may be true by all that was seen up to a view. The seat's own view: of another the player knows nothing.
    fn worlds(&mut self, view: &G::View) -> &Worlds<G> {
        let memory = self.memory(view);
        let unread = std::mem::take(&mut self.unread);
        if self.worlds.is_none() {
            let (start, first) =
                self.start.as_ref().map_or((view, &memory), |(view, memory)| (view, memory));
            let (game, chance) = (&self.game, &mut self.chance);
            self.worlds = Some(match G::REVISE {
                Some(_) => Worlds::Sampled(Particles::of(game, start)),
                None => Worlds::Followed(Hypotheses::of(game, start, first, chance)),
            });
        }
        for Unread { turn, plies, event } in &unread {
            if let Some((view, memory)) = turn {
                self.take_in(view, memory, *plies);
            }
            match self.worlds.as_mut().expect("they were made") {
                Worlds::Followed(known) => {
                    known.follow(event, self.evaluator.as_mut(), &mut self.chance);
                }
                Worlds::Sampled(known) => known.follow(event),
            }
        }
        self.take_in(view, &memory, self.plies);
        self.worlds.as_ref().expect("they were made")
    }

    /// Takes in what a view shows. A turn is taken in once, however often the player is asked.
    fn take_in(&mut self, view: &G::View, memory: &G::Memory, plies: u32) {
        if self.turn.as_ref() == Some(view) {
            return;
        }
        match self.worlds.as_mut().expect("they were made") {
            Worlds::Followed(known) => {
                known.agree_with(view, &mut self.chance);
                let prediction = ask(self.evaluator.as_mut(), view, memory, plies);
                known.guess(&prediction.belief_logits);
            }
            Worlds::Sampled(known) => {
                known.agree_with(view, &mut self.opponents, &mut self.chance);
            }
        }
        self.turn = Some(view.clone());
    }

    /// Compares actions by rollouts, the likelier ones with an advantage.
    fn compare(
        &mut self,
        budget: Budget,
        view: &G::View,
        prior: &[(G::Action, f64)],
        rng: &mut Rng,
    ) -> Vec<Tally<G::Action>> {
        self.worlds(view);
        let worth = self.worth(budget);
        let share = |action| prior.iter().find(|(other, _)| *other == action).map_or(0.0, |p| p.1);
        let bonus = |action| worth * libm::log(share(action).max(1e-9));
        let actions = prior.iter().map(|(action, _)| *action).collect();
        match self.worlds.as_ref().expect("they were made") {
            Worlds::Followed(hypotheses) => {
                let (game, evaluator) = (&self.game, self.evaluator.as_mut());
                let search = Search { game, seat: view.seat(), hypotheses, evaluator };
                search.compare(budget, actions, bonus, rng)
            }
            Worlds::Sampled(particles) => {
                let (samples, opponents) = (particles.samples(), &mut self.opponents);
                compare_by_policies(samples, opponents, view.seat(), budget, actions, bonus, rng)
            }
        }
    }

    /// The difference in payoff that makes an action e times as likely.
    fn worth(&self, budget: Budget) -> f64 {
        let share = match &self.worlds {
            Some(Worlds::Sampled(_)) => NOISE / libm::sqrt(budget.max_playouts().into()),
            _ => WORTH,
        };
        share * self.game.payoff_range()
    }

    /// How it plays where its seat is to move, and what that rests on.
    pub fn decide(&mut self, view: &G::View, rng: &mut Rng) -> Decision<G::Action> {
        if let Some(win) = self.proven(view) {
            return Decision { policy: vec![(win, 1.0)], tallies: Vec::new() };
        }
        let mut prior = self.prior(view);
        if self.plays_by_policy() || prior.len() < 2 {
            return Decision { policy: prior, tallies: Vec::new() };
        }
        prior.sort_by(|a, b| b.1.total_cmp(&a.1));
        // Those that are as likely as the last of them are candidates, too.
        let last = prior[self.limits.candidates.min(prior.len()) - 1].1;
        let least = last.max(LEAST_SHARE * prior[0].1);
        prior.retain(|(_, share)| *share >= least);
        let budget = self.limits.budget().expect("they were checked");
        let tallies = self.compare(budget, view, &prior, rng);
        Decision { policy: corrected(&prior, &tallies, self.worth(budget)), tallies }
    }
}

/// What an evaluator says of a single position.
fn ask<'a, G: Playable>(
    evaluator: &'a mut dyn Evaluator<G>,
    view: &G::View,
    memory: &G::Memory,
    plies: u32,
) -> &'a mut Prediction<G::Action> {
    let position = Position { view: view.clone(), memory, plies };
    evaluator.evaluate_all(&mut std::iter::once(position)).first_mut().expect("one for a position")
}

/// The policy that the prior becomes when it is known what actions are worth.
fn corrected<A: Copy + PartialEq>(
    prior: &[(A, f64)],
    tallies: &[Tally<A>],
    worth: f64,
) -> Vec<(A, f64)> {
    let best = tallies.iter().map(Tally::mean).fold(f64::NEG_INFINITY, f64::max);
    let weigh = |tally: &Tally<A>| {
        let prior = prior.iter().find(|(action, _)| *action == tally.action);
        prior.map_or(0.0, |(_, share)| share * libm::exp((tally.mean() - best) / worth))
    };
    let total: f64 = tallies.iter().map(weigh).sum();
    tallies.iter().map(|tally| (tally.action, weigh(tally) / total)).collect()
}

impl<G: Playable> Agent<G> for PlayerAgent<G> {
    fn begin(&mut self, view: &G::View) {
        self.begin_with(view, self.game.memory(view));
    }

    fn observe(&mut self, event: &G::Event) {
        // Without what the seat knew before, it is not known what it is to remember.
        self.memory = None;
        self.see(None, event);
    }

    fn observe_from(&mut self, before: &dyn Fn() -> G::View, event: &G::Event) {
        let mut turn = None;
        if let Some(memory) = &mut self.memory {
            let before = before();
            let kept = memory.clone();
            self.game.remember(memory, &before, event);
            turn = (before.to_act() == Some(before.seat())).then_some((before, kept));
        }
        self.see(turn, event);
    }

    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        let decision = self.decide(view, rng);
        draw_action(&decision.policy, rng)
    }

    fn policy(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<(G::Action, f64)>> {
        Some(self.decide(view, rng).policy)
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        let drawing = self.proven(view).map(|_| PROVEN.to_owned());
        let Decision { policy, tallies } = self.decide(view, rng);
        let choice = draw_action(&policy, rng);
        let value = |(action, share)| {
            let tried = tallies.iter().find(|tally| tally.action == action);
            ActionValue {
                visits: tried.map(|tally| tally.playouts.into()),
                note: tried.map_or_else(String::new, |tally| format!("worth {:.2}", tally.mean())),
                ..ActionValue::new(action, share)
            }
        };
        let values = policy.into_iter().map(value).collect();
        Analysis { measure: "probability", values, drawing, ..Analysis::of_choice(choice) }
    }

    fn estimate(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<Estimate<G::Action>>> {
        let prior = self.prior(view);
        if prior.is_empty() {
            return None;
        }
        let proven = self.proven(view);
        let low = self.game.forfeit_payoffs(view.seat())[view.seat().index()];
        let high = low + self.game.payoff_range();
        let is_judged = self.evaluate(view).value.is_some();
        let rollouts =
            if is_judged && G::REVISE.is_none() { ESTIMATE_ROLLOUTS } else { ESTIMATE_PLAYOUTS };
        let budget = Budget::from(self.limits.playouts.max(rollouts));
        let tallies = self.compare(budget, view, &prior, rng);
        let estimate = |tally: &Tally<_>| match proven {
            Some(win) if win == tally.action => Estimate::certain(win, high),
            _ => Estimate::of_results(tally.action, tally.mean(), tally.playouts.into(), low, high),
        };
        let likeliest = prior.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let advised = match (proven, likeliest) {
            (Some(win), _) => win,
            // Rollouts tell what actions are worth, but who plays by the policy alone knows better which is best.
            (None, Some((action, _))) if self.plays_by_policy() => *action,
            _ => tallies[0].action,
        };
        let tried = |tally: &&Tally<_>| tally.playouts > 0 || tally.action == advised;
        let estimates = tallies.iter().filter(tried).map(estimate).collect();
        Some(advise(&advised, estimates))
    }

    fn beliefs(&mut self, view: &G::View, _: &mut Rng) -> Vec<Belief> {
        // At another time than its turn asking would take in what was seen otherwise than playing does, so it is done on a copy.
        let is_turn = view.to_act() == Some(view.seat());
        let kept = (!is_turn).then(|| {
            (self.worlds.clone(), self.unread.clone(), self.turn.clone(), self.chance.clone())
        });
        let beliefs = match self.worlds(view) {
            Worlds::Followed(known) => known.beliefs(view),
            Worlds::Sampled(known) => known.beliefs(view),
        };
        if let Some(kept) = kept {
            (self.worlds, self.unread, self.turn, self.chance) = kept;
        }
        beliefs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Uniform;
    use oboro_core::{Game, GameWorld, Seat};
    use oboro_small::Kuhn;

    #[test]
    fn rollouts_correct_a_policy_by_what_actions_are_worth() {
        // To call with a king after a bet wins two, to fold loses one; with a jack it is the other way round.
        let (game, second) = (Kuhn::default(), Seat::new(1));
        let limits = Limits { playouts: 200, seconds: None, candidates: 8, temperature: 1.0 };
        for (card, best) in [('K', 2.0), ('J', -1.0)] {
            let deals = game.deals().expect("they are few").into_iter();
            let mut world = deals
                .map(|(_, world)| world)
                .find(|world| world.view(second).to_string().contains(card))
                .expect("a deal");
            let start = world.view(second);
            let bet = *world.view(Seat::FIRST).legal_actions().last().expect("pass or bet");
            let seen = world.event(bet, second);
            world.apply(bet);
            let mut agent = PlayerAgent::new(&game, Box::<Uniform<_>>::default(), limits);
            agent.begin(&start);
            agent.observe_from(&|| start.clone(), &seen);
            let view = world.view(second);
            let estimates = agent.estimate(&view, &mut Rng::from_u64(1)).expect("it knows");
            let legal = view.legal_actions();
            let wanted = legal[usize::from(card == 'K')];
            assert_eq!((estimates[0].action, estimates[0].mean), (wanted, best), "{card}");
            let policy = agent.policy(&view, &mut Rng::from_u64(1)).expect("it knows");
            let likeliest = policy.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("two actions");
            assert!(likeliest.0 == wanted && likeliest.1 > 0.9, "{policy:?}");
        }
    }
}
