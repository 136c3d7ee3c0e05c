//! Our own player: proofs, beliefs and a search through the mist.
//!
//! A blue on an exit leaves. A forced win, whatever the hidden colours are, is played. Otherwise
//! the enemy's habit and the colours of its pieces are judged together by its moves, and every piece
//! is counted as red, blue or purple; a deep alpha-beta search of that position decides, and moves
//! of equal worth are mixed.

use super::{PlacementChoice, check_range};
use crate::Geister;
use crate::action::{Action, Event};
use crate::belief::Belief;
use crate::mist::{Mist, MistSearch, Step, Weights};
use crate::piece::Piece;
use crate::purple::{Purple, piece_on, squares_of};
use crate::solver::{Solver, Verdict};
use crate::square::Direction;
use crate::view::View;
use oboro_core::{ActionValue, Agent, AgentEntry, Analysis, Rng, Seat, SeatView, fresh};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The parameters of `oboro`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct OboroParams {
    /// Nodes a decision: so many for the search, and as many for the proof.
    pub nodes: u64,
    /// Plies the search looks ahead at most.
    pub depth: u32,
    /// Plies a forced win may take to be looked for.
    pub proof: u32,
    /// A piece at least so likely red counts as red, one at least so likely blue as blue; above 1 all
    /// stay purple.
    pub sure: f64,
    /// The sureness asked of a blue when one red is left.
    pub surest: f64,
    /// Moves worth so much less than the best are played as well, at random; a step is worth 10.
    pub margin: i32,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String")]
    pub placement: PlacementChoice,
}

impl Default for OboroParams {
    fn default() -> OboroParams {
        OboroParams {
            nodes: 100_000,
            depth: 20,
            proof: 13,
            sure: 0.75,
            surest: 0.9,
            margin: 5,
            placement: PlacementChoice::Random,
        }
    }
}

/// Chosen by matches against the other agents and against itself.
const WEIGHTS: Weights = Weights {
    own_blue: 1000,
    own_red_lost: 300,
    blue_step: 10,
    red_step: 5,
    enemy_step: 10,
    capture_blue: 1000,
    capture_purple: -100,
    capture_red: -300,
};

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "oboro",
        "Oboro",
        "Proves forced wins, reads colours from behaviour, and searches what it believes",
        |_, params: &OboroParams| {
            check_range("nodes", params.nodes, 1..=10_000_000_000)?;
            check_range("depth", params.depth, 2..=60)?;
            check_range("proof", params.proof, 1..=99)?;
            check_range("sure", params.sure, 0.5..=2.0)?;
            check_range("surest", params.surest, 0.5..=2.0)?;
            check_range("margin", params.margin, 0..=10_000)?;
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

/// What a decision rests on.
enum Thought {
    Leave(Piece),
    Proof(Vec<Action>),
    Search {
        moves: Vec<(Step, i32)>,
        depth: u32,
        /// No forced win within so many plies.
        held: u32,
    },
}

impl OboroAgent {
    fn new(params: &OboroParams) -> OboroAgent {
        OboroAgent {
            params: params.clone(),
            belief: Belief::new(),
            search: MistSearch::new(WEIGHTS),
            solver: Solver::new(14),
            seat: None,
        }
    }

    fn think(&mut self, view: &View) -> Thought {
        self.seat = Some(view.seat());
        self.belief.join(view);
        let leaver = Piece::of_set(view.own_blues())
            .find(|&piece| view.board().is_on_exit(view.seat(), piece));
        if let Some(piece) = leaver {
            return Thought::Leave(piece);
        }
        let params = &self.params;
        let held = match self.solver.solve(view, params.proof, params.nodes) {
            Verdict::Win { line, .. } => return Thought::Proof(line),
            Verdict::NoWinWithin(held) | Verdict::Undecided(held) => held,
        };
        let mist = self.mist(view);
        let params = &self.params;
        let (moves, depth) = self.search.search(&mist, params.depth, params.nodes, params.margin);
        Thought::Search { moves, depth, held }
    }

    /// The position as believed. When one red is left, taking it for a blue loses at once: then more
    /// than the usual sureness is asked of a blue.
    fn mist(&self, view: &View) -> Mist {
        let (board, enemy) = (view.board(), view.enemy());
        let red = self.belief.reds(view);
        let sure = self.params.sure;
        let surest = sure.max(self.params.surest);
        let sure_blue = if view.hidden_reds() == 1 { surest } else { sure };
        let among = |test: &dyn Fn(f64) -> bool| {
            let set = Piece::of_set(view.hidden())
                .filter(|&piece| test(red[piece.index()]))
                .fold(0, |set, piece| set | piece.bit());
            squares_of(board, enemy, set, view.seat())
        };
        let purple = Purple::of(view);
        let enemy_reds = among(&|p| p >= sure);
        let enemy_blues = among(&|p| 1.0 - p >= sure_blue);
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
        .scored(&WEIGHTS)
    }

    /// One of the moves within the margin of the best.
    fn mix(&self, moves: &[(Step, i32)], rng: &mut Rng) -> Step {
        let best = moves[0].1;
        let near =
            moves.iter().take_while(|(_, value)| *value >= best - self.params.margin).count();
        moves[rng.below(near)].0
    }

    /// The beliefs in words.
    fn beliefs_in_words(&self, view: &View) -> String {
        let red = self.belief.reds(view);
        let mut text = String::from("red with probability");
        for piece in Piece::of_set(view.hidden()) {
            write!(text, " {piece} {:.2}", red[piece.index()]).expect("writing to a string");
        }
        text.push_str("\nits habit with probability");
        for (name, probability) in self.belief.habits(view) {
            write!(text, " {name} {probability:.2}").expect("writing to a string");
        }
        text
    }
}

/// The action that a step is for the owner of a view.
fn step_action(view: &View, (from, direction): Step) -> Action {
    let piece = piece_on(view.board(), view.seat(), from);
    Action::Move(piece, Direction::ALL[direction])
}

impl Agent<Geister> for OboroAgent {
    fn observe(&mut self, event: &Event) {
        if let Some(seat) = self.seat {
            self.belief.observe(*event, seat);
        }
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let Some(placement) = self.params.placement.placing(view, rng) {
            return placement;
        }
        match self.think(view) {
            Thought::Leave(piece) => Action::Escape(piece),
            Thought::Proof(line) => line[0],
            Thought::Search { moves, .. } => step_action(view, self.mix(&moves, rng)),
        }
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        if let Some(placement) = self.params.placement.placing(view, rng) {
            return Analysis::of_choice(placement);
        }
        let (choice, values, found) = match self.think(view) {
            Thought::Leave(piece) => (Action::Escape(piece), Vec::new(), "leaves".to_owned()),
            Thought::Proof(line) => {
                let moves: Vec<String> = line.iter().map(Action::to_string).collect();
                let found = format!(
                    "a forced win in {} plies whatever the hidden colours are: {}",
                    line.len(),
                    moves.join(" ")
                );
                (line[0], Vec::new(), found)
            }
            Thought::Search { moves, depth, held } => {
                let choice = step_action(view, self.mix(&moves, rng));
                let values = moves
                    .iter()
                    .map(|&(step, value)| ActionValue::new(step_action(view, step), value.into()))
                    .collect();
                let found = format!(
                    "no forced win within {held} plies; searched {depth} plies, {} nodes",
                    self.search.nodes()
                );
                (choice, values, found)
            }
        };
        Analysis {
            choice,
            measure: "worth",
            values,
            drawing: Some(format!("{found}\n{}", self.beliefs_in_words(view))),
        }
    }
}
