use crate::output::{grid, print, print_json};
use anyhow::Result;
use oboro_catalog::{AnyGame, game, games};
use oboro_core::ParamInfo;
use serde::Serialize;

/// Lists the games, or one game's rule options
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A game, to see its rule options
    game: Option<String>,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    name: &'static str,
    about: &'static str,
    rules: Vec<ParamInfo>,
    agents: Vec<&'static str>,
}

fn info(game: &dyn AnyGame) -> Info {
    Info {
        name: game.name(),
        about: game.about(),
        rules: game.options(),
        agents: game.agents().iter().map(|agent| agent.name).collect(),
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(name) = &args.game {
        let game = info(game(name)?.as_ref());
        if args.json {
            return print_json(&game);
        }
        let agents = game.agents.join(", ");
        print(&format!("{}\n\nRules (--rules key=value):\n", game.about))?;
        print(&params(&game.rules))?;
        return print(&format!("Agents: {agents}\n"));
    }
    let all: Vec<Info> = games().iter().map(|game| info(game.as_ref())).collect();
    if args.json {
        return print_json(&all);
    }
    let rows = all
        .into_iter()
        .map(|game| [game.name.to_owned(), game.about.to_owned(), game.agents.join(", ")])
        .collect();
    print(&grid(["game", "what it is", "agents"], rows, &[]))
}

/// Parameters or rule options as a table.
pub(crate) fn params(params: &[ParamInfo]) -> String {
    if params.is_empty() {
        return "none\n".to_owned();
    }
    let rows = params
        .iter()
        .map(|p| [p.name.clone(), p.kind.clone(), p.default.clone(), p.about.clone()])
        .collect();
    grid(["key", "type", "default", "meaning"], rows, &[])
}
