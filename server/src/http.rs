//! Pages and the few questions that are asked without a socket.

use crate::address::Address;
use crate::connections::Connection;
use crate::forms::{game_form, outline, puzzles};
use crate::registry::{TableRegistry, off_worker};
use crate::session::run_session;
use crate::setup::NewTable;
use crate::table::Table;
use crate::websocket::WebSocket;
use crate::{Assets, Refusal};
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use oboro_catalog::{CatalogError, games};
use oboro_core::check_public_length;
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

/// The longest record that can be sent in, in bytes.
const RECORD: usize = 1 << 20;
/// The longest of all other requests.
const BODY: usize = 64 << 10;

/// Requests are answered within this time, and have to have come by then.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where the server stands on the network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// The path below which everything is found, such as `/oboro`; empty for the root.
    pub base: String,
    /// Whether requests come through a reverse proxy of ours, whose `X-Forwarded-For` says from whom.
    pub behind_proxy: bool,
    /// Origins whose pages may speak to us, such as `https://club.example`; with none, the host that a request names.
    pub origins: Vec<String>,
    /// Names under which the server is asked for, besides addresses in digits, `localhost`, names that end in `.local`
    /// and the hosts of the origins.
    pub hosts: Vec<String>,
}

impl Site {
    /// Checks a base path: `/a/b`, without an end of its own.
    ///
    /// # Errors
    /// If it is no such path.
    pub fn check_base(base: &str) -> Result<(), &'static str> {
        let sound = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        let parts = base.strip_prefix('/').map(|rest| rest.split('/').all(sound));
        if base.is_empty() || parts == Some(true) {
            return Ok(());
        }
        Err("a path such as /oboro: letters, digits, - and _, and no / at its end")
    }
}

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// What every request is answered from.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) registry: Arc<TableRegistry>,
    site: Site,
    /// The address under which others find this server.
    reachable: Option<String>,
}

