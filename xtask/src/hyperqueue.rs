//! `HyperQueue` for the tests: the engine from the Python registry, in a virtual environment of its own.

use crate::{run, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is tested with. The registry has the engine, not its command `hq`: where that is on the path, tests take it.
const PACKAGE: &str = "hyperqueue==0.27.0";

/// The Python that has the package, installed if need be; none where it cannot be had, which is said, or need not.
pub(crate) fn install(root: &Path) -> Option<PathBuf> {
    if works("hq", "--version") {
        return None;
    }
    let venv = root.join("target/hyperqueue");
    let python = venv.join("bin/python");
    let made = python.exists() || run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let flags = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE];
    if made && run(Command::new(&python).args(flags)) {
        return Some(python);
    }
    println!("{PACKAGE} cannot be installed here: nothing is tested with HyperQueue");
    None
}
