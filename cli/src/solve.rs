use crate::common::{Rules, seed_or_one};
use crate::exploit::{describe_tree, grow};
use crate::output::{print, print_json};
use anyhow::{Context as _, Result, bail};
use oboro_catalog::{AnyRules, AnyTree, Solution, Solving};
use oboro_core::{Seed, SpecError};
use oboro_solve::{Limits, Method};
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
/// All but mccfr need the whole game in memory. mccfr only deals, and keeps the information sets that it meets; how far its
/// strategy can be exploited is measured where the whole game is small (--measure).
///
/// Examples:
///   oboro solve kuhn
///   oboro solve leduc --method dcfr --iterations 2000 --out leduc.txt
///   oboro match leduc table:leduc.txt ismcts --games 1000
///   oboro solve goofspiel --rules cards=5 --json
///   oboro solve goofspiel --rules cards=6 --method mccfr --iterations 100000 --out goofspiel.txt
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

    /// Whether mccfr's strategy is measured, for which the whole game must fit into memory: auto tries that where the game is
    /// small
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    measure: Measure,

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

/// Whether a strategy is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Measure {
    Auto,
    Yes,
    No,
}

/// Games that are measured without being asked to: a tree of a second or two.
const SMALL: Limits = Limits { sets: 200_000, histories: 5_000_000 };

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
    /// All information sets of the game or, if it was not walked through, those that were met.
    sets: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    histories: Option<u64>,
    steps: Vec<Step>,
}

/// How far the strategy can be exploited after some iterations, if that was measured.
#[derive(Serialize)]
struct Step {
    iterations: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    exploitability: Option<f64>,
    /// What the strategy is worth to each seat against itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    payoffs: Vec<f64>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let rules = args.rules.of(&args.game, None)?;
    let (solution, report) = match tree_for(rules.as_ref(), args)? {
        Some(tree) => whole(rules.as_ref(), tree.as_ref(), args)?,
        None => sampled(rules.as_ref(), args)?,
    };
    if let Some(path) = &args.out {
        std::fs::write(path, solution.text()).with_context(|| path.display().to_string())?;
        eprintln!("written to {}; play it with table:{}", path.display(), path.display());
    }
    if args.json {
        return print_json(&report);
    }
    let end = report.steps.last().expect("there is at least one iteration");
    let after = format!("after {} iterations of {}", end.iterations, report.method);
    let game = &report.game;
    print(&match end.exploitability {
        Some(exploitability) => format!(
            "{game}: exploitability {exploitability:.6} {after}; worth {:.6} to seat 0\n",
            end.payoffs[0]
        ),
        None => format!("{game}: {} information sets met {after}; not measured\n", report.sets),
    })
}

/// The tree of the game, where it is needed or wanted.
fn tree_for(rules: &dyn AnyRules, args: &Args) -> Result<Option<Box<dyn AnyTree>>> {
    match (args.method, args.measure) {
        (Method::Mccfr, Measure::No) => Ok(None),
        (Method::Mccfr, Measure::Auto) => {
            let tree = rules.tree_within(SMALL).ok();
            Ok(tree.inspect(|tree| describe_tree(rules, tree.as_ref())))
        }
        (method, Measure::No) => {
            bail!("--measure no is for mccfr: {} needs the whole game anyway", method.name())
        }
        _ => Ok(Some(grow(rules)?)),
    }
}

/// Solves the game with the whole of it in memory.
fn whole(rules: &dyn AnyRules, tree: &dyn AnyTree, args: &Args) -> Result<(Solution, Report)> {
    let &Args { method, iterations, last, .. } = args;
    let seed = match method {
        Method::Mccfr => seed_or_one(args.seed),
        _ => Seed::from_u64(1),
    };
    let mut steps = Vec::new();
    let solution =
        tree.solve(Solving { method, iterations, last }, &seed, &mut |after, found| {
            eprintln!("after {after}: exploitability {:.6}", found.exploitability);
            let (exploitability, payoffs) = (Some(found.exploitability), found.payoffs);
            steps.push(Step { iterations: after, exploitability, payoffs });
        })?;
    Ok((solution, report(rules, method, tree.sets(), Some(tree.histories()), steps)))
}

/// Samples the game, which need not fit into memory.
fn sampled(rules: &dyn AnyRules, args: &Args) -> Result<(Solution, Report)> {
    if args.last {
        bail!("--last: mccfr gives the average of its iterations, and not the last");
    }
    let (mut steps, mut met) = (Vec::new(), 0);
    let solution = rules.sample(args.iterations, &seed_or_one(args.seed), &mut |after, sets| {
        eprintln!("after {after}: {sets} information sets met");
        met = sets;
        steps.push(Step { iterations: after, exploitability: None, payoffs: Vec::new() });
    })?;
    Ok((solution, report(rules, args.method, met, None, steps)))
}

fn report(
    rules: &dyn AnyRules,
    method: Method,
    sets: usize,
    histories: Option<u64>,
    steps: Vec<Step>,
) -> Report {
    let (game, rules) = (rules.game().to_owned(), rules.changed());
    Report { game, rules, method: method.name(), sets, histories, steps }
}
