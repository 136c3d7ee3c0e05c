//! Our agents on anybody's server.

use super::flags::{self, rules_of_plies, seconds};
use super::tally::share;
use super::{Command, GatError, JoinOptions, TimeControl, house_agent, join};
use oboro_catalog::Allowed;
use oboro_core::{Game as _, Seat, Seed};
use oboro_geister::Geister;
use oboro_stats::Score;
use std::io;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};

/// Lets an agent of ours play on a tournament server, ours or anybody's
///
/// Times and ply limit are the server's. An agent about to overstep its time is not waited for: a random move is sent
/// instead.
#[derive(Clone, Debug, clap::Args)]
pub struct JoinGames {
    /// The agent; `oboro agents geister` lists them
    pub agent: String,

    /// The server
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,

    /// The port: on most servers 10000 to move first, 10001 to move second
    #[arg(long, default_value_t = 10000)]
    pub port: u16,

    /// How many games to play, connecting anew for each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,

    /// The server's times.
    #[command(flatten)]
    pub time: TimeControl,

    /// The server's ply limit
    #[arg(long = "plies", value_name = "N", default_value = "300", value_parser = rules_of_plies)]
    pub rules: Geister,

    /// Sends this name with the placement, for servers that want one
    #[arg(long)]
    pub name: Option<String>,

    /// How long to keep trying to connect, in seconds
    #[arg(long, value_name = "SEC", default_value = "60", value_parser = seconds)]
    pub patience: Duration,

    /// Where the agent's randomness comes from
    #[arg(long, default_value = "1")]
    pub seed: Seed,
}

impl JoinGames {
    /// One game of an agent on a server on this machine, with the usual times.
    pub fn new(agent: &str) -> JoinGames {
        flags::given([agent])
    }
}

/// What a joined agent made of its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JoinSummary {
    /// Its results.
    pub score: Score,
    /// Games that came to nothing.
    pub failed: u64,
}

/// Games in a row that may come to nothing before a joined agent gives up.
const MAX_FAILURES: u64 = 10;

/// Plays the games, and says a line a game.
///
/// # Errors
/// If the agent cannot be built, the server not be reached, or game after game comes to nothing.
pub async fn join_games(
    games: &JoinGames,
    external: Allowed<'_>,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<JoinSummary, GatError> {
    let rules = games.rules.clone();
    rules.validate()?;
    if let Some(name) = &games.name
        && Command::parse(format!("SET:ABCD,NAME:{name}").as_bytes(), true).is_none()
    {
        let limit = Command::NAME_LIMIT;
        let message = format!("name `{name}`: 1 to {limit} visible characters, no comma or bar");
        return Err(GatError::Input(message));
    }
    let agent = house_agent(&games.agent, &rules, games.seed, external)?;
    let options = JoinOptions { rules, time: games.time, name: games.name.clone() };
    let address = format!("{}:{}", games.host, games.port);
    let mut summary = JoinSummary::default();
    let mut failures = 0;
    for number in 1..=games.games {
        let waiting = || say(&format!("waiting for {address} (at most {:?})", games.patience));
        let stream = connect(&games.host, games.port, games.patience, waiting)
            .await
            .map_err(GatError::about(address.clone()))?;
        let rng = agent.seed.game(number, number).agent(Seat::new(usize::from(games.port & 1)));
        match join(stream, &agent.factory, rng, &options).await {
            Ok(joined) => {
                failures = 0;
                summary.score.add(joined.score);
                let word = match joined.score {
                    Score { wins: 1, .. } => "won",
                    Score { losses: 1, .. } => "lost",
                    _ => "drawn",
                };
                let late = match joined.overdue {
                    0 => String::new(),
                    n => format!(", {n} random moves for want of time"),
                };
                say(&format!("game {number}: {word}, {} own moves{late}", joined.moves));
            }
            Err(error) => {
                failures += 1;
                summary.failed += 1;
                say(&format!("game {number}: {error}"));
                if failures >= MAX_FAILURES {
                    let message = format!("{address}: {failures} games in a row came to nothing");
                    return Err(GatError::Input(message));
                }
            }
        }
    }
    let Score { wins, draws, losses } = summary.score;
    say(&format!(
        "{}: won {wins}, lost {losses}, drawn {draws}, failed {}",
        agent.name, summary.failed
    ));
    if let Some(share) = share(summary.score) {
        say(&share);
    }
    Ok(summary)
}

/// How long a server may be away before that is worth a word: between two games it is for a moment.
const UNSAID: Duration = Duration::from_secs(1);

/// Connects, again and again while the server is not there; says once that it waits.
async fn connect(
    host: &str,
    port: u16,
    patience: Duration,
    waiting: impl FnOnce(),
) -> io::Result<TcpStream> {
    let start = Instant::now();
    let mut waiting = Some(waiting);
    loop {
        if start.elapsed() >= UNSAID
            && let Some(say) = waiting.take()
        {
            say();
        }
        match TcpStream::connect((host, port)).await {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) if start.elapsed() >= patience => return Err(error),
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}
