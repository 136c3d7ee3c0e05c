//! `StrongStrongMasashi`, the winner of GAT 2019, as far as the paper describes it.
//!
//! Its source is not public. What is known: it is deterministic and made of rules; it takes pieces
//! and runs for the exits eagerly; the pieces nearest the corners of its own side go there in the
//! first moves and hardly move again (`ssm`), or not (`ssm-nk`); any placement can be given. The
//! rules below and their order are ours, so the order and what is open in them are parameters.

use super::PlacementChoice;
use crate::Geister;
use crate::action::Action;
use crate::agents::keeper::KEEPERS;
use crate::piece::Piece;
use crate::square::{Direction, EXITS, Square, squares};
use crate::view::View;
use arrayvec::ArrayVec;
use oboro_core::{Agent, AgentEntry, Rng, SeatView, SpecError, fresh, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

params! {
    /// The parameters of `ssm` and `ssm-nk`.
    pub(super) struct SsmParams: Clone {
        /// Its red pieces, as in CEFG, or `random`; the one it entered the tournament with is not known.
        #[schemars(with = "String")]
        pub placement: PlacementChoice = "CEFG".parse().expect("four reds") => {"maxLength": 6},
        /// The rules in the order in which they are asked, joined by hyphens: `stop` an escape, `run`
        /// for an exit, `take` a piece, `flee`. Any may be left out. Before them it leaves and guards its
        /// corners, after them a piece comes nearer to an exit.
        #[schemars(with = "String")]
        pub rules: RuleOrder = RuleOrder(Rule::ALL.map(|(rule, _)| rule).into()) => {"maxLength": 24},
        /// Which pieces are taken.
        pub take: Take = Take::Careful => {},
        /// Which pieces come nearer to an exit first.
        pub lead: Lead = Lead::Blues => {},
        /// Whether blues come nearer only where nobody can capture them.
        pub cautious: bool = true => {},
        /// Where `stop` and `take` capture a piece that may be the enemy's last red. One that stood on an exit and stayed is
        /// taken for red and left alone.
        pub last_red: LastRed = LastRed::Exit => {},
    }
}

/// Which captures the rule `take` makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Take {
    /// With reds first, and with blues only where nobody can capture back.
    Careful,
    /// With any piece, onto squares where nobody can capture back.
    Unguarded,
    /// With any piece anywhere.
    Any,
}

/// Which pieces come nearer to an exit first; of equals, the nearest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Lead {
    /// Blues before reds.
    Blues,
    /// Reds before blues.
    Reds,
    /// The nearest, whatever its colour.
    Nearest,
}

/// Where a piece that may be the enemy's last red is captured: if it is, the game is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LastRed {
    /// Nowhere.
    Never,
    /// On an exit, where a blue would leave.
    Exit,
    /// Anywhere.
    Always,
}

/// One of the rules whose order is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Stop,
    Run,
    Take,
    Flee,
}

impl Rule {
    const ALL: [(Rule, &str); 4] =
        [(Rule::Stop, "stop"), (Rule::Run, "run"), (Rule::Take, "take"), (Rule::Flee, "flee")];
}

/// Some of the rules, each at most once, in the order in which they are asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct RuleOrder(ArrayVec<Rule, 4>);

impl fmt::Display for RuleOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (i, rule) in self.0.iter().enumerate() {
            let (_, name) = Rule::ALL[*rule as usize];
            write!(f, "{}{name}", if i == 0 { "" } else { "-" })?;
        }
        Ok(())
    }
}

impl FromStr for RuleOrder {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<RuleOrder, SpecError> {
        let mut rules = ArrayVec::new();
        for word in text.split('-').filter(|_| text != "none") {
            let found = Rule::ALL.into_iter().find(|(_, name)| *name == word);
            match found.filter(|(rule, _)| !rules.contains(rule)) {
                Some((rule, _)) => rules.push(rule),
                None => {
                    return Err(SpecError(format!(
                        "rules={text}: stop, run, take and flee, each at most once, as in \
                         stop-run-take-flee, or none"
                    )));
                }
            }
        }
        Ok(RuleOrder(rules))
    }
}

