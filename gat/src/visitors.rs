//! Plain HTTP for a page that anybody may open: no more visitors at once than we can bear, and nobody who
//! keeps others waiting.

use axum::Router;
use axum::extract::Request;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::IpAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;
use tokio::time::sleep;

/// What visitors may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Connections at once, feeds aside.
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
/// the application's to count. Where there are too many, the oldest ends of the address that has most: whoever opens
/// connections and says nothing shuts nobody out.
pub(crate) async fn receive(listener: TcpListener, app: Router, limits: Limits) {
    let mut open: Vec<(IpAddr, AbortHandle)> = Vec::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.request);
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // No more files, or a visitor that gave up: neither is a reason to stop serving.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        open.retain(|(_, visit)| !visit.is_finished());
        if open.len() >= limits.connections {
            let count = |ip: IpAddr| open.iter().filter(|(other, _)| *other == ip).count();
            let most = (0..open.len()).rev().max_by_key(|&at| count(open[at].0));
            if let Some(at) = most {
                open.remove(at).1.abort();
            }
        }
        let service = TowerToHyperService::new(app.clone());
        let visit = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        // Whatever goes wrong is the visitor's loss alone.
        let visit = tokio::spawn(tokio::time::timeout(limits.visit, visit));
        open.push((peer.ip(), visit.abort_handle()));
    }
}

/// Answers only what is for us and of a page of ours.
pub(crate) async fn check_origin(request: Request, next: Next) -> Response {
    if is_ours(request.headers()) {
        return next.run(request).await;
    }
    (StatusCode::FORBIDDEN, "requests of other pages are not answered").into_response()
}

/// Browsers say which page asks, and by which name: a page of somebody else could have its own name stand for our
/// address.
fn is_ours(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(HOST) else { return true }; // No browser leaves it out.
    let colon = host.rfind(':').filter(|&colon| !host[colon..].contains(']'));
    let name = host[..colon.unwrap_or(host.len())].trim_matches(['[', ']']);
    let known = name.parse::<IpAddr>().is_ok()
        || name == "localhost"
        || name.rsplit_once('.').is_some_and(|(_, end)| end == "local");
    let page = text(ORIGIN).map(|origin| origin.split_once("://").map_or("", |(_, page)| page));
    known && page.is_none_or(|page| page == host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    #[tokio::test]
    async fn half_open_requests_shut_nobody_out() {
        // They may take their time: only others' arrival ends them.
        let patient = Duration::from_mins(10);
        let limits = Limits { connections: 4, request: patient, visit: patient };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new().route("/", get(|| async { "hello" }));
        tokio::spawn(receive(listener, app.layer(axum::middleware::from_fn(check_origin)), limits));
        let mut half = Vec::new();
        for _ in 0..3 * limits.connections {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(b"GET / HT").await.unwrap();
            half.push(stream);
        }
        for (headers, status) in [
            ("Host: 127.0.0.1:80", "200"),
            ("Host: localhost\r\nOrigin: http://localhost", "200"),
            ("Host: 127.0.0.1:80\r\nOrigin: http://elsewhere.example", "403"),
            ("Host: elsewhere.example\r\nOrigin: http://elsewhere.example", "403"),
        ] {
            let mut visitor = TcpStream::connect(address).await.unwrap();
            let request = format!("GET / HTTP/1.1\r\n{headers}\r\nConnection: close\r\n\r\n");
            visitor.write_all(request.as_bytes()).await.unwrap();
            let mut answer = String::new();
            visitor.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{headers}: {answer}");
        }
    }

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
