use crate::common::{Rules, seed_or_one};
use crate::exploit::grow;
use crate::output::{print, print_json};
use anyhow::{Context as _, Result};
use oboro_catalog::Solving;
use oboro_core::{Seed, SpecError};
use oboro_solve::Method;
use serde::Serialize;
use std::path::PathBuf;

/// Finds a strategy that nobody can exploit, for a small game
///
/// Minimises counterfactual regrets and prints after 1, 3, 10, 30 … iterations how far the strategy can be exploited. The
/// strategy is written to a file with --out, one information set a line, and is played by the agent table:FILE.
///
/// Methods:
///   cfr+     regrets never fall below 0, late iterations weigh more in the average (Tammelin 2014)
///   dcfr     discounted CFR (Brown and Sandholm 2019); mostly the quickest
///   cfr      counterfactual regret minimisation (Zinkevich et al. 2007)
///   mccfr    external sampling (Lanctot et al. 2009): an iteration is one deal; draws from --seed
///
/// Examples:
///   oboro solve kuhn
///   oboro solve leduc --method dcfr --iterations 2000 --out leduc.txt
///   oboro match leduc table:leduc.txt ismcts --games 1000
///   oboro solve goofspiel --rules cards=5 --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game; `oboro games` lists them
    game: String,

    #[command(flatten)]
    rules: Rules,

    /// How: cfr, cfr+, dcfr or mccfr
    #[arg(long, default_value = "cfr+", value_parser = method)]
    method: Method,

    /// Iterations
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,

    /// Takes the strategy of the last iteration, not the average of all
    #[arg(long)]
    last: bool,

    /// Writes the strategy to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Where the randomness of mccfr comes from
    #[arg(long)]
    seed: Option<Seed>,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

fn method(name: &str) -> Result<Method, SpecError> {
    let known = Method::ALL.map(|(name, _)| name);
    Method::named(name).ok_or_else(|| SpecError::unknown("method", name, &known))
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    game: String,
    rules: String,
    method: &'static str,
    sets: usize,
    histories: u64,
    steps: Vec<Step>,
}

/// How far the strategy can be exploited after some iterations.
#[derive(Serialize)]
struct Step {
    iterations: u32,
    exploitability: f64,
    /// What the strategy is worth to each seat against itself.
    payoffs: Vec<f64>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let &Args { method, iterations, last, .. } = args;
    let rules = args.rules.of(&args.game, None)?;
    let tree = grow(rules.as_ref())?;
    let seed = match method {
        Method::Mccfr => seed_or_one(args.seed),
        _ => Seed::from_u64(1),
    };
    let mut steps = Vec::new();
    let solution =
        tree.solve(Solving { method, iterations, last }, &seed, &mut |after, found| {
            eprintln!("after {after}: exploitability {:.6}", found.exploitability);
            let (exploitability, payoffs) = (found.exploitability, found.payoffs);
            steps.push(Step { iterations: after, exploitability, payoffs });
        })?;
    if let Some(path) = &args.out {
        std::fs::write(path, solution.text()).with_context(|| path.display().to_string())?;
        eprintln!("written to {}; play it with table:{}", path.display(), path.display());
    }
    let report = Report {
        game: rules.game().to_owned(),
        rules: rules.changed(),
        method: method.name(),
        sets: tree.sets(),
        histories: tree.histories(),
        steps,
    };
    if args.json {
        return print_json(&report);
    }
    let end = report.steps.last().expect("there is at least one iteration");
    print(&format!(
        "{}: exploitability {:.6} after {} iterations of {}; worth {:.6} to seat 0\n",
        report.game, end.exploitability, end.iterations, report.method, end.payoffs[0]
    ))
}