oboro_core::serde_as_text!(RuleOrder);

pub(super) fn entries() -> [AgentEntry<Geister>; 2] {
    [
        entry(
            "ssm",
            "Rules with keepers: takes, runs, and guards its corners (reconstruction)",
            true,
        ),
        entry("ssm-nk", "The same rules without keepers (reconstruction)", false),
    ]
}

fn entry(name: &'static str, about: &'static str, keepers: bool) -> AgentEntry<Geister> {
    AgentEntry::new(name, "Ito et al. 2019, 4.1", about, move |_, params: &SsmParams| {
        Ok(fresh(Ssm { keepers, params: params.clone() }))
    })
    .public(1, 16)
}

#[derive(Clone, Debug)]
struct Ssm {
    keepers: bool,
    params: SsmParams,
}

impl Agent<Geister> for Ssm {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let params = &self.params;
        if let Some(placement) = params.placement.placing(view, rng) {
            return placement;
        }
        let moves = moves(view, if self.keepers { keepers(view) } else { 0 });
        let by_rule = |rule: &Rule| match rule {
            Rule::Stop => stop_an_escape(view, &moves, params.last_red),
            Rule::Run => run(view, &moves),
            Rule::Take => take(view, &moves, params),
            Rule::Flee => flee(view, &moves),
        };
        leave(&moves)
            .or_else(|| guard_the_corners(view, self.keepers))
            .or_else(|| params.rules.0.iter().find_map(by_rule))
            .or_else(|| approach(view, &moves, params))
            .or_else(|| moves.iter().min_by_key(|m| m.captured.is_some()).map(|m| m.action))
            .expect("the seat to move has a move")
    }
}

/// A legal action with what the rules ask about it.
#[derive(Clone, Copy)]
struct Candidate {
    action: Action,
    piece: Piece,
    blue: bool,
    keeper: bool,
    to: Option<Square>,
    from: Square,
    captured: Option<Piece>,
    /// Whether an enemy could capture the piece on its target.
    exposed: bool,
}

fn moves(view: &View, keepers: u8) -> Vec<Candidate> {
    let (board, seat) = (view.public(), view.seat());
    let mut moves = Vec::new();
    view.for_each_legal(|action| {
        let (Action::Move(piece, _) | Action::Escape(piece)) = action else {
            return;
        };
        let (to, captured) = match action {
            Action::Move(_, direction) => {
                (board.target(seat, piece, direction), board.capture(seat, piece, direction))
            }
            _ => (None, None),
        };
        moves.push(Candidate {
            action,
            piece,
            blue: piece.is_in(view.own_blues()),
            keeper: piece.is_in(keepers),
            to,
            from: board.square(seat, piece).expect("on the board"),
            captured,
            exposed: to.is_some_and(|to| board.is_attacked(to, view.enemy())),
        });
    });
    moves
}

/// The keepers that have reached the corners.
fn keepers(view: &View) -> u8 {
    let corners = EXITS[view.enemy().index()];
    Piece::of_set(view.public().alive(view.seat()))
        .filter(|&piece| {
            let square = view.public().square(view.seat(), piece);
            square.is_some_and(|square| square.bit() & corners != 0)
        })
        .fold(0, |set, piece| set | piece.bit())
}

/// A blue on an exit leaves.
fn leave(moves: &[Candidate]) -> Option<Action> {
    let leaving = |m: &&Candidate| matches!(m.action, Action::Escape(_));
    moves.iter().find(leaving).map(|m| m.action)
}

/// In its first two turns the pieces nearest the corners step into them.
fn guard_the_corners(view: &View, keepers: bool) -> Option<Action> {
    let (board, seat) = (view.public(), view.seat());
    let turn = usize::from(board.ply() / 2);
    let (piece, direction) = match turn {
        0 => (KEEPERS[0], Direction::West),
        1 => (KEEPERS[1], Direction::East),
        _ => return None,
    };
    (keepers && board.target(seat, piece, direction).is_some())
        .then_some(Action::Move(piece, direction))
}

