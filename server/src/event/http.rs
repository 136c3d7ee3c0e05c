//! What browsers ask of events.

use super::{Event, EventPlan};
use crate::Refusal;
use crate::address::Address;
use crate::http::App;
use crate::registry::off_worker;
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
        .route("/api/events/{name}/{what}", post(tell))
        .route("/api/host", get(host))
}

/// Whether whoever asks is the host. Those who are not are guessing, and may not do so for ever.
fn check_host(app: &App, address: Address, headers: &HeaderMap) -> Result<(), Refusal> {
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let key = given.and_then(|value| value.strip_prefix("Bearer "));
    if key.is_some_and(|key| app.registry.is_host(key)) {
        return Ok(());
    }
    app.registry.addresses.ask(address)?;
    Err(Refusal::NotHost)
}

/// An event; whoever asks for names that are none is guessing.
fn find(app: &App, address: Address, name: &str) -> Result<Arc<Event>, Refusal> {
    let found = app.registry.event(name);
    if found.is_err() {
        app.registry.addresses.ask(address)?;
    }
    found
}

async fn list(State(app): State<Arc<App>>) -> Response {
    Json(app.registry.listed_events().await).into_response()
}

async fn host(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    check_host(&app, address, &headers).map(|()| StatusCode::NO_CONTENT)
}

async fn open(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    headers: HeaderMap,
    Json(plan): Json<Value>,
) -> Result<Response, Refusal> {
    check_host(&app, address, &headers)?;
    let plan: EventPlan = oboro_catalog::read(plan)?;
    let registry = Arc::clone(&app.registry);
    let name = off_worker(move || {
        plan.check_public().map_err(Refusal::Plan)?;
        registry.open_event(&plan)
    })
    .await?;
    app.registry.flush_event(&name).await?;
    Ok(Json(json!({ "event": name, "address": format!("/e/{name}") })).into_response())
}

/// How an event stands: nothing new if the browser has it already.
async fn show(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let event = find(&app, address, &name)?;
    let key = headers.get(KEY).and_then(|value| value.to_str().ok());
    // Whoever has seen the end of a game is not called to it again.
    let (registry, same) = (Arc::clone(&app.registry), Arc::clone(&event));
    off_worker(move || {
        registry.advance(&same);
        Ok(())
    })
    .await?;
    loop {
        let (text, steps, epoch, you) = event.report(key);
        let you = json!(you);
        let version = format!("\"{epoch}.{steps}.{you}\"");
        let known = headers.get(IF_NONE_MATCH).map(axum::http::HeaderValue::as_bytes);
        if known == Some(version.as_bytes()) {
            return Ok(StatusCode::NOT_MODIFIED.into_response());
        }
        if event.progress.wait(steps, epoch).await.is_err() {
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Removal {
    entrant: usize,
    name: String,
}

/// What people and the host tell an event: to enter and to leave; to begin, to end, and to take somebody out.
async fn tell(
    State(app): State<Arc<App>>,
    Extension(address): Extension<Address>,
    Path((name, what)): Path<(String, String)>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<StatusCode, Refusal> {
    if matches!(what.as_str(), "enter" | "leave") {
        app.registry.addresses.ask(address)?;
    } else {
        check_host(&app, address, &headers)?;
    }
    let event = app.registry.event(&name)?;
    match what.as_str() {
        "enter" => {
            let Entry { name, key } = oboro_catalog::read(body)?;
            event.enter(&name, &key)?;
        }
        "leave" => {
            let Key { key } = oboro_catalog::read(body)?;
            event.leave(&key)?;
        }
        "begin" => event.begin()?,
        "end" => event.end()?,
        "remove" => {
            let Removal { entrant, name } = oboro_catalog::read(body)?;
            event.remove(entrant, &name)?;
        }
        _ => return Ok(StatusCode::NOT_FOUND),
    }
    event.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}
