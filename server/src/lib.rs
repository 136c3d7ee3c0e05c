//! Tables for browsers: people play, watch and look into live games.
//!
//! A [`Hall`] holds the tables. A table is a live game of the catalog with the keys of its seats; every connection is
//! shown the scene of its seat and nothing else. Agents think on threads of their own and never hold a socket up.
//!
//! What is said over a socket is in [`message`]; `docs/browser.md` describes it for people.
#![forbid(unsafe_code)]

mod deepen;
mod error;
mod hall;
mod http;
mod levels;
mod library;
pub mod message;
mod secret;
mod socket;
mod table;

pub use error::Refusal;
pub use hall::{Hall, Limits, NewTable, Opened, Sitter};
pub use library::{Entry, Library};
pub use message::{Reply, Request};

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// The browser app, built by `web/` and kept in the repository.
#[derive(rust_embed::RustEmbed)]
#[folder = "../web/dist"]
struct Assets;

/// How often tables that nobody visits are looked for.
const SWEEP: Duration = Duration::from_mins(1);

/// Serves a hall until `until` comes; then whatever thinks is stopped and everybody is told.
///
/// # Errors
/// If the listener fails.
pub async fn serve(
    hall: Arc<Hall>,
    listener: TcpListener,
    until: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let sweeper = Arc::clone(&hall);
    let sweeping = tokio::spawn(async move {
        loop {
            tokio::time::sleep(SWEEP).await;
            sweeper.sweep();
        }
    });
    let closing = Arc::clone(&hall);
    let until = async move {
        until.await;
        closing.close();
    };
    let served = axum::serve(listener, http::router(hall)).with_graceful_shutdown(until).await;
    sweeping.abort();
    served
}
