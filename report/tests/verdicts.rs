//! Every count of verdicts in the documents is one that the tool wrote: the blocks between `<!-- verdicts: … -->` and `<!-- end -->` are
//! filled from `papers/PAPER/results.toml`, and nothing outside of them counts verdicts. `OBORO_BLESS=1` fills them anew.

use oboro_report::{Language, Paper, fill_verdicts};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The page with all that was inferred.
const INFERRED: &str = "docs/papers/inferred.md";

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the tree").to_owned()
}

/// The documents that speak of verdicts: path and text.
fn documents() -> Vec<(PathBuf, String)> {
    let mut files: Vec<PathBuf> = [
        "README.md",
        "README.ja.md",
        "CHANGELOG.md",
        "docs/results.md",
        "docs/papers/readings.md",
        INFERRED,
    ]
    .iter()
    .map(|name| tree().join(name))
    .collect();
    for paper in Paper::all() {
        files.push(tree().join(format!("docs/papers/{}.md", paper.id())));
        for language in Language::ALL {
            let name = format!("papers/{}/prose.{}.md", paper.id(), language.code());
            files.push(tree().join(name));
        }
    }
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a document of the tree");
    files.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

fn language(path: &Path) -> Language {
    let is_japanese = path.to_string_lossy().ends_with(".ja.md");
    if is_japanese { Language::Japanese } else { Language::English }
}

#[test]
fn blocks_of_verdicts_are_what_is_stored() {
    for (path, text) in documents() {
        let filled = fill_verdicts(&text, language(&path))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if env::var_os("OBORO_BLESS").is_some() {
            fs::write(&path, &filled).expect("the document can be written");
        } else {
            assert_eq!(filled, text, "{}: OBORO_BLESS=1 fills it anew", path.display());
        }
    }
}

#[test]
fn every_paper_has_stored_verdicts_and_the_readmes_and_its_page_show_them() {
    for paper in Paper::all() {
        let stored = paper.stored.of(paper.id());
        let stored = stored.unwrap_or_else(|| panic!("nothing is stored of {}", paper.id()));
        assert!(stored.counts.compared > 0 && stored.games > 0, "{}", paper.id());
        assert!(stored.command.contains(paper.id()), "{}", stored.command);
        let page = fs::read_to_string(tree().join(format!("docs/papers/{}.md", paper.id())));
        let page = page.expect("a paper has a page");
        assert!(page.contains(&format!("<!-- verdicts: {} -->", paper.id())), "{}", paper.id());
        let is_inferred = tree().join(format!("papers/{}/inferred.json", paper.id())).exists();
        let inferred = fs::read_to_string(tree().join(INFERRED)).expect("a document of the tree");
        for (page, part) in [(&page, "inferred"), (&inferred, "inferred tables")] {
            let block = format!("<!-- verdicts: {} {part} -->", paper.id());
            assert_eq!(page.contains(&block), is_inferred, "{}: {part}", paper.id());
        }
    }
    for (name, folder) in [
        ("README.md", "docs/papers"),
        ("README.ja.md", "docs/papers"),
        ("docs/results.md", "papers"),
    ] {
        let text = fs::read_to_string(tree().join(name)).expect("a document of the tree");
        assert!(text.contains(&format!("<!-- verdicts: papers {folder} -->")), "{name}");
    }
}

/// A text without its blocks of verdicts.
fn outside(text: &str) -> String {
    let mut parts = text.split("<!-- verdicts: ");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once("<!-- end -->").map_or("", |(_, after)| after));
    first + &rest.collect::<String>()
}

/// Whether a line counts numbers that agree or differ: a number and such a word close together.
fn counts_verdicts(line: &str) -> bool {
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_verdict = |word: &str| ["agree", "agrees", "differ"].contains(&word);
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let near = words.windows(3).any(|near| {
        let verdict = near.iter().position(|word| is_verdict(word));
        verdict.is_some_and(|at| near[..at].iter().any(|word| is_number(word)))
    });
    near || ["個が一致", "個が異なる", "個が相違"].iter().any(|text| line.contains(text))
}

#[test]
fn prose_counts_no_verdicts_of_its_own() {
    assert!(counts_verdicts("of 55 numbers agree") && counts_verdicts("38 agree, 17 differ"));
    assert!(!counts_verdicts("The 2 000 games and the text differ by a point"));
    for (path, text) in documents() {
        for line in outside(&text).lines().filter(|line| !line.starts_with('#')) {
            assert!(!counts_verdicts(line), "{}: {line}", path.display());
        }
    }
}
