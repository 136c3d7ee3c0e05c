//! `oboro`: policies trained by self-play, proofs of forced wins, and a search for losing moves.
//!
//! One of several nets is drawn for each game, since exploiters of a single net are easy to train. A blue on an exit leaves, and
//! a forced win is played. Otherwise the net gives a probability for each move and the log odds that each enemy piece is red. A
//! search of the worst case prunes losing moves unless the policy is confident, and one of the other moves is drawn. An
//! [opponent model](opponent_model) weighs the net's beliefs. Given a budget, likely moves are compared by [rollouts](rollout).

mod opponent_model;
mod params;
mod placement;
mod policy_net;
mod rollout;

pub(crate) use policy_net::{PolicyNet, fast_path};

use super::search::{
    AlphaBeta, Position, Proof, Prover, Solver, Step, Weights, WorstCase, is_certain,
};
use crate::Geister;
use crate::action::{Action, Event};
use crate::piece::{Colour, Piece};
use crate::scene::colours_believed;
use crate::square::Direction;
use crate::view::View;
use oboro_core::{
    ActionValue, Agent, AgentEntry, Analysis, Belief, Estimate, GameWorld, Rng, SeatView,
    SpecError, advise, fresh,
};
use oboro_search::{Budget, Tally};
use opponent_model::OpponentModel;
use params::OboroParams;
use policy_net::{Prediction, sample};
use rollout::{Rollouts, SeatMemories};

/// Moves less likely than this share of the likeliest get no rollouts.
const MIN_RELATIVE_IN_ROLLOUTS: f64 = 0.05;

/// Rollouts for the values of all moves of a position.
const ESTIMATE_ROLLOUTS: u32 = 256;

/// Weight of the logarithm of the policy where moves are advised, in won games.
const PRIOR: f64 = 0.02;

/// The weights of the search, chosen by matches.
const WEIGHTS: Weights = Weights {
    own_blue: 1000,
    own_red_lost: 300,
    blue_step: 10,
    red_step: 5,
    enemy_step: 10,
    enemy_red_step: 0,
    capture_blue: 1000,
    capture_unknown: -100,
    capture_red: -300,
};

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "oboro",
        "Oboro",
        "Plays policies trained by self-play, proves forced wins, and prunes losing moves",
        |_, params: &OboroParams| {
            params.check()?;
            Ok(fresh(OboroAgent::new(params)?))
        },
    )
    .public(7_000, 5_000)
}

/// The likeliest set of enemy reds by the net's log odds.
fn likeliest(view: &View, log_odds: &[f64; Piece::COUNT]) -> u8 {
    let sum = |set| Piece::of_set(set).map(|piece| log_odds[piece.index()]).sum::<f64>();
    let sets = view.colourings().map(|set| (set, sum(set)));
    sets.max_by(|a, b| a.1.total_cmp(&b.1)).expect("some pieces may be red").0
}

/// The worst case of a view's owner who believes each hidden piece red with these probabilities: pieces at least so likely
/// count as red or as blue, all others as both.
fn worst_case(
    view: &View,
    red: &[f64; Piece::COUNT],
    red_threshold: f64,
    blue_threshold: f64,
) -> WorstCase {
    let among = |test: &dyn Fn(f64) -> bool| {
        let pieces = Piece::of_set(view.hidden()).filter(|&piece| test(red[piece.index()]));
        pieces.fold(0, |set, piece| set | piece.bit())
    };
    let reds = among(&|p| p >= red_threshold);
    let blues = among(&|p| 1.0 - p >= blue_threshold) & !reds;
    WorstCase::of(view, reds, blues).scored(&WEIGHTS)
}

/// The action that a step is for the owner of a view.
fn step_action(view: &View, (from, direction): Step) -> Action {
    let piece = view.public().piece_seen_on(view.seat(), from);
    Action::Move(piece, Direction::ALL[direction])
}

#[derive(Clone, Debug)]
struct OboroAgent {
    params: OboroParams,
    /// Rollouts, if there are any: against any opponent, and against one above the similarity threshold.
    rollouts: [Option<Rollouts>; 2],
    net: PolicyNet,
    /// Whether the net of this game is drawn.
    net_is_drawn: bool,
    /// The last view and what was remembered by then.
    seen: Option<(View, SeatMemories)>,
    opponent: OpponentModel,
    search: AlphaBeta,
    proofs: Proofs,
}

/// The search for forced wins.
#[derive(Clone, Debug)]
enum Proofs {
    Solver(Box<Solver>),
    Prover(Prover, u64),
}

