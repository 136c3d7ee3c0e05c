//! Games on many machines end with the bytes of a run on one thread, whatever is killed on the way.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use crate::common;

use common::{command, files, refuses, works};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// So many matches of so many games, about 30 ms each in the profile of the tests.
fn experiment(matches: u64, games: u64) -> String {
    let matches = (0..matches).map(|n| {
        format!(
            r#"
[[match]]
id = "match-{n}"
agents = ["mc:playouts=4000", "rule", "eval", "random"]
seats = "rotate"
"#
        )
    });
    let matches: String = matches.collect();
    format!(
        r#"
id = "small"
title = "A small experiment"
game = "sevens"
seed = 5
games = {{ quick = {games}, paper = {games}, full = {games} }}
published-n = 1000
{matches}
[[table]]
id = "1"
title = "Scores"
[[table.row]]
label = "mc"
match = "match-0"
cells = [{{ label = "mc", value = "payoff[a]" }}]
"#
    )
}

fn with_experiment(matches: u64, games: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), experiment(matches, games)).unwrap();
    folder
}

/// Waits for something to happen elsewhere, on a machine that may be busy.
fn wait(here: &Path, what: &str, mut happened: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if happened() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let said = fs::read_to_string(here.join("errors")).unwrap_or_default();
    panic!("waited for {what} in vain: {said}");
}

/// How many parts came back.
fn parts(out: &Path) -> usize {
    let Ok(entries) = fs::read_dir(out.join("tasks/parts")) else { return 0 };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| name.strip_suffix(".jsonl").is_some()).count()
}

/// The processes that work for a folder.
fn workers(out: &Path) -> Vec<String> {
    let out = fs::canonicalize(out).unwrap_or(out.to_owned()).to_string_lossy().into_owned();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().into_string().ok());
    let works_here = |pid: &String| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<_> = line.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
        // Not the command that submits them, which has all these words as well.
        words.get(1).is_some_and(|word| word == "work") && words[2..].iter().any(|w| *w == out)
    };
    pids.filter(|pid| pid.parse::<u32>().is_ok()).filter(works_here).collect()
}

/// `kill -9`.
fn kill(pid: &str) {
    let _ = Command::new("kill").args(["-9", pid]).stderr(Stdio::null()).status();
}

/// A process that does not outlive its test.
struct Process(Child);

impl Process {
    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A `HyperQueue` of this test's own: a server and two workers of one core.
struct HyperQueue {
    folder: PathBuf,
    /// The engine in its Python package, with a command of ours; otherwise the command `hq` itself.
    in_python: bool,
    running: Vec<Process>,
}

impl HyperQueue {
    /// Starts one below a folder. Without `HyperQueue` there is none; where `cargo xtask ci` installed it there must be one.
    fn start(folder: &Path) -> Option<HyperQueue> {
        let bin = folder.join("bin");
        fs::create_dir_all(&bin).unwrap();
        let python = std::env::var("OBORO_HQ_PYTHON").ok();
        if let Some(python) = &python {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hyperqueue/hq.py");
            let hq = bin.join("hq");
            fs::write(&hq, format!("#!/bin/sh\nexec '{python}' '{script}' \"$@\"\n")).unwrap();
            fs::set_permissions(&hq, fs::Permissions::from_mode(0o755)).unwrap();
        } else if !Command::new("hq").arg("--version").output().is_ok_and(|o| o.status.success()) {
            println!(
                "skipped: neither `hq` on the path nor OBORO_HQ_PYTHON, a Python with the package hyperqueue"
            );
            return None;
        }
        let mut engine = HyperQueue {
            folder: folder.to_owned(),
            in_python: python.is_some(),
            running: Vec::new(),
        };
        engine.start_all();
        Some(engine)
    }

    fn start_all(&mut self) {
        // An access file of a server that was killed would lead nowhere.
        let access = self.folder.join("server/hq-current/access.json");
        let _ = fs::remove_file(&access);
        let journal = self.folder.join("journal").to_string_lossy().into_owned();
        let server: &[&str] = if self.in_python {
            &["server", "start", "--workers", "2"]
        } else {
            &["server", "start", "--journal", &journal]
        };
        self.spawn(server);
        wait(&self.folder, "the server", || access.exists());
        if !self.in_python {
            self.spawn(&["worker", "start", "--cpus", "1"]);
            self.spawn(&["worker", "start", "--cpus", "1"]);
        }
    }

