//! A server of ours on free ports, for tests.
#![allow(dead_code, reason = "each test file uses its part")]

use oboro_gat::{
    CheckOptions, GatError, JoinGames, JoinSummary, ServeOptions, Serving, SessionOptions, Tally,
    TimeControl, join_games,
};
use oboro_geister::Geister;
use std::net::SocketAddr;
use std::time::Duration;
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
        let TimeControl { budget, timeout } = options.session.time;
        CheckOptions {
            first_port: self.port(0),
            second_port: self.port(1),
            budget,
            timeout,
            plies: options.session.rules.plies,
            no_ng_terminate: !options.session.ng_terminates,
            names: options.session.names,
            no_spacing: options.spacing.is_zero(),
            settle: Duration::ZERO,
            ..CheckOptions::default()
        }
    }
}
