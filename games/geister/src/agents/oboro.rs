//! Our own player: policies learned by self-play, proofs of forced wins, and a look ahead for what loses.
//!
//! One of several nets is drawn for each game, since one alone is soon studied. A blue on an exit leaves. A forced win,
//! whatever the hidden colours are, is played. Otherwise the net says how likely
//! it would play each move and which enemy pieces it takes for red; a search of the position as believed strikes out
//! the moves that lose in it unless the net is sure of them, and one of the others is drawn, the likely ones sharpened by the
//! temperature. How far the net's guesses of colours are believed is learned from those that turn out right or wrong, and from
//! how like the net the other moves. Given time, the moves that are likely are tried out first: played on for some plies in worlds
//! that may be the true one.

use super::check_range;
use super::oboro_2026a::{WEIGHTS, believed, step_action};
use super::set_up::SetUp;
use crate::Geister;
use crate::action::{Action, Event};
use crate::belief_search::{BeliefSearch, is_certain};
use crate::brain::{Mind, NETS, Opinion, draw};
use crate::piece::{Colour, Piece};
use crate::prover::{Position, Prover};
use crate::purple::Purple;
use crate::rehearsal::{Memories, Rehearsal};
use crate::scene::colours_believed;
use crate::solver::{Proof, Solver};
use crate::trust::Trust;
use crate::view::View;
use oboro_core::{
    ActionValue, Agent, AgentEntry, Analysis, Belief, GameWorld, Rng, SeatView, SpecError, fresh,
};
use oboro_search::{Budget, Tally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Moves that the policy likes less than this share of its favourite are not worth playouts.
const TRIED: f64 = 0.05;

/// The parameters of `oboro`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct OboroParams {
    /// Nodes a decision: so many for the proof, and as many for the look ahead; 0 for the policy alone.
    pub nodes: u64,
    /// Which of its ten policies it plays, 1 to 9 in the order they were learned and 0 for the tenth; of several digits one is drawn
    /// for each game. It is read as a number, so that 0 comes last: 0 before others is dropped.
    pub policies: u32,
    /// How freely it moves: the policy's probabilities are raised to the power of one over this. Near 0 the likeliest
    /// move is played always.
    pub temperature: f64,
    /// Moves that the policy likes less than this share of its favourite are not played.
    pub least: f64,
    /// The temperature of its set-up, where that is `learned`.
    pub setup: f64,
    /// Where its reds go: `corner` (three side by side in front and one in a corner behind), `front` (three in front and one behind),
    /// `learned`, `random`, or its red pieces.
    #[schemars(with = "String")]
    pub placement: SetUp,
    /// Plies a forced win may take to be looked for.
    pub proof: u32,
    /// Nodes for proofs by the prover, which finds longer wins than the solver does with `nodes`, and takes an enemy piece
    /// that stood on an exit and stayed for red; 0 for the solver.
    pub prover: u64,
    /// The table of the proofs has two to the power of this many entries, 16 bytes each.
    pub table: u32,
    /// Plies the look ahead reaches; 0 for none.
    pub depth: u32,
    /// In the look ahead a piece at least so likely red counts as red, one at least so likely blue as blue; all others
    /// are feared as both. Above 1 all are.
    pub sure: f64,
    /// The sureness asked of a blue when one red is left: to capture the last red is to lose.
    pub surest: f64,
    /// What loses in the look ahead is struck out only where the policy likes the other moves at least so much together: where it
    /// is surer than that, it knows something that the look ahead, which fears whatever is not known, does not.
    pub veto: f64,
    /// Where it is likelier than this that the net reads nothing from the other's moves, whatever loses in the look ahead is struck out.
    pub wary: f64,
    /// Whose first eight moves are on average so much more like the net's than anybody's, as a logarithm, may have studied it and act
    /// against type. While more than one red of it is left, the look ahead then takes every piece for blue, which must not be let out,
    /// and is always heeded. 10 for nobody.
    pub kin: f64,
    /// Plies of that look ahead; 0 for none.
    pub kin_depth: u32,
    /// Playouts a decision with whoever may have studied the net, if `playouts` are not more. Then nothing is believed of the other's
    /// colours but their number, since the net is led astray on purpose.
    pub kin_playouts: u32,
    /// Playouts a decision, by which the moves that the policy likes are tried out in worlds drawn from its beliefs; 0 for none.
    pub playouts: u32,
    /// Seconds after which the playouts of a decision end; for tournaments: such games cannot be played again bit for bit.
    pub seconds: Option<f64>,
    /// Plies of a playout; then the net judges.
    pub ahead: u32,
    /// What a move must promise more than another to be e times as likely as the policy has it.
    pub sway: f64,
}

