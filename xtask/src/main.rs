//! Chores of the project: `cargo xtask ci` runs everything that must pass.
#![allow(clippy::print_stdout, reason = "a program for people")]

mod clock;
mod hyperqueue;
mod licences;
mod new_game;
mod python;

use clock::Clock;
use std::path::Path;
use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask ci             format, lints, documentation, the browser app, tests, the Python package: all that must pass
cargo xtask quick          the same without documentation, the browser app and Python, for the desk
cargo xtask python         builds the Python package in a virtual environment and tests it there
cargo xtask bless [GAME]   rewrites the golden files and checksums, of a game or of all, from what the program does today; review the difference
cargo xtask fuzz [TIMES]   runs the fuzz targets so many times as long as the tests do (default 100)
cargo xtask new-game NAME  makes a folder for a new game, with everything a game needs and tests that pass
cargo xtask licences       checks the licences of all dependencies
cargo xtask native         builds the fastest program for this very processor
";

fn main() -> ExitCode {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the tree");
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let done = match task.as_str() {
        "ci" => ci(root, true),
        "quick" => ci(root, false),
        "python" => {
            cargo(root, &["build", "--package", "oboro", "--locked"], &[]) && python::check(root)
        }
        "bless" => bless(root, arguments.next()),
        "fuzz" => fuzz(root, &arguments.next().unwrap_or_else(|| "100".to_owned())),
        "new-game" => match new_game::make(root, &arguments.next().unwrap_or_default()) {
            Ok(said) => {
                print!("{said}");
                true
            }
            Err(error) => {
                println!("new-game: {error}");
                false
            }
        },
        "licences" => match licences::check(root) {
            Ok(packages) => {
                println!("{packages} packages, all under licences we agreed to");
                true
            }
            Err(refused) => {
                println!("not agreed to: {refused}");
                false
            }
        },
        "native" => cargo(root, &["build", "--release"], &[("RUSTFLAGS", "-C target-cpu=native")]),
        _ => {
            print!("{HELP}");
            return if task.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the tests that write golden files: all of them and those of the Python package, or those of a game and of its kernels.
fn bless(root: &Path, game: Option<String>) -> bool {
    let variables = [("OBORO_BLESS", "1")];
    let Some(game) = game else {
        return cargo(root, &["test", "--workspace"], &variables) && python::bless(root);
    };
    cargo(root, &["test", "-p", &format!("oboro-{game}")], &variables)
        && cargo(root, &["test", "-p", "oboro-catalog", "--test", "all", "kernels::"], &variables)
}

/// The fuzz targets: positions, records, specs and the erased door; experiment files; lines of programs; lines of the tournament;
/// what strangers say to a server.
fn fuzz(root: &Path, times: &str) -> bool {
    const TARGETS: [(&str, &str, &str); 5] = [
        ("oboro-catalog", "all", "door::"),
        ("oboro-lab", "all", "mangled::"),
        ("oboro-protocol", "all", "hostile::"),
        ("oboro-gat", "all", "fuzz::"),
        ("oboro-server", "fuzz", ""),
    ];
    TARGETS.iter().all(|(package, program, tests)| {
        let arguments = ["test", "--release", "--package", package, "--test", program, tests];
        cargo(root, &arguments, &[("OBORO_FUZZ", times)])
    })
}

/// Everything that must pass, cheapest first, stopping at the first failure. In the end it says what took how long.
fn ci(root: &Path, whole: bool) -> bool {
    let mut clock = Clock::default();
    let lints = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    let pages = ["doc", "--workspace", "--no-deps", "--locked"];
    let done = clock.time("format", || cargo(root, &["fmt", "--all", "--check"], &[]))
        && clock.time("lints", || cargo(root, &lints, &[]))
        && (!whole
            || clock
                .time("documentation", || cargo(root, &pages, &[("RUSTDOCFLAGS", "-D warnings")])))
        && (!whole || clock.time("browser app", || browser_app(root)))
        && clock.time("tests", || test(root))
        && (!whole || clock.time("Python package", || python::check(root)));
    print!("{clock}");
    done
}

/// The browser app is checked and built again, and must come out as it is in the repository. Whoever has no Node
/// can still build and test everything else: a test compares the built files with the hash of their sources.
fn browser_app(root: &Path) -> bool {
    let web = root.join("web");
    if !works("npm", "--version") {
        println!("there is no npm: the browser app is not built again");
        return true;
    }
    let npm = |arguments: &[&str]| run(Command::new("npm").current_dir(&web).args(arguments));
    // Not `npm ci`: it wants the builds of every other platform in the lock file, which npm leaves out. The versions
    // are those of the lock file all the same.
    npm(&["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"])
        && npm(&["run", "check"])
        && npm(&["run", "build"])
        && run(Command::new("git").current_dir(root).args([
            "diff",
            "--exit-code",
            "--stat",
            "--",
            "web/dist",
        ]))
}

/// All tests. Those that need a browser or `HyperQueue` skip themselves with a reason where there is none; where there is
/// one they must run.
fn test(root: &Path) -> bool {
    let browser = works("chromium", "--version") || install_chromium();
    let engine = hyperqueue::install(root).map(|python| python.to_string_lossy().into_owned());
    let mut forced = Vec::new();
    if browser {
        forced.push(("OBORO_E2E", "1"));
    }
    if let Some(python) = &engine {
        forced.push(("OBORO_HQ_PYTHON", python));
    }
    clock::run_tests(cargo_command(root, &["test", "--workspace", "--locked"], &forced))
}

fn works(program: &str, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok_and(|output| output.status.success())
}

/// On a build machine (CI is set) with Debian's packages the browser is fetched; a desk is left as it is.
fn install_chromium() -> bool {
    let apt = |arguments: &[&str]| run(Command::new("apt-get").args(arguments));
    std::env::var_os("CI").is_some()
        && apt(&["update", "-qq"])
        && apt(&["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-noto-cjk"])
        && works("chromium", "--version")
}

fn cargo(root: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> bool {
    run(&mut cargo_command(root, arguments, variables))
}

fn cargo_command(root: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments).envs(variables.iter().copied());
    // One build of everything: incremental files would only take room.
    command.env("CARGO_INCREMENTAL", "0");
    command
}

/// Runs a command, saying which.
fn run(command: &mut Command) -> bool {
    let program = say(command);
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            println!("{program} could not be started: {error}");
            false
        }
    }
}

/// Prints a command; gives the name of its program.
fn say(command: &Command) -> String {
    let arguments: Vec<_> = command.get_args().map(|a| a.to_string_lossy().into_owned()).collect();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let program = program.to_string_lossy().into_owned();
    println!("{program} {}", arguments.join(" "));
    program
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// Cargo does not look for test programs where a package lists them (`autotests = false`): a file that nobody names would
    /// never be compiled.
    #[test]
    fn every_file_of_tests_is_compiled() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folders =
            |path: &Path| fs::read_dir(path).expect("a folder").flatten().map(|entry| entry.path());
        let packages = folders(&root).chain(folders(&root.join("games")));
        let listed: Vec<_> =
            packages.filter(|package| package.join("tests/main.rs").exists()).collect();
        assert!(listed.len() > 10, "{listed:?}");
        for package in listed {
            let [main, manifest] = ["tests/main.rs", "Cargo.toml"]
                .map(|file| fs::read_to_string(package.join(file)).expect(file));
            for file in folders(&package.join("tests"))
                .filter(|file| file.extension().is_some_and(|e| e == "rs"))
            {
                let name = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
                let named = main.contains(&format!("mod {name};\n"))
                    || manifest.contains(&format!("path = \"tests/{name}.rs\""));
                assert!(named, "{} is in no test program", file.display());
            }
        }
    }
}
