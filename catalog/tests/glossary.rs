//! Names are made of plain English words and of those that `docs/reference/glossary.md` explains.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_catalog::games;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The words of the list, those in the first column of the glossary's tables, and the names of the games.
fn known() -> BTreeSet<String> {
    let glossary = fs::read_to_string(root().join("docs/reference/glossary.md")).unwrap();
    let explained = glossary.lines().filter_map(|line| line.strip_prefix("| ")?.split('|').next());
    let plain = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    let words = explained.chain(plain).flat_map(|line| line.split([',', ' ']));
    let named = games().into_iter().flat_map(|game| words_of(game.name()));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).chain(named).collect()
}

/// The words of a name in camel or kebab case; figures tell versions apart.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut letters = name.chars().peekable();
    let mut fresh = true;
    while let Some(letter) = letters.next() {
        if !letter.is_alphabetic() {
            fresh = true;
            continue;
        }
        // `GPParams`: the last capital before a small letter begins a word.
        let begins =
            letter.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase());
        if fresh || begins || words.is_empty() {
            words.push(String::new());
        }
        fresh = letter.is_lowercase() && letters.peek().is_some_and(|next| next.is_uppercase());
        words.last_mut().unwrap().extend(letter.to_lowercase());
    }
    words
}

fn is_known(word: &str, known: &BTreeSet<String>) -> bool {
    let singular = word.strip_suffix('s').filter(|word| word.len() > 2);
    known.contains(word) || singular.is_some_and(|word| known.contains(word))
}

/// All Rust files of the packages that others use.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let skipped =
                ["target", "tests", "examples", "benches", "node_modules", "tutorial", "xtask"];
            if path.is_dir() && !name.starts_with('.') && !skipped.contains(&name.as_str()) {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The names of types that a text makes public.
fn public_types(text: &str) -> Vec<&str> {
    let declared = text.lines().filter_map(|line| line.trim_start().strip_prefix("pub "));
    let named = declared.filter_map(|rest| {
        let (what, rest) = rest.split_once(' ')?;
        let is_type = ["struct", "enum", "trait", "type", "union"].contains(&what);
        is_type.then(|| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
    });
    named.collect()
}

#[test]
fn names_are_made_of_words_that_are_known_or_explained() {
    let known = known();
    let mut unknown = Vec::new();
    let mut check = |name: &str, place: String| {
        let strange: Vec<String> =
            words_of(name).into_iter().filter(|word| !is_known(word, &known)).collect();
        if !strange.is_empty() {
            unknown.push(format!("{name} ({place}): {}", strange.join(", ")));
        }
    };
    let mut types = 0;
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        for name in public_types(&text) {
            types += 1;
            check(name, path.strip_prefix(root()).unwrap().display().to_string());
        }
    }
    assert!(types > 200, "only {types} public types were found");
    for game in games() {
        for agent in game.agents() {
            for param in agent.params {
                check(&param.name, format!("parameter of {} in {}", agent.name, game.name()));
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "use words of the field or plain ones, or explain them in docs/reference/glossary.md:\n{}",
        unknown.join("\n")
    );
}

#[test]
fn names_are_taken_apart() {
    let words = |name: &str| words_of(name).join(" ");
    assert_eq!(words("GameSeeds"), "game seeds");
    assert_eq!(words("Oboro2026aParams"), "oboro a params");
    assert_eq!(words("HTTPServer"), "http server");
    assert_eq!(words("expand-after"), "expand after");
    let known = BTreeSet::from(["seat".to_owned()]);
    assert!(is_known("seats", &known) && !is_known("chairs", &known));
}

#[test]
fn the_list_of_plain_words_is_sorted_and_says_nothing_twice() {
    let plain: Vec<&str> =
        include_str!("words.txt").lines().filter(|line| !line.starts_with('#')).collect();
    assert!(plain.is_sorted_by(|a, b| a < b), "sort it");
}