impl Default for OboroParams {
    fn default() -> OboroParams {
        OboroParams {
            nodes: 20_000,
            policies: 345_890,
            temperature: 1.0,
            least: 0.0,
            setup: 1.0,
            placement: SetUp::Learned,
            proof: 13,
            prover: 0,
            table: 16,
            depth: 2,
            sure: 0.5,
            surest: 0.97,
            veto: 0.05,
            wary: 0.4,
            kin: 0.2,
            kin_depth: 4,
            kin_playouts: 24,
            playouts: 0,
            seconds: None,
            ahead: 16,
            sway: 0.02,
        }
    }
}

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "oboro",
        "Oboro",
        "Plays policies learned by self-play, proves forced wins, and strikes out what loses",
        |_, params: &OboroParams| {
            check_range("nodes", params.nodes, 0..=10_000_000_000)?;
            let nets = nets(params.policies);
            check_range("temperature", params.temperature, 0.01..=10.0)?;
            check_range("least", params.least, 0.0..=1.0)?;
            check_range("setup", params.setup, 0.01..=10.0)?;
            check_range("proof", params.proof, 1..=99)?;
            check_range("prover", params.prover, 0..=10_000_000_000)?;
            check_range("table", params.table, 8..=28)?;
            check_range("depth", params.depth, 0..=60)?;
            check_range("sure", params.sure, 0.5..=2.0)?;
            check_range("surest", params.surest, 0.5..=2.0)?;
            check_range("veto", params.veto, 0.0..=1.0)?;
            check_range("wary", params.wary, 0.0..=1.0)?;
            check_range("kin", params.kin, -10.0..=10.0)?;
            check_range("kin-depth", params.kin_depth, 0..=60)?;
            if params.playouts == 0 && params.seconds.is_some() {
                return Err(SpecError("seconds end playouts, and there are none".to_owned()));
            }
            check_range("ahead", params.ahead, 0..=300)?;
            check_range("sway", params.sway, 0.001..=10.0)?;
            Ok(fresh(OboroAgent::new(params, nets)?))
        },
    )
}

/// The nets that some digits name, from 0: those of 1 to 9 in their order, and the last for 0.
fn nets(digits: u32) -> Vec<usize> {
    let net = |digit: u8| (usize::from(digit - b'0') + NETS - 1) % NETS;
    digits.to_string().bytes().map(net).collect()
}

/// The likeliest set of enemy reds by the net's log odds.
fn likeliest(view: &View, odds: &[f64; Piece::COUNT]) -> u8 {
    let sum = |set| Piece::of_set(set).map(|piece| odds[piece.index()]).sum::<f64>();
    let sets = view.colourings().map(|set| (set, sum(set)));
    sets.max_by(|a, b| a.1.total_cmp(&b.1)).expect("some pieces may be red").0
}

#[derive(Clone, Debug)]
struct OboroAgent {
    params: OboroParams,
    /// How moves are tried out, if they are: with anybody, and with whoever may have studied the net.
    rehearsals: [Option<Rehearsal>; 2],
    mind: Mind,
    /// The nets it draws from, and whether the game's is drawn.
    nets: Vec<usize>,
    settled: bool,
    /// What the seat saw last, and what it remembers; none before it sits down.
    seen: Option<(View, Memories)>,
    trust: Trust,
    search: BeliefSearch,
    proofs: Proofs,
}

/// What looks for forced wins.
#[derive(Clone, Debug)]
enum Proofs {
    Solver(Box<Solver>),
    Prover(Prover),
}

/// What a decision rests on.
enum Thought {
    Leave(Action),
    Proof(Win),
    Policy {
        opinion: Opinion,
        /// How likely each hidden piece is red.
        red: [f64; Piece::COUNT],
        /// Moves that lose by force in the position as believed.
        lost: Vec<Action>,
    },
}

/// A forced win.
struct Win {
    line: Vec<Action>,
    /// Whether it needs those who stayed on an exit to be red.
    trusting: bool,
}

