use super::*;
use oboro_lab::{Driver, Experiment, GameResult, League, Numbers, Scale, leagues};
use std::collections::BTreeMap;
use std::path::Path;

const EXPERIMENT: &str = r#"
id = "small <b>"
title = "Small & simple"
game = "sevens"
seed = 5
games = { quick = 4, paper = 4, full = 4 }
published-n = 1000

[[match]]
id = "one"
agents = ["eval", "eval", "rule", "rule"]

[[table]]
id = "1"
title = "Scores"

[[table.row]]
label = "eval"
cells = [
    { label = "score", match = "one", value = "payoff[a]", published = "1.3" },
    { label = "far off", match = "one", value = "plies", published = "999.5" },
]
tests = [
    { kind = "paired", match = "one", x = "payoff[a]", y = "payoff[b]", claimed = 0.01 },
    { kind = "welch", match = "one", x = "payoff[b]", y = "payoff[a]", claimed = 0.01 },
]

[[figure]]
id = "2"
title = "Length"
kind = "histogram"
x = "plies"
y = "games"
series = [{ match = "one", value = "plies" }]

[[figure]]
id = "3"
title = "Both"
kind = "scatter"
x = "plies"
y = "score"
series = [{ match = "one", value = "plies", against = "payoff[a]" }]
"#;

fn games() -> Vec<GameResult> {
    (0..200)
        .map(|n| GameResult {
            n,
            seats: vec![0, 1, 0, 1],
            payoffs: if n % 3 == 0 {
                vec![0.0, 2.0, 4.0 / 3.0, 2.0 / 3.0]
            } else {
                vec![2.0, 0.0, 4.0 / 3.0, 2.0 / 3.0]
            },
            plies: 40 + (n % 5) as u32,
            facts: BTreeMap::from([("turns".to_owned(), Numbers::Game(1.0))]),
            forfeit: None,
        })
        .collect()
}

fn reproduction() -> Reproduction {
    let experiment = Experiment::parse("small.toml", EXPERIMENT).unwrap();
    let report = experiment.report(Scale::Quick, |_| games()).unwrap();
    let filled = ExperimentReport {
        folder: "results/small".into(),
        command: "oboro experiment small.toml".into(),
        version: "1".into(),
        commit: "c".into(),
        seed: "5".into(),
        report,
    };
    let study = Study { paper: None, experiments: vec![experiment] };
    let other = Study { paper: Some(&Paper::all()[0]), experiments: vec![] };
    Reproduction {
        format: Reproduction::FORMAT,
        scale: Scale::Quick,
        games: 12_345,
        papers: vec![StudyReport::new(&study, vec![filled]), StudyReport::new(&other, vec![])],
        leagues: vec![],
        exploitability: vec![],
        throughput: vec![Throughput {
            game: "sevens".into(),
            work: "w".into(),
            unit: "games".into(),
            per_second: 1_234_567.0,
        }],
        sessions: vec![Run {
            began: "2026-01-01 00:00".into(),
            seconds: 5,
            games: 20,
            machine: "<machine>".into(),
            threads: 2,
            version: "1".into(),
            commit: "c".into(),
        }],
    }
}

#[test]
fn the_same_results_give_the_same_bytes() {
    for language in Language::ALL {
        assert_eq!(reproduction().files(language), reproduction().files(language));
    }
}

#[test]
fn a_report_has_both_languages_markdown_json_and_every_figure() {
    let names: Vec<String> =
        reproduction().files(Language::Japanese).into_iter().map(|(name, _)| name).collect();
    let pages = ["index.html", "index.en.html", "small-b.html", "small-b.en.html", "more.html"];
    for name in pages.into_iter().chain(["report.md", "report.json"]) {
        assert!(names.iter().any(|n| n == name), "{name} in {names:?}");
    }
    for lang in ["en", "ja"] {
        for figure in ["table-1", "table-1-2", "figure-2", "figure-3"] {
            let name = format!("figures/{lang}/small-b-{figure}.svg");
            assert!(names.contains(&name), "{name} in {names:?}");
        }
    }
}

#[test]
fn pages_need_nothing_from_elsewhere_and_escape_what_they_are_given() {
    for (name, text) in reproduction().files(Language::English) {
        if Path::new(&name).extension().is_some_and(|ending| ending == "html") {
            let without_names = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!without_names.contains("http"), "{name} reaches out");
            assert!(!text.contains("<script") && !text.contains("<machine>"), "{name}");
            let is_front = name.starts_with("index.");
            assert!(!is_front || text.contains("Small &amp; simple"), "{name}");
            assert!(!name.starts_with("more.") || text.contains("&lt;machine&gt;"), "{name}");
            assert!(
                !text.contains("papers, played") && !text.contains("本の論文"),
                "{name} has but one"
            );
            for tag in
                ["table", "figure", "div", "details", "p", "ul", "tr", "td", "svg", "h4", "a"]
            {
                let opened = text.matches(&format!("<{tag}>")).count()
                    + text.matches(&format!("<{tag} ")).count();
                assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{name}: <{tag}>");
            }
        }
    }
}

