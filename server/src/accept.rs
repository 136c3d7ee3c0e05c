//! Connections: let in, answered, and ended when they take too long.

use crate::address::Address;
use crate::connections::{Connection, Connections};
use crate::http::{Peer, Site, admin_router, router};
use crate::registry::TableRegistry;
use crate::timed_stream::TimedStream;
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
use tokio::sync::watch;

/// How often tables that nobody uses are looked for.
const SWEEP: Duration = Duration::from_mins(1);
/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(250);
/// The head of a request has to come within this time, and so has the next one on the same connection.
const HEAD: Duration = Duration::from_secs(15);
/// The longest head of a request, in bytes.
const HEAD_SIZE: usize = 32 << 10;
/// What goes on when the server ends is given so long.
const FAREWELL: Duration = Duration::from_secs(3);

/// Serves a registry until `until` comes; then whatever thinks is stopped, everybody is told, and what was done is on disk.
///
/// # Errors
/// If the listener fails.
pub async fn serve(
    registry: Arc<TableRegistry>,
    listener: TcpListener,
    site: Site,
    until: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let chores = [
        chore(&registry, SWEEP, |registry| registry.sweep()),
        chore(&registry, TICK, TableRegistry::tick),
    ];
    let connections = Connections::new(registry.limits, Arc::clone(&registry.metrics));
    let proxied = site.behind_proxy;
    let service = router(Arc::clone(&registry), site, listener.local_addr().ok());
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
        let Some(connection) = connections.admit(Address::new(peer.ip()), proxied) else {
            continue;
        };
        let connection = Arc::new(connection);
        tokio::spawn(answer(service.clone(), stream, peer, connection, ending.clone()));
    }
    for chore in chores {
        chore.abort();
    }
    let _ = end.send(true);
    let closing = Arc::clone(&registry);
    let _ = tokio::task::spawn_blocking(move || closing.close()).await;
    let gone = async {
        while registry.metrics.sockets.load(Ordering::Relaxed) > 0 {
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
pub async fn serve_admin(
    registry: Arc<TableRegistry>,
    listener: TcpListener,
) -> std::io::Result<()> {
    axum::serve(listener, admin_router(registry)).await
}

fn chore(
    registry: &Arc<TableRegistry>,
    pause: Duration,
    work: impl Fn(&Arc<TableRegistry>) + Send + Sync + 'static,
) -> tokio::task::JoinHandle<()> {
    let (registry, work) = (Arc::clone(registry), Arc::new(work));
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(pause).await;
            // Agents may be built on the way.
            let (registry, work) = (Arc::clone(&registry), Arc::clone(&work));
            let _ = tokio::task::spawn_blocking(move || work(&registry)).await;
        }
    })
}

/// Answers one connection until it ends, or the server does.
async fn answer(
    router: axum::Router,
    stream: TcpStream,
    peer: SocketAddr,
    connection: Arc<Connection>,
    mut ending: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let inner = TowerToHyperService::new(router);
    let own = Arc::clone(&connection);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Peer(peer.ip()));
        request.extensions_mut().insert(Arc::clone(&own));
        inner.call(request)
    });
    let answering = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_SIZE)
        .serve_connection(TokioIo::new(TimedStream::new(stream)), service)
        .with_upgrades();
    let mut answering = pin!(answering);
    tokio::select! {
        _ = answering.as_mut() => return,
        () = connection.ended() => return,
        _ = ending.changed() => answering.as_mut().graceful_shutdown(),
    }
    let _ = tokio::time::timeout(FAREWELL, answering).await;
}
