//! The commands, ready to be mounted as `oboro gat …`.

use super::{CheckArgs, check_server};
use super::{GatError, JoinArgs, LeagueArgs, ServeArgs, Serving, join_games, play_league};

/// Plays Geister over the network: the tournament protocol of GAT and GPW
#[derive(clap::Args, Clone, Debug)]
pub struct GatArgs {
    #[command(subcommand)]
    command: GatCommand,
}

#[derive(clap::Subcommand, Clone, Debug)]
enum GatCommand {
    Serve(ServeArgs),
    Join(JoinArgs),
    League(LeagueArgs),
    Check(CheckArgs),
}

/// Does what the command says. `say` gets every line of the output, without its end.
///
/// # Errors
/// If it cannot be done.
pub fn run(args: &GatArgs, say: &mut (dyn FnMut(&str) + Send)) -> Result<(), GatError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(GatError::about("threads"))?;
    let outcome = runtime.block_on(async {
        match &args.command {
            GatCommand::Serve(args) => {
                Serving::open(args).await?.run(interrupted(), say).await.map(drop)
            }
            GatCommand::Join(args) => join_games(args, say).await.map(drop),
            GatCommand::League(args) => play_league(args, interrupted(), say).await.map(drop),
            GatCommand::Check(args) => check_server(args, say).await,
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
