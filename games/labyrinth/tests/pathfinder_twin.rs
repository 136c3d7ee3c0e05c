//! `pathfinder` skips what cannot be best. This reference evaluates everything, on whole boards and without bounds; both
//! must choose the same turns and draw the same random numbers.

use oboro_core::{Agent, Game, GameWorld, Rng, SeatView};
use oboro_labyrinth::agents::{Pathfinder, PathfinderParams};
use oboro_labyrinth::{
    Action, Board, Cell, CellSet, Entry, Goal, Labyrinth, Rotation, TreasureSet, View,
};

/// The board after a push, and the entry that may not be answered from the other side.
#[derive(Clone, Copy)]
struct After {
    board: Board,
    entry: Entry,
}

impl After {
    fn new(board: &Board, entry: Entry, rotation: Rotation) -> After {
        let mut board = *board;
        board.push(entry, rotation);
        After { board, entry }
    }

    fn reach(&self, cell: Cell) -> CellSet {
        self.board.maze().corridors().reach(cell.into())
    }

    /// All boards one push later.
    fn pushes(&self) -> Vec<(Rotation, After)> {
        pushes(&self.board, Some(self.entry))
    }

    /// For every push, its entry and the cells a pawn can then walk to.
    fn walks(&self, pawn: Cell) -> Vec<(Entry, CellSet)> {
        let walk = |(_, next): (_, After)| (next.entry, next.reach(next.entry.carry(pawn)));
        self.pushes().into_iter().map(walk).collect()
    }

    /// The cells from which a pawn gets onto the tile at `place` with some push. Walking is the same
    /// both ways.
    fn sources(&self, place: Option<Cell>) -> CellSet {
        let mut sources = Vec::new();
        for (_, next) in self.pushes() {
            if let Some(goal) = next.entry.carry_tile(place) {
                let cells = next.reach(goal);
                sources.extend(Cell::all().filter(|c| cells.contains(next.entry.carry(*c))));
            }
        }
        sources.into_iter().collect()
    }
}

/// All pushes that look different.
fn pushes(board: &Board, last: Option<Entry>) -> Vec<(Rotation, After)> {
    let rotations = board.extra().distinct_rotations();
    Entry::legal_after(last)
        .flat_map(|entry| rotations.iter().map(move |&r| (r, After::new(board, entry, r))))
        .collect()
}

fn arrives((entry, cells): &(Entry, CellSet), place: Option<Cell>) -> bool {
    entry.carry_tile(place).is_some_and(|goal| cells.contains(goal))
}

/// How many of `goals` some walk ends on.
fn hits(walks: &[(Entry, CellSet)], goals: &[Option<Cell>]) -> f64 {
    goals.iter().filter(|goal| walks.iter().any(|walk| arrives(walk, **goal))).count() as f64
}

fn goals(board: &Board, possible: TreasureSet, home: Cell) -> Vec<Option<Cell>> {
    if possible.is_empty() {
        return vec![Some(home)];
    }
    possible.iter().map(|treasure| board.place(treasure)).collect()
}

struct Reference {
    params: PathfinderParams,
}

impl Reference {
    fn threat(&self, view: &View, after: &After) -> f64 {
        let public = view.public();
        let of_seat = |seat| {
            let walks = after.walks(after.entry.carry(public.pawn(seat)));
            let goals = goals(&after.board, view.possible_goals(seat), public.home(seat));
            let stake = if public.is_going_home(seat) {
                self.params.rival_home
            } else {
                self.params.rival_treasure
            };
            stake * hits(&walks, &goals) / goals.len() as f64
        };
        view.others().map(of_seat).sum()
    }

