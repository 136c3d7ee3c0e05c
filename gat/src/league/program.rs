//! A foreign program: started, watched, and ended when its game is.

use super::PlayerEntry;
use oboro_protocol::Process;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// How much of what a program prints is kept, all its games together.
const LOG_LIMIT: u64 = 4 << 20;
/// How long to wait before looking again.
const BLINK: Duration = Duration::from_millis(20);

/// A program that plays one game.
#[derive(Debug)]
pub(super) struct Program {
    process: Process,
    logs: Vec<JoinHandle<()>>,
}

impl Program {
    /// Starts a player's program with the address filled in. What it prints goes to `log`.
    pub(super) fn start(
        player: &PlayerEntry,
        host: &str,
        port: u16,
        log: &Path,
    ) -> io::Result<Program> {
        let filled =
            |word: &String| word.replace("{host}", host).replace("{port}", &port.to_string());
        let mut words = player.command.iter().flatten().map(filled);
        let mut command = Command::new(words.next().ok_or(io::ErrorKind::InvalidInput)?);
        command
            .args(words)
            .envs(&player.environment)
            .current_dir(player.directory.as_deref().unwrap_or("."))
            .stdin(if player.input.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = Process::start(&mut command).inspect_err(|error| {
            let note = format!("cannot be started: {error}\n");
            let _ = open_log(log).and_then(|mut file| file.write_all(note.as_bytes()));
        })?;
        let [input, outputs @ ..] = process.pipes();
        if let (Some(words), Some(pipe)) = (player.input.clone(), input) {
            // A program that does not read must not keep the league waiting.
            std::thread::spawn(move || File::from(pipe).write_all(words.as_bytes()));
        }
        let copy = |output| tokio::spawn(copy(output, log.to_owned()));
        Ok(Program { process, logs: outputs.into_iter().flatten().map(copy).collect() })
    }

    /// Ready when it has exited with an error.
    pub(super) async fn failed(&self) {
        while self.process.ended() != Some(false) {
            sleep(BLINK).await;
        }
    }

    /// Lets it exit within a time, then ends it and everything it started.
    pub(super) async fn finish(self, leave: Duration) {
        let Program { process, logs } = self;
        let exit = async {
            while process.ended().is_none() {
                sleep(BLINK).await;
            }
        };
        let _ = timeout(leave, exit).await;
        let _ = tokio::task::spawn_blocking(|| drop(process)).await;
        for mut log in logs {
            // What it printed last is read; somebody else may hold its output open.
            if timeout(Duration::from_secs(1), &mut log).await.is_err() {
                log.abort();
            }
        }
    }
}

fn open_log(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Copies what a program prints, up to the limit; the rest is read and thrown away, so that it does
/// not block the program.
async fn copy(output: OwnedFd, path: PathBuf) {
    let Ok(mut output) = Receiver::from_owned_fd(output) else { return };
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
