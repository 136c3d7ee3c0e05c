use crate::AnyRules;
use crate::encoding::EncodingAdapter;
use crate::rules::Rules;
use oboro_core::{
    AgentEntry, FastPath, GameEncoding, GameScenes, Kernel, ParamInfo, SpecError, from_pairs,
    json_schema, param_table,
};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// A game whose rules are not chosen yet.
pub trait AnyGame: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// One sentence about it.
    fn about(&self) -> &'static str;
    /// The agent we would recommend to a person who wants a good opponent.
    fn champion(&self) -> &'static str;
    /// Its rule options.
    fn options(&self) -> Vec<ParamInfo>;
    /// The shapes of its data.
    fn schemas(&self) -> Schemas;
    /// Its agents.
    fn agents(&self) -> Vec<AgentInfo>;
    /// The work whose speed is worth knowing.
    fn kernels(&self) -> Vec<Kernel>;
    /// The work for which some processors have a quicker way, and whether this one does.
    fn fast_paths(&self) -> Vec<FastPath>;
    /// The game with these rule options; the others keep their defaults.
    ///
    /// # Errors
    /// If an option is unknown, ill-typed or out of range.
    fn rules(&self, options: &[(String, String)]) -> Result<Arc<dyn AnyRules>, SpecError>;
}

/// The JSON schemas of a game's data.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Schemas {
    /// Its rule options.
    pub rules: Value,
    /// Its scenes.
    pub scene: Value,
    /// The parts of an action.
    pub action: Value,
    /// What is seen to happen.
    pub event: Value,
}

/// What help says of an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
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
    /// The JSON schema of its parameters.
    pub schema: Value,
}

pub(crate) struct GameEntry<G: GameScenes> {
    about: &'static str,
    champion: &'static str,
    agents: fn() -> Vec<AgentEntry<G>>,
    kernels: fn() -> Vec<Kernel>,
    numbers: Option<EncodingAdapter<G>>,
}

impl<G: GameScenes + GameEncoding> GameEntry<G> {
    /// A game behind the door.
    pub(crate) fn boxed(
        about: &'static str,
        champion: &'static str,
        agents: fn() -> Vec<AgentEntry<G>>,
        kernels: fn() -> Vec<Kernel>,
    ) -> Box<dyn AnyGame> {
        let numbers = Some(EncodingAdapter::open());
        Box::new(GameEntry { about, champion, agents, kernels, numbers })
    }
}

impl<G: GameScenes> AnyGame for GameEntry<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn champion(&self) -> &'static str {
        self.champion
    }

    fn options(&self) -> Vec<ParamInfo> {
        param_table::<G>()
    }

    fn schemas(&self) -> Schemas {
        Schemas {
            rules: json_schema::<G>(),
            scene: json_schema::<G::Scene>(),
            action: json_schema::<G::ActionData>(),
            event: json_schema::<G::EventData>(),
        }
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
                schema: entry.schema(),
            })
            .collect()
    }

    fn kernels(&self) -> Vec<Kernel> {
        (self.kernels)()
    }

    fn fast_paths(&self) -> Vec<FastPath> {
        G::fast_paths()
    }

    fn rules(&self, options: &[(String, String)]) -> Result<Arc<dyn AnyRules>, SpecError> {
        let owner = format!("rules of {}", G::NAME);
        let args: Vec<_> = options.iter().map(|(k, v)| (Some(k.clone()), v.clone())).collect();
        let game: G = from_pairs(&owner, &args, &[])?;
        game.validate().map_err(|error| SpecError(format!("{owner}: {error}")))?;
        Ok(Arc::new(Arc::new(Rules::new(game, (self.agents)(), self.numbers.clone()))))
    }
}
