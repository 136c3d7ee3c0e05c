//! One connection of a browser to a table.

use crate::hall::{Hall, Question};
use crate::message::{Reply, Request};
use crate::table::{Guest, Table};
use crate::{Refusal, deepen};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use oboro_core::{Seed, Stop};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

/// The longest message a browser may send.
pub(crate) const FRAME: usize = 64 * 1024;
/// Messages a connection may send at once, and how fast it may go on.
const BURST: f64 = 60.0;
const PER_SECOND: f64 = 20.0;
/// A browser that takes longer to receive a message is gone.
const PATIENCE: Duration = Duration::from_secs(20);
/// The first message has to come within this time.
const GREETING: Duration = Duration::from_secs(10);

/// Talks to a browser until either side has had enough.
pub(crate) async fn talk(hall: Arc<Hall>, table: Arc<Table>, mut socket: WebSocket) {
    let guest = match timeout(GREETING, greet(&hall, &table, &mut socket)).await {
        Ok(Ok(Some(guest))) => guest,
        Ok(Err(refusal)) => {
            let _ = send(&mut socket, &Reply::Closed { message: refusal.to_string() }).await;
            return;
        }
        Ok(Ok(None)) | Err(_) => return,
    };
    let number = guest.number;
    let mut conversation = Conversation::new(hall, Arc::clone(&table), guest);
    let _ = conversation.run(&mut socket).await;
    conversation.hush();
    table.leave(number);
}

/// Waits for the first message; `None` if the browser goes away before it.
async fn greet(
    hall: &Hall,
    table: &Table,
    socket: &mut WebSocket,
) -> Result<Option<Guest>, Refusal> {
    let Some(text) = receive(socket).await else { return Ok(None) };
    match read(&text)? {
        Request::Hello { keys } => hall.join(table, &keys).map(Some),
        _ => Err(Refusal::NotNow("the first message is hello")),
    }
}

fn read(text: &str) -> Result<Request, Refusal> {
    serde_json::from_str(text).map_err(|error| Refusal::Unreadable(error.to_string()))
}

/// The next text of a browser; `None` when it has gone.
async fn receive(socket: &mut WebSocket) -> Option<Utf8Bytes> {
    loop {
        match socket.recv().await?.ok()? {
            Message::Text(text) => return Some(text),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Binary(_) | Message::Close(_) => return None,
        }
    }
}

/// The browser has gone.
struct Gone;

async fn send(socket: &mut WebSocket, reply: &Reply) -> Result<(), Gone> {
    let text = serde_json::to_string(reply).expect("replies have a JSON form");
    match timeout(PATIENCE, socket.send(Message::Text(text.into()))).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(Gone),
    }
}

struct Conversation {
    hall: Arc<Hall>,
    table: Arc<Table>,
    guest: Guest,
    /// What an analysis has to say comes here.
    thoughts: (mpsc::Sender<Reply>, mpsc::Receiver<Reply>),
    /// Ends the analysis that is going on.
    analysis: Option<Stop>,
    allowance: f64,
    since: Instant,
    /// The table as it was last described.
    described: Option<Reply>,
}

impl Conversation {
    fn new(hall: Arc<Hall>, table: Arc<Table>, guest: Guest) -> Conversation {
        Conversation {
            hall,
            table,
            guest,
            thoughts: mpsc::channel(8),
            analysis: None,
            allowance: BURST,
            since: Instant::now(),
            described: None,
        }
    }

    async fn run(&mut self, socket: &mut WebSocket) -> Result<(), Gone> {
        let mut changes = self.table.watch();
        changes.mark_changed();
        loop {
            tokio::select! {
                changed = changes.changed() => {
                    changed.map_err(|_| Gone)?;
                    self.show(socket).await?;
                }
                thought = self.thoughts.1.recv() => {
                    send(socket, &thought.ok_or(Gone)?).await?;
                }
                text = receive(socket) => {
                    let text = text.ok_or(Gone)?;
                    if let Err(refusal) = self.hear(&text) {
                        send(socket, &Reply::Error { message: refusal.to_string() }).await?;
                    }
                    if self.allowance < -BURST {
                        let message = "too many messages".to_owned();
                        send(socket, &Reply::Closed { message }).await?;
                        return Err(Gone);
                    }
                    self.show_if_asked(&text, socket).await?;
                }
            }
        }
    }

    /// A look changes nothing for others, so no change of the table tells us to answer it.
    async fn show_if_asked(&mut self, text: &str, socket: &mut WebSocket) -> Result<(), Gone> {
        if matches!(read(text), Ok(Request::Look { .. })) {
            self.show(socket).await
        } else {
            Ok(())
        }
    }

    /// Tells what is new at the table.
    async fn show(&mut self, socket: &mut WebSocket) -> Result<(), Gone> {
        let (closed, taken_over, table, update) = {
            let state = self.table.lock();
            let table = Reply::Table {
                table: self.table.name.clone(),
                game: state.live.game().to_owned(),
                rules: state.live.rules(),
                seats: state.seats(&self.guest),
                study: state.study,
                take_back: state.may_take_back(&self.guest),
                pace: state.pace,
            };
            let update = state.update(&mut self.guest);
            (state.closed, state.is_taken_over(&self.guest), table, update)
        };
        if taken_over {
            send(socket, &Reply::TakenOver {}).await?;
            return Err(Gone);
        }
        if closed {
            send(socket, &Reply::Closed { message: "the table was closed".to_owned() }).await?;
            return Err(Gone);
        }
        if self.described.as_ref() != Some(&table) {
            send(socket, &table).await?;
            self.described = Some(table);
        }
        match update {
            Ok(update) => send(socket, &Reply::Update(Box::new(update))).await,
            Err(refusal) => send(socket, &Reply::Error { message: refusal.to_string() }).await,
        }
    }

