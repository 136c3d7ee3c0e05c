//! Finds out which commit the program is built from, for the manifests of results.

use std::path::Path;
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the lab is in the workspace");
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Only what is compiled in counts as a change: whoever edits a guide still runs the same program.
    let sources = [
        "Cargo.lock",
        "catalog",
        "cli",
        "core",
        "evolve",
        "games",
        "lab",
        "papers",
        "search",
        "server",
    ];
    let status = [&["status", "--porcelain", "--untracked-files=no", "--"][..], &sources].concat();
    let commit = match (git(&["rev-parse", "--short=12", "HEAD"]), git(&status)) {
        (Some(commit), Some(changes)) if changes.is_empty() => commit,
        (Some(commit), _) => commit + "+changes",
        (None, _) => "unknown".to_owned(),
    };
    println!("cargo:rerun-if-changed=build.rs");
    for source in sources {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
    }
    // It grows with every commit, checkout and merge.
    let log = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    println!("cargo:rustc-env=OBORO_COMMIT={commit}");
}
