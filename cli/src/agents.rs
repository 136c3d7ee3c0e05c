use crate::games::params;
use crate::output::{grid, print, print_json};
use anyhow::Result;
use oboro_catalog::game;
use oboro_core::{SpecError, param_table};
use oboro_protocol::ProgramParams;

/// Lists the agents of a game, or one agent's parameters
///
/// Parameters are written after a colon: `mc:playouts=2000,policy=rule`. A value that holds commas of its own is
/// put in parentheses.
///
/// A program in any language is an agent, too: `exec:./my-bot --level 3` starts it, `tcp:HOST:PORT` connects to it; both
/// speak the protocol of docs/reference/protocol.md. `oboro agents GAME exec` lists their parameters, `oboro check` tests one.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game
    game: String,

    /// An agent, to see its parameters
    agent: Option<String>,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let agents = game(&args.game)?.agents();
    let Some(name) = &args.agent else {
        if args.json {
            return print_json(&agents);
        }
        let rows = agents
            .iter()
            .map(|agent| {
                let keys: Vec<&str> = agent.params.iter().map(|p| p.name.as_str()).collect();
                [
                    agent.name.to_owned(),
                    agent.about.to_owned(),
                    keys.join(", "),
                    agent.source.to_owned(),
                ]
            })
            .collect();
        print(&grid(["agent", "how it plays", "parameters", "source"], rows, &[]))?;
        return print("Programs in any language: exec:COMMAND or tcp:HOST:PORT (see `--help`)\n");
    };
    if matches!(name.as_str(), "exec" | "tcp") {
        print(&format!(
            "{name}: a program in any language that speaks the protocol for programs\n\
             Times are those of the wall clock: games that a program loses by them cannot be repeated.\n\n"
        ))?;
        print(&params(&param_table::<ProgramParams>()))?;
        return print(&format!(
            "The key `command` may be left out: {name}:command=X is {name}:X\n"
        ));
    }
    let Some(agent) = agents.iter().find(|agent| agent.name == name) else {
        let known: Vec<&str> = agents.iter().map(|agent| agent.name).collect();
        return Err(SpecError::unknown(&format!("{} agent", args.game), name, &known).into());
    };
    if args.json {
        return print_json(agent);
    }
    print(&format!("{}: {}\nSource: {}\n\n", agent.name, agent.about, agent.source))?;
    print(&params(&agent.params))?;
    if let [first, ..] = agent.positional {
        print(&format!(
            "The key `{first}` may be left out: {}:{first}=X is {}:X\n",
            agent.name, agent.name
        ))?;
    }
    Ok(())
}
