use crate::roster::clock_warning;
use crate::{CheckOptions, GatError, JoinGames, ServeOptions, Serving};
use crate::{check_server, join_games, play_league};
use oboro_catalog::Allowed;
use std::path::PathBuf;

/// What can be done with the protocol.
#[derive(Clone, Debug, clap::Subcommand)]
#[allow(missing_docs, reason = "what is said of the options of each is said of it")]
pub enum Task {
    Serve(ServeOptions),
    Join(JoinGames),
    /// Plays a league of programs and agents: all pairings, sides swapped, results kept and resumable
    ///
    /// The file lists the players, each an agent of ours or a program started by its command line. A program
    /// that crashes, hangs or plays illegally loses that game, and the league goes on.
    League {
        /// The league, a TOML file
        file: PathBuf,

        /// The folder for results [default: the file's name without .toml]; an existing one of the same league is
        /// resumed
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    Check(CheckOptions),
}

/// Does a task, until it is over or `stop` is ready. Specs may name the external agents that are allowed here. `say` gets
/// every line of the output, without its end.
///
/// # Errors
/// If it cannot be done.
pub fn run(
    task: &Task,
    external: Allowed<'_>,
    stop: impl Future<Output = ()>,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<(), GatError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(GatError::about("threads"))?;
    let agents = match task {
        Task::Serve(options) => [options.first.as_deref(), options.second.as_deref()],
        Task::Join(games) => [Some(games.agent.as_str()), None],
        Task::League { .. } | Task::Check(_) => [None, None], // A league warns of its own.
    };
    agents.into_iter().flatten().filter_map(clock_warning).for_each(|warning| say(&warning));
    let outcome = runtime.block_on(async {
        match task {
            Task::Serve(options) => {
                Serving::open(options, external).await?.run(stop, say).await.map(drop)
            }
            Task::Join(games) => join_games(games, external, say).await.map(drop),
            Task::League { file, out } => {
                play_league(file, out.as_deref(), external, stop, say).await.map(drop)
            }
            Task::Check(options) => check_server(options, say).await,
        }
    });
    // An agent may still be thinking about a game that is over.
    runtime.shutdown_background();
    outcome
}
