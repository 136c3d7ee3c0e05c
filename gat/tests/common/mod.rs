//! A server of ours on free ports, for tests.
#![allow(dead_code, reason = "each test file uses its part")]

use oboro_gat::{
    CheckOptions, GatError, JoinGames, JoinSummary, ServeOptions, Serving, SessionOptions, Tally,
    join_games,
};
use oboro_geister::Geister;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server on any free ports that leaves no time between messages and draws games after so many plies.
pub(crate) fn quick(plies: u16) -> ServeOptions {
    let rules = Geister { plies, ..Geister::default() };
    ServeOptions {
        first_port: 0,
        second_port: 0,
        spacing: Duration::ZERO,
        session: SessionOptions { rules, ..SessionOptions::default() },
        ..ServeOptions::default()
    }
}

/// The same for so many games.
pub(crate) fn games(games: u64, plies: u16) -> ServeOptions {
    ServeOptions { games: Some(games), ..quick(plies) }
}

/// Lets an agent play games on a server on this machine.
pub(crate) async fn joined(agent: &str, port: u16, games: u64) -> JoinSummary {
    let games = JoinGames { port, games, ..JoinGames::new(agent) };
    join_games(&games, None, &mut |_| {}).await.expect("the games are played")
}

/// A server that runs until it is stopped.
pub(crate) struct Server {
    pub(crate) addresses: [Option<SocketAddr>; 2],
    pub(crate) viewer: Option<SocketAddr>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<(Result<Tally, GatError>, Vec<String>)>,
}

impl Server {
    /// Starts a server.
    pub(crate) async fn start(options: &ServeOptions) -> Server {
        let serving = Serving::open(options, None).await.expect("the server starts");
        let (addresses, viewer) = (serving.addresses(), serving.viewer());
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let mut said = Vec::new();
            let stopped = async { drop(stopped.await) };
            let tally = serving.run(stopped, &mut |line| said.push(line.to_owned())).await;
            (tally, said)
        });
        Server { addresses, viewer, stop, task }
    }

    /// The port of a side.
    pub(crate) fn port(&self, side: usize) -> u16 {
        self.addresses[side].expect("a side for guests").port()
    }

    /// Waits for its last game.
    pub(crate) async fn finish(self) -> (Tally, Vec<String>) {
        let Server { stop, task, .. } = self;
        let (tally, said) = task.await.expect("the server does not panic");
        drop(stop);
        (tally.expect("the server ends well"), said)
    }

    /// Stops it.
    pub(crate) async fn stop(self) -> (Tally, Vec<String>) {
        let Server { stop, task, .. } = self;
        let _ = stop.send(());
        let (tally, said) = task.await.expect("the server does not panic");
        (tally.expect("the server ends well"), said)
    }

    /// How to check it, if it was started with these options.
    pub(crate) fn checks(&self, options: &ServeOptions) -> CheckOptions {
        CheckOptions {
            first_port: self.port(0),
            second_port: self.port(1),
            time: options.session.time,
            plies: options.session.rules.plies,
            no_ng_terminate: !options.session.ng_terminates,
            names: options.session.names,
            no_spacing: options.spacing.is_zero(),
            settle: Duration::ZERO,
            ..CheckOptions::default()
        }
    }
}

/// A client that speaks and listens line by line.
pub(crate) struct Client(pub(crate) BufReader<TcpStream>);

impl Client {
    /// Connects, and is asked to place its pieces.
    pub(crate) async fn new(port: u16) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the server listens");
        stream.set_nodelay(true).expect("an open connection");
        let mut client = Client(BufReader::new(stream));
        assert_eq!(client.hear().await, "SET?");
        client
    }

    pub(crate) async fn hear(&mut self) -> String {
        let mut line = String::new();
        let read = self.0.read_line(&mut line);
        // A hang must not look like work.
        let read = tokio::time::timeout(Duration::from_mins(1), read).await;
        read.expect("the server answers").expect("an open connection");
        line.strip_suffix("\r\n").unwrap_or_else(|| panic!("{line:?} is no line")).to_owned()
    }

    pub(crate) async fn say(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).await.expect("an open connection");
    }
}
