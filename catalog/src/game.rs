use crate::batch::AnyBatches;
use crate::delegate::AnyDelegates;
use crate::external::ExternalAgents;
use crate::lineup::AnyLineups;
use crate::live::AnyTables;
use crate::public::PublicSpec;
use crate::rules::Rules;
use crate::solve::AnySolving;
use crate::text::{GameText, Players};
use oboro_core::{
    AgentEntry, FactInfo, FastPath, Kernel, ParamInfo, PuzzleBook, Scoring, SpecError, Toolbox,
    from_pairs, from_public_pairs, json_schema, param_table, params_of, public_schema,
};
use oboro_player::Playable;
use oboro_search::standard_agents;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// A game whose rules are not chosen yet.
///
/// ```
/// let sevens = oboro_catalog::game("sevens").unwrap();
/// assert!(sevens.agents().iter().any(|agent| agent.name == sevens.champion()));
/// let three = sevens.rules(&[("players".to_owned(), "3".to_owned())]).unwrap();
/// assert_eq!(three.seats(), 3);
/// ```
pub trait AnyGame: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// One sentence about it.
    fn about(&self) -> &'static str;
    /// Its rules for people; see [`Game::RULES_TEXT`](oboro_core::Game::RULES_TEXT).
    fn rules_text(&self) -> [&'static str; 2];
    /// Its puzzles; none where the game has none.
    fn puzzles(&self) -> PuzzleBook;
    /// What is said of it to people.
    fn text(&self) -> GameText {
        GameText::read(self.rules_text(), self.about())
    }
    /// How many people can play it: what its public rule option `players` allows, or as many as it has seats.
    fn players(&self) -> Players {
        let form = self.public_form().rules;
        let option = &form["properties"]["players"];
        let number = |key: &str| option[key].as_u64().map(|number| number as usize);
        if let (Some(least), Some(most), Some(usual)) =
            (number("minimum"), number("maximum"), number("default"))
        {
            return Players { least, most, usual };
        }
        let seats = self.rules(&[]).expect("the default rules are sound").seats();
        Players { least: seats, most: seats, usual: seats }
    }
    /// The agent we would recommend to a person who wants a good opponent.
    fn champion(&self) -> &'static str;
    /// Its rule options.
    fn options(&self) -> Vec<ParamInfo>;
    /// The shapes of its data.
    fn schemas(&self) -> Schemas;
    /// Its agents.
    fn agents(&self) -> Vec<AgentInfo>;
    /// What strangers are told of its rule options and agents: what they may ask for, with the bounds.
    fn public_form(&self) -> PublicForm;
    /// As [`rules`](AnyGame::rules), for options of a stranger.
    ///
    /// # Errors
    /// If an option is not public, ill-typed or out of its public bounds.
    fn public_rules(&self, options: &[(String, String)]) -> Result<Arc<dyn AnyRules>, SpecError>;
    /// The work whose speed is worth knowing.
    fn kernels(&self) -> Vec<Kernel>;
    /// The work for which some processors have a quicker way, and whether this one does.
    fn fast_paths(&self) -> Vec<FastPath>;
    /// The commands that it offers besides being played.
    fn toolboxes(&self) -> Vec<Toolbox>;
    /// The game with these rule options; the others keep their defaults.
    ///
    /// # Errors
    /// If an option is unknown, ill-typed or out of range.
    fn rules(&self, options: &[(String, String)]) -> Result<Arc<dyn AnyRules>, SpecError>;
}

/// A game with its rules chosen: agents sit down, games are played.
pub trait AnyRules:
    AnyBatches + AnyDelegates + AnyLineups + AnySolving + AnyTables + Send + Sync
{
    /// The game's name.
    fn game(&self) -> &'static str;
    /// The rule options that differ from the defaults, as `key=value` separated by commas.
    fn changed(&self) -> String;
    /// How many seats there are.
    fn seats(&self) -> usize;
    /// What decides who is stronger.
    fn scoring(&self) -> Scoring;
    /// The figures that finished games report besides payoffs.
    fn facts(&self) -> &'static [FactInfo];
    /// The same rules at a table to which external agents may come: wherever the spec of an agent is expected, one of
    /// theirs may stand.
    fn allow_external(&self, external: Arc<dyn ExternalAgents>) -> Arc<dyn AnyRules>;
    /// The agent that a stranger asks for: a public one of ours, or an external one that was let in by name. Nothing is
    /// built.
    ///
    /// # Errors
    /// If there is no such public agent, or a parameter is not public or out of its bounds.
    fn public(&self, spec: &str) -> Result<PublicSpec, SpecError>;
}

impl<G: Playable> AnyRules for Arc<Rules<G>> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn changed(&self) -> String {
        Rules::changed(self)
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn scoring(&self) -> Scoring {
        G::SCORING
    }

