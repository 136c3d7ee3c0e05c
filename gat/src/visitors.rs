//! Plain HTTP for a page that anybody may open: no more visitors at once than we can bear, and nobody who
//! keeps others waiting.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::sleep;

/// What visitors may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Connections at once, feeds aside; the next ones wait in the system's queue.
    pub(crate) connections: usize,
    /// The time to send a request, and to think of the next one.
    pub(crate) request: Duration,
    /// The time for everything.
    pub(crate) visit: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connections: 128, request: Duration::from_secs(5), visit: Duration::from_mins(1) }
    }
}

/// Answers requests until the task is dropped. A connection that becomes a WebSocket is
/// the application's to count.
pub(crate) async fn receive(listener: TcpListener, app: Router, limits: Limits) {
    let free = Arc::new(Semaphore::new(limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.request);
    loop {
        let place = free.clone().acquire_owned().await.expect("it is never closed");
        let Ok((stream, _)) = listener.accept().await else {
            // No more files, or a visitor that gave up: neither is a reason to stop serving.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = TowerToHyperService::new(app.clone());
        let visit = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        tokio::spawn(async move {
            // Whatever goes wrong is the visitor's loss alone.
            let _ = tokio::time::timeout(limits.visit, visit).await;
            drop(place);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    #[tokio::test]
    async fn visitors_that_say_nothing_are_shown_out_and_the_next_ones_served() {
        let limits = Limits {
            connections: 2,
            request: Duration::from_millis(100),
            visit: Duration::from_mins(10),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new().route("/", get(|| async { "hello" }));
        tokio::spawn(receive(listener, app, limits));
        let mut silent = Vec::new();
        for _ in 0..2 * limits.connections {
            silent.push(TcpStream::connect(address).await.unwrap());
        }
        let mut visitor = TcpStream::connect(address).await.unwrap();
        visitor.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        // It keeps its connection, until it is shown out as well.
        let mut answer = String::new();
        visitor.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("hello"), "{answer}");
        for mut stream in silent {
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await; // it ends, one way or another
        }
    }
}
