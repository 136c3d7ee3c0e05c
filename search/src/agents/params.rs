//! The parameters of the standard agents. Doc comments are their help.

use super::searcher::{Choice, Method};
use super::{Defaults, PlayoutPolicy, Searchable};
use crate::{Budget, Ismcts, Observers, Oos, Pimc, TreeSearch, Uct};
use oboro_core::{Factory, Params, SpecError, check_range};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::marker::PhantomData;

/// The parameters of an agent that searches: those of its method, and those of its playouts.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "")]
pub(super) struct SearchParams<G: Searchable, M: MethodParams<G>> {
    #[serde(flatten)]
    method: M,
    #[serde(flatten)]
    playout: PlayoutParams<G>,
}

/// The parameters of a way to search.
pub(super) trait MethodParams<G: Searchable>: Params {
    /// The search within its limits.
    fn method(&self, game: &G, limits: Limits) -> Result<Method, SpecError>;
}

/// Those of `mc`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "", rename_all = "kebab-case")]
pub(super) struct McParams<G: Searchable> {
    /// Playouts per decision, shared evenly among the actions.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 5 * G::DEFAULTS.playouts}))]
    playouts: u32,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

/// Those of `uct`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "", rename_all = "kebab-case")]
pub(super) struct UctParams<G: Searchable> {
    /// Playouts per decision.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 5 * G::DEFAULTS.playouts}))]
    playouts: u32,
    #[serde(flatten)]
    tree: TreeParams<G>,
}

/// Those of `ismcts`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "", rename_all = "kebab-case")]
pub(super) struct IsmctsParams<G: Searchable> {
    /// Playouts per decision.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 5 * G::DEFAULTS.playouts}))]
    playouts: u32,
    /// Seats whose observations separate nodes. `own`: the searching seat, and all seats choose by its knowledge; `all`:
    /// every seat chooses by its own view in the sampled world, or by its own observations until that was met often enough.
    #[schemars(extend("x-public" = {}))]
    observers: ObserverParam,
    #[serde(flatten)]
    tree: TreeParams<G>,
}

/// Those of `pimc`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "", rename_all = "kebab-case")]
pub(super) struct PimcParams<G: Searchable> {
    /// Playouts per tree.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": G::DEFAULTS.playouts}))]
    playouts: u32,
    /// Imagined worlds per decision, one tree each.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 20}))]
    worlds: u32,
    #[serde(flatten)]
    tree: TreeParams<G>,
}

/// Megabytes of the table of `oos`, unless somebody asks for more.
pub(super) const OOS_MEGABYTES: u32 = 16;

/// Those of `oos`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "", rename_all = "kebab-case")]
pub(super) struct OosParams<G: Searchable> {
    /// Playouts per decision.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 5 * G::DEFAULTS.playouts}))]
    playouts: u32,
    /// Share of sampled games that are led to the decision at hand; the others learn what everybody would do elsewhere.
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 0.99}))]
    target: f64,
    /// Share of actions that are tried at random in playouts, whatever they were worth so far.
    #[schemars(extend("x-public" = {"minimum": 0.01, "maximum": 1}))]
    explore: f64,
    /// Actions of the seat that learns that are tried at a decision of a playout, on average: 1 is outcome sampling, as many as
    /// are legal is external sampling.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 8}))]
    width: f64,
    /// Megabytes of the table of information sets, which is emptied before a decision if it is more than half full.
    table: u32,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

/// How trees grow.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "", rename_all = "kebab-case")]
struct TreeParams<G: Searchable> {
    /// The factor C of the exploration term C·√(2 ln N / n), for payoffs scaled to 0 to 1.
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 100}))]
    c: f64,
    /// Visits of a leaf before it is expanded.
    #[schemars(extend("x-public" = {"minimum": 4, "maximum": 1000}))]
    expand_after: u32,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

/// How playouts are played.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, bound = "", rename_all = "kebab-case")]
struct PlayoutParams<G: Searchable> {
    /// Seconds after which a decision ends, playouts left or not. For tournaments: such games cannot be
    /// repeated bit for bit.
    seconds: Option<f64>,
    /// Policy of all players inside a playout.
    #[schemars(extend("x-public" = {}))]
    policy: PolicyName<G>,
    /// Plies after which a playout is truncated and the game's estimate counts instead of its result; 0: playouts go to
    /// the end.
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 1000}))]
    depth: u32,
    /// Playouts per batch, in a tree from the same leaf. More than one is faster where the game can play several at once,
    /// and changes the random numbers.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 64}))]
    batch: u32,
    /// How the search's findings are acted on; `oos` always mixes.
    #[schemars(extend("x-public" = {}))]
    choice: Choice,
}

/// What the parameters of playouts say of the budget.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    seconds: Option<f64>,
    batch: u32,
}

impl Limits {
    fn budget(self, playouts: u32) -> Result<Budget, SpecError> {
        Budget::new("playouts", playouts, self.seconds)?.in_batches(self.batch)
    }
}

/// Seats whose observations separate nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum ObserverParam {
    #[default]
    Own,
    All,
}

impl<G: Searchable, M: MethodParams<G>> Default for SearchParams<G, M> {
    fn default() -> SearchParams<G, M> {
        SearchParams { method: M::default(), playout: PlayoutParams::default() }
    }
}

impl<G: Searchable> Default for McParams<G> {
    fn default() -> McParams<G> {
        McParams { playouts: G::DEFAULTS.playouts, game: PhantomData }
    }
}

impl<G: Searchable> Default for UctParams<G> {
    fn default() -> UctParams<G> {
        UctParams { playouts: G::DEFAULTS.playouts, tree: TreeParams::default() }
    }
}

