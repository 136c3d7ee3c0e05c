//! The types by which the browser app reads scenes, actions and events are made from the games' JSON schemas.

use oboro_catalog::games;
use oboro_labyrinth::Treasure;
use oboro_testkit::check_golden;
use serde_json::{Map, Value};
use std::path::Path;

const HEAD: &str = "\
// The shapes of scenes, actions and events, game by game. Made from the games' JSON schemas by catalog/tests/web_types.rs
// (`cargo xtask bless` writes it anew); not to be edited. Those of games with a file of their own in games/ are here.
// Every key is there: what is unknown is null.
// Of a union every member lists the keys of the others as absent, so that each key can be asked for.
";

#[test]
fn the_browser_app_has_the_types_of_the_schemas() {
    let mut text = HEAD.to_owned();
    let mut listed = String::new();
    let has_look = |name: &str| Path::new(&format!("../web/src/games/{name}.tsx")).exists();
    for game in games().into_iter().filter(|game| has_look(game.name())) {
        let name: String = game.name().split('-').map(capitalised).collect();
        let schemas = game.schemas();
        for (what, schema) in
            [("Scene", &schemas.scene), ("Action", &schemas.action), ("Event", &schemas.event)]
        {
            text.push_str(&format!("\nexport type {name}{what} = {};\n", type_of(schema, 0)));
        }
        let types = format!("scene: {name}Scene; action: {name}Action; event: {name}Event");
        listed.push_str(&format!("  \"{}\": {{ {types} }};\n", game.name()));
    }
    text.push_str(&format!(
        "\n/** The types of each game, by its name. */\nexport interface Games {{\n{listed}}}\n"
    ));
    check_golden("../web/src/scenes.ts", &text);
}

const TREASURES: &str = "\
// The treasures of Labyrinth in English and Japanese. Made from the game's own names by catalog/tests/web_types.rs
// (`cargo xtask bless` writes it anew); not to be edited.

export const treasureNames: Record<string, readonly [string, string]> = {
";

#[test]
fn the_browser_app_has_the_names_of_the_treasures() {
    let line = |treasure: Treasure| {
        let key = serde_json::json!(treasure);
        format!("  {key}: [\"{treasure}\", \"{}\"],\n", treasure.japanese())
    };
    let lines: String = Treasure::ALL.into_iter().map(line).collect();
    check_golden("../web/src/boards/treasure-names.ts", &format!("{TREASURES}{lines}}};\n"));
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A schema as a TypeScript type.
fn type_of(schema: &Value, indent: usize) -> String {
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return union(values.iter().map(Value::to_string));
    }
    let options = ["oneOf", "anyOf"].iter().find_map(|key| schema.get(key)?.as_array());
    let properties = schema.get("properties").and_then(Value::as_object);
    match (properties, options) {
        (None, None) => simple(schema, indent),
        (Some(properties), None) => {
            let kinds = schema.get("type").and_then(Value::as_array);
            let nullable = kinds.is_some_and(|kinds| kinds.contains(&Value::from("null")));
            format!("{}{}", object(properties, &[], indent), if nullable { " | null" } else { "" })
        }
        (None, Some(options)) => union_of(options, indent),
        (Some(properties), Some(options)) => {
            format!("{} & ({})", object(properties, &[], indent), union_of(options, indent))
        }
    }
}

fn simple(schema: &Value, indent: usize) -> String {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let one = |kind: &&str| match *kind {
        "array" => match schema.get("prefixItems").and_then(Value::as_array) {
            Some(items) => {
                let items = items.iter().map(|item| type_of(item, indent));
                format!("[{}]", items.collect::<Vec<_>>().join(", "))
            }
            None => format!("Array<{}>", type_of(&schema["items"], indent)),
        },
        "object" => format!("Record<string, {}>", type_of(&schema["additionalProperties"], indent)),
        "integer" | "number" => "number".to_owned(),
        "string" | "boolean" | "null" => (*kind).to_owned(),
        other => panic!("no type for {other}: {schema}"),
    };
    if kinds.is_empty() { "unknown".to_owned() } else { union(kinds.iter().map(one)) }
}

fn union(types: impl Iterator<Item = String>) -> String {
    let mut found: Vec<String> = Vec::new();
    for one in types {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found.join(" | ")
}

fn union_of(options: &[Value], indent: usize) -> String {
    let keys_of = |option: &Value| -> Vec<String> {
        let properties = option.get("properties").and_then(Value::as_object);
        properties.map_or_else(Vec::new, |properties| properties.keys().cloned().collect())
    };
    let all: Vec<String> = options.iter().flat_map(keys_of).collect();
    union(options.iter().map(|option| match option.get("properties").and_then(Value::as_object) {
        Some(properties) if option.get("oneOf").is_none() => object(properties, &all, indent),
        _ => type_of(option, indent),
    }))
}

/// The type of an object; keys of `all` that it has not are absent.
fn object(properties: &Map<String, Value>, all: &[String], indent: usize) -> String {
    let inside = " ".repeat(indent + 2);
    let mut text = "{\n".to_owned();
    for (key, schema) in properties {
        if let Some(about) = schema.get("description").and_then(Value::as_str) {
            let line = about.lines().next().unwrap_or_default();
            text.push_str(&format!("{inside}/** {line} */\n"));
        }
        text.push_str(&format!("{inside}\"{key}\": {};\n", type_of(schema, indent + 2)));
    }
    let mut absent: Vec<&String> =
        all.iter().filter(|key| !properties.contains_key(*key)).collect();
    absent.sort_unstable();
    absent.dedup();
    for key in absent {
        text.push_str(&format!("{inside}\"{key}\"?: undefined;\n"));
    }
    format!("{text}{}}}", " ".repeat(indent))
}
