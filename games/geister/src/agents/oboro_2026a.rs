//! Our own player before it learned: proofs, beliefs and a search of what is believed.
//!
//! A blue on an exit leaves. A forced win, whatever the hidden colours are, is played. Otherwise
//! the enemy's habit and the colours of its pieces are judged together by its moves, and every piece
//! is counted as red, blue or purple; a deep alpha-beta search of that position decides, and moves
//! of equal worth are mixed.

use super::{PlacementChoice, check_range};
use crate::Geister;
use crate::action::{Action, Event};
use crate::belief::Belief;
use crate::belief_search::{BeliefSearch, Believed, Step, Weights, is_certain};
use crate::piece::Piece;
use crate::purple::{Purple, piece_on, squares_of};
use crate::scene::colours_believed;
use crate::solver::{Proof, Solver};
use crate::square::Direction;
use crate::view::View;
use oboro_core::{ActionValue, Agent, AgentEntry, Analysis, Rng, Seat, SeatView, fresh};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The parameters of `oboro-2026a`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Oboro2026aParams {
    /// Nodes a decision: so many for the search, and as many for the proof.
    pub nodes: u64,
    /// Plies the search looks ahead at most.
    pub depth: u32,
    /// Plies a forced win may take to be looked for.
    pub proof: u32,
    /// The table of the proofs has two to the power of this many entries, 16 bytes each.
    pub table: u32,
    /// A piece at least so likely red counts as red, one at least so likely blue as blue; above 1 all
    /// stay purple.
    pub sure: f64,
    /// The sureness asked of a blue when one red is left.
    pub surest: f64,
    /// Moves worth so much less than the best are played as well, at random; a step is worth 10. Where
    /// the search sees a win or nothing but losses, there is no choice: the quickest win, the longest
    /// resistance.
    pub margin: i32,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String")]
    pub placement: PlacementChoice,
}

impl Default for Oboro2026aParams {
    fn default() -> Oboro2026aParams {
        Oboro2026aParams {
            nodes: 100_000,
            depth: 20,
            proof: 13,
            table: 16,
            sure: 0.75,
            surest: 0.9,
            margin: 5,
            placement: PlacementChoice::Random,
        }
    }
}

/// Chosen by matches against the other agents and against itself.
pub(super) const WEIGHTS: Weights = Weights {
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
        "oboro-2026a",
        "Oboro",
        "Our player before it learned: proves forced wins, reads colours from behaviour, and searches what it believes",
        |_, params: &Oboro2026aParams| {
            check_range("nodes", params.nodes, 1..=10_000_000_000)?;
            check_range("depth", params.depth, 2..=60)?;
            check_range("proof", params.proof, 1..=99)?;
            check_range("table", params.table, 8..=28)?;
            check_range("sure", params.sure, 0.5..=2.0)?;
            check_range("surest", params.surest, 0.5..=2.0)?;
            check_range("margin", params.margin, 0..=10_000)?;
            Ok(fresh(Oboro2026aAgent::new(params)))
        },
    )
}

#[derive(Clone, Debug)]
struct Oboro2026aAgent {
    params: Oboro2026aParams,
    belief: Belief,
    search: BeliefSearch,
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

impl Oboro2026aAgent {
    fn new(params: &Oboro2026aParams) -> Oboro2026aAgent {
        Oboro2026aAgent {
            params: params.clone(),
            belief: Belief::new(),
            search: BeliefSearch::new(WEIGHTS),
            solver: Solver::new(params.table),
            seat: None,
        }
    }

    /// Takes its seat, and goes on from a view of it: events can be judged from here on.
    fn join(&mut self, view: &View) {
        self.seat = Some(view.seat());
        self.belief.join(view);
    }

    fn think(&mut self, view: &View) -> Thought {
        self.join(view);
        if let Some(piece) = view.leaver() {
            return Thought::Leave(piece);
        }
        let params = &self.params;
        let held = match self.solver.solve(view, params.proof, params.nodes) {
            Proof::Win { line, .. } => return Thought::Proof(line),
            Proof::NoWinWithin(held) | Proof::Undecided(held) => held,
        };
        let believed = self.believed(view);
        let params = &self.params;
        let (moves, depth) =
            self.search.search(&believed, params.depth, params.nodes, params.margin);
        Thought::Search { moves, depth, held }
    }

    /// The position as believed. When one red is left, taking it for a blue loses at once: then more
    /// than the usual sureness is asked of a blue.
    fn believed(&self, view: &View) -> Believed {
        let sure = self.params.sure;
        let surest = sure.max(self.params.surest);
        let sure_blue = if view.hidden_reds() == 1 { surest } else { sure };
        believed(view, &self.belief.reds(view), sure, sure_blue)
    }

