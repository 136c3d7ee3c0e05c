//! Agents that think while their game is looked at.

use crate::{Agent, Analysis, Belief, Estimate, Game, Player, Rng, Seat, Stop};

/// What a player may look at.
pub(super) enum Sight<G: Game> {
    View(G::View),
    World(G::World),
}

/// An agent about to think, away from its game; see [`Live::start_thinking`](crate::Live::start_thinking).
pub struct Thinking<G: Game> {
    pub(super) seat: Seat,
    pub(super) number: u32,
    pub(super) sight: Sight<G>,
    pub(super) player: Player<G>,
    pub(super) rng: Rng,
}

impl<G: Game> Thinking<G> {
    /// Whose turn it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Thinks, for as long as it takes or until the switch is pulled.
    pub fn run(mut self, stop: &Stop) -> Thought<G> {
        let (player, rng) = (&mut self.player, &mut self.rng);
        let action = stop.watch(|| match (player, &self.sight) {
            (Player::Agent(agent), Sight::View(view)) => agent.try_act(view, rng),
            (Player::Oracle(oracle), Sight::World(world)) => Ok(oracle.act(world, rng)),
            _ => unreachable!("an agent was given a view and an oracle a world"),
        });
        Thought { seat: self.seat, number: self.number, action, player: self.player, rng: self.rng }
    }
}

impl<G: Game> std::fmt::Debug for Thinking<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thinking").field("seat", &self.seat).finish_non_exhaustive()
    }
}

/// What an agent came to; see [`Live::finish_thinking`](crate::Live::finish_thinking).
pub struct Thought<G: Game> {
    pub(super) seat: Seat,
    pub(super) number: u32,
    /// What it chose, or why it gives the game up.
    pub(super) action: Result<G::Action, String>,
    pub(super) player: Player<G>,
    pub(super) rng: Rng,
}

impl<G: Game> std::fmt::Debug for Thought<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thought").field("action", &self.action).finish_non_exhaustive()
    }
}

/// An agent that has been shown all that a seat saw, ready to say what it thinks; see [`Live::consult`](crate::Live::consult).
pub struct Consultation<G: Game> {
    pub(super) agent: Box<dyn Agent<G>>,
    pub(super) view: G::View,
    pub(super) to_move: bool,
    pub(super) rng: Rng,
}

impl<G: Game> Consultation<G> {
    /// Its beliefs, and what it thinks of the actions if its seat is to move; for as long as it takes or
    /// until the switch is pulled.
    pub fn run(mut self, stop: &Stop) -> Insight<G::Action> {
        stop.watch(|| {
            let beliefs = self.agent.beliefs(&self.view, &mut self.rng.clone().fork());
            let analysis = self.to_move.then(|| self.agent.analyse(&self.view, &mut self.rng));
            Insight { analysis, beliefs }
        })
    }

    /// What each action is expected to be worth, the advised one first; nothing if the agent does not know or its seat is not
    /// to move.
    pub fn estimate(&mut self, stop: &Stop) -> Option<Vec<Estimate<G::Action>>> {
        let (agent, view) = (&mut self.agent, &self.view);
        // Of a copy of its stream: asking changes nothing.
        let rng = &mut self.rng.clone();
        if self.to_move { stop.watch(|| agent.estimate(view, rng)) } else { None }
    }

    /// How it acts: the probabilities of its actions if it knows them, or else one action.
    ///
    /// # Errors
    /// Why it has none, if it fails or its seat is not to move.
    pub fn decide(mut self) -> Result<Decision<G::Action>, String> {
        if !self.to_move {
            return Err("the seat is not to move".to_owned());
        }
        if let Some(policy) = self.agent.policy(&self.view, &mut self.rng) {
            return Ok(Decision::Policy(policy));
        }
        self.agent.try_act(&self.view, &mut self.rng).map(Decision::Action)
    }
}

/// How an agent acts.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision<A> {
    /// By these probabilities.
    Policy(Vec<(A, f64)>),
    /// By this action, this time.
    Action(A),
}

impl<G: Game> std::fmt::Debug for Consultation<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Consultation").field("view", &self.view).finish_non_exhaustive()
    }
}

/// What an agent thinks of a game from a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct Insight<A> {
    /// What it thinks of the actions; `None` if its seat is not to move.
    pub analysis: Option<Analysis<A>>,
    /// What it thinks of hidden things; empty if it does not say.
    pub beliefs: Vec<Belief>,
}
