//! The tutorials are run to the letter: their files are written, their changes applied, their commands run, and what
//! they print is what the page shows (`OBORO_BLESS=1` writes it anew). A port that a page names is replaced by a free one.

use assert_cmd::cargo::cargo_bin;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A fenced block of a page: its language, the word after it, and its text.
struct Block<'a> {
    language: &'a str,
    word: Option<&'a str>,
    text: &'a str,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let fences = page.split("\n```").skip(1).step_by(2);
    fences
        .map(|fence| {
            let (head, text) = fence.split_once('\n').expect("a fence has a line of its own");
            let mut words = head.split_whitespace();
            Block { language: words.next().unwrap_or_default(), word: words.next(), text }
        })
        .collect()
}

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the tree").to_owned()
}

fn path_of(page: &str) -> PathBuf {
    tree().join("docs/tutorial").join(page)
}

/// A server that a page starts; it ends with the page, or when the page starts another.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Somebody who does what a page says, in a folder.
struct Reader {
    folder: PathBuf,
    port: String,
    server: Option<Server>,
}

impl Reader {
    fn shell(&self, text: &str) -> Command {
        let program = cargo_bin!("oboro");
        let known = std::env::var_os("PATH").unwrap_or_default();
        let path = [program.parent().expect("a folder").to_owned()].into_iter();
        let path = std::env::join_paths(path.chain(std::env::split_paths(&known))).expect("a path");
        let mut shell = Command::new("sh");
        shell.args(["-euc", &text.replace("8080", &self.port)]).current_dir(&self.folder);
        shell.env("PATH", path).env("CARGO_TARGET_DIR", tree().join("target/tutorials"));
        shell.stdin(Stdio::null());
        shell
    }

    /// Starts a server and waits until it says where it listens.
    fn serve(&mut self, text: &str) {
        self.server = None;
        let mut shell = self.shell(&format!("exec {text}"));
        let mut child = shell.stdout(Stdio::piped()).spawn().expect("a shell");
        let mut line = String::new();
        let output = child.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        assert!(line.starts_with("http://"), "`{text}` says `{line}`");
        self.server = Some(Server(child));
    }

    /// Runs commands; what they print. Beside a server they are tried again for a while, as a person would.
    fn run(&self, text: &str) -> String {
        let tries = if self.server.is_some() { 60 } else { 1 };
        let mut said = String::new();
        for _ in 0..tries {
            let output = self.shell(text).output().expect("a shell");
            if output.status.success() {
                return String::from_utf8(output.stdout).expect("text");
            }
            said = String::from_utf8_lossy(&output.stderr).into_owned();
            std::thread::sleep(Duration::from_millis(250));
        }
        panic!("`{text}` fails: {said}");
    }

    fn apply(&self, change: &str) {
        let mut git = Command::new("git");
        git.args(["apply", "-"]).current_dir(&self.folder).stdin(Stdio::piped());
        let mut child = git.spawn().expect("git");
        child.stdin.take().expect("its input").write_all(change.as_bytes()).expect("a pipe");
        assert!(child.wait().expect("its end").success(), "this does not apply:\n{change}");
    }
}

/// Does all that a page says in a folder.
fn follow(name: &str, folder: &Path) {
    let page = fs::read_to_string(path_of(name)).expect("the page");
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = free.expect("a port").port().to_string();
    let mut reader = Reader { folder: folder.to_owned(), port, server: None };
    let (mut printed, mut shown) = (String::new(), page.clone());
    for Block { language, word, text } in blocks(&page) {
        match (language, word) {
            ("sh", Some("server")) => reader.serve(text),
            ("sh", None) => printed = reader.run(text),
            ("diff", None) => reader.apply(&format!("{text}\n")),
            ("text", None) => {
                let head = format!("```text\n{text}");
                shown = shown.replacen(&head, &format!("```text\n{}", printed.trim_end()), 1);
            }
            (_, Some(file)) => fs::write(folder.join(file), format!("{text}\n")).expect("a file"),
            (_, None) => panic!("{name}: what is to be done with a block of {language}?"),
        }
    }
    if std::env::var_os("OBORO_BLESS").is_some_and(|value| value == "1") {
        fs::write(path_of(name), shown).expect("the page is written");
        return;
    }
    assert_eq!(page, shown, "{name} shows something else; OBORO_BLESS=1 writes it anew");
}

#[test]
fn a_paper_is_rerun() {
    follow("rerun-a-paper.md", tempfile::tempdir().unwrap().path());
}

#[test]
fn an_evening_is_hosted() {
    follow("host-an-evening.md", tempfile::tempdir().unwrap().path());
}

/// The tutorials that build the program anew, in a copy of the tree; they take minutes.
#[test]
fn an_agent_and_a_game_are_made() {
    if std::env::var_os("OBORO_TUTORIALS").is_none() {
        println!(
            "skipped: OBORO_TUTORIALS=1 builds the program with the tutorials' agent and game"
        );
        return;
    }
    for page in ["first-agent.md", "first-game.md"] {
        let copy = tempfile::tempdir().unwrap();
        let files = Command::new("git").args(["ls-files", "-z"]).current_dir(tree()).output();
        let files = String::from_utf8(files.expect("git").stdout).expect("names");
        for file in files.split_terminator('\0') {
            let to = copy.path().join(file);
            fs::create_dir_all(to.parent().expect("a folder")).unwrap();
            fs::copy(tree().join(file), to).unwrap();
        }
        follow(page, copy.path());
    }
}
