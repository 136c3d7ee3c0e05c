//! A tournament server.

use super::flags::{self, millis};
use super::{
    ConnectionTiming, End, Fault, GatError, Host, HostedGame, SessionOptions, Side, Spectators,
    Tally, house_agent,
};
use oboro_catalog::Allowed;
use oboro_core::{Game as _, Seat, Seed};
use std::fs::{self, File};
use std::future::pending;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::timeout;

/// Hosts Geister games for programs that speak the tournament protocol
///
/// Games are played one after another: one client connects to the first port and moves first, another to the
/// second port. With --first or --second one side is an agent of ours, and one client is enough.
#[derive(Clone, Debug, clap::Args)]
pub struct ServeOptions {
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,

    /// The port of the player that moves first
    #[arg(long, default_value_t = 10000)]
    pub first_port: u16,

    /// The port of the player that moves second
    #[arg(long, default_value_t = 10001)]
    pub second_port: u16,

    /// Stops after so many games [default: goes on until Ctrl-C]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,

    /// Lets an agent of ours play first
    #[arg(long, value_name = "AGENT")]
    pub first: Option<String>,

    /// Lets an agent of ours play second
    #[arg(long, value_name = "AGENT")]
    pub second: Option<String>,

    /// How games are played.
    #[command(flatten)]
    pub session: SessionOptions,

    /// The least time between two messages to one client, in milliseconds; several real clients hang
    /// without it, 0 is for clients that read line by line
    #[arg(long, value_name = "MS", default_value = "50", value_parser = millis)]
    pub spacing: Duration,

    /// Writes every game into a folder, for `oboro replay`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Stops writing games when they fill so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub out_limit: u64,

    /// Shows the games live in a browser, on this port
    #[arg(long, value_name = "PORT")]
    pub viewer: Option<u16>,

    /// The address of the viewer. It shows all colours: let players reach it only with --viewer-secret
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub viewer_host: String,

    /// Hides the colours from the viewer until a game is over
    #[arg(long)]
    pub viewer_secret: bool,

    /// Where the randomness of our agents comes from
    #[arg(long, default_value = "1")]
    pub seed: Seed,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        flags::given([])
    }
}

/// A server that listens and is ready to play.
#[derive(Debug)]
pub struct Serving {
    entrants: [Side; 2],
    viewer: Option<SocketAddr>,
    host: Host,
    spectators: Spectators,
    games: Option<u64>,
    folder: Option<RecordFolder>,
}

impl Serving {
    /// Opens the ports.
    ///
    /// # Errors
    /// If the rules make no sense, a port cannot be opened, an agent not be built or the folder not be used.
    pub async fn open(options: &ServeOptions, external: Allowed<'_>) -> Result<Serving, GatError> {
        let session = &options.session;
        session.rules.validate()?;
        let entrant = async |spec: &Option<String>, port: u16| match spec {
            Some(spec) => {
                house_agent(spec, &session.rules, options.seed, external).map(Side::House)
            }
            None => Side::listen(&options.host, port)
                .await
                .map_err(GatError::about(format!("{}:{port}", options.host))),
        };
        let entrants = [
            entrant(&options.first, options.first_port).await?,
            entrant(&options.second, options.second_port).await?,
        ];
        let spectators = Spectators::new(options.viewer_secret);
        let viewer = match options.viewer {
            None => None,
            Some(port) => {
                let what = format!("viewer {}:{port}", options.viewer_host);
                let opened = spectators.open(&options.viewer_host, port).await;
                Some(opened.map_err(GatError::about(what))?)
            }
        };
        let folder = options.out.as_deref().map(|path| RecordFolder::open(path, options.out_limit));
        let timing = ConnectionTiming { spacing: options.spacing, ..ConnectionTiming::default() };
        Ok(Serving {
            entrants,
            viewer,
            host: Host::new(session.clone(), timing, spectators.clone()),
            spectators,
            games: options.games,
            folder: folder.transpose()?,
        })
    }

    /// Where the players connect; `None` for a side that is ours.
    pub fn addresses(&self) -> [Option<SocketAddr>; 2] {
        [self.entrants[0].address(), self.entrants[1].address()]
    }

    /// Where spectators connect.
    pub fn viewer(&self) -> Option<SocketAddr> {
        self.viewer
    }

