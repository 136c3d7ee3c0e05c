//! Evaluation of own turns by imagined rounds.

use super::super::cell_counts::CellCounts;
use super::endgame::Endgame;
use super::hypotheses::{GoalPosterior, Hypotheses, Opponent, OpponentSample};
use super::race::{Goals, Race};
use super::replies::{play_turn, replies};
use super::turn_cache::TurnCache;
use crate::View;
use crate::action::Action;
use crate::agents::table::Table;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::public::{Goal, MAX_SEATS};
use crate::tile::Rotation;
use crate::tiles::PUSHES;
use arrayvec::ArrayVec;
use oboro_core::{Rng, stopping};

/// The value of a cell from which every own push leads to the goal in the turn after the next, relative to reaching it in
/// the next turn.
const NEARNESS: f64 = 0.5;

/// The number of imagined turns for every push of the second stage.
const NODES_A_PUSH: u64 = 50;

/// The cost of [`Candidate::measure`] in imagined turns.
const MEASURING: u64 = 8;

/// A push with all walks after it, and their values in the rounds imagined so far.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    entry: Entry,
    rotation: Rotation,
    table: Table,
    /// Where the goal lies, and whether the pawn can walk there.
    goal: Option<Cell>,
    arrives: bool,
    /// The cells to consider: the goal alone, where it is reached.
    cells: CellSet,
    /// By cell, the number of own pushes after which the goal could be reached in the turn after the next.
    nearness: CellCounts,
    worth: [f64; Cell::COUNT],
    rounds: u32,
}

pub(super) type Candidates = ArrayVec<Candidate, PUSHES>;

impl Candidate {
    /// All distinct pushes, in the order of entries and rotations.
    pub(super) fn all(view: &View) -> Candidates {
        let start = Table::new(view.public());
        let own = view.seat.index();
        let goal = view.public().place(view.goal());
        let candidate = |(entry, rotation): (Entry, Rotation)| {
            let mut table = start;
            table.push(entry, rotation);
            let reached = table.board.maze.corridors().reach(table.pawns[own].into());
            let goal = entry.carry_tile(goal);
            let arrival = goal.filter(|&goal| reached.contains(goal));
            Candidate {
                entry,
                rotation,
                table,
                goal,
                arrives: arrival.is_some(),
                cells: arrival.map_or(reached, CellSet::from),
                nearness: CellCounts::default(),
                worth: [0.0; Cell::COUNT],
                rounds: 0,
            }
        };
        start.tiles().pushes().map(candidate).collect()
    }

    /// The value of its best turn, and the final cell.
    pub(super) fn best(&self) -> (f64, Cell) {
        let mut best: Option<(f64, Cell)> = None;
        for cell in self.cells {
            let worth = self.worth[cell.index()];
            if best.is_none_or(|(max, _)| worth > max) {
                best = Some((worth, cell));
            }
        }
        let (worth, cell) = best.expect("a pawn can stay");
        (worth / f64::from(self.rounds.max(1)), cell)
    }

    fn turn(&self, to: Cell) -> Action {
        Action { entry: self.entry, rotation: self.rotation, to }
    }

    /// Its best turn.
    pub(super) fn choice(&self) -> Action {
        self.turn(self.best().1)
    }

    /// All its turns with their values and numbers of rounds.
    pub(super) fn turns(&self) -> impl Iterator<Item = (Action, f64, u32)> {
        let mean = |cell: Cell| self.worth[cell.index()] / f64::from(self.rounds.max(1));
        self.cells.iter().map(move |to| (self.turn(to), mean(to), self.rounds))
    }

    /// Counts for each cell how near the goal it is.
    fn measure(&mut self) {
        let tiles = self.table.tiles();
        for (entry, rotation) in tiles.pushes() {
            let after = tiles.after(entry, rotation);
            let sources = after.sources(entry.carry_tile(self.goal));
            let leads = after.maze.corridors().reach(sources);
            self.nearness.add(entry.opposite().carry_set(leads));
        }
    }
}

/// The inputs of a search.
pub(super) struct Search<'a> {
    pub(super) own: usize,
    pub(super) goals: Goals,
    pub(super) hypotheses: &'a Hypotheses,
    pub(super) race: &'a Race,
}

/// A round of the opponents' turns.
struct Round {
    table: Table,
    pushes: ArrayVec<Entry, { MAX_SEATS - 1 }>,
    /// By seat, the chance of an opponent to reach its goal.
    hits: [f64; MAX_SEATS],
}

