//! What the kernels compute is pinned: `oboro bench` and `cargo bench` time nothing else. `cargo xtask bless` writes the
//! checksums anew.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_kernel_gives_its_pinned_checksum() {
    let mut changed = Vec::new();
    for game in oboro_catalog::games() {
        for kernel in game.kernels() {
            let found = (kernel.run)().checksum;
            if found != kernel.checksum {
                let place = format!("{}, {}", game.name(), kernel.name);
                changed.push((place, written(kernel.checksum), written(found)));
            }
        }
    }
    if std::env::var_os("OBORO_BLESS").is_some_and(|value| value == "1") {
        return changed.iter().for_each(|(place, old, new)| replace(place, old, new));
    }
    assert!(changed.is_empty(), "the answers changed: {changed:#?}; OBORO_BLESS=1 writes them");
}

/// A checksum as the sources have it.
fn written(checksum: u64) -> String {
    let parts = [48, 32, 16, 0].map(|shift| format!("{:04x}", checksum >> shift & 0xffff));
    format!("0x{}", parts.join("_"))
}

/// Replaces a checksum in the one file that has it.
fn replace(place: &str, old: &str, new: &str) {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("games");
    let mut files = Vec::new();
    collect(&games, &mut files);
    files.retain(|path| fs::read_to_string(path).unwrap().contains(old));
    let [file] = &files[..] else { panic!("{place}: {old} is in {files:?}, not in one file") };
    fs::write(file, fs::read_to_string(file).unwrap().replace(old, new)).unwrap();
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}
