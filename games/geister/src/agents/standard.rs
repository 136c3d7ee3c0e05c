//! What the agents of every game ask Geister.

use super::search::{Position, Proof, Prover};
use crate::policy::EagerPolicy;
use crate::{Action, Geister, View, World};
use oboro_core::{GameWorld, Seat, SeatView};
use oboro_search::{Defaults, PlayoutPolicy, Searchable};

impl Searchable for Geister {
    const DEFAULTS: Defaults = Defaults { playouts: 10_000, ..Defaults::GENERAL };

    /// A draw.
    const ESTIMATE: Option<fn(&World, Seat) -> f64> = Some(World::payoff);

    fn policies() -> Vec<PlayoutPolicy<Geister>> {
        vec![
            PlayoutPolicy::random(),
            PlayoutPolicy::new("eager", "leaves and takes blues when it can", EagerPolicy),
        ]
    }

    /// A world for each colouring of the enemy's pieces that may be true.
    fn worlds(view: &View) -> Option<Vec<World>> {
        if !view.public().has_placed(view.enemy()) {
            return Some(vec![view.with_reds(0)]);
        }
        Some(view.colourings().map(|reds| view.with_reds(reds)).collect())
    }

    fn prover() -> Option<Box<dyn oboro_search::Prover<Geister>>> {
        Some(Box::new(Prover::new(PROOF_TABLE_BITS)))
    }
}

/// Proofs look so many plies ahead, over so many positions, and remember 2 to this power of them.
const PROOF_DEPTH: u32 = 13;
const PROOF_NODES: u64 = 20_000;
const PROOF_TABLE_BITS: u32 = 16;

/// Wins whatever the colours of the enemy's pieces are.
impl oboro_search::Prover<Geister> for Prover {
    fn winning_action(&mut self, view: &View) -> Option<Action> {
        if !view.public().has_placed(view.seat()) {
            return None;
        }
        if let Some(piece) = view.leaver() {
            return Some(Action::Escape(piece));
        }
        let Proof::Win(plies) = self.prove(&Position::of(view), PROOF_DEPTH, PROOF_NODES) else {
            return None;
        };
        self.winning_moves(view, plies, PROOF_NODES).next()?.ok()
    }
}
