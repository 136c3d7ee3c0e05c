//! What a player from outside may look at: a view of one seat.

use crate::data::{json, shown};
use crate::guided::{Evaluate, Past, Root, SearchMethod, SearchedAction};
use crate::live::LiveTable;
use crate::rules::Rules;
use crate::{ActionReport, AnyLive, CatalogError};
use oboro_core::{
    Belief, EncodingLayout, Game, LiveError, NotationError, ObservationBuffer, Player, Rng,
    SeatView,
};
use oboro_player::Playable;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

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
    /// The shapes of the game's encoding.
    fn layout(&self) -> &Arc<EncodingLayout>;
    /// The encoding of the view and of what the seat remembers, planes first.
    fn observation(&self) -> Vec<u8>;
    /// 1 at the index of each legal action.
    fn mask(&self) -> Vec<u8>;
    /// The text of the legal action with this index, if there is one.
    fn action_at(&self, index: usize) -> Option<String>;
    /// The index of the action with this text, if it is legal.
    fn action_index(&self, action: &str) -> Option<usize>;
    /// A game that agrees with what the seat knows, its hidden things drawn at random. It begins here, all seats are left
    /// to somebody outside, and the seat remembers what it has seen.
    fn imagine(&self, rng: &mut Rng) -> Box<dyn AnyLive>;
    /// All games that agree with what the seat knows, each with its probability by the rules alone, where the game lists
    /// them; see [`imagine`](Turn::imagine).
    fn hypotheses(&self) -> Option<Vec<(f64, Box<dyn AnyLive>)>>;
    /// What an agent of ours would play here. It is shown this view alone, as if the game began with it.
    ///
    /// # Errors
    /// If the seat is not to move, or the agent cannot be built, is an oracle or fails.
    fn choose(&self, spec: &str, seed: u64) -> Result<String, CatalogError>;
    /// What a search finds out of the actions, with an evaluator from outside. Actions never tried are left out.
    ///
    /// # Errors
    /// If the seat is not to move, or the evaluator fails or answers nonsense.
    fn search(
        &self,
        method: SearchMethod,
        evaluate: Evaluate,
        seed: u64,
    ) -> Result<Vec<SearchedAction>, CatalogError>;
    /// A copy that outlives the turn, for agents that answer from another thread.
    fn keep(&self) -> Box<dyn Turn>;
}

/// A look at a view.
pub(crate) struct ViewTurn<'a, G: Playable> {
    rules: Arc<Rules<G>>,
    view: Cow<'a, G::View>,
    ply: usize,
    seed: u64,
    /// What the seat has seen that its view no longer shows.
    memory: Cow<'a, G::Memory>,
    /// What it has seen, where somebody asked for that.
    past: Option<Arc<Past<G>>>,
}

impl<'a, G: Playable> ViewTurn<'a, G> {
    pub(crate) fn new(
        rules: &Arc<Rules<G>>,
        view: &'a G::View,
        memory: &'a G::Memory,
        (ply, seed): (usize, u64),
    ) -> ViewTurn<'a, G> {
        let (view, memory) = (Cow::Borrowed(view), Cow::Borrowed(memory));
        ViewTurn { rules: Arc::clone(rules), view, ply, seed, memory, past: None }
    }

    /// A look at a view that nobody else needs.
    pub(crate) fn owned(
        rules: &Arc<Rules<G>>,
        view: G::View,
        memory: G::Memory,
        ply: usize,
    ) -> ViewTurn<'static, G> {
        let (view, memory) = (Cow::Owned(view), Cow::Owned(memory));
        ViewTurn { rules: Arc::clone(rules), view, ply, seed: 0, memory, past: None }
    }

    /// The same with all that its seat has seen.
    pub(crate) fn with_past(self, past: Past<G>) -> ViewTurn<'a, G> {
        ViewTurn { past: Some(Arc::new(past)), ..self }
    }

    pub(crate) fn view(&self) -> &G::View {
        &self.view
    }

    fn game(&self) -> &G {
        &self.rules.game
    }

    /// The seat must be to move.
    fn check_turn(&self) -> Result<(), LiveError> {
        let seat = self.view.seat();
        match self.view.to_act() {
            Some(turn) if turn == seat => Ok(()),
            Some(turn) => Err(LiveError::Turn(seat, turn)),
            None => Err(LiveError::Over),
        }
    }

    /// A game that begins in a world, of which the seat remembers what it remembers here.
    fn live(&self, world: G::World) -> Box<dyn AnyLive> {
        let known = (self.view.seat(), G::Memory::clone(&self.memory));
        Box::new(LiveTable::imagined(&self.rules, world, known))
    }
}

