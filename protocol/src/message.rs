//! What the two sides say: one JSON object a line.

use oboro_catalog::{AnalysisReport, Ending, EventReport, Opening, Turn, ValueReport};
use oboro_core::{Belief, Phrase, plain_error};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the protocol that is spoken here.
pub const PROTOCOL: u32 = 1;

/// What a referee says to a program. A program ignores fields that it does not know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum ToProgram {
    /// The first line. The program answers with its own `hello`.
    Hello {
        /// The version of the protocol.
        protocol: u32,
        /// Who speaks, for logs.
        referee: String,
    },
    /// A game begins; one that was going on is dropped. No answer.
    NewGame {
        /// The game's name.
        game: String,
        /// All rule options.
        rules: Value,
        /// Where the program sits; seat 0 moves first.
        seat: usize,
        /// How many seats there are.
        seats: usize,
        /// A seed for whatever the program does at random: with equal seeds it should play equal games. Below 2^53.
        seed: u64,
        /// How much time it has.
        clock: TimeLimits,
        /// What its seat knows at the start, in the shape of the game's `scene` schema.
        scene: Value,
        /// If the program wants positions: one that agrees with the scene, its hidden things drawn at random.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<String>,
    },
    /// What the seat saw of an action, its own included. No answer.
    Event {
        /// Which action of the game it was, from 1.
        ply: usize,
        /// Who moved.
        seat: usize,
        /// What was seen, in the shape of the game's `event` schema.
        parts: Value,
        /// The same in words, if the program wants texts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<Phrase>,
        /// If the program wants positions: one that agrees with what the seat knew before, its hidden things drawn at random.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<String>,
    },
    /// The program is to move. It answers with `action` or `resign`.
    Turn(Question),
    /// What does the program think of its actions? Asked only if it offers `analysis`, which is its answer.
    Analyse(Question),
    /// What does the program think of hidden things? Asked only if it offers `beliefs`, which is its answer. It may be
    /// asked when it is not to move, and asking must not change how it plays.
    Beliefs {
        /// The position.
        #[serde(flatten)]
        question: Question,
        /// What is hidden, with what the rules alone say of it: the words to answer in.
        secrets: Vec<Belief>,
    },
    /// The game is over. No answer.
    GameOver {
        /// What it was worth to each seat.
        payoffs: Vec<f64>,
        /// Who gave it up and why, if somebody did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forfeit: Option<Forfeit>,
    },
    /// Nothing more will come: the program should exit. The end of the input means the same.
    Quit {},
}

/// A position that a program is asked about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Question {
    /// How many actions have been played.
    pub ply: usize,
    /// How much time is left.
    pub clock: TimeLimits,
    /// What the seat knows, in the shape of the game's `scene` schema.
    pub scene: Value,
    /// If the program wants positions: one that agrees with the scene, its hidden things drawn at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The legal actions as text; empty if the seat is not to move.
    pub actions: Vec<String>,
    /// If the program wants parts: every legal action taken apart, in the shape of the game's `action` schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<Value>>,
}

/// How much time a program has, in seconds of the wall clock; null where there is no limit.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TimeLimits {
    /// For this move; for each move, when the game begins.
    #[serde(rename = "move")]
    pub step: Option<f64>,
    /// For all its moves together that are still to come.
    pub game: Option<f64>,
}

/// Who gave a game up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Forfeit {
    /// Who.
    pub seat: usize,
    /// Why.
    pub reason: String,
}

/// What a program says to its referee. Every line is an answer: there is nothing to say unasked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum FromProgram {
    /// The answer to `hello`.
    Hello {
        /// The version of the protocol it speaks.
        protocol: u32,
        /// What it is called, for logs.
        #[serde(default)]
        name: String,
        /// What it can be asked besides.
        #[serde(default)]
        offers: Vec<Offer>,
        /// What it wants to be told besides.
        #[serde(default)]
        wants: Vec<Want>,
    },
    /// The answer to `turn`: one of the legal actions, as it was written.
    Action {
        /// The action.
        action: String,
    },
    /// The other answer to `turn`: it gives the game up.
    Resign {
        /// Why; it stands in the record.
        #[serde(default)]
        reason: String,
    },
    /// The answer to `analyse`.
    Analysis {
        /// What it would play.
        choice: String,
        /// What the values mean, in a word or two.
        #[serde(default)]
        measure: String,
        /// The actions it has values for.
        #[serde(default)]
        values: Vec<ProgramValue>,
    },
    /// The answer to `beliefs`.
    Beliefs {
        /// What it thinks; as many of the secrets as it likes.
        beliefs: Vec<Belief>,
    },
}

