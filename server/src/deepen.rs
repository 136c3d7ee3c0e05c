//! Analyses that look deeper while somebody looks.

use oboro_catalog::game;
use oboro_core::Spec;

/// What the effort of an agent is called, where it has one.
const EFFORTS: [&str; 3] = ["playouts", "nodes", "worlds"];
/// The most effort an analysis goes to.
const MOST: f64 = 4_000_000.0;

/// The specs of an agent with a growing effort, from an eighth of what was asked for to sixteen times it; the spec
/// alone where the agent has no such parameter.
pub(crate) fn specs(game_name: &str, spec: &str) -> Vec<String> {
    let alone = || vec![spec.to_owned()];
    let (Ok(game), Ok(parsed)) = (game(game_name), spec.parse::<Spec>()) else { return alone() };
    let agents = game.agents();
    let Some(agent) = agents.iter().find(|agent| agent.name == parsed.name) else { return alone() };
    let Some(param) = agent.params.iter().find(|param| EFFORTS.contains(&param.name.as_str()))
    else {
        return alone();
    };
    let is_effort = |(key, _): &(Option<String>, String)| match key {
        Some(key) => *key == param.name,
        None => agent.positional.first().is_some_and(|first| *first == param.name),
    };
    let given = parsed.args.iter().find(|arg| is_effort(arg)).map(|(_, value)| value);
    let Ok(effort) = given.unwrap_or(&param.default).parse::<f64>() else { return alone() };
    let mut specs = Vec::new();
    for factor in [0.125, 0.5, 1.0, 4.0, 16.0] {
        let effort = (effort * factor).clamp(1.0, MOST.max(effort)).round();
        let mut deeper = parsed.clone();
        deeper.args.retain(|arg| !is_effort(arg));
        deeper.args.push((Some(param.name.clone()), effort.to_string()));
        let text = deeper.to_string();
        if specs.last() != Some(&text) {
            specs.push(text);
        }
    }
    specs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effort_grows_and_the_rest_stays() {
        let specs = specs("sevens", "mc:800,policy=rule");
        assert_eq!(specs[0], "mc:policy=rule,playouts=100");
        assert_eq!(specs.last().unwrap(), "mc:policy=rule,playouts=12800");
    }

    #[test]
    fn agents_without_effort_are_asked_once() {
        assert_eq!(specs("sevens", "eval"), ["eval"]);
        assert_eq!(specs("chess", "deep:blue"), ["deep:blue"]);
    }
}
