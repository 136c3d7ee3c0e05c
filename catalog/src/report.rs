//! What the catalog says, as data with a JSON form.

use crate::data::json;
use oboro_core::{Belief, Described, Estimate, Fact, FactValue, GameScenes, Outcome, Phrase};
use schemars::JsonSchema;
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// A legal action, described.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ActionReport {
    /// Its text form, by which it is played.
    pub action: String,
    /// Its parts, in the shape of the game's `action` schema.
    pub parts: Value,
    /// A short phrase for people.
    pub text: Phrase,
}

/// The legal actions of a turn, described as [`ActionReport`]s are: written as JSON without the detour over a tree of
/// values, for there may be hundreds of them.
pub(crate) struct Actions<'a, G: GameScenes> {
    pub game: &'a G,
    pub view: &'a G::View,
    pub legal: &'a [G::Action],
}

#[derive(Serialize)]
struct Choice<'a, P> {
    action: &'a str,
    parts: &'a P,
    text: &'a Phrase,
}

impl<G: GameScenes> Serialize for Actions<'_, G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.legal.len()))?;
        let mut name = String::new();
        let mut written = Ok(());
        self.game.describe_all(self.view, self.legal, |action, described| {
            name.clear();
            write!(name, "{action}").expect("a string takes everything");
            let Described { parts, text } = &described;
            if written.is_ok() {
                written = list.serialize_element(&Choice { action: &name, parts, text });
            }
        });
        written?;
        list.end()
    }
}

impl ActionReport {
    /// A legal action of the seat that `view` belongs to.
    pub(crate) fn of<G: GameScenes>(game: &G, view: &G::View, action: G::Action) -> ActionReport {
        let described = game.describe(view, action);
        ActionReport {
            action: action.to_string(),
            parts: json(&described.parts),
            text: described.text,
        }
    }
}

/// Something that happened, as one observer saw it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EventReport {
    /// Which action of the game it was, from 1.
    pub ply: usize,
    /// Who moved.
    pub seat: usize,
    /// What was seen, in the shape of the game's `event` schema.
    pub parts: Value,
    /// A short phrase for people.
    pub text: Phrase,
}

/// Who sits where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SeatReport {
    /// The seat.
    pub seat: usize,
    /// The agent's spec, or the name of whoever plays from outside.
    pub name: String,
    /// Whether an agent of ours sits there.
    pub agent: bool,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct OutcomeReport {
    /// What it was worth to each seat.
    pub payoffs: Vec<f64>,
    /// How many actions were played.
    pub plies: u32,
    /// What else is counted: one number for the game, or one for each seat.
    pub facts: Map<String, Value>,
}

impl From<&Outcome> for OutcomeReport {
    fn from(outcome: &Outcome) -> OutcomeReport {
        let fact = |fact: &Fact| {
            let value = match &fact.value {
                FactValue::Game(number) => Value::from(*number),
                FactValue::Seats(numbers) => Value::from(numbers.clone()),
            };
            (fact.name.to_owned(), value)
        };
        OutcomeReport {
            payoffs: outcome.payoffs.clone(),
            plies: outcome.plies,
            facts: outcome.facts.iter().map(fact).collect(),
        }
    }
}

/// What an agent thinks of a game from a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct InsightReport {
    /// The agent's canonical spec.
    pub agent: String,
    /// From which seat it looks.
    pub seat: usize,
    /// What it thinks of the actions; absent if its seat is not to move.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisReport>,
    /// What the actions are expected to be worth, by the agent itself or by the game's best one; none if its seat is not to
    /// move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationReport>,
    /// What it thinks of hidden things; empty if it does not say.
    pub beliefs: Vec<Belief>,
    /// What the rules alone say of the same things.
    pub baseline: Vec<Belief>,
}

/// What the actions of a position are expected to be worth to the seat to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EvaluationReport {
    /// The agent that says so.
    pub agent: String,
    /// The action that it advises.
    pub best: String,
    /// The expected payoff of the position: that of the advised action.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Every action it weighed, the advised one first; no other is worth more.
    pub values: Vec<EstimateReport>,
}

/// What one action is expected to be worth.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EstimateReport {
    /// The action.
    pub action: String,
    /// The expected payoff of the seat that takes it.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl EvaluationReport {
    pub(crate) fn new<A: ToString>(agent: String, estimates: &[Estimate<A>]) -> EvaluationReport {
        let report = |one: &Estimate<A>| EstimateReport {
            action: one.action.to_string(),
            value: one.mean,
            error: one.error,
        };
        let values: Vec<EstimateReport> = estimates.iter().map(report).collect();
        let EstimateReport { action, value, error } = values[0].clone();
        EvaluationReport { agent, best: action, value, error, values }
    }
}

/// How a finished game came to its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EndingReport {
    /// Why it ended so, in sentences; none for a game that does not say.
    pub reasons: Vec<Phrase>,
    /// Who gave it up, and why.
    pub forfeit: Option<ForfeitReport>,
}

/// Who gave a game up, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ForfeitReport {
    /// The seat.
    pub seat: usize,
    /// Why, in one line.
    pub reason: String,
}

/// What an agent thinks of the actions of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AnalysisReport {
    /// What it would play.
    pub choice: String,
    /// What the values mean.
    pub measure: String,
    /// Every action it weighed, best first.
    pub values: Vec<ValueReport>,
    /// A drawing of its thoughts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<String>,
}

/// What an agent thinks of one action.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ValueReport {
    /// The action.
    pub action: String,
    /// Its value; infinite values are written as text.
    #[serde(serialize_with = "finite_or_text")]
    pub value: f64,
    /// How many playouts or visits it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// A remark.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn finite_or_text<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_f64(*value)
    } else {
        serializer.serialize_str(&value.to_string())
    }
}

impl<A: ToString> From<oboro_core::Analysis<A>> for AnalysisReport {
    fn from(analysis: oboro_core::Analysis<A>) -> AnalysisReport {
        let mut values: Vec<ValueReport> = analysis
            .values
            .into_iter()
            .map(|v| ValueReport {
                action: v.action.to_string(),
                value: v.value,
                visits: v.visits,
                note: v.note,
            })
            .collect();
        values.sort_by(|a, b| b.value.total_cmp(&a.value));
        AnalysisReport {
            choice: analysis.choice.to_string(),
            measure: analysis.measure.to_owned(),
            values,
            drawing: analysis.drawing,
        }
    }
}
