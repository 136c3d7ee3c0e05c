//! One program, started or connected to: lines out, lines in, never longer than a deadline and never more than a limit.

use crate::process::{Process, shell};
use oboro_core::stopping;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, retry_on_intr, write};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The longest line that is taken from a program.
const LINE_LIMIT: usize = 1 << 20;

/// How much of what a program says on its error output is kept in memory: the last of it.
const LAST_WORDS: usize = 4 << 10;

/// How much of it goes to a log file.
const LOG_LIMIT: u64 = 4 << 20;

/// What to do about lines that belong elsewhere.
pub(crate) const LOGS: &str = "print logs to standard error";

/// What to do about answers that stay in a buffer of the program.
const FLUSH: &str = "; does it flush its output after each line?";

/// How many of the last lines on its error output are told when a program ends.
const LINES_TOLD: usize = 3;

/// How long to wait before asking whether anybody still wants the answer.
const PATIENCE: Duration = Duration::from_millis(100);

/// What a program did wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("it could not be started: {0}")]
    Start(String),
    #[error("it could not be reached: {0}")]
    Connect(String),
    #[error("it ended{0}")]
    Ended(String),
    #[error("it did not answer within {0}{1}")]
    Late(String, &'static str),
    #[error("its line is longer than {} KiB", LINE_LIMIT >> 10)]
    Long,
    #[error("it spoke without being asked: `{0}`; {LOGS}")]
    Unasked(String),
    #[error("its answer is no JSON object: `{0}`; {LOGS}")]
    Remark(String),
    #[error("it was not waited for")]
    Stopped,
}

/// A program at the other end.
#[derive(Debug)]
pub(crate) struct Peer {
    input: OwnedFd,
    output: OwnedFd,
    errors: Errors,
    process: Option<Process>,
    /// What was read and not yet taken.
    heard: Vec<u8>,
    /// Whether it has answered a question, the greeting aside.
    answered: bool,
}

/// The error output of a program.
#[derive(Debug, Default)]
struct Errors {
    /// None once it is closed.
    pipe: Option<OwnedFd>,
    last: Vec<u8>,
    log: Option<(File, u64)>,
}

impl Peer {
    /// Starts a program by its command line, as a shell reads it, in a process group of its own.
    pub(crate) fn start(
        command: &str,
        log: Option<&Path>,
        usual_buffering: bool,
    ) -> Result<Peer, Fault> {
        let failed = |error: io::Error| Fault::Start(error.to_string());
        let log = log.map(open_log).transpose().map_err(failed)?;
        let mut program = shell(command);
        if usual_buffering {
            program.env_remove("PYTHONUNBUFFERED");
        }
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Process::start(&mut program).map_err(failed)?;
        let [Some(input), Some(output), Some(errors)] = process.pipes() else {
            unreachable!("all three were asked for")
        };
        ioctl_fionbio(&errors, true).map_err(|error| failed(error.into()))?;
        let errors = Errors { pipe: Some(errors), last: Vec::new(), log };
        Peer::new(input, output, errors, Some(process)).map_err(failed)
    }

    /// Connects to a program that listens.
    pub(crate) fn connect(address: &str, limit: Duration) -> Result<Peer, Fault> {
        let open = || -> io::Result<Peer> {
            let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
            for address in std::net::ToSocketAddrs::to_socket_addrs(address)? {
                match TcpStream::connect_timeout(&address, limit) {
                    Ok(stream) => {
                        stream.set_nodelay(true)?;
                        let output = stream.try_clone()?.into();
                        return Peer::new(stream.into(), output, Errors::default(), None);
                    }
                    Err(error) => last = error,
                }
            }
            Err(last)
        };
        open().map_err(|error| Fault::Connect(error.to_string()))
    }

    fn new(
        input: OwnedFd,
        output: OwnedFd,
        errors: Errors,
        process: Option<Process>,
    ) -> io::Result<Peer> {
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        Ok(Peer { input, output, errors, process, heard: Vec::new(), answered: false })
    }

    /// Says something and waits for one line.
    pub(crate) fn ask(&mut self, message: &[u8], limit: Duration) -> Result<Vec<u8>, Fault> {
        self.check_alive()?;
        if !self.heard.is_empty() {
            return Err(self.unasked());
        }
        let line = self.exchange(message, limit, false)?;
        self.answered = true;
        Ok(line)
    }

    /// The same for the first message: whether a program that says hello at once does so before or after it was greeted is a matter
    /// of chance.
    pub(crate) fn greet(&mut self, message: &[u8], limit: Duration) -> Result<Vec<u8>, Fault> {
        self.check_alive()?;
        self.exchange(message, limit, true)
    }

    #[allow(clippy::disallowed_methods, reason = "programs are waited for by the clock")]
    fn exchange(
        &mut self,
        message: &[u8],
        limit: Duration,
        may_be_early: bool,
    ) -> Result<Vec<u8>, Fault> {
        let end = Instant::now() + limit;
        let mut unsent = message;
        loop {
            self.send(&mut unsent)?;
            if unsent.is_empty()
                && let Some(line) = self.take_line()?
            {
                return Ok(line);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let hint = if self.answered { "" } else { FLUSH };
                return Err(Fault::Late(seconds(limit), hint));
            }
            if stopping() {
                return Err(Fault::Stopped);
            }
            self.wait(!unsent.is_empty(), left.min(PATIENCE));
            let open = self.hear()?;
            if !open && !self.heard.contains(&b'\n') {
                return Err(self.ended());
            }
            if !may_be_early && !unsent.is_empty() && !self.heard.is_empty() {
                return Err(self.unasked());
            }
        }
    }

