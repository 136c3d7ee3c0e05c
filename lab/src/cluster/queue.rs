use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// What is submitted: `PROGRAM work ROOT --task-from VARIABLE`, for some tasks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// What it is called in the engine's lists. It says which folder it works for, so that a run that was started again finds
    /// what is still on its way.
    pub name: String,
    /// This program, where every machine finds it.
    pub program: PathBuf,
    /// The folder of the whole, where every machine finds it.
    pub root: PathBuf,
}

impl Job {
    /// The job of a folder; both paths from the root of the file system.
    pub fn new(program: PathBuf, root: PathBuf) -> Job {
        let last = root.file_name().unwrap_or_default().to_string_lossy();
        let last: String = last
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
            .take(40)
            .collect();
        // FNV-1a: two folders of one name are told apart.
        let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = root.as_os_str().as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325, mix);
        Job { name: format!("oboro-{last}-{:08x}", hash as u32), program, root }
    }

    /// The command that plays the task whose number is in an environment variable.
    pub(super) fn command(&self, variable: &str) -> [String; 5] {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let (program, root) = (path(&self.program), path(&self.root));
        [program, "work".to_owned(), root, "--task-from".to_owned(), variable.to_owned()]
    }
}

/// What is known of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueueInfo {
    /// What it is called.
    pub name: &'static str,
    /// How many tasks it takes.
    pub most_tasks: usize,
    /// How often it may be asked: once in so many half seconds at most, and in ten times as many when it is long at work.
    pub patience: u32,
}

/// Who has tasks played.
pub trait Queue {
    /// What is known of it.
    fn info(&self) -> QueueInfo;

    /// Has these tasks of a job played; they are in rising order.
    ///
    /// # Errors
    /// If it refuses.
    fn submit(&self, job: &Job, tasks: &[usize]) -> Result<(), QueueError>;

    /// Whether something of a job is waiting or running.
    ///
    /// # Errors
    /// If it does not answer.
    fn is_busy(&self, job: &Job) -> Result<bool, QueueError>;

    /// Where to look when tasks fail without a word.
    fn hint(&self, job: &Job) -> String;
}

/// What is wrong with an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueueError {
    /// Its command is not there; how to come by it.
    #[error("there is no `{0}` on the path: {1}")]
    NoProgram(&'static str, &'static str),
    /// Its command failed: what was called, what it said, and what may help.
    #[error("`{0}` failed: {1} ({2})")]
    Refused(String, String, &'static str),
    /// Its command said something that makes no sense: what was called, what it said, and what would have been right.
    #[error("`{0}` answered {1}, where {2} was expected")]
    Unexpected(String, String, &'static str),
}

/// Nobody in particular: the tasks are there for whoever runs `oboro work`, on machines that somebody else starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ManualQueue;

impl Queue for ManualQueue {
    fn info(&self) -> QueueInfo {
        QueueInfo { name: "whoever runs oboro work", most_tasks: 100_000, patience: 1 }
    }

    fn submit(&self, _: &Job, _: &[usize]) -> Result<(), QueueError> {
        Ok(())
    }

    fn is_busy(&self, _: &Job) -> Result<bool, QueueError> {
        Ok(true)
    }

    fn hint(&self, _: &Job) -> String {
        String::new()
    }
}

/// The command of an engine.
pub(super) struct Tool {
    pub(super) program: &'static str,
    /// How to come by it.
    pub(super) install: &'static str,
    /// What may help when it refuses.
    pub(super) help: &'static str,
}

impl Tool {
    /// What the command prints.
    pub(super) fn ask(&self, arguments: &[String]) -> Result<String, QueueError> {
        let Tool { program, install, help } = *self;
        let refused = |said: String| {
            // The list of tasks may be very long.
            let shown: String = arguments.join(" ").chars().take(100).collect();
            QueueError::Refused(format!("{program} {shown}"), said, help)
        };
        match answer(Command::new(program).args(arguments)) {
            Ok(Some(output)) if output.status.success() => {
                Ok(String::from_utf8_lossy(&output.stdout).into_owned())
            }
            Ok(Some(output)) => Err(refused(words(&output))),
            Ok(None) => Err(refused("no answer for a minute".to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(QueueError::NoProgram(program, install))
            }
            Err(error) => Err(refused(error.to_string())),
        }
    }
}

/// Runs a command to its end; `None` if it did not end within a minute, as when the machine it speaks to is gone.
fn answer(command: &mut Command) -> io::Result<Option<Output>> {
    const LOOK: Duration = Duration::from_millis(20);
    const LOOKS: u32 = 3000;
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    let out = child.stdout.take().map(|pipe| std::thread::spawn(|| read(pipe)));
    let err = child.stderr.take().map(|pipe| std::thread::spawn(|| read(pipe)));
    for _ in 0..LOOKS {
        if let Some(status) = child.try_wait()? {
            let text = |reader: Option<JoinHandle<Vec<u8>>>| {
                reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
            };
            return Ok(Some(Output { status, stdout: text(out), stderr: text(err) }));
        }
        std::thread::sleep(LOOK);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// What comes out of a pipe; what was read before it broke is kept.
fn read(mut pipe: impl Read) -> Vec<u8> {
    let mut text = Vec::new();
    let _ = pipe.read_to_end(&mut text);
    text
}

/// What a command that failed said, short.
fn words(output: &Output) -> String {
    let said = [&output.stderr, &output.stdout].map(|text| String::from_utf8_lossy(text));
    let said = said.join(" ");
    let said = said.split("Stack backtrace").next().unwrap_or_default();
    let said: Vec<&str> = said.split_whitespace().collect();
    if said.is_empty() {
        return output.status.to_string();
    }
    said.join(" ").chars().take(400).collect()
}

/// Numbers in rising order as engines want them: `0-5,7,9-12`.
pub(super) fn ranges(tasks: &[usize]) -> String {
    let runs = tasks.chunk_by(|one, next| one + 1 == *next);
    let runs = runs.filter_map(|run| match run {
        [] => None,
        [only] => Some(only.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
    });
    runs.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_ranges() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[4]), "4");
    }

    #[test]
    fn jobs_of_two_folders_have_two_names_and_one_folder_has_one() {
        let name = |root: &str| Job::new("/bin/oboro".into(), root.into()).name;
        assert_eq!(name("/a/my run"), name("/a/my run"));
        assert_ne!(name("/a/my run"), name("/b/my run"));
        assert!(name("/a/my run").starts_with("oboro-my_run-"));
    }
}
