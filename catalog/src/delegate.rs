//! Our agents at other people's tables, where views and events come as data.

use crate::data::{json, one_line, read};
use crate::rules::Rules;
use crate::{AnalysisReport, CatalogError};
use oboro_core::{Agent, Belief, GameWorld, LiveError, Player, Rng, Seat, SeatView};
use oboro_player::Playable;
use serde_json::Value;
use std::sync::Arc;

/// An agent of ours that plays at somebody else's table: what its seat knows comes as a position that agrees with it,
/// what its seat saw in the shape of the game's `event` schema.
///
/// ```
/// use oboro_catalog::rules;
/// use oboro_core::Seed;
///
/// let rules = rules("sevens", &[], None)?;
/// let position = rules.deal(0, &Seed::from_u64(1));
/// let mut agent = rules.delegate("rule", 0, 7)?;
/// agent.begin(&position)?;
/// println!("it plays {}", agent.act(&position)?);
/// # Ok::<(), oboro_catalog::CatalogError>(())
/// ```
pub trait AnyDelegate: Send {
    /// A game begins; called once, before all else.
    ///
    /// # Errors
    /// If the text is no position.
    fn begin(&mut self, position: &str) -> Result<(), CatalogError>;
    /// What its seat saw of an action, its own included, with a position that agrees with what it knew before. Without
    /// one, agents that learn from how others play learn less or nothing.
    ///
    /// # Errors
    /// If these are no data of an event, or the text is no position in which somebody is to move.
    fn observe(&mut self, parts: Value, before: Option<&str>) -> Result<(), CatalogError>;
    /// Its choice.
    ///
    /// # Errors
    /// If the text is no position in which its seat is to move.
    fn act(&mut self, position: &str) -> Result<String, CatalogError>;
    /// What it thinks of the actions.
    ///
    /// # Errors
    /// As [`act`](AnyDelegate::act).
    fn analyse(&mut self, position: &str) -> Result<AnalysisReport, CatalogError>;
    /// What it thinks of hidden things.
    ///
    /// # Errors
    /// If the text is no position.
    fn beliefs(&mut self, position: &str) -> Result<Vec<Belief>, CatalogError>;
}

/// Agents for other people's tables.
pub trait AnyDelegates {
    /// An agent of ours for a seat at somebody else's table; everything random that it does comes from `seed`.
    ///
    /// # Errors
    /// If there is no such seat, or the agent cannot be built or is an oracle.
    fn delegate(
        &self,
        spec: &str,
        seat: usize,
        seed: u64,
    ) -> Result<Box<dyn AnyDelegate>, CatalogError>;
}

impl<G: Playable> AnyDelegates for Arc<Rules<G>> {
    fn delegate(
        &self,
        spec: &str,
        seat: usize,
        seed: u64,
    ) -> Result<Box<dyn AnyDelegate>, CatalogError> {
        if seat >= self.game.seats() {
            return Err(LiveError::NoSeat(seat, self.game.seats() - 1).into());
        }
        let (_, factory) = self.build(spec)?;
        let Player::Agent(mut agent) = factory() else { return Err(LiveError::Oracle.into()) };
        agent.seed(seed);
        let rng = Rng::from_u64(seed);
        Ok(Box::new(Delegate { rules: Arc::clone(self), agent, seat: Seat::new(seat), rng }))
    }
}

struct Delegate<G: Playable> {
    rules: Arc<Rules<G>>,
    agent: Box<dyn Agent<G>>,
    seat: Seat,
    rng: Rng,
}

impl<G: Playable> Delegate<G> {
    /// What its seat knows in a position.
    fn view(&self, position: &str) -> Result<G::View, CatalogError> {
        Ok(self.rules.read(position)?.view(self.seat))
    }

    /// The same, where its seat is to move.
    fn view_to_move(&self, position: &str) -> Result<G::View, CatalogError> {
        let view = self.view(position)?;
        match view.to_act() {
            Some(turn) if turn == self.seat => Ok(view),
            Some(turn) => Err(LiveError::Turn(self.seat, turn).into()),
            None => Err(LiveError::Over.into()),
        }
    }
}

impl<G: Playable> AnyDelegate for Delegate<G> {
    fn begin(&mut self, position: &str) -> Result<(), CatalogError> {
        let view = self.view(position)?;
        self.agent.begin(&view);
        Ok(())
    }

    fn observe(&mut self, parts: Value, before: Option<&str>) -> Result<(), CatalogError> {
        let told: G::EventData = read(parts)?;
        let event = self.rules.game.recall(&told).ok_or_else(|| CatalogError::Shape {
            path: "parts".to_owned(),
            message: format!("no event of {}: {}", G::NAME, one_line(&json(&told).to_string())),
        })?;
        let Some(position) = before else {
            self.agent.observe(&event);
            return Ok(());
        };
        let before = self.view(position)?;
        if before.to_act().is_none() {
            return Err(LiveError::Over.into());
        }
        self.agent.observe_from(&|| before.clone(), &event);
        Ok(())
    }

    fn act(&mut self, position: &str) -> Result<String, CatalogError> {
        let view = self.view_to_move(position)?;
        match self.agent.try_act(&view, &mut self.rng) {
            Ok(action) => Ok(action.to_string()),
            Err(reason) => Err(LiveError::GaveUp(self.seat, reason).into()),
        }
    }

    fn analyse(&mut self, position: &str) -> Result<AnalysisReport, CatalogError> {
        let view = self.view_to_move(position)?;
        // Of a copy of its stream: asking changes nothing.
        Ok(self.agent.analyse(&view, &mut self.rng.clone()).into())
    }

    fn beliefs(&mut self, position: &str) -> Result<Vec<Belief>, CatalogError> {
        let view = self.view(position)?;
        Ok(self.agent.beliefs(&view, &mut self.rng.clone().fork()))
    }
}
