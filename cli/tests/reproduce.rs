//! The report of `oboro reproduce`: its numbers are those of the result files, recomputed here from the files alone
//! (nothing of the lab is used), and those that `oboro experiment` prints.
#![allow(clippy::unwrap_used, reason = "helpers of a test: what is missing fails it")]

use crate::common;

use common::{files, refuses, works};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const EXPERIMENT: &str = r#"
id = "small"
title = "A small experiment"
game = "sevens"
seed = 5
games = 3200
published-n = 1000

[[match]]
id = "one"
agents = ["eval", "eval", "rule", "rule"]

[[match]]
id = "two"
agents = ["random", "rule", "rule", "rule"]
seats = "rotate"

[[table]]
id = "1"
title = "Scores"

[[table.row]]
label = "eval : rule"
match = "one"
cells = [
    { label = "eval", value = "payoff[a]", published = "1.18" },
    { label = "rule", value = "payoff[b]", published = "0.82", published-n = 100 },
    { label = "length", value = "plies", published = "11.5" },
    { label = "eval leads", value = "payoff[a]", where = ["first[a]=1"] },
    { label = "how often it leads", value = "first[a]", published = "0.50" },
    { label = "wins", value = "win[a]" },
    { label = "of the first seat", value = "payoff[0]" },
]
tests = [{ kind = "paired", x = "payoff[a]", y = "payoff[b]" }]

[[table.row]]
label = "random : rule"
match = "two"
cells = [{ label = "long games", value = "payoff[a]", where = ["plies>=50", "first[a]!=1"] }]

[[figure]]
id = "lengths"
title = "How long games are"
kind = "histogram"
x = "plies"
y = "games"
series = [{ match = "one", value = "plies" }]

[[figure]]
id = "both"
title = "Length and score"
kind = "scatter"
x = "plies"
y = "score"
series = [{ match = "two", value = "plies", against = "payoff[a]" }]
"#;

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn games(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// `payoff[a]` and the like, of one game as its line says it.
fn measure(game: &Value, what: &str) -> Option<f64> {
    let list = |value: &Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    };
    let (name, of) = what.split_once('[').map_or((what, None), |(n, r)| (n, r.chars().next()));
    let (seats, payoffs) = (list(&game["seats"]), list(&game["payoffs"]));
    let Some(of) = of else { return game[name].as_f64() };
    if let Some(seat) = of.to_digit(10) {
        return Some(payoffs[seat as usize]);
    }
    let entrant = f64::from(of as u32 - 'a' as u32);
    let own: Vec<usize> = (0..seats.len()).filter(|&seat| seats[seat] == entrant).collect();
    Some(match name {
        "payoff" => own.iter().map(|&seat| payoffs[seat]).sum::<f64>() / own.len() as f64,
        "first" => f64::from(u8::from(seats[0] == entrant)),
        "win" => {
            let best = payoffs.iter().copied().fold(0.0, f64::max);
            let winners = payoffs.iter().filter(|&&p| p == best).count();
            own.iter().filter(|&&seat| payoffs[seat] == best).count() as f64 / winners as f64
        }
        other => panic!("no {other} here"),
    })
}

fn passes(game: &Value, filter: &str) -> bool {
    for sign in ["!=", ">=", "="] {
        if let Some((what, number)) = filter.split_once(sign) {
            let (value, number) = (measure(game, what).unwrap(), number.parse::<f64>().unwrap());
            return match sign {
                "!=" => value != number,
                ">=" => value >= number,
                _ => value == number,
            };
        }
    }
    panic!("{filter}")
}

/// The 97.5 % point of Student's t by the expansion of Cornish and Fisher, good to eight digits from 30 degrees on.
fn t_point(df: f64) -> f64 {
    let z = 1.959_963_984_540_054_f64;
    let p = |power: i32| z.powi(power);
    z + (p(3) + z) / (4.0 * df)
        + (5.0 * p(5) + 16.0 * p(3) + 3.0 * z) / (96.0 * df.powi(2))
        + (3.0 * p(7) + 19.0 * p(5) + 17.0 * p(3) - 15.0 * z) / (384.0 * df.powi(3))
        + (79.0 * p(9) + 776.0 * p(7) + 1482.0 * p(5) - 1920.0 * p(3) - 945.0 * z)
            / (92_160.0 * df.powi(4))
}

