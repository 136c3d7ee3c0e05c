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
        let mut said = Vec::new();
        for line in BufReader::new(reader).lines() {
            let line = line?;
            println!("{line}");
            said.push(line);
        }
        println!("the slowest test programs:\n{}", slowest(&said));
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

/// The ten slowest of the test programs that `cargo test` told of.
fn slowest(said: &[String]) -> String {
    let (mut running, mut times) = ("", Vec::new());
    for line in said.iter().map(|line| line.trim()) {
        let name = line.strip_prefix("Running ").or_else(|| line.strip_prefix("Doc-tests "));
        running = name.unwrap_or(running);
        let seconds = line.split_once("finished in ").map(|(_, time)| time.trim_end_matches('s'));
        if let Some(Ok(seconds)) = seconds.map(str::parse::<f64>) {
            times.push((seconds, running));
        }
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let lines = times.iter().take(10).map(|(time, name)| format!("{time:8.1} s  {name}"));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_slowest_program_comes_first() {
        let said = [
            "     Running unittests src/lib.rs (target/debug/deps/a-1)",
            "test result: ok. 3 passed; 0 failed; 0 ignored; finished in 1.50s",
            "   Doc-tests oboro_core",
            "test result: ok. 3 passed; 0 failed; 0 ignored; finished in 12.25s",
        ];
        let slowest = super::slowest(&said.map(str::to_owned));
        let lines: Vec<&str> = slowest.lines().map(str::trim).collect();
        let first = "1.5 s  unittests src/lib.rs (target/debug/deps/a-1)";
        assert_eq!(lines, ["12.2 s  oboro_core", first]);
    }
}
