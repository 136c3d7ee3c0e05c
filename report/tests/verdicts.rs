//! Every count of verdicts in the documents is one that the tool wrote: the blocks between `<!-- verdicts: … -->` and `<!-- end -->` are
//! filled from `papers/PAPER/results.toml`, and nothing outside of them counts verdicts. What prose says became of a table is what is
//! stored, and so are the numbers of inferences that it quotes. `OBORO_BLESS=1` fills the blocks anew.

use oboro_lab::{Inference, NumberReport};
use oboro_report::{Language, Paper, Status, fill_verdicts};
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

/// The words of a line, without marks.
fn words(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '.'));
    let words = words.map(|word| word.trim_matches('.').to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

/// Small numbers in words.
const NUMBERS: [&str; 21] = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// Whether a line counts numbers by their verdict: a number and such a word close together, or `six numbers` and such a word.
fn counts_verdicts(line: &str) -> bool {
    const VERDICTS: [&str; 10] = [
        "agree",
        "agrees",
        "differ",
        "inside",
        "outside",
        "reproduced",
        "explained",
        "unexplained",
        "identified",
        "unidentified",
    ];
    let words = words(line);
    let is_verdict = |word: &String| VERDICTS.contains(&word.as_str());
    let is_digits = |word: &String| word.chars().all(|c| c.is_ascii_digit());
    let is_table = |word: &String| word.starts_with("table");
    // The numbers of tables count nothing.
    let is_count =
        |at: usize| is_digits(&words[at]) && !words[at.saturating_sub(4)..at].iter().any(is_table);
    let digits = (0..words.len())
        .any(|at| is_verdict(&words[at]) && (at.saturating_sub(2)..at).any(is_count));
    let spelled = words.windows(6).any(|near| {
        let counted = ["numbers", "tables", "cells"].contains(&near[1].as_str());
        NUMBERS[2..].contains(&near[0].as_str()) && counted && near[2..].iter().any(is_verdict)
    });
    let japanese = ["個が一致", "個が異なる", "個が相違", "個が範囲内", "個が再現", "個は一致"];
    digits || spelled || japanese.iter().any(|text| line.contains(text))
}

#[test]
fn prose_counts_no_verdicts_of_its_own() {
    assert!(counts_verdicts("of 55 numbers agree") && counts_verdicts("38 agree, 17 differ"));
    assert!(
        counts_verdicts("so 12 lie inside")
            && counts_verdicts("all six numbers that judge lie inside")
    );
    assert!(!counts_verdicts("The 2 000 games and the text differ by a point"));
    assert!(!counts_verdicts("**Tables 5 to 9 are not reproduced** by either."));
    for (path, text) in documents() {
        for line in outside(&text).lines().filter(|line| !line.starts_with('#')) {
            assert!(!counts_verdicts(line), "{}: {line}", path.display());
        }
    }
}

/// What a sentence says became of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    Reproduced,
    NotReproduced,
    Differs,
}

