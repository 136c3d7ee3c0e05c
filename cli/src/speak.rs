use crate::output::{print, print_json};
use anyhow::{Context, Result};
use std::io::{BufReader, BufWriter};
use std::net::{SocketAddr, TcpListener};

/// Lets an agent of ours play for somebody else's referee
///
/// It speaks the protocol of docs/reference/protocol.md on standard input and output, or with whoever connects to --listen: JSON
/// objects, one a line. The referee has to give the positions that the agent asks for.
///
/// Examples:
///   oboro speak geister oboro
///   oboro match geister "exec:oboro speak geister oboro" random
///   oboro speak --schema
///   oboro speak geister --schema
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game
    #[arg(required_unless_present = "schema")]
    game: Option<String>,

    /// The agent; `oboro agents GAME` lists them
    #[arg(required_unless_present = "schema")]
    agent: Option<String>,

    /// Waits for referees at this address, for each of them with an agent of its own
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,

    /// Prints the JSON schema of the protocol's messages; with a game, of its rules, scenes, actions and events
    #[arg(long, conflicts_with_all = ["agent", "listen"])]
    schema: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (game, agent) = match (&args.game, &args.agent) {
        (Some(game), Some(agent)) => (game, agent),
        (Some(game), None) => return print_json(&oboro_catalog::game(game)?.schemas()),
        (None, _) => return print_json(&oboro_protocol::schema()),
    };
    let Some(address) = args.listen else {
        oboro_protocol::speak(game, agent, std::io::stdin().lock(), std::io::stdout().lock())?;
        return Ok(());
    };
    oboro_catalog::game(game)?.rules(&[])?.canonical(agent)?;
    let listener =
        TcpListener::bind(address).with_context(|| format!("cannot listen at {address}"))?;
    print(&format!("tcp:{}\n", listener.local_addr()?))?;
    std::thread::scope(|scope| {
        for referee in listener.incoming() {
            let referee = referee.context("cannot take a connection")?;
            referee.set_nodelay(true)?;
            scope.spawn(move || {
                let spoken = referee.try_clone().map_err(Into::into).and_then(|input| {
                    oboro_protocol::speak(
                        game,
                        agent,
                        BufReader::new(input),
                        BufWriter::new(referee),
                    )
                });
                if let Err(error) = spoken {
                    eprintln!("oboro: a referee: {error}");
                }
            });
        }
        Ok(())
    })
}
