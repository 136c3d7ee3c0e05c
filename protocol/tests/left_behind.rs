//! A process that a program left behind ends with it. This is a test program of its own: a process without a mark ends as
//! soon as any program of ours does, and other tests end many.
#![cfg(target_os = "linux")]

mod shell;
mod tcp;

use oboro_catalog::game;
use oboro_protocol::Programs;
use shell::{lives, script};
use std::sync::Arc;
use std::time::Duration;

/// It starts a process that leaves its group and its session and has no parent any more, with or without its
/// environment.
#[test]
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
