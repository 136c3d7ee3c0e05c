//! The example bots, in the languages that are there, keep to the protocol in every game.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![cfg(unix)]

use oboro_catalog::games;
use oboro_core::Seed;
use oboro_protocol::{Conformity, check};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn bots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots")
}

/// Whether a language is there. Without it its bot cannot be tested; where everything must be tested (CI is set) that is
/// a failure.
fn is_there(program: &str) -> bool {
    let quiet = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    let there = quiet.is_ok_and(|status| status.success());
    if !there {
        assert!(std::env::var_os("CI").is_none(), "{program} is not there, and CI is set");
        // Past the test harness, which hides what tests that pass print.
        let _ = writeln!(std::io::stderr(), "skipped: {program} is not there");
    }
    there
}

fn keeps_to_the_protocol(command: &str) {
    for game in games() {
        let rules = game.rules(&[]).unwrap();
        let findings = check(rules.as_ref(), &format!("exec:{command}"), 1, Seed::from_u64(1));
        let findings = findings.unwrap();
        assert!(findings.len() >= rules.seats() + 4);
        for finding in findings {
            let good = matches!(finding.verdict, Conformity::Good(_));
            assert!(good, "{command}, {}: {finding}", game.name());
        }
    }
}

#[test]
fn python() {
    if is_there("python3") {
        keeps_to_the_protocol(&format!("python3 {}", bots().join("bot.py").display()));
    }
}

#[test]
fn javascript() {
    if is_there("node") {
        keeps_to_the_protocol(&format!("node {}", bots().join("bot.js").display()));
    }
}

#[test]
fn cpp() {
    if is_there("c++") {
        let dir = tempfile::tempdir().unwrap();
        let bot = dir.path().join("bot");
        let built = Command::new("c++")
            .args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
            .args([&bot, &bots().join("bot.cpp")])
            .status();
        assert!(built.unwrap().success());
        keeps_to_the_protocol(&bot.display().to_string());
    }
}