    /// Hears what there is; it must not be the end.
    fn check_alive(&mut self) -> Result<(), Fault> {
        if self.heard.is_empty() && !self.hear()? && self.heard.is_empty() {
            return Err(self.ended());
        }
        Ok(())
    }

    fn unasked(&self) -> Fault {
        let line = self.heard.split(|byte| *byte == b'\n').next().unwrap_or_default();
        Fault::Unasked(quoted(line))
    }

    /// Writes as much as the program takes now.
    fn send(&mut self, unsent: &mut &[u8]) -> Result<(), Fault> {
        while !unsent.is_empty() {
            match retry_on_intr(|| write(&self.input, unsent)) {
                Ok(count) => *unsent = &unsent[count..],
                Err(Errno::AGAIN) => return Ok(()),
                Err(_) => return Err(self.ended()),
            }
        }
        Ok(())
    }

    /// Waits until the program reads or says something.
    fn wait(&self, to_send: bool, limit: Duration) {
        let mut fds = vec![PollFd::new(&self.output, PollFlags::IN)];
        if let Some(errors) = &self.errors.pipe {
            fds.push(PollFd::new(errors, PollFlags::IN));
        }
        if to_send {
            fds.push(PollFd::new(&self.input, PollFlags::OUT));
        }
        let limit =
            Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
        // An interrupted wait is a short one.
        let _ = poll(&mut fds, Some(&limit));
    }

    /// Reads what is there; false if the program has closed its output.
    fn hear(&mut self) -> Result<bool, Fault> {
        self.errors.drain();
        let mut buffer = [0; 8192];
        loop {
            match retry_on_intr(|| read(&self.output, &mut buffer)) {
                Ok(0) => return Ok(false),
                Ok(count) => self.heard.extend_from_slice(&buffer[..count]),
                Err(Errno::AGAIN) => return Ok(true),
                Err(_) => return Ok(false),
            }
            if self.heard.len() > LINE_LIMIT {
                return Err(Fault::Long);
            }
            // One line is all that is waited for; a flood is not read to its end.
            if self.heard.contains(&b'\n') {
                return Ok(true);
            }
        }
    }

    /// The line that was heard, if it is whole.
    fn take_line(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        let Some(end) = self.heard.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
        let rest = self.heard.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.heard, rest);
        line.pop();
        if self.heard.is_empty() {
            return Ok(Some(line));
        }
        // Where the answer follows after a remark, the remark is at fault.
        Err(if is_object(&line) { self.unasked() } else { Fault::Remark(quoted(&line)) })
    }

    /// The program is gone: how, and the last lines of its error output.
    fn ended(&mut self) -> Fault {
        let how = self.process.as_ref().and_then(Process::how_it_ended);
        self.errors.drain();
        let mut text = how.map(|how| format!(" ({how})")).unwrap_or_default();
        let words = self.last_words();
        let lines: Vec<&str> =
            words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let told = &lines[lines.len().saturating_sub(LINES_TOLD)..];
        if !told.is_empty() {
            let told: Vec<String> =
                told.iter().map(|line| line.chars().take(120).collect()).collect();
            let more = if self.errors.log.is_some() { "" } else { "; log=FILE keeps all of them" };
            text.push_str(&format!("; its last words: {}{more}", told.join(" / ")));
        }
        Fault::Ended(text)
    }

    /// The end of its error output.
    pub(crate) fn last_words(&self) -> String {
        String::from_utf8_lossy(&self.errors.last).into_owned()
    }

    /// Says a last word and lets the program exit in its own time, which is short; false if it had to be ended.
    pub(crate) fn dismiss(mut self, message: &[u8]) -> bool {
        let said = self.send(&mut &*message).is_ok();
        let process = self.process.take();
        drop(self); // closes its input
        said && process.is_none_or(Process::dismiss)
    }
}

impl Errors {
    /// Reads what is there and keeps the last of it.
    fn drain(&mut self) {
        let mut buffer = [0; 4096];
        // A program that writes without end is read no faster than it is asked.
        for _ in 0..64 {
            let Some(pipe) = &self.pipe else { return };
            match retry_on_intr(|| read(pipe, &mut buffer)) {
                Ok(count @ 1..) => self.keep(&buffer[..count]),
                Err(Errno::AGAIN) => return,
                Ok(0) | Err(_) => self.pipe = None,
            }
        }
    }

    fn keep(&mut self, words: &[u8]) {
        if let Some((file, room)) = &mut self.log {
            let kept = words.len().min(*room as usize);
            *room -= kept as u64;
            // A log that cannot be written is no reason to lose a game.
            let _ = file.write_all(&words[..kept]);
        }
        self.last.extend_from_slice(words);
        let surplus = self.last.len().saturating_sub(LAST_WORDS);
        self.last.drain(..surplus);
    }
}

fn open_log(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let room = LOG_LIMIT.saturating_sub(file.metadata()?.len());
    Ok((file, room))
}

/// Whether a line may be a message at all.
pub(crate) fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"{")
}

/// The beginning of a line, to be quoted.
pub(crate) fn quoted(line: &[u8]) -> String {
    String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned()
}

/// A time in words.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
