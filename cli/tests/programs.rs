//! Programs of other people: what a match and a check say of those that fail.
#![cfg(unix)]

use crate::common;

use common::{command, run, works};

/// A program that says hello and then does something at its turn.
fn program(turn: &str) -> String {
    format!(
        "exec:(while read -r line; do case \"$line\" in \
         (*'\"type\":\"hello\"'*) echo '{{\"type\":\"hello\",\"protocol\":1}}';; \
         (*'\"type\":\"turn\"'*) {turn};; esac; done)"
    )
}

#[test]
fn a_match_in_json_names_who_gave_up_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let crashes = program("echo lost my way >&2; exit 4");
    let arguments = ["match", "kuhn", &crashes, "random", "--games", "4", "--json"];
    let told: serde_json::Value = serde_json::from_str(&works(folder.path(), &arguments)).unwrap();
    let [forfeit] = told["forfeits"].as_array().unwrap().as_slice() else {
        panic!("one reason: {}", told["forfeits"])
    };
    assert_eq!((forfeit["games"].as_u64(), forfeit["agent"].as_str()), (Some(4), Some(&*crashes)));
    let reason = forfeit["reason"].as_str().unwrap();
    assert!(reason.starts_with("it ended (exit code 4); its last words: lost my way"), "{reason}");
}

#[test]
fn a_check_tells_of_a_fault_once() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["check", "kuhn", &program("echo thinking")]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.matches("FAULT").count(), 1, "{said}");
    assert!(said.contains("`thinking`; print logs to standard error"), "{said}");
}

#[test]
fn a_check_finds_a_missing_flush_whatever_our_environment_says() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "a build machine has python3");
        println!("skipped: there is no python3");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bot =
        "import sys\nfor line in sys.stdin:\n    print('{\"type\":\"hello\",\"protocol\":1}')\n";
    std::fs::write(folder.path().join("bot.py"), bot).unwrap();
    let arguments = ["check", "kuhn", "exec:python3 bot.py,start-seconds=2"];
    let mut checked = command(folder.path(), &arguments);
    let output = checked.env("PYTHONUNBUFFERED", "1").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("does it flush its output after each line?"), "{said}");
}
