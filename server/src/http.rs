//! Pages and the few questions that are asked without a socket.

use crate::hall::{Hall, NewTable};
use crate::levels::levels;
use crate::socket::{FRAME, talk};
use crate::{Assets, Refusal};
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Request, State, WebSocketUpgrade};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use oboro_catalog::{AnyGame, games};
use serde_json::{Value, json};
use std::sync::Arc;

/// The longest record that can be sent in.
const RECORD: usize = 4 << 20;

pub(crate) fn router(hall: Arc<Hall>) -> Router {
    Router::new()
        .route("/api/games", get(list_games))
        .route("/api/games/{name}", get(one_game))
        .route("/api/tables", post(new_table))
        .route("/api/tables/{name}", get(find_table))
        .route("/api/tables/{name}/record", get(record))
        .route("/api/tables/{name}/socket", get(socket))
        .route("/api/records", get(list_records).post(new_study))
        .route("/api/records/{id}", post(open_record))
        .route("/api/{*rest}", get(|| async { StatusCode::NOT_FOUND }))
        .fallback(asset)
        .layer(DefaultBodyLimit::max(RECORD))
        .layer(from_fn(guard))
        .with_state(hall)
}

/// Headers of every answer, and no requests from other people's pages.
async fn guard(request: Request, next: Next) -> Response {
    if is_foreign(request.headers()) {
        return refuse(StatusCode::FORBIDDEN, "requests of other pages are not answered");
    }
    let mut response = next.run(request).await;
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

/// Whether a request comes from a page of another server: a browser says so.
fn is_foreign(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return false };
    let own = headers.get(HOST).and_then(|host| host.to_str().ok());
    let theirs = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    !matches!((own, theirs), (Some(own), Some((_, theirs))) if own == theirs)
}

fn refuse(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "error": message }))).into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match self {
            Refusal::NoTable(_) | Refusal::NoRecord(_) => StatusCode::NOT_FOUND,
            Refusal::Full(_) => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::NotYours(_) | Refusal::NotYourEyes => StatusCode::FORBIDDEN,
            _ => StatusCode::BAD_REQUEST,
        };
        refuse(status, &self.to_string())
    }
}

fn outline(game: &dyn AnyGame) -> Value {
    json!({
        "name": game.name(),
        "about": game.about(),
        "champion": game.champion(),
        "levels": levels(game.name()),
    })
}

async fn list_games() -> Json<Value> {
    Json(games().iter().map(|game| outline(game.as_ref())).collect())
}

async fn one_game(Path(name): Path<String>) -> Result<Json<Value>, Refusal> {
    let game = oboro_catalog::game(&name).map_err(oboro_catalog::DoorError::Spec)?;
    let mut answer = outline(game.as_ref());
    answer["schemas"] = json!(game.schemas());
    answer["agents"] = json!(game.agents());
    Ok(Json(answer))
}

async fn new_table(
    State(hall): State<Arc<Hall>>,
    Json(wanted): Json<Value>,
) -> Result<Response, Refusal> {
    let wanted: NewTable = oboro_catalog::read(wanted)?;
    Ok(Json(hall.open(&wanted)?).into_response())
}

/// Whether a table is still there: a browser that lost its connection asks before it tries again.
async fn find_table(
    State(hall): State<Arc<Hall>>,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    hall.table(&name).map(|_| StatusCode::NO_CONTENT)
}

async fn new_study(State(hall): State<Arc<Hall>>, text: String) -> Result<Response, Refusal> {
    Ok(Json(hall.study(&text)?).into_response())
}

async fn list_records(State(hall): State<Arc<Hall>>) -> Response {
    let listed = tokio::task::spawn_blocking(move || hall.library.entries()).await;
    match listed {
        Ok(entries) => Json(entries).into_response(),
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "the records cannot be read"),
    }
}

async fn open_record(
    State(hall): State<Arc<Hall>>,
    Path(id): Path<usize>,
) -> Result<Response, Refusal> {
    let text = hall.library.text(id)?;
    Ok(Json(hall.study(&text)?).into_response())
}

async fn record(
    State(hall): State<Arc<Hall>>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let text = Hall::record(hall.table(&name)?.as_ref())?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

async fn socket(
    State(hall): State<Arc<Hall>>,
    Path(name): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let table = hall.table(&name)?;
    let upgrade = upgrade.max_message_size(FRAME).max_frame_size(FRAME);
    Ok(upgrade.on_upgrade(move |socket| talk(hall, table, socket)))
}

/// A file of the app; every other address is the app itself, which finds its way by it.
async fn asset(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let (name, file) = match Assets::get(path) {
        Some(file) => (path, file),
        None if path.contains('.') => return StatusCode::NOT_FOUND.into_response(),
        None => match Assets::get("index.html") {
            Some(file) => ("index.html", file),
            None => return StatusCode::NOT_FOUND.into_response(),
        },
    };
    let hash: String =
        file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
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
    Response::builder()
        .header(CONTENT_TYPE, kind)
        .header(CACHE_CONTROL, "no-cache")
        .header(ETAG, tag)
        .body(Body::from(file.data))
        .expect("headers of our own making")
}
