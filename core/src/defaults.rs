//! What a game need not write: scenes, encodings and positions made of what every game has. A game that wants better
//! implements [`GameScenes`](crate::GameScenes) or [`GameEncoding`](crate::GameEncoding) itself instead.

use crate::{
    Belief, Channel, Described, EncodingLayout, Game, GameEncoding, GameScenes, GameWorld,
    NotationError, ObservationBuffer, Phrase, Scanner, SceneData, Seat, SeatView, Shape,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// Scenes made of the serde form of a view, with its drawing as text.
pub trait DefaultScenes: Game<Event: SceneData> {
    /// What an observer knows, as data; equal exactly when views are.
    type Sight: SceneData;

    /// What a seat knows.
    fn sight(&self, view: &Self::View) -> Self::Sight;

    /// What everybody knows.
    fn public_sight(&self, world: &Self::World) -> Self::Sight;

    /// See [`GameScenes::public_event`].
    fn public_event(&self, world: &Self::World, action: Self::Action) -> Self::Event;

    /// An event in words.
    fn tell(&self, event: &Self::Event) -> Phrase;

    /// See [`GameScenes::secrets`].
    fn secrets(&self, view: &Self::View) -> Vec<Belief> {
        let _ = view;
        Vec::new()
    }

    /// See [`GameScenes::answers`].
    fn answers(&self, world: &Self::World, view: &Self::View) -> Vec<String> {
        let _ = (world, view);
        Vec::new()
    }

    /// An action in words; its notation unless the game says more.
    fn phrase(&self, action: Self::Action) -> Phrase {
        let text = action.to_string();
        Phrase::new(text.clone(), text)
    }

    /// What an observer should see at a glance, such as the own card.
    fn labels(&self, observed: &Observed<'_, Self>) -> Vec<Label> {
        let _ = observed;
        Vec::new()
    }

    /// See [`GameScenes::ending`].
    fn ending(&self, world: &Self::World, viewer: Option<Seat>) -> Vec<Phrase> {
        let _ = (world, viewer);
        Vec::new()
    }

    /// A board as text, row by row; empty for a game without one. Screens draw a grid where the first row names columns by
    /// letters and the others begin with their number.
    fn board(&self, observed: &Observed<'_, Self>) -> String {
        let _ = observed;
        String::new()
    }
}

/// What is shown of a game: the view of a seat, or everything.
#[derive(Debug)]
pub enum Observed<'a, G: Game> {
    /// What a seat knows.
    Seat(&'a G::View),
    /// The whole truth.
    All(&'a G::World),
}

/// Something that a screen shows at a glance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Label {
    /// What it is.
    pub name: Phrase,
    /// The card, the number.
    pub value: String,
}

impl Label {
    /// A label with its name in both languages.
    pub fn new(en: &str, ja: &str, value: impl Display) -> Label {
        Label { name: Phrase::new(en, ja), value: value.to_string() }
    }
}

/// A position as the default scenes have it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct DefaultScene<S> {
    /// How many seats there are.
    pub seats: usize,
    /// The seat whose turn it is; absent when the game is over.
    pub to_act: Option<usize>,
    /// The seat that looks; absent for a spectator and for the whole truth.
    pub seat: Option<usize>,
    /// The drawing of a seat's view or of the world, as a terminal shows it; absent for a spectator.
    pub text: Option<String>,
    /// What a person should see at a glance; nothing for a spectator.
    pub labels: Vec<Label>,
    /// A board as text, row by row; empty for a game without one and for a spectator.
    pub board: String,
    /// What the observer knows; absent for the whole truth.
    pub sight: Option<S>,
    /// The whole truth as a position in the game's notation.
    pub position: Option<String>,
}

/// An action as the default scenes have it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DefaultParts {
    /// Its text form.
    pub action: String,
}

impl<G: DefaultScenes> GameScenes for G {
    type Scene = DefaultScene<G::Sight>;
    type ActionData = DefaultParts;
    type EventData = G::Event;

    fn scene(&self, view: &G::View) -> Self::Scene {
        DefaultScene {
            seats: self.seats(),
            to_act: view.to_act().map(Seat::index),
            seat: Some(view.seat().index()),
            text: Some(view.to_string()),
            labels: self.labels(&Observed::Seat(view)),
            board: self.board(&Observed::Seat(view)),
            sight: Some(self.sight(view)),
            position: None,
        }
    }

    fn public_scene(&self, world: &G::World) -> Self::Scene {
        DefaultScene {
            seats: self.seats(),
            to_act: world.to_act().map(Seat::index),
            seat: None,
            text: None,
            labels: Vec::new(),
            board: String::new(),
            sight: Some(self.public_sight(world)),
            position: None,
        }
    }

    fn full_scene(&self, world: &G::World) -> Self::Scene {
        let all = Observed::All(world);
        DefaultScene {
            text: Some(world.to_string()),
            labels: self.labels(&all),
            board: self.board(&all),
            sight: None,
            position: Some(self.write_position(world)),
            ..self.public_scene(world)
        }
    }