#[test]
fn verdicts_are_counted_and_every_item_has_a_status() {
    let all = reproduction();
    let counts = all.papers[0].counts;
    assert_eq!((counts.compared, counts.too_few, counts.differ), (2, 1, 1));
    // Without results nothing is claimed of a paper.
    let (paper, study) = (&Paper::all()[0], &all.papers[1]);
    assert_eq!(study.items.len(), paper.items.len());
    let claims = [Status::Differs, Status::TooFewGames, Status::Redrawn, Status::Measured];
    assert!(study.items.iter().all(|item| !claims.contains(&item.status)));
    assert!(study.items.iter().any(|item| item.status == Status::NotReproducible));
    assert!(study.items.iter().any(|item| item.status == Status::NotRun));
}

/// A league whose agents are asked what they believe: `upp` answers, `random` does not.
#[test]
fn beliefs_of_a_league_are_shown_with_their_calibration() {
    let agents = ["random".to_owned(), "upp:playouts=4".to_owned()];
    let league = League::plan("sevens", &[], &agents, 4, "1".parse().unwrap()).unwrap();
    let table = |league: &League| {
        league.table(&Driver::new(1, &mut |_| ()).play_all(&league.wanted, None).unwrap())
    };
    assert!(table(&league).forecasts.is_empty(), "nobody asked");
    let table = table(&league.scoring_beliefs());
    let [forecast] = table.forecasts.as_slice() else { panic!("{:?}", table.forecasts) };
    assert!(forecast.agent.starts_with("upp") && forecast.beliefs > 0);
    let said: f64 = forecast.calibration.iter().map(|class| class.said).sum();
    assert!(said >= forecast.beliefs as f64, "every belief gives each value a probability");
    let entry = leagues().iter().find(|entry| entry.game == "sevens").unwrap();
    let all = Reproduction {
        leagues: vec![LeagueReport::new(entry, Scale::Quick, table)],
        ..reproduction()
    };
    let files = all.files(Language::English);
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    assert!(text("more.html").contains("mere counting"));
    assert!(text("more.ja.html").contains("較正"));
    assert!(text("figures/en/beliefs-sevens.svg").contains("as said"));
}

/// The sweep of a constant for which the paper gives no scores.
#[test]
fn a_table_without_published_numbers_is_measured() {
    let paper = Paper::named("sevens-2018").unwrap();
    let status = |games: fn() -> Vec<GameResult>| {
        let reports = paper.experiments().into_iter().map(|e| e.report(Scale::Quick, |_| games()));
        let reports: Vec<_> = reports.collect::<Result<_, _>>().unwrap();
        let items = paper.status(&reports);
        items.iter().find(|item| item.item == "Section 5.1.2").unwrap().status
    };
    assert_eq!(status(games), Status::Measured);
    assert_eq!(status(Vec::new), Status::NotRun);
}