/// What a decision rests on.
enum Decision {
    Leave(Action),
    Win(ForcedWin),
    Policy {
        prediction: Prediction,
        /// The moves that are pruned.
        pruned: Vec<Action>,
    },
}

/// A forced win.
struct ForcedWin {
    line: Vec<Action>,
    /// Whether it assumes that pieces that stayed on an exit are red.
    assumes_reds: bool,
}

impl OboroAgent {
    fn new(params: &OboroParams) -> Result<OboroAgent, SpecError> {
        let OboroParams { nodes, playouts, similar_playouts, seconds, .. } = *params;
        let rollouts = |name, playouts| {
            let plan = |budget| Rollouts {
                budget,
                plies: params.rollout_plies,
                min_relative: params.min_relative_probability.max(MIN_RELATIVE_IN_ROLLOUTS),
            };
            let wanted =
                (playouts > 0).then(|| Budget::new(name, playouts, seconds)).transpose()?;
            Ok(wanted.map(plan))
        };
        // Without nodes it is the policy alone against every opponent.
        let similar_playouts = if nodes == 0 { playouts } else { similar_playouts.max(playouts) };
        Ok(OboroAgent {
            rollouts: [
                rollouts("playouts", playouts)?,
                rollouts("similar-playouts", similar_playouts)?,
            ],
            net: PolicyNet::new(params.nets.0[0]),
            net_is_drawn: false,
            seen: None,
            opponent: OpponentModel::default(),
            search: AlphaBeta::with_table(WEIGHTS),
            proofs: match params.prover_nodes {
                None => Proofs::Solver(Box::new(Solver::new(params.table_bits))),
                Some(nodes) => Proofs::Prover(Prover::new(params.table_bits), nodes),
            },
            params: params.clone(),
        })
    }

    /// Whether the opponent plays so much like the net that it may have been trained against it.
    fn is_similar(&self) -> bool {
        match (self.opponent.similarity(), self.params.similarity_threshold) {
            (Some(similarity), Some(threshold)) => similarity > threshold,
            _ => false,
        }
    }

    /// Draws the net of the game, once.
    fn draw_net(&mut self, rng: &mut Rng) {
        let nets = &self.params.nets.0;
        if !self.net_is_drawn && nets.len() > 1 {
            self.net.select(nets[rng.below(nets.len())]);
        }
        self.net_is_drawn = true;
    }

    /// What the seat remembers; nothing, if it was never told how it came to this view.
    fn memories(&self, view: &View) -> SeatMemories {
        match &self.seen {
            Some((seen, memories)) if seen == view => *memories,
            _ => SeatMemories::of(view),
        }
    }

    fn evaluate(&mut self, view: &View) -> Prediction {
        let memories = self.memories(view);
        self.net.evaluate(view, &memories.own)
    }

    /// A forced win whatever the hidden colours are. The prover then tries again, assuming that pieces that stayed on an exit
    /// are red.
    fn forced_win(&mut self, view: &View) -> Option<ForcedWin> {
        let OboroParams { nodes, proof_plies: plies, .. } = self.params;
        let win = |proof, assumes_reds| match proof {
            Proof::Win { line, .. } => Some(ForcedWin { line, assumes_reds }),
            Proof::NoWinWithin(_) | Proof::Undecided(_) => None,
        };
        match &mut self.proofs {
            Proofs::Solver(_) if nodes == 0 => None,
            Proofs::Solver(solver) => win(solver.solve(view, plies, nodes), false),
            Proofs::Prover(prover, budget) => {
                let stayed = view.public().stayed(view.enemy()) & view.hidden();
                win(prover.solve(view, &Position::of(view), plies, *budget), false).or_else(|| {
                    let here = Position::knowing(view, stayed, 0).filter(|_| stayed != 0)?;
                    win(prover.solve(view, &here, plies, *budget), true)
                })
            }
        }
    }

    fn decide(&mut self, view: &View) -> Decision {
        if !view.public().has_placed(view.seat()) {
            let prediction = self.evaluate(view);
            return Decision::Policy { prediction, pruned: Vec::new() };
        }
        if let Some(piece) = view.leaver() {
            return Decision::Leave(Action::Escape(piece));
        }
        if let Some(win) = self.forced_win(view) {
            return Decision::Win(win);
        }
        let prediction = self.evaluate(view);
        let red = self.opponent.reds(view, &prediction.red_log_odds);
        let pruned = self.losing_moves(view, &prediction, &red);
        Decision::Policy { prediction, pruned }
    }

