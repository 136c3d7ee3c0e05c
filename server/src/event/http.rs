//! What browsers ask of events.

use super::{Event, EventPlan};
use crate::Refusal;
use crate::doors::Caller;
use crate::http::App;
use axum::extract::{Path, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The header in which somebody who takes part says their secret.
const KEY: &str = "x-oboro-key";

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/events", get(list).post(open))
        .route("/api/events/{name}", get(show))
        .route("/api/events/{name}/enter", post(enter))
        .route("/api/events/{name}/leave", post(leave))
        .route("/api/events/{name}/begin", post(begin))
        .route("/api/events/{name}/remove", post(remove))
        .route("/api/events/{name}/end", post(end))
        .route("/api/host", get(host))
}

/// Whether whoever asks is the host. Those who are not are guessing, and may not do so for ever.
fn check_host(app: &App, caller: Caller, headers: &HeaderMap) -> Result<(), Refusal> {
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let key = given.and_then(|value| value.strip_prefix("Bearer "));
    if key.is_some_and(|key| app.hall.is_host(key)) {
        return Ok(());
    }
    app.hall.doors.ask(caller)?;
    Err(Refusal::NotHost)
}

/// An event; whoever asks for names that are none is guessing.
fn find(app: &App, caller: Caller, name: &str) -> Result<Arc<Event>, Refusal> {
    let found = app.hall.event(name);
    if found.is_err() {
        app.hall.doors.ask(caller)?;
    }
    found
}

async fn list(State(app): State<Arc<App>>) -> Response {
    Json(app.hall.listed_events().await).into_response()
}

async fn host(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    check_host(&app, caller, &headers).map(|()| StatusCode::NO_CONTENT)
}

async fn open(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Json(plan): Json<Value>,
) -> Result<Response, Refusal> {
    check_host(&app, caller, &headers)?;
    let plan: EventPlan = oboro_catalog::read(plan)?;
    let name = app.hall.open_event(&plan)?;
    app.hall.flush_event(&name).await?;
    Ok(Json(json!({ "event": name, "address": format!("/e/{name}") })).into_response())
}

/// How an event stands: nothing new if the browser has it already.
async fn show(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let event = find(&app, caller, &name)?;
    let key = headers.get(KEY).and_then(|value| value.to_str().ok());
    loop {
        let (text, deeds, epoch, you) = event.report(key);
        let you = json!(you);
        let version = format!("\"{epoch}.{deeds}.{you}\"");
        let known = headers.get(IF_NONE_MATCH).map(axum::http::HeaderValue::as_bytes);
        if known == Some(version.as_bytes()) {
            return Ok(StatusCode::NOT_MODIFIED.into_response());
        }
        if event.progress.wait(deeds, epoch).await.is_err() {
            continue; // Nobody may see this: it was taken back.
        }
        let body = format!("{{\"you\":{you},\"report\":{text}}}");
        let kind = (CONTENT_TYPE, "application/json".to_owned());
        return Ok(([kind, (ETAG, version)], body).into_response());
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    key: String,
}

async fn enter(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    Json(entry): Json<Value>,
) -> Result<StatusCode, Refusal> {
    app.hall.doors.ask(caller)?;
    let entry: Entry = oboro_catalog::read(entry)?;
    let event = app.hall.event(&name)?;
    event.enter(&entry.name, &entry.key)?;
    event.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    key: String,
}

async fn leave(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    Json(key): Json<Value>,
) -> Result<StatusCode, Refusal> {
    app.hall.doors.ask(caller)?;
    let key: Key = oboro_catalog::read(key)?;
    let event = app.hall.event(&name)?;
    event.leave(&key.key)?;
    event.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn begin(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    check_host(&app, caller, &headers)?;
    let event = app.hall.event(&name)?;
    event.begin()?;
    event.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn end(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    check_host(&app, caller, &headers)?;
    let event = app.hall.event(&name)?;
    event.end()?;
    event.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Removal {
    entrant: usize,
    name: String,
}

async fn remove(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Json(removal): Json<Value>,
) -> Result<StatusCode, Refusal> {
    check_host(&app, caller, &headers)?;
    let removal: Removal = oboro_catalog::read(removal)?;
    let event = app.hall.event(&name)?;
    event.remove(removal.entrant, &removal.name)?;
    event.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}
