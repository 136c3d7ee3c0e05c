//! What a test prints, kept in files that a person reads and reviews.

use oboro_core::{Belief, GameScenes, GameWorld, Seat};
use serde_json::{Value, json};
use std::path::Path;

/// Compares a text with a golden file, given from the package's folder. With `OBORO_BLESS=1` in the environment the
/// file is written instead, to be read over before it is committed.
///
/// # Panics
/// If they differ, or the file cannot be read or written.
pub fn check_golden(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    let name = path.display();
    if std::env::var_os("OBORO_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, text).unwrap_or_else(|error| panic!("{name}: {error}"));
        return;
    }
    let golden = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{name}: {error}; OBORO_BLESS=1 writes it"));
    let differs = golden.lines().zip(text.lines()).position(|(old, new)| old != new);
    let at = differs.unwrap_or_else(|| golden.lines().count().min(text.lines().count()));
    assert!(
        golden == text,
        "{name} differs in line {}: `{}` is now `{}`; OBORO_BLESS=1 writes it anew",
        at + 1,
        golden.lines().nth(at).unwrap_or_default(),
        text.lines().nth(at).unwrap_or_default(),
    );
}

/// What a screen or a program gets of a position, as one page of JSON for [`check_golden`]: the scene and the
/// secrets of a seat (shortened to subject, values and probabilities), and some legal actions, each described to
/// whoever moves and told to the seat and to a spectator.
///
/// # Panics
/// If an action is not legal.
pub fn scene_page<G: GameScenes>(
    game: &G,
    world: &G::World,
    seat: Seat,
    actions: &[&str],
) -> String {
    let (scene, public) = (game.scene(&world.view(seat)), game.public_scene(world));
    let told = |text: &&str| {
        let action: G::Action = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let mover = world.to_act().filter(|_| world.is_legal(action));
        let mover = mover.unwrap_or_else(|| panic!("{action} is not legal here"));
        json!({
            "action": text,
            "described": game.describe(&world.view(mover), action),
            "told": game.narrate(&scene, &world.event(action, seat)),
            "told-to-a-spectator": game.narrate(&public, &game.public_event(world, action)),
        })
    };
    let odds = |belief: Belief| {
        let values = belief.values.into_iter().map(|v| (v.value, v.probability.into()));
        (belief.subject, Value::Object(values.collect()))
    };
    let secrets = game.secrets(&world.view(seat)).into_iter().map(odds);
    let page = json!({
        "position": game.write_position(world),
        "seat": seat,
        "scene": scene,
        "secrets": Value::Object(secrets.collect()),
        "actions": actions.iter().map(told).collect::<Vec<Value>>(),
    });
    let mut text = String::new();
    print(&page, 0, 0, &mut text);
    text.push('\n');
    text
}

/// Prints JSON with everything on one line that fits there, so that a page can be read by eye. `before` is how
/// much of the line is taken.
fn print(value: &Value, indent: usize, before: usize, out: &mut String) {
    const WIDTH: usize = 132;
    const STEP: usize = 2;
    let line = one_line(value);
    let (open, close, items) = match value {
        Value::Array(items) if before + line.chars().count() > WIDTH => {
            ('[', ']', items.iter().map(|item| (String::new(), item)).collect::<Vec<_>>())
        }
        Value::Object(fields) if before + line.chars().count() > WIDTH => {
            let name = |name: &String| format!("{}: ", Value::from(name.as_str()));
            ('{', '}', fields.iter().map(|(key, item)| (name(key), item)).collect())
        }
        _ => return out.push_str(&line),
    };
    out.push(open);
    let inner = indent + STEP;
    for (i, (name, item)) in items.iter().enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(inner));
        out.push_str(name);
        print(item, inner, inner + name.chars().count(), out);
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

/// JSON in one line, with spaces between things.
fn one_line(value: &Value) -> String {
    let join = |items: Vec<String>| items.join(", ");
    match value {
        Value::Array(items) => format!("[{}]", join(items.iter().map(one_line).collect())),
        Value::Object(fields) => {
            let field = |(name, item): (&String, &Value)| {
                format!("{}: {}", Value::from(name.as_str()), one_line(item))
            };
            format!("{{{}}}", join(fields.iter().map(field).collect()))
        }
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_json_and_break_only_long_lines() {
        let long: Vec<u32> = (100_000..100_020).collect();
        let value = json!({ "short": [1, { "a": null }], "long \"quoted\"": long });
        let mut text = String::new();
        print(&value, 0, 0, &mut text);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("{"));
        assert_eq!(lines.next(), Some("  \"short\": [1, {\"a\": null}],"));
        assert_eq!(lines.next(), Some("  \"long \\\"quoted\\\"\": ["));
        assert_eq!(lines.next(), Some("    100000,"));
    }
}