impl OboroAgent {
    fn new(params: &OboroParams, nets: Vec<usize>) -> Result<OboroAgent, SpecError> {
        let OboroParams { nodes, playouts, kin_playouts, seconds, ahead, least, .. } = *params;
        let rehearsal = |name, playouts| {
            let plan = |budget| Rehearsal { budget, plies: ahead, least: least.max(TRIED) };
            let wanted =
                (playouts > 0).then(|| Budget::new(name, playouts, seconds)).transpose()?;
            Ok(wanted.map(plan))
        };
        // Without nodes it is the policy alone, whoever the other is.
        let kin_playouts = if nodes == 0 { playouts } else { kin_playouts.max(playouts) };
        Ok(OboroAgent {
            params: params.clone(),
            rehearsals: [
                rehearsal("playouts", playouts)?,
                rehearsal("kin-playouts", kin_playouts)?,
            ],
            mind: Mind::new(nets[0]),
            nets,
            settled: false,
            seen: None,
            trust: Trust::default(),
            search: BeliefSearch::new(WEIGHTS),
            proofs: match params.prover {
                0 => Proofs::Solver(Box::new(Solver::new(params.table))),
                _ => Proofs::Prover(Prover::new(params.table)),
            },
        })
    }

    /// Whether the other moves so like the net that it may have studied it.
    fn is_akin(&self) -> bool {
        self.trust.likeness().is_some_and(|likeness| likeness > self.params.kin)
    }

    /// Draws the policy of the game, where there is a choice and that is not done.
    fn settle(&mut self, rng: &mut Rng) {
        if !self.settled && self.nets.len() > 1 {
            self.mind.change(self.nets[rng.below(self.nets.len())]);
        }
        self.settled = true;
    }

    /// What the seat remembers; nothing, if it was never told how it came to this view.
    fn memories(&self, view: &View) -> Memories {
        match &self.seen {
            Some((seen, memories)) if seen == view => *memories,
            _ => Memories::of(view),
        }
    }

    fn consider(&mut self, view: &View) -> Opinion {
        let memories = self.memories(view);
        self.mind.consider(view, &memories.own)
    }

    /// A forced win whatever the hidden colours are; or else whatever they are of those who did not stay on an exit.
    fn forced_win(&mut self, view: &View) -> Option<Win> {
        let OboroParams { nodes, proof, prover: budget, .. } = self.params;
        let win = |verdict, trusting| match verdict {
            Proof::Win { line, .. } => Some(Win { line, trusting }),
            Proof::NoWinWithin(_) | Proof::Undecided(_) => None,
        };
        match &mut self.proofs {
            Proofs::Solver(_) if nodes == 0 => None,
            Proofs::Solver(solver) => win(solver.solve(view, proof, nodes), false),
            Proofs::Prover(prover) => {
                let dark = Purple::of(view).into();
                let stayed = view.public().lingered(view.enemy()) & view.hidden();
                win(prover.solve(view, &dark, proof, budget), false).or_else(|| {
                    let here = Position::knowing(view, stayed, 0).filter(|_| stayed != 0)?;
                    win(prover.solve(view, &here, proof, budget), true)
                })
            }
        }
    }

    fn think(&mut self, view: &View) -> Thought {
        if !view.public().has_placed(view.seat()) {
            let opinion = self.consider(view);
            return Thought::Policy { opinion, red: [0.0; Piece::COUNT], lost: Vec::new() };
        }
        if let Some(piece) = view.leaver() {
            return Thought::Leave(Action::Escape(piece));
        }
        if let Some(win) = self.forced_win(view) {
            return Thought::Proof(win);
        }
        let opinion = self.consider(view);
        let red = self.trust.reds(view, &opinion.odds);
        let lost = self.losing(view, &opinion, &red);
        Thought::Policy { opinion, red, lost }
    }

    /// The moves that lose by force in the position as believed, where that is heeded.
    fn losing(&mut self, view: &View, opinion: &Opinion, red: &[f64; Piece::COUNT]) -> Vec<Action> {
        let OboroParams { nodes, depth, sure, surest, veto, wary, kin_depth, .. } = self.params;
        let akin = self.is_akin() && view.hidden_reds() > 1;
        let depth = if akin { kin_depth } else { depth };
        if nodes == 0 || depth == 0 {
            return Vec::new();
        }
        let (sure_red, sure_blue) = match view.hidden_reds() {
            // Nobody is red, and everybody blue.
            _ if akin => (2.0, 0.0),
            1 => (sure, sure.max(surest)),
            _ => (sure, sure),
        };
        let believed = believed(view, red, sure_red, sure_blue);
        // So wide a margin that every move gets its own value.
        let (moves, _) = self.search.search(&believed, depth, nodes, i32::MAX / 4);
        let losing = moves.iter().filter(|(_, value)| is_certain(*value) && *value < 0);
        let lost: Vec<Action> = losing.map(|&(step, _)| step_action(view, step)).collect();
        if lost.len() == moves.len() {
            // All is lost: the longest resistance is left.
            let longest = moves.iter().map(|&(_, value)| value).max().unwrap_or(0);
            let shorter = moves.iter().filter(|(_, value)| *value < longest);
            return shorter.map(|&(step, _)| step_action(view, step)).collect();
        }
        let heeded = akin || self.trust.blindness() > wary;
        if heeded || opinion.share(|action| !lost.contains(&action)) >= veto {
            lost
        } else {
            Vec::new()
        }
    }

