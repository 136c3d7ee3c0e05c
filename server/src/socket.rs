//! One connection of a browser to a table.

use crate::doors::Caller;
use crate::hall::{Hall, Question};
use crate::message::{Reply, Request};
use crate::metrics::Metrics;
use crate::state::State;
use crate::table::{Guest, Table};
use crate::wire::{Gone, Heard, Wire};
use crate::{Refusal, deepen};
use oboro_core::{Seed, Stop};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, timeout};

/// Messages a connection may send at once, in seconds of what it may send in the long run.
const BURST: f64 = 3.0;
/// A browser that takes longer to receive a message is gone.
const PATIENCE: Duration = Duration::from_secs(20);
/// The first message has to come within this time.
const GREETING: Duration = Duration::from_secs(10);
/// Nobody holds more seats at one table.
const KEYS: usize = 16;

/// Talks to a browser until either side has had enough.
pub(crate) async fn talk(hall: Arc<Hall>, table: Arc<Table>, caller: Caller, mut socket: Wire) {
    let metrics = Arc::clone(&hall.metrics);
    metrics.sockets.fetch_add(1, Ordering::Relaxed);
    Metrics::count(&metrics.sockets_opened);
    match timeout(GREETING, greet(&hall, &table, &mut socket)).await {
        Ok(Ok(Some((guest, keys)))) => {
            let number = guest.number;
            let mut conversation = Conversation::new(hall, Arc::clone(&table), guest, keys, caller);
            let _ = conversation.run(&mut socket).await;
            conversation.hush();
            table.leave(number);
        }
        Ok(Err(refusal)) => {
            let _ =
                send(&metrics, &mut socket, &Reply::Closed { message: refusal.to_string() }).await;
        }
        Ok(Ok(None)) | Err(_) => {}
    }
    metrics.sockets.fetch_sub(1, Ordering::Relaxed);
}

/// Waits for the first message; `None` if the browser goes away before it.
async fn greet(
    hall: &Hall,
    table: &Arc<Table>,
    socket: &mut Wire,
) -> Result<Option<(Guest, Vec<String>)>, Refusal> {
    let text = loop {
        match socket.hear().await {
            Ok(Heard::Text(text)) => break text,
            Ok(Heard::Ping) => {}
            Err(Gone) => return Ok(None),
        }
    };
    match read(&text)? {
        Request::Hello { keys } if keys.len() > KEYS => Err(Refusal::NotNow("too many keys")),
        Request::Hello { keys } => hall.join(table, &keys).map(|guest| Some((guest, keys))),
        _ => Err(Refusal::NotNow("the first message is hello")),
    }
}

fn read(text: &str) -> Result<Request, Refusal> {
    serde_json::from_str(text).map_err(|error| Refusal::Unreadable(error.to_string()))
}

async fn send(metrics: &Metrics, socket: &mut Wire, reply: &Reply) -> Result<(), Gone> {
    Metrics::count(&metrics.frames);
    post(socket, frame(reply)).await
}

fn frame(reply: &Reply) -> Vec<u8> {
    let written = if let Reply::Update(update) = reply { update.written() } else { 0 };
    let mut text = Vec::with_capacity(1024 + written);
    serde_json::to_writer(&mut text, reply).expect("replies have a JSON form");
    text
}

async fn post(socket: &mut Wire, message: Vec<u8>) -> Result<(), Gone> {
    timeout(PATIENCE, socket.say(message)).await.unwrap_or(Err(Gone))
}

struct Conversation {
    hall: Arc<Hall>,
    table: Arc<Table>,
    guest: Guest,
    /// The secrets it came with: they open its seats at the next table, too.
    keys: Vec<String>,
    caller: Caller,
    /// What an analysis has to say comes here.
    thoughts: (mpsc::Sender<Reply>, mpsc::Receiver<Reply>),
    /// Ends the analysis that is going on.
    analysis: Option<Stop>,
    allowance: f64,
    since: Instant,
    /// The table as it was last described, and the telling of it.
    described: Option<Reply>,
    epoch: u64,
}

