//! Processes that a program started and left: on Linux we become their parent, know them by a mark, and end them.
//!
//! A program may start a process that leaves its group and its session, so that ending the group does not reach it. As a
//! child subreaper we inherit such a process when its parents end. It has the mark of its program in its environment; one
//! that removed the mark is known by its session, which is not ours, and ends with the next program that ends.

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, set_child_subreaper, waitid,
};
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// The variable that marks a program and whatever it starts.
const MARK: &str = "OBORO_PROGRAM";
/// Parents end before their children become ours.
const PAUSE: Duration = Duration::from_millis(5);
/// How often we look for more.
const PASSES: usize = 40;

/// Marks of programs that run.
static RUNNING: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Whether we inherit what is left behind; asked for once.
static REAPER: LazyLock<bool> = LazyLock::new(|| set_child_subreaper(Some(getpid())).is_ok());

/// Whatever one program starts, known by a mark that no other program has.
#[derive(Debug)]
pub(crate) struct Descendants(String);

impl Descendants {
    /// Those of a program that is about to start.
    pub(crate) fn new() -> Descendants {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let _ = *REAPER;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{number}", getpid().as_raw_nonzero());
        running(|marks| marks.push(mark.clone()));
        Descendants(mark)
    }

    /// The variable that the program has to have in its environment, and its value.
    pub(crate) fn variable(&self) -> (&'static str, &str) {
        (MARK, &self.0)
    }

    /// Ends whatever the program has left behind. To be called when the program itself has ended; it may wait for a
    /// fifth of a second.
    pub(crate) fn end(&self) {
        self.forget();
        if !*REAPER {
            return;
        }
        let mut quiet = 0;
        for _ in 0..PASSES {
            let left = self.inherited();
            if left.is_empty() {
                quiet += 1;
            }
            for pid in left {
                // Whatever fails here has ended already.
                let _ = kill_process(pid, Signal::KILL);
                let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED);
            }
            if quiet > 1 {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The program does not run any more.
    fn forget(&self) {
        running(|marks| marks.retain(|mark| *mark != self.0));
    }

    /// The processes that we have inherited from this program.
    fn inherited(&self) -> Vec<Pid> {
        let own = getpid().as_raw_nonzero().get();
        // Not `getsid`: where our session began outside our container its number is 0, which is no process's.
        let session = family(own).map(|(_, session)| session);
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let ours = pids.filter(|pid| {
            let Some((parent, its)) = family(*pid) else { return false };
            let marks = environment(*pid);
            let other = running(|running| marks.iter().any(|mark| running.contains(mark)));
            let marked = marks.contains(&self.0);
            parent == own && (marked || !other && session != Some(its))
        });
        ours.filter_map(Pid::from_raw).collect()
    }
}

impl Drop for Descendants {
    fn drop(&mut self) {
        self.forget();
    }
}

fn running<T>(look: impl FnOnce(&mut Vec<String>) -> T) -> T {
    look(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The parent and the session of a process.
fn family(pid: i32) -> Option<(i32, i32)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of a program may have spaces and parentheses.
    let mut fields = stat.rsplit(") ").next()?.split(' ').skip(1);
    let parent = fields.next()?.parse().ok()?;
    Some((parent, fields.nth(1)?.parse().ok()?))
}

/// The marks in a process's environment.
fn environment(pid: i32) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let variables = bytes.split(|byte| *byte == 0).filter_map(|one| std::str::from_utf8(one).ok());
    let marks = variables.filter_map(|one| one.strip_prefix(MARK)?.strip_prefix('='));
    marks.map(str::to_owned).collect()
}
