use crate::roster::clock_warning;
use crate::{CheckOptions, GatError, JoinGames, ServeOptions, Serving};
use crate::{check_server, join_games, play_league};
use oboro_catalog::Allowed;
use std::path::PathBuf;

/// What can be done with the protocol.
#[derive(Clone, Debug)]
pub enum Task {
    /// Hosts games.
    Serve(ServeOptions),
    /// Lets an agent of ours play on somebody's server.
    Join(JoinGames),
    /// Plays a league.
    League {
        /// The league, a TOML file.
        file: PathBuf,
        /// The folder for results.
        out: Option<PathBuf>,
    },
    /// Checks whether a server keeps the protocol.
    Check(CheckOptions),
}

/// Does a task, until it is over or the user interrupts it. Specs may name the external agents that are allowed here. `say` gets every line of the output, without its end.
///
/// # Errors
/// If it cannot be done.
pub fn run(
    task: &Task,
    external: Allowed<'_>,
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
                Serving::open(options, external).await?.run(interrupted(), say).await.map(drop)
            }
            Task::Join(games) => join_games(games, external, say).await.map(drop),
            Task::League { file, out } => {
                play_league(file, out.as_deref(), external, interrupted(), say).await.map(drop)
            }
            Task::Check(options) => check_server(options, say).await,
        }
    });
    // An agent may still be thinking about a game that is over.
    runtime.shutdown_background();
    outcome
}

/// Ready when the user wants to stop.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
