//! Strangers say anything: specs, setups, records and messages, damaged in every way. Each gets an answer, none costs much
//! time or memory, and no file outside the data folder is opened. `OBORO_FUZZ=1000` tries a million.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![allow(clippy::print_stdout, reason = "its figures are printed")]
#![cfg(target_os = "linux")]

mod common;
#[path = "fuzzing/opened.rs"]
mod opened;

use common::{Client, Server};
use oboro_core::Rng;
use oboro_server::{Database, Library, Limits, Site, TableRegistry};
use oboro_testkit::{damaged_text, fuzz, fuzz_factor};
use serde_json::json;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// Inputs that every run tries.
const ROUNDS: u64 = 1000;
/// The most memory that the server and this test may take, in megabytes.
const MEMORY: u64 = 300;
/// No answer may take longer.
const SLOWEST: Duration = Duration::from_secs(1);

/// A folder of files that specs and messages name: a secret, one that does not end, and one that blocks.
fn bait() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), "secret").unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("z")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("p")).status();
    assert!(made.unwrap().success());
    folder
}

/// The files that were opened elsewhere than in a folder.
fn opened_outside(folder: &Path) -> Vec<PathBuf> {
    let mut files = opened::take();
    files.retain(|file| !file.starts_with(folder));
    files
}

/// Specs to begin with: of strangers, of people at their own command line, and of attackers.
fn specs(bait: &Path) -> Vec<(&'static str, String)> {
    let [file, endless, pipe] = ["a", "z", "p"].map(|name| bait.join(name).display().to_string());
    let geister = [
        "random".to_owned(),
        "mcts:playouts=50000,policy=gp:algorithm-1".to_owned(),
        "ismcts:200,c=0.7,batch=8".to_owned(),
        "pimc:worlds=3,playouts=20".to_owned(),
        "oboro:playouts=100,temperature=0.5".to_owned(),
        format!("net:{file}"),
        "gp:algorithm-2,placement=CEFG".to_owned(),
        "naotti:depth=3,order=square-first".to_owned(),
        format!("gp:{file}"),
        format!("gp:file={endless}"),
        format!("mcts:policy=gp:{pipe}"),
        format!("mcts:policy=random,enemy-policy=(gp:{file}@home)"),
        "ssm:rules=stop-run,take=any".to_owned(),
        "mcts:seconds=nan".to_owned(),
        format!("exec:cat {file}"),
    ];
    let tables = ["kuhn", "liars-dice"].map(|game| (game, format!("table:{file}")));
    let others = [
        ("sevens", "mc:800,policy=rule"),
        ("sevens", "oboro:playouts=300"),
        ("sevens", "upp:200,c=3,match=own"),
        ("labyrinth", "oboro:200"),
        ("labyrinth", "exhaustive:depth=2"),
        ("labyrinth", "uct:300"),
        ("saboteur", "path:80:20,cards=no"),
        ("saboteur", "oboro:nodes=30"),
        ("saboteur", "foreman:fade=0.3"),
        ("leduc", "oos:300,target=0.5"),
        ("goofspiel", "ismcts:200,observers=all"),
        ("geister-small", "runner"),
    ];
    let geister = geister.into_iter().map(|spec| ("geister", spec));
    geister.chain(tables).chain(others.map(|(game, spec)| (game, spec.to_owned()))).collect()
}

fn seats(game: &str) -> usize {
    oboro_catalog::game(game).unwrap().players().usual
}

/// A setup with one damaged part, or damaged as a whole.
fn setup(specs: &[(&str, String)], rng: &mut Rng) -> String {
    let (game, spec) = &specs[rng.below(specs.len())];
    let spec = if rng.chance(0.7) { damaged_text(spec, rng) } else { spec.clone() };
    let mut all = vec![json!({ "kind": "person" }); seats(game)];
    let last = all.len() - 1;
    all[last] = json!({ "kind": "agent", "spec": spec });
    let mut setup = json!({ "game": game, "seats": all });
    match rng.below(6) {
        0 => {
            setup["room"] =
                json!({ "stand-in": spec, "move-seconds": rng.below(1000), "listed": true });
        }
        1 => setup["rules"] = json!({ "players": rng.below(12), "plies": rng.below(70_000) }),
        2 => setup["rules"] = json!({ "turn-limit": 100, "placements": "random" }),
        3 => setup["position"] = json!(damaged_text("turn=0", rng)),
        4 => setup["seats"][0] = json!({ "kind": "open" }),
        _ => {}
    }
    let text = setup.to_string();
    if rng.chance(0.3) { damaged_text(&text, rng) } else { text }
}