    /// The moves that lose by force in the worst case, where they are pruned.
    fn losing_moves(
        &mut self,
        view: &View,
        prediction: &Prediction,
        red: &[f64; Piece::COUNT],
    ) -> Vec<Action> {
        let OboroParams { nodes, belief_threshold, blue_belief_threshold, .. } = self.params;
        let similar = self.is_similar() && view.hidden_reds() > 1;
        let depth = if similar { self.params.similar_depth } else { self.params.search_depth };
        if nodes == 0 || depth == 0 {
            return Vec::new();
        }
        let (red_threshold, blue_threshold) = match view.hidden_reds() {
            // No piece counts as red, and every piece as blue.
            _ if similar => (2.0, 0.0),
            1 => (belief_threshold, belief_threshold.max(blue_belief_threshold)),
            _ => (belief_threshold, belief_threshold),
        };
        let here = worst_case(view, red, red_threshold, blue_threshold);
        // So wide a margin that every move gets its own value.
        let (moves, _) = self.search.search(&here, depth, nodes, i32::MAX / 4);
        let actions = |losing: &dyn Fn(i32) -> bool| -> Vec<Action> {
            let losing = moves.iter().filter(|(_, value)| losing(*value));
            losing.map(|&(step, _)| step_action(view, step)).collect()
        };
        let losing = actions(&|value| is_certain(value) && value < 0);
        if losing.len() == moves.len() {
            // All is lost: the longest resistance is left.
            let longest = moves.iter().map(|&(_, value)| value).max().unwrap_or(0);
            return actions(&|value| value < longest);
        }
        let always = similar || self.opponent.uninformative() > self.params.uninformative_threshold;
        let safe = || prediction.probability(|action| !losing.contains(&action));
        if always || safe() >= self.params.min_safe_probability { losing } else { Vec::new() }
    }

    /// The probability with which each action is played, with notes where rollouts were made.
    fn probabilities(
        &mut self,
        view: &View,
        prediction: &Prediction,
        pruned: &[Action],
        rng: &mut Rng,
    ) -> Vec<ActionValue<Action>> {
        let placing = !view.public().has_placed(view.seat());
        let rollouts = self.rollouts[usize::from(self.is_similar())].filter(|_| !placing);
        let (temperature, min_relative) = match rollouts {
            _ if placing => (self.params.placement_temperature, 0.0),
            None => (self.params.temperature, self.params.min_relative_probability),
            Some(rollouts) => (self.params.temperature, rollouts.min_relative),
        };
        let mut policy =
            prediction.probabilities(|action| !pruned.contains(&action), temperature, min_relative);
        let likely = policy.iter().filter(|(_, probability)| *probability > 0.0).count();
        let Some(rollouts) = rollouts.filter(|_| likely > 1) else {
            return policy.into_iter().map(|(a, p)| ActionValue::new(a, p)).collect();
        };
        policy.retain(|(_, probability)| *probability > 0.0);
        self.compare(view, prediction, &policy, &rollouts, rng)
    }

    /// The probabilities of likely actions after rollouts: those of the policy, times the exponential of the mean result
    /// divided by the value temperature.
    fn compare(
        &mut self,
        view: &View,
        prediction: &Prediction,
        policy: &[(Action, f64)],
        rollouts: &Rollouts,
        rng: &mut Rng,
    ) -> Vec<ActionValue<Action>> {
        let temperature = self.params.value_temperature;
        let memories = self.memories(view);
        // An opponent that was trained against the net misleads its beliefs.
        let log_odds =
            if self.is_similar() { [0.0; Piece::COUNT] } else { prediction.red_log_odds };
        let colourings = self.opponent.colourings(view, &log_odds);
        let of_policy =
            |of| policy.iter().find(|(action, _)| *action == of).map_or(0.0, |pair| pair.1);
        let tallies = rollouts.evaluate(
            &mut self.net,
            (view, &memories),
            &colourings,
            policy.iter().map(|(action, _)| *action).collect(),
            |action| temperature * libm::log(of_policy(action)),
            rng,
        );
        let best = tallies.iter().map(Tally::mean).fold(0.0, f64::max);
        let weigh = |tally: &Tally<Action>| {
            of_policy(tally.action) * libm::exp((tally.mean() - best) / temperature)
        };
        let total: f64 = tallies.iter().map(weigh).sum();
        let with_note = |tally: Tally<Action>| ActionValue {
            note: format!("worth {:.2}, by policy {:.2}", tally.mean(), of_policy(tally.action)),
            value: weigh(&tally) / total,
            ..tally.into_value()
        };
        tallies.into_iter().map(with_note).collect()
    }

