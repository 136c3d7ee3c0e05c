//! Connections: let in, answered, and ended when they take too long.

use crate::hall::Hall;
use crate::http::{Peer, Site, back_door, router};
use crate::metrics::Metrics;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

/// How often tables that nobody visits are looked for.
const SWEEP: Duration = Duration::from_mins(1);
/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(250);
/// The head of a request has to come within this time, and so has the next one on the same connection.
const HEAD: Duration = Duration::from_secs(15);
/// Connections besides those of browsers at tables: for pages and questions.
const PLAIN: usize = 1000;
/// What goes on when the server ends is given so long.
const FAREWELL: Duration = Duration::from_secs(3);

/// Serves a hall until `until` comes; then whatever thinks is stopped, everybody is told, and what was done is on disk.
///
/// # Errors
/// If the listener fails.
pub async fn serve(
    hall: Arc<Hall>,
    listener: TcpListener,
    site: Site,
    until: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let chores = [chore(&hall, SWEEP, |hall| hall.sweep()), chore(&hall, TICK, Hall::tick)];
    let lines = Arc::new(Semaphore::new(hall.limits.sockets + PLAIN));
    let service = router(Arc::clone(&hall), site);
    let (end, ending) = watch::channel(false);
    let mut until = pin!(until);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut until => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of files, or a connection that was gone at once: the others go on.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Ok(line) = Arc::clone(&lines).try_acquire_owned() else {
            Metrics::count(&hall.metrics.refused);
            continue;
        };
        let (service, ending) = (service.clone(), ending.clone());
        tokio::spawn(async move {
            answer(service, stream, peer, ending).await;
            drop(line);
        });
    }
    for chore in chores {
        chore.abort();
    }
    let _ = end.send(true);
    let closing = Arc::clone(&hall);
    let _ = tokio::task::spawn_blocking(move || closing.close()).await;
    let gone = async {
        while hall.metrics.sockets.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let _ = tokio::time::timeout(FAREWELL, gone).await;
    Ok(())
}

/// Answers health and metrics at an address that is not for everybody.
///
/// # Errors
/// If the listener fails.
pub async fn watch_over(hall: Arc<Hall>, listener: TcpListener) -> std::io::Result<()> {
    axum::serve(listener, back_door(hall)).await
}

fn chore(
    hall: &Arc<Hall>,
    pause: Duration,
    work: impl Fn(&Arc<Hall>) + Send + 'static,
) -> tokio::task::JoinHandle<()> {
    let hall = Arc::clone(hall);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(pause).await;
            work(&hall);
        }
    })
}

/// Answers one connection until it ends, or the server does.
async fn answer(
    router: axum::Router,
    stream: TcpStream,
    peer: SocketAddr,
    mut ending: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let inner = TowerToHyperService::new(router);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Peer(peer.ip()));
        inner.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = ending.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = tokio::time::timeout(FAREWELL, connection).await;
}
