//! Games over TCP, one after another.

use super::connection::{ConnectionEvent, Notice, Order, Outgoing, run_connection};
use super::queues::Queues;
use super::{
    ConnectionTiming, End, Fault, JoinOptions, Message, Output, Session, SessionOptions,
    Spectators, join,
};
use oboro_core::{Factory, Record, Seat, Seed};
use oboro_geister::Geister;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{self, Sender, UnboundedSender};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, sleep_until};

/// Who plays a side.
#[derive(Clone)]
pub(crate) enum Side {
    /// Whoever connects to this listener.
    Guest(Arc<TcpListener>),
    /// One of our agents, in this process.
    House(HouseAgent),
}

/// One of our agents, ready to play on a server of ours.
#[derive(Clone)]
pub(crate) struct HouseAgent {
    /// Its canonical spec.
    pub(crate) name: String,
    /// Builds it.
    pub(crate) factory: Factory<Geister>,
    /// Where its random streams come from.
    pub(crate) seed: Seed,
}

impl fmt::Debug for HouseAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HouseAgent").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Side::Guest(listener) => listener.fmt(f),
            Side::House(agent) => agent.fmt(f),
        }
    }
}

impl Side {
    /// Listens for a guest; port 0 takes any free one.
    pub(crate) async fn listen(host: &str, port: u16) -> io::Result<Side> {
        TcpListener::bind((host, port)).await.map(|listener| Side::Guest(Arc::new(listener)))
    }

    /// Where a guest is to connect.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match self {
            Side::Guest(listener) => listener.local_addr().ok(),
            Side::House(_) => None,
        }
    }
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HostedGame {
    /// How it ended.
    pub(crate) end: End,
    /// Whether it was stopped from outside.
    pub(crate) stopped: bool,
    /// How many moves it had.
    pub(crate) plies: u16,
    /// The game written down.
    pub(crate) record: Record,
}

/// Plays games, one after another.
///
/// The listeners stay open all the time; while a game goes on, whoever connects waits in the
/// system's queue and is served next.
#[derive(Debug)]
pub(crate) struct Host {
    options: SessionOptions,
    timing: ConnectionTiming,
    spectators: Spectators,
    leaving: VecDeque<AbortHandle>,
    connections: u64,
}

/// Connections that may still be open after their games are over.
const MAX_LEAVING: usize = 64;

struct Seated {
    id: u64,
    orders: UnboundedSender<Order>,
    task: AbortHandle,
    /// A second handle on a guest's socket, to see whether it is still there.
    probe: Option<std::net::TcpStream>,
}

impl Host {
    /// A host with these options.
    pub(crate) fn new(
        options: SessionOptions,
        timing: ConnectionTiming,
        spectators: Spectators,
    ) -> Host {
        Host { options, timing, spectators, leaving: VecDeque::new(), connections: 0 }
    }

