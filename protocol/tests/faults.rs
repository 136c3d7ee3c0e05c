//! What programs can do wrong: each costs one game, with the reason in the record, and the next game is another game.
#![cfg(unix)]

use crate::shell;
use crate::tcp;

use oboro_core::Seed;
use oboro_protocol::check;
use shell::{lives, script};

/// Why the program lost its first two games.
fn reasons(spec: &str) -> [String; 2] {
    let table = tcp::table("geister", &[]);
    [0, 1].map(|n| {
        let played = tcp::play(table.as_ref(), &["random", spec], n);
        let record = played.record.as_ref().expect("it was asked for");
        assert_eq!(record.forfeit, played.forfeit);
        assert_eq!(played.outcome.payoffs, [1.0, 0.0]);
        tcp::reason(&played).to_owned()
    })
}

#[test]
fn every_fault_of_a_program_loses_the_game_for_a_reason_that_is_said() {
    for (command, why) in [
        ("false".to_owned(), "it ended (exit code 1)"),
        (
            "printf 'in f\\n\\nover\\n' >&2; exit 3".to_owned(),
            "it ended (exit code 3); its last words: in f / over; log=FILE keeps all of them",
        ),
        (script("kill -9 $$"), "it ended (signal 9)"),
        (
            script("exec sleep 100"),
            "it did not answer within 0.3 s; does it flush its output after each line?",
        ),
        (script("head -c 3000000 /dev/zero"), "its line is longer than 1024 KiB"),
        (script("yes"), "its answer is no JSON object: `y`; print logs"),
        (
            script("echo hm; echo '{\"type\":\"resign\"}'"),
            "its answer is no JSON object: `hm`; print logs to standard error",
        ),
        (
            script("printf '{\"type\":\"resign\"}\\nhm\\n'"),
            "it spoke without being asked: `hm`; print logs to standard error",
        ),
        (script("echo hm"), "its answer is no JSON object: `hm`; print logs to standard error"),
        (
            script("echo '{\"type\":\"hello\",\"protocol\":1}'"),
            "it answered turn neither with action nor",
        ),
        (
            script("echo '{\"type\":\"action\"}'"),
            "its answer cannot be read: missing field `action`: `{\"type\":\"action\"}`",
        ),
        (
            script("echo '{\"type\":\"action\",\"action\":\"AN\"}'"),
            "it played `AN`, which is not legal",
        ),
        (script("echo '{\"type\":\"action\",\"action\":\"?\"}'"), "its action cannot be read: "),
        (script("echo '{\"type\":\"resign\",\"reason\":\"tired\"}'"), "it resigned: tired"),
        ("echo '{\"type\":\"hello\",\"protocol\":7}'; sleep 9".to_owned(), "it speaks version 7"),
        ("echo '{\"type\":\"resign\"}'; sleep 9".to_owned(), "it did not answer hello with hello"),
        (
            "sleep 100".to_owned(),
            "it did not answer within 1 s; does it flush its output after each line?",
        ),
        ("yes >&2".to_owned(), "it did not answer within 1 s"),
    ] {
        let spec = format!("exec:({command}),seconds=0.3,start-seconds=1");
        for reason in reasons(&spec) {
            assert!(reason.starts_with(why), "{command}: {reason}");
        }
    }
}

#[test]
fn a_program_has_no_more_time_for_a_game_than_it_was_given() {
    let slow = script("sleep 0.1; echo '{\"type\":\"resign\"}'").replace("; echo", " && echo");
    let spec = format!("exec:({slow}),game-seconds=0.02");
    assert!(reasons(&spec)[0].starts_with("it did not answer within 0.02 s"));
}

#[test]
fn after_a_fault_the_program_is_started_again_and_plays() {
    let dir = tempfile::tempdir().unwrap();
    let flag = dir.path().join("been-here");
    // Fails once in its life.
    let command = format!(
        "test -e {flag} || {{ touch {flag}; exit 9; }}; {}",
        script("echo '{\"type\":\"resign\",\"reason\":\"alive\"}'"),
        flag = flag.display()
    );
    let [first, second] = reasons(&format!("exec:({command})"));
    assert_eq!(first, "it ended (exit code 9)");
    assert_eq!(second, "it resigned: alive");
}

