use super::Searchable;
use super::searcher::{Choice, Method, Searcher};
use crate::OosAgent;
use oboro_core::{Agent, Factory, Game, GameWorld, Policy, RandomPolicy, Rng, Seat, fresh};
use std::fmt;
use std::marker::PhantomData;

/// A way to play playouts, by name. Searches that use it are compiled for it.
pub struct PlayoutPolicy<G: Game> {
    /// The name in parameters.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
    build: Box<BuildSearch<G>>,
    copy: Box<dyn Fn() -> Box<dyn Policy<G::World>>>,
}

/// Makes a search whose playouts are played so.
type BuildSearch<G> = dyn Fn(&G, Method, Choice, u32) -> Factory<G>;

impl<G: Game> fmt::Debug for PlayoutPolicy<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayoutPolicy").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<G: Searchable> PlayoutPolicy<G> {
    /// A policy with its name; every agent gets a copy of it.
    pub fn new<P>(name: &'static str, about: &'static str, policy: P) -> PlayoutPolicy<G>
    where
        P: Policy<G::World> + Clone + Sync + 'static,
    {
        let kept = policy.clone();
        let build = move |game: &G, method, choice, depth| {
            if let Method::Oos(oos) = method {
                let estimate = G::ESTIMATE.filter(|_| depth > 0).map(|worth| (depth, worth));
                return fresh(OosAgent::new(game.clone(), oos, policy.clone(), estimate));
            }
            let low = game.forfeit_payoffs(Seat::FIRST)[0];
            let payoffs = (low, low + game.payoff_range());
            fresh(Searcher::new(method, choice, depth, payoffs, policy.clone()))
        };
        let copy = move || Box::new(kept.clone()) as Box<dyn Policy<G::World>>;
        PlayoutPolicy { name, about, build: Box::new(build), copy: Box::new(copy) }
    }

    /// A copy of the policy.
    pub fn copy(&self) -> Box<dyn Policy<G::World>> {
        (self.copy)()
    }

    /// The policy `random`, that of a game without another.
    pub fn random() -> PlayoutPolicy<G> {
        let about = "every legal action with the same probability";
        PlayoutPolicy::new("random", about, RandomPolicy)
    }

    /// Agents that search by a method, with playouts by this policy.
    pub(super) fn factory(
        &self,
        game: &G,
        method: Method,
        choice: Choice,
        depth: u32,
    ) -> Factory<G> {
        (self.build)(game, method, choice, depth)
    }
}

/// A cheap agent as a playout policy: every seat plays by a copy of it, and by its own view.
///
/// Copies are fresh in every playout that goes to the end of the game. They are told no events.
#[derive(Clone, Debug)]
pub struct ByView<G, A> {
    agent: A,
    /// By seat, as far as seats have moved.
    copies: Vec<A>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, A: Agent<G> + Clone> ByView<G, A> {
    /// The policy of playing like an agent.
    pub fn new(agent: A) -> ByView<G, A> {
        ByView { agent, copies: Vec::new(), game: PhantomData }
    }
}

impl<G: Game, A: Agent<G> + Clone> Policy<G::World> for ByView<G, A> {
    fn choose(&mut self, world: &G::World, rng: &mut Rng) -> G::Action {
        let seat = world.to_act().expect("a policy is asked only while the game goes on");
        while self.copies.len() <= seat.index() {
            self.copies.push(self.agent.clone());
        }
        self.copies[seat.index()].act(&world.view(seat), rng)
    }

    fn play_out(&mut self, world: &mut G::World, rng: &mut Rng) {
        self.copies.clear();
        while world.to_act().is_some() {
            let action = self.choose(world, rng);
            world.apply(action);
        }
    }
}
