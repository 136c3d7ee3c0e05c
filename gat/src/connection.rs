//! One player's connection: bytes to lines, messages to bytes, spaced as clients need it.

use super::queues::Queues;
use super::{Line, Lines, Message};
use oboro_core::Seat;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{Sender, UnboundedReceiver};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

/// How a server treats its connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ConnectionTiming {
    /// The least time between two messages to one client. Several real clients take whatever one
    /// `recv` returns for one message. Unless it is zero, the next message also waits until the client has read the last
    /// one, where the system tells.
    pub(crate) spacing: Duration,
    /// How long a client may take to close after the end.
    pub(crate) linger: Duration,
    /// How long a client may refuse to take bytes before it counts as gone.
    pub(crate) write_limit: Duration,
}

impl Default for ConnectionTiming {
    fn default() -> ConnectionTiming {
        ConnectionTiming {
            spacing: Duration::from_millis(50),
            linger: Duration::from_secs(10),
            write_limit: Duration::from_secs(10),
        }
    }
}

/// What a connection tells its game.
#[derive(Debug)]
pub(crate) struct Notice {
    /// Which connection.
    pub(crate) id: u64,
    /// Whose.
    pub(crate) seat: Seat,
    /// When.
    pub(crate) at: Instant,
    /// What.
    pub(crate) event: ConnectionEvent,
}

/// What happens on a connection.
#[derive(Debug)]
pub(crate) enum ConnectionEvent {
    /// A line came in.
    Line(Line),
    /// A request for a move has been written.
    RequestWritten,
    /// The other side has closed, or can no longer be reached.
    Gone,
}

/// What a game tells a connection.
#[derive(Debug)]
pub(crate) enum Order {
    /// Send this.
    Send(Outgoing),
    /// Nothing more will be sent: close, without waiting for the client to do so.
    Close,
}

/// A message on its way.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) message: Message,
    /// What has to be written to the other client first.
    pub(crate) after: Option<oneshot::Receiver<()>>,
    /// Dropped when this is written.
    pub(crate) written: oneshot::Sender<()>,
}

/// Lines that are handed to the game before their answers are written. A client that sends faster
/// is not read until it has been answered, so that nobody can fill our memory.
const UNANSWERED: usize = 8;

/// Waits for a moment. Timers are a millisecond coarse: one that is already due would still cost as much.
async fn at_or_after(moment: Instant) {
    if moment > Instant::now() {
        sleep_until(moment).await;
    }
}

/// Waits until the other client has what it is to have first, then for a moment, and then until the client has read
/// what it was sent before.
async fn in_order(
    after: &mut Option<oneshot::Receiver<()>>,
    moment: Instant,
    queues: Option<Queues>,
    timing: ConnectionTiming,
) {
    if let Some(first) = after {
        // A connection that is gone has nothing more to wait for.
        let _ = first.await;
        *after = None;
    }
    at_or_after(moment).await;
    if let Some(queues) = queues.filter(|_| !timing.spacing.is_zero()) {
        queues.drained(moment + timing.write_limit).await;
    }
}

/// Serves one connection until its game is over and both sides have closed.
///
/// The game drops its end of `orders` when it is over; what is queued then is still sent.
pub(crate) async fn run_connection(
    (stream, queues): (impl AsyncRead + AsyncWrite, Option<Queues>),
    (id, seat): (u64, Seat),
    heard: Sender<Notice>,
    mut orders: UnboundedReceiver<Order>,
    timing: ConnectionTiming,
) {
    let (mut read, mut write) = tokio::io::split(stream);
    let (mut lines, mut buffer, mut unread) = (Lines::default(), [0; 1024], 0..0);
    let mut received = Instant::now();
    let mut unanswered = 0;
    let mut due = Instant::now();
    let mut waiting: Option<(Message, oneshot::Sender<()>)> = None;
    let mut after = None;
    let mut is_open = true;
    let tell = async |at, event| heard.send(Notice { id, seat, at, event }).await.is_ok();
    let closes = loop {
        while unanswered < UNANSWERED && !unread.is_empty() {
            let mut input = &buffer[unread.clone()];
            let line = lines.next(&mut input);
            unread.start = unread.end - input.len();
            if let Some(line) = line
                && tell(received, ConnectionEvent::Line(line)).await
            {
                unanswered += 1;
            }
        }
        tokio::select! {
            () = in_order(&mut after, due, queues, timing), if waiting.is_some() => {
                let (message, is_written) = waiting.take().expect("checked");
                let line = format!("{message}\r\n");
                let writing = async { write.write_all(line.as_bytes()).await.and(write.flush().await) };
                let written = timeout(timing.write_limit, writing).await;
                drop(is_written);
                let now = Instant::now();
                due = now + timing.spacing;
                if !matches!(written, Ok(Ok(()))) {
                    tell(now, ConnectionEvent::Gone).await;
                    return;
                }
                if message.is_answer() {
                    unanswered = unanswered.saturating_sub(1);
                }
                if matches!(message, Message::MoveRequest(_)) {
                    tell(now, ConnectionEvent::RequestWritten).await;
                }
            }
            order = orders.recv(), if waiting.is_none() => match order {
                Some(Order::Send(dispatch)) => {
                    waiting = Some((dispatch.message, dispatch.written));
                    after = dispatch.after;
                }
                Some(Order::Close) => break true,
                None => break false,
            },
            count = read.read(&mut buffer), if is_open && unread.is_empty() => {
                received = Instant::now();
                unread = 0..count.unwrap_or(0);
                if unread.is_empty() {
                    is_open = false;
                    tell(received, ConnectionEvent::Gone).await;
                }
            }
        }
    };
    drop(heard);
    if closes {
        let _ = write.shutdown().await;
    }
    // Closing while the client still sends would make the system throw away what it has not read
    // yet, the result among it.
    let drain = async { while is_open && matches!(read.read(&mut buffer).await, Ok(1..)) {} };
    let _ = timeout(timing.linger, drain).await;
    let _ = write.shutdown().await;
}