/// The tables that a line of English speaks of, and what it says became of them: `Tables 5 to 9 are not reproduced`.
fn said_of_tables(line: &str) -> Vec<(Vec<String>, Said)> {
    let words = words(line);
    let is_id = |word: &String| {
        word.chars().any(|c| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
    };
    let mut found = Vec::new();
    for (at, _) in words.iter().enumerate().filter(|(_, word)| word.starts_with("table")) {
        let mut tables: Vec<String> = Vec::new();
        let mut rest = words[at + 1..].iter().peekable();
        while let Some(word) =
            rest.next_if(|word| is_id(word) || ["to", "and"].contains(&word.as_str()))
        {
            let last = tables.last().and_then(|id| id.parse::<u32>().ok());
            match (word.as_str(), last, rest.peek().and_then(|id| id.parse::<u32>().ok())) {
                ("to", Some(first), Some(end)) => {
                    tables.extend((first + 1..end).map(|id| id.to_string()));
                }
                ("to" | "and", ..) => {}
                (id, ..) => tables.push(id.to_uppercase()),
            }
        }
        let rest: Vec<&str> = rest.map(String::as_str).take(3).collect();
        let said = match rest[..] {
            ["is" | "are", "not", "reproduced"] => Said::NotReproduced,
            ["is" | "are", "reproduced", ..] => Said::Reproduced,
            ["differs" | "differ", ..] => Said::Differs,
            _ => continue,
        };
        found.push((tables, said));
    }
    found
}

/// The same of Japanese: `表 5～9 は再現されない`.
fn said_of_tables_in_japanese(line: &str) -> Vec<(Vec<String>, Said)> {
    let line = line.replace('*', "");
    let sentences = line.split(['。', '、']);
    let found = sentences.filter_map(|sentence| {
        let (_, rest) = sentence.split_once("表 ")?;
        let (tables, said) = rest.split_once('は')?;
        let tables = tables.trim();
        let all: Vec<String> = match tables.split_once('～') {
            Some((first, last)) => {
                let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
                (first..=last).map(|id| id.to_string()).collect()
            }
            None if tables.chars().all(|c| c.is_ascii_alphanumeric() || c == '.') => {
                vec![tables.to_owned()]
            }
            None => return None,
        };
        let is_not = ["再現されない", "再現されていない", "再現できていない"];
        let said = if is_not.iter().any(|text| said.contains(text)) {
            Said::NotReproduced
        } else if said.contains("再現された") {
            Said::Reproduced
        } else if said.contains("相違") {
            Said::Differs
        } else {
            return None;
        };
        Some((all, said))
    });
    found.collect()
}

#[test]
fn what_prose_says_became_of_tables_is_what_is_stored() {
    let five_to_nine: Vec<String> = (5..=9).map(|id| id.to_string()).collect();
    assert_eq!(
        said_of_tables("- **Tables 5 to 9 are not reproduced** by either."),
        [(five_to_nine.clone(), Said::NotReproduced)]
    );
    assert_eq!(
        said_of_tables("Table 1 is reproduced, table A.1 differs."),
        [(vec!["1".to_owned()], Said::Reproduced), (vec!["A.1".to_owned()], Said::Differs)]
    );
    assert_eq!(
        said_of_tables_in_japanese("- **表 5～9 は再現されない。** 論文の"),
        [(five_to_nine, Said::NotReproduced)]
    );
    let mut checked = 0;
    for (path, text) in documents() {
        let name = path.to_string_lossy().into_owned();
        let Some(paper) = Paper::all().iter().find(|paper| name.contains(paper.id())) else {
            continue;
        };
        let stored = paper.stored.of(paper.id()).expect("a test wants it");
        for line in outside(&text).lines() {
            let said = match language(&path) {
                Language::English => said_of_tables(line),
                Language::Japanese => said_of_tables_in_japanese(line),
            };
            for (tables, said) in said {
                for id in tables {
                    let found = stored.tables.iter().find(|table| table.id == id);
                    let found = found.unwrap_or_else(|| panic!("{name}: no table {id}: {line}"));
                    let holds = match said {
                        Said::Reproduced => found.status == Status::Reproduced,
                        Said::NotReproduced => found.status != Status::Reproduced,
                        Said::Differs => found.status == Status::Differs,
                    };
                    assert!(holds, "{name}: table {id} is {:?}: {line}", found.status);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked >= 20, "only {checked}: the sentences are not understood");
}

/// A count as prose writes it.
fn spaced(number: u64) -> String {
    if number < 1000 {
        return number.to_string();
    }
    format!("{} {:03}", number / 1000, number % 1000)
}

/// Prose that counts readings counts those that were judged.
#[test]
fn prose_counts_readings_as_they_were_judged() {
    let read = |name: &str| {
        let text = fs::read_to_string(tree().join(name)).expect("a document of the tree");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (keeper, saboteur) = (inference("geister-keeper-2019"), inference("saboteur-2019"));
    let (of_keeper, of_saboteur) = (spaced(keeper.readings), spaced(saboteur.readings));
    let choices = |paper: &str| inference(paper).choices.len();
    let labyrinth = Paper::named("labyrinth-2024").expect("a paper");
    let readings = labyrinth.stored.of("labyrinth-2024-readings").expect("it is stored");
    // All but the two that are headlines.
    let more = NUMBERS[readings.tables.len() - 2];
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    for (name, said) in [
        ("docs/papers/geister-keeper-2019.md", format!("judges {of_keeper} settings")),
        ("papers/geister-keeper-2019/prose.en.md", format!("judged {of_keeper} settings")),
        ("papers/geister-keeper-2019/prose.ja.md", format!("{of_keeper} 通りの設定")),
        ("docs/papers/saboteur-2019.md", format!("least wrong of {of_saboteur} readings")),
        ("docs/papers/saboteur-2019.md", format!("of {} open points", choices("saboteur-2019"))),
        ("papers/saboteur-2019/prose.en.md", format!("judged {of_saboteur} combinations")),
        ("papers/saboteur-2019/prose.ja.md", format!("{of_saboteur} 通りの組み合わせを表")),
        (
            "docs/papers/labyrinth-2024.md",
            format!("{} open points", capital(NUMBERS[choices("labyrinth-2024")])),
        ),
        ("docs/papers/labyrinth-2024.md", format!("[{} more readings]", capital(more))),
    ] {
        assert!(read(name).contains(&said), "{name}: {said}");
    }
}

fn inference(paper: &str) -> Inference {
    let path = tree().join(format!("papers/{paper}/inferred.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// How a page writes a number of an inference.
type Written<'a> = &'a dyn Fn(&NumberReport) -> String;

/// Numbers of an inference that pages quote, with interval and games.
#[test]
fn pages_quote_numbers_of_inferences_as_they_are_stored() {
    let per_cent = |number: &NumberReport| {
        let [ours, low, high] =
            [Some(number.ours), number.low, number.high].map(|x| 100.0 * x.expect("a rate"));
        format!("{ours:.1} % ({low:.1} to {high:.1}; {})", number.n)
    };
    let score = |number: &NumberReport| {
        let [low, high] = [number.low, number.high].map(|x| x.expect("an interval"));
        format!("{:.3} ({low:.3} to {high:.3}; {})", number.ours, number.n)
    };
    let quoted: [(&str, [&str; 3], Written<'_>); 8] = [
        ("geister-keeper-2019", ["5", "both", "won"], &per_cent),
        ("geister-keeper-2019", ["8", "0", "won"], &per_cent),
        ("geister-keeper-2019", ["8", "3", "won"], &per_cent),
        ("geister-keeper-2019", ["6", "ABDH", "won"], &per_cent),
        ("geister-keeper-2019", ["GAT 2019", "", "won"], &per_cent),
        ("geister-keeper-2019", ["GAT 2019", "", "lost"], &per_cent),
        ("geister-gp-2022", ["printed", "algorithm 1", "5000 playouts"], &per_cent),
        ("sevens-2018", ["A.1", "rule : eval", "3:1 eval"], &score),
    ];
    for (paper, place, written) in quoted {
        let inference = inference(paper);
        let is_it =
            |number: &&NumberReport| [number.table.as_str(), &number.row, &number.cell] == place;
        let number = inference.numbers.iter().find(is_it).expect("a number of the inference");
        let page = fs::read_to_string(tree().join(format!("docs/papers/{paper}.md")));
        let text = written(number);
        assert!(page.expect("a page").contains(&text), "{paper} {place:?}: {text}");
    }
}