/// What a check says of a program that believes this.
fn judged(beliefs: &'static str) -> String {
    let believer = tcp::program(move |line, _| {
        if line.contains("\"type\":\"beliefs\"") {
            return format!("{{\"type\":\"beliefs\",\"beliefs\":{beliefs}}}\n").into_bytes();
        }
        let hello = "\"protocol\":1,\"offers\":[\"beliefs\"]";
        tcp::sound(line).replace("\"protocol\":1", hello).into_bytes()
    });
    let table = tcp::table("geister", &[("plies", "40")]);
    let findings = check(table.as_ref(), &believer, 1, Seed::from_u64(1)).expect("a spec");
    let said = findings.iter().find(|finding| finding.what == "says what it believes");
    said.expect("it offers beliefs").to_string()
}

#[test]
fn a_check_reads_beliefs_word_by_word() {
    for (beliefs, says) in [
        (
            r#"[{"subject":"1:A","values":[{"value":"green","probability":1}]}]"#,
            "FAULT  says what it believes: `1:A`: it cannot be `green` (there is: blue, red)",
        ),
        (
            r#"[{"subject":"S7","values":[{"value":"red","probability":1}]}]"#,
            "FAULT  says what it believes: `S7`: it is none of the secrets",
        ),
        (
            r#"[{"subject":"1:A","values":[{"value":"red","probability":0.5}]}]"#,
            "FAULT  says what it believes: `1:A`: the probabilities add up to 0.5",
        ),
        (
            r#"[{"subject":"1:A","values":[{"value":"red","probability":1.5},{"value":"blue","probability":-0.5}]}]"#,
            "FAULT  says what it believes: `1:A`: the probability of `blue` is -0.5",
        ),
        (
            r#"[{"subject":"1:A","values":[{"value":"red","probability":0.5},{"value":"red","probability":0.5}]}]"#,
            "FAULT  says what it believes: `1:A`: `red` is told twice",
        ),
        ("7", "FAULT  says what it believes: its answer cannot be read: "),
        (
            r#"[{"subject":"1:A","values":[{"value":"red","probability":1}]}]"#,
            "advice says what it believes: it says nothing of 1:B, ",
        ),
        ("[]", "advice says what it believes: it offers beliefs and gave none"),
    ] {
        let said = judged(beliefs);
        assert!(said.starts_with(says), "{beliefs}: {said}");
    }
}

#[test]
fn error_output_goes_to_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log.txt");
    reasons(&format!("exec:(echo careful >&2; exit 1),log={}", log.display()));
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "careful\ncareful\n");
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_running() {
    let dir = tempfile::tempdir().unwrap();
    let (own, child) = (dir.path().join("own"), dir.path().join("child"));
    // It ignores every polite way to end it, and so does what it starts.
    let command = format!(
        "trap '' TERM HUP INT; echo $$ > {}; sleep 1000 & echo $! > {}; {}; sleep 1000",
        own.display(),
        child.display(),
        script("echo '{\"type\":\"resign\"}'")
    );
    let (table, programs) = tcp::programs();
    let spec = format!("exec:({command})");
    assert_eq!(tcp::reason(&tcp::play(table.as_ref(), &["random", &spec], 0)), "it resigned");
    assert!(lives(&own) && lives(&child), "it waits for the next game");
    let before = std::fs::read_to_string(&own).unwrap();
    tcp::play(table.as_ref(), &["random", &spec], 1);
    assert_eq!(before, std::fs::read_to_string(&own).unwrap(), "one process plays many games");
    drop((table, programs));
    // A killed process needs a moment to go.
    assert!(tcp::soon(|| !lives(&own) && !lives(&child)), "something is left running");
}