/// Wilson's interval of a share seen in `n` trials.
fn wilson(share: f64, n: f64) -> (f64, f64) {
    let z2 = 1.959_963_984_540_054_f64.powi(2);
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = (z2 * (share * (1.0 - share) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    (centre - half, centre + half)
}

fn is_rate(values: &[f64]) -> bool {
    values.iter().all(|v| *v == 0.0 || *v == 1.0)
}

/// Mean and 95 % interval: Wilson's for a rate and, with as many trials as vary as much, for a mean in a range; Student's
/// otherwise.
fn estimate(values: &[f64], deals: &[u64], range: Option<(f64, f64)>) -> (f64, f64, f64) {
    let games = values.len() as f64;
    let mean = values.iter().sum::<f64>() / games;
    // Games of one deal are worth fewer than they are.
    let mut by_deal: BTreeMap<u64, f64> = BTreeMap::new();
    for (value, deal) in values.iter().zip(deals) {
        *by_deal.entry(*deal).or_default() += value - mean;
    }
    let count = by_deal.len() as f64;
    let clustered: f64 = by_deal.values().map(|d| d * d).sum::<f64>() * count / (count - 1.0);
    let single: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let effect = (clustered / (single * games / (games - 1.0))).max(1.0);
    let n = (games / effect).floor();
    let thinning = (n - 1.0) / (games - 1.0);
    if is_rate(values) && effect == 1.0 {
        let (low, high) = wilson(mean, n);
        return (mean, low, high);
    }
    if let Some((low, high)) = range {
        let share = |value: f64| (value - low) / (high - low);
        let full = share(mean) * (1.0 - share(mean));
        let squares: f64 =
            values.iter().map(|v| (share(*v) - share(mean)).powi(2)).sum::<f64>() * thinning;
        let trials = n * full / ((squares + full) / (n + 1.0));
        let ends = wilson(share(mean), trials);
        return (mean, low + ends.0 * (high - low), low + ends.1 * (high - low));
    }
    let variance = single / (games - 1.0);
    let half = t_point(n - 1.0) * (variance / n).sqrt();
    (mean, mean - half, mean + half)
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .map_or(vec![], |all| all.iter().map(|v| v.as_str().unwrap().to_owned()).collect())
}

fn close(ours: &Value, theirs: f64, what: &str) {
    let ours = ours.as_f64().unwrap();
    assert!((ours - theirs).abs() < 1e-6, "{what}: the report says {ours}, the games {theirs}");
}

#[test]
fn every_number_can_be_recomputed_from_the_result_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), EXPERIMENT).unwrap();
    works(folder.path(), &["reproduce", "small.toml", "--out", "r"]);
    let report = json(&folder.path().join("r/report.json"));
    let experiment = &report["papers"][0]["experiments"][0];
    let results = folder.path().join("r").join(experiment["folder"].as_str().unwrap());
    let mut cells = 0;
    let mut verdicts = BTreeSet::new();
    for row in experiment["report"]["tables"][0]["rows"].as_array().unwrap() {
        for cell in row["cells"].as_array().unwrap() {
            let (the_match, value) =
                (cell["match"].as_str().unwrap(), cell["value"].as_str().unwrap());
            let filters = strings(&cell["where"]);
            let per_deal = if the_match == "two" { 4 } else { 1 };
            let (deals, values): (Vec<u64>, Vec<f64>) =
                games(&results.join(format!("{the_match}.jsonl")))
                    .iter()
                    .filter(|game| filters.iter().all(|filter| passes(game, filter)))
                    .filter_map(|game| {
                        Some((game["n"].as_u64().unwrap() / per_deal, measure(game, value)?))
                    })
                    .unzip();
            let what = format!("{} {value} {filters:?}", cell["label"]);
            assert_eq!(cell["ours"]["n"].as_u64().unwrap(), values.len() as u64, "{what}");
            let all = games(&results.join(format!("{the_match}.jsonl")));
            let payoffs = || all.iter().flat_map(|game| game["payoffs"].as_array().unwrap());
            let payoffs: Vec<f64> = payoffs().map(|payoff| payoff.as_f64().unwrap()).collect();
            let range = match value.split('[').next().unwrap() {
                "payoff" => Some((
                    payoffs.iter().copied().fold(f64::INFINITY, f64::min),
                    payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                )),
                "win" | "first" => Some((0.0, 1.0)),
                _ => None,
            };
            let (mean, low, high) = estimate(&values, &deals, range);
            close(&cell["ours"]["value"], mean, &what);
            if values.len() > 30 {
                close(&cell["ours"]["interval"]["low"], low, &what);
                close(&cell["ours"]["interval"]["high"], high, &what);
            }
            if let Some(published) = cell["published"].as_str() {
                let published: f64 = published.parse().unwrap();
                let bound = |end: &str| cell["expected"][end].as_f64().unwrap();
                let inside = (bound("low")..=bound("high")).contains(&published);
                // Two published standard errors, one point at least and ten at most, must reach beyond.
                let (n, k) = (values.len() as f64, cell["published_n"].as_f64().unwrap());
                let (error, two_errors) = ((1.0 / n + 1.0 / k).sqrt(), 2.0 / k.sqrt());
                let share = (mean * n + 0.5) / (n + 1.0);
                let deviation = (share * (1.0 - share)).sqrt();
                let tells = if is_rate(&values) {
                    1.96 * deviation * error <= (two_errors * deviation).clamp(0.01, 0.1)
                } else {
                    1.96 * error <= two_errors.clamp(0.025, 0.25)
                };
                let verdict = match (inside, tells) {
                    (false, _) => "differs",
                    (true, true) => "agrees",
                    (true, false) => "too-few-games",
                };
                assert_eq!(cell["verdict"], verdict, "{what}");
                verdicts.insert(verdict);
            }
            cells += 1;
        }
    }
    assert_eq!(cells, 8);
    assert!(verdicts.contains("agrees") && verdicts.contains("too-few-games"), "{verdicts:?}");
    let figures = &experiment["report"]["figures"];
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    for game in games(&results.join("one.jsonl")) {
        *counts.entry(measure(&game, "plies").unwrap() as i64).or_default() += 1;
    }
    let drawn: Vec<(i64, u64)> = figures[0]["series"][0]["counts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair[0].as_f64().unwrap() as i64, pair[1].as_u64().unwrap()))
        .collect();
    assert_eq!(drawn, counts.into_iter().collect::<Vec<_>>());
    let pairs = figures[1]["series"][0]["pairs"].as_array().unwrap();
    assert_eq!(pairs.iter().map(|pair| pair[2].as_u64().unwrap()).sum::<u64>(), 3200);

    let printed = works(folder.path(), &["experiment", "small.toml", "--json", "--out", "e"]);
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(printed, experiment["report"], "the same numbers as oboro experiment prints");
}

