use crate::{ParamInfo, Params, from_pairs, param_table};
use std::fmt;

/// A command that a game offers besides being played, such as one that makes its policies: its tools are the
/// subcommands.
///
/// A program lists the toolboxes of all games and runs their tools, and need not know what they do. Games that offer the
/// same command share it.
#[derive(Debug)]
pub struct Toolbox {
    /// The command, as in `oboro evolve`.
    pub name: &'static str,
    /// What it is for: a line, and more after an empty one.
    pub about: &'static str,
    /// What can be done with it.
    pub tools: Vec<Tool>,
}

/// One subcommand: its parameters are a plain struct, whose doc comments are its help, as those of agents are.
///
/// ```
/// use oboro_core::{Tool, ToolHost};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
/// struct Greeting {
///     /// Who is greeted.
///     name: String,
///     /// How often.
///     times: Option<u32>,
/// }
///
/// struct Printed(std::sync::Mutex<String>);
///
/// impl ToolHost for Printed {
///     fn print(&self, text: &str) -> Result<(), String> {
///         self.0.lock().map_err(|error| error.to_string())?.push_str(text);
///         Ok(())
///     }
///     fn print_table(&self, _: &[&str], _: Vec<Vec<String>>) -> Result<(), String> {
///         Ok(())
///     }
///     fn say(&self, _: &str) {}
/// }
///
/// let tool = Tool::new("greet", "Greets somebody", |params: &Greeting, host| {
///     host.print(&format!("hello, {}\n", params.name).repeat(params.times.unwrap_or(1) as usize))
/// })
/// .positional(&["name"]);
/// let host = Printed(String::new().into());
/// tool.run(&[(None, "you".into()), (Some("times".into()), "2".into())], &host).unwrap();
/// assert_eq!(host.0.into_inner().unwrap(), "hello, you\nhello, you\n");
/// ```
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// The keys that values without a key stand for, in order; all are wanted.
    pub positional: &'static [&'static str],
    /// The other keys that have to be given.
    pub required: &'static [&'static str],
    params: fn() -> Vec<ParamInfo>,
    run: Box<Run>,
}

type Run =
    dyn Fn(&[(Option<String>, String)], &[&str], &dyn ToolHost) -> Result<(), String> + Send + Sync;

/// The program that runs a tool: where its output goes.
pub trait ToolHost: Sync {
    /// Prints a part of the result.
    ///
    /// # Errors
    /// If it cannot be written.
    fn print(&self, text: &str) -> Result<(), String>;
    /// Prints a table with a heading; columns of numbers are aligned to the right.
    ///
    /// # Errors
    /// If it cannot be written.
    fn print_table(&self, heading: &[&str], rows: Vec<Vec<String>>) -> Result<(), String>;
    /// Prints a line of progress that is no part of the result.
    fn say(&self, line: &str);
}

/// Prints nothing.
impl ToolHost for () {
    fn print(&self, _: &str) -> Result<(), String> {
        Ok(())
    }

    fn print_table(&self, _: &[&str], _: Vec<Vec<String>>) -> Result<(), String> {
        Ok(())
    }

    fn say(&self, _: &str) {}
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Tool {
    /// A tool whose parameters are `P`. What goes wrong is said in a line that names the place.
    pub fn new<P: Params>(
        name: &'static str,
        about: &'static str,
        run: impl Fn(&P, &dyn ToolHost) -> Result<(), String> + Send + Sync + 'static,
    ) -> Tool {
        Tool {
            name,
            about,
            positional: &[],
            required: &[],
            params: param_table::<P>,
            run: Box::new(move |args, positional, host| {
                let params: P = from_pairs(name, args, positional)?;
                run(&params, host)
            }),
        }
    }

    /// Names the keys that are written without their names.
    #[must_use]
    pub fn positional(self, keys: &'static [&'static str]) -> Tool {
        Tool { positional: keys, ..self }
    }

    /// Names other keys that have to be given.
    #[must_use]
    pub fn required(self, keys: &'static [&'static str]) -> Tool {
        Tool { required: keys, ..self }
    }

    /// Its parameters with types, defaults and help.
    pub fn params(&self) -> Vec<ParamInfo> {
        (self.params)()
    }

    /// Runs it.
    ///
    /// # Errors
    /// If a parameter is unknown, ill-typed or refused, or the work cannot be done.
    pub fn run(
        &self,
        args: &[(Option<String>, String)],
        host: &dyn ToolHost,
    ) -> Result<(), String> {
        (self.run)(args, self.positional, host)
    }
}