    fn facts(&self) -> &'static [FactInfo] {
        self.game.facts()
    }

    fn allow_external(&self, external: Arc<dyn ExternalAgents>) -> Arc<dyn AnyRules> {
        Arc::new(Arc::new(self.with_external(external)))
    }

    fn public(&self, spec: &str) -> Result<PublicSpec, SpecError> {
        Rules::public(self, spec)
    }
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

/// What strangers may ask for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PublicForm {
    /// The JSON schema of the public rule options, with their bounds.
    pub rules: Value,
    /// The public agents, each with its public parameters and their bounds.
    pub agents: Vec<AgentInfo>,
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

pub(crate) struct GameEntry<G: Playable> {
    about: &'static str,
    champion: &'static str,
    agents: fn() -> Vec<AgentEntry<G>>,
    kernels: fn() -> Vec<Kernel>,
}

impl<G: Playable> GameEntry<G> {
    /// A game without its type.
    pub(crate) fn boxed(
        about: &'static str,
        champion: &'static str,
        agents: fn() -> Vec<AgentEntry<G>>,
        kernels: fn() -> Vec<Kernel>,
    ) -> Box<dyn AnyGame> {
        Box::new(GameEntry { about, champion, agents, kernels })
    }
}

impl<G: Playable> GameEntry<G> {
    /// The game's agents and those that every game has: the player, with and without a net, those that follow the
    /// values of the best of them and, where views are information sets, the one that plays by a strategy file.
    fn entries(&self) -> Vec<AgentEntry<G>> {
        let mut entries = (self.agents)();
        if entries.iter().all(|entry| entry.name != "oboro") {
            entries.push(oboro_player::plain_oboro());
        }
        if G::PERFECT_RECALL {
            entries.push(oboro_solve::table_agent());
        }
        entries.push(oboro_player::net_agent());
        entries.extend(crate::hint::entries(self.agents, self.champion));
        entries
    }
}

impl<G: Playable> AnyGame for GameEntry<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn rules_text(&self) -> [&'static str; 2] {
        G::RULES_TEXT
    }

    fn puzzles(&self) -> PuzzleBook {
        G::PUZZLES.parse().expect("each game tests its puzzles")
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
        self.entries()
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

    fn public_form(&self) -> PublicForm {
        let public = |entry: AgentEntry<G>| {
            entry.footprint()?;
            let schema = entry.public_schema();
            Some(AgentInfo {
                name: entry.name,
                about: entry.about,
                source: entry.source,
                positional: entry.positional,
                params: params_of(&schema),
                schema,
            })
        };
        let agents = self.entries().into_iter().filter_map(public).collect();
        PublicForm { rules: public_schema::<G>(), agents }
    }

    fn public_rules(&self, options: &[(String, String)]) -> Result<Arc<dyn AnyRules>, SpecError> {
        self.checked(options, from_public_pairs)
    }

    fn kernels(&self) -> Vec<Kernel> {
        (self.kernels)()
    }

    fn fast_paths(&self) -> Vec<FastPath> {
        G::fast_paths()
    }

    fn toolboxes(&self) -> Vec<Toolbox> {
        G::toolboxes()
    }

    fn rules(&self, options: &[(String, String)]) -> Result<Arc<dyn AnyRules>, SpecError> {
        self.checked(options, from_pairs)
    }
}

/// A way to read `key=value` pairs into rules.
type ReadRules<G> = fn(&str, &[(Option<String>, String)], &[&str]) -> Result<G, SpecError>;

impl<G: Playable> GameEntry<G> {
    fn checked(
        &self,
        options: &[(String, String)],
        read: ReadRules<G>,
    ) -> Result<Arc<dyn AnyRules>, SpecError> {
        let owner = format!("rules of {}", G::NAME);
        let args: Vec<_> = options.iter().map(|(k, v)| (Some(k.clone()), v.clone())).collect();
        self.rules_of(read(&owner, &args, &[])?)
    }

    fn rules_of(&self, game: G) -> Result<Arc<dyn AnyRules>, SpecError> {
        let owner = format!("rules of {}", G::NAME);
        game.validate().map_err(|error| SpecError(format!("{owner}: {error}")))?;
        Ok(Arc::new(Arc::new(Rules::new(game, self.entries(), self.champion))))
    }
}

/// A game that is not in the list of games, and that game with its rules chosen.
pub type OwnGame = (Box<dyn AnyGame>, Arc<dyn AnyRules>);

/// A game that is not in the list of games, with its rules chosen. The agents that every game has play it.
///
/// # Errors
/// If its rules are not sound.
pub fn own_game<G: Playable>(about: &'static str, game: G) -> Result<OwnGame, SpecError> {
    let agents = standard_agents::<G>;
    let entry = GameEntry { about, champion: "ismcts", agents, kernels: Vec::new };
    let rules = entry.rules_of(game)?;
    Ok((Box::new(entry), rules))
}
