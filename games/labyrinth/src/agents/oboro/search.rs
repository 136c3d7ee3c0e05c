//! Own turns, weighed by imagined rounds.

use super::super::tally::Tally;
use super::super::tiles::PUSHES;
use super::endgame::Endgame;
use super::forecast::{Forecast, Imagined, Outlook, Rival};
use super::memo::Memo;
use super::race::{Goals, Race};
use super::replies::replies;
use super::standing::Standing;
use crate::View;
use crate::action::Action;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::public::{Goal, MAX_SEATS};
use crate::tile::Rotation;
use arrayvec::ArrayVec;
use oboro_core::{Rng, stopping};

/// What it is worth, when the goal is not reached in the next turn, to stand where every push of one's own would lead
/// to it in the turn after, beside reaching it at once.
const NEARNESS: f64 = 0.5;

/// Turns to imagine for every push that is looked at twice.
const NODES_A_PUSH: u64 = 50;

/// What it costs to find out how near the goal the cells are after a push, in imagined turns.
const MEASURING: u64 = 8;

/// One push with all walks after it, and what they were worth in the rounds imagined so far.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    entry: Entry,
    rotation: Rotation,
    table: Standing,
    /// Where the goal lies, and whether the pawn can walk there.
    goal: Option<Cell>,
    arrives: bool,
    /// The cells worth walking to: the goal alone, where it is reached.
    cells: CellSet,
    /// For each cell, after how many own pushes the goal could be reached in the turn after the next.
    nearness: Tally,
    worth: [f64; Cell::COUNT],
    rounds: u32,
}

pub(super) type Candidates = ArrayVec<Candidate, PUSHES>;

