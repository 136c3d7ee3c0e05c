//! What a server has done, for those who watch over it: counters in the text form of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper ends of the buckets of times, in milliseconds.
const BUCKETS: [u64; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/// Counts since the server started.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) tables_opened: AtomicU64,
    pub(crate) sockets: AtomicU64,
    pub(crate) sockets_opened: AtomicU64,
    pub(crate) frames: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) thinking: AtomicU64,
    steps: AtomicU64,
    commits: AtomicU64,
    failures: AtomicU64,
    /// From the start of a commit until it is on disk.
    commit_times: Histogram,
    /// Why the last commit failed; nothing if the last one did not.
    failing: Mutex<Option<String>>,
}

impl Metrics {
    pub(crate) fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// So many steps are on disk.
    pub(crate) fn committed(&self, steps: usize, time: Duration) {
        self.steps.fetch_add(steps as u64, Ordering::Relaxed);
        Metrics::count(&self.commits);
        self.commit_times.add(time);
        *self.failing.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Something could not be written.
    pub(crate) fn not_committed(&self, why: &str) {
        Metrics::count(&self.failures);
        *self.failing.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.to_owned());
    }

    /// What is wrong, if the last commit failed.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Everything as text; `tables` are those in memory. `memory` says of agents that wait and of those that think how
    /// many megabytes are set aside for them, and how many may be.
    pub(crate) fn text(&self, tables: usize, memory: [(u32, u32); 2]) -> String {
        let mut text = String::new();
        let mut line = |name: &str, kind: &str, about: &str, value: u64| {
            let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} {kind}\n{name} {value}");
        };
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        line("oboro_tables", "gauge", "Tables in memory.", tables as u64);
        line("oboro_sockets", "gauge", "Connected browsers.", read(&self.sockets));
        line("oboro_thinking", "gauge", "Agents and analyses at work.", read(&self.thinking));
        for (what, (megabytes, most)) in ["held", "thinking"].into_iter().zip(memory) {
            let name = format!("oboro_agents_{what}_megabytes");
            line(&name, "gauge", "Memory set aside for agents.", megabytes.into());
            line(&format!("{name}_limit"), "gauge", "The most there may be.", most.into());
        }
        line("oboro_tables_opened_total", "counter", "Tables set.", read(&self.tables_opened));
        line(
            "oboro_sockets_total",
            "counter",
            "Browsers that connected.",
            read(&self.sockets_opened),
        );
        line("oboro_frames_total", "counter", "Messages sent to browsers.", read(&self.frames));
        line("oboro_refused_total", "counter", "Requests refused by a limit.", read(&self.refused));
        line(
            "oboro_steps_total",
            "counter",
            "Steps of tables and events on disk.",
            read(&self.steps),
        );
        line("oboro_commits_total", "counter", "Groups of steps committed.", read(&self.commits));
        line(
            "oboro_commit_failures_total",
            "counter",
            "Groups that could not be.",
            read(&self.failures),
        );
        let failing = u64::from(self.trouble().is_some());
        line("oboro_commit_failing", "gauge", "Whether the last commit failed.", failing);
        self.commit_times.write(&mut text, "oboro_commit_seconds", "Time to commit a group.");
        text
    }
}

#[derive(Debug, Default)]
struct Histogram {
    buckets: [AtomicU64; BUCKETS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

impl Histogram {
    fn add(&self, time: Duration) {
        let micros = time.as_micros() as u64;
        for (bucket, end) in self.buckets.iter().zip(BUCKETS) {
            if micros <= end * 1000 {
                Metrics::count(bucket);
            }
        }
        Metrics::count(&self.count);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn write(&self, text: &mut String, name: &str, about: &str) {
        let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} histogram");
        for (bucket, end) in self.buckets.iter().zip(BUCKETS) {
            let end = end as f64 / 1000.0;
            let _ =
                writeln!(text, "{name}_bucket{{le=\"{end}\"}} {}", bucket.load(Ordering::Relaxed));
        }
        let count = self.count.load(Ordering::Relaxed);
        let seconds = self.micros.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(
            text,
            "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {seconds}\n{name}_count {count}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_cumulative_and_trouble_is_told_until_it_is_over() {
        let metrics = Metrics::default();
        metrics.committed(3, Duration::from_millis(4));
        metrics.not_committed("full");
        let text = metrics.text(7, [(1, 2), (3, 4)]);
        assert!(text.contains("oboro_tables 7\n") && text.contains("oboro_steps_total 3\n"));
        assert!(text.contains("le=\"0.002\"} 0\n") && text.contains("le=\"0.005\"} 1\n"));
        assert_eq!(
            (metrics.trouble().as_deref(), text.contains("oboro_commit_failing 1\n")),
            (Some("full"), true)
        );
        metrics.committed(1, Duration::ZERO);
        assert_eq!(metrics.trouble(), None);
    }
}
