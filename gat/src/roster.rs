//! Our agents by name.

use super::{GatError, HouseAgent};
use oboro_catalog::{Allowed, external_agent};
use oboro_core::{AgentEntry, Seed, Spec, SpecError};
use oboro_geister::{Geister, agents};

/// The agent that a spec names, one of ours or an external one that is allowed here, ready to play under these rules.
pub(crate) fn house_agent(
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

/// So many playouts take no time worth a warning.
const FEW_PLAYOUTS: u64 = 200;

/// What to say of an agent that thinks by a number of playouts and was given no limit of time, though it takes one.
pub(crate) fn clock_warning(spec: &str) -> Option<String> {
    let parsed: Spec = spec.parse().ok()?;
    let agent = agents().into_iter().find(|agent| agent.name == parsed.name)?;
    let params = agent.params();
    let param = |name: &str| params.iter().find(|param| param.name == name);
    param("seconds")?;
    let given = parsed.args.iter().find_map(|(key, value)| match key {
        Some(key) => (key == "playouts").then_some(value),
        None => (agent.positional.first() == Some(&"playouts")).then_some(value),
    });
    let playouts = given.or(param("playouts").map(|param| &param.default))?;
    let is_many = playouts.parse::<u64>().is_ok_and(|playouts| playouts > FEW_PLAYOUTS);
    (is_many && !parsed.is_timed()).then(|| {
        format!("warning: {spec} thinks by playouts, however long they take: give it a clock, such as seconds=5")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_that_think_by_playouts_need_a_clock() {
        for spec in ["mcts", "mcts:10000", "ismcts:policy=random", "oboro:playouts=1000"] {
            assert!(clock_warning(spec).is_some_and(|said| said.contains(spec)), "{spec}");
        }
        for spec in ["random", "naotti", "oboro", "mcts:10000,seconds=5", "nobody", "exec:./bot"] {
            assert_eq!(clock_warning(spec), None, "{spec}");
        }
    }
}