    /// What actions are worth by rollouts, `advised` or else the best of the likely and sound ones first.
    fn estimates(
        &mut self,
        view: &View,
        advised: Option<Action>,
        sound: &[(Action, f64)],
        log_odds: &[f64; Piece::COUNT],
        rng: &mut Rng,
    ) -> Vec<Estimate<Action>> {
        let memories = self.memories(view);
        let colourings = self.opponent.colourings(view, log_odds);
        let likely =
            |of| sound.iter().find(|(action, _)| *action == of).map_or(0.0, |(_, share)| *share);
        // What the policy would hardly play is only looked at.
        let prior = |action| PRIOR * libm::log(likely(action).max(1e-9));
        let rollouts = Rollouts {
            budget: Budget::from(ESTIMATE_ROLLOUTS),
            plies: self.params.rollout_plies,
            min_relative: MIN_RELATIVE_IN_ROLLOUTS,
        };
        let (seen, actions) = ((view, &memories), view.legal_actions());
        let tallies = rollouts.evaluate(&mut self.net, seen, &colourings, actions, prior, rng);
        let first = advised.unwrap_or(tallies[0].action);
        let estimate = |tally: &Tally<Action>| match advised {
            Some(action) if action == tally.action => Estimate::certain(action, 1.0),
            _ => {
                let results = tally.playouts.into();
                Estimate::of_results(tally.action, tally.mean(), results, 0.0, 1.0)
            }
        };
        let tried =
            tallies.iter().filter(|tally| tally.playouts > 0 || advised == Some(tally.action));
        advise(&first, tried.map(estimate).collect())
    }

    /// What placements are worth: all of them as much as the net expects of the game, the likeliest first.
    fn placement_estimates(&mut self, view: &View, _: &mut Rng) -> Vec<Estimate<Action>> {
        let prediction = self.evaluate(view);
        let mut placements = prediction.probabilities(|_| true, 1.0, 0.0);
        placements.sort_by(|a, b| b.1.total_cmp(&a.1));
        let value = prediction.value;
        let estimate = |(action, _)| Estimate::of_results(action, value, 1, 0.0, 1.0);
        placements.into_iter().map(estimate).collect()
    }

    fn draw(probabilities: &[ActionValue<Action>], rng: &mut Rng) -> Action {
        let weights: Vec<(Action, f64)> =
            probabilities.iter().map(|value| (value.action, value.value)).collect();
        sample(&weights, rng)
    }
}

impl Agent<Geister> for OboroAgent {
    fn begin(&mut self, view: &View) {
        self.seen = Some((*view, SeatMemories::of(view)));
        self.opponent = OpponentModel::default();
        self.net_is_drawn = false;
    }