impl Conversation {
    fn new(
        hall: Arc<Hall>,
        table: Arc<Table>,
        guest: Guest,
        keys: Vec<String>,
        caller: Caller,
    ) -> Conversation {
        let epoch = table.progress.settled().epoch;
        let allowance = f64::from(hall.limits.messages_per_second) * BURST;
        Conversation {
            hall,
            table,
            guest,
            keys,
            caller,
            thoughts: mpsc::channel(8),
            analysis: None,
            allowance,
            since: Instant::now(),
            described: None,
            epoch,
        }
    }

    async fn run(&mut self, socket: &mut Wire) -> Result<(), Gone> {
        let mut changes = self.table.watch();
        changes.mark_changed();
        let silence = Duration::from_secs(self.hall.limits.silence_seconds.max(1));
        let mut pings = tokio::time::interval(silence / 3);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        loop {
            // What the browser has said is heard before it is counted as silent: a server that comes to nothing for a minute
            // throws nobody out for that.
            tokio::select! {
                biased;
                message = socket.hear() => {
                    heard = Instant::now();
                    match message? {
                        Heard::Text(text) => self.answer(&text, socket).await?,
                        Heard::Ping => self.count(0.25),
                    }
                    if self.allowance < -self.burst() {
                        let message = "too many messages".to_owned();
                        self.say(socket, &Reply::Closed { message }).await?;
                        return Err(Gone);
                    }
                }
                changed = changes.changed() => {
                    changed.map_err(|_| Gone)?;
                    self.show(socket).await?;
                }
                thought = self.thoughts.1.recv() => {
                    self.say(socket, &thought.ok_or(Gone)?).await?;
                }
                _ = pings.tick() => {
                    if heard.elapsed() > silence {
                        return Err(Gone);
                    }
                    timeout(PATIENCE, socket.ping()).await.unwrap_or(Err(Gone))?;
                }
            }
        }
    }

    async fn say(&self, socket: &mut Wire, reply: &Reply) -> Result<(), Gone> {
        send(&self.hall.metrics, socket, reply).await
    }

    async fn answer(&mut self, text: &str, socket: &mut Wire) -> Result<(), Gone> {
        self.count(1.0);
        // A look changes nothing for others, so no change of the table tells us to answer it.
        let (heard, looked) = match read(text) {
            Ok(request) => {
                let looked = matches!(request, Request::Look { .. });
                (self.hear(request), looked)
            }
            Err(refusal) => (Err(refusal), false),
        };
        match heard {
            Err(refusal) => self.say(socket, &Reply::Error { message: refusal.to_string() }).await,
            Ok(()) if looked => self.show(socket).await,
            Ok(()) => Ok(()),
        }
    }

    fn burst(&self) -> f64 {
        f64::from(self.hall.limits.messages_per_second) * BURST
    }

    /// Takes a message off what this connection may say.
    fn count(&mut self, cost: f64) {
        let now = Instant::now();
        let gained = now.duration_since(self.since).as_secs_f64() * self.burst() / BURST;
        self.allowance = (self.allowance + gained).min(self.burst()) - cost;
        self.since = now;
    }

    /// Tells what is new at the table, as soon as it is on disk.
    async fn show(&mut self, socket: &mut Wire) -> Result<(), Gone> {
        loop {
            // What is shown is big, and thousands may wait for a slow disk or for browsers: so the wait comes first, and
            // nothing but text is held during what follows.
            if self.table.flush().await.is_err() {
                continue; // It was taken back, and what is left is on disk.
            }
            let (news, deeds, epoch) = {
                let table = Arc::clone(&self.table);
                let state = table.lock();
                (self.news(&state), state.deeds, state.epoch)
            };
            let ends = |reply: &Reply| matches!(reply, Reply::TakenOver {} | Reply::Closed { .. });
            let framed = |reply: &Reply| (frame(reply), ends(reply));
            let news = news.map(|news| news.iter().map(framed).collect::<Vec<_>>());
            if self.table.progress.wait(deeds, epoch).await.is_err() {
                continue; // Nobody may see this: it was taken back.
            }
            if epoch != self.epoch {
                self.epoch = epoch;
                let message = self.table.progress.settled().failure.unwrap_or_default();
                self.say(socket, &Reply::Error { message }).await?;
            }
            for (frame, ends) in news? {
                Metrics::count(&self.hall.metrics.frames);
                post(socket, frame).await?;
                if ends {
                    return Err(Gone);
                }
            }
            return Ok(());
        }
    }