    /// Plays one game. `number` tells it apart, `names` are for players that give none. When `stop`
    /// is ready the game is abandoned. A guest is waited for until its `patience` is over; as soon as
    /// nobody is waited for, whoever has not come forfeits.
    pub(crate) async fn play(
        &mut self,
        number: u64,
        entrants: &[Side; 2],
        names: [&str; 2],
        patience: [impl Future<Output = ()>; 2],
        stop: &mut (impl Future<Output = ()> + Unpin),
    ) -> HostedGame {
        let epoch = Instant::now();
        let since = |at: Instant| at.saturating_duration_since(epoch);
        let mut session = Session::new(self.options.clone());
        let (tell, mut heard) = mpsc::channel(64);
        let mut seats: [Option<Seated>; 2] = [None, None];
        let (mut stopped, mut unwritten) = (false, [None, None]);
        for (seat, entrant) in Seat::all(2).zip(entrants) {
            if let Side::House(agent) = entrant {
                seats[seat.index()] = Some(self.seat_house(number, seat, agent, &tell));
                session.join(Duration::ZERO, seat);
            }
        }
        let [first_patience, second_patience] = patience;
        tokio::pin!(first_patience, second_patience);
        let mut is_awaited = [true; 2];
        loop {
            for output in session.outputs() {
                match output {
                    Output::Send(seat, message) => {
                        let dispatch = order(&mut unwritten, seat, message);
                        if let Some(seated) = &seats[seat.index()] {
                            let _ = seated.orders.send(Order::Send(dispatch));
                        }
                    }
                    Output::Close(seat) => {
                        if let Some(seated) = &seats[seat.index()] {
                            let _ = seated.orders.send(Order::Close);
                        }
                    }
                    Output::Show(label, board) => self.spectators.show(label, board),
                }
            }
            if session.end().is_some() {
                break;
            }
            let deadline = session.deadline().map(|deadline| epoch + deadline);
            let free = |seat: usize| seats[seat].is_none();
            let arrival = tokio::select! {
                () = &mut *stop => {
                    stopped = true;
                    session.abandon();
                    None
                }
                Some(notice) = heard.recv() => {
                    let seat = notice.seat;
                    handle_notice(&mut session, &mut seats, notice, since);
                    if seats[seat.index()].is_none() && entrants[seat.index()].address().is_none() {
                        session.forfeit(seat, Fault::Left); // an agent of ours broke down
                    }
                    None
                }
                guest = arrival(&entrants[0]), if free(0) => Some((Seat::new(0), guest)),
                guest = arrival(&entrants[1]), if free(1) => Some((Seat::new(1), guest)),
                () = until(deadline) => {
                    // What was received before the deadline counts before it.
                    while let Ok(notice) = heard.try_recv() {
                        handle_notice(&mut session, &mut seats, notice, since);
                    }
                    session.tick(since(Instant::now()));
                    None
                }
                () = &mut first_patience, if is_awaited[0] => {
                    is_awaited[0] = false;
                    None
                }
                () = &mut second_patience, if is_awaited[1] => {
                    is_awaited[1] = false;
                    None
                }
            };
            if let Some((seat, (stream, probe))) = arrival {
                // A client that has left before this one came must not cost this one its game, even
                // if we have not yet been told.
                let other = seat.next(2);
                let slot = &mut seats[other.index()];
                if slot.as_ref().is_some_and(|other| other.probe.as_ref().is_some_and(is_gone)) {
                    session.leave(other);
                    *slot = None;
                }
                let stream = (Queues::of(&stream), stream);
                let seated = self.seat_at(seat, stream, self.timing, tell.clone());
                seats[seat.index()] = Some(Seated { probe, ..seated });
                session.join(since(Instant::now()), seat);
            }
            let may_come = |seat: usize| seats[seat].is_none() && is_awaited[seat];
            if !session.is_begun() && !may_come(0) && !may_come(1) {
                session.give_up();
            }
        }
        let house = |seat: usize| match &entrants[seat] {
            Side::House(agent) => agent.name.as_str(),
            Side::Guest(_) => names[seat],
        };
        let record = session.record([house(0), house(1)], &format!("gat/{number}"));
        self.let_go(seats);
        HostedGame {
            end: session.end().expect("the loop ends with the game"),
            stopped,
            plies: session.plies(),
            record,
        }
    }