#[test]
fn what_a_paper_calls_significant_is_tested_the_same_way_round() {
    let all = reproduction();
    let report = &all.papers[0].experiments[0].report;
    assert_eq!(report.claims(), (2, 1), "the first is ahead, so the second is not");
    let text = experiment_document(report).to_text();
    assert!(text.contains("p < 0.01") && text.contains("not significant"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Of 2 differences that the paper calls significant, 1 are"), "{text}");
    for bad in ["claimed = 1.0", "claimed = 0.0"] {
        let text = EXPERIMENT.replace("claimed = 0.01", bad);
        assert!(Experiment::parse("x", &text).is_err_and(|e| e.to_string().contains("claimed")));
    }
}

#[test]
fn a_few_games_are_called_too_few_in_both_languages() {
    let experiment = Experiment::parse("small.toml", EXPERIMENT).unwrap();
    let report = experiment.report(Scale::Quick, |_| games()[..8].to_vec()).unwrap();
    assert_eq!((report.counts.too_few, report.counts.compared), (1, 2));
    let text = experiment_document(&report).to_text();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("0 agree, 1 differs, 1 inside on too few games"), "{text}");
    let mut all = reproduction();
    let filled = ExperimentReport { report, ..all.papers[0].experiments[0].clone() };
    let study = Study { paper: None, experiments: vec![experiment] };
    all.papers[0] = StudyReport::new(&study, vec![filled]);
    assert_eq!((all.papers[0].counts.agree, all.papers[0].counts.too_few), (0, 1));
    for (language, word) in Language::ALL.into_iter().zip(["too few games", "対局不足"]) {
        let document = all.document(language, "other.html");
        assert!(document.to_html().contains(&format!("– {word}</td>")));
        assert!(document.to_markdown().contains(word));
    }
}

#[test]
fn every_paper_of_the_program_is_a_study_and_nothing_is_left_out() {
    let studies = Study::all();
    let count: usize = studies.iter().map(|study| study.experiments.len()).sum();
    assert_eq!(count, oboro_lab::papers().len());
    assert!(studies.iter().all(|study| !study.id().is_empty()));
}

#[test]
fn names_of_files_are_plain() {
    assert_eq!(slug("A.2, no voluntary pass"), "a.2-no-voluntary-pass");
    assert!(!slug("../x/y").contains('/'));
}

fn found() -> Exploitability {
    let line = |agent: &str, after, exploitability| Exploited {
        agent: agent.to_owned(),
        after,
        asked: None,
        exploitability,
        sampled: after.is_none(),
        error: if after.is_none() { 0.0625 } else { 0.0 },
        best: vec![0.5 + exploitability; 2],
        payoffs: vec![0.5; 2],
    };
    Exploitability {
        game: "geister-small".to_owned(),
        rules: String::new(),
        sets: Some(55_772),
        histories: Some(3),
        samples: 10,
        seed: "1".to_owned(),
        agents: vec![
            line("random", None, 0.1 + 0.2),
            line("cfr+:3", Some(1), 0.25),
            line("cfr+:3", Some(3), 0.125),
        ],
    }
}

#[test]
fn exploitability_is_computed_once_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let results = Results::of(folder.path());
    let [game, ..] = SmallGame::all() else { panic!("there are small games") };
    let computed = std::cell::Cell::new(0);
    let ask = |scale| {
        let compute = || {
            computed.set(computed.get() + 1);
            Ok(found())
        };
        results.exploitability::<oboro_lab::FolderError>(game, scale, compute)
    };
    let first = ask(Scale::Quick).unwrap();
    assert_eq!((&first, computed.get()), (&ask(Scale::Quick).unwrap(), 1), "it is kept");
    assert_eq!(first.found, found());
    assert!(first.command.starts_with("oboro exploit geister-small random runner cfr+:"));
    ask(Scale::Paper).unwrap();
    assert_eq!(computed.get(), 2, "of another scale nothing was known");
    let file = folder.path().join("results/exploit-geister-4x3-quick.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(&first.commit, "older")).unwrap();
    assert_eq!((ask(Scale::Quick).unwrap(), computed.get()), (first.clone(), 3), "another commit");
    std::fs::write(&file, "{").unwrap();
    assert!(ask(Scale::Quick).unwrap_err().to_string().contains("remove the file"));

    let all = Reproduction { exploitability: vec![first], ..reproduction() };
    let files = all.files(Language::English);
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    for (page, words) in [("more.html", "0.5 is hopeless"), ("more.ja.html", "0.5 は絶望的")] {
        assert!(text(page).contains(words) && text(page).contains("0.125"), "{page}");
    }
    // The picture has the last of each, the table all.
    assert_eq!(
        text("figures/en/exploitability-geister-4x3.svg").matches("<title>cfr+:3").count(),
        1
    );
    let row = "| cfr+:3 | 1 | 0.250 | | 0.750 / 0.750 |".split_whitespace();
    let mut rows = text("report.md").lines().map(str::split_whitespace);
    assert!(rows.any(|found| found.eq(row.clone())));
    assert!(text("report.json").contains("\"exploitability\": 0.125"));
    assert!(!reproduction().document(Language::English, "").to_html().contains("hopeless"));
}

/// A front page that said "0 of 55 numbers agree" beside "Tables: reproduced 8" once puzzled its readers.
#[test]
fn the_front_page_has_the_same_counts_as_the_papers_own() {
    let all = reproduction();
    let files = all.files(Language::English);
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    let line =
        "These 200 games: of 2 published numbers, 0 agree, 1 differs, 1 inside on too few games";
    for page in ["index.html", "small-b.html"] {
        assert!(text(page).contains(line), "{page}");
    }
    assert!(text("index.ja.html").contains("公表値 2 個のうち、一致が 0 個"));
    // All that were played, even by a session that was killed and told nothing.
    assert!(text("index.html").contains("12 345 games played"));
    // Of a larger run that is stored the front page has the line of the paper's own page, too, and no other.
    let mut larger = reproduction();
    let report = &larger.papers[0].experiments[0].report;
    let stored = StoredExperiment::new(report, "5", "oboro experiment small.toml".to_owned());
    larger.papers[0].stored = Some(StoredExperiment { games: 12_000, ..stored });
    let files = larger.files(Language::English);
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    assert!(text("index.html").contains("12 000 stored games: of 2 published numbers, 0 agree"));
    assert!(!text("index.html").contains("These 200 games"));
    let own = "12 000 stored games, <code>oboro experiment small.toml</code>: of 2 published numbers, 0 agree";
    assert!(text("small-b.html").contains(own) && text("small-b.html").contains("These 200 games"));
    let files = all.files(Language::English);
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    assert!(text("index.html").contains("href=\"small-b.html\""));
    assert!(text("small-b.html").contains("<details><summary>Numbers"), "numbers are folded");
    assert!(text("small-b.html").contains("Together: differs. 1 of 2 independent quantities"));
}

/// Threshold 1 of Labyrinth is as good a reading as ours, so its count stands beside ours wherever ours does.
#[test]
fn a_reading_that_is_an_equal_headline_has_its_count_on_the_front_page() {
    let study = Study { paper: Paper::named("labyrinth-2024"), experiments: vec![] };
    let all = Reproduction { papers: vec![StudyReport::new(&study, vec![])], ..reproduction() };
    let files = all.files(Language::English);
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    for page in ["index.html", "labyrinth-2024.html"] {
        assert!(text(page).contains("An equal reading, by the text (threshold 1)"), "{page}");
    }
    assert!(text("index.ja.html").contains("対等な読み方：本文による読み方"));
}

/// Three numbers of 157 are not three of three.
#[test]
fn a_part_of_the_printed_numbers_is_called_a_part() {
    let study = Study { paper: Paper::named("geister-gp-2022"), experiments: vec![] };
    let all = Reproduction { papers: vec![StudyReport::new(&study, vec![])], ..reproduction() };
    let files = all.files(Language::English);
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    let stored = study.paper.unwrap().stored.of("geister-gp-2022").unwrap();
    let part = format!("{} of 157 published numbers", stored.counts.compared);
    assert!(text("index.html").contains(&part) && text("geister-gp-2022.html").contains(&part));
    let line = "<!-- verdicts: papers x --><!-- end -->";
    let filled = fill_verdicts(line, Language::English).unwrap();
    assert!(filled.contains(&format!("| {} of 157 |", stored.counts.compared)), "{filled}");
    assert!(filled.contains("at most 100 games a match"), "{filled}");
    assert!(filled.contains("(x/labyrinth-2024.md), by the text (threshold 1) |"), "{filled}");
    let one = "<!-- verdicts: labyrinth-2024-readings reading content-at-1 --><!-- end -->";
    let filled = fill_verdicts(one, Language::English).unwrap();
    assert!(filled.contains("reading `content-at-1`: of 50 published numbers"), "{filled}");
    assert!(fill_verdicts(&one.replace(" content-at-1", ""), Language::English).is_err());
}

#[test]
fn stored_verdicts_are_read_back_as_they_were_written() {
    let all = reproduction();
    let report = &all.papers[0].experiments[0].report;
    let stored = StoredExperiment::new(report, "5", "oboro experiment small.toml".to_owned());
    assert_eq!((stored.games, stored.counts.compared, stored.tables.len()), (200, 2, 1));
    assert_eq!(stored.tables[0].status, Status::Differs);
    let mut results = StoredResults::default();
    results.put(StoredExperiment { games: 1, ..stored.clone() });
    results.put(stored.clone());
    let read = StoredResults::parse(&results.to_text()).unwrap();
    assert_eq!(read, results, "{}", results.to_text());
    assert_eq!(read.of("small <b>"), Some(&stored), "the later one");
    let error = fill_verdicts("<!-- verdicts: nothing --> <!-- end -->", Language::English);
    assert!(error.unwrap_err().contains("nothing is stored of `nothing`"));
    assert!(fill_verdicts("<!-- verdicts: papers x -->", Language::English).is_err(), "no end");
    let one = "<!-- verdicts: labyrinth-2024-readings tables READING --><!-- end -->";
    let fill = |name: &str| fill_verdicts(&one.replace("READING", name), Language::English);
    assert_eq!(fill("content-at-1").unwrap().matches("\n| ").count(), 2, "its head and its line");
    assert!(fill("nonsense").unwrap_err().contains("has no reading `nonsense`"));
}