/// Everything for browsers, from a server that listens at `local`.
pub(crate) fn router(
    registry: Arc<TableRegistry>,
    site: Site,
    local: Option<SocketAddr>,
) -> Router {
    let base = site.base.clone();
    let reachable = reachable_address(&site, local);
    let app = Arc::new(App { registry, site, reachable });
    let inner = Router::new()
        .route("/api/games", get(list_games))
        .route("/api/games/{name}", get(one_game))
        .route("/api/games/{name}/puzzles", get(puzzles_of))
        .route("/api/site", get(own_address))
        .route("/api/tables", post(new_table))
        .route("/api/tables/{name}", get(find_table))
        .route("/api/tables/{name}/record", get(record))
        .route("/api/tables/{name}/socket", get(socket))
        .route("/api/rooms", get(list_rooms))
        .route(
            "/api/records",
            get(list_records).post(new_study).layer(DefaultBodyLimit::max(RECORD)),
        )
        .route("/api/records/{*path}", post(open_record))
        .merge(crate::event::http::routes())
        .route("/api/{*rest}", get(|| async { StatusCode::NOT_FOUND }))
        .route("/health", get(health))
        .fallback(asset);
    let outer = if base.is_empty() {
        inner
    } else {
        Router::new().nest(&base, inner).route(&format!("{base}/"), get(asset))
    };
    outer
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// What is for those who watch over the server, at an address of its own.
pub(crate) fn admin_router(registry: Arc<TableRegistry>) -> Router {
    let app = Arc::new(App { registry, site: Site::default(), reachable: None });
    Router::new()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// The address to give to others: the first origin, or where the server listens; of all addresses of this machine the one
/// that packets to other networks leave from. None if only this machine can reach the server.
fn reachable_address(site: &Site, local: Option<SocketAddr>) -> Option<String> {
    if let Some(origin) = site.origins.first() {
        return Some(format!("{origin}{}", site.base));
    }
    let mut local = local?;
    if local.ip().is_unspecified() {
        // Connecting a datagram socket sends nothing; it only chooses the address to send from.
        let probe = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        probe.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
        local.set_ip(probe.local_addr().ok()?.ip());
    }
    let found = !local.ip().is_unspecified() && !local.ip().is_loopback();
    found.then(|| format!("http://{local}{}", site.base))
}

/// Headers of every answer, and no requests from other people's pages.
async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    if !is_known_host(request.headers(), &app.site) {
        return refuse(StatusCode::MISDIRECTED_REQUEST, "this server is not known by that name");
    }
    if is_foreign(request.headers(), &app.site.origins) {
        return refuse(StatusCode::FORBIDDEN, "requests of other pages are not answered");
    }
    let address = address(&app.site, &request);
    request.extensions_mut().insert(address);
    let answer = tokio::time::timeout(PATIENCE, next.run(request)).await;
    let mut response = answer.unwrap_or_else(|_| {
        refuse(StatusCode::REQUEST_TIMEOUT, "this took too long: try again later")
    });
    let headers = response.headers_mut();
    for (name, value) in [
        (
            CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
             connect-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
        ),
        (X_FRAME_OPTIONS, "DENY"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Who asks: the other end of the connection, or whom our proxy names. It puts the address that it saw at the end of
/// the list; what comes before is what that one claims.
fn address(site: &Site, request: &Request) -> Address {
    let named = || {
        let list = request.headers().get_all("x-forwarded-for").iter().next_back()?;
        list.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let proxied = if site.behind_proxy { named() } else { None };
    Address::new(proxied.or(peer).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
}

/// Whether a request asks for us by a name that is ours. A page of somebody else could have its own name stand for our
/// address, and would then be taken for one of ours.
fn is_known_host(headers: &HeaderMap, site: &Site) -> bool {
    let Some(host) = headers.get(HOST) else { return true }; // No browser leaves it out.
    let Ok(host) = host.to_str() else { return false };
    let ends = host.rfind(':').filter(|&colon| !host[colon..].contains(']'));
    let name = host[..ends.unwrap_or(host.len())].trim_matches(['[', ']']).to_ascii_lowercase();
    let ours = |known: &str| {
        known.rsplit("://").next().is_some_and(|known| {
            known.eq_ignore_ascii_case(host) || known.eq_ignore_ascii_case(&name)
        })
    };
    name.parse::<IpAddr>().is_ok()
        || name == "localhost"
        || name.rsplit_once('.').is_some_and(|(_, end)| end == "local")
        || site.hosts.iter().chain(&site.origins).any(|known| ours(known))
}

/// Whether a request comes from a page of another server: a browser says so.
fn is_foreign(headers: &HeaderMap, origins: &[String]) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return false };
    let Ok(origin) = origin.to_str() else { return true };
    if !origins.is_empty() {
        return !origins.iter().any(|own| own == origin);
    }
    let own = headers.get(HOST).and_then(|host| host.to_str().ok());
    !matches!((own, origin.split_once("://")), (Some(own), Some((_, theirs))) if own == theirs)
}

fn refuse(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "error": message }))).into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match self {
            Refusal::NoTable(_) | Refusal::NoEvent(_) | Refusal::NoRecord(_) => {
                StatusCode::NOT_FOUND
            }
            Refusal::Full(_) | Refusal::Disk(_) | Refusal::Broken(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Refusal::NotYours(_) | Refusal::NotYourEyes | Refusal::NotHost => StatusCode::FORBIDDEN,
            _ => StatusCode::BAD_REQUEST,
        };
        refuse(status, &self.to_string())
    }
}

async fn list_games() -> Json<Value> {
    Json(games().iter().map(|game| outline(game.as_ref())).collect())
}

async fn one_game(Path(name): Path<String>) -> Result<Response, Refusal> {
    check_public_length("game", &name).map_err(CatalogError::Spec)?;
    let form = game_form(&name).map_err(CatalogError::Spec)?;
    Ok(([(CONTENT_TYPE, "application/json")], form.text.clone()).into_response())
}

async fn puzzles_of(Path(name): Path<String>) -> Result<Json<Value>, Refusal> {
    check_public_length("game", &name).map_err(CatalogError::Spec)?;
    let game = oboro_catalog::game(&name).map_err(CatalogError::Spec)?;
    Ok(Json(puzzles(game.as_ref())))
}

/// The address under which others find this server; null where nobody else can reach it.
async fn own_address(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({ "address": app.reachable }))
}

async fn new_table(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    Json(wanted): Json<Value>,
) -> Result<Response, Refusal> {
    app.registry.addresses.ask(address)?;
    let wanted: NewTable = oboro_catalog::read(wanted)?;
    let registry = Arc::clone(&app.registry);
    let opened = off_worker(move || registry.open_public(&wanted, address)).await?;
    app.registry.flush(&opened.table).await?;
    Ok(Json(opened).into_response())
}

