use crate::evolve;
use crate::output::{grid, print};
use anyhow::{Result, anyhow};
use oboro_geister::gp::{Fitness, Policies, Strategy, StrategySource};
use std::path::PathBuf;

/// Shows a policy made by genetic programming
///
/// A policy is a file, or one that comes with Geister, such as algorithm-1; `@home`, `@exits` or
/// `@searcher` after it says which corners it looks at.
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
    /// Prints how well policies follow a teacher, by the lessons that `oboro evolve` leaves in its folder
    Score {
        /// The policies' file or name
        policy: String,

        /// The file of lessons
        #[arg(long, value_name = "FILE")]
        lessons: PathBuf,

        /// No difference of values counts more in a loss
        #[arg(long, default_value_t = Fitness::BOUND, value_parser = clap::value_parser!(u32).range(1..))]
        bound: u32,
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
        Command::Score { policy, lessons, bound } => {
            let lessons = evolve::read_lessons(lessons)?;
            let bound = *bound;
            let kinds =
                [Fitness::Agreement, Fitness::Loss { bound }, Fitness::ClippedLoss { bound }];
            let squad = load(policy)?;
            let rows = squad.strategies().iter().enumerate().map(|(number, strategy)| {
                let [agreement, loss, clipped] = kinds.map(|kind| kind.of(strategy, &lessons));
                let size = strategy.tree().size();
                [
                    (number + 1).to_string(),
                    format!("{agreement:.6}"),
                    format!("{loss:.3}"),
                    format!("{clipped:.3}"),
                    size.to_string(),
                ]
            });
            let heading = ["policy", "agreement", "loss", "clipped loss", "size"];
            print(&grid(heading, rows.collect(), &[0, 1, 2, 3, 4]))
        }
    }
}

fn print_all(name: &str, form: impl Fn(&Strategy) -> Strategy) -> Result<()> {
    let squad = load(name)?;
    let policies = squad.strategies().iter().map(|policy| form(policy).to_string());
    print(&policies.collect::<Vec<_>>().join("\n"))
}

/// The policies of a file or name.
pub(crate) fn load(name: &str) -> Result<Policies> {
    StrategySource::Named(name.to_owned()).load().map_err(|error| anyhow!("{error}"))
}
