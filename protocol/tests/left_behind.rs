//! A process that a program left behind ends with it. This is a test program of its own: a process without a mark ends as
//! soon as any program of ours does, and other tests end many.
#![cfg(target_os = "linux")]

mod shell;
mod tcp;

use shell::{lives, script};

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
        let (table, programs) = tcp::programs();
        let spec = format!("exec:({command})");
        tcp::play(table.as_ref(), &["random", &spec], 0);
        let started = || std::fs::read_to_string(&left).is_ok_and(|pid| pid.ends_with('\n'));
        assert!(tcp::soon(started) && lives(&left), "it waits");
        drop((table, programs));
        assert!(tcp::soon(|| !lives(&left)), "it is left running");
    }
}
