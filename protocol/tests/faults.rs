//! What programs can do wrong: each costs one game, with the reason in the record, and the next game is another game.
#![cfg(unix)]

mod tcp;

use oboro_catalog::game;
use oboro_protocol::Programs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A program of the shell: says hello, and answers its turn with `turn` (which may be a command).
fn script(turn: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in \
         (*'\"type\":\"hello\"'*) echo '{{\"type\":\"hello\",\"protocol\":1}}';; \
         (*'\"type\":\"turn\"'*) {turn};; esac; done"
    )
}

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
        ("echo over >&2; exit 3".to_owned(), "it ended (exit code 3); its last words: over"),
        (script("kill -9 $$"), "it ended (signal 9)"),
        (script("exec sleep 100"), "it did not answer within 0.3 s"),
        (script("head -c 3000000 /dev/zero"), "its line is longer than 1024 KiB"),
        (script("yes"), "it spoke without being asked: `y`"),
        (script("echo hm"), "its answer cannot be read: expected value at line 1 column 1"),
        (
            script("echo '{\"type\":\"hello\",\"protocol\":1}'"),
            "it answered turn neither with action nor",
        ),
        (
            script("echo '{\"type\":\"action\"}'"),
            "its answer cannot be read: missing field `action`",
        ),
        (
            script("echo '{\"type\":\"action\",\"action\":\"AN\"}'"),
            "it played `AN`, which is not legal",
        ),
        (script("echo '{\"type\":\"action\",\"action\":\"?\"}'"), "its action cannot be read: "),
        (script("echo '{\"type\":\"resign\",\"reason\":\"tired\"}'"), "it resigned: tired"),
        ("echo '{\"type\":\"hello\",\"protocol\":7}'; sleep 9".to_owned(), "it speaks version 7"),
        ("echo '{\"type\":\"resign\"}'; sleep 9".to_owned(), "it did not answer hello with hello"),
        ("sleep 100".to_owned(), "it did not answer within 1 s"),
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

#[test]
fn error_output_goes_to_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log.txt");
    reasons(&format!("exec:(echo careful >&2; exit 1),log={}", log.display()));
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "careful\ncareful\n");
}

/// Whether a process lives: it is there and is more than its parent's memory of it. (Its command
/// line would not tell: a process has none for a moment while it becomes another program.)
fn lives(pid_file: &Path) -> bool {
    let pid = std::fs::read_to_string(pid_file).expect("it has started");
    std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat")).is_ok_and(|stat| {
        !stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with(['Z', 'X']))
    })
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
    let programs = Arc::new(Programs::new());
    let rules = game("geister").unwrap().rules(&[]).unwrap();
    let table =
        rules.allow_external(Arc::clone(&programs) as Arc<dyn oboro_catalog::ExternalAgents>);
    let spec = format!("exec:({command})");
    assert_eq!(tcp::reason(&tcp::play(table.as_ref(), &["random", &spec], 0)), "it resigned");
    assert!(lives(&own) && lives(&child), "it waits for the next game");
    let before = std::fs::read_to_string(&own).unwrap();
    tcp::play(table.as_ref(), &["random", &spec], 1);
    assert_eq!(before, std::fs::read_to_string(&own).unwrap(), "one process plays many games");
    drop((table, programs));
    // A killed process needs a moment to go.
    let gone = (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !lives(&own) && !lives(&child)
    });
    assert!(gone, "something is left running");
}

/// It starts a process that leaves its group and its session and has no parent any more, with or without its
/// environment.
#[test]
#[cfg(target_os = "linux")]
fn a_process_that_was_left_behind_ends_with_its_program() {
    for clear in ["", "env -i PATH=\"$PATH\""] {
        let dir = tempfile::tempdir().unwrap();
        let left = dir.path().join("left");
        let leave =
            format!("({clear} setsid sh -c 'echo $$ > {}; exec sleep 1000' &)", left.display());
        let command = format!("{leave}; {}", script("echo '{\"type\":\"resign\"}'"));
        let programs = Arc::new(Programs::new());
        let rules = game("geister").unwrap().rules(&[]).unwrap();
        let table =
            rules.allow_external(Arc::clone(&programs) as Arc<dyn oboro_catalog::ExternalAgents>);
        let spec = format!("exec:({command})");
        tcp::play(table.as_ref(), &["random", &spec], 0);
        let there = (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            std::fs::read_to_string(&left).is_ok_and(|pid| pid.ends_with('\n'))
        });
        assert!(there && lives(&left), "it waits");
        drop((table, programs));
        let gone = (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            !lives(&left)
        });
        assert!(gone, "it is left running");
    }
}
