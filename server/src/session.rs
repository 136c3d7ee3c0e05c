//! One connection of a browser to a table.

use crate::address::{Address, Permit};
use crate::connections::Connection;
use crate::message::{Greeting, Reply, Request};
use crate::metrics::Metrics;
use crate::registry::{AnalysisRequest, TableRegistry, off_worker};
use crate::setup::Setup;
use crate::state::State;
use crate::table::{Client, Table};
use crate::thinking::Owner;
use crate::websocket::{Disconnected, Received, WebSocket};
use crate::{Refusal, deepen};
use oboro_catalog::CatalogError;
use oboro_core::{Phrase, Seed, Stop, plain_error};
use std::pin::pin;
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
/// Pings that are heard before the first message.
const EARLY_PINGS: usize = 8;

/// Talks to a browser until either side has had enough.
pub(crate) async fn run_session(
    registry: Arc<TableRegistry>,
    table: Arc<Table>,
    address: Address,
    connection: Arc<Connection>,
    mut socket: WebSocket,
) {
    let metrics = Arc::clone(&registry.metrics);
    metrics.sockets.fetch_add(1, Ordering::Relaxed);
    Metrics::count(&metrics.sockets_opened);
    match timeout(GREETING, receive_hello(&registry, &table, address, &mut socket)).await {
        Ok(Ok(Some((client, keys)))) => {
            let number = client.number;
            match connection.promote(address, !client.seats.is_empty()) {
                Ok(()) => {
                    let table = Arc::clone(&table);
                    let mut session =
                        Session::new(registry, table, client, keys, address, connection);
                    let _ = session.run(&mut socket).await;
                    session.stop_analysis();
                }
                Err(refusal) => turn_away(&metrics, &mut socket, &refusal).await,
            }
            table.leave(number);
        }
        Ok(Err(refusal)) => turn_away(&metrics, &mut socket, &refusal).await,
        Ok(Ok(None)) | Err(_) => {}
    }
    metrics.sockets.fetch_sub(1, Ordering::Relaxed);
}

async fn turn_away(metrics: &Metrics, socket: &mut WebSocket, refusal: &Refusal) {
    let _ = send(metrics, socket, &Reply::Closed { message: refusal.to_string() }).await;
}

/// Waits for the first message; `None` if the browser goes away before it.
async fn receive_hello(
    registry: &TableRegistry,
    table: &Arc<Table>,
    address: Address,
    socket: &mut WebSocket,
) -> Result<Option<(Client, Vec<String>)>, Refusal> {
    let mut pings = 0;
    let text = loop {
        match socket.hear().await {
            Ok(Received::Text(text)) => break text,
            Ok(Received::Ping) if pings < EARLY_PINGS => pings += 1,
            Ok(Received::Ping) | Err(Disconnected) => return Ok(None),
        }
    };
    let Greeting::Hello { keys } = read(&text)?;
    if keys.len() > KEYS {
        return Err(Refusal::NotNow("too many keys"));
    }
    registry.join(table, &keys, address).map(|client| Some((client, keys)))
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| Refusal::Unreadable(shortened(&error)))
}

/// A complaint of a length that can be sent: it may quote what was sent in.
fn shortened(error: &serde_json::Error) -> String {
    plain_error(&error.to_string()).chars().take(200).collect()
}

async fn send(
    metrics: &Metrics,
    socket: &mut WebSocket,
    reply: &Reply,
) -> Result<(), Disconnected> {
    Metrics::count(&metrics.frames);
    post(socket, frame(reply)).await
}

fn frame(reply: &Reply) -> Vec<u8> {
    let written = if let Reply::Update(update) = reply { update.written() } else { 0 };
    let mut text = Vec::with_capacity(1024 + written);
    serde_json::to_writer(&mut text, reply).expect("replies have a JSON form");
    text
}

async fn post(socket: &mut WebSocket, message: Vec<u8>) -> Result<(), Disconnected> {
    timeout(PATIENCE, socket.say(message)).await.unwrap_or(Err(Disconnected))
}

