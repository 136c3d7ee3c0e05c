//! The Python package: built into a virtual environment of its own, and tested there.

use crate::{run, works};
use std::path::{Path, PathBuf};
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
    let Some(package) = Package::new(root) else { return true };
    package.install()
        && package.python(&["-m", "twine", "check", "--strict", &format!("{}/*", package.wheels())])
        && package.python(&["-I", "-m", "pytest", "-q", "tests"])
        && package.python(&[
            "-m",
            "mypy",
            "--strict",
            "examples",
            "src/oboro/__init__.py",
            "src/oboro/envs.py",
            "src/oboro/scenes.py",
        ])
        && package.python(&["-I", "-m", "mypy.stubtest", "oboro._engine"])
}

/// Builds and installs the package, and lets its tests write what is generated from it: the types of scenes, and the reference.
pub(crate) fn bless(root: &Path) -> bool {
    let Some(package) = Package::new(root) else { return true };
    let tests = ["-I", "-m", "pytest", "-q", "tests/test_scenes.py", "tests/test_reference.py"];
    package.install() && run(package.command(&tests).env("OBORO_BLESS", "1"))
}

/// The package, and the virtual environment that it is installed in.
struct Package {
    root: PathBuf,
    venv: PathBuf,
}

impl Package {
    /// Nothing, and a word about it, where there is no Python.
    fn new(root: &Path) -> Option<Package> {
        if works("python3", "--version") {
            return Some(Package { root: root.to_owned(), venv: root.join("target/python") });
        }
        println!("there is no python3: the Python package is not built");
        None
    }

    fn program(&self, name: &str) -> PathBuf {
        self.venv.join("bin").join(name)
    }

    fn wheels(&self) -> String {
        self.root.join("target/wheels-ci").to_string_lossy().into_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program("python"));
        command
            .current_dir(self.root.join("python"))
            .args(arguments)
            // Small matrices: threads of their own would only wait for each other.
            .env("OPENBLAS_NUM_THREADS", "1")
            .env("OBORO_BIN", self.root.join("target/debug/oboro"))
            .env("OBORO_SDIST", self.wheels());
        command
    }

    fn python(&self, arguments: &[&str]) -> bool {
        run(&mut self.command(arguments))
    }

    fn maturin(&self, arguments: &[&str]) -> bool {
        run(Command::new(self.program("maturin"))
            .current_dir(self.root.join("python"))
            .args(arguments)
            .args(["--out", &self.wheels()])
            .env("CARGO_INCREMENTAL", "0"))
    }

    /// Makes the virtual environment if need be, builds the wheel and the source distribution, and installs the wheel.
    fn install(&self) -> bool {
        let python = self.program("python");
        let made =
            python.exists() || run(Command::new("python3").args(["-m", "venv"]).arg(&self.venv));
        let mut tools =
            vec!["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"];
        tools.extend(TOOLS);
        // With the profile and the features of the tests, so that everything below the package is compiled already.
        let build = ["build", "--profile", "dev", "--features", "shared-build", "--locked"];
        made && self.python(&tools)
            && self.maturin(&[&build[..], &["--interpreter", &python.to_string_lossy()]].concat())
            && self.maturin(&["sdist"])
            && self.python(&[
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-index",
                "--no-deps",
                "--force-reinstall",
                "--only-binary",
                ":all:",
                "--find-links",
                &self.wheels(),
                "oboro",
            ])
    }
}
