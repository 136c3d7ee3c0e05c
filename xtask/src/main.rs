//! Chores of the project: `cargo xtask ci` runs everything that must pass.
#![allow(clippy::print_stdout, reason = "a program for people")]

use std::path::Path;
use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask ci      format, lints, documentation, tests: all that must pass
cargo xtask quick   the same without documentation, for the desk
cargo xtask native  builds the fastest program for this very processor
";

fn main() -> ExitCode {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the tree");
    let task = std::env::args().nth(1).unwrap_or_default();
    let done = match task.as_str() {
        "ci" => ci(root, true),
        "quick" => ci(root, false),
        "native" => cargo(root, &["build", "--release"], &[("RUSTFLAGS", "-C target-cpu=native")]),
        _ => {
            print!("{HELP}");
            return if task.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Everything that must pass, cheapest first, stopping at the first failure.
fn ci(root: &Path, with_docs: bool) -> bool {
    cargo(root, &["fmt", "--all", "--check"], &[])
        && cargo(
            root,
            &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
            &[],
        )
        && (!with_docs
            || cargo(
                root,
                &["doc", "--workspace", "--no-deps", "--locked"],
                &[("RUSTDOCFLAGS", "-D warnings")],
            ))
        && test(root)
}

/// All tests. Those that need a browser skip themselves with a reason where there is none; where there is
/// one they must run.
fn test(root: &Path) -> bool {
    let browser = if has_chromium() || install_chromium() { "1" } else { "0" };
    cargo(root, &["test", "--workspace", "--locked"], &[("OBORO_E2E", browser)])
}

fn has_chromium() -> bool {
    Command::new("chromium").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// On a build machine (CI is set) with Debian's packages the browser is fetched; a desk is left as it is.
fn install_chromium() -> bool {
    let apt = |arguments: &[&str]| {
        println!("apt-get {}", arguments.join(" "));
        Command::new("apt-get").args(arguments).status().is_ok_and(|status| status.success())
    };
    std::env::var_os("CI").is_some()
        && apt(&["update", "-qq"])
        && apt(&["install", "-y", "-qq", "--no-install-recommends", "chromium"])
        && has_chromium()
}

fn cargo(root: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> bool {
    println!("cargo {}", arguments.join(" "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(arguments)
        .envs(variables.iter().copied())
        // One build of everything: incremental files would only take room.
        .env("CARGO_INCREMENTAL", "0")
        .status();
    match status {
        Ok(status) => status.success(),
        Err(error) => {
            println!("cargo could not be started: {error}");
            false
        }
    }
}
