//! An agent that follows one plain plan whatever happens: for measuring players against strangers who cannot be reasoned with.

use crate::Geister;
use crate::action::Action;
use crate::bitboard::own_distance;
use crate::piece::{Piece, Placement};
use crate::view::View;
use oboro_core::{Agent, AgentEntry, Rng, SeatView, fresh};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

oboro_core::params! {
    /// The parameters of `plan`.
    struct PlanParams {
        /// Which pieces walk to the exits.
        run: Runners = Runners::Nearest => {},
    }
}

/// The pieces that walk to the exits, the nearest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Runners {
    /// The reds, which cannot leave.
    Reds,
    /// The blues.
    Blues,
    /// All of them.
    Nearest,
    /// None: no piece comes closer to an exit.
    None,
}

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "plan",
        "Oboro",
        "Walks certain pieces to the exits whatever happens, and otherwise moves at random",
        |_, params: &PlanParams| Ok(fresh(Plan { runners: params.run })),
    )
    .positional(&["run"])
    .public(1, 16)
}

#[derive(Clone, Debug)]
struct Plan {
    runners: Runners,
}

impl Agent<Geister> for Plan {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if !view.public().has_placed(view.seat()) {
            return Action::Place(Placement::random(rng));
        }
        let mut actions = view.legal_actions();
        rng.shuffle(&mut actions);
        let running = match self.runners {
            Runners::Reds => view.own_reds(),
            Runners::Blues => view.own_blues(),
            Runners::Nearest => view.own_blues() | view.own_reds(),
            Runners::None => {
                let stays = |action: &&Action| left_after(view, **action).is_none();
                return *actions.iter().find(stays).unwrap_or(&actions[0]);
            }
        };
        let runs = |action: &&Action| running & mover(**action).bit() != 0;
        let towards = actions.iter().filter(runs).filter_map(|&action| {
            let left = left_after(view, action)?;
            Some((left, action))
        });
        towards.min_by_key(|(left, _)| *left).map_or(actions[0], |(_, action)| action)
    }
}

fn mover(action: Action) -> Piece {
    match action {
        Action::Move(piece, _) | Action::Escape(piece) => piece,
        Action::Place(_) => unreachable!("pieces are placed by now"),
    }
}

/// How many steps are left to the nearest exit after an action that brings a piece closer to one, −1 if it leaves.
fn left_after(view: &View, action: Action) -> Option<i32> {
    let Action::Move(piece, direction) = action else { return Some(-1) };
    let (board, seat) = (view.public(), view.seat());
    let here = board.squares_of(seat, piece.bit(), seat);
    let mut next = *board;
    next.step(piece, direction);
    let there = own_distance(next.squares_of(seat, piece.bit(), seat));
    (there < own_distance(here)).then_some(there)
}
