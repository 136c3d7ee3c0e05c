//! Lists the papers for the program to carry, and finds out which commit it is built from, for the manifests of results.
//!
//! The compiled script may be kept in a `target/` that several trees share, so it asks at run time which tree it is for.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let root = here.parent().expect("the lab is a folder of the tree");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../papers");
    println!("cargo:rustc-env=OBORO_COMMIT={}", commit(root));
    let papers = papers(&root.join("papers")).expect("the papers can be listed");
    let out = PathBuf::from(variable("OUT_DIR")).join("papers.rs");
    fs::write(out, papers).expect("the list of papers can be written");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// The commit of a tree, with `+changes` if a source differs from it. Whoever edits a guide still runs the same program.
fn commit(root: &Path) -> String {
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let listed = git(&["ls-tree", "--name-only", "HEAD"]).unwrap_or_default();
    let is_source = |name: &&str| {
        let is_guide = Path::new(name).extension().is_some_and(|ending| ending == "md");
        !is_guide && !["docs", "xtask"].contains(name) && !name.starts_with('.')
    };
    let sources: Vec<&str> = listed.lines().filter(is_source).collect();
    for source in &sources {
        // Relative, so that another tree with the same `target/` looks at its own files.
        println!("cargo:rerun-if-changed=../{source}");
    }
    // It grows with every commit, checkout and merge.
    let log = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    let status = [&["status", "--porcelain", "--untracked-files=no", "--"][..], &sources].concat();
    let is_clean = git(&status).is_some_and(|changes| changes.is_empty());
    if is_clean { commit } else { commit + "+changes" }
}

/// The folders of papers with the texts of their files, as a constant expression.
fn papers(folder: &Path) -> io::Result<String> {
    let mut list = "&[\n".to_owned();
    for paper in names(folder)?.iter().filter(|name| folder.join(name).is_dir()) {
        let _ = writeln!(list, "    PaperFolder {{ id: {paper:?}, files: &[");
        for file in names(&folder.join(paper))? {
            let place = format!("/../papers/{paper}/{file}");
            let _ = writeln!(
                list,
                "        ({file:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {place:?}))),"
            );
        }
        list.push_str("    ] },\n");
    }
    list.push(']');
    Ok(list)
}

/// What a folder holds, in order, without what is hidden.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().to_str().map(str::to_owned));
    }
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    Ok(names)
}
