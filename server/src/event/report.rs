//! An event as browsers see it.

use super::{Event, EventKind, EventState};
use oboro_lab::event::Stage;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError};

/// An event in the list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Listed {
    event: String,
    name: String,
    kind: EventKind,
    stage: Stage,
    games: Vec<String>,
    entrants: usize,
    round: usize,
    rounds: Option<usize>,
}

impl Event {
    /// The event in the list; nothing if it is not to stand there.
    pub(crate) fn listed(&self) -> Option<Listed> {
        let EventState { setup, event, .. } = &*self.lock();
        let plan = &setup.plan;
        plan.listed.then(|| Listed {
            event: self.name.clone(),
            name: plan.name.clone(),
            kind: plan.kind,
            stage: event.stage(),
            games: plan.games.iter().map(|game| game.name.clone()).collect(),
            entrants: event.entrants().len(),
            round: event.rounds().len(),
            rounds: event.rounds_planned(),
        })
    }

    /// Everything that everybody may know, as JSON; for which steps of which epoch, and the number of whoever asks with
    /// a secret.
    pub(crate) fn report(&self, key: Option<&str>) -> (Arc<str>, u64, u64, Option<usize>) {
        let state = self.lock();
        let you = key.and_then(|key| state.find(key));
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let (steps, epoch) = (state.event.changes(), state.epoch);
        let text = match &*told {
            Some((for_steps, for_epoch, text)) if (*for_steps, *for_epoch) == (steps, epoch) => {
                Arc::clone(text)
            }
            _ => {
                let text: Arc<str> = report(&self.name, &state).to_string().into();
                *told = Some((steps, epoch, Arc::clone(&text)));
                text
            }
        };
        (text, steps, epoch, you)
    }
}

/// Everything that everybody may know of an event.
pub(super) fn report(name: &str, state: &EventState) -> Value {
    let plan = &state.setup.plan;
    let mut report = state.event.report();
    report["event"] = json!(name);
    report["plan"] = json!(plan);
    report["house"] = plan.games.iter().map(|game| plan.house(game)).collect();
    report
}
