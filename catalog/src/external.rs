//! Players from outside: programs in other processes and languages, behind the same door as our agents.

use crate::encoding::{AnyMemory, EncodingAdapter};
use crate::report::{AnalysisReport, json, one_line};
use crate::{ActionReport, EventReport};
use oboro_core::{
    ActionValue, Agent, Analysis, Belief, EncodingLayout, Factory, GameScenes, NotationError,
    Player, Rng, Seat, SeatView, SpecError,
};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// A player that lives outside: it is told what its seat may know, as data, and answers with an action's text.
///
/// It lives for one game, and is told in order: how the game begins, what its seat saw, its turns, how it ended.
/// Whatever goes wrong with it before its turn (the program is gone) is said when it is asked to act.
pub trait ExternalAgent: Send {
    /// A game begins; called once, before all else.
    fn begin(&mut self, opening: Opening);

    /// What its seat saw of an action, its own included, in order of play.
    fn observe(&mut self, event: EventReport) {
        let _ = event;
    }

    /// Its turn: the text of one of [`Turn::actions`].
    ///
    /// # Errors
    /// Why there is none: it forfeits the game, and the reason stands in the record.
    fn act(&mut self, turn: &dyn Turn) -> Result<String, String>;

    /// What it thinks of the actions; `None` if it only picks.
    ///
    /// # Errors
    /// As [`act`](ExternalAgent::act).
    fn analyse(&mut self, turn: &dyn Turn) -> Result<Option<AnalysisReport>, String> {
        let _ = turn;
        Ok(None)
    }

    /// What it thinks of hidden things, in the words of [`Turn::secrets`]. Asking does not change how it plays.
    fn beliefs(&mut self, turn: &dyn Turn) -> Vec<Belief> {
        let _ = turn;
        Vec::new()
    }

    /// How the game ended.
    fn end(&mut self, ending: &Ending) {
        let _ = ending;
    }
}

/// Brings a foreign player to a table; called once per game.
pub type ExternalFactory = Arc<dyn Fn() -> Box<dyn ExternalAgent> + Send + Sync>;

/// How a game begins for a player from outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// The game's name.
    pub game: &'static str,
    /// All rule options as data.
    pub rules: Value,
    /// Where it sits.
    pub seat: usize,
    /// How many seats there are.
    pub seats: usize,
    /// A seed for its own randomness, from the game's streams: equal seeds make equal games. It is below 2^53, so that
    /// every language can read it.
    pub seed: u64,
    /// What its seat knows at the start, in the shape of the game's `scene` schema.
    pub scene: Value,
    /// A position that agrees with it, its hidden things drawn at random.
    pub position: String,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Ending {
    /// What it was worth to each seat.
    pub payoffs: Vec<f64>,
    /// Who gave it up, and why, if somebody did.
    pub forfeit: Option<(usize, String)>,
}

/// What a player from outside may look at when it is asked: its seat's view, nothing else. What is not asked for is
/// not computed.
pub trait Turn: Send + Sync {
    /// Whose view it is.
    fn seat(&self) -> usize;
    /// How many actions have been played.
    fn ply(&self) -> usize;
    /// What the seat knows, in the shape of the game's `scene` schema.
    fn scene(&self) -> Value;
    /// Appends the same as JSON text, without the detour.
    fn write_scene(&self, out: &mut Vec<u8>);
    /// A position that agrees with what the seat knows, its hidden things drawn at random; of use to programs that read
    /// positions.
    fn position(&self) -> String;
    /// The view as a terminal shows it.
    fn drawing(&self) -> String;
    /// The legal actions as text; empty if the seat is only asked for its opinion.
    fn actions(&self) -> Vec<String>;
    /// Appends them as a JSON list, without the detour.
    fn write_actions(&self, out: &mut Vec<u8>);
    /// The legal actions, described.
    fn described_actions(&self) -> Vec<ActionReport>;
    /// What is hidden from the seat, with what the rules alone say of it.
    fn secrets(&self) -> Vec<Belief>;
    /// What the numbers of the game mean; `None` for a game that has none yet.
    fn layout(&self) -> Option<&Arc<EncodingLayout>>;
    /// The view and what the seat remembers as numbers, planes first; `None` for a game that has none yet.
    fn observation(&self) -> Option<Vec<u8>>;
    /// 1 for each number that a legal action has; `None` for a game that has none yet.
    fn mask(&self) -> Option<Vec<u8>>;
    /// The text of the action with this number, if one has it.
    fn action_at(&self, number: usize) -> Option<String>;
    /// The number of the action with this text, if it is legal.
    fn action_index(&self, action: &str) -> Option<usize>;
    /// The same look, to keep after the turn: for whoever answers from another thread.
    fn keep(&self) -> Box<dyn Turn>;
}

/// Players from outside by their specs; see [`AnyRules::allow_external`](crate::AnyRules::allow_external).
pub trait ExternalAgents: Send + Sync {
    /// The player that a spec means, with its canonical spec; `None` if it means none of these.
    fn find(&self, spec: &str) -> Option<Result<(String, ExternalFactory), SpecError>>;
}

