//! Searches with an evaluator from outside: the tree, and the player of every game.

use crate::CatalogError;
use crate::rules::Rules;
use crate::turn::{Turn, ViewTurn};
use oboro_core::{Agent as _, GameWorld, Rng, Seat, SeatView, Stop, check_range};
use oboro_player::{Evaluator, Limits, Playable, PlayerAgent, Position, Prediction};
use oboro_search::{Evaluation, GuidedSearch, Simulation, Tally};
use std::sync::{Arc, Mutex, PoisonError};

/// Evaluates positions, each as the seat to move sees it.
pub type Evaluate = Box<dyn FnMut(Vec<Box<dyn Turn>>) -> Result<Vec<Evaluation>, String> + Send>;

/// How a position is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SearchMethod {
    /// By a tree.
    Tree(GuidedSearch),
    /// As the player of every game does: by short rollouts in worlds that what it has seen makes likely.
    Player {
        /// How much it thinks, and how it chooses.
        limits: Limits,
        /// How many positions are evaluated together.
        batch: u32,
    },
}

/// What a search found out of an action.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedAction {
    /// The action.
    pub action: String,
    /// How many playouts began with it.
    pub visits: u64,
    /// The mean of what they came to, in payoffs of the searching seat; nothing where there were none.
    pub mean: Option<f64>,
    /// Its probability: by the player's policy, or its share of the visits of a tree.
    pub share: f64,
}

/// Where a search begins.
pub(crate) struct Root<'a, G: Playable> {
    /// What the seat to move knows, and what it remembers.
    pub(crate) view: &'a G::View,
    pub(crate) memory: &'a G::Memory,
    /// How many actions have been played.
    pub(crate) plies: usize,
    /// How it came there, if that is known.
    pub(crate) past: Option<&'a Past<G>>,
}

/// What a seat has seen of a game.
pub(crate) struct Past<G: Playable> {
    /// What it knew and remembered at first.
    pub(crate) start: (G::View, G::Memory),
    /// What it knew before each action, and what it saw of it.
    pub(crate) seen: Vec<(G::View, G::Event)>,
}

/// A game that a search plays on, with what its seats remember.
struct Imagined<G: Playable> {
    rules: Arc<Rules<G>>,
    world: G::World,
    memories: Vec<G::Memory>,
    ply: usize,
}

impl<G: Playable> Simulation for Imagined<G> {
    type World = G::World;

    fn world(&self) -> &G::World {
        &self.world
    }

    fn play(&mut self, action: G::Action) {
        for (seat, memory) in Seat::all(self.memories.len()).zip(&mut self.memories) {
            let (before, event) = (self.world.view(seat), self.world.event(action, seat));
            self.rules.game.remember(memory, &before, &event);
        }
        self.world.apply(action);
        self.ply += 1;
    }
}

impl<G: Playable> Imagined<G> {
    /// As the seat to move sees it.
    fn turn(&self) -> ViewTurn<'static, G> {
        let seat = self.world.to_act().expect("a position to evaluate has somebody to move");
        let memory = self.memories[seat.index()].clone();
        ViewTurn::owned(&self.rules, self.world.view(seat), memory, self.ply)
    }
}

/// Checks an evaluation of a position and makes its probabilities add up to 1.
fn check(
    found: &mut Evaluation,
    [legal, seats, cells]: [usize; 3],
    needs_values: bool,
) -> Result<(), String> {
    let Evaluation { policy, values, beliefs } = found;
    if policy.len() != legal || policy.iter().any(|share| !share.is_finite() || *share < 0.0) {
        return Err(format!("policy: {legal} numbers from 0 on, one for each legal action"));
    }
    let is_unknown = values.is_empty() && !needs_values;
    if !is_unknown && (values.len() != seats || values.iter().any(|value| !value.is_finite())) {
        return Err(format!("values: {seats} payoffs, one for each seat"));
    }
    if !beliefs.is_empty() && (beliefs.len() != cells || beliefs.iter().any(|odds| odds.is_nan())) {
        return Err(if cells == 0 {
            "beliefs: the game has no board whose truth could be guessed".to_owned()
        } else {
            format!("beliefs: {cells} log odds, one for each cell")
        });
    }
    let total: f64 = policy.iter().sum();
    for share in policy {
        *share = if total > 0.0 { *share / total } else { 1.0 / legal as f64 };
    }
    Ok(())
}