    fn act(&self, view: &View, rng: &mut Rng) -> Action {
        let public = view.public();
        let own = view.seat();
        let (pawn, goal) = (public.pawn(own), public.place(view.goal()));
        let pushes = pushes(public.board(), public.last_push());
        let arrival = |after: &After| {
            let reached = after.reach(after.entry.carry(pawn));
            after.entry.carry_tile(goal).filter(|&goal| reached.contains(goal))
        };
        let can_arrive = pushes.iter().any(|(_, after)| arrival(after).is_some());
        let is_urgent = view.others().any(|seat| public.is_going_home(seat));
        let mut best: Option<(f64, u64, Action)> = None;
        for (rotation, after) in pushes {
            let arrival = arrival(&after);
            if can_arrive && arrival.is_none() && !is_urgent {
                continue;
            }
            let threat = self.threat(view, &after);
            let replies = replies(view, &after);
            let mut weigh = |to, value| {
                let rank = rng.bits();
                if best.is_none_or(|(max, top, _)| (value, rank) > (max, top)) {
                    best = Some((value, rank, Action { entry: after.entry, rotation, to }));
                }
            };
            if let Some(to) = arrival {
                let chance = chance_after_arrival(view, &after, to, &replies);
                weigh(to, 1.0 + self.params.next_turn * chance - threat);
                continue;
            }
            let goal = after.entry.carry_tile(goal);
            let sources: Vec<(After, CellSet, f64)> = replies
                .into_iter()
                .map(|(reply, weight)| (reply, reply.sources(reply.entry.carry_tile(goal)), weight))
                .collect();
            for to in after.reach(after.entry.carry(pawn)) {
                let mut chance = 0.0;
                for (reply, sources, weight) in &sources {
                    if sources.contains(reply.entry.carry(to)) {
                        chance += weight;
                    }
                }
                weigh(to, self.params.next_turn * chance - threat);
            }
        }
        best.expect("there is a legal turn").2
    }
}

/// How likely the next player makes each push.
fn replies(view: &View, after: &After) -> Vec<(After, f64)> {
    let public = view.public();
    let next = view.others().next().expect("there are other seats");
    let goals = goals(&after.board, view.possible_goals(next), public.home(next));
    let walks = after.walks(after.entry.carry(public.pawn(next)));
    let mut weights = vec![0.0; walks.len()];
    let share = 1.0 / goals.len() as f64;
    for &goal in &goals {
        let ways = walks.iter().filter(|walk| arrives(walk, goal)).count();
        for (weight, walk) in weights.iter_mut().zip(&walks) {
            if ways == 0 {
                *weight += share / walks.len() as f64;
            } else if arrives(walk, goal) {
                *weight += share / ways as f64;
            }
        }
    }
    after.pushes().into_iter().map(|(_, reply)| reply).zip(weights).collect()
}

fn chance_after_arrival(view: &View, after: &After, to: Cell, replies: &[(After, f64)]) -> f64 {
    let public = view.public();
    let next = match view.goal() {
        Goal::Home(_) => return 1.0,
        Goal::Treasure(_) if public.cards_left(view.seat()) == 1 => TreasureSet::EMPTY,
        Goal::Treasure(_) => view.unseen(),
    };
    let goals = goals(&after.board, next, public.home(view.seat()));
    let mut chance = 0.0;
    for (reply, weight) in replies {
        let walks = reply.walks(reply.entry.carry(to));
        let moved: Vec<Option<Cell>> = goals.iter().map(|g| reply.entry.carry_tile(*g)).collect();
        chance += weight * hits(&walks, &moved) / goals.len() as f64;
    }
    chance
}

#[test]
fn bounds_do_not_change_a_choice() {
    let weights = [
        PathfinderParams::default(),
        PathfinderParams { next_turn: 0.3, rival_treasure: 2.0, rival_home: 1.0 },
        PathfinderParams { next_turn: -1.0, rival_treasure: -0.5, rival_home: 0.0 },
        PathfinderParams { next_turn: 1e9, rival_treasure: 1.0, rival_home: 4.0 },
    ];
    let mut turns = 0;
    for (number, players) in [2, 2, 2, 3, 4].into_iter().enumerate() {
        let rules = Labyrinth { players, cards: Some(2), turn_limit: 7, ..Labyrinth::default() };
        for (i, &params) in weights.iter().enumerate() {
            let mut pathfinder = Pathfinder::new(params).unwrap();
            let reference = Reference { params };
            let mut rng = Rng::from_u64((number * weights.len() + i) as u64);
            let mut world = rules.deal(&mut rng);
            while let Some(seat) = world.to_act() {
                let view = world.view(seat);
                let mut same = rng.clone();
                let action = pathfinder.act(&view, &mut rng);
                assert_eq!(action, reference.act(&view, &mut same), "{params:?}\n{view}");
                assert_eq!(rng, same, "the streams go on alike");
                world.apply(action);
                turns += 1;
            }
        }
    }
    assert!(turns > 150, "{turns} turns");
}
