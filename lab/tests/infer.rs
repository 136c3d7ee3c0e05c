//! Readings are told apart by what a known one printed, the same way on any number of threads and after a stop.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use oboro_core::Seed;
use oboro_lab::{
    Choices, Driver, Experiment, Folder, GameResult, Inference, InferencePlan, PaperFolder,
    Progress, Scale, play_all,
};
use std::path::Path;

/// What the paper of this test did: `order` and `lead` of its program are not in its text.
const TRUTH: (&str, &str) = ("take-run", "reds");

/// An experiment of a program and what it printed, if that is known.
fn experiment(order: &str, lead: &str, printed: &[String]) -> String {
    let spec = format!("rules={order},lead={lead},take=any");
    let published =
        |at: usize| printed.get(at).map_or(String::new(), |n| format!(", published = \"{n}\""));
    format!(
        r#"
        id = "toy"
        title = "A program that nobody has"
        game = "geister"
        seed = 5
        games = 400
        [[match]]
        id = "plain"
        agents = ["ssm-nk:{spec}", "random"]
        seats = "rotate"
        rules = {{ placements = "enumerate" }}
        [[match]]
        id = "keepers"
        agents = ["ssm:{spec}", "ssm-nk:{spec}"]
        seats = "rotate"
        rules = {{ placements = "enumerate" }}
        [[table]]
        id = "1"
        title = "against random"
        [[table.row]]
        label = "all"
        match = "plain"
        cells = [
            {{ label = "by escape", value = "won-by-escape[a]"{} }},
            {{ label = "by blues", value = "won-by-blues[a]"{} }},
        ]
        [[table]]
        id = "2"
        title = "keepers"
        [[table.row]]
        label = "all"
        match = "keepers"
        cells = [
            {{ label = "won", value = "won[a]"{} }},
            {{ label = "drawn", value = "draw"{} }},
        ]
        "#,
        published(0),
        published(1),
        published(2),
        published(3),
    )
}

const CHOICES: &str = r#"
    confirm = 100
    held-out = ["2/*/drawn"]
    [[choice]]
    name = "order"
    sets = ["ssm.rules", "ssm-nk.rules"]
    open = "nowhere"
    quote = "it takes and it runs"
    values = ["run", "take-run", "none"]
    played = "run"
    [[choice]]
    name = "lead"
    sets = ["ssm.lead", "ssm-nk.lead"]
    open = "nowhere"
    quote = "its pieces come nearer"
    values = ["blues", "reds"]
    played = "blues"
    [[stage]]
    fit = ["1"]
    games = 60
    keep = 4
    [[stage]]
    fit = ["2/all/won"]
    games = 200
    keep = 3
"#;

/// What the true reading prints, from games of another seed.
fn printed() -> Vec<String> {
    let text = experiment(TRUTH.0, TRUTH.1, &[]);
    let experiment = Experiment::parse("toy", &text).unwrap();
    let played: Vec<(String, Vec<GameResult>)> = experiment
        .matches(Scale::Quick, &Seed::from_u64(77))
        .into_iter()
        .map(|(id, the_match)| (id, play_all(&the_match, 2).unwrap()))
        .collect();
    let games = |id: &str| played.iter().find(|(known, _)| known == id).unwrap().1.clone();
    let report = experiment.report(Scale::Quick, games).unwrap();
    let cells = report.tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.cells);
    let counts = cells.map(|cell| {
        let ours = cell.ours.unwrap();
        format!("{:.0}/{}", ours.value * ours.n as f64, ours.n)
    });
    counts.collect()
}

fn infer(plan: &InferencePlan, out: &Path, threads: usize) -> Inference {
    let folder = Folder::create(out, plan.manifest(), false).unwrap();
    let mut quiet = |_: Progress<'_>| {};
    let mut driver = Driver::new(threads, &mut quiet);
    let mut inferring = plan.start();
    while inferring.is_judging() {
        driver.play_experiment(&inferring.wanted(), &folder).unwrap();
        inferring.judge(&folder).unwrap();
    }
    driver.play_experiment(&inferring.wanted(), &folder).unwrap();
    inferring.conclude(&folder).unwrap()
}

#[test]
fn the_reading_behind_printed_numbers_is_found() {
    let text = experiment("run", "blues", &printed());
    let plan = || {
        let choices = Choices::parse("choices", CHOICES).unwrap();
        InferencePlan::new(choices, "toy", &text, None, None).unwrap()
    };
    let place = tempfile::tempdir().unwrap();
    let found = infer(&plan(), &place.path().join("one"), 1);
    assert_eq!(found.readings, 6);
    assert_eq!(found.stages.iter().map(|stage| stage.kept).collect::<Vec<_>>(), [4, 3]);
    assert_eq!(found.best[0].values, [TRUTH.0, TRUTH.1], "{:?}", found.best);
    for choice in &found.choices {
        let (prior, posterior) =
            choice.values.iter().fold((0.0, 0.0), |sum, v| (sum.0 + v.prior, sum.1 + v.posterior));
        assert!((prior - 1.0_f64).abs() < 1e-9 && (posterior - 1.0_f64).abs() < 1e-9);
    }
    let order = &found.choices[0].values;
    let truth = order.iter().find(|value| value.value == TRUTH.0).unwrap();
    assert!(truth.posterior > 0.9, "{order:?}");
    assert!(found.birge_ratio < 1.5, "the truth is among the readings: {}", found.birge_ratio);
    let held_out: Vec<_> = found.numbers.iter().filter(|number| number.held_out).collect();
    assert_eq!(held_out.len(), 1);
    assert!(held_out[0].p > 0.01 && held_out[0].explained_by > 0, "{held_out:?}");
    assert!(found.numbers.iter().all(|number| number.n == 100), "games that judged nobody");
    // Stopped after the first stage and gone on with, by other threads.
    let place = place.path().join("two");
    let plan = plan();
    let folder = Folder::create(&place, plan.manifest(), false).unwrap();
    let first = plan.start().wanted();
    assert!(first.iter().all(|wanted| wanted.id.starts_with("plain.")), "keepers come later");
    Driver::new(2, &mut |_| {}).play_experiment(&first[..3], &folder).unwrap();
    drop(folder);
    assert_eq!(infer(&plan, &place, 2), found);
}