    fn observe(&mut self, event: &Event) {
        let Some((view, memories)) = &mut self.seen else { return };
        if let Event::Moved { seat, piece, direction, captured } = *event
            && (seat != view.seat() || captured.is_some())
        {
            let log_odds = self.net.evaluate(view, &memories.own).red_log_odds;
            if seat != view.seat() {
                let world = view.with_reds(likeliest(view, &log_odds));
                let memory = memories.enemy_within(view, &world);
                let theirs = self.net.evaluate(&world.view(seat), &memory);
                let probability =
                    theirs.probability(|action| action == Action::Move(piece, direction));
                self.opponent.observe_move(probability, theirs.actions.len());
            } else if let Some((piece, colour)) = captured {
                self.opponent.observe_colour(view, &log_odds, piece, colour == Colour::Red);
            }
        }
        memories.follow(view, *event);
        view.follow(*event);
    }

    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
        let log_odds = self.evaluate(view).red_log_odds;
        let red = self.opponent.reds(view, &log_odds);
        colours_believed(view, |piece| red[piece.index()])
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.draw_net(rng);
        if let Some(placing) = self.params.placement.placing(view, rng) {
            return placing;
        }
        match self.decide(view) {
            Decision::Leave(action) => action,
            Decision::Win(win) => win.line[0],
            Decision::Policy { prediction, pruned } => {
                Self::draw(&self.probabilities(view, &prediction, &pruned, rng), rng)
            }
        }
    }

    fn estimate(&mut self, view: &View, rng: &mut Rng) -> Option<Vec<Estimate<Action>>> {
        if !self.net_is_drawn {
            // Advice does not depend on which net is drawn.
            self.net.select(self.params.nets.0[0]);
        }
        if !view.public().has_placed(view.seat()) {
            return Some(self.placement_estimates(view, rng));
        }
        Some(match self.decide(view) {
            Decision::Leave(action) => {
                self.estimates(view, Some(action), &[], &[0.0; Piece::COUNT], rng)
            }
            Decision::Win(win) => {
                let certain = win.line[0];
                self.estimates(view, Some(certain), &[], &[0.0; Piece::COUNT], rng)
            }
            Decision::Policy { prediction, pruned } => {
                let sound = prediction.probabilities(
                    |action| !pruned.contains(&action),
                    1.0,
                    MIN_RELATIVE_IN_ROLLOUTS,
                );
                self.estimates(view, None, &sound, &prediction.red_log_odds, rng)
            }
        })
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let joined = |actions: &[Action]| {
            actions.iter().map(Action::to_string).collect::<Vec<_>>().join(" ")
        };
        self.draw_net(rng);
        if let Some(placing) = self.params.placement.placing(view, rng) {
            return Analysis::of_choice(placing);
        }
        let (choice, values, text) = match self.decide(view) {
            Decision::Leave(action) => (action, Vec::new(), "leaves".to_owned()),
            Decision::Win(ForcedWin { line, assumes_reds }) => {
                let condition =
                    if assumes_reds { ", if pieces that stayed on an exit are red" } else { "" };
                let text = format!(
                    "a forced win in {} plies whatever the hidden colours are{condition}: {}",
                    line.len(),
                    joined(&line)
                );
                (line[0], Vec::new(), text)
            }
            Decision::Policy { prediction, pruned } => {
                let mut text =
                    format!("expects to win {:.0} % of such games", 100.0 * prediction.value);
                if !pruned.is_empty() {
                    text += &format!("\nlosing moves in the worst case: {}", joined(&pruned));
                }
                let values = self.probabilities(view, &prediction, &pruned, rng);
                (Self::draw(&values, rng), values, text)
            }
        };
        Analysis { choice, measure: "probability", values, drawing: Some(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::{Game, Seat};

    /// An agent with the first net alone.
    fn agent(params: &OboroParams) -> OboroAgent {
        let nets = "first".parse().expect("a net");
        OboroAgent::new(&OboroParams { nets, ..params.clone() }).expect("sensible")
    }

    /// An enemy piece stands on its exit beside an own one, and is believed red.
    #[test]
    fn no_piece_of_a_similar_opponent_is_let_out() {
        let text = "10 15B25B35B45B55R44R34R24R 05B10R20R30R40R50B11B21B";
        let view = Geister::default().parse_position(text).expect("a position").view(Seat::FIRST);
        let mut agent = agent(&OboroParams::default());
        let mut red = [0.0; Piece::COUNT];
        let runner =
            Piece::of_set(view.hidden()).find(|&p| view.public().is_on_exit(view.enemy(), p));
        red[runner.expect("one stands on an exit").index()] = 0.99;
        let prediction = agent.evaluate(&view);
        assert_eq!(agent.losing_moves(&view, &prediction, &red), [], "a red may stay there");
        (0..12).for_each(|_| agent.opponent.observe_move(0.6, 10));
        let losing = agent.losing_moves(&view, &prediction, &red);
        let mut safe = view.legal_actions();
        safe.retain(|action| !losing.contains(action));
        assert_eq!(safe, ["AW".parse().unwrap()], "only its capture is left");
    }

    /// Whether rollouts are made at the first move of a game, against an opponent that is similar or not.
    fn makes_rollouts(params: &OboroParams, similar: bool) -> bool {
        let placements = "ABCD/EFGH".parse().expect("placements");
        let game = Geister { placements, ..Geister::default() };
        let view = game.deal(&mut Rng::from_u64(1)).view(Seat::FIRST);
        let mut agent = agent(params);
        let probability = if similar { 0.6 } else { 0.02 };
        (0..4).for_each(|_| agent.opponent.observe_move(probability, 10));
        let prediction = agent.evaluate(&view);
        let values = agent.probabilities(&view, &prediction, &[], &mut Rng::from_u64(1));
        values.iter().any(|value| !value.note.is_empty())
    }

    #[test]
    fn rollouts_are_made_against_similar_opponents() {
        let usual = OboroParams { similar_playouts: 6, rollout_plies: 1, ..OboroParams::default() };
        assert!(makes_rollouts(&usual, true) && !makes_rollouts(&usual, false));
        let without = OboroParams { similarity_threshold: None, ..usual.clone() };
        assert!(!makes_rollouts(&without, true));
        let without = OboroParams { similar_playouts: 0, ..usual.clone() };
        assert!(!makes_rollouts(&without, true));
        let policy_alone = OboroParams { nodes: 0, ..usual.clone() };
        assert!(!makes_rollouts(&policy_alone, true));
        assert!(makes_rollouts(&OboroParams { playouts: 6, ..usual }, false));
    }
}
