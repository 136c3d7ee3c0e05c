//! A process that does not outlive us.

#[cfg(target_os = "linux")]
use crate::descendants::Descendants;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// How long a program may take to exit after it was told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long to wait before looking again.
const BLINK: Duration = Duration::from_millis(2);

/// A program in a process group of its own, which Ctrl-C at our terminal does not reach: whatever it starts ends with it, and it ends with us. On Linux that holds for
/// processes, too, that leave the group and the session; elsewhere such a process stays.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Ends the group if we cannot: it waits for the end of its input, which comes even if we are killed.
    guard: Option<Child>,
    #[cfg(target_os = "linux")]
    descendants: Descendants,
}

impl Process {
    /// Starts a command.
    ///
    /// # Errors
    /// If the system does not.
    pub fn start(command: &mut Command) -> io::Result<Process> {
        #[cfg(target_os = "linux")]
        let descendants = Descendants::new();
        #[cfg(target_os = "linux")]
        let (variable, mark) = descendants.variable();
        #[cfg(target_os = "linux")]
        command.env(variable, mark);
        let child = command.process_group(0).spawn()?;
        #[cfg(not(target_os = "linux"))]
        let last_will = format!("read _; kill -9 -{}", child.id());
        // Nobody inherits what is left once we are gone, so the guard looks for the mark.
        #[cfg(target_os = "linux")]
        let last_will = format!(
            "read _; kill -9 -{}; for p in $(grep -lsz '^{variable}={mark}$' /proc/[0-9]*/environ); do \
             p=${{p%/environ}}; kill -9 ${{p#/proc/}}; done",
            child.id()
        );
        let guard = shell(&last_will)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok();
        Ok(Process {
            child,
            guard,
            #[cfg(target_os = "linux")]
            descendants,
        })
    }

    /// Our ends of its pipes: its input, output and error output, where they were asked for.
    pub fn pipes(&mut self) -> [Option<OwnedFd>; 3] {
        let Child { stdin, stdout, stderr, .. } = &mut self.child;
        [stdin.take().map(Into::into), stdout.take().map(Into::into), stderr.take().map(Into::into)]
    }

    /// Whether it ended well, if it has ended.
    pub fn ended(&self) -> Option<bool> {
        Some(self.wait(Duration::ZERO)?.exit_status() == Some(0))
    }

    /// How it ended, if it has or is about to.
    pub(crate) fn how_it_ended(&self) -> Option<String> {
        let status = self.wait(FAREWELL)?;
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(format!("exit code {code}")),
            (None, Some(signal)) => Some(format!("signal {signal}")),
            (None, None) => None,
        }
    }

    /// Lets it exit in its own time, which is short; false if it did not.
    pub(crate) fn dismiss(self) -> bool {
        self.wait(FAREWELL).is_some()
    }

    /// Waits until it has ended, but leaves it to be reaped: its number must not go to another process before its group
    /// is ended.
    fn wait(&self, limit: Duration) -> Option<WaitIdStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let mut waited = Duration::ZERO;
        loop {
            let status = waitid(WaitId::Pid(self.group()), options).ok()?;
            if status.is_some() || waited >= limit {
                return status;
            }
            sleep(BLINK);
            waited += BLINK;
        }
    }

    fn group(&self) -> Pid {
        Pid::from_raw(self.child.id().cast_signed()).expect("a process has a number")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Whatever fails here has ended already.
        let _ = kill_process_group(self.group(), Signal::KILL);
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(guard) = &mut self.guard {
            let _ = guard.kill();
            let _ = guard.wait();
        }
        #[cfg(target_os = "linux")]
        self.descendants.end();
    }
}

/// A command of the shell.
pub(crate) fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    shell
}