struct Session {
    registry: Arc<TableRegistry>,
    table: Arc<Table>,
    client: Client,
    /// The secrets it came with: they open its seats at the next table, too.
    keys: Vec<String>,
    address: Address,
    connection: Arc<Connection>,
    /// What an analysis has to say comes here.
    thoughts: (mpsc::Sender<Reply>, mpsc::Receiver<Reply>),
    /// Ends the analysis that is going on.
    analysis: Option<Stop>,
    allowance: f64,
    since: Instant,
    /// The table as it was last described, and its epoch.
    described: Option<Reply>,
    epoch: u64,
}

impl Session {
    fn new(
        registry: Arc<TableRegistry>,
        table: Arc<Table>,
        client: Client,
        keys: Vec<String>,
        address: Address,
        connection: Arc<Connection>,
    ) -> Session {
        let epoch = table.progress.settled().epoch;
        let allowance = f64::from(registry.limits.messages_per_second) * BURST;
        Session {
            registry,
            table,
            client,
            keys,
            address,
            connection,
            thoughts: mpsc::channel(8),
            analysis: None,
            allowance,
            since: Instant::now(),
            described: None,
            epoch,
        }
    }

    async fn run(&mut self, socket: &mut WebSocket) -> Result<(), Disconnected> {
        let mut changes = self.table.watch();
        changes.mark_changed();
        let silence = Duration::from_secs(self.registry.limits.silence_seconds.max(1));
        let mut pings = tokio::time::interval(silence / 3);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let connection = Arc::clone(&self.connection);
        let mut ended = pin!(connection.ended());
        loop {
            // What the browser has said is heard before it is counted as silent: a server that comes to nothing for a minute
            // throws nobody out for that.
            tokio::select! {
                biased;
                message = socket.hear() => {
                    heard = Instant::now();
                    match message? {
                        Received::Text(text) => self.answer(&text, socket).await?,
                        Received::Ping => self.count(0.25),
                    }
                    if self.allowance < -self.burst() {
                        let message = "too many messages".to_owned();
                        self.say(socket, &Reply::Closed { message }).await?;
                        return Err(Disconnected);
                    }
                }
                changed = changes.changed() => {
                    changed.map_err(|_| Disconnected)?;
                    self.show(socket).await?;
                }
                thought = self.thoughts.1.recv() => {
                    self.say(socket, &thought.ok_or(Disconnected)?).await?;
                }
                () = &mut ended => return Err(Disconnected),
                _ = pings.tick() => {
                    if heard.elapsed() > silence {
                        return Err(Disconnected);
                    }
                    timeout(PATIENCE, socket.ping()).await.unwrap_or(Err(Disconnected))?;
                }
            }
        }
    }

    async fn say(&self, socket: &mut WebSocket, reply: &Reply) -> Result<(), Disconnected> {
        send(&self.registry.metrics, socket, reply).await
    }

