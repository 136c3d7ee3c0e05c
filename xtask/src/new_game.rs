//! `cargo xtask new-game NAME`: a folder for a new game.
//!
//! What comes out is a whole game, small and sound: its tests pass, it is in the catalog, and every agent that all
//! games have plays it. Turning it into another game is then a matter of changing one file after the other. The
//! template is itself a package of the workspace, `oboro-dice`, so that it is compiled and tested like any game.

use std::fs;
use std::path::Path;

/// The files of a new game; `dice` and `Dice` stand for its name.
const FILES: [(&str, &str); 13] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml")),
    ("rules.en.md", include_str!("../template/rules.en.md")),
    ("rules.ja.md", include_str!("../template/rules.ja.md")),
    ("src/lib.rs", include_str!("../template/src/lib.rs")),
    ("src/rules.rs", include_str!("../template/src/rules.rs")),
    ("src/action.rs", include_str!("../template/src/action.rs")),
    ("src/public.rs", include_str!("../template/src/public.rs")),
    ("src/world.rs", include_str!("../template/src/world.rs")),
    ("src/view.rs", include_str!("../template/src/view.rs")),
    ("src/shown.rs", include_str!("../template/src/shown.rs")),
    ("src/agents.rs", include_str!("../template/src/agents.rs")),
    ("src/kernels.rs", include_str!("../template/src/kernels.rs")),
    ("tests/laws.rs", include_str!("../template/tests/laws.rs")),
];

/// What each seat can imagine does not depend on the game's name.
const CENSUS: &str = include_str!("../template/tests/census.txt");

/// Whether a type of this name would meet another of a new game's sources.
fn is_in_template(type_name: &str) -> bool {
    let sources = FILES.iter().filter(|(path, _)| path.starts_with("src/"));
    let mut code = sources
        .flat_map(|(_, text)| text.lines())
        .filter(|line| !line.trim_start().starts_with("//"));
    code.any(|line| line.split(|c: char| !c.is_alphanumeric()).any(|word| word == type_name))
}

/// Whether a game that shares its folder with others has this name.
fn is_in_shared_folder(root: &Path, name: &str) -> bool {
    let folders = fs::read_dir(root.join("games")).into_iter().flatten().flatten();
    let rules = format!("rules/{name}.en.md");
    folders.map(|folder| folder.path().join(&rules)).any(|page| page.exists())
}

/// Makes the folder and the three entries that the tree needs; says what to do next.
pub(crate) fn make(root: &Path, name: &str) -> Result<String, String> {
    let plain = |part: &str| {
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        part.starts_with(|c: char| c.is_ascii_lowercase()) && part.chars().all(letter)
    };
    if !name.split('-').all(plain) {
        return Err(format!(
            "`{name}` is no name for a game: words of lower-case letters and digits, each beginning with a letter, with hyphens between them, such as hanabi or fan-tan"
        ));
    }
    let folder = root.join("games").join(name);
    if folder.exists() || is_in_shared_folder(root, name) {
        return Err(format!("there is a game {name} already"));
    }
    if root.join(name).exists() {
        return Err(format!("`{name}` is a folder of the project; choose another name"));
    }
    if name == "dice" {
        return Err("`dice` is the name of the template; choose another".to_owned());
    }
    if is_in_template(&capitalised(name, "")) {
        return Err(format!("`{name}` is the name of a part of every game; choose another"));
    }
    // All edits are worked out before the first file is written.
    let edits = edits(root, name)?;
    for (path, text) in FILES {
        let path = folder.join(path);
        let parent = path.parent().expect("a file in the game's folder");
        fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        write(&path, &named(text, name))?;
    }
    write(&folder.join("tests/census.txt"), CENSUS)?;
    for (path, text) in edits {
        write(&root.join(path), &text)?;
    }
    // The order of imports and the length of lines depend on the name.
    let package = format!("oboro-{name}");
    let commands = [
        vec!["update", "--workspace", "--offline"],
        vec!["fmt", "-p", &package, "-p", "oboro-catalog"],
    ];
    for arguments in commands {
        if !crate::cargo(root, &arguments, &[]) {
            return Err(format!("cargo {} failed", arguments.join(" ")));
        }
    }
    Ok(format!(
        "games/{name} is a whole game: two dice and what is said of them. Now make it yours.\n\
         \x20 cargo test -p oboro-{name}\n\
         \x20 cargo run --release -- match {name} ismcts random --games 200\n\
         \x20 cargo run --release -- play --text {name}\n"
    ))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// A name in hyphens with every word capitalised and `between` them.
fn capitalised(name: &str, between: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        format!("{}{rest}", first.to_uppercase())
    };
    name.split('-').map(word).collect::<Vec<_>>().join(between)
}

/// A template with the name of the game in it: in prose as words, which lints would otherwise take for code.
fn named(text: &str, name: &str) -> String {
    let title = capitalised(name, " ");
    // Dice alone, in lower case, are things of that game and stay.
    text.replace("# Dice\n", &format!("# {title}\n"))
        .replace("//! Dice: ", &format!("//! {title}: "))
        .replace("\"Dice, a game", &format!("\"{title}, a game"))
        .replace("oboro-dice", &format!("oboro-{name}"))
        .replace("oboro_dice", &format!("oboro_{}", name.replace('-', "_")))
        .replace("\"dice\"", &format!("\"{name}\""))
        .replace("bless NAME", &format!("bless {name}"))
        .replace("Dice", &capitalised(name, ""))
}

