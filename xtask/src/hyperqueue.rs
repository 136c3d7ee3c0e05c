//! HyperQueue for the tests: the engine from the Python registry, in a virtual environment of its own.

use crate::{run, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is tested with. The registry has the engine, not its command `hq`: where that is on the path, tests take it.
const PACKAGE: &str = "hyperqueue==0.27.0";

/// The Python that has the package, installed if need be: `Some(None)` where there is neither Python nor need, `None` if it
/// could not be installed.
pub(crate) fn install(root: &Path) -> Option<Option<PathBuf>> {
    if works("hq", "--version") {
        return Some(None);
    }
    if !works("python3", "--version") {
        println!("there is no python3: nothing is tested with HyperQueue");
        return Some(None);
    }
    let venv = root.join("target/hyperqueue");
    let python = venv.join("bin/python");
    let made = python.exists() || run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let flags = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE];
    (made && run(Command::new(&python).args(flags))).then_some(Some(python))
}
