//! The documentation as a whole: its links lead somewhere, its index is complete, and its pages are short.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the tree").to_owned()
}

/// Every Markdown file of the repository that people read: its path from the root, and its text.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut folders = vec![tree().join("docs"), tree().join(".github")];
    let mut files: Vec<PathBuf> =
        fs::read_dir(tree()).unwrap().map(|e| e.unwrap().path()).collect();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for path in files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let name = path.strip_prefix(tree()).unwrap().to_string_lossy().into_owned();
        pages.push((name, fs::read_to_string(path).unwrap()));
    }
    pages
}

/// What is not code: every second part between fences.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// The targets of links, `[text](target)`.
fn links(text: &str) -> Vec<String> {
    let parts = prose(text);
    let targets = parts.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    targets.map(ToOwned::to_owned).collect()
}

/// The anchor that a heading gets on GitHub.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for (name, text) in pages() {
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (path, heading) = link.split_once('#').unwrap_or((&link, ""));
            let own = tree().join(&name);
            let target = if path.is_empty() { own } else { own.parent().unwrap().join(path) };
            let is_page = target.extension().is_some_and(|end| end == "md");
            let known = heading.is_empty() || !is_page || {
                let text = fs::read_to_string(&target).unwrap_or_default();
                text.lines().any(|line| line.starts_with('#') && anchor(line) == heading)
            };
            if !target.exists() || !known {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links: {broken:#?}");
}

#[test]
fn the_index_names_every_page() {
    let index = fs::read_to_string(tree().join("docs/README.md")).unwrap();
    let named = links(&index);
    for (name, _) in pages() {
        let Some(page) = name.strip_prefix("docs/").filter(|page| *page != "README.md") else {
            continue;
        };
        assert!(named.iter().any(|link| link == page), "docs/README.md does not name {page}");
    }
}

#[test]
fn pages_are_short_unless_they_are_generated() {
    let shelves =
        ["tutorial", "how-to", "reference", "explanation", "notes", "decisions", "papers"];
    for (name, text) in pages() {
        let is_shelved = shelves.iter().any(|shelf| name.starts_with(&format!("docs/{shelf}/")));
        let is_generated = text.lines().take(5).any(|line| line.contains("generated"));
        let words = text.split_whitespace().count();
        let is_root = ["ARCHITECTURE.md", "CONTRIBUTING.md"].contains(&name.as_str());
        if (is_shelved || is_root) && !is_generated {
            assert!(words <= 1500, "{name} has {words} words");
        }
    }
    let readme = fs::read_to_string(tree().join("README.md")).unwrap();
    assert!(readme.lines().count() < 100, "the README has {} lines", readme.lines().count());
}

/// Both READMEs repeat some results; every interval they print is one of the page of results.
#[test]
fn the_readmes_repeat_results_and_make_no_others() {
    let results = fs::read_to_string(tree().join("docs/results.md")).unwrap();
    for name in ["README.md", "README.ja.md"] {
        let text = fs::read_to_string(tree().join(name)).unwrap().replace('〜', " to ");
        let brackets = text.split(['(', '（']).skip(1);
        let intervals = brackets.filter_map(|rest| rest.split([')', '）', '、']).next());
        let intervals: Vec<&str> = intervals.filter(|inside| inside.contains(" to ")).collect();
        assert!(intervals.len() >= 6, "{name} has a table of results");
        for interval in intervals {
            assert!(results.contains(&format!("({interval})")), "{name}: ({interval})");
        }
    }
}
