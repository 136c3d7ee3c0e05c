//! Puts a server under load, as a crowd of phones would: `cargo run --release -p oboro-server --example load`.
//!
//! Starts a server in a process of its own, with its database on disk, opens tables for people, connects players and
//! spectators, and plays at a given rate. Measured is the time from the moment an action is sent until the last
//! connection of its table has been shown it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints its figures")]
#![allow(clippy::unwrap_used, reason = "a load that cannot be put on should say where")]
#![allow(clippy::disallowed_methods, reason = "time is what is measured")]

use futures_util::{SinkExt as _, StreamExt as _};
use oboro_server::{Database, Library, Limits, Site, TableRegistry};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

const HELP: &str = "load [--tables N] [--clients N] [--rate ACTIONS/S] [--seconds S] [--game NAME]
  --tables   open tables [2000]          --clients  connected browsers in all [5000]
  --rate     actions a second [500]      --seconds  how long [60]
  --game     which game [labyrinth]: its games should not end before the time is over
In the end it asks for as many tables and connections again, which are refused.";

struct Plan {
    tables: usize,
    clients: usize,
    rate: f64,
    seconds: u64,
    game: String,
}

fn plan() -> Plan {
    let mut plan = Plan {
        tables: 2000,
        clients: 5000,
        rate: 500.0,
        seconds: 60,
        game: "labyrinth".to_owned(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().unwrap_or_else(|| panic!("{HELP}"));
        match arg.as_str() {
            "--tables" => plan.tables = value.parse().unwrap(),
            "--clients" => plan.clients = value.parse().unwrap(),
            "--rate" => plan.rate = value.parse().unwrap(),
            "--seconds" => plan.seconds = value.parse().unwrap(),
            "--game" => plan.game = value,
            _ => panic!("{HELP}"),
        }
    }
    plan
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    if let [_, mode, folder, tables, clients] = &args[..]
        && mode == "serve"
    {
        let (tables, clients) = (tables.parse().unwrap(), clients.parse().unwrap());
        return runtime.block_on(serve(Path::new(folder), tables, clients));
    }
    runtime.block_on(run(plan()));
}

/// The process that is put under load: it has room for exactly what is planned.
async fn serve(folder: &Path, tables: usize, clients: usize) {
    let limits = Limits {
        tables,
        sockets: clients,
        sockets_per_address: clients,
        connections_per_address: usize::MAX,
        requests_per_minute: u32::MAX,
        ..Limits::default()
    };
    let (registry, _) =
        TableRegistry::durable(limits, Library::empty(), Database::open(folder, None).unwrap())
            .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let admin = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}\n{}", listener.local_addr().unwrap(), admin.local_addr().unwrap());
    tokio::spawn(oboro_server::serve_admin(Arc::clone(&registry), admin));
    oboro_server::serve(registry, listener, Site::default(), std::future::pending()).await.unwrap();
}

/// One table as the load sees it.
struct Table {
    name: String,
    keys: Vec<String>,
    /// How many are connected to it.
    here: usize,
    /// Tells the connection that holds the seats what to say.
    orders: mpsc::Sender<String>,
    play: Mutex<Play>,
    over: AtomicBool,
}

#[derive(Default)]
struct Play {
    /// What can be played next: the seat, after how many actions, and what.
    turn: Option<(usize, u64, String)>,
    /// The action under way: which, since when, and how many have still to be shown it.
    sent: Option<(u64, Instant, usize)>,
}

#[derive(Default)]
struct Figures {
    /// Microseconds from an action to the last frame that shows it.
    times: Mutex<Vec<u32>>,
    frames: AtomicU64,
    errors: AtomicU64,
    lost: AtomicU64,
    connected: AtomicUsize,
}

/// The little that is read of what a server says.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Received<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    #[serde(default)]
    plies: u64,
    #[serde(default)]
    to_act: Option<usize>,
    #[serde(default, borrow)]
    actions: Option<Vec<Action<'a>>>,
}

#[derive(Deserialize)]
struct Action<'a> {
    #[serde(borrow)]
    action: Cow<'a, str>,
}

type Socket = WebSocketStream<TcpStream>;

async fn connect(address: &str, table: &str, keys: &[String]) -> Option<Socket> {
    let stream = TcpStream::connect(address).await.ok()?;
    stream.set_nodelay(true).ok()?;
    let url = format!("ws://{address}/api/tables/{table}/socket");
    let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(4096);
    let (mut socket, _) = client_async_with_config(url, stream, Some(config)).await.ok()?;
    let hello = json!({ "type": "hello", "keys": keys }).to_string();
    socket.send(Message::text(hello)).await.ok()?;
    Some(socket)
}

/// Whether a watcher is refused.
async fn is_turned_away(address: &str, table: &str) -> bool {
    let Some(mut socket) = connect(address, table, &[]).await else { return true };
    match socket.next().await {
        Some(Ok(Message::Text(text))) => text.contains("\"type\":\"closed\""),
        _ => true,
    }
}

