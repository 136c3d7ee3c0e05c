//! A server of ours on free ports, for tests.
#![allow(dead_code, reason = "each test file uses its part")]

use clap::Parser;
use oboro_server::gat::{CheckArgs, GatError, ServeArgs, Serving, Tally};
use std::net::SocketAddr;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

#[derive(Parser)]
struct Line<A: clap::Args> {
    #[command(flatten)]
    args: A,
}

/// The arguments of a command, as from a command line.
pub(crate) fn args<A: clap::Args>(words: &[&str]) -> A {
    let words = std::iter::once(&"oboro").chain(words);
    Line::<A>::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).args
}

/// A server that runs until it is stopped.
pub(crate) struct Server {
    pub(crate) addresses: [Option<SocketAddr>; 2],
    pub(crate) viewer: Option<SocketAddr>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<(Result<Tally, GatError>, Vec<String>)>,
}

impl Server {
    /// Starts a server on any free ports.
    pub(crate) async fn start(words: &[&str]) -> Server {
        let all: Vec<&str> =
            ["--first-port", "0", "--second-port", "0"].iter().chain(words).copied().collect();
        let serving = Serving::open(&args::<ServeArgs>(&all)).await.expect("the server starts");
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

    /// How to check it, with the options it was started with.
    pub(crate) fn check_args(&self, words: &[&str]) -> CheckArgs {
        let ports = [self.port(0).to_string(), self.port(1).to_string()];
        let all: Vec<&str> = ["--first-port", &ports[0], "--second-port", &ports[1]]
            .iter()
            .chain(words)
            .copied()
            .collect();
        args(&all)
    }
}
