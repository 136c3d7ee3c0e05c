//! The built files in `web/dist` belong to the sources beside them, and stay small.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("web")
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// The same list as in `web/stamp.mjs`.
#[test]
fn the_built_app_is_that_of_the_sources() {
    let web = web();
    let mut files: Vec<PathBuf> =
        ["index.html", "package-lock.json", "vite.config.ts"].map(|name| web.join(name)).into();
    files_below(&web.join("public"), &mut files);
    files_below(&web.join("src"), &mut files);
    let mut named: Vec<(String, PathBuf)> = files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&web).unwrap().to_str().unwrap().replace('\\', "/");
            (name, path)
        })
        .collect();
    named.sort();
    let mut hash = Sha256::new();
    for (name, path) in named {
        hash.update(name.as_bytes());
        hash.update([0]);
        hash.update(fs::read(path).unwrap());
        hash.update([0]);
    }
    let ours: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let stamped = fs::read_to_string(web.join("dist/.source-hash")).unwrap();
    assert_eq!(stamped.trim(), ours, "web/src has changed: run `npm ci && npm run build` in web/");
}

#[test]
fn the_app_stays_small() {
    let mut files = Vec::new();
    files_below(&web().join("dist"), &mut files);
    let total: u64 = files.iter().map(|file| fs::metadata(file).unwrap().len()).sum();
    // About a third of this when compressed, as servers send it.
    assert!(total < 250_000, "the app has grown to {total} bytes");
}