    fn hear(&mut self, text: &str) -> Result<(), Refusal> {
        let now = Instant::now();
        let gained = now.duration_since(self.since).as_secs_f64() * PER_SECOND;
        self.allowance = (self.allowance + gained).min(BURST) - 1.0;
        self.since = now;
        if self.allowance < 0.0 {
            return Err(Refusal::NotNow("too many messages: slow down"));
        }
        match read(text)? {
            Request::Hello { .. } => Err(Refusal::NotNow("hello was said already")),
            Request::Hush {} => {
                self.hush();
                Ok(())
            }
            Request::Again { swap } => {
                let moved = self.hall.again(&self.table, &self.guest, swap)?;
                self.thoughts.0.try_send(moved).map_err(|_| Refusal::Full("busy"))
            }
            Request::Consult { agent, seat, ply } => self.consult(agent, seat, ply),
            Request::Curve { agent, seat } => self.curve(agent, seat),
            request => {
                self.table.obey(&mut self.guest, &request)?;
                self.hall.nudge(&self.table);
                Ok(())
            }
        }
    }

    /// Ends the analysis that is going on.
    fn hush(&mut self) {
        if let Some(stop) = self.analysis.take() {
            stop.pull();
        }
    }

    fn fresh_stop(&mut self) -> Stop {
        self.hush();
        let stop = Stop::new();
        self.analysis = Some(stop.clone());
        stop
    }

    /// An analysis that looks deeper and deeper.
    fn consult(&mut self, agent: String, seat: usize, ply: Option<usize>) -> Result<(), Refusal> {
        let (game, for_ply) = {
            let state = self.table.lock();
            (state.live.game(), ply.unwrap_or(state.live.plies()))
        };
        let question =
            Question { agent, seat, ply: Some(for_ply), seed: Seed::from_u64(1), depth: 0 };
        let specs = deepen::specs(game, &question.agent);
        // Refuse at once what can be refused.
        question.put(&self.table, &self.guest)?;
        let stop = self.fresh_stop();
        let (hall, table, guest) =
            (Arc::clone(&self.hall), Arc::clone(&self.table), self.guest.clone());
        let replies = self.thoughts.0.clone();
        tokio::spawn(async move {
            let last = specs.len() - 1;
            for (depth, agent) in specs.into_iter().enumerate() {
                let question = Question { agent, depth: depth as u32, ..question.clone() };
                let Ok(consultation) = question.put(&table, &guest) else { return };
                let switch = stop.clone();
                let insight = hall.think(move || consultation.run(&switch)).await;
                if stop.is_pulled() {
                    return;
                }
                let reply = match insight {
                    Ok(insight) => Reply::Insight {
                        for_ply,
                        depth: depth as u32,
                        r#final: depth == last,
                        insight: Box::new(insight),
                    },
                    Err(message) => Reply::Error { message },
                };
                if replies.send(reply).await.is_err() {
                    return;
                }
            }
        });
        Ok(())
    }

    /// The value of every decision of a seat, one by one.
    fn curve(&mut self, agent: String, seat: usize) -> Result<(), Refusal> {
        let decisions: Vec<(usize, String)> = {
            let state = self.table.lock();
            if !state.is_open() {
                return Err(Refusal::NotNow("the curve of a game is drawn after its end"));
            }
            let actions = state.live.record().actions;
            actions
                .into_iter()
                .enumerate()
                .filter(|(_, (mover, _))| mover.index() == seat)
                .map(|(ply, (_, action))| (ply, action))
                .collect()
        };
        let question = Question { agent, seat, ply: Some(0), seed: Seed::from_u64(1), depth: 0 };
        question.put(&self.table, &self.guest)?;
        let stop = self.fresh_stop();
        let (hall, table, guest) =
            (Arc::clone(&self.hall), Arc::clone(&self.table), self.guest.clone());
        let replies = self.thoughts.0.clone();
        tokio::spawn(async move {
            let of = decisions.len();
            for (done, (ply, action)) in decisions.into_iter().enumerate() {
                let question = Question { ply: Some(ply), ..question.clone() };
                let Ok(consultation) = question.put(&table, &guest) else { return };
                let switch = stop.clone();
                let Ok(insight) = hall.think(move || consultation.run(&switch)).await else {
                    return;
                };
                if stop.is_pulled() {
                    return;
                }
                let Some(analysis) = insight.analysis else { continue };
                let value_of = |wanted: &str| {
                    let found = analysis.values.iter().find(|v| v.action == wanted);
                    found.map(|v| v.value).filter(|value| value.is_finite())
                };
                let point = Reply::Point {
                    agent: insight.agent,
                    seat,
                    ply,
                    value: value_of(&analysis.choice),
                    played: value_of(&action),
                    choice: analysis.choice.clone(),
                    action,
                    done: done + 1,
                    of,
                };
                if replies.send(point).await.is_err() {
                    return;
                }
            }
        });
        Ok(())
    }
}
