//! Our agents by name.

use super::{GatError, HouseAgent};
use oboro_catalog::{Allowed, external_agent};
use oboro_core::{AgentEntry, Seed, Spec, SpecError};
use oboro_geister::{Geister, agents};

/// The agent that a spec names, one of ours or an external one that is allowed here, ready to play under these rules.
///
/// # Errors
/// If there is none, or it would have to see hidden colours.
pub fn house_agent(
    spec: &str,
    rules: &Geister,
    seed: Seed,
    external: Allowed<'_>,
) -> Result<HouseAgent, GatError> {
    // Specs come from command lines and league files here, never over the wire.
    if let Some(found) = external.and_then(|external| external.find(spec)) {
        let (name, factory) = found?;
        return Ok(HouseAgent { name, factory: external_agent(rules, factory), seed });
    }
    let parsed: Spec =
        spec.parse().map_err(|error| SpecError(format!("agent `{spec}`: {error}")))?;
    let (canonical, factory) = AgentEntry::resolve(&agents(), rules, &parsed)?;
    let name = canonical.to_string();
    if factory().is_oracle() {
        let message = format!("{name} sees hidden colours: it cannot play over the wire");
        return Err(SpecError(message).into());
    }
    Ok(HouseAgent { name, factory, seed })
}