    fn spawn(&mut self, arguments: &[&str]) {
        let mut hq = self.through(Command::new("hq"));
        hq.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.running.push(Process(hq.spawn().expect("hq starts")));
    }

    /// A command that finds this engine.
    fn through(&self, mut command: Command) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("PATH", format!("{}:{path}", self.folder.join("bin").display()))
            .env("HQ_SERVER_DIR", self.folder.join("server"));
        command
    }

    /// `kill -9` of a worker. In Python the workers are threads of the server, so that it is what one of them runs.
    fn kill_a_worker(&mut self, out: &Path) {
        if self.in_python {
            wait(&self.folder, "a task", || !workers(out).is_empty());
            kill(&workers(out)[0]);
        } else {
            self.running.pop().expect("two of them").kill();
            self.spawn(&["worker", "start", "--cpus", "1"]);
        }
    }

    /// `kill -9` of the server (with its workers, who do not outlive it). With `hq` its journal is left; in Python it has
    /// none, and everything is forgotten.
    fn kill_the_server(&mut self) {
        self.running.drain(..).for_each(Process::kill);
    }
}

/// Starts the run that is to survive.
fn submit(engine: &HyperQueue, here: &Path) -> Process {
    let experiment = ["experiment", "small.toml", "--via", "hyperqueue"];
    let mut submitter = engine.through(command(here, &experiment));
    submitter.args(["--task-seconds", "1", "--out", "many"]);
    let errors = fs::File::options().create(true).append(true).open(here.join("errors")).unwrap();
    submitter.stdout(Stdio::piped()).stderr(errors);
    Process(submitter.spawn().unwrap())
}

#[test]
fn kills_of_a_worker_the_server_and_the_submitter_change_no_byte() {
    // A match is a task at least, however fast this machine is.
    let folder = with_experiment(14, 24);
    let here = folder.path();
    let Some(mut engine) = HyperQueue::start(here) else { return };
    let out = here.join("many");

    let first = submit(&engine, here);
    wait(here, "the first part", || parts(&out) > 0);
    engine.kill_a_worker(&out);
    let before = parts(&out);
    wait(here, "two more parts", || parts(&out) >= before + 2);
    engine.kill_the_server();
    let before = parts(&out);
    engine.start_all();
    wait(here, "parts after the server came back", || parts(&out) > before);
    first.kill();
    assert!(out.join("tasks/list.jsonl").exists(), "it was killed in the middle");

    let mut second = submit(&engine, here);
    let status = second.0.wait().unwrap();
    let errors = fs::read_to_string(here.join("errors")).unwrap();
    assert!(status.success(), "{errors}");
    assert!(!out.join("tasks").exists(), "nothing of the tasks is left");
    engine.kill_the_server();
    for pid in workers(&out) {
        kill(&pid);
    }

    works(here, &["experiment", "small.toml", "--threads", "1", "--out", "one"]);
    assert_eq!(files(&here.join("one")), files(&out));
}