/// The external agents that specs may name, if there are any.
pub type Allowed<'a> = Option<&'a Arc<dyn ExternalAgents>>;

/// Some players by name.
impl ExternalAgents for Vec<(String, ExternalFactory)> {
    fn find(&self, spec: &str) -> Option<Result<(String, ExternalFactory), SpecError>> {
        self.iter().find(|(name, _)| name == spec).cloned().map(Ok)
    }
}

/// A foreign player as an agent of a game; its turns have no numbers.
pub fn external_agent<G: GameScenes>(game: &G, factory: ExternalFactory) -> Factory<G> {
    adapters(game, None, factory)
}

/// A foreign player as an agent of a game, with its numbers if it has some.
pub(crate) fn adapters<G: GameScenes>(
    game: &G,
    numbers: Option<(EncodingAdapter<G>, Arc<EncodingLayout>)>,
    factory: ExternalFactory,
) -> Factory<G> {
    let game = game.clone();
    Arc::new(move || {
        Player::Agent(Box::new(ExternalAdapter {
            game: game.clone(),
            numbers: numbers.clone(),
            memory: None,
            player: factory(),
            seed: 0,
            seat: Seat::FIRST,
            ply: 0,
        }))
    })
}

/// Speaks for a foreign player among agents: views and events become data, texts become actions.
struct ExternalAdapter<G: GameScenes> {
    game: G,
    numbers: Option<(EncodingAdapter<G>, Arc<EncodingLayout>)>,
    memory: Option<Box<dyn AnyMemory<G>>>,
    player: Box<dyn ExternalAgent>,
    seed: u64,
    seat: Seat,
    ply: usize,
}

impl<G: GameScenes> ExternalAdapter<G> {
    /// Looks at a view, with the seat's own seed and what it remembers.
    fn turn<'a>(&'a self, view: &'a G::View) -> ViewTurn<'a, G> {
        ViewTurn::new(&self.game, view, self.ply, self.seed, self.memory.as_deref())
    }

    /// The legal action that a text means.
    fn understand(view: &G::View, text: &str) -> Result<G::Action, String> {
        let action: G::Action = text.parse().map_err(|error: NotationError| {
            format!("its action cannot be read: {}", shown(&error))
        })?;
        let mut legal = false;
        view.for_each_legal(|other| legal |= other == action);
        if legal { Ok(action) } else { Err(format!("it played `{action}`, which is not legal")) }
    }
}

/// A complaint in a line that fits a record, whatever it quotes.
fn shown(text: &dyn fmt::Display) -> String {
    const LENGTH: usize = 200;
    let text = one_line(&text.to_string());
    if text.chars().count() <= LENGTH {
        return text;
    }
    text.chars().take(LENGTH).chain(['…']).collect()
}

impl<G: GameScenes> Agent<G> for ExternalAdapter<G> {
    fn seed(&mut self, seed: u64) {
        self.seed = seed >> 11;
    }

    fn begin(&mut self, view: &G::View) {
        self.seat = view.seat();
        self.memory =
            self.numbers.as_ref().map(|(door, layout)| (door.memory)(&self.game, layout, view));
        let opening = Opening {
            game: G::NAME,
            rules: json(&self.game),
            seat: self.seat.index(),
            seats: self.game.seats(),
            seed: self.seed,
            scene: json(&self.game.scene(view)),
            position: self.turn(view).position(),
        };
        self.player.begin(opening);
    }

    fn observe_from(&mut self, before: &dyn Fn() -> G::View, event: &G::Event) {
        let before = before();
        let mover = before.to_act().expect("an event is something that a seat does");
        self.ply += 1;
        if let Some(memory) = &mut self.memory {
            memory.remember(&before, event);
        }
        let told = self.game.narrate(&self.game.scene(&before), event);
        self.player.observe(EventReport {
            ply: self.ply,
            seat: mover.index(),
            parts: json(&told.parts),
            text: told.text,
        });
    }

    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        self.try_act(view, rng).unwrap_or_else(|_| view.legal_actions()[0])
    }

    fn try_act(&mut self, view: &G::View, _: &mut Rng) -> Result<G::Action, String> {
        let turn = ViewTurn::new(&self.game, view, self.ply, self.seed, self.memory.as_deref());
        let text = self.player.act(&turn).map_err(|reason| shown(&reason))?;
        ExternalAdapter::<G>::understand(view, &text)
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        let turn = ViewTurn::new(&self.game, view, self.ply, self.seed, self.memory.as_deref());
        let report = match self.player.analyse(&turn) {
            Ok(Some(report)) => report,
            Ok(None) => return Analysis::of_choice(self.act(view, rng)),
            Err(reason) => return gave_up(view, &reason),
        };
        let choice = match ExternalAdapter::<G>::understand(view, &report.choice) {
            Ok(choice) => choice,
            Err(reason) => return gave_up(view, &reason),
        };
        let value = |value: crate::ValueReport| {
            let action = ExternalAdapter::<G>::understand(view, &value.action).ok()?;
            let note = shown(&value.note);
            Some(ActionValue { action, value: value.value, visits: value.visits, note })
        };
        let values = report.values.into_iter().filter_map(value).collect();
        Analysis { choice, measure: "its own measure", values, drawing: report.drawing }
    }

    fn beliefs(&mut self, view: &G::View, _: &mut Rng) -> Vec<Belief> {
        let turn = ViewTurn::new(&self.game, view, self.ply, self.seed, self.memory.as_deref());
        self.player.beliefs(&turn)
    }

    fn end(&mut self, payoffs: &[f64], forfeit: Option<&(Seat, String)>) {
        let forfeit = forfeit.map(|(seat, reason)| (seat.index(), reason.clone()));
        self.player.end(&Ending { payoffs: payoffs.to_vec(), forfeit });
    }
}

