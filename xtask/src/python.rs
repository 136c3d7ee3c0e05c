//! The Python package: built into a virtual environment of its own, and tested there.

use crate::{run, works};
use std::path::Path;
use std::process::Command;

/// What the tests need besides the package.
const TOOLS: [&str; 13] = [
    "maturin>=1.9.4,<2",
    "numpy",
    "pytest>=9",
    "gymnasium",
    "jax",
    "optax",
    "safetensors",
    "pettingzoo",
    "pandas",
    "pandas-stubs",
    "matplotlib",
    "mypy",
    "twine",
];

/// Builds the wheel, installs it in `target/python` and runs its tests and the type checker; they compare with the program
/// `target/debug/oboro`, which is built already. Whoever has no Python can still build and test everything else.
pub(crate) fn check(root: &Path) -> bool {
    if !works("python3", "--version") {
        println!("there is no python3: the Python package is not built");
        return true;
    }
    let venv = root.join("target/python");
    let program = |name: &str| venv.join("bin").join(name);
    let wheels = root.join("target/wheels-ci");
    let python = |arguments: &[&str]| {
        run(Command::new(program("python"))
            .current_dir(root.join("python"))
            .args(arguments)
            // Small matrices: threads of their own would only wait for each other.
            .env("OPENBLAS_NUM_THREADS", "1")
            .env("OBORO_BIN", root.join("target/debug/oboro"))
            .env("OBORO_SDIST", &wheels))
    };
    let made =
        program("python").exists() || run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let mut install =
        vec!["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"];
    install.extend(TOOLS);
    made && python(&install)
        // With the profile and the features of the tests, so that everything below the package is compiled already.
        && run(Command::new(program("maturin"))
            .current_dir(root.join("python"))
            .args(["build", "--profile", "dev", "--features", "shared-build", "--locked", "--out"])
            .arg(&wheels)
            .arg("--interpreter")
            .arg(program("python"))
            .env("CARGO_INCREMENTAL", "0"))
        && run(Command::new(program("maturin"))
            .current_dir(root.join("python"))
            .args(["sdist", "--out"])
            .arg(&wheels))
        && python(&["-m", "twine", "check", "--strict", &format!("{}/*", wheels.display())])
        && python(&["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", "--only-binary", ":all:", "--find-links",
            &wheels.to_string_lossy(), "oboro"])
        && python(&["-I", "-m", "pytest", "-q", "tests"])
        && python(&["-m", "mypy", "--strict", "examples", "src/oboro/__init__.py", "src/oboro/envs.py", "src/oboro/scenes.py"])
        && python(&["-I", "-m", "mypy.stubtest", "oboro._engine"])
}