/// A table; whoever asks for names that are none is guessing, and may not do so for ever.
async fn look_up(app: &App, address: Address, name: String) -> Result<Arc<Table>, Refusal> {
    let registry = Arc::clone(&app.registry);
    let found = off_worker(move || registry.table(&name)).await;
    if matches!(found, Err(Refusal::NoTable(_))) {
        app.registry.addresses.ask(address)?;
    }
    found
}

/// Whether a table is still there: a browser that lost its connection asks before it tries again.
async fn find_table(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    look_up(&app, address, name).await.map(|_| StatusCode::NO_CONTENT)
}

async fn list_rooms(State(app): State<Arc<App>>) -> Response {
    Json(app.registry.rooms().await).into_response()
}

async fn new_study(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    text: String,
) -> Result<Response, Refusal> {
    app.registry.addresses.ask(address)?;
    let registry = Arc::clone(&app.registry);
    Ok(Json(off_worker(move || registry.study(&text)).await?).into_response())
}

async fn list_records(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
) -> Result<Response, Refusal> {
    app.registry.addresses.ask(address)?;
    let entries = off_worker(move || Ok(app.registry.library.entries())).await?;
    Ok(Json(entries).into_response())
}

async fn open_record(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    Path(path): Path<String>,
) -> Result<Response, Refusal> {
    app.registry.addresses.ask(address)?;
    let opened = off_worker(move || {
        let text = app.registry.library.text(&path)?;
        app.registry.study(&text)
    });
    Ok(Json(opened.await?).into_response())
}

async fn record(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let text = app.registry.record(&name).await;
    if matches!(text, Err(Refusal::NoTable(_))) {
        app.registry.addresses.ask(address)?;
    }
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text?).into_response())
}

async fn socket(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    Extension(connection): Extension<Arc<Connection>>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Refusal> {
    let table = look_up(&app, address, name).await?;
    let registry = Arc::clone(&app.registry);
    WebSocket::upgrade(request, move |socket| async move {
        run_session(registry, table, address, connection, socket).await;
    })
}

/// Whether all is well: 200, or 503 and what is wrong.
async fn health(State(app): State<Arc<App>>) -> Response {
    match app.registry.metrics.trouble() {
        None => "ok\n".into_response(),
        Some(trouble) => (StatusCode::SERVICE_UNAVAILABLE, format!("{trouble}\n")).into_response(),
    }
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let text = app.registry.metrics_text();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// A file of the app; every other address is the app itself, which finds its way by it.
async fn asset(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Response {
    let path =
        uri.path().strip_prefix(&app.site.base).unwrap_or(uri.path()).trim_start_matches('/');
    let (name, file) = match Assets::get(path) {
        Some(file) => (path, file),
        // The names of records have dots.
        None if path.contains('.') && !path.starts_with("r/") => {
            return StatusCode::NOT_FOUND.into_response();
        }
        None => match Assets::get("index.html") {
            Some(file) => ("index.html", file),
            None => return StatusCode::NOT_FOUND.into_response(),
        },
    };
    let hash: String =
        file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let base = &app.site.base;
    let tag = format!("\"{hash}{base}\"");
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest" | "json") => "application/json",
        _ => "application/octet-stream",
    };
    let body = if name == "index.html" && !base.is_empty() {
        // The page names its files from the root on; the app finds out the rest by itself.
        let page = String::from_utf8_lossy(&file.data).replace("=\"/", &format!("=\"{base}/"));
        Body::from(page)
    } else {
        Body::from(file.data)
    };
    Response::builder()
        .header(CONTENT_TYPE, kind)
        .header(CACHE_CONTROL, "no-cache")
        .header(ETAG, tag)
        .body(body)
        .expect("headers of our own making")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_told_an_address_they_can_reach() {
        let here = |text: &str| Some(text.parse().unwrap());
        let plain = Site::default();
        assert_eq!(reachable_address(&plain, here("127.0.0.1:80")), None);
        assert_eq!(reachable_address(&plain, here("[::1]:80")), None);
        let seen = reachable_address(&plain, here("192.168.1.5:8080"));
        assert_eq!(seen.as_deref(), Some("http://192.168.1.5:8080"));
        if let Some(found) = reachable_address(&plain, here("0.0.0.0:8080")) {
            assert!(!found.contains("0.0.0.0") && found.ends_with(":8080"), "{found}");
        }
        let origins = vec!["https://club.example".to_owned()];
        let proxied = Site { base: "/oboro".to_owned(), origins, ..plain };
        let seen = reachable_address(&proxied, here("127.0.0.1:80"));
        assert_eq!(seen.as_deref(), Some("https://club.example/oboro"));
    }
}