/// What is said of a player that was asked for its opinion and had none to give.
fn gave_up<V: SeatView>(view: &V, reason: &str) -> Analysis<V::Action> {
    let drawing = Some(format!("it would give the game up: {}\n", shown(&reason)));
    Analysis { drawing, ..Analysis::of_choice(view.legal_actions()[0]) }
}

/// A look at a view.
pub(crate) struct ViewTurn<'a, G: GameScenes> {
    game: Cow<'a, G>,
    view: Cow<'a, G::View>,
    ply: usize,
    seed: u64,
    memory: Option<Held<'a, G>>,
}

/// What a seat remembers, borrowed or kept.
enum Held<'a, G: GameScenes> {
    Lent(&'a dyn AnyMemory<G>),
    Kept(Box<dyn AnyMemory<G>>),
}

impl<'a, G: GameScenes> ViewTurn<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        view: &'a G::View,
        ply: usize,
        seed: u64,
        memory: Option<&'a dyn AnyMemory<G>>,
    ) -> ViewTurn<'a, G> {
        let (game, view) = (Cow::Borrowed(game), Cow::Borrowed(view));
        ViewTurn { game, view, ply, seed, memory: memory.map(Held::Lent) }
    }

    fn memory(&self) -> Option<&dyn AnyMemory<G>> {
        match self.memory.as_ref()? {
            Held::Lent(memory) => Some(*memory),
            Held::Kept(memory) => Some(memory.as_ref()),
        }
    }
}

impl<G: GameScenes> Turn for ViewTurn<'_, G> {
    fn seat(&self) -> usize {
        self.view.seat().index()
    }

    fn ply(&self) -> usize {
        self.ply
    }

    fn scene(&self) -> Value {
        json(&self.game.scene(&self.view))
    }

    fn write_scene(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(out, &self.game.scene(&self.view))
            .expect("plain data has a JSON form");
    }

    fn position(&self) -> String {
        // Of the seat's own seed: nothing that it could not have drawn itself.
        let mut rng = Rng::from_u64(self.seed.wrapping_add(self.ply as u64));
        self.game.write_position(&self.view.imagine(&mut rng))
    }

    fn drawing(&self) -> String {
        self.view.to_string()
    }

    fn actions(&self) -> Vec<String> {
        self.view.legal_actions().iter().map(ToString::to_string).collect()
    }

    fn write_actions(&self, out: &mut Vec<u8>) {
        // One text serves all: a turn in Labyrinth has hundreds of actions.
        let mut text = String::new();
        let mut before = b'[';
        self.view.for_each_legal(|action| {
            text.clear();
            write!(text, "{action}").expect("a string takes everything");
            out.push(before);
            serde_json::to_writer(&mut *out, &text).expect("a text has a JSON form");
            before = b',';
        });
        out.extend_from_slice(if before == b'[' { b"[]" } else { b"]" });
    }

    fn described_actions(&self) -> Vec<ActionReport> {
        let describe = |action| ActionReport::of(&*self.game, &self.view, action);
        self.view.legal_actions().into_iter().map(describe).collect()
    }

    fn secrets(&self) -> Vec<Belief> {
        self.game.secrets(&self.view)
    }

    fn layout(&self) -> Option<&Arc<EncodingLayout>> {
        Some(self.memory()?.layout())
    }

    fn observation(&self) -> Option<Vec<u8>> {
        Some(self.memory()?.observation(&self.view))
    }

    fn mask(&self) -> Option<Vec<u8>> {
        Some(self.memory()?.mask(&self.view))
    }

    fn action_at(&self, number: usize) -> Option<String> {
        Some(self.memory()?.action(&self.view, number)?.to_string())
    }

    fn action_index(&self, action: &str) -> Option<usize> {
        let action = ExternalAdapter::<G>::understand(&self.view, action).ok()?;
        Some(self.memory()?.number(&self.view, action))
    }

    fn keep(&self) -> Box<dyn Turn> {
        Box::new(ViewTurn::<'static, G> {
            game: Cow::Owned(G::clone(&self.game)),
            view: Cow::Owned(G::View::clone(&self.view)),
            ply: self.ply,
            seed: self.seed,
            memory: self.memory().map(|memory| Held::Kept(memory.again())),
        })
    }
}
