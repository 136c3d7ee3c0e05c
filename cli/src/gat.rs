use crate::output::print;
use anyhow::Result;
use oboro_catalog::Allowed;
use oboro_gat::Task;

/// Plays Geister over the network: the tournament protocol of GAT and GPW
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let stop = crate::serve::told_to_end();
    // Lines come as games end; one that cannot be written ends nothing but the talk.
    Ok(oboro_gat::run(&args.task, external, stop, &mut |line| drop(print(&format!("{line}\n"))))?)
}
