//! `docs/results.md` claims what `docs/claims.toml` says, and the first games of most claims come out as they are pinned there.
#![allow(clippy::unwrap_used, reason = "helpers of a test: what is missing fails it")]

use crate::common;

use common::works;
use oboro_lab::{Folder, Match};
use serde::Deserialize;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    claim: Vec<Claim>,
}

/// See the head of `docs/claims.toml`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    question: String,
    printed: String,
    command: String,
    value: Option<f64>,
    interval: Option<[f64; 2]>,
    games: Option<u64>,
    first: Option<Vec<(f64, u32)>>,
    why: Option<String>,
}

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn claims() -> Vec<Claim> {
    let text = document("docs/claims.toml");
    toml::from_str::<Claims>(&text)
        .unwrap_or_else(|error| panic!("docs/claims.toml: {error}"))
        .claim
}

/// The rows of the table of results: question and answer.
fn rows() -> Vec<(String, String)> {
    let text = document("docs/results.md");
    let table = text.split("| question | answer").nth(1).expect("the page has a table of results");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [question, answer] = cells[..] else { panic!("two columns: {line}") };
        (question.to_owned(), answer.to_owned())
    })
    .collect()
}

/// What stands in brackets with a `to` in it: intervals.
fn intervals(text: &str) -> Vec<&str> {
    let brackets = text.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    brackets.filter(|inside| inside.contains(" to ")).collect()
}

/// Whether a text shows a number, as a share or in per cent, with however many decimals.
fn shows(text: &str, number: f64) -> bool {
    let words: Vec<&str> = text.split(|c: char| !(c.is_ascii_digit() || c == '.')).collect();
    let written = |scaled: f64, decimals: usize| format!("{:.decimals$}", scaled.abs());
    [number, 100.0 * number].into_iter().any(|scaled| {
        (0..5).any(|decimals| {
            let exact = (scaled.abs() - written(scaled, decimals).parse::<f64>().unwrap()).abs();
            exact < 1e-9 && words.contains(&written(scaled, decimals).as_str())
        })
    })
}

#[test]
fn the_results_and_the_claims_say_the_same() {
    let (rows, claims) = (rows(), claims());
    assert!(!rows.is_empty());
    for (question, answer) in &rows {
        let own: Vec<&Claim> = claims.iter().filter(|claim| claim.question == *question).collect();
        assert!(!own.is_empty(), "docs/claims.toml has nothing for the row `{question}`");
        for interval in intervals(answer) {
            let is_claimed = own.iter().any(|claim| claim.printed.contains(interval));
            assert!(is_claimed, "`{question}`: no claim has the interval ({interval})");
        }
        for claim in own {
            assert!(answer.contains(&claim.printed), "`{question}`: not `{}`", claim.printed);
        }
    }
    for claim in &claims {
        let is_row = rows.iter().any(|(question, _)| *question == claim.question);
        assert!(is_row, "docs/results.md has no row `{}`", claim.question);
    }
}

#[test]
fn every_claim_has_its_command_and_its_figures() {
    for claim in claims() {
        let name = &claim.question;
        let command = format!("{}`", claim.command);
        assert!(command.starts_with("oboro ") && name.contains(&command), "{name}: {command}");
        assert!(claim.first.is_some() || claim.why.is_some(), "{name}: played again, or why not?");
        let (Some(value), Some([low, high]), Some(games)) =
            (claim.value, claim.interval, claim.games)
        else {
            assert!(claim.first.is_none(), "{name}: what is played again has a figure");
            continue;
        };
        assert!(low <= value && value <= high, "{name}");
        assert!(shows(&claim.printed, value), "{name}: `{}` has no {value}", claim.printed);
        let shown = intervals(&claim.printed);
        let is_shown = |inside: &&str| shows(inside, low) && shows(inside, high);
        assert!(shown.is_empty() || shown.iter().any(is_shown), "{name}: {low} to {high}");
        assert!(claim.command.contains(&format!("--games {games}")), "{name}: {games} games");
        assert!(claim.command.contains("--seed "), "{name}: its seed");
    }
}

/// Plays the first games of a claim again: the payoff of its first agent and the actions of each game.
fn play_again(claim: &Claim, games: usize, here: &Path) -> Vec<(f64, u32)> {
    let all = format!("--games {}", claim.games.unwrap());
    let fewer = claim.command.replace(&all, &format!("--games {games}"));
    let mut words: Vec<&str> = fewer.split(' ').skip(1).collect();
    words.extend(["--out", "games"]);
    works(here, &words);
    let folder = Folder::open(&here.join("games")).unwrap();
    let played = folder.read_games(Match::FILE, 0).unwrap();
    played.iter().map(|game| (game.mean_of(&game.payoffs, 0).unwrap(), game.plies)).collect()
}

#[test]
fn the_first_games_of_the_claims_are_those_that_are_pinned() {
    let mut changed = Vec::new();
    for claim in claims() {
        let Some(first) = &claim.first else { continue };
        assert!(first.len() >= 2, "`{}`: two games at least", claim.question);
        let here = tempfile::tempdir().unwrap();
        let found = play_again(&claim, first.len(), here.path());
        if found != *first {
            let found: Vec<String> =
                found.iter().map(|(payoff, plies)| format!("[{payoff:?}, {plies}]")).collect();
            changed.push(format!("{}\nfirst = [{}]", claim.command, found.join(", ")));
        }
    }
    assert!(
        changed.is_empty(),
        "these agents play other games than when the claim was made; measure the claim anew, then pin:\n{}",
        changed.join("\n")
    );
}

#[test]
fn figures_are_found_in_texts() {
    assert!(shows("90.4 % (88.6 to 92.2)", 0.904) && !shows("90.4 % (88.6 to 92.2)", 0.94));
    assert_eq!(intervals("a (1 to 2), b (see c)"), ["1 to 2"]);
}