impl<G: Playable> Turn for ViewTurn<'_, G> {
    fn seat(&self) -> usize {
        self.view.seat().index()
    }

    fn ply(&self) -> usize {
        self.ply
    }

    fn scene(&self) -> Value {
        json(&self.game().scene(&self.view))
    }

    fn write_scene(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(out, &self.game().scene(&self.view))
            .expect("plain data has a JSON form");
    }

    fn position(&self) -> String {
        // Of the seat's own seed: nothing that it could not have drawn itself.
        let mut rng = Rng::from_u64(self.seed.wrapping_add(self.ply as u64));
        self.game().write_position(&self.view.imagine(&mut rng))
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
        let describe = |action| ActionReport::of(self.game(), &self.view, action);
        self.view.legal_actions().into_iter().map(describe).collect()
    }

    fn secrets(&self) -> Vec<Belief> {
        self.game().secrets(&self.view)
    }

    fn layout(&self) -> &Arc<EncodingLayout> {
        &self.rules.layout
    }

    fn observation(&self) -> Vec<u8> {
        let shape = &self.rules.layout.observation;
        let mut row = vec![0; shape.len()];
        self.game().encode(&self.view, &self.memory, ObservationBuffer::split(shape, &mut row));
        row
    }

    fn mask(&self) -> Vec<u8> {
        let mut mask = vec![0; self.rules.layout.actions];
        self.game().mark_legal(&self.view, &mut mask);
        mask
    }

    fn action_at(&self, index: usize) -> Option<String> {
        Some(self.game().action_at(&self.view, index)?.to_string())
    }

    fn action_index(&self, action: &str) -> Option<usize> {
        let action = legal_action::<G>(&self.view, action).ok()?;
        Some(self.game().action_index(&self.view, action))
    }

    fn imagine(&self, rng: &mut Rng) -> Box<dyn AnyLive> {
        self.live(self.view.imagine(rng))
    }

    fn hypotheses(&self) -> Option<Vec<(f64, Box<dyn AnyLive>)>> {
        let worlds = oboro_player::all_worlds(self.game(), &self.view)?;
        let total: f64 = worlds.iter().map(|(weight, _)| weight).sum();
        Some(worlds.into_iter().map(|(weight, world)| (weight / total, self.live(world))).collect())
    }

    fn choose(&self, spec: &str, seed: u64) -> Result<String, CatalogError> {
        self.check_turn()?;
        let (_, factory) = self.rules.build(spec)?;
        let Player::Agent(mut agent) = factory() else { return Err(LiveError::Oracle.into()) };
        agent.seed(seed);
        agent.begin(&self.view);
        match agent.try_act(&self.view, &mut Rng::from_u64(seed)) {
            Ok(action) => Ok(action.to_string()),
            Err(reason) => Err(LiveError::GaveUp(self.view.seat(), reason).into()),
        }
    }

    fn search(
        &self,
        method: SearchMethod,
        evaluate: Evaluate,
        seed: u64,
    ) -> Result<Vec<SearchedAction>, CatalogError> {
        self.check_turn()?;
        let (view, memory, past) = (&*self.view, &*self.memory, self.past.as_deref());
        let root = Root { view, memory, plies: self.ply, past };
        crate::guided::search(&self.rules, &root, method, evaluate, seed)
    }

    fn keep(&self) -> Box<dyn Turn> {
        Box::new(ViewTurn::<'static, G> {
            rules: Arc::clone(&self.rules),
            view: Cow::Owned(G::View::clone(&self.view)),
            ply: self.ply,
            seed: self.seed,
            memory: Cow::Owned(G::Memory::clone(&self.memory)),
            past: self.past.clone(),
        })
    }
}

/// The legal action that a text means.
pub(crate) fn legal_action<G: Game>(view: &G::View, text: &str) -> Result<G::Action, String> {
    let action: G::Action = text
        .parse()
        .map_err(|error: NotationError| format!("its action cannot be read: {}", shown(&error)))?;
    let mut legal = false;
    view.for_each_legal(|other| legal |= other == action);
    if legal { Ok(action) } else { Err(format!("it played `{action}`, which is not legal")) }
}
