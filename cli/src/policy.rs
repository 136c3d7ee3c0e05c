use crate::output::print;
use anyhow::{Result, anyhow};
use oboro_geister::gp::{Squad, Strategy, StrategySource};

/// Shows a policy made by genetic programming
///
/// A policy is a file, or one that comes with Geister, such as algorithm-1.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Prints the policy as it is
    Show {
        /// The policy's file or name
        policy: String,
    },
    /// Prints a policy that does the same with less: no dead branches, no foregone conclusions
    Simplify {
        /// The policy's file or name
        policy: String,
    },
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Show { policy } => print_all(policy, Strategy::clone),
        Command::Simplify { policy } => print_all(policy, Strategy::simplified),
    }
}

fn print_all(name: &str, form: impl Fn(&Strategy) -> Strategy) -> Result<()> {
    let squad = load(name)?;
    let policies = squad.strategies().iter().map(|policy| form(policy).to_string());
    print(&policies.collect::<Vec<_>>().join("\n"))
}

/// The policies of a file or name.
pub(crate) fn load(name: &str) -> Result<Squad> {
    StrategySource::Named(name.to_owned()).load().map_err(|error| anyhow!("{error}"))
}