    /// Plays until the games are over or `stop` is ready, and says a line a game.
    ///
    /// # Errors
    /// If a game cannot be written down, or an agent of ours breaks down.
    pub async fn run(
        mut self,
        stop: impl Future<Output = ()>,
        say: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Tally, GatError> {
        for (side, entrant) in ["first", "second"].iter().zip(&self.entrants) {
            match entrant {
                Side::House(agent) => say(&format!("{side}: {}", agent.name)),
                Side::Guest(_) => {
                    let address = entrant.address().map_or(String::new(), |a| a.to_string());
                    say(&format!("{side}: whoever connects to {address}"));
                }
            }
        }
        if let Some(viewer) = self.viewer {
            say(&format!("spectators: http://{viewer}/"));
        }
        tokio::pin!(stop);
        let mut tally = Tally::default();
        let start = self.folder.as_ref().map_or(1, RecordFolder::next_number);
        let last = self.games.map(|games| start + games - 1);
        let mut number = start;
        while last.is_none_or(|last| number <= last) {
            let names = self.names();
            self.spectators.announce(number, [&names[0], &names[1]]);
            let names = [names[0].as_str(), names[1].as_str()];
            let game = self
                .host
                .play(number, &self.entrants, names, [pending(), pending()], &mut stop)
                .await;
            if self.viewer.is_some() {
                self.spectators.keep(number, &game);
            }
            if let Some(folder) = &mut self.folder
                && game.end != End::Abandoned
            {
                folder.write(number, &game, say)?;
            }
            tally.add(game.end);
            if let End::Forfeit(seat, Fault::Left) = game.end
                && let Side::House(agent) = &self.entrants[seat.index()]
            {
                return Err(GatError::Input(format!("{} broke down in game {number}", agent.name)));
            }
            if game.end == End::Abandoned {
                if game.stopped {
                    say("stopped; the game in progress does not count");
                    break;
                }
                say("neither player placed its pieces; the game does not count");
                continue;
            }
            say(&line(number, &game, &tally));
            number += 1;
        }
        // Players get their last lines even when we are in a hurry.
        let _ = timeout(Duration::from_secs(2), self.host.wait_until_closed()).await;
        say(&tally.to_string());
        Ok(tally)
    }

    fn names(&self) -> [String; 2] {
        let name = |side: usize, guest: &str| match &self.entrants[side] {
            Side::House(agent) => agent.name.clone(),
            Side::Guest(_) => guest.to_owned(),
        };
        [name(0, "first"), name(1, "second")]
    }
}

fn line(number: u64, game: &HostedGame, tally: &Tally) -> String {
    let score = match game.end.winner() {
        Some(Seat::FIRST) => "1-0",
        Some(_) => "0-1",
        None => "½-½",
    };
    let names = game.record.agents.join(" - ");
    let total = tally.first;
    format!(
        "game {number}: {names} {score}, {}, {} plies (first {}, second {}, drawn {})",
        game.end, game.plies, total.wins, total.losses, total.draws
    )
}

/// A folder of records, one file a game.
#[derive(Debug)]
struct RecordFolder {
    path: PathBuf,
    next: u64,
    room: u64,
    is_full: bool,
}

impl RecordFolder {
    /// Opens a folder; games already there are kept, and layout goes on after them.
    fn open(path: &Path, megabytes: u64) -> Result<RecordFolder, GatError> {
        fs::create_dir_all(path).map_err(GatError::at(path))?;
        let (mut next, mut used) = (1, 0);
        for entry in fs::read_dir(path).map_err(GatError::at(path))? {
            let entry = entry.map_err(GatError::at(path))?;
            let name = entry.file_name();
            let number =
                name.to_str().and_then(|name| name.strip_suffix(".txt")?.parse::<u64>().ok());
            if let Some(number) = number {
                next = next.max(number + 1);
                used += entry.metadata().map_err(GatError::at(path))?.len();
            }
        }
        let room = (megabytes << 20).saturating_sub(used);
        Ok(RecordFolder { path: path.to_owned(), next, room, is_full: false })
    }

    fn next_number(&self) -> u64 {
        self.next
    }

    fn write(
        &mut self,
        number: u64,
        game: &HostedGame,
        say: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), GatError> {
        let text = game.record.to_string();
        if self.is_full || text.len() as u64 > self.room {
            if !self.is_full {
                say("the records fill all the room they may take: games are no longer written");
            }
            self.is_full = true;
            return Ok(());
        }
        self.room -= text.len() as u64;
        let path = self.path.join(format!("{number:06}.txt"));
        let mut file = File::create_new(&path).map_err(GatError::at(&path))?;
        file.write_all(text.as_bytes()).map_err(GatError::at(&path))
    }
}