impl Round {
    fn new(table: Table) -> Round {
        Round { table, pushes: ArrayVec::new(), hits: [0.0; MAX_SEATS] }
    }
}

impl Search<'_> {
    /// Evaluates the turns of all pushes with about `nodes` imagined turns, and puts the best first.
    pub(super) fn evaluate(
        &self,
        candidates: &mut Candidates,
        nodes: u64,
        cache: &mut TurnCache,
        rng: &mut Rng,
    ) {
        if self.find_win(candidates, nodes) {
            return;
        }
        // Passing the own goal by pays only against a single opponent that is predictable or has to be barred.
        if let [opponent] = &self.hypotheses.opponents[..]
            && self.goals[opponent.seat] > 1
            && !opponent.is_predictable()
            && candidates.iter().any(|candidate| candidate.arrives)
        {
            candidates.retain(|candidate| candidate.arrives);
        }
        // The first stage is a round in which nobody pushes.
        for candidate in candidates.iter_mut() {
            let round = self.still(self.start_of(candidate));
            candidate.rounds = 1;
            self.add_round(candidate, Some(&round), 1.0);
        }
        let affordable = usize::try_from(nodes / NODES_A_PUSH).unwrap_or(PUSHES);
        let alive = halve(candidates, PUSHES).min(affordable.max(2));
        if !candidates.iter().any(|candidate| candidate.arrives) {
            candidates[..alive].iter_mut().for_each(Candidate::measure);
            cache.spent += MEASURING * alive as u64;
        }
        if let [opponent] = &self.hypotheses.opponents[..] {
            for candidate in &mut candidates[..alive] {
                self.expect(candidate, opponent, cache);
            }
            halve(candidates, alive);
        } else {
            self.imagine(candidates, alive, nodes, cache, rng);
        }
    }

    /// Evaluates the turns of a push by the expectation over the replies of a single opponent.
    fn expect(&self, candidate: &mut Candidate, opponent: &Opponent, cache: &mut TurnCache) {
        candidate.worth = [0.0; Cell::COUNT];
        let start = self.start_of(candidate);
        for reply in replies(&start, opponent, cache) {
            let mut round = Round::new(start);
            round.table.push(reply.entry, reply.rotation);
            round.pushes.push(reply.entry);
            round.hits[opponent.seat] = reply.hit / reply.chance;
            self.add_round(candidate, Some(&round), reply.chance);
        }
    }

    /// Samples rounds of all opponents' turns up to about `nodes` turns, with sequential halving of the pushes.
    fn imagine(
        &self,
        candidates: &mut Candidates,
        mut alive: usize,
        nodes: u64,
        cache: &mut TurnCache,
        rng: &mut Rng,
    ) {
        let cost = self.hypotheses.opponents.len() as u64 + 1;
        let mut spent = 0;
        while alive > 1 {
            let stages = u64::from((alive - 1).ilog2()) + 1;
            let share = nodes.saturating_sub(spent + cache.spent) / stages;
            let until = spent + cache.spent + share;
            loop {
                let samples: ArrayVec<OpponentSample, { MAX_SEATS - 1 }> = self
                    .hypotheses
                    .opponents
                    .iter()
                    .map(|opponent| opponent.imagine(rng))
                    .collect();
                let stream = rng.fork();
                for candidate in &mut candidates[..alive] {
                    let start = self.start_of(candidate);
                    let round = self.round(start, &samples, cache, &mut stream.clone());
                    candidate.rounds += 1;
                    self.add_round(candidate, round.as_ref(), 1.0);
                }
                spent += cost * alive as u64;
                if spent + cache.spent >= until || stopping() {
                    break;
                }
            }
            alive = halve(candidates, alive);
        }
    }

    /// Puts a turn in front that wins now or by force in the next turn, if there is one.
    fn find_win(&self, candidates: &mut Candidates, nodes: u64) -> bool {
        let goals = self.goals[self.own];
        if goals > 2 {
            return false;
        }
        let numbered = || candidates.iter().enumerate();
        let winning = if matches!(self.hypotheses.next, GoalPosterior::Won) {
            numbered().find(|(_, c)| c.arrives).map(|(number, c)| (number, c.cells))
        } else {
            None
        };
        let mut endgame = Endgame { hypotheses: self.hypotheses, goals: self.goals, pushes: nodes };
        let mut forced = |candidate: &Candidate| match (candidate.arrives, &self.hypotheses.next) {
            (true, GoalPosterior::Home(home)) => {
                endgame.forced(&candidate.table, candidate.cells, Some(*home))
            }
            (false, _) if goals == 1 => {
                endgame.forced(&candidate.table, candidate.cells, candidate.goal)
            }
            _ => CellSet::EMPTY,
        };
        let winning = winning.or_else(|| {
            let mut forced = numbered().map(|(number, candidate)| (number, forced(candidate)));
            forced.find(|(_, cells)| !cells.is_empty())
        });
        if let Some((number, cells)) = winning {
            let candidate = &mut candidates[number];
            candidate.cells = cells;
            cells.iter().for_each(|cell| candidate.worth[cell.index()] = 1.0);
            candidate.rounds = 1;
            candidates.swap(0, number);
        }
        winning.is_some()
    }

    /// The table after the own turn. The own pawn is placed only if it has arrived.
    fn start_of(&self, candidate: &Candidate) -> Table {
        let mut table = candidate.table;
        if candidate.arrives {
            table.pawns[self.own] = candidate.goal.expect("it was reached");
        }
        table
    }

    /// Adds the values of a push's turns in a round; nothing if an opponent won in it.
    fn add_round(&self, candidate: &mut Candidate, round: Option<&Round>, weight: f64) {
        if candidate.arrives && matches!(self.hypotheses.next, GoalPosterior::Won) {
            let to = candidate.goal.expect("it was reached");
            candidate.worth[to.index()] += weight;
            return;
        }
        let Some(round) = round else { return };
        let chances = self.race.after_round(self.goals, &round.hits);
        let tiles = round.table.tiles();
        if candidate.arrives {
            let targets = tiles.targets(round.table.pawns[self.own]);
            let chance = self.hypotheses.next.chance(&round.table, &targets);
            let to = candidate.goal.expect("it was reached");
            let worth = chances[1] + chance * (chances[2] - chances[1]);
            candidate.worth[to.index()] += weight * worth;
            return;
        }
        let carried = |goal, entry: &Entry| entry.carry_tile(goal);
        let goal = round.pushes.iter().fold(candidate.goal, carried);
        let back = |cells, entry: &Entry| entry.opposite().carry_set(cells);
        let sources = round.pushes.iter().rev().fold(tiles.sources(goal), back);
        let near = NEARNESS / PUSHES as f64 * (chances[1] - chances[0]);
        for cell in candidate.cells {
            let worth = if sources.contains(cell) {
                chances[1]
            } else {
                chances[0] + near * f64::from(candidate.nearness.count(cell))
            };
            candidate.worth[cell.index()] += weight * worth;
        }
    }

    /// A round in which nobody pushes.
    fn still(&self, table: Table) -> Round {
        let mut round = Round::new(table);
        let tiles = table.tiles();
        for opponent in &self.hypotheses.opponents {
            let targets = tiles.targets(table.pawns[opponent.seat]);
            round.hits[opponent.seat] = opponent.posterior.chance(&table, &targets);
        }
        round
    }

    /// The turns of all opponents; none if one of them surely wins.
    fn round(
        &self,
        start: Table,
        samples: &[OpponentSample],
        cache: &mut TurnCache,
        rng: &mut Rng,
    ) -> Option<Round> {
        let mut round = Round::new(start);
        let table = &mut round.table;
        for (opponent, sample) in self.hypotheses.opponents.iter().zip(samples) {
            let targets = table.tiles().targets(table.pawns[opponent.seat]);
            let hit = opponent.posterior.chance(table, &targets);
            if hit == 1.0 && self.goals[opponent.seat] == 1 {
                return None;
            }
            round.hits[opponent.seat] = hit;
            let goal = match sample.goal {
                Goal::Treasure(treasure) => table.board.place(treasure),
                Goal::Home(home) => Some(home),
            };
            let can_reach = targets.contain(goal);
            let policy = sample.policy;
            round.pushes.push(play_turn(table, opponent.seat, goal, can_reach, policy, cache, rng));
        }
        Some(round)
    }
}

/// Puts the better half of the first candidates in front, and returns its size.
fn halve(candidates: &mut Candidates, alive: usize) -> usize {
    let alive = alive.min(candidates.len());
    // Equal values stay in the order of entries and rotations.
    candidates[..alive].sort_unstable_by(|a, b| {
        let order = (a.entry, a.rotation).cmp(&(b.entry, b.rotation));
        b.best().0.total_cmp(&a.best().0).then(order)
    });
    alive.div_ceil(2)
}
