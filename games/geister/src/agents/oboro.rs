//! Our own player: proofs, beliefs and a search through the mist.

use super::{PlacementChoice, check_range};
use crate::Geister;
use crate::action::{Action, Event};
use crate::belief::{Belief, Tells};
use crate::mist::{Mist, MistSearch, Weights};
use crate::piece::Piece;
use crate::purple::{Purple, squares_of};
use crate::solver::{Solver, Verdict};
use crate::view::View;
use oboro_core::{ActionValue, Agent, AgentEntry, Analysis, Rng, Seat, SeatView, fresh};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of `oboro`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct OboroParams {
    /// Nodes a decision, for the search and again for the proof.
    pub nodes: u64,
    /// Plies the search looks ahead at most.
    pub depth: u32,
    /// Plies a forced win may take to be looked for.
    pub proof: u32,
    pub sure: f64,
    pub exposed: f64,
    pub advanced: f64,
    pub fled: f64,
    pub own_blue: i32,
    pub own_red_lost: i32,
    pub blue_step: i32,
    pub red_step: i32,
    pub enemy_step: i32,
    pub capture_blue: i32,
    pub capture_purple: i32,
    pub capture_red: i32,
    /// Moves worth this much less than the best are played as well, at random.
    pub margin: i32,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String")]
    pub placement: PlacementChoice,
}

impl Default for OboroParams {
    fn default() -> OboroParams {
        OboroParams {
            nodes: 200_000,
            depth: 12,
            proof: 13,
            sure: 0.85,
            exposed: 1.0,
            advanced: 1.0,
            fled: 1.0,
            own_blue: 1000,
            own_red_lost: 0,
            blue_step: 10,
            red_step: 10,
            enemy_step: 10,
            capture_blue: 1000,
            capture_purple: 0,
            capture_red: -300,
            margin: 0,
            placement: PlacementChoice::Random,
        }
    }
}

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "oboro",
        "Oboro",
        "Proves forced wins, reads colours from behaviour, and searches what it believes",
        |_, params: &OboroParams| {
            check_range("depth", params.depth, 2..=60)?;
            check_range("proof", params.proof, 1..=99)?;
            Ok(fresh(OboroAgent::new(params)))
        },
    )
}

#[derive(Clone, Debug)]
struct OboroAgent {
    params: OboroParams,
    belief: Belief,
    search: MistSearch,
    solver: Solver,
    seat: Option<Seat>,
}

impl OboroAgent {
    fn new(params: &OboroParams) -> OboroAgent {
        OboroAgent {
            params: params.clone(),
            belief: Belief::new(Tells {
                exposed: params.exposed,
                advanced: params.advanced,
                fled: params.fled,
                lingered: 5.0,
            }),
            search: MistSearch::new(Weights {
                own_blue: params.own_blue,
                own_red_lost: params.own_red_lost,
                blue_step: params.blue_step,
                red_step: params.red_step,
                enemy_step: params.enemy_step,
                capture_blue: params.capture_blue,
                capture_purple: params.capture_purple,
                capture_red: params.capture_red,
            }),
            solver: Solver::new(14),
            seat: None,
        }
    }

    fn mist(&self, view: &View) -> Mist {
        let (board, seat, enemy) = (view.board(), view.seat(), view.enemy());
        let red = self.belief.reds(view);
        let class = |test: &dyn Fn(f64) -> bool| {
            let set = Piece::of_set(view.hidden())
                .filter(|piece| test(red[piece.index()]))
                .fold(0, |set, piece| set | piece.bit());
            squares_of(board, enemy, set, seat)
        };
        let sure = self.params.sure;
        let purple = Purple::of(view);
        let enemy_reds = class(&|p| p >= sure);
        let enemy_blues = class(&|p| p <= 1.0 - sure);
        Mist {
            blues: purple.blues,
            reds: purple.reds,
            enemy_blues,
            enemy_reds,
            purples: purple.enemies & !enemy_reds & !enemy_blues,
            reds_left: view.hidden_reds() as u8,
            blues_left: view.hidden_blues() as u8,
            score: 0,
        }
        .scored(&Weights {
            own_blue: self.params.own_blue,
            own_red_lost: self.params.own_red_lost,
            blue_step: self.params.blue_step,
            red_step: self.params.red_step,
            enemy_step: self.params.enemy_step,
            capture_blue: self.params.capture_blue,
            capture_purple: self.params.capture_purple,
            capture_red: self.params.capture_red,
        })
    }
}

impl Agent<Geister> for OboroAgent {
    fn observe(&mut self, event: &Event) {
        if let Some(seat) = self.seat {
            self.belief.observe(event, seat);
        }
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let Some(placement) = self.params.placement.placing(view, rng) {
            return placement;
        }
        self.seat = Some(view.seat());
        self.belief.join(view);
        let leave = Piece::of_set(view.own_blues())
            .find(|&piece| view.board().is_on_exit(view.seat(), piece));
        if let Some(piece) = leave {
            return Action::Escape(piece);
        }
        if let Verdict::Win { line, .. } =
            self.solver
                .solve(view, self.params.proof, self.params.nodes)
        {
            return line[0];
        }
        let mist = self.mist(view);
        let (moves, _) = self.search.search(
            &mist,
            self.params.depth,
            self.params.nodes,
            self.params.margin,
        );
        let best = moves[0].1;
        let near = moves
            .iter()
            .take_while(|(_, v)| *v >= best - self.params.margin)
            .count();
        let (step, _) = moves[rng.below(near.max(1))];
        Purple::action(view, step.0, step.1)
    }
}
