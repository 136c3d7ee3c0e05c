//! An agent that thinks beside the conversation, and is not waited for longer than the clock allows.

use oboro_core::{Agent, Factory, Player, Rng, SeatView, SpecError};
use oboro_geister::{Action, Event, Geister, View};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::timeout;

type SeededAgent = (Box<dyn Agent<Geister>>, Rng);

/// An agent with its random stream, at home or away thinking.
pub(crate) struct BackgroundAgent {
    agent: Option<SeededAgent>,
    away: Option<JoinHandle<(SeededAgent, Result<Action, String>)>>,
    /// What its seat saw, and what it knew before.
    unseen: Vec<(View, Event)>,
    spare: Rng,
    /// How often it was not waited for.
    pub(crate) overdue: u32,
}

/// The agent broke down, or gave the game up: why.
#[derive(Debug)]
pub(crate) struct AgentFailure(pub(crate) String);

impl AgentFailure {
    fn panicked() -> AgentFailure {
        AgentFailure("it panicked".to_owned())
    }
}

impl BackgroundAgent {
    /// A fresh agent, which is told where it sits and what it knows at the start.
    pub(crate) fn new(
        factory: &Factory<Geister>,
        mut rng: Rng,
        start: &View,
    ) -> Result<BackgroundAgent, SpecError> {
        let Player::Agent(mut agent) = factory() else {
            let message = "this agent sees hidden colours: it cannot play over the wire";
            return Err(SpecError(message.to_owned()));
        };
        let spare = rng.fork();
        agent.seed(rng.clone().bits());
        agent.begin(start);
        Ok(BackgroundAgent {
            agent: Some((agent, rng)),
            away: None,
            unseen: Vec::new(),
            spare,
            overdue: 0,
        })
    }

    /// Shows it what its seat saw, and what it knew before.
    pub(crate) fn observe(&mut self, before: View, event: Event) {
        self.unseen.push((before, event));
    }

    /// Its choice; a random legal action if it does not answer within the limit.
    pub(crate) async fn act(
        &mut self,
        view: View,
        limit: Duration,
    ) -> Result<Action, AgentFailure> {
        if let Ok(chosen) = timeout(limit, self.think(view)).await {
            return chosen;
        }
        self.overdue += 1;
        let legal = view.legal_actions();
        Ok(*self.spare.choose(&legal).expect("a player to move has a legal action"))
    }

    async fn think(&mut self, view: View) -> Result<Action, AgentFailure> {
        if let Some(away) = &mut self.away {
            // It comes home from a position that is gone.
            let (agent, _) = away.await.map_err(|_| AgentFailure::panicked())?;
            self.away = None;
            self.agent = Some(agent);
        }
        let (mut agent, mut rng) = self.agent.take().ok_or_else(AgentFailure::panicked)?;
        let unseen = std::mem::take(&mut self.unseen);
        let away = self.away.insert(tokio::task::spawn_blocking(move || {
            for (before, event) in &unseen {
                agent.observe_from(&|| *before, event);
            }
            let action = agent.try_act(&view, &mut rng);
            ((agent, rng), action)
        }));
        let (agent, action) = away.await.map_err(|_| AgentFailure::panicked())?;
        self.away = None;
        self.agent = Some(agent);
        action.map_err(AgentFailure)
    }
}