    /// One of the moves within the margin of the best. The margin weighs evaluations, not plies to
    /// the end: of certain results the best is played, which is the quickest win or the longest
    /// resistance. So what loses at once, as the capture of the fourth red does, is played only if
    /// everything does.
    fn mix(&self, moves: &[(Step, i32)], rng: &mut Rng) -> Step {
        let best = moves[0].1;
        if is_certain(best) {
            return moves[0].0;
        }
        let is_near = |value: i32| !is_certain(value) && value >= best - self.params.margin;
        let near = moves.iter().take_while(|(_, value)| is_near(*value)).count();
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

/// The position as somebody believes it who takes each enemy piece for red so likely: those at least `sure_red` likely
/// count as red, those at least `sure_blue` likely blue as blue, all others as both.
pub(super) fn believed(
    view: &View,
    red: &[f64; Piece::COUNT],
    sure_red: f64,
    sure_blue: f64,
) -> Believed {
    let among = |test: &dyn Fn(f64) -> bool| {
        let set = Piece::of_set(view.hidden())
            .filter(|&piece| test(red[piece.index()]))
            .fold(0, |set, piece| set | piece.bit());
        squares_of(view.public(), view.enemy(), set, view.seat())
    };
    let purple = Purple::of(view);
    let enemy_reds = among(&|p| p >= sure_red);
    let enemy_blues = among(&|p| 1.0 - p >= sure_blue) & !enemy_reds;
    Believed {
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

/// The action that a step is for the owner of a view.
pub(super) fn step_action(view: &View, (from, direction): Step) -> Action {
    let piece = piece_on(view.public(), view.seat(), from);
    Action::Move(piece, Direction::ALL[direction])
}

impl Agent<Geister> for Oboro2026aAgent {
    fn begin(&mut self, view: &View) {
        self.seat = Some(view.seat());
        self.belief.join(view);
    }

    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<oboro_core::Belief> {
        let mut belief = self.belief.clone();
        belief.join(view);
        let red = belief.reds(view);
        colours_believed(view, |piece| red[piece.index()])
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief_search::WIN;
    use oboro_core::{Game, GameWorld};

    fn view(text: &str) -> View {
        let world = Geister::default().parse_position(text).unwrap();
        world.view(world.to_act().unwrap())
    }

    /// Everything the agent may play in a position, by many throws.
    fn played(text: &str, params: &Oboro2026aParams) -> Vec<String> {
        let view = view(text);
        let mut actions: Vec<String> = (0..40)
            .map(|seed| {
                Oboro2026aAgent::new(params).act(&view, &mut Rng::from_u64(seed)).to_string()
            })
            .collect();
        actions.sort();
        actions.dedup();
        actions
    }

    /// All purple, so that positions are what they look like; the widest margin there is.
    fn fearful() -> Oboro2026aParams {
        Oboro2026aParams { sure: 2.0, margin: 10_000, nodes: 20_000, ..Oboro2026aParams::default() }
    }

    /// One red of the enemy is left, and both of its pieces stand a step before their exits: one of
    /// them will get there, and to capture either may be to capture the last red.
    const LOST: &str = "60 04R55R99R99R33B43B99B99B 14B54R99R99R99R99B99B99B";

    #[test]
    fn the_fourth_red_is_not_taken_while_anything_else_is_there() {
        let view = view(LOST);
        let mut agent = Oboro2026aAgent::new(&fearful());
        let Thought::Search { moves, .. } = agent.think(&view) else {
            panic!("nothing to leave with or to prove");
        };
        assert!(is_certain(moves[0].1) && moves[0].1 < 0, "a lost position: {moves:?}");
        let captures: Vec<String> = view
            .legal_actions()
            .into_iter()
            .filter(|action| match *action {
                Action::Move(piece, way) => {
                    view.public().capture(view.seat(), piece, way).is_some()
                }
                _ => false,
            })
            .map(|action| action.to_string())
            .collect();
        assert_eq!(captures, ["AE", "BN"], "both could be captured");
        let played = played(LOST, &fearful());
        assert!(played.iter().all(|action| !captures.contains(action)), "{played:?}");
    }

    #[test]
    fn a_lost_position_is_resisted_longest() {
        let mut rng = Rng::from_u64(0);
        let agent = Oboro2026aAgent::new(&fearful());
        let step = |n: u32| (1 << n, 0);
        let values = |values: &[i32]| -> Vec<(Step, i32)> {
            values.iter().enumerate().map(|(n, value)| (step(n as u32), *value)).collect()
        };
        let lost = values(&[4 - WIN, 4 - WIN, 2 - WIN, 1 - WIN]);
        let won = values(&[WIN - 3, WIN - 5, 120]);
        let open = values(&[120, 118, 2 - WIN]);
        for _ in 0..50 {
            assert_eq!(agent.mix(&lost, &mut rng), step(0));
            assert_eq!(agent.mix(&won, &mut rng), step(0));
            assert_ne!(agent.mix(&open, &mut rng), step(2));
        }
    }

    #[test]
    fn moves_of_equal_worth_are_mixed() {
        let start = "0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R";
        assert!(played(start, &fearful()).len() > 1);
    }

    #[test]
    fn a_seat_taken_at_the_deal_is_a_seat_from_which_the_first_step_is_seen() {
        let rules = Geister::default();
        let mut world = rules.deal(&mut Rng::from_u64(1));
        let second = Seat::new(1);
        let [mut early, mut late] =
            [(); 2].map(|()| Oboro2026aAgent::new(&Oboro2026aParams::default()));
        early.join(&world.view(second));
        for action in ["CEFG", "ABCD", "AN"] {
            let action = action.parse().unwrap();
            let event = world.event(action, second);
            world.play(action).unwrap();
            early.observe(&event);
            late.observe(&event);
        }
        let view = world.view(second);
        early.join(&view);
        late.join(&view);
        let [red, unread] = [&early, &late].map(|agent| agent.belief.reds(&view)[0]);
        assert!((unread - 0.5).abs() < 1e-9, "{unread}");
        assert!((red - 0.5).abs() > 0.01, "{red}");
    }
}
