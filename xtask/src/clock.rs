//! How long the steps and the test programs take.

use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::process::Command;
use std::time::{Duration, Instant};

/// The times of some steps, in order.
#[derive(Debug, Default)]
pub(crate) struct Clock(Vec<(&'static str, Duration)>);

impl Clock {
    /// Takes a step and notes its time.
    #[allow(clippy::disallowed_methods, reason = "the time of a step is what is asked for")]
    pub(crate) fn time(&mut self, step: &'static str, take: impl FnOnce() -> bool) -> bool {
        let start = Instant::now();
        let done = take();
        self.0.push((step, start.elapsed()));
        done
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(step, time)| writeln!(f, "{:8.1} s  {step}", time.as_secs_f64()))
    }
}

/// Runs `cargo test`, passing on what it says, and lists the ten slowest test programs: stable Rust tells the time of a
/// program, but not of a single test.
pub(crate) fn run_tests(mut command: Command) -> bool {
    let program = super::say(&command);
    let run = || {
        let (reader, writer) = std::io::pipe()?;
        let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
        drop(command); // and with it our end of the pipe
        let mut programs = Programs::default();
        for line in BufReader::new(reader).lines() {
            let line = line?;
            println!("{line}");
            programs.hear(&line);
        }
        print!("{programs}");
        child.wait()
    };
    run().map_or_else(
        |error: std::io::Error| {
            println!("{program}: {error}");
            false
        },
        |status| status.success(),
    )
}

/// The times of test programs, as `cargo test` tells them.
#[derive(Debug, Default)]
struct Programs {
    running: String,
    times: Vec<(f64, String)>,
}

impl Programs {
    fn hear(&mut self, line: &str) {
        let line = line.trim();
        if let Some(name) =
            line.strip_prefix("Running ").or_else(|| line.strip_prefix("Doc-tests "))
        {
            name.clone_into(&mut self.running);
        } else if let Some((_, time)) = line.split_once("finished in ")
            && let Ok(seconds) = time.trim_end_matches('s').parse()
        {
            self.times.push((seconds, self.running.clone()));
        }
    }
}

impl fmt::Display for Programs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut times = self.times.clone();
        times.sort_by(|a, b| b.0.total_cmp(&a.0));
        writeln!(f, "the slowest test programs:")?;
        times.iter().take(10).try_for_each(|(time, name)| writeln!(f, "{time:8.1} s  {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_program_comes_first() {
        let mut programs = Programs::default();
        for line in [
            "     Running unittests src/lib.rs (target/debug/deps/a-1)",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.50s",
            "   Doc-tests oboro_core",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 12.25s",
        ] {
            programs.hear(line);
        }
        let said = programs.to_string();
        let lines: Vec<&str> = said.lines().map(str::trim).collect();
        assert_eq!(
            lines[1..],
            ["12.2 s  oboro_core", "1.5 s  unittests src/lib.rs (target/debug/deps/a-1)"]
        );
    }
}