#[test]
fn whoever_runs_oboro_work_plays_for_a_folder() {
    let folder = with_experiment(3, 12);
    let here = folder.path();
    let shared = ["--via", "folder", "--task-seconds", "1"];
    let runs: [(&[&str], &str); 3] = [
        (&["experiment", "small.toml"], "experiment"),
        (&["experiment", "small.toml", "--shard", "2/3"], "shard"),
        (&["league", "sevens", "random", "rule", "eval", "--games", "40", "--seed", "3"], "league"),
    ];
    for (run, name) in runs {
        let (one, many) = (format!("{name}-one"), format!("{name}-many"));
        let plan = works(here, &[run, &shared, &["--dry-run", "--out", &many]].concat());
        assert!(plan.contains("games in") && !here.join(&many).exists(), "{plan}");
        let alone = works(here, &[run, &["--threads", "1", "--out", &one]].concat());

        let submitter = command(here, &[run, &shared, &["--out", &many]].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut submitter = Process(submitter.unwrap());
        // One machine takes the even tasks, the other what is left; what is not listed yet is for the next time.
        wait(here, "the end", || {
            if here.join(&many).join("tasks/list.jsonl").exists() {
                let half = ["work", &many, "--task-from", "NUMBER", "--of", "2"];
                let _ = command(here, &half).env("NUMBER", "0").output();
                let _ = command(here, &["work", &many]).output();
            }
            submitter.0.try_wait().unwrap().is_some()
        });
        let mut printed = String::new();
        let output = submitter.0.stdout.take().unwrap();
        std::io::Read::read_to_string(&mut { output }, &mut printed).unwrap();
        assert_eq!(printed, alone);
        assert_eq!(files(&here.join(one)), files(&here.join(many)));
    }
}

#[test]
fn a_reproduction_is_played_by_others_as_well() {
    let folder = with_experiment(3, 12);
    let here = folder.path();
    works(here, &["reproduce", "small.toml", "--out", "one"]);
    let arguments = ["reproduce", "small.toml", "--out", "many", "--via", "folder"];
    let mut submitter = Process(command(here, &arguments).stderr(Stdio::null()).spawn().unwrap());
    wait(here, "the end", || {
        let _ = command(here, &["work", "many"]).output();
        submitter.0.try_wait().unwrap().is_some()
    });
    let results = |out: &str| files(&here.join(out).join("results/small-quick"));
    assert_eq!(results("one"), results("many"));
    assert!(results("many").len() > 2 && !here.join("many/tasks").exists());
    let runs = fs::read_to_string(here.join("many/results/sessions.jsonl")).unwrap();
    assert!(runs.contains("\"games\":36") && runs.contains("oboro work"), "{runs}");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = with_experiment(3, 12);
    let here = folder.path();
    let bin = here.join("bin");
    fs::create_dir(&bin).unwrap();
    let experiment = ["experiment", "small.toml", "--out", "out", "--via"];
    let fails = |engine: &str| {
        let output = command(here, &[&experiment[..], &[engine]].concat())
            .env("PATH", &bin)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let pretend = |name: &str, script: &str| {
        let path = bin.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    for (engine, said) in [("hyperqueue", "no `hq` on the path"), ("slurm", "no `squeue` on")] {
        let error = fails(engine);
        assert!(error.contains(said), "{error}");
    }
    pretend("hq", "echo 'No online server was found' >&2; exit 1");
    let error = fails("hyperqueue");
    assert!(error.contains("No online server was found (`hq server start`"), "{error}");
    pretend("hq", "echo hello");
    let error = fails("hyperqueue");
    assert!(error.contains("where a list of jobs was expected"), "{error}");
    // Tasks that are taken and never played.
    pretend("hq", "echo '[]'");
    let error = fails("hyperqueue");
    assert!(error.contains("given out 3 times") && error.contains("on a disk that"), "{error}");

    // What is listed now can be worked on by the right program only, task by task.
    let error = refuses(here, &["work", "out", "--task", "1000"]);
    assert!(error.contains("there is no task 1000"), "{error}");
    let error = refuses(here, &["work", "out", "--task-from", "NO_SUCH_THING"]);
    assert!(error.contains("no such variable"), "{error}");
    let error = refuses(here, &["work", "nowhere"]);
    assert!(error.contains("no tasks are listed here"), "{error}");
    let error = refuses(here, &["league", "sevens", "rule", "eval", "--via", "folder"]);
    assert!(error.contains("--via needs --out"), "{error}");
    let program = here.join("out/tasks/program.txt");
    assert!(fs::read_to_string(&program).unwrap().starts_with("oboro "));
    fs::write(&program, "oboro 9.9.9 of commit 0123\n").unwrap();
    let error = refuses(here, &["work", "out", "--task", "0"]);
    assert!(error.contains("install the same program on every machine"), "{error}");
    let left = fs::read_to_string(here.join("out/tasks/failed/000000.txt")).unwrap();
    assert!(left.contains("install the same program"), "{left}");
}

/// Small tasks, and every two seconds one of those that run is killed. `OBORO_TASKS=1000` has more of them.
#[test]
fn many_tasks_survive_many_kills() {
    let tasks: u64 = std::env::var("OBORO_TASKS").map_or(12, |tasks| tasks.parse().unwrap());
    let folder = with_experiment(tasks, 4);
    let here = folder.path();
    let Some(engine) = HyperQueue::start(here) else { return };
    let mut submitter = submit(&engine, here);
    let out = here.join("many");
    let mut killed = 0;
    while submitter.0.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_secs(2));
        if let Some(pid) = workers(&out).first() {
            kill(pid);
            killed += 1;
        }
    }
    assert!(
        submitter.0.wait().unwrap().success(),
        "{}",
        fs::read_to_string(here.join("errors")).unwrap()
    );
    println!("{tasks} games, {killed} kills: {}", fs::read_to_string(here.join("errors")).unwrap());
    works(here, &["experiment", "small.toml", "--out", "one"]);
    assert_eq!(files(&here.join("one")), files(&out));
}
