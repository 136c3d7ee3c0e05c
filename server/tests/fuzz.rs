//! Strangers say anything: specs, setups, records and messages, damaged in every way. Each gets an answer, none costs much
//! time or memory, and no file is opened. `OBORO_FUZZ=1000` tries a million.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![allow(clippy::print_stdout, reason = "its figures are printed")]
#![cfg(target_os = "linux")]

mod common;

use common::{Client, Server};
use oboro_core::Rng;
use oboro_server::Limits;
use oboro_testkit::{damaged_text, fuzz, fuzz_factor};
use rustix::fs::inotify;
use serde_json::{Value, json};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// Inputs that every run tries.
const ROUNDS: u64 = 1000;
/// The most memory that the server and this test may take, in megabytes.
const MEMORY: u64 = 300;
/// No answer may take longer, on a machine that has nothing else to do.
const SLOWEST: Duration = Duration::from_secs(1);

/// A folder whose files nobody may open: specs and messages name them, and the system tells if somebody does.
struct Canary {
    folder: tempfile::TempDir,
    opened: OwnedFd,
}

impl Canary {
    fn new() -> Canary {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "secret").unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("z")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("p")).status();
        assert!(made.unwrap().success());
        let opened = inotify::init(inotify::CreateFlags::NONBLOCK).unwrap();
        inotify::add_watch(&opened, folder.path(), inotify::WatchFlags::OPEN).unwrap();
        Canary { folder, opened }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn was_opened(&self) -> bool {
        rustix::io::read(&self.opened, &mut [0; 1024]).is_ok()
    }
}

/// Specs to begin with: of strangers, of people at their own command line, and of attackers.
fn specs(canary: &Canary) -> Vec<(&'static str, String)> {
    let [file, endless, pipe] = ["a", "z", "p"].map(|name| canary.path(name));
    let geister = [
        "random".to_owned(),
        "mcts:playouts=50000,policy=gp:algorithm-1".to_owned(),
        "ismcts:200,c=0.7,batch=8".to_owned(),
        "pimc:worlds=3,playouts=20".to_owned(),
        "oboro:nodes=100,temperature=0.5".to_owned(),
        "oboro:table=28".to_owned(),
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
    ];
    let geister = geister.into_iter().map(|spec| ("geister", spec));
    geister.chain(others.map(|(game, spec)| (game, spec.to_owned()))).collect()
}

fn seats(game: &str) -> usize {
    match game {
        "sevens" => 4,
        "saboteur" => 6,
        _ => 2,
    }
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

/// Megabytes of this process in memory.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    (pages.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096) >> 20
}

/// Who says damaged messages, and how often it had to come anew.
async fn talker(server: &Server) -> Client {
    let wanted = json!({ "game": "geister", "seats": [{ "kind": "person" }, { "kind": "agent", "spec": "random" }] });
    let opened = server.open(wanted);
    server.join(&opened.table, &[opened.keys[0].as_deref().unwrap()]).await
}

#[test]
fn damaged_setups_and_messages_cost_little_and_open_no_file() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let canary = Canary::new();
    assert!(std::fs::read(Path::new(&canary.path("a"))).is_ok() && canary.was_opened(), "it works");
    while canary.was_opened() {}
    let specs = specs(&canary);
    let limits = Limits {
        tables: 20,
        requests_per_minute: u32::MAX,
        messages_per_second: 1_000_000,
        idle_minutes: 0,
        think_seconds: 1,
        ..Limits::default()
    };
    let server = runtime.block_on(Server::start(limits));
    let mut line = Line { address: server.address.clone(), stream: None };
    let mut client = runtime.block_on(talker(&server));
    let (mut slowest, mut statuses) = (Duration::ZERO, [0; 6]);
    let mut what = String::new();
    fuzz(ROUNDS, |rng| {
        #[allow(clippy::disallowed_methods, reason = "how long an answer takes is the question")]
        let began = Instant::now();
        let asked = runtime.block_on(async {
            match rng.below(20) {
                0..=3 => {
                    let text = message(&specs, rng);
                    if !client.try_say_text(&text).await {
                        client = talker(&server).await;
                    }
                    text
                }
                4 => {
                    let record = "oboro record 1\ngame: geister\nrules: plies=300\nseed: 1/0\nagents: a | b\nstart: x\n\n1. 0 ABCD\n\nresult: 1 0\n";
                    let text = damaged_text(record, rng);
                    statuses[usize::from(line.ask("POST", "/api/records", &text).await / 100)] += 1;
                    text
                }
                _ => {
                    let text = setup(&specs, rng);
                    statuses[usize::from(line.ask("POST", "/api/tables", &text).await / 100)] += 1;
                    text
                }
            }
        });
        if began.elapsed() > slowest {
            (slowest, what) = (began.elapsed(), asked);
        }
        assert!(resident() < MEMORY, "{} MB", resident());
        assert!(!canary.was_opened(), "a file was opened");
    });
    println!(
        "slowest {slowest:?}: {what:.200}\nanswers by hundreds {statuses:?}, {} MB",
        resident()
    );
    assert!(statuses[2] > 0 && statuses[4] > 0, "some are sound: {statuses:?}");
    // Other programs may keep a machine busy that tests everything at once.
    assert!(fuzz_factor() < 100 || slowest < SLOWEST, "{slowest:?}: {what}");
    let sound: Value = runtime.block_on(async {
        let mut client = talker(&server).await;
        client.hear_kind("update").await
    });
    assert_eq!(sound["plies"], 0, "it still plays");
}
