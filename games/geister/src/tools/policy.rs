use super::{in_range, lessons};
use crate::gp::{Fitness, Policies, Strategy, StrategySource};
use oboro_core::{Tool, ToolHost, Toolbox};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

pub(super) fn toolbox() -> Toolbox {
    Toolbox {
        name: "policy",
        about: "Shows a policy made by genetic programming\n\n\
            A policy is a file, or one that comes with Geister, such as algorithm-1; `@home`, `@exits` or `@searcher` after \
            it says which corners it looks at.",
        tools: vec![
            Tool::new("show", "Prints the policy as it is", |named: &Named, host| {
                print_all(host, &named.policy, Strategy::clone)
            })
            .positional(&["policy"]),
            Tool::new(
                "score",
                "Prints how well policies follow a teacher, by the lessons that `oboro evolve` leaves in its folder",
                score,
            )
            .positional(&["policy"])
            .required(&["lessons"]),
            Tool::new(
                "simplify",
                "Prints a policy that does the same with less: no dead branches, no foregone conclusions",
                |named: &Named, host| print_all(host, &named.policy, Strategy::simplified),
            )
            .positional(&["policy"]),
        ],
    }
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Named {
    /// The policy's file or name
    policy: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Score {
    /// The policies' file or name
    policy: String,
    /// The file of lessons
    lessons: String,
    /// No difference of values counts more in a loss
    bound: u32,
}

impl Default for Score {
    fn default() -> Score {
        Score { policy: String::new(), lessons: String::new(), bound: Fitness::BOUND }
    }
}

fn score(params: &Score, host: &dyn ToolHost) -> Result<(), String> {
    in_range("bound", params.bound, u32::MAX)?;
    let lessons = lessons::read(Path::new(&params.lessons))?;
    let bound = params.bound;
    let kinds = [Fitness::Agreement, Fitness::Loss { bound }, Fitness::ClippedLoss { bound }];
    let squad = load(&params.policy)?;
    let rows = squad.strategies().iter().enumerate().map(|(number, strategy)| {
        let [agreement, loss, clipped] = kinds.map(|kind| kind.of(strategy, &lessons));
        let size = strategy.tree().size();
        vec![
            (number + 1).to_string(),
            format!("{agreement:.6}"),
            format!("{loss:.3}"),
            format!("{clipped:.3}"),
            size.to_string(),
        ]
    });
    let heading = ["policy", "agreement", "loss", "clipped loss", "size"];
    host.print_table(&heading, rows.collect())
}

fn print_all(
    host: &dyn ToolHost,
    name: &str,
    form: impl Fn(&Strategy) -> Strategy,
) -> Result<(), String> {
    let squad = load(name)?;
    let policies = squad.strategies().iter().map(|policy| form(policy).to_string());
    host.print(&policies.collect::<Vec<_>>().join("\n"))
}

/// The policies of a file or name.
pub(super) fn load(name: &str) -> Result<Policies, String> {
    StrategySource::Named(name.to_owned()).load().map_err(|error| error.to_string())
}