    fn seat_at(
        &mut self,
        seat: Seat,
        (queues, stream): (Option<Queues>, impl AsyncRead + AsyncWrite + Send + 'static),
        timing: ConnectionTiming,
        tell: Sender<Notice>,
    ) -> Seated {
        self.connections += 1;
        let id = self.connections;
        let (orders, obeyed) = mpsc::unbounded_channel();
        let task = tokio::spawn(run_connection((stream, queues), (id, seat), tell, obeyed, timing));
        Seated { id, orders, task: task.abort_handle(), probe: None }
    }

    /// A house agent speaks the protocol like everybody else, over a pipe in memory.
    fn seat_house(
        &mut self,
        number: u64,
        seat: Seat,
        agent: &HouseAgent,
        tell: &Sender<Notice>,
    ) -> Seated {
        let (ours, theirs) = tokio::io::duplex(1024);
        let agent = agent.clone();
        let options =
            JoinOptions { rules: self.options.rules.clone(), time: self.options.time, name: None };
        tokio::spawn(async move {
            let rng = agent.seed.game(number, number).agent(seat);
            // Whatever goes wrong shows in the game: the agent loses it.
            let _ = join(theirs, &agent.factory, rng, &options).await;
        });
        let timing = ConnectionTiming { spacing: Duration::ZERO, ..self.timing };
        self.seat_at(seat, (None, ours), timing, tell.clone())
    }

    /// Lets players close in their own time, but not too many of them.
    fn let_go(&mut self, seats: [Option<Seated>; 2]) {
        self.leaving.retain(|task| !task.is_finished());
        self.leaving.extend(seats.into_iter().flatten().map(|seated| seated.task));
        while self.leaving.len() > MAX_LEAVING {
            if let Some(oldest) = self.leaving.pop_front() {
                oldest.abort();
            }
        }
    }

    /// Waits until the players of the last games have closed, or had their time to.
    pub(crate) async fn wait_until_closed(&mut self) {
        while self.leaving.iter().any(|task| !task.is_finished()) {
            sleep(Duration::from_millis(5)).await;
        }
        self.leaving.clear();
    }
}

/// Puts a message in its order, as a server does that writes with one hand: the answer to a move is out before the other
/// side is asked, even if messages to one client are spaced. `unwritten` tells for each seat when the last message to it
/// is written.
fn order(
    unwritten: &mut [Option<oneshot::Receiver<()>>; 2],
    seat: Seat,
    message: Message,
) -> Outgoing {
    let asks = matches!(message, Message::MoveRequest(_));
    let after = asks.then(|| unwritten[seat.next(2).index()].take()).flatten();
    let (written, is_written) = oneshot::channel();
    unwritten[seat.index()] = Some(is_written);
    Outgoing { message, after, written }
}

fn handle_notice(
    session: &mut Session,
    seats: &mut [Option<Seated>; 2],
    notice: Notice,
    since: impl Fn(Instant) -> Duration,
) {
    let slot = &mut seats[notice.seat.index()];
    if slot.as_ref().is_none_or(|seated| seated.id != notice.id) {
        return; // from a client that has left this place
    }
    let at = since(notice.at);
    match notice.event {
        ConnectionEvent::Line(line) => session.line(at, notice.seat, &line),
        ConnectionEvent::RequestWritten => session.request_written(at),
        ConnectionEvent::Gone => {
            session.leave(notice.seat);
            if session.end().is_none() {
                *slot = None;
            }
        }
    }
    // A flood of notice must not keep the clock from running out.
    session.tick(at);
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// The next guest that is still there, with a second handle on its socket.
async fn arrival(entrant: &Side) -> (TcpStream, Option<std::net::TcpStream>) {
    let Side::Guest(listener) = entrant else { return std::future::pending().await };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                if let Ok(Some(guest)) = accept_client(stream) {
                    return guest;
                }
            }
            // No more files, or a client that gave up: neither is a reason to stop serving.
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
}

/// A client that gave up while it was waiting in the queue is not worth a game.
fn accept_client(
    stream: TcpStream,
) -> io::Result<Option<(TcpStream, Option<std::net::TcpStream>)>> {
    stream.set_nodelay(true)?;
    let stream = stream.into_std()?;
    if is_gone(&stream) {
        return Ok(None);
    }
    let probe = stream.try_clone().ok();
    Ok(Some((TcpStream::from_std(stream)?, probe)))
}

/// Whether the other side has closed and everything it sent is read.
fn is_gone(stream: &std::net::TcpStream) -> bool {
    match stream.peek(&mut [0]) {
        Ok(count) => count == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}
