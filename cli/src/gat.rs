use crate::output::print;
use anyhow::Result;
use oboro_catalog::Allowed;
use oboro_core::Seed;
use oboro_gat::{CheckOptions, JoinGames, ServeOptions, SessionOptions, Task, TimeControl};
use std::path::PathBuf;
use std::time::Duration;

/// Plays Geister over the network: the tournament protocol of GAT and GPW
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Clone, Debug)]
enum Command {
    Serve(ServeArgs),
    Join(JoinArgs),
    League(LeagueArgs),
    Check(CheckArgs),
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let task = match args.command.clone() {
        Command::Serve(args) => Task::Serve(args.into()),
        Command::Join(args) => Task::Join(args.into()),
        Command::League(LeagueArgs { file, out }) => Task::League { file, out },
        Command::Check(args) => Task::Check(args.into()),
    };
    // Lines come as games end; one that cannot be written ends nothing but the talk.
    Ok(oboro_gat::run(&task, external, &mut |line| drop(print(&format!("{line}\n"))))?)
}

/// Hosts Geister games for programs that speak the tournament protocol
///
/// Games are played one after another: one client connects to the first port and moves first, another to the
/// second port. With --first or --second one side is an agent of ours, and one client is enough.
#[derive(clap::Args, Clone, Debug)]
struct ServeArgs {
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    host: String,

    /// The port of the player that moves first
    #[arg(long, default_value_t = 10000)]
    first_port: u16,

    /// The port of the player that moves second
    #[arg(long, default_value_t = 10001)]
    second_port: u16,

    /// Stops after so many games [default: goes on until Ctrl-C]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Lets an agent of ours play first
    #[arg(long, value_name = "AGENT")]
    first: Option<String>,

    /// Lets an agent of ours play second
    #[arg(long, value_name = "AGENT")]
    second: Option<String>,

    #[command(flatten)]
    game: GameArgs,

    /// The least time between two messages to one client, in milliseconds; several real clients hang
    /// without it, 0 is for clients that read line by line
    #[arg(long, value_name = "MS", default_value = "50", value_parser = millis)]
    spacing: Duration,

    /// Writes every game into a folder, for `oboro replay`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Stops writing games when they fill so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    out_limit: u64,

    /// Shows the games live in a browser, on this port
    #[arg(long, value_name = "PORT")]
    viewer: Option<u16>,

    /// The address of the viewer. It shows all colours: let players reach it only with --viewer-secret
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    viewer_host: String,

    /// Hides the colours from the viewer until a game is over
    #[arg(long)]
    viewer_secret: bool,

    /// Where the randomness of our agents comes from
    #[arg(long, default_value = "1")]
    seed: Seed,
}

/// How games are played.
#[derive(clap::Args, Clone, Debug)]
struct GameArgs {
    /// A player's time for the whole game, in seconds
    #[arg(long, value_name = "SEC", default_value = "600", value_parser = seconds)]
    budget: Duration,

    /// A player's time for a move, on top of what is left of the budget, in seconds
    #[arg(long, value_name = "SEC", default_value = "10", value_parser = seconds)]
    timeout: Duration,

    /// The pause after a move, in milliseconds
    #[arg(long, value_name = "MS", default_value = "0", value_parser = millis)]
    wait: Duration,

    /// Draws the game after so many moves of both sides together; GAT 2024 plays 200
    #[arg(long, value_name = "N", default_value_t = 300)]
    plies: u16,

    /// Lets a player that sent a bad line try again, instead of losing
    #[arg(long)]
    no_ng_terminate: bool,

    /// Lets clients give their names (SET:ABCD,NAME:xyz)
    #[arg(long)]
    names: bool,

    /// How long players that are both there may take to place their pieces, in seconds
    #[arg(long, value_name = "SEC", default_value = "600", value_parser = seconds)]
    idle: Duration,
}

impl From<ServeArgs> for ServeOptions {
    fn from(args: ServeArgs) -> ServeOptions {
        let game = args.game;
        ServeOptions {
            host: args.host,
            first_port: args.first_port,
            second_port: args.second_port,
            games: args.games,
            first: args.first,
            second: args.second,
            session: SessionOptions {
                time: TimeControl { budget: game.budget, timeout: game.timeout },
                wait: game.wait,
                ng_terminates: !game.no_ng_terminate,
                names: game.names,
                set_limit: game.idle,
                ..SessionOptions::of_plies(game.plies)
            },
            spacing: args.spacing,
            out: args.out,
            out_limit: args.out_limit,
            viewer: args.viewer,
            viewer_host: args.viewer_host,
            viewer_secret: args.viewer_secret,
            seed: args.seed,
        }
    }
}