/// Opens a table; the status of the answer if it is refused.
async fn open(address: &str, wanted: &str) -> Result<Value, u16> {
    let mut stream = TcpStream::connect(address).await.map_err(|_| 0_u16)?;
    let request = format!(
        "POST /api/tables HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{wanted}",
        wanted.len()
    );
    stream.write_all(request.as_bytes()).await.map_err(|_| 0_u16)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.map_err(|_| 0_u16)?;
    match answer.split(' ').nth(1) {
        Some("200") => Ok(serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()),
        status => Err(status.and_then(|text| text.parse().ok()).unwrap_or(0)),
    }
}

/// How long the disk took, as the server counts it.
async fn commits(address: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let request = format!("GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await.ok()?;
    let value = |name: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("oboro_commit_seconds_")?.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse::<f64>().ok())
    };
    let (count, sum) = (value("count")?, value("sum")?);
    let within =
        |seconds: &str| Some(value(&format!("bucket{{le=\"{seconds}\"}}"))? / count * 100.0);
    Some(format!(
        "{count:.0} commits of {:.1} ms on average: {:.1} % within 5 ms, {:.1} % within 20, {:.1} % within 50",
        sum / count * 1000.0,
        within("0.005")?,
        within("0.02")?,
        within("0.05")?
    ))
}

/// Megabytes that a process holds now, and held at most.
fn memory(pid: u32) -> (u64, u64) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = |name: &str| {
        let found = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes = found.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.unwrap_or(0) / 1024
    };
    (line("VmRSS:"), line("VmHWM:"))
}

/// Seconds that a process has computed.
fn computed(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // After the name, which may hold anything, in hundredths of a second.
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// A connection: says what it is told to, and notes whose turn it is and when an action is shown.
async fn listen(
    table: &Table,
    socket: Socket,
    mut orders: mpsc::Receiver<String>,
    figures: &Figures,
) {
    let (mut out, mut incoming) = socket.split();
    let mut seen = None;
    loop {
        let message = tokio::select! {
            Some(order) = orders.recv() => {
                if out.send(Message::text(order)).await.is_err() {
                    break;
                }
                continue;
            }
            message = incoming.next() => message,
        };
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(_)) => continue,
            _ => break,
        };
        figures.frames.fetch_add(1, Ordering::Relaxed);
        let heard: Received = serde_json::from_str(&text).unwrap();
        match &*heard.r#type {
            "update" => {}
            "error" => {
                figures.errors.fetch_add(1, Ordering::Relaxed);
                eprintln!("{text}");
                continue;
            }
            _ => continue,
        }
        if seen.is_none() {
            figures.connected.fetch_add(1, Ordering::Relaxed);
        }
        let mut play = table.play.lock().unwrap();
        if seen < Some(heard.plies)
            && let Some((plies, since, left)) = &mut play.sent
            && *plies == heard.plies
        {
            *left -= 1;
            if *left == 0 {
                figures.times.lock().unwrap().push(since.elapsed().as_micros() as u32);
                play.sent = None;
            }
        }
        seen = seen.max(Some(heard.plies));
        match (heard.to_act, heard.actions) {
            (Some(seat), Some(actions)) if !actions.is_empty() => {
                let pick = heard.plies as usize * 7 % actions.len();
                play.turn = Some((seat, heard.plies, actions[pick].action.to_string()));
            }
            (None, _) => table.over.store(true, Ordering::Relaxed),
            _ => {}
        }
    }
    figures.lost.fetch_add(1, Ordering::Relaxed);
}