    /// How likely each action is played, and what it rests on where moves were tried out.
    fn shares(
        &mut self,
        view: &View,
        opinion: &Opinion,
        lost: &[Action],
        rng: &mut Rng,
    ) -> Vec<ActionValue<Action>> {
        let placing = !view.public().has_placed(view.seat());
        let OboroParams { setup, temperature, least, sway, .. } = self.params;
        let rehearsal = self.rehearsals[usize::from(self.is_akin())].filter(|_| !placing);
        let (temperature, least) = match rehearsal {
            _ if placing => (setup, 0.0),
            None => (temperature, least),
            Some(rehearsal) => (temperature, rehearsal.least),
        };
        let mut shares = opinion.shares(|action| !lost.contains(&action), temperature, least);
        let liked = shares.iter().filter(|(_, share)| *share > 0.0).count();
        let Some(rehearsal) = rehearsal.filter(|_| liked > 1) else {
            return shares.into_iter().map(|(a, share)| ActionValue::new(a, share)).collect();
        };
        shares.retain(|(_, share)| *share > 0.0);
        let memories = self.memories(view);
        // Who has studied the net makes it believe what is not.
        let odds = if self.is_akin() { [0.0; Piece::COUNT] } else { opinion.odds };
        let colourings = self.trust.colourings(view, &odds);
        let share = |of| shares.iter().find(|(action, _)| *action == of).map_or(0.0, |pair| pair.1);
        let tallies = rehearsal.weigh(
            &mut self.mind,
            (view, &memories),
            &colourings,
            shares.iter().map(|(action, _)| *action).collect(),
            |action| sway * libm::log(share(action)),
            rng,
        );
        let best = tallies.iter().map(Tally::mean).fold(0.0, f64::max);
        let weigh =
            |tally: &Tally<Action>| share(tally.action) * libm::exp((tally.mean() - best) / sway);
        let total: f64 = tallies.iter().map(weigh).sum();
        let tried = |tally: Tally<Action>| ActionValue {
            note: format!("worth {:.2}, by policy {:.2}", tally.mean(), share(tally.action)),
            value: weigh(&tally) / total,
            ..tally.into_value()
        };
        tallies.into_iter().map(tried).collect()
    }

    fn draw(shares: &[ActionValue<Action>], rng: &mut Rng) -> Action {
        let weights: Vec<(Action, f64)> = shares.iter().map(|v| (v.action, v.value)).collect();
        draw(&weights, rng)
    }
}

impl Agent<Geister> for OboroAgent {
    fn begin(&mut self, view: &View) {
        self.seen = Some((*view, Memories::of(view)));
        self.trust = Trust::default();
        self.settled = false;
    }