/// Lets an agent of ours play on a tournament server, ours or anybody's
#[derive(clap::Args, Clone, Debug)]
struct JoinArgs {
    /// The agent; `oboro agents geister` lists them
    agent: String,

    /// The server
    #[arg(long, default_value = "127.0.0.1")]
    host: String,

    /// The port: on most servers 10000 to move first, 10001 to move second
    #[arg(long, default_value_t = 10000)]
    port: u16,

    /// How many games to play, connecting anew for each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// The server's time for a whole game, in seconds
    #[arg(long, value_name = "SEC", default_value = "600", value_parser = seconds)]
    budget: Duration,

    /// The server's time for a move, in seconds. An agent about to overstep it is not waited for: a random move is
    /// sent instead
    #[arg(long, value_name = "SEC", default_value = "10", value_parser = seconds)]
    timeout: Duration,

    /// The server's ply limit
    #[arg(long, value_name = "N", default_value_t = 300)]
    plies: u16,

    /// Sends this name with the placement, for servers that want one
    #[arg(long)]
    name: Option<String>,

    /// How long to keep trying to connect, in seconds
    #[arg(long, value_name = "SEC", default_value = "60", value_parser = seconds)]
    patience: Duration,

    /// Where the agent's randomness comes from
    #[arg(long, default_value = "1")]
    seed: Seed,
}

impl From<JoinArgs> for JoinGames {
    fn from(args: JoinArgs) -> JoinGames {
        JoinGames {
            agent: args.agent,
            host: args.host,
            port: args.port,
            games: args.games,
            time: TimeControl { budget: args.budget, timeout: args.timeout },
            plies: args.plies,
            name: args.name,
            patience: args.patience,
            seed: args.seed,
        }
    }
}

/// Plays a league of programs and agents: all pairings, sides swapped, results kept and resumable
///
/// The file lists the players, each an agent of ours or a program started by its command line. A program
/// that crashes, hangs or plays illegally loses that game, and the league goes on.
#[derive(clap::Args, Clone, Debug)]
struct LeagueArgs {
    /// The league, a TOML file
    file: PathBuf,

    /// The folder for results [default: the file's name without .toml]; an existing one of the same league is
    /// resumed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Checks a server against the protocol, rule by rule
///
/// Say how the server was started: checks that its options make impossible are skipped. The server must have nothing
/// else to do meanwhile.
#[derive(clap::Args, Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "flags are what a command line has")]
struct CheckArgs {
    /// The server
    #[arg(long, default_value = "127.0.0.1")]
    host: String,

    /// The port of the first player
    #[arg(long, default_value_t = 10000)]
    first_port: u16,

    /// The port of the second player
    #[arg(long, default_value_t = 10001)]
    second_port: u16,

    /// The server's time for a whole game, in seconds
    #[arg(long, value_name = "SEC", default_value = "600", value_parser = seconds)]
    budget: Duration,

    /// The server's time for a move, in seconds; checks of the clock need budget and timeout of at most 10
    /// seconds together
    #[arg(long, value_name = "SEC", default_value = "10", value_parser = seconds)]
    timeout: Duration,

    /// The server's ply limit
    #[arg(long, value_name = "N", default_value_t = 300)]
    plies: u16,

    /// The server lets a player try again after a bad line
    #[arg(long)]
    no_ng_terminate: bool,

    /// The server takes names
    #[arg(long)]
    names: bool,

    /// The server leaves no time between messages
    #[arg(long)]
    no_spacing: bool,

    /// The pause between two checks, in milliseconds, for servers that are slow to notice who left
    #[arg(long, value_name = "MS", default_value = "100", value_parser = millis)]
    settle: Duration,

    /// Runs only checks whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

impl From<CheckArgs> for CheckOptions {
    fn from(args: CheckArgs) -> CheckOptions {
        CheckOptions {
            host: args.host,
            first_port: args.first_port,
            second_port: args.second_port,
            budget: args.budget,
            timeout: args.timeout,
            plies: args.plies,
            no_ng_terminate: args.no_ng_terminate,
            names: args.names,
            no_spacing: args.no_spacing,
            settle: args.settle,
            only: args.only,
        }
    }
}

/// Reads a number of seconds; decimals are allowed.
fn seconds(text: &str) -> Result<Duration, String> {
    duration(text, 1.0)
}

/// Reads a number of milliseconds.
fn millis(text: &str) -> Result<Duration, String> {
    duration(text, 1e-3)
}

fn duration(text: &str, unit: f64) -> Result<Duration, String> {
    const YEAR: f64 = 365.0 * 86_400.0;
    match text.parse::<f64>() {
        Ok(number) if (0.0..=YEAR).contains(&(number * unit)) => {
            Ok(Duration::from_secs_f64(number * unit))
        }
        _ => Err("expected a number, 0 or more and not above a year".to_owned()),
    }
}
