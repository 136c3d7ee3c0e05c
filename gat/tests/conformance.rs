//! Our server keeps the protocol: every check of `oboro gat check`, under all options that a check needs.

use crate::common;

use common::{Server, quick};
use oboro_gat::{CheckOptions, ServeOptions, SessionOptions, TimeControl};
use oboro_gat::{CheckResult, check_all, check_names};
use std::collections::BTreeSet;
use std::time::Duration;

/// Runs the checks on a server with these options; the names of those that were kept.
async fn kept(options: ServeOptions, only: &str) -> Vec<&'static str> {
    let running = Server::start(&options).await;
    let checks = CheckOptions { only: Some(only.to_owned()), ..running.checks(&options) };
    let verdicts = check_all(&checks).await;
    let (_, said) = running.stop().await;
    let mut kept = Vec::new();
    for (name, verdict) in verdicts {
        match verdict {
            CheckResult::Kept => kept.push(name),
            CheckResult::Broken(reason) => panic!("{name} with {options:?}: {reason}\n{said:#?}"),
            CheckResult::Skipped(_) => {}
        }
    }
    kept
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn our_server_keeps_every_rule_and_has_none_of_the_known_faults() {
    let second = Duration::from_secs(1);
    let with = |plies: u16, change: fn(SessionOptions) -> SessionOptions| {
        let options = quick(plies);
        ServeOptions { session: change(options.session.clone()), ..options }
    };
    let patient =
        with(300, |session| SessionOptions { ng_terminates: false, names: true, ..session });
    let mut clocked = with(40, |session| session);
    clocked.session.time = TimeControl { budget: second, timeout: 2 * second };
    let spaced = ServeOptions { spacing: Duration::from_millis(20), ..quick(300) };
    let (spaced, patient, short, clocked) = tokio::join!(
        kept(spaced, "messages_come_one_by_one"),
        kept(patient, ""),
        kept(quick(11), ""),
        kept(clocked, ""),
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
    let server = Server::start(&quick(12)).await;
    let only = Some("ply_limit_is_the_one".to_owned());
    let checks = CheckOptions { only, ..server.checks(&quick(20)) };
    let verdicts = check_all(&checks).await;
    assert!(matches!(&verdicts[..], [(_, CheckResult::Broken(_))]), "{verdicts:?}");
    server.stop().await;
}