fn message(specs: &[(&str, String)], rng: &mut Rng) -> String {
    let spec = &specs[rng.below(specs.len())].1;
    let sound = [
        json!({ "type": "play", "seat": 0, "action": "ABCD", "ply": 0 }),
        json!({ "type": "sit", "seat": 1, "name": "Ben", "key": "k".repeat(24) }),
        json!({ "type": "leave", "seat": 0 }),
        json!({ "type": "return", "seat": 0 }),
        json!({ "type": "begin" }),
        json!({ "type": "look", "ply": rng.below(5), "eyes": { "seat": rng.below(3) } }),
        json!({ "type": "take-back" }),
        json!({ "type": "again", "swap": true }),
        json!({ "type": "consult", "agent": spec, "seat": 0, "ply": rng.below(3) }),
        json!({ "type": "consult", "agent": damaged_text(spec, rng), "seat": 0 }),
        json!({ "type": "curve", "agent": spec, "seat": rng.below(3) }),
        json!({ "type": "hush" }),
        json!({ "type": "pace", "pause": rng.below(100_000) }),
        json!({ "type": "hello", "keys": [] }),
    ];
    let text = sound[rng.below(sound.len())].to_string();
    if rng.chance(0.5) { damaged_text(&text, rng) } else { text }
}

/// One connection over which request after request is sent.
struct Line {
    address: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Line {
    /// The status of the answer.
    async fn ask(&mut self, method: &str, path: &str, body: &str) -> u16 {
        for _ in 0..2 {
            if self.stream.is_none() {
                let stream = TcpStream::connect(&self.address).await.unwrap();
                stream.set_nodelay(true).unwrap();
                self.stream = Some(BufReader::new(stream));
            }
            match self.try_ask(method, path, body).await {
                Some(status) => return status,
                None => self.stream = None, // The server may have closed it after the last answer.
            }
        }
        panic!("no answer to {method} {path} {body}");
    }

    async fn try_ask(&mut self, method: &str, path: &str, body: &str) -> Option<u16> {
        let stream = self.stream.as_mut()?;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.get_mut().write_all(request.as_bytes()).await.ok()?;
        let (mut line, mut status, mut length) = (String::new(), 0, 0);
        loop {
            line.clear();
            if stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next()?.parse().ok()?;
            } else if let Some(rest) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = rest.trim().parse().ok()?;
            } else if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        Some(status)
    }
}

/// Says damaged messages at a table of its own.
struct Talker {
    client: Client,
    said: usize,
}

impl Talker {
    async fn new(server: &Server) -> Talker {
        let wanted = json!({ "game": "geister", "seats": [{ "kind": "person" }, { "kind": "agent", "spec": "random" }] });
        let opened = server.open(wanted);
        let client = server.join(&opened.table, &[opened.keys[0].as_deref().unwrap()]).await;
        Talker { client, said: 0 }
    }

    /// Says something, and waits until the server has dealt with it; false if it hung up. Messages are dealt with one after
    /// the other, so the answer to a second one, which cannot be read, says so.
    async fn say(&mut self, text: &str) -> bool {
        self.said += 1;
        let mark = format!("mark-{}", self.said);
        let second = json!({ "type": mark }).to_string();
        if !self.client.try_say_text(text).await || !self.client.try_say_text(&second).await {
            return false;
        }
        while let Some(reply) = self.client.hear().await {
            if reply["message"].as_str().is_some_and(|said| said.contains(&mark)) {
                return true;
            }
        }
        false
    }
}

/// What is sent in one round.
enum Input {
    Message(String),
    Record(String),
    Setup(String),
}