#[test]
fn a_second_run_plays_nothing_and_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), EXPERIMENT).unwrap();
    let run = |threads: &str, out: &str, lang: &str| {
        let arguments =
            ["reproduce", "small.toml", "--out", out, "--threads", threads, "--lang", lang];
        works(folder.path(), &arguments);
        files(&folder.path().join(out))
    };
    let first = run("1", "r", "ja");
    assert!(String::from_utf8_lossy(&first[Path::new("index.html")]).contains("lang=\"ja\""));
    assert_eq!(first, run("2", "r", "ja"));
    let other = run("2", "s", "en");
    let papers = |files: &BTreeMap<PathBuf, Vec<u8>>| -> Value {
        let text = &files[Path::new("report.json")];
        serde_json::from_slice::<Value>(text).unwrap()["papers"].clone()
    };
    assert_eq!(papers(&first), papers(&other), "threads and language change no number");
}

#[test]
fn a_paper_that_does_not_exist_is_said_to_with_a_guess() {
    let folder = tempfile::tempdir().unwrap();
    let message = refuses(folder.path(), &["reproduce", "sevens-2017"]);
    assert!(message.contains("did you mean `sevens-2018`"), "{message}");
    assert!(!folder.path().join("report").exists(), "nothing is made");
}

#[test]
fn a_game_whose_kernels_are_translated_has_all_of_them_in_japanese() {
    let place = "report/src/words/ja.toml";
    let words: BTreeMap<String, String> =
        toml::from_str(include_str!("../../report/src/words/ja.toml")).unwrap();
    let mut translated = 0;
    for game in oboro_catalog::games() {
        let kernels = game.kernels();
        let names = kernels.iter().flat_map(|kernel| {
            [format!("work: {}", kernel.name), format!("unit: {}", kernel.unit)]
        });
        let (known, missing): (Vec<_>, Vec<_>) = names.partition(|name| words.contains_key(name));
        if known.iter().any(|name| name.starts_with("work")) {
            assert!(missing.is_empty(), "{}: add to {place}: {missing:?}", game.name());
            translated += 1;
        }
    }
    assert!(translated >= 4, "{translated}");
}
