//! External agents: programs in other processes and languages, named by specs as our agents are.

use crate::EventReport;
use crate::data::{json, shown};
use crate::report::AnalysisReport;
use crate::rules::Rules;
use crate::turn::{Turn, ViewTurn, legal_action};
use oboro_core::{
    ActionValue, Agent, Analysis, Belief, Factory, Player, Rng, Seat, SeatView, SpecError,
};
use oboro_player::Playable;
use serde_json::Value;
use std::sync::Arc;

/// A player that lives outside: it is told what its seat may know, as data, and answers with an action's text.
///
/// It lives for one game, and is told in order: how the game begins, what its seat saw, its turns, how it ended.
/// Whatever goes wrong with it before its turn (the program is gone) is said when it is asked to act.
///
/// ```
/// use oboro_catalog::{ExternalAgent, ExternalAgents, ExternalFactory, Keep, Opening, Turn, rules};
/// use oboro_core::Seed;
/// use std::sync::Arc;
///
/// /// Plays the first action that there is.
/// struct First;
///
/// impl ExternalAgent for First {
///     fn begin(&mut self, _: Opening) {}
///     fn act(&mut self, turn: &dyn Turn) -> Result<String, String> {
///         turn.actions().into_iter().next().ok_or_else(|| "there is nothing to do".to_owned())
///     }
/// }
///
/// let first: ExternalFactory = Arc::new(|| Box::new(First));
/// let known: Arc<dyn ExternalAgents> = Arc::new(vec![("first".to_owned(), first)]);
/// let lineup = rules("geister", &[], Some(&known))?.lineup(&["first", "random"])?;
/// let played = lineup.play(&[0, 1], 0, &Seed::from_u64(1).game(0, 0), Keep::default()).unwrap();
/// assert!(played.forfeit.is_none());
/// # Ok::<(), oboro_core::SpecError>(())
/// ```
pub trait ExternalAgent: Send {
    /// Whether it reads [`Opening::position`]; one that does not is given an empty one.
    fn reads_positions(&self) -> bool {
        true
    }

    /// A game begins; called once, before all else.
    fn begin(&mut self, opening: Opening);

    /// What its seat saw of an action, its own included, in order of play, and what it might look at before.
    fn observe(&mut self, event: EventReport, before: &dyn Turn) {
        let _ = (event, before);
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

/// Brings an external player to a table; called once per game.
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

/// An external player as an agent of a game.
pub fn external_agent<G: Playable>(game: &G, factory: ExternalFactory) -> Factory<G> {
    adapters(Arc::new(Rules::new(game.clone(), Vec::new(), "random")), factory)
}

/// The same, by rules of the catalog.
pub(crate) fn adapters<G: Playable>(rules: Arc<Rules<G>>, factory: ExternalFactory) -> Factory<G> {
    Arc::new(move || {
        Player::Agent(Box::new(ExternalAdapter {
            rules: Arc::clone(&rules),
            memory: None,
            player: factory(),
            seed: 0,
            seat: Seat::FIRST,
            ply: 0,
        }))
    })
}

/// Speaks for an external player among agents: views and events become data, texts become actions.
struct ExternalAdapter<G: Playable> {
    rules: Arc<Rules<G>>,
    /// What its seat remembers; made when the game begins.
    memory: Option<G::Memory>,
    player: Box<dyn ExternalAgent>,
    seed: u64,
    seat: Seat,
    ply: usize,
}

impl<G: Playable> ExternalAdapter<G> {
    /// Lets the player look at a view, with the seat's own seed and what it remembers.
    fn ask<T>(
        &mut self,
        view: &G::View,
        question: impl FnOnce(&mut dyn ExternalAgent, &dyn Turn) -> T,
    ) -> T {
        let memory = self.memory.get_or_insert_with(|| self.rules.game.memory(view));
        let now = (self.ply, self.seed);
        let turn = ViewTurn::new(&self.rules, view, memory, now);
        question(self.player.as_mut(), &turn)
    }
}

impl<G: Playable> Agent<G> for ExternalAdapter<G> {
    fn seed(&mut self, seed: u64) {
        self.seed = seed >> 11;
    }

    fn begin(&mut self, view: &G::View) {
        self.seat = view.seat();
        self.memory = Some(self.rules.game.memory(view));
        let position = |player: &mut dyn ExternalAgent, turn: &dyn Turn| {
            if player.reads_positions() { turn.position() } else { String::new() }
        };
        let position = self.ask(view, position);
        let opening = Opening {
            game: G::NAME,
            rules: json(&self.rules.game),
            seat: self.seat.index(),
            seats: self.rules.game.seats(),
            seed: self.seed,
            scene: json(&self.rules.game.scene(view)),
            position,
        };
        self.player.begin(opening);
    }

    fn observe_from(&mut self, before: &dyn Fn() -> G::View, event: &G::Event) {
        let before = before();
        let mover = before.to_act().expect("an event is something that a seat does");
        let told = self.rules.game.narrate(&self.rules.game.scene(&before), event);
        let report = EventReport {
            ply: self.ply + 1,
            seat: mover.index(),
            parts: json(&told.parts),
            text: told.text,
        };
        self.ask(&before, |player, turn| player.observe(report, turn));
        if let Some(memory) = &mut self.memory {
            self.rules.game.remember(memory, &before, event);
        }
        self.ply += 1;
    }

    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        self.try_act(view, rng).unwrap_or_else(|_| view.legal_actions()[0])
    }

    fn try_act(&mut self, view: &G::View, _: &mut Rng) -> Result<G::Action, String> {
        let text = self.ask(view, |player, turn| player.act(turn));
        legal_action::<G>(view, &text.map_err(|reason| shown(&reason))?)
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        let report = match self.ask(view, |player, turn| player.analyse(turn)) {
            Ok(Some(report)) => report,
            Ok(None) => return Analysis::of_choice(self.act(view, rng)),
            Err(reason) => return gave_up(view, &reason),
        };
        let choice = match legal_action::<G>(view, &report.choice) {
            Ok(choice) => choice,
            Err(reason) => return gave_up(view, &reason),
        };
        let value = |value: crate::ValueReport| {
            let action = legal_action::<G>(view, &value.action).ok()?;
            let note = shown(&value.note);
            Some(ActionValue { action, value: value.value, visits: value.visits, note })
        };
        let values = report.values.into_iter().filter_map(value).collect();
        Analysis { choice, measure: "its own measure", values, drawing: report.drawing }
    }

    fn beliefs(&mut self, view: &G::View, _: &mut Rng) -> Vec<Belief> {
        self.ask(view, |player, turn| player.beliefs(turn))
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
