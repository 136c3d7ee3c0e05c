//! Commands that games offer: their toolboxes as subcommands, run without knowing what they do.

use crate::output::{print, table};
use anyhow::{Result, anyhow};
use clap::{Arg, ArgMatches, Command};
use oboro_core::{ParamInfo, Tool, ToolHost, Toolbox};

/// The toolboxes of all games.
pub(crate) fn all() -> Vec<Toolbox> {
    oboro_catalog::games().iter().flat_map(|game| game.toolboxes()).collect()
}

/// The command line with a command for each toolbox.
pub(crate) fn add(mut line: Command, toolboxes: &[Toolbox]) -> Command {
    for toolbox in toolboxes {
        let tools = toolbox.tools.iter().map(subcommand);
        // Games that offer the same command share it.
        if line.find_subcommand(toolbox.name).is_some() {
            line = line.mut_subcommand(toolbox.name, |command| command.subcommands(tools));
            continue;
        }
        let (first, _) = toolbox.about.split_once('\n').unwrap_or((toolbox.about, ""));
        let command = Command::new(toolbox.name).about(first).long_about(toolbox.about);
        line = line.subcommand(command.subcommand_required(true).subcommands(tools));
    }
    line
}

fn subcommand(tool: &Tool) -> Command {
    let arguments = tool.params().into_iter().map(|param| {
        let argument = Arg::new(param.name.clone())
            .help(help(&param))
            .required(tool.required.contains(&param.name.as_str()));
        if tool.positional.contains(&param.name.as_str()) {
            return argument.required(true);
        }
        let value = if param.is_text { "TEXT" } else { "VALUE" };
        argument.long(param.name).value_name(value).allow_hyphen_values(true)
    });
    Command::new(tool.name).about(tool.about).args(arguments)
}

/// What a parameter does, what it may be and what it is if nobody says.
fn help(param: &ParamInfo) -> String {
    let mut text = param.about.clone();
    if !["", "none"].contains(&param.default.as_str()) {
        text.push_str(&format!(" [default: {}]", param.default));
    }
    if param.kind.contains(" | ") {
        text.push_str(&format!(" [{}]", param.kind));
    }
    text
}

/// Runs the tool that a command line names; `None` if it names another command.
pub(crate) fn run(toolboxes: &[Toolbox], matches: &ArgMatches) -> Option<Result<()>> {
    let (command, below) = matches.subcommand()?;
    let (name, given) = below.subcommand()?;
    let mut tools = toolboxes.iter().filter(|toolbox| toolbox.name == command);
    let tool = tools.find_map(|toolbox| toolbox.tools.iter().find(|tool| tool.name == name))?;
    let arguments: Vec<_> = tool
        .params()
        .into_iter()
        .filter_map(|param| {
            let value = given.get_one::<String>(&param.name)?.clone();
            Some((Some(param.name), value))
        })
        .collect();
    Some(tool.run(&arguments, &Terminal).map_err(|error| anyhow!("{error}")))
}

/// Results on standard output, everything else on standard error.
struct Terminal;

impl ToolHost for Terminal {
    fn print(&self, text: &str) -> Result<(), String> {
        print(text).map_err(|error| error.to_string())
    }

    fn print_table(&self, heading: &[&str], rows: Vec<Vec<String>>) -> Result<(), String> {
        let is_numbers =
            |column: &usize| rows.iter().all(|row| row[*column].parse::<f64>().is_ok());
        let right: Vec<usize> = (0..heading.len()).filter(is_numbers).collect();
        self.print(&table(heading, rows, &right))
    }

    fn say(&self, line: &str) {
        eprintln!("{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn tools_have_names_of_their_own_and_explain_themselves() {
        let toolboxes = all();
        add(crate::Cli::command(), &toolboxes).debug_assert();
        for tool in toolboxes.iter().flat_map(|toolbox| &toolbox.tools) {
            let params = tool.params();
            for key in tool.positional.iter().chain(tool.required) {
                assert!(params.iter().any(|param| param.name == *key), "{}: {key}", tool.name);
            }
            assert!(params.iter().all(|param| !param.about.is_empty()), "{}", tool.name);
        }
    }
}
