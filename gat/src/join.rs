//! Our agents on anybody's server.

use super::background::{AgentFailure, BackgroundAgent};
use super::{Clock, Command, Line, Lines, Message, TimeControl, TrackError, Tracker};
use oboro_core::{Factory, Rng, Seat, SpecError};
use oboro_geister::{Action, Geister, Placement};
use oboro_stats::Score;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::Instant;

/// What a client assumes of the server it joins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JoinOptions {
    /// The rules it plays by.
    pub(crate) rules: Geister,
    /// Its clock. An agent that is about to overstep it is not waited for: a random legal move is
    /// sent instead.
    pub(crate) time: TimeControl,
    /// The name to give with the SET, for servers that want one.
    pub(crate) name: Option<String>,
}

/// How a game over the wire ended for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Joined {
    /// What it made of it.
    pub(crate) score: Score,
    /// Moves it made.
    pub(crate) moves: u32,
    /// Moves for which the agent was not waited for.
    pub(crate) overdue: u32,
}

/// Why a game over the wire came to nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JoinError {
    #[error("connection: {0}")]
    Io(#[from] io::Error),
    #[error("the server closed the connection without a result")]
    Closed,
    #[error("the server refused `{0}`")]
    Refused(String),
    #[error("the server plays by other rules: {0}")]
    Track(#[from] TrackError),
    #[error(transparent)]
    Agent(#[from] SpecError),
    #[error("the agent failed: {0}")]
    Failed(String),
}

impl From<AgentFailure> for JoinError {
    fn from(failed: AgentFailure) -> JoinError {
        JoinError::Failed(failed.0)
    }
}

/// What the last line of ours was about.
enum Pending {
    Nothing,
    Set(Placement),
    Move(Action),
}

/// Plays one game on a server, from its first message to the result.
pub(crate) async fn join(
    stream: impl AsyncRead + AsyncWrite,
    factory: &Factory<Geister>,
    mut rng: Rng,
    options: &JoinOptions,
) -> Result<Joined, JoinError> {
    let (mut read, mut write) = tokio::io::split(stream);
    let (mut lines, mut buffer, mut unread) = (Lines::default(), [0; 1024], 0..0);
    let mut thinker =
        BackgroundAgent::new(factory, rng.fork(), &Tracker::unplaced(&options.rules, Seat::FIRST))?;
    let mut clock = Clock::new(options.time);
    let mut game: Option<Tracker> = None;
    let mut placement = None;
    let mut pending = Pending::Nothing;
    let mut moves = 0;
    loop {
        let mut input = &buffer[unread.clone()];
        let line = lines.next(&mut input);
        unread.start = unread.end - input.len();
        let Some(line) = line else {
            unread = 0..read.read(&mut buffer).await?;
            if unread.is_empty() {
                return Err(JoinError::Closed);
            }
            continue;
        };
        // Servers of other dialects may say more than we know; it is none of our business.
        let Line::Whole(line) = line else { continue };
        let command = match Message::parse(&line) {
            None => continue,
            Some(Message::SetRequest) => {
                let view = Tracker::unplaced(&options.rules, Seat::FIRST);
                let limit = patience(clock.allowed(Seat::FIRST));
                let action = thinker.act(view, limit).await?;
                let Action::Place(reds) = action else {
                    return Err(JoinError::Failed(format!("it placed `{action}`")));
                };
                pending = Pending::Set(reds);
                Command::Set(reds, options.name.clone())
            }
            Some(Message::Ok(shown)) => {
                match (std::mem::replace(&mut pending, Pending::Nothing), &mut game) {
                    (Pending::Set(reds), _) => placement = Some(reds),
                    (Pending::Move(action), Some(tracker)) => {
                        let before = tracker.view();
                        thinker.observe(before, tracker.acknowledged(action, shown)?);
                    }
                    _ => {}
                }
                continue;
            }
            Some(Message::Ng) => {
                let what = match pending {
                    Pending::Set(reds) => Command::Set(reds, options.name.clone()).to_string(),
                    Pending::Move(action) => Command::from(action).to_string(),
                    Pending::Nothing => "a line we did not send".to_owned(),
                };
                return Err(JoinError::Refused(what));
            }
            Some(Message::MoveRequest(board)) => {
                let asked = Instant::now();
                let tracker = if let Some(tracker) = &mut game {
                    let before = tracker.view();
                    thinker.observe(before, tracker.follow(&board)?);
                    tracker
                } else {
                    let own = placement.ok_or(JoinError::Closed)?;
                    let (tracker, events) = Tracker::start(&options.rules, own, &board)?;
                    // Only now it is known which side we play: the agent starts as that seat.
                    let start = Tracker::unplaced(&options.rules, tracker.seat());
                    thinker = BackgroundAgent::new(factory, rng.fork(), &start)?;
                    for (before, event) in events {
                        thinker.observe(before, event);
                    }
                    game.insert(tracker)
                };
                let seat = tracker.seat();
                let limit = patience(clock.allowed(seat));
                let action = thinker.act(tracker.view(), limit).await?;
                clock.spend(seat, asked.elapsed());
                pending = Pending::Move(action);
                moves += 1;
                Command::from(action)
            }
            Some(message) => {
                let mut score = Score::default();
                *match message {
                    Message::Won(_) => &mut score.wins,
                    Message::Lost(_) => &mut score.losses,
                    _ => &mut score.draws,
                } += 1;
                return Ok(Joined { score, moves, overdue: thinker.overdue });
            }
        };
        write.write_all(format!("{command}\r\n").as_bytes()).await?;
        write.flush().await?;
    }
}

/// How long to wait for an agent that has this much time: a little less, for the way there.
fn patience(allowed: Duration) -> Duration {
    allowed.saturating_sub((allowed / 5).min(Duration::from_secs(1)))
}