/// Asks for evaluations and checks them.
fn asked<G: Playable>(
    rules: &Rules<G>,
    evaluate: &mut Evaluate,
    turns: Vec<ViewTurn<'static, G>>,
    needs_values: bool,
) -> Result<Vec<Evaluation>, String> {
    let truth = &rules.layout.truth;
    let cells = if truth.planes.is_empty() { 0 } else { truth.cells() };
    let mut sizes = Vec::with_capacity(turns.len());
    for turn in &turns {
        let mut legal = 0;
        turn.view().for_each_legal(|_| legal += 1);
        sizes.push([legal, rules.game.seats(), cells]);
    }
    let boxed = |turn| -> Box<dyn Turn> { Box::new(turn) };
    let mut found = evaluate(turns.into_iter().map(boxed).collect())?;
    if found.len() != sizes.len() {
        return Err(format!("{} evaluations for {} positions", found.len(), sizes.len()));
    }
    for (evaluation, size) in found.iter_mut().zip(sizes) {
        check(evaluation, size, needs_values)?;
    }
    Ok(found)
}

/// Searches at a view whose seat is to move.
pub(crate) fn search<G: Playable>(
    rules: &Arc<Rules<G>>,
    root: &Root<'_, G>,
    method: SearchMethod,
    evaluate: Evaluate,
    seed: u64,
) -> Result<Vec<SearchedAction>, CatalogError> {
    let found = match method {
        SearchMethod::Tree(search) => grow(rules, root, search, evaluate, seed),
        SearchMethod::Player { limits, batch } => {
            limits.check()?;
            check_range("batch", batch, 1..=10_000)?;
            consult(rules, root, limits, External::new(rules, root, evaluate, batch), seed)
        }
    };
    found.map_err(|message| CatalogError::Shape { path: "evaluation".to_owned(), message })
}

/// Searches by a tree.
fn grow<G: Playable>(
    rules: &Arc<Rules<G>>,
    &Root { view, memory, plies: ply, .. }: &Root<'_, G>,
    search: GuidedSearch,
    mut evaluate: Evaluate,
    seed: u64,
) -> Result<Vec<SearchedAction>, String> {
    let (own, seats) = (view.seat(), rules.game.seats());
    let draw = |rng: &mut Rng| {
        let world = view.imagine(rng);
        let remembers = |seat: Seat| {
            if seat == own { memory.clone() } else { rules.game.memory(&world.view(seat)) }
        };
        let memories = Seat::all(seats).map(remembers).collect();
        Imagined { rules: Arc::clone(rules), world, memories, ply }
    };
    let evaluate = |leaves: &[Imagined<G>]| {
        asked(rules, &mut evaluate, leaves.iter().map(Imagined::turn).collect(), true)
    };
    let branches = search.search(own, draw, evaluate, &mut Rng::from_u64(seed))?;
    let total: u64 = branches.iter().map(|branch| branch.visits).sum();
    let told = branches.into_iter().map(|branch| SearchedAction {
        action: branch.action.to_string(),
        visits: branch.visits,
        mean: Some(branch.mean),
        share: branch.visits as f64 / total as f64,
    });
    Ok(told.collect())
}

/// Lets the player decide, shown what the seat has seen.
fn consult<G: Playable>(
    rules: &Rules<G>,
    root: &Root<'_, G>,
    limits: Limits,
    external: External<G>,
    seed: u64,
) -> Result<Vec<SearchedAction>, String> {
    let (stop, failure) = (external.stop.clone(), Arc::clone(&external.failure));
    let mut player = PlayerAgent::new(&rules.game, Box::new(external), limits);
    match root.past {
        Some(Past { start: (view, memory), seen }) => {
            player.begin_with(view, memory.clone());
            for (before, event) in seen {
                player.observe_from(&|| before.clone(), event);
            }
        }
        None => player.begin_with(root.view, root.memory.clone()),
    }
    let decision = stop.watch(|| player.decide(root.view, &mut Rng::from_u64(seed)));
    if let Some(failure) = failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(failure);
    }
    let told = decision.policy.into_iter().map(|(action, share)| {
        let tried = decision.tallies.iter().find(|tally| tally.action == action);
        SearchedAction {
            action: action.to_string(),
            visits: tried.map_or(0, |tally| tally.playouts.into()),
            mean: tried.map(Tally::mean),
            share,
        }
    });
    Ok(told.collect())
}

