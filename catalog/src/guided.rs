//! Tree search with an evaluator from outside.

use crate::CatalogError;
use crate::rules::Rules;
use crate::turn::{Turn, ViewTurn};
use oboro_core::{GameWorld, Rng, Seat, SeatView};
use oboro_player::Playable;
use oboro_search::{Evaluation, GuidedSearch, Simulation};
use std::sync::Arc;

/// Evaluates positions, each as the seat to move sees it.
pub type Evaluator<'a> = dyn FnMut(Vec<Box<dyn Turn>>) -> Result<Vec<Evaluation>, String> + 'a;

/// What a search found out of an action.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedAction {
    /// The action.
    pub action: String,
    /// How many playouts began with it.
    pub visits: u64,
    /// The mean of what they came to, in payoffs of the searching seat.
    pub mean: f64,
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
    fn turn(&self) -> Box<dyn Turn> {
        let seat = self.world.to_act().expect("a position to evaluate has somebody to move");
        let (view, memory) = (self.world.view(seat), &self.memories[seat.index()]);
        ViewTurn::new(&self.rules, &view, memory, (self.ply, 0)).keep()
    }

    /// Checks an evaluation and makes its probabilities add up to 1.
    fn check(&self, found: &mut Evaluation) -> Result<(), String> {
        let (mut legal, seats) = (0, self.memories.len());
        self.world.for_each_legal(|_| legal += 1);
        let Evaluation { policy, values } = found;
        if policy.len() != legal || policy.iter().any(|share| !share.is_finite() || *share < 0.0) {
            return Err(format!("policy: {legal} numbers from 0 on, one for each legal action"));
        }
        if values.len() != seats || values.iter().any(|value| !value.is_finite()) {
            return Err(format!("values: {seats} payoffs, one for each seat"));
        }
        let total: f64 = policy.iter().sum();
        for share in policy {
            *share = if total > 0.0 { *share / total } else { 1.0 / legal as f64 };
        }
        Ok(())
    }
}

/// Searches at a view whose seat is to move.
pub(crate) fn search<G: Playable>(
    rules: &Arc<Rules<G>>,
    (view, memory, ply): (&G::View, &G::Memory, usize),
    search: GuidedSearch,
    evaluate: &mut Evaluator<'_>,
    seed: u64,
) -> Result<Vec<SearchedAction>, CatalogError> {
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
        let mut found = evaluate(leaves.iter().map(Imagined::turn).collect())?;
        if found.len() != leaves.len() {
            return Err(format!("{} evaluations for {} positions", found.len(), leaves.len()));
        }
        for (leaf, evaluation) in leaves.iter().zip(&mut found) {
            leaf.check(evaluation)?;
        }
        Ok(found)
    };
    let found = search.search(own, draw, evaluate, &mut Rng::from_u64(seed));
    let branches =
        found.map_err(|message| CatalogError::Shape { path: "evaluation".to_owned(), message })?;
    let told = branches.into_iter().map(|branch| SearchedAction {
        action: branch.action.to_string(),
        visits: branch.visits,
        mean: branch.mean,
    });
    Ok(told.collect())
}