/// What a program can be asked besides its actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    /// What it thinks of its actions.
    Analysis,
    /// What it thinks of hidden things.
    Beliefs,
}

/// What a program wants to be told besides scenes, events and the texts of actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Want {
    /// The legal actions taken apart.
    #[serde(rename = "parts")]
    ActionData,
    /// Events in words.
    Texts,
    /// Positions that agree with what it knows.
    Positions,
}

/// What a program thinks of one action.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ProgramValue {
    /// The action.
    pub action: String,
    /// Its worth on the program's own scale; more is better.
    pub value: f64,
    /// How many playouts or visits it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// A remark.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl From<ProgramValue> for ValueReport {
    fn from(program_value: ProgramValue) -> ValueReport {
        let ProgramValue { action, value, visits, note } = program_value;
        ValueReport { action, value, visits, note }
    }
}

impl From<AnalysisReport> for FromProgram {
    fn from(report: AnalysisReport) -> FromProgram {
        let program_value = |value: ValueReport| ProgramValue {
            action: value.action,
            value: value.value.clamp(f64::MIN, f64::MAX), // JSON has no infinity
            visits: value.visits,
            note: value.note,
        };
        FromProgram::Analysis {
            choice: report.choice,
            measure: report.measure,
            values: report.values.into_iter().map(program_value).collect(),
        }
    }
}

impl ToProgram {
    /// How a game begins.
    pub fn new_game(opening: Opening, clock: TimeLimits) -> ToProgram {
        let Opening { game, rules, seat, seats, seed, scene, position } = opening;
        ToProgram::NewGame {
            game: game.to_owned(),
            rules,
            seat,
            seats,
            seed,
            clock,
            scene,
            position: Some(position),
        }
    }

    /// What a seat saw, and a position that agrees with what it knew before.
    pub fn event(event: EventReport, position: Option<String>, texts: bool) -> ToProgram {
        let EventReport { ply, seat, parts, text } = event;
        ToProgram::Event { ply, seat, parts, text: texts.then_some(text), position }
    }

    /// How a game ended.
    pub fn game_over(ending: &Ending) -> ToProgram {
        let forfeit = ending.forfeit.clone().map(|(seat, reason)| Forfeit { seat, reason });
        ToProgram::GameOver { payoffs: ending.payoffs.clone(), forfeit }
    }
}

/// Appends a message as a line.
pub fn write_line(out: &mut Vec<u8>, message: &impl Serialize) {
    serde_json::to_writer(&mut *out, message).expect("messages have a JSON form");
    out.push(b'\n');
}

/// Appends a question of this kind as a line: what serializing a [`Question`] gives, without building the scene's data
/// first.
pub(crate) fn write_question(
    out: &mut Vec<u8>,
    kind: &str,
    turn: &dyn Turn,
    clock: TimeLimits,
    wants: &[Want],
    secrets: Option<&[Belief]>,
) {
    put(out, "{\"type\":", &kind);
    put(out, ",\"ply\":", &turn.ply());
    put(out, ",\"clock\":", &clock);
    out.extend_from_slice(b",\"scene\":");
    turn.write_scene(out);
    if wants.contains(&Want::Positions) {
        put(out, ",\"position\":", &turn.position());
    }
    out.extend_from_slice(b",\"actions\":");
    turn.write_actions(out);
    if wants.contains(&Want::ActionData) {
        let described = turn.described_actions();
        let parts: Vec<&Value> = described.iter().map(|action| &action.parts).collect();
        put(out, ",\"parts\":", &parts);
    }
    if let Some(secrets) = secrets {
        put(out, ",\"secrets\":", &secrets);
    }
    out.extend_from_slice(b"}\n");
}

/// Appends what stands before a value, and the value.
fn put(out: &mut Vec<u8>, before: &str, value: &impl Serialize) {
    out.extend_from_slice(before.as_bytes());
    serde_json::to_writer(out, value).expect("plain data has a JSON form");
}

/// Reads a line as a message.
///
/// # Errors
/// What is wrong with it, and in which field.
pub fn read_line<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let mut json = serde_json::Deserializer::from_slice(line);
    let message = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let at = if path == "." { String::new() } else { format!("{path}: ") };
        format!("{at}{}", plain_error(&error.inner().to_string()))
    })?;
    json.end().map_err(|error| error.to_string())?;
    Ok(message)
}

/// The JSON schema of both sides' messages.
pub fn schema() -> Value {
    serde_json::json!({
        "title": format!("Oboro's protocol for programs, version {PROTOCOL}"),
        "to-program": oboro_core::json_schema::<ToProgram>(),
        "from-program": oboro_core::json_schema::<FromProgram>(),
    })
}