/// The files outside the game's folder that know its name, with their new texts.
fn edits(root: &Path, name: &str) -> Result<Vec<(&'static str, String)>, String> {
    let package = format!("oboro-{name}");
    let manifest = root.join("Cargo.toml");
    if fs::read_to_string(&manifest).is_ok_and(|text| text.contains(&format!("\n{package} ="))) {
        return Err(format!("there is a package {package} already; choose another name"));
    }
    let mut edits = Vec::new();
    let mut edit = |path: &'static str, changes: &[(&str, String)]| -> Result<(), String> {
        let mut text = fs::read_to_string(root.join(path)).map_err(|e| format!("{path}: {e}"))?;
        for (anchor, with) in changes {
            if !text.contains(anchor) {
                return Err(format!("{path}: `{anchor}` is not there; add the game by hand"));
            }
            text = text.replacen(anchor, with, 1);
        }
        edits.push((path, text));
        Ok(())
    };
    edit(
        "Cargo.toml",
        &[
            ("    \"catalog\",\n", format!("    \"games/{name}\",\n    \"catalog\",\n")),
            (
                "oboro-catalog = { ",
                format!(
                    "{package} = {{ version = \"{}\", path = \"games/{name}\" }}\noboro-catalog = {{ ",
                    env!("CARGO_PKG_VERSION")
                ),
            ),
        ],
    )?;
    edit(
        "catalog/Cargo.toml",
        &[(
            "oboro-geister.workspace = true\n",
            format!("{package}.workspace = true\noboro-geister.workspace = true\n"),
        )],
    )?;
    let (title, package) = (capitalised(name, " "), package.replace('-', "_"));
    let entry = format!(
        "        GameEntry::boxed(\n            \"{title}: one sentence about it\",\n            \"ismcts\",\n            \
         {package}::agents,\n            {package}::kernels,\n        ),\n    ];\n"
    );
    edit("catalog/src/lib.rs", &[("    ];\n", entry)])?;
    Ok(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entries_of_a_new_game_find_their_places_in_the_tree_of_today() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let edits = edits(root, "fan-tan").unwrap();
        assert_eq!(edits.len(), 3);
        assert!(edits[0].1.contains("\"games/fan-tan\",\n    \"catalog\""));
        assert!(edits[0].1.contains("path = \"games/fan-tan\" }\noboro-catalog = { version"));
        let entry = edits[2].1.find("oboro_fan_tan::agents,").unwrap();
        assert!(edits[2].1.contains("\"Fan Tan: one sentence"));
        assert!(edits[2].1[..entry].matches("GameEntry::boxed(").count() > 1, "as the others");
    }

    /// The old side of every change on the page is in the file it names, as it is after `new-game`.
    #[test]
    fn the_changes_of_the_tutorial_fit_a_new_game() {
        let page = include_str!("../../docs/tutorial/first-game.md");
        let mut changes = 0;
        for diff in page.split("```diff\n--- a/games/coins/").skip(1) {
            let (path, rest) = diff.split_once('\n').unwrap();
            let text =
                FILES.iter().find(|(name, _)| *name == path).expect("a file of a new game").1;
            let text = named(text, "coins");
            for hunk in rest.split("```").next().unwrap().split("@@\n").skip(1) {
                let lines = hunk.lines().take_while(|line| !line.starts_with("@@"));
                let old = lines.filter_map(|line| line.strip_prefix([' ', '-']));
                let old = old.collect::<Vec<_>>().join("\n");
                assert!(text.contains(&old), "{path} has no\n{old}");
                changes += 1;
            }
        }
        assert!(changes > 3, "the page has changes");
    }

    #[test]
    fn templates_speak_of_the_game_by_its_name() {
        let (_, rules) = FILES.iter().find(|(path, _)| *path == "src/rules.rs").unwrap();
        let rules = named(rules, "fan-tan");
        assert!(rules.contains("impl Game for FanTan") && rules.contains("\"fan-tan\""));
        assert!(rules.contains("let dice ="));
        for (path, text) in FILES {
            let text = named(text, "fan-tan");
            let is_page = Path::new(path).extension().is_some_and(|extension| extension == "md");
            let prose = |line: &&str| is_page || line.trim_start().starts_with("//");
            let found = text.lines().filter(prose).find(|line| line.contains("FanTan"));
            assert_eq!(found, None, "{path}: lints want a type in backticks");
        }
    }

    #[test]
    fn bad_names_are_refused() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let bad = ["", "Hanabi", "../x", "a b", "9lives", "朧", "dice", "fan-", "-tan", "a--b"];
        // Parts of the project, games that have or share a folder, and types that the sources use.
        let taken = ["core", "python", "sevens", "kuhn", "world", "seat", "agent-entry", "option"];
        for name in bad.into_iter().chain(taken) {
            assert!(make(root, name).is_err(), "{name}");
        }
    }
}