    fn describe(&self, _: &G::View, action: G::Action) -> Described<DefaultParts> {
        Described { parts: DefaultParts { action: action.to_string() }, text: self.phrase(action) }
    }

    fn public_event(&self, world: &G::World, action: G::Action) -> G::Event {
        DefaultScenes::public_event(self, world, action)
    }

    fn narrate(&self, _: &Self::Scene, event: &G::Event) -> Described<G::Event> {
        Described { parts: event.clone(), text: self.tell(event) }
    }

    fn ending(&self, world: &G::World, viewer: Option<Seat>) -> Vec<Phrase> {
        DefaultScenes::ending(self, world, viewer)
    }

    fn recall(&self, told: &G::Event) -> Option<G::Event> {
        Some(told.clone())
    }

    fn secrets(&self, view: &G::View) -> Vec<Belief> {
        DefaultScenes::secrets(self, view)
    }

    fn answers(&self, world: &G::World, view: &G::View) -> Vec<String> {
        DefaultScenes::answers(self, world, view)
    }
}

/// Observations made of a list of small numbers, and actions by an enumeration of all there are.
pub trait DefaultEncoding: Game {
    /// How many different actions there are.
    fn action_count(&self) -> usize;

    /// The place of an action among all, below [`action_count`](DefaultEncoding::action_count).
    fn action_index(&self, action: Self::Action) -> usize;

    /// What the numbers of a view mean.
    fn view_channels(&self) -> Vec<Channel>;

    /// Writes a view as one number a channel; views that differ differ in numbers.
    fn write_view(&self, view: &Self::View, out: &mut [u8]);

    /// What the numbers of the hidden part mean.
    fn hidden_channels(&self) -> Vec<Channel>;

    /// Writes what is hidden from a seat as one number a channel.
    fn write_hidden(&self, world: &Self::World, seat: Seat, out: &mut [u8]);
}

impl<G: DefaultEncoding> GameEncoding for G {
    type Memory = ();

    fn layout(&self) -> EncodingLayout {
        EncodingLayout {
            observation: Shape::new([0, 0], Vec::new(), self.view_channels()),
            truth: Shape::new([0, 0], Vec::new(), self.hidden_channels()),
            actions: self.action_count(),
        }
    }

    fn memory(&self, _: &G::View) {}

    fn remember(&self, (): &mut (), _: &G::View, _: &G::Event) {}

    fn encode(&self, view: &G::View, (): &(), out: ObservationBuffer<'_>) {
        self.write_view(view, out.features);
    }

    fn encode_truth(&self, world: &G::World, seat: Seat, out: ObservationBuffer<'_>) {
        self.write_hidden(world, seat, out.features);
    }

    fn action_index(&self, _: &G::View, action: G::Action) -> usize {
        self.action_index(action)
    }

    fn action_at(&self, view: &G::View, number: usize) -> Option<G::Action> {
        let mut found = None;
        view.for_each_legal(|action| {
            if self.action_index(action) == number {
                found = Some(action);
            }
        });
        found
    }
}

/// Draws a position for a terminal as a line for each seat, with a mark at the one whose turn it is.
///
/// # Errors
/// If the drawing cannot be written.
pub fn draw_seats(
    f: &mut fmt::Formatter<'_>,
    seats: usize,
    to_act: Option<Seat>,
    line: impl Fn(Seat) -> String,
) -> fmt::Result {
    Seat::all(seats).try_for_each(|seat| {
        let mark = if to_act == Some(seat) { '▶' } else { ' ' };
        writeln!(f, "{}", format!("{mark} seat {seat}  {}", line(seat)).trim_end())
    })
}

/// Writes a position as its deal and the actions played since: `DEAL: ACTION ACTION …`. The text of the deal has no colon.
pub fn write_history<A: Display>(
    deal: &impl Display,
    actions: impl IntoIterator<Item = A>,
) -> String {
    let mut text = format!("{deal}:");
    for action in actions {
        text.push(' ');
        text.push_str(&action.to_string());
    }
    text
}

/// Reads what [`write_history`] wrote; `start` reads the deal.
///
/// # Errors
/// If the deal cannot be read, or an action is none or not legal; at its column.
pub fn parse_history<W: GameWorld>(
    text: &str,
    start: impl FnOnce(&str) -> Result<W, String>,
) -> Result<W, NotationError>
where
    W::Action: std::str::FromStr<Err = NotationError>,
{
    let Some((deal, _)) = text.split_once(':') else {
        return Err(NotationError::new(text, text.len(), "expected `DEAL: ACTION …`"));
    };
    let mut world = start(deal).map_err(|message| NotationError::new(text, 0, message))?;
    let mut scanner = Scanner::new(text);
    scanner.expect(deal)?;
    scanner.expect(":")?;
    while !scanner.is_done() {
        scanner.skip_space();
        let at = scanner.at();
        let action: W::Action = scanner
            .word()
            .parse()
            .map_err(|error: NotationError| scanner.error_at(at + error.at, error.message))?;
        world.play(action).map_err(|error| scanner.error_at(at, error.to_string()))?;
    }
    Ok(world)
}
