//! What a browser and the server say to each other over a socket.

use crate::setup::RoomOptions;
use oboro_catalog::{EndingReport, EvaluationReport, EventReport, InsightReport, OutcomeReport};
use oboro_core::{Perspective, Phrase, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The first thing that a browser says.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Greeting {
    /// The keys of the seats it holds; none for a spectator.
    Hello {
        /// Secrets that were handed out with the seats.
        #[serde(default)]
        keys: Vec<String>,
    },
}

/// What a browser says after that.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    /// Plays an action.
    Play {
        /// For which seat.
        seat: usize,
        /// The action's notation.
        action: String,
        /// After how many actions it is meant: said again after a lost connection, it is not played twice.
        #[serde(default)]
        ply: Option<usize>,
    },
    /// Takes an open seat of a room.
    Sit {
        /// Which.
        seat: usize,
        /// The person's name.
        name: String,
        /// A secret that the browser made up: 20 to 64 letters and digits. Who says it holds the seat.
        key: String,
    },
    /// Gives a seat free before the game begins; after that an agent plays on.
    Leave {
        /// Which.
        seat: usize,
    },
    /// Comes back to the own seat, at which an agent plays on.
    Return {
        /// Which.
        seat: usize,
    },
    /// Begins the game of a room: agents take the seats that are still open.
    Begin {},
    /// Chooses what to be shown from now on.
    Look {
        /// The position after so many actions; none follows the game.
        #[serde(default)]
        ply: Option<usize>,
        /// Through whose eyes.
        eyes: Viewpoint,
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
    /// Asks which action the game's best agent advises, and what all are worth.
    Hint {
        /// From which seat.
        seat: usize,
        /// After how many actions.
        ply: usize,
    },
    /// Asks for the value of every decision of a seat.
    Curve {
        /// The spec of the agent that judges; the game's best one, if it knows no values.
        agent: String,
        /// Whose decisions.
        seat: usize,
    },
    /// Says something to everybody at the table.
    Say {
        /// From which seat.
        seat: usize,
        /// What.
        phrase: QuickPhrase,
    },
    /// Chooses how fast agents play, among themselves or with one person, in milliseconds between actions; none halts agents
    /// among themselves.
    Pace {
        /// Milliseconds.
        #[serde(default)]
        pause: Option<u32>,
    },
}

/// What people may say to each other; every browser says it in its own language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum QuickPhrase {
    Hello,
    GoodLuck,
    GoodMove,
    Oops,
    OneMoment,
    YourTurn,
    WellPlayed,
    Thanks,
}

/// Something that was said at a table; it is kept nowhere but in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Said {
    /// The how many-eth thing it is that was said here.
    pub(crate) number: u64,
    /// Who said it.
    pub(crate) seat: usize,
    /// What.
    pub(crate) phrase: QuickPhrase,
}

/// Through whose eyes to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Viewpoint {
    /// One seat's.
    Seat(u8),
    /// What everybody knows.
    Spectator,
    /// Nothing is hidden.
    Everything,
}

impl From<Viewpoint> for Perspective {
    fn from(viewpoint: Viewpoint) -> Perspective {
        match viewpoint {
            Viewpoint::Seat(seat) => Perspective::Seat(Seat::new(seat.into())),
            Viewpoint::Spectator => Perspective::Spectator,
            Viewpoint::Everything => Perspective::Everything,
        }
    }
}

