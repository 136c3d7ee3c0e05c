//! `HyperQueue` for the tests: the engine from the Python registry, in a virtual environment of its own.

use crate::{run, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is tested with. The registry has the engine, not its command `hq`: where that is on the path, tests take it.
const PACKAGE: &str = "hyperqueue==0.27.0";

/// The Python that has the package, installed if need be; none where there is no Python, or no need.
pub(crate) fn install(root: &Path) -> Result<Option<PathBuf>, String> {
    if works("hq", "--version") {
        return Ok(None);
    }
    if !works("python3", "--version") {
        println!("there is no python3: nothing is tested with HyperQueue");
        return Ok(None);
    }
    let venv = root.join("target/hyperqueue");
    let python = venv.join("bin/python");
    let made = python.exists() || run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let flags = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE];
    if made && run(Command::new(&python).args(flags)) {
        Ok(Some(python))
    } else {
        Err(format!("{PACKAGE} could not be installed"))
    }
}
