//! Analyses that look deeper while somebody looks.

use crate::forms::game_form;
use oboro_catalog::{AnyLive, PublicSpec};
use oboro_core::Spec;
use serde_json::Value;

/// What the effort of an agent is called, where it has one.
const EFFORTS: [&str; 3] = ["playouts", "nodes", "worlds"];

/// The specs of an agent with a growing effort, from an eighth of what was asked for to sixteen times it, within its
/// public bounds; the spec alone where the agent has no such parameter.
pub(crate) fn specs(live: &dyn AnyLive, spec: &PublicSpec) -> Vec<PublicSpec> {
    let grown = grown(live, spec).unwrap_or_default();
    if grown.is_empty() { vec![spec.clone()] } else { grown }
}

fn grown(live: &dyn AnyLive, spec: &PublicSpec) -> Option<Vec<PublicSpec>> {
    let parsed: Spec = spec.as_str().parse().ok()?;
    let form = game_form(live.game()).ok()?;
    let agent = form.public.agents.iter().find(|agent| agent.name == parsed.name)?;
    let param = agent.params.iter().find(|param| EFFORTS.contains(&param.name.as_str()))?;
    let bound =
        |end: &str| agent.schema["properties"][&param.name].get(end).and_then(Value::as_f64);
    let (least, most) = (bound("minimum")?, bound("maximum")?);
    // The text of a public spec is canonical: every parameter has its key.
    let is_effort = |(key, _): &(Option<String>, String)| key.as_ref() == Some(&param.name);
    let given = parsed.args.iter().find(|arg| is_effort(arg)).map(|(_, value)| value);
    let effort: f64 = given.unwrap_or(&param.default).parse().ok()?;
    let mut specs: Vec<PublicSpec> = Vec::new();
    for factor in [0.125, 0.5, 1.0, 4.0, 16.0] {
        let effort = (effort * factor).clamp(least.max(1.0), most).round();
        let mut deeper = parsed.clone();
        deeper.args.retain(|arg| !is_effort(arg));
        deeper.args.push((Some(param.name.clone()), effort.to_string()));
        let deeper = live.public(&deeper.to_string()).ok()?;
        if specs.last() != Some(&deeper) {
            specs.push(deeper);
        }
    }
    Some(specs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_catalog::{NewGame, read};

    fn texts(spec: &str) -> Vec<String> {
        let request: NewGame = read(serde_json::json!({
            "game": "sevens", "seats": [null, null, null, null]
        }))
        .unwrap();
        let live = request.open().unwrap();
        let spec = live.public(spec).unwrap();
        specs(live.as_ref(), &spec).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_effort_grows_within_its_bounds_and_the_rest_stays() {
        let specs = texts("mc:800,policy=rule");
        assert_eq!(specs[0], "mc:playouts=100,policy=rule");
        assert_eq!(specs.last().unwrap(), "mc:playouts=12800,policy=rule");
        assert_eq!(texts("mc:20000").last().unwrap(), "mc:playouts=20000");
    }

    #[test]
    fn agents_without_effort_are_asked_once() {
        assert_eq!(texts("eval"), ["eval"]);
    }
}