/// What the server says.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Reply {
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
        /// What is special about a room; none for a table that is none.
        room: Option<RoomState>,
        /// The table at which the same people go on.
        next: Option<String>,
        /// The event whose table it is.
        event: Option<String>,
        /// Whether the own moves can be taken back here.
        take_back: bool,
        /// Milliseconds between the actions of agents; none while they are halted, and where nobody chose any.
        pace: Option<u32>,
        /// Whether agents may be asked now.
        hints: bool,
        /// How many look on.
        watchers: usize,
        /// Whether more than one person plays here, so that they may talk.
        talk: bool,
        /// The SHA-256 of the seed from which the server dealt, in hexadecimal digits. The record has the seed.
        commitment: Option<String>,
    },
    /// What somebody says.
    Said(Said),
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
    /// What the actions of a position are worth.
    #[serde(rename_all = "kebab-case")]
    Advice {
        /// Of the position after so many actions.
        for_ply: usize,
        /// From which seat.
        seat: usize,
        /// The values, the advised action first.
        evaluation: EvaluationReport,
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
        /// The expected payoff of the best action.
        value: f64,
        /// Its standard error.
        error: f64,
        /// The expected payoff of what was played; none if it was not weighed.
        played: Option<f64>,
        /// The best action, in words.
        best: Phrase,
        /// What was played, in words.
        action: Phrase,
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
#[allow(
    clippy::struct_excessive_bools,
    reason = "each of them is one thing that a screen shows or not"
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SeatState {
    /// The seat.
    pub(crate) seat: usize,
    /// The person's name or the agent's spec.
    pub(crate) name: String,
    /// Whether it is an agent.
    pub(crate) agent: bool,
    /// Whether anybody may take it.
    pub(crate) open: bool,
    /// Whether an agent plays on for the person who holds it.
    pub(crate) stand_in: bool,
    /// Whether it is the receiver of this message.
    pub(crate) you: bool,
    /// Whether a person's window is open.
    pub(crate) here: bool,
}

/// A room, as one client sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct RoomState {
    /// Whether people still take their seats: nothing of the game is shown before it begins.
    pub(crate) gathering: bool,
    /// Whether the receiver may begin the game.
    pub(crate) host: bool,
    /// How people come, go and use up time.
    #[serde(flatten)]
    pub(crate) options: RoomOptions,
}

/// A room in the list that everybody may see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Room {
    /// Its name in addresses.
    pub(crate) table: String,
    /// The game.
    pub(crate) game: String,
    /// Whether people still take their seats.
    pub(crate) gathering: bool,
    /// Who sits where.
    pub(crate) seats: Vec<SeatState>,
    /// How many look on.
    pub(crate) watchers: usize,
    /// How many actions have been played.
    pub(crate) plies: usize,
}

/// People's clocks at the moment of the message, in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ClockState {
    /// What every seat has left for the game; none for agents, and without such a limit.
    pub(crate) seats: Vec<Option<u64>>,
    /// Whose clock runs.
    pub(crate) running: Option<usize>,
    /// What is left for this move.
    pub(crate) for_move: Option<u64>,
}

/// Something that has been written as JSON already: scenes are large, and a turn may have hundreds of actions.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Written(pub Box<RawValue>);

impl PartialEq for Written {
    fn eq(&self, other: &Written) -> bool {
        self.0.get() == other.0.get()
    }
}

/// What is to be seen.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Update {
    /// The position shown is that after so many actions.
    pub(crate) ply: usize,
    /// So many have been played.
    pub(crate) plies: usize,
    /// Through whose eyes.
    pub(crate) eyes: Viewpoint,
    /// Whose turn it is in the position shown.
    pub(crate) to_act: Option<usize>,
    /// The agent that is thinking now.
    pub(crate) thinking: Option<usize>,
    /// The position.
    pub(crate) scene: Written,
    /// What happened, from action `events-from` on.
    pub(crate) events: Vec<EventReport>,
    /// How many earlier events the receiver has got already.
    pub(crate) events_from: usize,
    /// What the receiver may do now; none if it is not its turn.
    pub(crate) actions: Option<Written>,
    /// How the game ended; none while it goes on.
    pub(crate) outcome: Option<OutcomeReport>,
    /// Why it ended so; none while it goes on.
    pub(crate) ending: Option<EndingReport>,
    /// People's clocks; none without any, and after the end.
    pub(crate) clock: Option<ClockState>,
}

impl Update {
    /// How long the parts are that have been written already.
    pub(crate) fn written(&self) -> usize {
        let actions = self.actions.as_ref().map_or(0, |actions| actions.0.get().len());
        self.scene.0.get().len() + actions
    }
}
