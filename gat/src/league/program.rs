//! A foreign program: started, watched, and ended when its game is.

use super::PlayerEntry;
#[cfg(target_os = "linux")]
use oboro_protocol::Descendants;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// How much of what a program prints is kept, all its games together.
const LOG_LIMIT: u64 = 4 << 20;

/// A program that plays one game.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    logs: Vec<JoinHandle<()>>,
    #[cfg(target_os = "linux")]
    descendants: Descendants,
}

impl Program {
    /// Starts a player's program with the address filled in. What it prints goes to `log`.
    pub(super) fn start(
        player: &PlayerEntry,
        host: &str,
        port: u16,
        log: PathBuf,
    ) -> io::Result<Program> {
        let mut words = player
            .command
            .iter()
            .flatten()
            .map(|word| word.replace("{host}", host).replace("{port}", &port.to_string()));
        let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command
            .args(words)
            .envs(&player.environment)
            .stdin(if player.input.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // A group of its own, so that whatever it starts can be ended with it.
        #[cfg(unix)]
        command.process_group(0);
        #[cfg(target_os = "linux")]
        let descendants = Descendants::new();
        #[cfg(target_os = "linux")]
        command.env(descendants.variable().0, descendants.variable().1);
        if let Some(directory) = &player.directory {
            command.current_dir(directory);
        }
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                let note = format!("cannot be started: {error}\n");
                let _ = open_log(&log).and_then(|mut file| file.write_all(note.as_bytes()));
                return Err(error);
            }
        };
        if let (Some(input), Some(mut pipe)) = (player.input.clone(), child.stdin.take()) {
            // A program that does not read must not keep the league waiting.
            tokio::spawn(async move { pipe.write_all(input.as_bytes()).await });
        }
        let mut logs = Vec::new();
        logs.extend(child.stdout.take().map(|output| tokio::spawn(copy(output, log.clone()))));
        logs.extend(child.stderr.take().map(|output| tokio::spawn(copy(output, log))));
        Ok(Program {
            child,
            logs,
            #[cfg(target_os = "linux")]
            descendants,
        })
    }

    /// Ready when it has exited with an error.
    pub(super) async fn failed(&mut self) {
        while !matches!(self.child.try_wait(), Ok(Some(status)) if !status.success()) {
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Lets it exit within a time, then ends it and everything it started.
    pub(super) async fn finish(mut self, leave: Duration) {
        #[cfg(unix)]
        let group = self.child.id();
        let _ = timeout(leave, self.child.wait()).await;
        #[cfg(unix)]
        if let Some(group) = group.and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill().await;
        #[cfg(target_os = "linux")]
        let _ = tokio::task::spawn_blocking(move || self.descendants.end()).await;
        for log in self.logs {
            log.abort();
        }
    }
}

fn open_log(path: &PathBuf) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Copies what a program prints, up to the limit; the rest is read and thrown away, so that it does
/// not block the program.
async fn copy(mut output: impl AsyncRead + Unpin, path: PathBuf) {
    let mut file = open_log(&path).ok();
    let mut room = match file.as_ref().and_then(|file| file.metadata().ok()) {
        Some(metadata) => LOG_LIMIT.saturating_sub(metadata.len()),
        None => 0,
    };
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = output.read(&mut buffer).await {
        let kept = room.min(count as u64);
        room -= kept;
        if let Some(file) = &mut file {
            let _ = file.write_all(&buffer[..kept as usize]);
        }
    }
}
