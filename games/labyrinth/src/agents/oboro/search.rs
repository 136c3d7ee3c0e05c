//! Own turns, weighed by imagined rounds.

use super::super::tiles::PUSHES;
use super::forecast::{Forecast, Imagined, Outlook};
use super::race::{Goals, Race};
use super::table::Table;
use crate::View;
use crate::action::Action;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::public::{Goal, MAX_SEATS};
use crate::tile::Rotation;
use arrayvec::ArrayVec;
use oboro_core::{Rng, stopping};

/// One push with all walks after it, and what they were worth in the rounds imagined so far.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    entry: Entry,
    rotation: Rotation,
    table: Table,
    /// The cells worth walking to: the goal alone, where it is reached.
    cells: CellSet,
    arrives: bool,
    goal: Option<Cell>,
    worth: [f64; Cell::COUNT],
    rounds: u32,
}

impl Candidate {
    fn best(&self) -> (f64, Cell) {
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

    pub(super) fn turns(&self) -> impl Iterator<Item = (Action, f64, u32)> {
        let rounds = f64::from(self.rounds.max(1));
        self.cells.iter().map(move |to| {
            let action = Action { entry: self.entry, rotation: self.rotation, to };
            (action, self.worth[to.index()] / rounds, self.rounds)
        })
    }

    pub(super) fn choice(&self) -> Action {
        Action { entry: self.entry, rotation: self.rotation, to: self.best().1 }
    }
}

pub(super) type Candidates = ArrayVec<Candidate, PUSHES>;

/// What does not change while a turn is thought about.
pub(super) struct Search<'a> {
    pub(super) own: usize,
    pub(super) goals: Goals,
    pub(super) forecast: &'a Forecast,
    pub(super) race: &'a Race,
}

/// How a round of the rivals' turns went.
struct Round {
    table: Table,
    pushes: ArrayVec<Entry, { MAX_SEATS - 1 }>,
    /// The chance of each rival to reach its goal, by seat.
    hits: [f64; MAX_SEATS],
}

impl Search<'_> {
    pub(super) fn candidates(view: &View) -> Candidates {
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
                cells: arrival.map_or(reached, CellSet::from),
                arrives: arrival.is_some(),
                goal,
                worth: [0.0; Cell::COUNT],
                rounds: 0,
            }
        };
        start.tiles().pushes().map(candidate).collect()
    }

    /// Lets rounds be imagined until about so many turns were, and drops the worse half of the pushes again and
    /// again; the best is the first of those that are left. All that were looked at are in the list.
    pub(super) fn weigh(
        &self,
        mut candidates: Candidates,
        nodes: u64,
        rng: &mut Rng,
    ) -> Candidates {
        let cost = self.forecast.rivals.len() as u64 + 1;
        let mut alive = candidates.len();
        let stages = u64::from(alive.max(2).ilog2()) + 1;
        let mut spent = 0;
        for stage in 0..stages {
            let share = (nodes.saturating_sub(spent)) / (stages - stage);
            let rounds = (share / (cost * alive as u64)).max(1);
            for _ in 0..rounds {
                if stage > 0 && stopping() {
                    break;
                }
                let imagined: ArrayVec<Imagined, { MAX_SEATS - 1 }> =
                    self.forecast.rivals.iter().map(|rival| rival.imagine(rng)).collect();
                let stream = rng.fork();
                for candidate in &mut candidates[..alive] {
                    self.look(candidate, &imagined, &mut stream.clone());
                }
                spent += cost * alive as u64;
            }
            candidates[..alive].sort_by(|a, b| b.best().0.total_cmp(&a.best().0));
            alive = alive.div_ceil(2);
        }
        candidates
    }

    /// Imagines one round after a push.
    fn look(&self, candidate: &mut Candidate, imagined: &[Imagined], rng: &mut Rng) {
        candidate.rounds += 1;
        let mut start = candidate.table;
        if candidate.arrives {
            if matches!(self.forecast.next, Outlook::Won) {
                candidate.cells.iter().for_each(|cell| candidate.worth[cell.index()] += 1.0);
                return;
            }
            start.pawns[self.own] = candidate.goal.expect("it was reached");
        }
        let Some(round) = self.round(start, imagined, rng) else { return };
        let chances = self.race.after_round(&self.goals, &round.hits);
        let tiles = round.table.tiles();
        if candidate.arrives {
            let targets = tiles.targets(round.table.pawns[self.own]);
            let chance = self.forecast.next.chance(&round.table, &targets);
            let worth = chances[1] + chance * (chances[2] - chances[1]);
            candidate.worth[start.pawns[self.own].index()] += worth;
        } else {
            let carried = |goal, entry: &Entry| entry.carry_tile(goal);
            let goal = round.pushes.iter().fold(candidate.goal, carried);
            let back = |cells, entry: &Entry| entry.opposite().carry_set(cells);
            let sources = round.pushes.iter().rev().fold(tiles.sources(goal), back);
            for cell in candidate.cells.iter() {
                candidate.worth[cell.index()] += chances[usize::from(sources.contains(cell))];
            }
        }
    }

    /// The turns of all rivals; none if one of them wins for sure.
    fn round(&self, mut table: Table, imagined: &[Imagined], rng: &mut Rng) -> Option<Round> {
        let mut hits = [0.0; MAX_SEATS];
        let mut pushes = ArrayVec::new();
        for (rival, imagined) in self.forecast.rivals.iter().zip(imagined) {
            let targets = table.tiles().targets(table.pawns[rival.seat]);
            let hit = rival.outlook.chance(&table, &targets);
            if hit == 1.0 && self.goals[rival.seat] == 1 {
                return None;
            }
            hits[rival.seat] = hit;
            let goal = match imagined.goal {
                Goal::Treasure(treasure) => table.board.place(treasure),
                Goal::Home(home) => Some(home),
            };
            let can_reach = targets.contain(goal);
            pushes.push(table.reply(rival.seat, goal, can_reach, imagined.manner, rng));
        }
        Some(Round { table, pushes, hits })
    }
}