impl Input {
    fn new(specs: &[(&str, String)], rng: &mut Rng) -> Input {
        let record = "oboro record 1\ngame: geister\nrules: plies=300\nseed: 1/0\nagents: a | b\nstart: x\n\n1. 0 ABCD\n\n\
                      result: 1 0\n";
        match rng.below(20) {
            0..=3 => Input::Message(message(specs, rng)),
            4 => Input::Record(damaged_text(record, rng)),
            _ => Input::Setup(setup(specs, rng)),
        }
    }

    fn text(&self) -> &str {
        let (Input::Message(text) | Input::Record(text) | Input::Setup(text)) = self;
        text
    }
}

/// A server, and connections to it.
struct Target {
    server: Server,
    line: Line,
    talker: Talker,
    /// How many answers had each class of status.
    statuses: [usize; 6],
}

impl Target {
    async fn new(folder: &Path) -> Target {
        let limits = Limits {
            tables: 20,
            requests_per_minute: u32::MAX,
            messages_per_second: 1_000_000,
            idle_minutes: 0,
            think_seconds: 1,
            ..Limits::default()
        };
        let database = Database::open(folder, None).unwrap();
        let (registry, _) = TableRegistry::durable(limits, Library::empty(), database).unwrap();
        let server = Server::of(registry, Site::default()).await;
        let line = Line { address: server.address.clone(), stream: None };
        let talker = Talker::new(&server).await;
        Target { server, line, talker, statuses: [0; 6] }
    }

    /// How long an input takes.
    async fn time(&mut self, input: &Input) -> Duration {
        #[allow(clippy::disallowed_methods, reason = "how long an answer takes is the question")]
        let began = Instant::now();
        let status = match input {
            Input::Message(text) => {
                if !self.talker.say(text).await {
                    self.talker = Talker::new(&self.server).await;
                }
                return began.elapsed();
            }
            Input::Record(text) => self.line.ask("POST", "/api/records", text).await,
            Input::Setup(text) => self.line.ask("POST", "/api/tables", text).await,
        };
        self.statuses[usize::from(status / 100)] += 1;
        began.elapsed()
    }
}

/// Megabytes of this process in memory, as `/proc/self/statm` says.
fn resident(statm: &File) -> u64 {
    let mut text = [0; 128];
    let length = statm.read_at(&mut text, 0).unwrap();
    let pages = std::str::from_utf8(&text[..length]).unwrap().split(' ').nth(1).unwrap();
    (pages.parse::<u64>().unwrap() * 4096) >> 20
}

#[test]
fn damaged_setups_and_messages_cost_little_and_open_no_file() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (bait, data) = (bait(), tempfile::tempdir().unwrap());
    let folder = data.path().canonicalize().unwrap();
    let specs = specs(bait.path());
    let statm = File::open("/proc/self/statm").unwrap();
    let mut target = runtime.block_on(Target::new(&folder));
    let file = bait.path().join("a");
    assert!(std::fs::read(&file).is_ok() && opened_outside(&folder).contains(&file), "it is seen");
    let (mut slowest, mut slowest_text, mut most) = (Duration::ZERO, String::new(), 0);
    fuzz(ROUNDS, |rng| {
        let input = Input::new(&specs, rng);
        let mut time = runtime.block_on(target.time(&input));
        // Other programs may keep the machine busy. What is slow by itself is slow every time.
        for _ in 0..5 {
            if time > SLOWEST {
                time = time.min(runtime.block_on(target.time(&input)));
            }
        }
        assert!(time < SLOWEST, "{time:?}: {}", input.text());
        if time > slowest {
            (slowest, slowest_text) = (time, input.text().to_owned());
        }
        most = most.max(resident(&statm));
        assert!(most < MEMORY, "{most} MB: {}", input.text());
        let opened = opened_outside(&folder);
        assert!(opened.is_empty(), "{opened:?}: {}", input.text());
    });
    let (statuses, inputs) = (target.statuses, ROUNDS * fuzz_factor());
    println!("{inputs} inputs: answers by class of status {statuses:?}, at most {most} MB");
    println!("slowest {slowest:?}: {slowest_text:.200}");
    assert!(statuses[2] > 0 && statuses[4] > 0, "some are sound: {statuses:?}");
    let sound = runtime.block_on(async {
        let mut talker = Talker::new(&target.server).await;
        talker.client.hear_kind("update").await
    });
    assert_eq!(sound["plies"], 0, "it still plays");
}