/// Whether a capture may be made for all that is known of the enemy's last red.
fn spares_the_last_red(view: &View, m: &Candidate, last_red: LastRed) -> bool {
    let Some(captured) = m.captured else { return true };
    let seems_red = captured.is_in(view.public().stayed(view.enemy()));
    view.hidden_reds() > 1
        || !seems_red
            && match last_red {
                LastRed::Never => false,
                LastRed::Exit => m.to.is_some_and(|to| to.distance_to_exit(view.enemy()) == 0),
                LastRed::Always => true,
            }
}

/// An enemy on one of its exits, or a step before it, is captured.
fn stop_an_escape(view: &View, moves: &[Candidate], last_red: LastRed) -> Option<Action> {
    let enemy = view.enemy();
    let way = |m: &&Candidate| m.to.map_or(99, |to| to.distance_to_exit(enemy));
    let stayed = view.public().stayed(enemy);
    moves
        .iter()
        .filter(|m| m.captured.is_some_and(|p| !p.is_in(stayed)) && way(m) <= 1)
        .filter(|m| spares_the_last_red(view, m, last_red))
        .min_by_key(way)
        .map(|m| m.action)
}

/// A blue that reaches an exit before any enemy can come runs.
fn run(view: &View, moves: &[Candidate]) -> Option<Action> {
    let (board, seat, enemy) = (view.public(), view.seat(), view.enemy());
    let free = |m: &&Candidate| {
        let Some(to) = m.to.filter(|_| m.blue && m.captured.is_none()) else {
            return false;
        };
        squares(EXITS[seat.index()]).any(|exit| {
            let way = to.distance(exit);
            way < m.from.distance(exit)
                && squares(board.occupied(enemy)).all(|e| e.distance(exit) > way + 1)
        })
    };
    moves
        .iter()
        .filter(free)
        .min_by_key(|m| m.to.map(|to| to.distance_to_exit(seat)))
        .map(|m| m.action)
}

/// An enemy is taken, the one nearest its exit first.
fn take(view: &View, moves: &[Candidate], params: &SsmParams) -> Option<Action> {
    let enemy = view.enemy();
    moves
        .iter()
        .filter(|m| m.captured.is_some() && !m.keeper)
        .filter(|m| spares_the_last_red(view, m, params.last_red))
        .filter(|m| match params.take {
            Take::Careful => !(m.blue && m.exposed),
            Take::Unguarded => !m.exposed,
            Take::Any => true,
        })
        .min_by_key(|m| {
            let reds_first = m.blue && params.take == Take::Careful;
            (reds_first, m.to.map(|to| to.distance_to_exit(enemy)))
        })
        .map(|m| m.action)
}

/// A blue that could be captured goes to an empty square where it cannot.
fn flee(view: &View, moves: &[Candidate]) -> Option<Action> {
    moves
        .iter()
        .filter(|m| m.blue && !m.keeper && !m.exposed && m.captured.is_none())
        .filter(|m| view.public().is_attacked(m.from, view.enemy()))
        .min_by_key(|m| m.to.map(|to| to.distance_to_exit(view.seat())))
        .map(|m| m.action)
}

/// The piece nearest an exit comes nearer, blues only onto safe squares if it is cautious.
fn approach(view: &View, moves: &[Candidate], params: &SsmParams) -> Option<Action> {
    let seat = view.seat();
    let risky = |m: &Candidate| params.cautious && m.blue && m.exposed;
    let behind = |m: &Candidate| match params.lead {
        Lead::Blues => !m.blue,
        Lead::Reds => m.blue,
        Lead::Nearest => false,
    };
    let nearer = |m: &&Candidate| {
        let way = m.to.map_or(99, |to| to.distance_to_exit(seat));
        !m.keeper && way < m.from.distance_to_exit(seat) && !risky(m)
    };
    moves
        .iter()
        .filter(|m| m.captured.is_none())
        .filter(nearer)
        .min_by_key(|m| (behind(m), m.to.map(|to| to.distance_to_exit(seat)), m.piece))
        .or_else(|| {
            moves
                .iter()
                .filter(|m| !m.keeper && m.captured.is_none())
                .min_by_key(|m| (risky(m), m.piece))
        })
        .map(|m| m.action)
}