impl Candidate {
    /// All pushes that look different, in the order of entries and rotations.
    pub(super) fn all(view: &View) -> Candidates {
        let start = Standing::new(view.public());
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
                nearness: Tally::default(),
                worth: [0.0; Cell::COUNT],
                rounds: 0,
            }
        };
        start.tiles().pushes().map(candidate).collect()
    }

    /// What its best turn is worth, and where that ends.
    pub(super) fn best(&self) -> (f64, Cell) {
        let mut best: Option<(f64, Cell)> = None;
        for cell in self.cells.iter() {
            let worth = self.worth[cell.index()];
            if best.is_none_or(|(most, _)| worth > most) {
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

    /// All its turns, what they are worth, and the number of rounds that rests on.
    pub(super) fn turns(&self) -> impl Iterator<Item = (Action, f64, u32)> {
        let mean = |cell: Cell| self.worth[cell.index()] / f64::from(self.rounds.max(1));
        self.cells.iter().map(move |to| (self.turn(to), mean(to), self.rounds))
    }

    /// Finds out how near the goal each cell is.
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

/// What does not change while a turn is thought about.
pub(super) struct Search<'a> {
    pub(super) own: usize,
    pub(super) goals: Goals,
    pub(super) forecast: &'a Forecast,
    pub(super) race: &'a Race,
}

/// How a round of the rivals' turns went.
struct Round {
    table: Standing,
    pushes: ArrayVec<Entry, { MAX_SEATS - 1 }>,
    /// The chance of each rival to reach its goal, by seat.
    hits: [f64; MAX_SEATS],
}

impl Round {
    fn new(table: Standing) -> Round {
        Round { table, pushes: ArrayVec::new(), hits: [0.0; MAX_SEATS] }
    }
}

impl Search<'_> {
    /// Weighs the turns of all pushes, spending about so many imagined turns; the first in the list is then the best.
    pub(super) fn weigh(
        &self,
        candidates: &mut Candidates,
        nodes: u64,
        memo: &mut Memo,
        rng: &mut Rng,
    ) {
        if self.win(candidates, nodes) {
            return;
        }
        // To leave the own goal for a better moment pays only where it is known what an only rival does, or has to be barred.
        if let [rival] = &self.forecast.rivals[..]
            && self.goals[rival.seat] > 1
            && !rival.is_foreseen()
            && candidates.iter().any(|candidate| candidate.arrives)
        {
            candidates.retain(|candidate| candidate.arrives);
        }
        // At first a round in which nobody pushes.
        for candidate in candidates.iter_mut() {
            let round = self.still(self.start_of(candidate));
            candidate.rounds = 1;
            self.settle(candidate, Some(&round), 1.0);
        }
        let affordable = usize::try_from(nodes / NODES_A_PUSH).unwrap_or(PUSHES);
        let alive = halve(candidates, PUSHES).min(affordable.max(2));
        if !candidates.iter().any(|candidate| candidate.arrives) {
            candidates[..alive].iter_mut().for_each(Candidate::measure);
            memo.spent += MEASURING * alive as u64;
        }
        if let [rival] = &self.forecast.rivals[..] {
            for candidate in &mut candidates[..alive] {
                self.expect(candidate, rival, memo);
            }
            halve(candidates, alive);
        } else {
            self.imagine(candidates, alive, nodes, memo, rng);
        }
    }

    /// Weighs the turns of a push by all that the only rival may do next.
    fn expect(&self, candidate: &mut Candidate, rival: &Rival, memo: &mut Memo) {
        candidate.worth = [0.0; Cell::COUNT];
        let start = self.start_of(candidate);
        for reply in replies(&start, rival, memo) {
            let mut round = Round::new(start);
            round.table.push(reply.entry, reply.rotation);
            round.pushes.push(reply.entry);
            round.hits[rival.seat] = reply.hit / reply.chance;
            self.settle(candidate, Some(&round), reply.chance);
        }
    }

    /// Imagines rounds of all rivals' turns until about so many turns were, and drops the worse half of the pushes
    /// again and again.
    fn imagine(
        &self,
        candidates: &mut Candidates,
        mut alive: usize,
        nodes: u64,
        memo: &mut Memo,
        rng: &mut Rng,
    ) {
        let cost = self.forecast.rivals.len() as u64 + 1;
        let mut spent = 0;
        while alive > 1 {
            let stages = u64::from((alive - 1).ilog2()) + 1;
            let share = nodes.saturating_sub(spent + memo.spent) / stages;
            let until = spent + memo.spent + share;
            loop {
                let imagined: ArrayVec<Imagined, { MAX_SEATS - 1 }> =
                    self.forecast.rivals.iter().map(|rival| rival.imagine(rng)).collect();
                let stream = rng.fork();
                for candidate in &mut candidates[..alive] {
                    let start = self.start_of(candidate);
                    let round = self.round(start, &imagined, memo, &mut stream.clone());
                    candidate.rounds += 1;
                    self.settle(candidate, round.as_ref(), 1.0);
                }
                spent += cost * alive as u64;
                if spent + memo.spent >= until || stopping() {
                    break;
                }
            }
            alive = halve(candidates, alive);
        }
    }

    /// Puts a turn in front that wins now, or in the next turn whatever the others do, if there is one.
    fn win(&self, candidates: &mut Candidates, nodes: u64) -> bool {
        let goals = self.goals[self.own];
        if goals > 2 {
            return false;
        }
        let numbered = || candidates.iter().enumerate();
        let winning = if matches!(self.forecast.next, Outlook::Won) {
            numbered().find(|(_, c)| c.arrives).map(|(number, c)| (number, c.cells))
        } else {
            None
        };
        let mut endgame = Endgame { forecast: self.forecast, goals: self.goals, pushes: nodes };
        let mut sure = |candidate: &Candidate| match (candidate.arrives, &self.forecast.next) {
            (true, Outlook::Home(home)) => {
                endgame.sure(&candidate.table, candidate.cells, Some(*home))
            }
            (false, _) if goals == 1 => {
                endgame.sure(&candidate.table, candidate.cells, candidate.goal)
            }
            _ => CellSet::EMPTY,
        };
        let winning = winning.or_else(|| {
            let mut sure = numbered().map(|(number, candidate)| (number, sure(candidate)));
            sure.find(|(_, cells)| !cells.is_empty())
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

    /// The table after the own turn; where the own pawn stands matters if it has arrived.
    fn start_of(&self, candidate: &Candidate) -> Standing {
        let mut table = candidate.table;
        if candidate.arrives {
            table.pawns[self.own] = candidate.goal.expect("it was reached");
        }
        table
    }

    /// Adds what the turns of a push were worth in a round; nothing if a rival won in it.
    fn settle(&self, candidate: &mut Candidate, round: Option<&Round>, weight: f64) {
        if candidate.arrives && matches!(self.forecast.next, Outlook::Won) {
            let to = candidate.goal.expect("it was reached");
            candidate.worth[to.index()] += weight;
            return;
        }
        let Some(round) = round else { return };
        let chances = self.race.after_round(self.goals, &round.hits);
        let tiles = round.table.tiles();
        if candidate.arrives {
            let targets = tiles.targets(round.table.pawns[self.own]);
            let chance = self.forecast.next.chance(&round.table, &targets);
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
        for cell in candidate.cells.iter() {
            let worth = if sources.contains(cell) {
                chances[1]
            } else {
                chances[0] + near * f64::from(candidate.nearness.count(cell))
            };
            candidate.worth[cell.index()] += weight * worth;
        }
    }

    /// A round in which nobody pushes: what everybody could do at once.
    fn still(&self, table: Standing) -> Round {
        let mut round = Round::new(table);
        let tiles = table.tiles();
        for rival in &self.forecast.rivals {
            let targets = tiles.targets(table.pawns[rival.seat]);
            round.hits[rival.seat] = rival.outlook.chance(&table, &targets);
        }
        round
    }

    /// The turns of all rivals; none if one of them wins for sure.
    fn round(
        &self,
        start: Standing,
        imagined: &[Imagined],
        memo: &mut Memo,
        rng: &mut Rng,
    ) -> Option<Round> {
        let mut round = Round::new(start);
        let table = &mut round.table;
        for (rival, imagined) in self.forecast.rivals.iter().zip(imagined) {
            let targets = table.tiles().targets(table.pawns[rival.seat]);
            let hit = rival.outlook.chance(table, &targets);
            if hit == 1.0 && self.goals[rival.seat] == 1 {
                return None;
            }
            round.hits[rival.seat] = hit;
            let goal = match imagined.goal {
                Goal::Treasure(treasure) => table.board.place(treasure),
                Goal::Home(home) => Some(home),
            };
            let can_reach = targets.contain(goal);
            round.pushes.push(table.reply(rival.seat, goal, can_reach, imagined.manner, memo, rng));
        }
        Some(round)
    }
}

/// Puts the better half of the first candidates in front, and says how many that are.
fn halve(candidates: &mut Candidates, alive: usize) -> usize {
    let alive = alive.min(candidates.len());
    // Those that are worth the same stay in the order of entries and rotations.
    candidates[..alive].sort_unstable_by(|a, b| {
        let order = (a.entry, a.rotation).cmp(&(b.entry, b.rotation));
        b.best().0.total_cmp(&a.best().0).then(order)
    });
    alive.div_ceil(2)
}
