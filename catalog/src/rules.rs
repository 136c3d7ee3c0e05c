use crate::CatalogError;
use crate::external::{ExternalAgents, adapters};
use crate::public::PublicSpec;
use oboro_core::{AgentEntry, EncodingLayout, Factory, Spec, SpecError, check_public_length};
use oboro_player::Playable;
use std::sync::Arc;

/// A game with its rules chosen, and the agents that can play it.
#[derive(Clone)]
pub(crate) struct Rules<G: Playable> {
    pub(crate) game: G,
    pub(crate) layout: Arc<EncodingLayout>,
    agents: Arc<Vec<AgentEntry<G>>>,
    /// The agent that says what actions are worth.
    pub(crate) champion: &'static str,
    external: Option<Arc<dyn ExternalAgents>>,
}

/// Who holds each seat: what the record calls it, and the agent, or nobody for a seat held from outside.
pub(crate) type Seating<G> = (Vec<String>, Vec<Option<Factory<G>>>);

impl<G: Playable> Rules<G> {
    pub(crate) fn new(game: G, agents: Vec<AgentEntry<G>>, champion: &'static str) -> Rules<G> {
        let layout = Arc::new(game.layout());
        Rules { game, layout, agents: Arc::new(agents), champion, external: None }
    }

    /// The same rules, by which these external agents may play, too.
    pub(crate) fn with_external(&self, external: Arc<dyn ExternalAgents>) -> Rules<G> {
        Rules { external: Some(external), ..self.clone() }
    }

    /// The canonical spec and the factory of an agent.
    pub(crate) fn build(&self, spec: &str) -> Result<(String, Factory<G>), SpecError> {
        if let Some(found) = self.external.as_ref().and_then(|external| external.find(spec)) {
            let (canonical, factory) = found?;
            // Without the external agents: a view that is kept must not keep their channels open.
            let rules = Rules { external: None, ..self.clone() };
            return Ok((canonical, adapters(Arc::new(rules), factory)));
        }
        let parsed: Spec =
            spec.parse().map_err(|error| SpecError(format!("agent `{spec}`: {error}")))?;
        let (canonical, factory) = AgentEntry::resolve(&self.agents, &self.game, &parsed)?;
        Ok((canonical.to_string(), factory))
    }

    /// The agents of these specs; a seat without one is called `outside`.
    pub(crate) fn seat(
        &self,
        specs: &[Option<&str>],
        outside: &str,
    ) -> Result<Seating<G>, SpecError> {
        self.check_count(specs.len())?;
        let built = specs.iter().map(|spec| match spec {
            Some(spec) => self.build(spec).map(|(name, factory)| (name, Some(factory))),
            None => Ok((outside.to_owned(), None)),
        });
        built.collect()
    }

    pub(crate) fn changed(&self) -> String {
        oboro_core::changed_params(&self.game)
            .into_iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect::<Vec<_>>()
            .join(",")
    }

    pub(crate) fn check_count(&self, given: usize) -> Result<(), SpecError> {
        let seats = self.game.seats();
        if given == seats {
            return Ok(());
        }
        Err(SpecError(format!(
            "{} has {seats} seats under these rules, but {given} agents were given",
            G::NAME
        )))
    }

    pub(crate) fn read(&self, position: &str) -> Result<G::World, CatalogError> {
        self.game.parse_position(position.trim()).map_err(CatalogError::Position)
    }

    /// The agent that a stranger asks for; nothing is built.
    pub(crate) fn public(&self, spec: &str) -> Result<PublicSpec, SpecError> {
        check_public_length("agent", spec)?;
        if let Some(found) = self.external.as_ref().and_then(|external| external.find(spec)) {
            return found.map(|(canonical, _)| PublicSpec::external(canonical));
        }
        let (spec, footprint) = crate::hint::read_public(&self.agents, spec)?;
        Ok(PublicSpec::new(&spec, footprint))
    }
}
