use crate::table::{Rules, Table};
use oboro_core::{AgentEntry, Game, Kernel, ParamInfo, SpecError, from_pairs, param_table};
use serde::Serialize;
use std::sync::Arc;

/// A game whose rules are not chosen yet.
pub trait AnyGame: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// One sentence about it.
    fn about(&self) -> &'static str;
    /// Its rule options.
    fn rules(&self) -> Vec<ParamInfo>;
    /// Its agents.
    fn agents(&self) -> Vec<AgentInfo>;
    /// The work whose speed is worth knowing.
    fn kernels(&self) -> Vec<Kernel>;
    /// The game with these rule options; the others keep their defaults.
    ///
    /// # Errors
    /// If an option is unknown, ill-typed or out of range.
    fn table(&self, options: &[(String, String)]) -> Result<Arc<dyn Table>, SpecError>;
}

/// What help says of an agent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AgentInfo {
    /// Its name.
    pub name: &'static str,
    /// How it plays.
    pub about: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Keys that may be left out, in order.
    pub positional: &'static [&'static str],
    /// Its parameters.
    pub params: Vec<ParamInfo>,
}

pub(crate) struct Door<G: Game> {
    about: &'static str,
    agents: fn() -> Vec<AgentEntry<G>>,
    kernels: fn() -> Vec<Kernel>,
}

impl<G: Game> Door<G> {
    pub(crate) fn boxed(
        about: &'static str,
        agents: fn() -> Vec<AgentEntry<G>>,
        kernels: fn() -> Vec<Kernel>,
    ) -> Box<dyn AnyGame> {
        Box::new(Door { about, agents, kernels })
    }
}

impl<G: Game> AnyGame for Door<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn rules(&self) -> Vec<ParamInfo> {
        param_table::<G>()
    }

    fn agents(&self) -> Vec<AgentInfo> {
        (self.agents)()
            .into_iter()
            .map(|entry| AgentInfo {
                name: entry.name,
                about: entry.about,
                source: entry.source,
                positional: entry.positional,
                params: entry.params(),
            })
            .collect()
    }

    fn kernels(&self) -> Vec<Kernel> {
        (self.kernels)()
    }

    fn table(&self, options: &[(String, String)]) -> Result<Arc<dyn Table>, SpecError> {
        let owner = format!("rules of {}", G::NAME);
        let args: Vec<_> = options.iter().map(|(k, v)| (Some(k.clone()), v.clone())).collect();
        let game: G = from_pairs(&owner, &args, &[])?;
        game.validate().map_err(|error| SpecError(format!("{owner}: {error}")))?;
        Ok(Arc::new(Rules::new(game, (self.agents)())))
    }
}