/// The evaluator from outside as the player's. After a failure it is asked no more, and the search is stopped.
struct External<G: Playable> {
    rules: Arc<Rules<G>>,
    evaluate: Evaluate,
    batch: u32,
    /// How many actions had been played when the player was shown its first view.
    first_ply: usize,
    stop: Stop,
    failure: Arc<Mutex<Option<String>>>,
    predictions: Vec<Prediction<G::Action>>,
    /// What was said of the present, which the player asks for more than once.
    present: Option<(G::View, Prediction<G::Action>)>,
}

impl<G: Playable> External<G> {
    fn new(
        rules: &Arc<Rules<G>>,
        root: &Root<'_, G>,
        evaluate: Evaluate,
        batch: u32,
    ) -> External<G> {
        let first_ply = root.plies - root.past.map_or(0, |past| past.seen.len());
        External {
            rules: Arc::clone(rules),
            evaluate,
            batch,
            first_ply,
            stop: Stop::new(),
            failure: Arc::default(),
            predictions: Vec::new(),
            present: None,
        }
    }

    /// Evaluations of positions; nothing after a failure.
    fn ask(&mut self, positions: &[Position<'_, G>]) -> Option<Vec<Evaluation>> {
        if self.stop.is_pulled() {
            return None;
        }
        let turn = |position: &Position<'_, G>| {
            let ply = self.first_ply + position.plies as usize;
            ViewTurn::owned(&self.rules, position.view.clone(), position.memory.clone(), ply)
        };
        let turns = positions.iter().map(turn).collect();
        let found = asked(&self.rules, &mut self.evaluate, turns, false);
        let failed = |failure| {
            self.stop.pull();
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        };
        found.map_err(failed).ok()
    }
}

impl<G: Playable> Evaluator<G> for External<G> {
    fn evaluate(&mut self, view: &G::View, memory: &G::Memory) -> &mut Prediction<G::Action> {
        let position = Position { view: view.clone(), memory, plies: 0 };
        &mut self.evaluate_all(&mut std::iter::once(position))[0]
    }

    fn batch(&self) -> usize {
        self.batch as usize
    }

    fn evaluate_all(
        &mut self,
        positions: &mut dyn Iterator<Item = Position<'_, G>>,
    ) -> &mut [Prediction<G::Action>] {
        let positions: Vec<_> = positions.collect();
        if let (Some((view, said)), [position]) = (&self.present, &positions[..])
            && *view == position.view
        {
            self.predictions = vec![said.clone()];
            return &mut self.predictions;
        }
        self.predictions = match self.ask(&positions) {
            Some(found) => positions
                .iter()
                .zip(found)
                .map(|(position, one)| predicted(position, one))
                .collect(),
            // The search has been stopped, and what it comes to is not looked at: rollouts end as soon as they can.
            None => positions.iter().map(uninformed).collect(),
        };
        if self.present.is_none() {
            // The player asks for the present first.
            let view = positions.into_iter().next().map(|position| position.view);
            self.present = view.zip(self.predictions.first().cloned());
        }
        &mut self.predictions
    }
}

/// An evaluation in the words of the player.
fn predicted<G: Playable>(
    position: &Position<'_, G>,
    Evaluation { policy, values, beliefs }: Evaluation,
) -> Prediction<G::Action> {
    let view = &position.view;
    let policy = view.legal_actions().into_iter().zip(policy).collect();
    let value = values.get(view.seat().index()).copied();
    Prediction { policy, value, belief_logits: beliefs }
}

/// What is said of a position where nothing is known.
fn uninformed<G: Playable>(position: &Position<'_, G>) -> Prediction<G::Action> {
    let legal = position.view.legal_actions();
    let share = 1.0 / legal.len() as f64;
    let policy = legal.into_iter().map(|action| (action, share)).collect();
    Prediction { policy, value: Some(0.0), belief_logits: Vec::new() }
}