/// Opens the tables and connects everybody. One connection of a table holds its seats and plays; the others look on:
/// as many frames as if each seat had a phone of its own.
async fn gather(
    plan: &Plan,
    address: &str,
    wanted: &str,
    figures: &Arc<Figures>,
) -> Vec<Arc<Table>> {
    let gate = Arc::new(Semaphore::new(64));
    let began = Instant::now();
    let mut opening = JoinSet::new();
    for _ in 0..plan.tables {
        let (address, wanted) = (address.to_owned(), wanted.to_owned());
        let gate = Arc::clone(&gate);
        opening.spawn(async move {
            let _permit = gate.acquire_owned().await;
            open(&address, &wanted).await.unwrap()
        });
    }
    let opened = opening.join_all().await;
    println!("{} tables opened in {:.1} s", opened.len(), began.elapsed().as_secs_f64());
    let began = Instant::now();
    let mut connecting = JoinSet::new();
    let mut tables = Vec::new();
    for (number, opened) in opened.into_iter().enumerate() {
        let (orders, told) = mpsc::channel(4);
        let keys = opened["keys"].as_array().unwrap().iter();
        let table = Arc::new(Table {
            name: opened["table"].as_str().unwrap().to_owned(),
            keys: keys.map(|key| key.as_str().unwrap().to_owned()).collect(),
            here: plan.clients / plan.tables + usize::from(number < plan.clients % plan.tables),
            orders,
            play: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let mut told = Some(told);
        for client in 0..table.here {
            let (address, table, gate) =
                (address.to_owned(), Arc::clone(&table), Arc::clone(&gate));
            let figures = Arc::clone(figures);
            let told = told.take().unwrap_or_else(|| mpsc::channel(1).1);
            connecting.spawn(async move {
                let permit = gate.acquire_owned().await;
                let keys = if client == 0 { &table.keys[..] } else { &[] };
                let socket = connect(&address, &table.name, keys).await.expect("there is room");
                drop(permit);
                tokio::spawn(async move { listen(&table, socket, told, &figures).await });
            });
        }
        tables.push(table);
    }
    connecting.join_all().await;
    while figures.connected.load(Ordering::Relaxed) < plan.clients {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    println!("{} browsers connected in {:.1} s", plan.clients, began.elapsed().as_secs_f64());
    tables
}

/// Plays at the planned rate, one table after the other; tells how many actions were sent, and how many could not be
/// because no table was ready.
async fn play(plan: &Plan, tables: &[Arc<Table>]) -> (u64, u64) {
    let began = Instant::now();
    let (mut sent, mut skipped) = (0, 0);
    let mut tables = tables.iter().cycle();
    while began.elapsed() < Duration::from_secs(plan.seconds) {
        let due = (began.elapsed().as_secs_f64() * plan.rate) as u64;
        while sent + skipped < due {
            let ready = tables.by_ref().take(plan.tables).find_map(|table| {
                let mut play = table.play.lock().unwrap();
                if play.sent.is_some() {
                    return None;
                }
                let (seat, ply, action) = play.turn.take()?;
                play.sent = Some((ply + 1, Instant::now(), table.here));
                let order = json!({ "type": "play", "seat": seat, "action": action, "ply": ply });
                table.orders.try_send(order.to_string()).ok()
            });
            match ready {
                Some(()) => sent += 1,
                None => skipped += 1,
            }
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    (sent, skipped)
}

async fn run(plan: Plan) {
    let folder = std::env::temp_dir().join(format!("oboro-load-{}", std::process::id()));
    let mut server = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["serve", folder.to_str().unwrap()])
        .args([plan.tables.to_string(), plan.clients.to_string()])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let pid = server.id().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let address = lines.next_line().await.unwrap().unwrap();
    let admin = lines.next_line().await.unwrap().unwrap();
    let seats = oboro_catalog::game(&plan.game).unwrap().rules(&[]).unwrap().seats();
    let wanted = json!({ "game": plan.game, "seats": vec![json!({ "kind": "person" }); seats] });
    let wanted = wanted.to_string();
    let figures = Arc::new(Figures::default());
    let tables = gather(&plan, &address, &wanted, &figures).await;
    println!("server: {} MB before anything is played", memory(pid).0);

    let before = computed(pid);
    let (sent, skipped) = play(&plan, &tables).await;
    let computed = computed(pid) - before;
    let over = tables.iter().filter(|table| table.over.load(Ordering::Relaxed)).count();
    let mut times = std::mem::take(&mut *figures.times.lock().unwrap());
    times.sort_unstable();
    let at = |share: f64| f64::from(times[((times.len() - 1) as f64 * share) as usize]) / 1000.0;
    let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    println!(
        "{sent} actions in {} s: {:.0} a second; {skipped} not sent: no table was ready",
        plan.seconds,
        sent as f64 / plan.seconds as f64
    );
    println!(
        "{} shown to everybody, {} frames, {over} games over, {} errors, {} connections lost",
        times.len(),
        read(&figures.frames),
        read(&figures.errors),
        read(&figures.lost)
    );
    println!(
        "from action to everybody's frame: median {:.1} ms, 95 % {:.1}, 99 % {:.1}, 99.9 % {:.1}, longest {:.1}",
        at(0.5),
        at(0.95),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    let (now, most) = memory(pid);
    println!("server: {now} MB now, {most} MB at most");
    println!(
        "server: {computed:.0} s of processor time, {:.2} ms for each action",
        computed * 1000.0 / sent.max(1) as f64
    );
    println!("server: {}", commits(&admin).await.unwrap_or_default());

    let before = read(&figures.lost);
    let (mut no_table, mut no_socket) = (0, 0);
    for table in &tables {
        no_table += usize::from(open(&address, &wanted).await == Err(503));
        no_socket += usize::from(is_turned_away(&address, &table.name).await);
    }
    println!(
        "asked for {0} more tables and {0} more connections: {no_table} and {no_socket} refused, {1} thrown out",
        plan.tables,
        read(&figures.lost) - before
    );
    server.kill().await.unwrap();
    let _ = std::fs::remove_dir_all(folder);
}