impl<G: Searchable> Default for IsmctsParams<G> {
    fn default() -> IsmctsParams<G> {
        let (playouts, tree) = (G::DEFAULTS.playouts, TreeParams::default());
        IsmctsParams { playouts, observers: ObserverParam::Own, tree }
    }
}

impl<G: Searchable> Default for PimcParams<G> {
    fn default() -> PimcParams<G> {
        let Defaults { playouts, worlds, .. } = G::DEFAULTS;
        PimcParams { playouts: playouts / worlds, worlds, tree: TreeParams::default() }
    }
}

impl<G: Searchable> Default for OosParams<G> {
    fn default() -> OosParams<G> {
        let (playouts, game) = (G::DEFAULTS.playouts, PhantomData);
        OosParams { playouts, target: 0.9, explore: 0.3, width: 3.0, table: OOS_MEGABYTES, game }
    }
}

impl<G: Searchable> Default for TreeParams<G> {
    fn default() -> TreeParams<G> {
        TreeParams { c: G::DEFAULTS.c, expand_after: 4, game: PhantomData }
    }
}

impl<G: Searchable> Default for PlayoutParams<G> {
    fn default() -> PlayoutParams<G> {
        let (policy, depth) = (PolicyName::default(), G::DEFAULTS.depth);
        PlayoutParams { seconds: None, policy, depth, batch: 1, choice: Choice::Best }
    }
}

impl<G: Searchable> MethodParams<G> for McParams<G> {
    fn method(&self, _: &G, limits: Limits) -> Result<Method, SpecError> {
        limits.budget(self.playouts).map(Method::Flat)
    }
}

impl<G: Searchable> MethodParams<G> for UctParams<G> {
    fn method(&self, game: &G, limits: Limits) -> Result<Method, SpecError> {
        let uct = self.tree.uct(game, limits.budget(self.playouts)?)?;
        Ok(Method::Tree(TreeSearch::Uct(uct)))
    }
}

impl<G: Searchable> MethodParams<G> for IsmctsParams<G> {
    fn method(&self, game: &G, limits: Limits) -> Result<Method, SpecError> {
        let Uct { budget, c, expand_after } = self.tree.uct(game, limits.budget(self.playouts)?)?;
        let observers = match self.observers {
            ObserverParam::Own => Observers::Own,
            ObserverParam::All => Observers::All { seats: game.seats() },
        };
        Ok(Method::Tree(TreeSearch::Ismcts(Ismcts { budget, c, expand_after, observers })))
    }
}

impl<G: Searchable> MethodParams<G> for PimcParams<G> {
    fn method(&self, game: &G, limits: Limits) -> Result<Method, SpecError> {
        check_range("worlds", self.worlds, 1..=10_000)?;
        let tree = self.tree.uct(game, limits.budget(self.playouts)?)?;
        Ok(Method::Tree(TreeSearch::Pimc(Pimc { worlds: self.worlds, tree })))
    }
}

impl<G: Searchable> MethodParams<G> for OosParams<G> {
    fn method(&self, _: &G, limits: Limits) -> Result<Method, SpecError> {
        check_range("target", self.target, 0.0..=0.99)?;
        check_range("explore", self.explore, 0.01..=1.0)?;
        check_range("width", self.width, 1.0..=1000.0)?;
        check_range("table", self.table, 1..=1 << 16)?;
        if limits.batch > 1 {
            return Err(SpecError(format!("batch={}: oos plays one at a time", limits.batch)));
        }
        let budget = limits.budget(self.playouts)?;
        let &OosParams { target, explore, width, table, .. } = self;
        Ok(Method::Oos(Oos { budget, target, explore, width, table }))
    }
}

impl<G: Searchable> TreeParams<G> {
    fn uct(&self, game: &G, budget: Budget) -> Result<Uct, SpecError> {
        check_range("c", self.c, 0.0..=1e6)?;
        Ok(Uct { budget, c: self.c * game.payoff_range(), expand_after: self.expand_after })
    }
}

impl<G: Searchable, M: MethodParams<G>> SearchParams<G, M> {
    /// The agents that play so.
    pub(super) fn factory(&self, game: &G) -> Result<Factory<G>, SpecError> {
        let &PlayoutParams { seconds, ref policy, depth, batch, choice } = &self.playout;
        let limits = Limits { seconds, batch };
        if depth > 0 && G::ESTIMATE.is_none() {
            let name = G::NAME;
            return Err(SpecError(format!("depth={depth}: only 0, {name} has no estimate")));
        }
        let method = self.method.method(game, limits)?;
        Ok(policy.find()?.factory(game, method, choice, depth))
    }
}

/// The name of a playout policy of a game.
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound = "")]
struct PolicyName<G: Searchable> {
    name: String,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

impl<G: Searchable> PolicyName<G> {
    fn find(&self) -> Result<PlayoutPolicy<G>, SpecError> {
        let policies = G::policies();
        let known: Vec<&str> = policies.iter().map(|policy| policy.name).collect();
        let error = SpecError::unknown("policy", &self.name, &known);
        policies.into_iter().find(|policy| policy.name == self.name).ok_or(error)
    }
}

impl<G: Searchable> Default for PolicyName<G> {
    fn default() -> PolicyName<G> {
        let policies = G::policies();
        let first = policies.first().expect("a game has a playout policy");
        PolicyName { name: first.name.to_owned(), game: PhantomData }
    }
}

impl<G: Searchable> JsonSchema for PolicyName<G> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}-policy", G::NAME).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let options: Vec<Schema> = G::policies()
            .iter()
            .map(|policy| json_schema!({ "const": policy.name, "description": policy.about }))
            .collect();
        json_schema!({ "oneOf": options })
    }
}
