//! Our server keeps the protocol: every check of `oboro gat check`, under all options that a check needs.

mod common;

use common::Server;
use oboro_server::gat::{Verdict, check_all, check_names};
use std::collections::BTreeSet;

/// Runs the checks on a server with these options; the names of those that were kept.
async fn kept(options: &[&str], spacing: &str, only: &str) -> Vec<&'static str> {
    let running = Server::start(&[options, &["--spacing", spacing]].concat()).await;
    let mut check = [options, &["--settle", "0", "--only", only]].concat();
    if spacing == "0" {
        check.push("--no-spacing");
    }
    let verdicts = check_all(&running.check_args(&check)).await;
    let (_, said) = running.stop().await;
    let mut kept = Vec::new();
    for (name, verdict) in verdicts {
        match verdict {
            Verdict::Kept => kept.push(name),
            Verdict::Broken(reason) => panic!("{name} with {options:?}: {reason}\n{said:#?}"),
            Verdict::Skipped(_) => {}
        }
    }
    kept
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn our_server_keeps_every_rule_and_has_none_of_the_known_faults() {
    let patient = ["--no-ng-terminate", "--names"];
    let short = ["--plies", "11"];
    let clocked = ["--budget", "1", "--timeout", "2", "--plies", "40"];
    let (spaced, patient, short, clocked) = tokio::join!(
        kept(&[], "20", "messages_come_one_by_one"),
        kept(&patient, "0", ""),
        kept(&short, "0", ""),
        kept(&clocked, "0", ""),
    );
    let run: BTreeSet<&str> =
        spaced.into_iter().chain(patient).chain(short).chain(clocked).collect();
    // No check was skipped under all of the options.
    let all = check_names();
    let missing: Vec<_> = all.iter().filter(|name| !run.contains(*name)).collect();
    assert!(missing.is_empty(), "never run: {missing:?}");
}

#[tokio::test]
async fn a_server_that_breaks_a_rule_is_found_out() {
    // The limit is not the one we say.
    let server = Server::start(&["--spacing", "0", "--plies", "12"]).await;
    let args = server.check_args(&["--plies", "20", "--only", "ply_limit_is_the_one"]);
    let verdicts = check_all(&args).await;
    assert!(matches!(&verdicts[..], [(_, Verdict::Broken(_))]), "{verdicts:?}");
    server.stop().await;
}