    fn observe(&mut self, event: &Event) {
        if let Some((view, memories)) = &mut self.seen {
            if let Event::Moved { seat, piece, direction, captured } = *event
                && (seat != view.seat() || captured.is_some())
            {
                let odds = self.mind.consider(view, &memories.own).odds;
                if seat != view.seat() {
                    let world = view.with_reds(likeliest(view, &odds));
                    let memory = memories.enemy_within(view, &world);
                    let theirs = self.mind.consider(&world.view(seat), &memory);
                    let share = theirs.share(|action| action == Action::Move(piece, direction));
                    self.trust.watch(share, theirs.actions.len());
                } else if let Some((piece, colour)) = captured {
                    self.trust.learn(view, &odds, piece, colour == Colour::Red);
                }
            }
            memories.follow(view, *event);
            view.follow(*event);
        }
    }

    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
        let odds = self.consider(view).odds;
        let red = self.trust.reds(view, &odds);
        colours_believed(view, |piece| red[piece.index()])
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.settle(rng);
        if let Some(placing) = self.params.placement.placing(view, rng) {
            return placing;
        }
        match self.think(view) {
            Thought::Leave(action) => action,
            Thought::Proof(win) => win.line[0],
            Thought::Policy { opinion, lost, .. } => {
                Self::draw(&self.shares(view, &opinion, &lost, rng), rng)
            }
        }
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        self.settle(rng);
        if let Some(placing) = self.params.placement.placing(view, rng) {
            return Analysis::of_choice(placing);
        }
        let mut text = String::new();
        let (choice, values) = match self.think(view) {
            Thought::Leave(action) => {
                text.push_str("leaves");
                (action, Vec::new())
            }
            Thought::Proof(Win { line, trusting }) => {
                let moves: Vec<String> = line.iter().map(Action::to_string).collect();
                let unless = if trusting { ", if who stayed on an exit is red" } else { "" };
                text = format!(
                    "a forced win in {} plies whatever the hidden colours are{unless}: {}",
                    line.len(),
                    moves.join(" ")
                );
                (line[0], Vec::new())
            }
            Thought::Policy { opinion, red, lost } => {
                write!(text, "expects to win {:.0} % of such games", 100.0 * opinion.value)
                    .expect("writing to a string");
                if !lost.is_empty() {
                    let moves: Vec<String> = lost.iter().map(Action::to_string).collect();
                    write!(text, "\nloses, as it believes: {}", moves.join(" "))
                        .expect("writing to a string");
                }
                if view.public().has_placed(view.seat()) {
                    text.push_str("\nred with probability");
                    for piece in Piece::of_set(view.hidden()) {
                        write!(text, " {piece} {:.2}", red[piece.index()])
                            .expect("writing to a string");
                    }
                }
                let shares = self.shares(view, &opinion, &lost, rng);
                (Self::draw(&shares, rng), shares)
            }
        };
        Analysis { choice, measure: "probability", values, drawing: Some(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::{Game, Seat};

    #[test]
    fn digits_name_nets() {
        assert_eq!(nets(19), [0, 8]);
        assert_eq!(nets(3_300), [2, 2, 9, 9]);
    }

    /// An enemy piece stands on its exit beside an own one, and is taken for red.
    #[test]
    fn no_piece_of_a_pupil_is_let_out_whatever_it_is_taken_for() {
        let text = "10 15B25B35B45B55R44R34R24R 05B10R20R30R40R50B11B21B";
        let view = Geister::default().parse_position(text).expect("a position").view(Seat::FIRST);
        let mut agent = OboroAgent::new(&OboroParams::default(), vec![0]).expect("sensible");
        let mut red = [0.0; Piece::COUNT];
        let runner =
            Piece::of_set(view.hidden()).find(|&p| view.public().is_on_exit(view.enemy(), p));
        red[runner.expect("one stands on an exit").index()] = 0.99;
        let opinion = agent.consider(&view);
        assert_eq!(agent.losing(&view, &opinion, &red), [], "as believed it may stay there");
        (0..12).for_each(|_| agent.trust.watch(0.6, 10));
        let lost = agent.losing(&view, &opinion, &red);
        let saved: Vec<String> = view
            .legal_actions()
            .into_iter()
            .filter(|action| !lost.contains(action))
            .map(|action| action.to_string())
            .collect();
        assert_eq!(saved, ["AW"], "to capture it is all that is left");
    }

    /// Whether moves are tried out at the first move of a game, with whoever moves so.
    fn tries_out(params: &OboroParams, like: bool) -> bool {
        let placements = "ABCD/EFGH".parse().expect("placements");
        let game = Geister { placements, ..Geister::default() };
        let view = game.deal(&mut Rng::from_u64(1)).view(Seat::FIRST);
        let mut agent = OboroAgent::new(params, vec![0]).expect("sensible");
        (0..4).for_each(|_| agent.trust.watch(if like { 0.6 } else { 0.02 }, 10));
        let opinion = agent.consider(&view);
        let shares = agent.shares(&view, &opinion, &[], &mut Rng::from_u64(1));
        shares.iter().any(|value| !value.note.is_empty())
    }

    #[test]
    fn moves_are_tried_out_with_pupils() {
        let usual = OboroParams { kin_playouts: 6, ahead: 1, ..OboroParams::default() };
        assert!(tries_out(&usual, true) && !tries_out(&usual, false));
        let with = |change: fn(&mut OboroParams)| {
            let mut params = usual.clone();
            change(&mut params);
            params
        };
        assert!(!tries_out(&with(|params| params.kin = 10.0), true));
        assert!(!tries_out(&with(|params| params.kin_playouts = 0), true));
        assert!(!tries_out(&with(|params| params.nodes = 0), true), "the policy alone");
        assert!(tries_out(&with(|params| params.playouts = 6), false));
    }
}
