use crate::file::Strategy;
use oboro_core::{
    Agent, AgentEntry, Analysis, Game, Player, Rng, SeatView, SpecError, draw_action,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Plays by a strategy file.
#[derive(Clone, Debug)]
pub struct TableAgent<G: Game>(Arc<Strategy<G>>);

impl<G: Game> TableAgent<G> {
    /// An agent that plays by a strategy. Views that it does not know are played at random.
    pub fn new(strategy: Arc<Strategy<G>>) -> TableAgent<G> {
        TableAgent(strategy)
    }

    fn known(&self, view: &G::View) -> Vec<(G::Action, f64)> {
        let actions = view.legal_actions();
        let known = self.0.policy(view);
        let uniform = 1.0 / actions.len() as f64;
        let share = |action| {
            let found = known.map(|known| known.iter().find(|(other, _)| *other == action));
            found.map_or(uniform, |found| found.map_or(0.0, |(_, share)| *share))
        };
        actions.into_iter().map(|action| (action, share(action))).collect()
    }
}

impl<G: Game> Agent<G> for TableAgent<G> {
    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        draw_action(&self.known(view), rng)
    }

    fn policy(&mut self, view: &G::View, _: &mut Rng) -> Option<Vec<(G::Action, f64)>> {
        Some(self.known(view))
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        let policy = self.known(view);
        Analysis::of_policy(draw_action(&policy, rng), policy)
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct TableParams {
    /// The strategy file, as `oboro solve` writes it.
    file: String,
}

/// The agent `table:FILE`, for every game whose views are information sets.
pub fn table_agent<G: Game>() -> AgentEntry<G> {
    let build = |game: &G, params: &TableParams| {
        let file = &params.file;
        if file.is_empty() {
            return Err(SpecError("name a strategy file: table:FILE".to_owned()));
        }
        let text = std::fs::read_to_string(file)
            .map_err(|error| SpecError(format!("file={file}: {error}")))?;
        let strategy = Strategy::parse(game, &text)
            .map_err(|error| SpecError(format!("file={file}: {error}")))?;
        let agent = TableAgent::new(Arc::new(strategy));
        let factory: oboro_core::Factory<G> =
            Arc::new(move || Player::Agent(Box::new(agent.clone())));
        Ok(factory)
    };
    AgentEntry::new("table", "Oboro", "Plays by a strategy file that `oboro solve` made", build)
        .positional(&["file"])
}
