use super::lessons::TrainingParams;
use super::{about, lessons};
use crate::gp::{Corners, Fitness, Policies, Primitive, PrimitiveSet, Strategy, StrategySource};
use oboro_core::{Tool, ToolHost, Toolbox, check_range, params};
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
                "agreement",
                "Prints how often the printed policies make a teacher's move, beside the best single function and the best bred \
                 policy: whether training positions can be those of the thesis",
                agreement,
            ),
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

params! {
    struct Score: Clone {
        /// The policies' file or name
        policy: String = String::new(),
        /// The file of lessons
        lessons: String = String::new(),
        /// No difference of values counts more in a loss
        bound: u32 = Fitness::BOUND,
    }
}

fn score(params: &Score, host: &dyn ToolHost) -> Result<(), String> {
    check_range("bound", params.bound, 1..=u32::MAX)?;
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

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
struct Agreement {
    #[serde(flatten)]
    training: TrainingParams,

    /// The bred policies to compare with [default: ours of the same teacher, by agreement, with all functions]
    bred: Option<String>,

    /// Which corners the functions named …`OppNearMyGoal` look at: `home`, `exits` or `searcher`
    corners: Option<String>,

    /// Where everything random comes from
    seed: Option<String>,
}

/// The printed policies were bred by agreement. Where a single function agrees better than they do, the positions, or our
/// functions, are not those they were bred on.
fn agreement(params: &Agreement, host: &dyn ToolHost) -> Result<(), String> {
    params.training.check()?;
    let seed = params.seed.as_deref().unwrap_or("1").parse().map_err(about("seed"))?;
    let corners =
        params.corners.as_deref().map_or(Ok(Corners::default()), str::parse::<Corners>)?;
    let (_, positions) = params.training.positions(None, host, seed)?;
    let mut rows = Vec::new();
    for name in ["algorithm-1", "algorithm-2"] {
        let strategy = load(name)?.strategies()[0].as_ref().clone().with_corners(corners);
        rows.push((name.to_owned(), positions.agreement(&strategy)));
    }
    let singles = PrimitiveSet::All.functions().into_iter().filter_map(|function| match function {
        Primitive::Do(kind, _) => {
            let single = Strategy::single(kind);
            Some((format!("best single function: {function}"), positions.agreement(&single)))
        }
        _ => None,
    });
    let best = |all: &mut dyn Iterator<Item = (String, f64)>| {
        all.max_by(|a, b| a.1.total_cmp(&b.1)).ok_or_else(|| "nothing to compare with".to_owned())
    };
    let single = best(&mut singles.into_iter())?;
    let source = params.bred.clone().unwrap_or_else(|| params.training.bred());
    let bred = load(&source)?;
    let bred = bred.strategies().iter().enumerate();
    let bred = best(&mut bred.map(|(number, strategy)| {
        let name = format!("best bred: {source}, run {}", number + 1);
        (name, positions.agreement(strategy))
    }))?;
    let (of_single, of_bred) = (single.1, bred.1);
    rows.extend([single, bred]);
    let rows = rows.into_iter().map(|(name, agreement)| {
        vec![
            name,
            format!("{agreement:.4}"),
            format!("{:.2}", agreement / of_single),
            format!("{:.2}", agreement / of_bred),
        ]
    });
    let heading = ["policy", "agreement", "of the best function", "of the best bred"];
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
