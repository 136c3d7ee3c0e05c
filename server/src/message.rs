//! What a browser and the server say to each other over a socket.

use oboro_catalog::{ActionReport, EventReport, InsightReport, OutcomeReport};
use oboro_core::{Eyes, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a browser says.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// The first message: the keys of the seats it holds; none for a spectator.
    Hello {
        /// Secrets that were handed out with the seats.
        #[serde(default)]
        keys: Vec<String>,
    },
    /// Plays an action.
    Play {
        /// For which seat.
        seat: usize,
        /// The action's notation.
        action: String,
    },
    /// Chooses what to be shown from now on.
    Look {
        /// The position after so many actions; none follows the game.
        #[serde(default)]
        ply: Option<usize>,
        /// Through whose eyes.
        eyes: Gaze,
    },
    /// Takes the own last move back.
    TakeBack {},
    /// Gives the game up.
    Resign {
        /// For which seat.
        seat: usize,
    },
    /// The same game again at a new table.
    Again {
        /// Everybody moves one seat on.
        #[serde(default)]
        swap: bool,
    },
    /// Starts an analysis that deepens until something else is asked.
    Consult {
        /// The agent's spec.
        agent: String,
        /// From which seat.
        seat: usize,
        /// After how many actions; none for now.
        #[serde(default)]
        ply: Option<usize>,
    },
    /// Ends the analysis.
    Hush {},
    /// Asks for the value of every decision of a seat.
    Curve {
        /// The agent's spec.
        agent: String,
        /// Whose decisions.
        seat: usize,
    },
    /// Chooses how fast agents play among themselves, in milliseconds between actions; none halts them.
    Pace {
        /// Milliseconds.
        #[serde(default)]
        pause: Option<u32>,
    },
}

/// Through whose eyes to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gaze {
    /// One seat's.
    Seat(u8),
    /// What everybody knows.
    Spectator,
    /// Nothing is hidden.
    Everything,
}

impl From<Gaze> for Eyes {
    fn from(gaze: Gaze) -> Eyes {
        match gaze {
            Gaze::Seat(seat) => Eyes::Seat(Seat::new(seat.into())),
            Gaze::Spectator => Eyes::Spectator,
            Gaze::Everything => Eyes::Everything,
        }
    }
}

/// What the server says.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Reply {
    /// Which table this is and who sits there.
    #[serde(rename_all = "kebab-case")]
    Table {
        /// Its name in addresses.
        table: String,
        /// The game.
        game: String,
        /// All rule options.
        rules: Value,
        /// Who sits where.
        seats: Vec<SeatState>,
        /// Whether it is a recorded game to look at.
        study: bool,
        /// Whether the own moves can be taken back here.
        take_back: bool,
        /// Milliseconds between the actions of agents, where only agents play; none while they are halted.
        pace: Option<u32>,
    },
    /// What is to be seen.
    Update(Box<Update>),
    /// What an agent thinks.
    #[serde(rename_all = "kebab-case")]
    Insight {
        /// Of the position after so many actions.
        for_ply: usize,
        /// How many times it has looked deeper.
        depth: u32,
        /// Whether it will look no deeper.
        r#final: bool,
        /// Its thoughts.
        #[serde(flatten)]
        insight: Box<InsightReport>,
    },
    /// One decision of a curve.
    #[serde(rename_all = "kebab-case")]
    Point {
        /// Who judges.
        agent: String,
        /// Whose decision.
        seat: usize,
        /// The actions played before it.
        ply: usize,
        /// The value of the best action.
        value: Option<f64>,
        /// The value of what was played.
        played: Option<f64>,
        /// The best action.
        choice: String,
        /// What was played.
        action: String,
        /// How many decisions have been judged, this one included.
        done: usize,
        /// Of how many.
        of: usize,
    },
    /// A new table with the same people.
    Moved {
        /// Its name in addresses.
        table: String,
        /// The keys of the seats that this connection held.
        keys: Vec<String>,
    },
    /// What was asked for is refused.
    Error {
        /// Why.
        message: String,
    },
    /// Another window holds the seat now.
    TakenOver {},
    /// The table is gone.
    Closed {
        /// Why.
        message: String,
    },
}

/// Who sits at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatState {
    /// The seat.
    pub seat: usize,
    /// The person's name or the agent's spec.
    pub name: String,
    /// Whether it is an agent.
    pub agent: bool,
    /// Whether it is the receiver of this message.
    pub you: bool,
    /// Whether a person's window is open.
    pub here: bool,
}

/// What is to be seen.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Update {
    /// The position shown is that after so many actions.
    pub ply: usize,
    /// So many have been played.
    pub plies: usize,
    /// Through whose eyes.
    pub eyes: Gaze,
    /// Whose turn it is in the position shown.
    pub to_act: Option<usize>,
    /// The agent that is thinking now.
    pub thinking: Option<usize>,
    /// The position.
    pub scene: Value,
    /// What happened, from action `events-from` on.
    pub events: Vec<EventReport>,
    /// How many earlier events the receiver has got already.
    pub events_from: usize,
    /// What the receiver may do now; none if it is not its turn.
    pub actions: Option<Vec<ActionReport>>,
    /// How the game ended; none while it goes on.
    pub outcome: Option<OutcomeReport>,
}