    /// What is new for this browser.
    fn news(&mut self, state: &State) -> Result<Vec<Reply>, Gone> {
        if state.closed {
            // A table on disk is not gone: its browsers come back by themselves when the server does.
            if self.table.is_durable() {
                return Err(Gone);
            }
            return Ok(vec![Reply::Closed { message: "the table was closed".to_owned() }]);
        }
        if state.is_taken_over(&self.guest) {
            return Ok(vec![Reply::TakenOver {}]);
        }
        let mut news = Vec::new();
        let table = Reply::Table {
            table: self.table.name.clone(),
            game: state.live.game().to_owned(),
            rules: state.live.rules(),
            seats: state.seats(Some(&self.guest)),
            study: state.is_study(),
            room: state.room(&self.guest),
            next: state.next.clone(),
            event: state.occasion().map(|occasion| occasion.event.clone()),
            take_back: state.may_take_back(&self.guest),
            pace: state.pace,
        };
        if self.described.as_ref() != Some(&table) {
            news.push(table.clone());
            self.described = Some(table);
        }
        if !state.is_gathering() {
            news.push(match state.update(&mut self.guest) {
                Ok(update) => Reply::Update(Box::new(update)),
                Err(refusal) => Reply::Error { message: refusal.to_string() },
            });
        }
        Ok(news)
    }

    fn hear(&mut self, request: Request) -> Result<(), Refusal> {
        if self.allowance < 0.0 {
            return Err(Refusal::NotNow("too many messages: slow down"));
        }
        match request {
            Request::Hello { .. } => Err(Refusal::NotNow("hello was said already")),
            Request::Hush {} => {
                self.hush();
                Ok(())
            }
            Request::Again { swap } => {
                self.hall.doors.ask(self.caller)?;
                let moved = self.hall.again(&self.table, &self.guest, &self.keys, swap)?;
                let Reply::Moved { table, .. } = &moved else { return Ok(()) };
                let (hall, name) = (Arc::clone(&self.hall), table.clone());
                let replies = self.thoughts.0.clone();
                tokio::spawn(async move {
                    let reply = match hall.flush(&name).await {
                        Ok(()) => moved,
                        Err(refusal) => Reply::Error { message: refusal.to_string() },
                    };
                    let _ = replies.send(reply).await;
                });
                Ok(())
            }
            Request::Consult { agent, seat, ply } => self.consult(agent, seat, ply),
            Request::Curve { agent, seat } => self.curve(agent, seat),
            request => {
                let key =
                    if let Request::Sit { key, .. } = &request { Some(key.clone()) } else { None };
                self.table.obey(&mut self.guest, request)?;
                self.keys.extend(key);
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
        let pass = self.hall.doors.analysis(self.caller)?;
        let stop = self.fresh_stop();
        let (hall, table, guest) =
            (Arc::clone(&self.hall), Arc::clone(&self.table), self.guest.clone());
        let replies = self.thoughts.0.clone();
        tokio::spawn(async move {
            let _pass = pass;
            let last = specs.len() - 1;
            for (depth, agent) in specs.into_iter().enumerate() {
                let question = Question { agent, depth: depth as u32, ..question.clone() };
                let Ok(consultation) = question.put(&table, &guest) else { return };
                let switch = stop.clone();
                let insight = hall.think(&stop, move || consultation.run(&switch)).await;
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
        let pass = self.hall.doors.analysis(self.caller)?;
        let stop = self.fresh_stop();
        let (hall, table, guest) =
            (Arc::clone(&self.hall), Arc::clone(&self.table), self.guest.clone());
        let replies = self.thoughts.0.clone();
        tokio::spawn(async move {
            let _pass = pass;
            let of = decisions.len();
            for (done, (ply, action)) in decisions.into_iter().enumerate() {
                let question = Question { ply: Some(ply), ..question.clone() };
                let Ok(consultation) = question.put(&table, &guest) else { return };
                let switch = stop.clone();
                let Ok(insight) = hall.think(&stop, move || consultation.run(&switch)).await else {
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
