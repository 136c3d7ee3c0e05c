//! The agent that plays what a person is advised to play.

use oboro_core::{Agent, AgentEntry, NoParams, Player, Rng, Spec, SpecError};
use oboro_player::Playable;
use std::sync::Arc;

/// Plays the action of the highest expected payoff, as the game's best agent estimates it: what the hint in a browser is.
struct HintAgent<G: Playable>(Box<dyn Agent<G>>);

impl<G: Playable> Agent<G> for HintAgent<G> {
    fn begin(&mut self, view: &G::View) {
        self.0.begin(view);
    }

    fn observe_from(&mut self, before: &dyn Fn() -> G::View, event: &G::Event) {
        self.0.observe_from(before, event);
    }

    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        match self.0.estimate(view, rng) {
            Some(estimates) => estimates[0].action,
            None => self.0.act(view, rng),
        }
    }
}

/// The agent `hint` of a game with these agents, the best of which is named.
pub(crate) fn entry<G: Playable>(
    agents: fn() -> Vec<AgentEntry<G>>,
    champion: &'static str,
) -> AgentEntry<G> {
    let about = "Plays what a hint in the browser says: the action of the highest expected payoff";
    AgentEntry::new("hint", "Oboro", about, move |game: &G, _: &NoParams| {
        let spec: Spec = champion.parse().expect("the name of an agent");
        let (_, factory) = AgentEntry::resolve(&agents(), game, &spec)?;
        if factory().is_oracle() {
            return Err(SpecError(format!("{champion} sees hidden information")));
        }
        Ok(Arc::new(move || match factory() {
            Player::Agent(agent) => Player::Agent(Box::new(HintAgent(agent))),
            oracle @ Player::Oracle(_) => oracle,
        }))
    })
}