    async fn answer(&mut self, text: &str, socket: &mut WebSocket) -> Result<(), Disconnected> {
        self.count(1.0);
        // A look changes nothing for others, so no change of the table tells us to answer it.
        let (heard, looked) = match read(text) {
            Ok(request) => {
                let looked = matches!(request, Request::Look { .. });
                (self.hear(request).await, looked)
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
        f64::from(self.registry.limits.messages_per_second) * BURST
    }

    /// Takes a message off what this connection may say.
    fn count(&mut self, cost: f64) {
        let now = Instant::now();
        let gained = now.duration_since(self.since).as_secs_f64() * self.burst() / BURST;
        self.allowance = (self.allowance + gained).min(self.burst()) - cost;
        self.since = now;
    }

    /// Tells what is new at the table, as soon as it is on disk.
    async fn show(&mut self, socket: &mut WebSocket) -> Result<(), Disconnected> {
        loop {
            // What is shown is big, and thousands may wait for a slow disk or for browsers: so the wait comes first, and
            // nothing but text is held during what follows.
            if self.table.flush().await.is_err() {
                continue; // It was taken back, and what is left is on disk.
            }
            let (changes, steps, epoch) = {
                let table = Arc::clone(&self.table);
                let state = table.lock();
                (self.changes(&state), state.steps, state.epoch)
            };
            let ends = |reply: &Reply| matches!(reply, Reply::TakenOver {} | Reply::Closed { .. });
            let framed = |reply: &Reply| (frame(reply), ends(reply));
            let changes = changes.map(|changes| changes.iter().map(framed).collect::<Vec<_>>());
            if self.table.progress.wait(steps, epoch).await.is_err() {
                continue; // Nobody may see this: it was taken back.
            }
            if epoch != self.epoch {
                self.epoch = epoch;
                let message = self.table.progress.settled().failure.unwrap_or_default();
                self.say(socket, &Reply::Error { message }).await?;
            }
            for (frame, ends) in changes? {
                Metrics::count(&self.registry.metrics.frames);
                post(socket, frame).await?;
                if ends {
                    return Err(Disconnected);
                }
            }
            return Ok(());
        }
    }

    /// What is new for this browser.
    fn changes(&mut self, state: &State) -> Result<Vec<Reply>, Disconnected> {
        if state.closed {
            // A table on disk is not gone: its browsers come back by themselves when the server does.
            if self.table.is_durable() {
                return Err(Disconnected);
            }
            return Ok(vec![Reply::Closed { message: "the table was closed".to_owned() }]);
        }
        if state.is_taken_over(&self.client) {
            return Ok(vec![Reply::TakenOver {}]);
        }
        let mut changes = Vec::new();
        let table = Reply::Table {
            table: self.table.name.clone(),
            game: state.live.game().to_owned(),
            rules: state.live.rules(),
            seats: state.seats(Some(&self.client)),
            study: state.is_study(),
            room: state.room(&self.client),
            next: state.next.clone(),
            event: state.occasion().map(|occasion| occasion.event.clone()),
            take_back: state.may_take_back(&self.client),
            pace: state.pace,
            hints: state.check_hints().is_ok(),
            watchers: state.watchers(),
            talk: state.may_talk(),
            commitment: state.setup.as_ref().and_then(Setup::commitment),
        };
        if self.described.as_ref() != Some(&table) {
            changes.push(table.clone());
            self.described = Some(table);
        }
        let new = state.said.iter().filter(|said| said.number > self.client.heard);
        changes.extend(new.copied().map(Reply::Said));
        self.client.heard = state.said.back().map_or(self.client.heard, |said| said.number);
        if !state.is_gathering() {
            match state.updates(&mut self.client) {
                Ok(updates) => {
                    changes.extend(updates.into_iter().map(|one| Reply::Update(Box::new(one))));
                }
                Err(refusal) => changes.push(Reply::Error { message: refusal.to_string() }),
            }
        }
        Ok(changes)
    }

    async fn hear(&mut self, request: Request) -> Result<(), Refusal> {
        if self.allowance < 0.0 {
            return Err(Refusal::NotNow("too many messages: slow down"));
        }
        match request {
            Request::Play { seat, action, ply } => {
                self.at_table(move |table, client| table.play(client, seat, action, ply)).await
            }
            Request::Sit { seat, name, key } => {
                let own = key.clone();
                self.at_table(move |table, client| table.sit(client, seat, &name, &key)).await?;
                self.keys.push(own);
                Ok(())
            }
            Request::Leave { seat } => {
                self.at_table(move |table, client| table.stand(client, seat)).await
            }
            Request::Return { seat } => {
                self.at_table(move |table, client| table.return_to(client, seat)).await
            }
            Request::Begin {} => self.at_table(|table, client| table.begin(client)).await,
            Request::Look { ply, eyes } => self.table.look(&mut self.client, eyes, ply),
            Request::TakeBack {} => self.at_table(|table, client| table.take_back(client)).await,
            Request::Resign { seat } => {
                self.at_table(move |table, client| table.resign(client, seat)).await
            }
            Request::Pace { pause } => {
                self.at_table(move |table, client| table.set_pace(client, pause)).await
            }
            Request::Say { seat, phrase } => {
                self.table.say(&self.client, seat, phrase)?;
                self.table.changed();
                Ok(())
            }
            Request::Again { swap } => self.again(swap),
            Request::Consult { agent, seat, ply } => self.consult(agent, seat, ply).await,
            Request::Hint { seat, ply } => self.hint(seat, ply).await,
            Request::Curve { agent, seat } => self.curve(agent, seat).await,
            Request::Hush {} => {
                self.stop_analysis();
                Ok(())
            }
        }
    }

    /// Does something at the table, which may build agents, away from the threads that answer everybody.
    async fn at_table(
        &mut self,
        work: impl FnOnce(&Arc<Table>, &mut Client) -> Result<(), Refusal> + Send + 'static,
    ) -> Result<(), Refusal> {
        let (table, mut client) = (Arc::clone(&self.table), self.client.clone());
        let (client, done) = off_worker(move || {
            let done = work(&table, &mut client);
            Ok((client, done))
        })
        .await?;
        self.client = client;
        done?;
        // Whoever has taken a seat does not go for others any more.
        let _ = self.connection.promote(self.address, !self.client.seats.is_empty());
        self.table.changed();
        self.registry.start_agent(&self.table);
        Ok(())
    }

    /// The same people again at a new table.
    fn again(&mut self, swap: bool) -> Result<(), Refusal> {
        self.registry.addresses.ask(self.address)?;
        let (registry, table) = (Arc::clone(&self.registry), Arc::clone(&self.table));
        let (client, keys) = (self.client.clone(), self.keys.clone());
        let replies = self.thoughts.0.clone();
        tokio::spawn(async move {
            let place = Arc::clone(&registry);
            let moved = off_worker(move || place.again(&table, &client, &keys, swap)).await;
            let reply = match moved {
                Ok((next, moved)) => registry.flush(&next).await.map(|()| moved),
                Err(refusal) => Err(refusal),
            };
            let refused = |refusal: Refusal| Reply::Error { message: refusal.to_string() };
            let _ = replies.send(reply.unwrap_or_else(refused)).await;
        });
        Ok(())
    }

    /// Ends the analysis that is going on.
    fn stop_analysis(&mut self) {
        if let Some(stop) = self.analysis.take() {
            stop.pull();
        }
    }

    /// An analysis that looks deeper and deeper.
    async fn consult(
        &mut self,
        agent: String,
        seat: usize,
        ply: Option<usize>,
    ) -> Result<(), Refusal> {
        let (table, client) = (Arc::clone(&self.table), self.client.clone());
        let (request, specs) = off_worker(move || {
            let state = table.lock();
            let agent = state.live.public(&agent).map_err(CatalogError::Spec)?;
            let ply = ply.unwrap_or(state.live.plies());
            let request = AnalysisRequest { agent, seat, ply, seed: Seed::from_u64(1), depth: 0 };
            // Refuse at once what can be refused.
            request.check(&state, &client)?;
            let specs = deepen::specs(state.live.as_ref(), &request.agent);
            Ok((request, specs))
        })
        .await?;
        let analysis = self.start_analysis()?;
        tokio::spawn(async move {
            let last = specs.len() - 1;
            for (depth, agent) in specs.into_iter().enumerate() {
                let request = AnalysisRequest { agent, depth: depth as u32, ..request.clone() };
                let for_ply = request.ply;
                let asked = analysis.ask(request, AnalysisRequest::run).await;
                let Some(insight) = asked else { return };
                let reply = match insight {
                    Ok(insight) => Reply::Insight {
                        for_ply,
                        depth: depth as u32,
                        r#final: depth == last,
                        insight: Box::new(insight),
                    },
                    Err(message) => Reply::Error { message },
                };
                if analysis.replies.send(reply).await.is_err() {
                    return;
                }
            }
        });
        Ok(())
    }

    /// What the game's best agent advises.
    async fn hint(&mut self, seat: usize, ply: usize) -> Result<(), Refusal> {
        let (table, client) = (Arc::clone(&self.table), self.client.clone());
        let request = off_worker(move || {
            let state = table.lock();
            let champion = oboro_catalog::game(state.live.game()).map_err(CatalogError::Spec)?;
            let agent = state.live.public(champion.champion()).map_err(CatalogError::Spec)?;
            let request = AnalysisRequest { agent, seat, ply, seed: Seed::from_u64(1), depth: 0 };
            request.check(&state, &client)?;
            Ok(request)
        })
        .await?;
        let analysis = self.start_analysis()?;
        tokio::spawn(async move {
            let reply = match analysis.ask(request, AnalysisRequest::evaluate).await {
                Some(Ok(Some(evaluation))) => Reply::Advice { for_ply: ply, seat, evaluation },
                Some(Err(message)) => Reply::Error { message },
                Some(Ok(None)) | None => return,
            };
            let _ = analysis.replies.send(reply).await;
        });
        Ok(())
    }

    /// The value of every decision of a seat, one by one.
    async fn curve(&mut self, agent: String, seat: usize) -> Result<(), Refusal> {
        let (table, client) = (Arc::clone(&self.table), self.client.clone());
        let (request, decisions) = off_worker(move || {
            let state = table.lock();
            if !state.is_open() {
                return Err(Refusal::NotNow("the curve of a game is drawn after its end"));
            }
            let agent = state.live.public(&agent).map_err(CatalogError::Spec)?;
            let request =
                AnalysisRequest { agent, seat, ply: 0, seed: Seed::from_u64(1), depth: 0 };
            request.check(&state, &client)?;
            let actions = state.live.record().actions.into_iter().enumerate();
            let own = actions.filter(|(_, (mover, _))| mover.index() == seat);
            Ok((request, own.map(|(ply, (_, action))| (ply, action)).collect::<Vec<_>>()))
        })
        .await?;
        let table = Arc::clone(&self.table);
        let analysis = self.start_analysis()?;
        tokio::spawn(async move {
            let of = decisions.len();
            for (done, (ply, action)) in decisions.into_iter().enumerate() {
                let request = AnalysisRequest { ply, ..request.clone() };
                let asked = analysis.ask(request, AnalysisRequest::evaluate).await;
                let Some(Ok(Some(report))) = asked else { return };
                let described = off_worker({
                    let table = Arc::clone(&table);
                    move || Ok(table.lock().live.at(ply)?.described_actions())
                });
                let Ok(described) = described.await else { return };
                let in_words = |wanted: &str| {
                    let found = described.iter().find(|one| one.action == wanted);
                    found.map_or_else(|| Phrase::new(wanted, wanted), |one| one.text.clone())
                };
                let played = report.values.iter().find(|one| one.action == action);
                let point = Reply::Point {
                    seat,
                    ply,
                    value: report.value,
                    error: report.error,
                    played: played.map(|one| one.value),
                    best: in_words(&report.best),
                    action: in_words(&action),
                    agent: report.agent,
                    done: done + 1,
                    of,
                };
                if analysis.replies.send(point).await.is_err() {
                    return;
                }
            }
        });
        Ok(())
    }

    /// Makes room for an analysis; the one that goes on ends.
    fn start_analysis(&mut self) -> Result<RunningAnalysis, Refusal> {
        let permit = self.registry.addresses.analysis(self.address)?;
        self.stop_analysis();
        let stop = Stop::new();
        self.analysis = Some(stop.clone());
        Ok(RunningAnalysis {
            registry: Arc::clone(&self.registry),
            table: Arc::clone(&self.table),
            client: self.client.clone(),
            address: self.address,
            replies: self.thoughts.0.clone(),
            stop,
            _permit: permit,
        })
    }
}

/// An analysis that goes on until it is stopped.
struct RunningAnalysis {
    registry: Arc<TableRegistry>,
    table: Arc<Table>,
    client: Client,
    address: Address,
    replies: mpsc::Sender<Reply>,
    stop: Stop,
    _permit: Permit,
}

impl RunningAnalysis {
    /// What an agent thinks, or why it says nothing; none if nobody wants to know any more.
    async fn ask<T: Send + 'static>(
        &self,
        request: AnalysisRequest,
        question: fn(&AnalysisRequest, &Table, &Client, &Stop) -> Result<T, Refusal>,
    ) -> Option<Result<T, String>> {
        let kilobytes = request.agent.footprint().held + request.agent.footprint().thinking;
        let (table, client) = (Arc::clone(&self.table), self.client.clone());
        let switch = self.stop.clone();
        let owner = Owner::Address(self.address);
        let work = move || question(&request, &table, &client, &switch);
        let asked = self.registry.thinkers.run(owner, kilobytes, &self.stop, work).await;
        if self.stop.is_pulled() {
            return None;
        }
        Some(asked.and_then(|insight| insight.map_err(|refusal| refusal.to_string())))
    }
}
