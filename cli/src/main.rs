//! The `oboro` command: thin. Each command is a file; what it does is in the libraries.
#![forbid(unsafe_code)]

mod agents;
mod bench;
mod check;
mod coach;
mod common;
mod experiment;
mod exploit;
mod games;
mod gat;
mod infer;
mod instructions;
mod league;
mod matches;
mod output;
mod play;
mod population;
mod position;
mod progress;
mod replay;
mod reproduce;
mod serve;
mod solve;
mod speak;
mod tools;
mod via;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use oboro_catalog::ExternalAgents;
use oboro_protocol::Programs;
use std::process::ExitCode;
use std::sync::Arc;

/// Oboro (朧): a laboratory for games in which nobody sees everything.
///
/// Agents are named by specs: a name, then parameters, as in `mc:playouts=2000,policy=rule`, or `exec:./my-bot --level 3`
/// for a program in any language. `oboro games` lists the games, `oboro agents GAME` what can play them. Results go to standard output, everything else to
/// standard error; bad input ends with exit code 2.
#[derive(Parser)]
#[command(name = "oboro", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Reproduce(reproduce::Args),
    Play(play::Args),
    Serve(serve::Args),
    View(play::ViewArgs),
    Games(games::Args),
    Agents(agents::Args),
    Match(matches::Args),
    League(league::Args),
    Population(population::Args),
    Experiment(experiment::Args),
    Infer(infer::Args),
    Merge(experiment::MergeArgs),
    Work(via::WorkArgs),
    Deal(position::DealArgs),
    Show(position::ShowArgs),
    Moves(position::MovesArgs),
    Analyse(position::AnalyseArgs),
    Replay(replay::Args),
    Coach(coach::Args),
    Exploit(exploit::Args),
    Solve(solve::Args),
    Gat(gat::Args),
    Speak(speak::Args),
    Check(check::Args),
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let toolboxes = tools::all();
    let matches = tools::add(Cli::command(), &toolboxes).get_matches();
    let outcome = tools::run(&toolboxes, &matches).unwrap_or_else(|| {
        let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        run(cli.command)
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line, whatever the causes were.
            eprintln!("oboro: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    // Who runs this program may name others in its specs.
    let programs = Arc::new(Programs::new());
    let external: Arc<dyn ExternalAgents> = Arc::clone(&programs) as _;
    let external = Some(&external);
    let outcome = match command {
        Command::Reproduce(args) => reproduce::run(&args, external),
        Command::Play(args) => play::run(&args, external),
        Command::Serve(args) => serve::run(&args),
        Command::View(args) => play::view(&args),
        Command::Games(args) => games::run(&args),
        Command::Agents(args) => agents::run(&args),
        Command::Match(args) => matches::run(&args, &programs, external),
        Command::League(args) => league::run(&args, external),
        Command::Population(args) => population::run(&args, external),
        Command::Experiment(args) => experiment::run(&args, external),
        Command::Infer(args) => infer::run(&args, external),
        Command::Merge(args) => experiment::run_merge(&args),
        Command::Work(args) => via::work(&args, external),
        Command::Deal(args) => position::deal(&args),
        Command::Show(args) => position::show(&args),
        Command::Moves(args) => position::moves(&args),
        Command::Analyse(args) => position::analyse(&args, external),
        Command::Replay(args) => replay::run(&args),
        Command::Coach(args) => coach::run(&args, external),
        Command::Exploit(args) => exploit::run(&args, external),
        Command::Solve(args) => solve::run(&args),
        Command::Gat(args) => gat::run(&args, external),
        Command::Speak(args) => speak::run(&args),
        Command::Check(args) => check::run(&args, external),
        Command::Bench(args) => bench::run(&args),
    };
    programs.close();
    outcome
}