/// What a project plays is seldom what fits best, and a reader wants to know where it stands.
#[test]
fn the_reading_that_is_played_is_judged_in_every_stage() {
    let text = experiment("run", "blues", &printed());
    let place = tempfile::tempdir().unwrap();
    let run = |name: &str, from: &str, to: &str| {
        let choices = Choices::parse("choices", &CHOICES.replace(from, to)).unwrap();
        let plan = InferencePlan::new(choices, "toy", &text, None, None).unwrap();
        infer(&plan, &place.path().join(name), 2)
    };
    // Three of six readings go on from the first stage. The one that is played is judged all the same.
    let found = run("dropped", "keep = 4", "keep = 3");
    let played = found.played.expect("the choices say what is played");
    assert_eq!(played.reading.values, ["run", "blues"]);
    assert!(played.is_weighed && played.rank > 1 && played.rank <= played.of, "{played:?}");
    assert!(played.reading.judged_chi_square > found.stages[1].best_chi_square);
    assert_eq!((played.reading.fitted.numbers, played.reading.held_out.numbers), (3, 1));
    // Drawn readings need not contain it. It is judged beside them, and weighs nothing.
    let drawn = |name: &str, seed: u64| {
        let text = text.replace("seed = 5", &format!("seed = {seed}"));
        let choices = format!("readings = 3\n{}", CHOICES.replace("keep = 4", "keep = 3"));
        let choices = Choices::parse("choices", &choices).unwrap();
        let plan = InferencePlan::new(choices, "toy", &text, None, None).unwrap();
        assert_eq!(plan.readings(), 3);
        infer(&plan, &place.path().join(name), 2)
    };
    let beside = (0..20)
        .map(|seed| drawn(&seed.to_string(), seed))
        .find(|one| one.played.as_ref().is_some_and(|played| !played.is_weighed))
        .expect("three of six miss it every other time");
    let played = beside.played.as_ref().unwrap();
    assert_eq!((played.reading.posterior, played.of), (0.0, 4));
    let values = beside.choices.iter().flat_map(|choice| &choice.values);
    assert!((values.map(|value| value.posterior).sum::<f64>() - 2.0).abs() < 1e-9);
    // Where a choice does not say which of its values is played, it is judged as it is.
    let unsaid = run("unsaid", "played = \"run\"", "");
    let played = unsaid.played.unwrap();
    assert_eq!(played.reading.values, ["as-played", "blues"]);
    assert!(!played.is_weighed);
}

#[test]
fn what_no_reading_can_print_is_unexplained() {
    let mut numbers = printed();
    numbers[3] = "400/400".to_owned();
    let choices = Choices::parse("choices", CHOICES).unwrap();
    let text = experiment("run", "blues", &numbers);
    let plan = InferencePlan::new(choices, "toy", &text, None, None).unwrap();
    let place = tempfile::tempdir().unwrap();
    let found = infer(&plan, &place.path().join("run"), 2);
    let unexplained: Vec<&str> = found.unexplained().map(|number| number.cell.as_str()).collect();
    assert_eq!(unexplained, ["drawn"]);
    assert!(found.numbers.last().unwrap().p < 1e-6);
}

#[test]
fn numbers_and_values_that_do_not_fit_are_refused() {
    let text = experiment("run", "blues", &printed());
    let fault = |from: &str, to: &str| {
        let choices = Choices::parse("choices", &CHOICES.replace(from, to)).unwrap();
        InferencePlan::new(choices, "toy", &text, None, None).unwrap_err().to_string()
    };
    assert!(fault("\"2/all/won\"", "\"9\"").contains("`9` names no printed number"));
    assert!(fault("\"2/*/drawn\"", "\"1\"").contains("names no printed number"));
    assert!(fault("\"ssm.lead\"", "\"nobody.lead\"").contains("no match of the experiment has"));
    let bad_value = fault("\"take-run\"", "\"swim\"");
    assert!(bad_value.contains("rules=swim") && bad_value.contains("toy with swim"), "{bad_value}");
}

#[test]
fn the_choices_of_every_paper_fit_its_experiment() {
    let mut papers = 0;
    for paper in PaperFolder::with_choices() {
        let text = paper.file("choices.toml").unwrap();
        let choices = Choices::parse(paper.id, text).unwrap_or_else(|error| panic!("{error}"));
        let experiment = paper.file(choices.experiment()).expect("its experiment");
        let plan = InferencePlan::new(choices, paper.id, experiment, None, None);
        let plan = plan.unwrap_or_else(|error| panic!("{error}"));
        assert!(plan.readings() > 10, "{}", paper.id);
        papers += 1;
        if paper.id == "labyrinth-2024" {
            // Its numbers are of pools, and a pool needs the games of all its matches.
            let wanted = plan.start().wanted();
            for id in ["distance.00001", "distance-first.00001"] {
                assert!(wanted.iter().any(|wanted| wanted.id == id), "{id}");
            }
        }
    }
    assert_eq!(papers, PaperFolder::all().len());
}
