//! What spectators see: the feed of the protocol, and a page for a browser.

use super::visitors::{Limits, check_origin, receive};
use super::{BoardText, End, HostedGame};
use axum::extract::ws::{Message as Frame, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use oboro_catalog::rule_options;
use oboro_core::{Game, GameWorld, Record, Replay, Seat, from_pairs};
use oboro_geister::Geister;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::broadcast::{self, Receiver, Sender, error::RecvError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Everything spectators may see of a server's games. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Spectators(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    frames: Sender<String>,
    seats: Arc<Semaphore>,
    is_secret: bool,
    board: Mutex<PublishedGames>,
}

#[derive(Debug, Default)]
struct PublishedGames {
    latest: Option<String>,
    live: Option<Live>,
    past: VecDeque<(FinishedGame, Record)>,
}

/// The game that goes on.
#[derive(Clone, Debug, Serialize)]
struct Live {
    number: u64,
    names: [String; 2],
}

/// A game that is over.
#[derive(Clone, Debug, Serialize)]
struct FinishedGame {
    number: u64,
    names: Vec<String>,
    winner: Option<usize>,
    how: String,
    plies: u16,
}

/// How many games the page can look back on.
const KEPT_GAMES: usize = 200;
/// How many spectators may watch at once.
const MAX_SPECTATORS: usize = 100;

impl Spectators {
    /// Nobody watches yet. If it is `secret`, colours on the board are hidden until the game is over.
    pub(crate) fn new(secret: bool) -> Spectators {
        Spectators(Arc::new(Shared {
            frames: broadcast::channel(256).0,
            seats: Arc::new(Semaphore::new(MAX_SPECTATORS)),
            is_secret: secret,
            board: Mutex::default(),
        }))
    }

    fn board(&self) -> MutexGuard<'_, PublishedGames> {
        // The board is sound after every statement, so a panic elsewhere does not spoil it.
        self.0.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game begins.
    pub(crate) fn announce(&self, number: u64, names: [&str; 2]) {
        self.board().live = Some(Live { number, names: names.map(str::to_owned) });
    }

    /// The board has changed.
    pub(crate) fn show(&self, label: &str, board: BoardText) {
        let is_over = matches!(label, "WI0:" | "WI1:" | "DRW:");
        let board = if self.0.is_secret && !is_over { board.masked() } else { board };
        let frame = format!("{label}{board}");
        let mut board = self.board();
        board.latest = Some(frame.clone());
        let _ = self.0.frames.send(frame); // an error only says that nobody watches
    }

    /// The frame to begin with and all that come after it: the lock is held, so that none is missed
    /// or seen twice.
    fn tune_in(&self) -> (Option<String>, Receiver<String>) {
        let board = self.board();
        (board.latest.clone(), self.0.frames.subscribe())
    }

    /// A game is over.
    pub(crate) fn keep(&self, number: u64, game: &HostedGame) {
        let past = FinishedGame {
            number,
            names: game.record.agents.clone(),
            winner: game.end.winner().map(Seat::index),
            how: game.end.to_string(),
            plies: game.plies,
        };
        let mut board = self.board();
        board.live = None;
        if game.end != End::Abandoned {
            board.past.push_back((past, game.record.clone()));
            if board.past.len() > KEPT_GAMES {
                board.past.pop_front();
            }
        }
    }

    /// Serves the page and the feed on a listener until the task is dropped.
    pub(crate) async fn serve(self, listener: TcpListener) {
        let app = Router::new()
            .route("/", get(page))
            .route("/ws/geister", get(feed))
            .route("/api/games", get(games))
            .route("/api/games/{number}", get(game))
            .layer(axum::middleware::from_fn(check_origin))
            .with_state(self);
        receive(listener, app, Limits::default()).await;
    }

    /// Listens for spectators and serves them in the background.
    pub(crate) async fn open(&self, host: &str, port: u16) -> io::Result<SocketAddr> {
        let listener = TcpListener::bind((host, port)).await?;
        let address = listener.local_addr()?;
        tokio::spawn(self.clone().serve(listener));
        Ok(address)
    }
}

async fn page() -> Response {
    const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:";
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, include_str!("spectators.html")).into_response()
}

/// The game that goes on, and those that are over, the latest first.
async fn games(State(spectators): State<Spectators>) -> Json<Value> {
    let board = spectators.board();
    let games: Vec<&FinishedGame> = board.past.iter().rev().map(|(past, _)| past).collect();
    Json(json!({ "live": board.live, "games": games }))
}

/// A game that is over, and the board before each move and at the end, as the feed would have shown it.
async fn game(State(spectators): State<Spectators>, Path(number): Path<u64>) -> Response {
    let found = spectators.board().past.iter().find(|(past, _)| past.number == number).cloned();
    let Some((past, record)) = found else {
        return (StatusCode::NOT_FOUND, "no such game").into_response();
    };
    let frames = frames(&record, past.winner).unwrap_or_default();
    Json(json!({ "game": past, "frames": frames })).into_response()
}

/// The frames of a recorded game.
fn frames(record: &Record, winner: Option<usize>) -> Option<Vec<String>> {
    let options = rule_options(&record.rules).ok()?;
    let pairs: Vec<_> = options.into_iter().map(|(key, value)| (Some(key), value)).collect();
    let rules: Geister = from_pairs(Geister::NAME, &pairs, &[]).ok()?;
    let mut replay = Replay::new(&rules, record).ok()?;
    let mut frames = Vec::new();
    loop {
        let world = *replay.world();
        let next = replay.step().ok()?;
        let label = match (&next, winner) {
            (Some(_), _) if world.to_act() == Some(Seat::FIRST) => "MV0:",
            (Some(_), _) => "MV1:",
            (None, Some(0)) => "WI0:",
            (None, Some(_)) => "WI1:",
            (None, None) => "DRW:",
        };
        if world.public().has_placed(Seat::new(1)) {
            let colour = |seat, piece| world.colour(seat, piece);
            let board = BoardText::new(world.public(), Seat::new(1), true, colour);
            frames.push(format!("{label}{board}"));
        }
        if next.is_none() {
            return Some(frames);
        }
    }
}

async fn feed(State(spectators): State<Spectators>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(seat) = spectators.0.seats.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many spectators").into_response();
    };
    // Before the answer goes out: whoever has it sees every frame from then on.
    let feed = spectators.tune_in();
    upgrade
        .max_message_size(1024)
        .max_frame_size(1024)
        .on_upgrade(move |socket| watch(socket, feed, seat))
}

async fn watch(
    mut socket: WebSocket,
    (mut next, mut frames): (Option<String>, Receiver<String>),
    _seat: OwnedSemaphorePermit,
) {
    loop {
        if let Some(frame) = next.take() {
            let sending = socket.send(Frame::Text(frame.into()));
            if !matches!(timeout(Duration::from_secs(10), sending).await, Ok(Ok(()))) {
                return;
            }
        }
        tokio::select! {
            frame = frames.recv() => match frame {
                Ok(frame) => next = Some(frame),
                Err(RecvError::Lagged(_)) => {} // a slow spectator skips frames
                Err(RecvError::Closed) => return,
            },
            // What spectators say does not matter, only that they are still there.
            said = socket.recv() => if !matches!(said, Some(Ok(_))) { return },
        }
    }
}
