use crate::output::print;
use anyhow::Result;
use oboro_server::gat::GatArgs;

pub(crate) fn run(args: &GatArgs) -> Result<()> {
    // Lines come as games end; one that cannot be written ends nothing but the talk.
    Ok(oboro_server::gat::run(args, &mut |line| drop(print(&format!("{line}\n"))))?)
}
