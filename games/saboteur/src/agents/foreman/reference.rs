//! A slow reference implementation of the prospect, cell by cell, that the fast one is compared with.

use super::prospect::{DrawOdds, Prospect, progress};
use super::survey::Survey;
use super::{Foreman, ForemanParams};
use crate::{
    Action, Board, Bounds, Card, Cell, Cells, Goal, Goals, Saboteur, Side, StonePaths, Tiles, World,
};
use oboro_core::{Agent as _, Game, GameWorld as _, Rng, Seat};

/// As [`Prospect`], with the counts of the cards to come.
struct Reference {
    rules: Saboteur,
    gold: [f64; 3],
    left: [u8; Card::PATHS],
    discount: f64,
}

/// Ways further out are ignored.
const SURVEYED: Cells = Cells::rectangle((-2, 11), (-5, 5));

/// The number of cards from each cell to a goal, that of the cell included.
type Distances = [u8; Cell::GRID];
const FAR: u8 = u8::MAX;

impl Reference {
    /// How many cards short of the gold a mine is whose `touched` goals are about to be turned up.
    fn cards_short(&self, board: &Board, touched: Goals) -> f64 {
        /// More than any way is long: there is none.
        const NO_WAY: f64 = 16.0;
        let mut value = 0.0;
        for goal in Goal::ALL {
            let likely = self.gold[goal.index()];
            if touched.contains(goal) {
                value += likely;
            } else if likely > 0.0 {
                value += likely * self.chance(board, goal);
            }
        }
        if value > 0.0 { (libm::log(value) / libm::log(self.discount)).min(NO_WAY) } else { NO_WAY }
    }

    /// The chance of reaching one goal.
    fn chance(&self, board: &Board, goal: Goal) -> f64 {
        let distances = self.distances(board, goal);
        let mut miss = 1.0;
        for end in board.open_ends().iter() {
            let distance = distances[end.index()];
            if distance == FAR {
                continue;
            }
            let mut chance = self.leading_on(board, &distances, end, goal);
            for _ in 0..distance {
                chance *= self.discount;
            }
            miss *= 1.0 - chance;
        }
        1.0 - miss
    }

    /// The chance that a card which leads on from an open end towards the goal comes soon.
    fn leading_on(&self, board: &Board, distances: &Distances, end: Cell, goal: Goal) -> f64 {
        let fitting = board.fitting(end);
        let here = distances[end.index()];
        let mut useful = 0;
        let mut all = 0;
        for (index, &left) in self.left.iter().enumerate() {
            all += u32::from(left);
            if left == 0 || !Card::from_index(index).is_passable() {
                continue;
            }
            let leads_on =
                Tiles::of_card(Card::from_index(index)).and(fitting).into_iter().any(|tile| {
                    Side::ALL.into_iter().any(|side| {
                        let next = end.next(side);
                        tile.sides().contains(side)
                            && (next == goal.cell() || distances[next.index()] < here)
                    })
                });
            if leads_on {
                useful += u32::from(left);
            }
        }
        let lacking = 1.0 - f64::from(useful) / f64::from(all.max(1));
        1.0 - lacking * lacking * lacking
    }

    /// Searches backwards from a goal, level by level. Cards that rocks have cut off from the
    /// start are passed for nothing.
    fn distances(&self, board: &Board, goal: Goal) -> Distances {
        // Path cards and turned up goals may be put before the head of the queue.
        const ROOM: usize = 43;
        let area = self.rules.area();
        let mut distances = [FAR; Cell::GRID];
        let mut queue = [goal.cell(); ROOM + Cell::GRID];
        let (mut head, mut tail) = (ROOM, ROOM + 1);
        distances[goal.cell().index()] = 0;
        while head < tail {
            let cell = queue[head];
            head += 1;
            let distance = distances[cell.index()];
            let lies = board.sides(cell).filter(|_| cell != goal.cell());
            for side in Side::ALL {
                let next = cell.next(side);
                if lies.is_some_and(|sides| !sides.contains(side))
                    || distances[next.index()] != FAR
                    || !SURVEYED.contains(next)
                    || !area.contains(next)
                {
                    continue;
                }
                if board.is_empty(next) {
                    distances[next.index()] = distance + 1;
                    queue[tail] = next;
                    tail += 1;
                } else if board.is_passable(next)
                    && !board.is_reached(next)
                    && board.sides(next).is_some_and(|sides| sides.contains(side.opposite()))
                {
                    // It costs no card, so it comes before the rest of the queue.
                    distances[next.index()] = distance;
                    head -= 1;
                    queue[head] = next;
                }
            }
        }
        distances
    }
}

/// Compares the two on a board, as it is and after every action of a player.
fn compare<const W: usize>(reference: &Reference, world: &World) {
    let Reference { rules, gold, discount, left } = *reference;
    let odds = DrawOdds::new(discount, super::TRIES, &left);
    let prospect = Prospect { rules, gold, odds: &odds };
    let board = world.public().board();
    let mut survey = Survey::<W>::new(&prospect, board);
    let before = reference.cards_short(board, Goals::EMPTY);
    world.for_each_legal(|action| {
        let mut after = *board;
        let touched = after.change(rules, action);
        let is_nearer =
            odds.is_nearer(prospect.chance(board, Goals::EMPTY), prospect.chance(&after, touched));
        let reference = before - reference.cards_short(&after, touched);
        // By a survey for all actions, and by one for this action alone.
        for fast in [survey.progress(action), progress(&prospect, board, action)] {
            assert_eq!(
                reference.to_bits(),
                fast.to_bits(),
                "{action}: {reference} and {fast}\n{world}"
            );
        }
        assert_eq!(reference > 0.0, is_nearer, "{action}: {reference}\n{world}");
    });
}

/// An action, mostly the one that leads furthest to the right.
fn hurried(world: &World, rng: &mut Rng) -> Action {
    let mut best = world.random_action(rng);
    if rng.chance(0.7) {
        let x = |action: Action| match action {
            Action::Dig { tile, at } if tile.is_passable() => at.x(),
            _ => i8::MIN,
        };
        world.for_each_legal(|action| {
            if x(action) > x(best) {
                best = action;
            }
        });
    }
    best
}

#[test]
fn events_keep_the_mine_up_to_date() {
    for stones in [StonePaths::Curves, StonePaths::Open] {
        let rules = Saboteur { players: 10, stones, ..Saboteur::default() };
        let mut rng = Rng::from_u64(stones as u64);
        let mut world = rules.deal(&mut rng);
        let fresh = Foreman::new(rules, ForemanParams::default()).unwrap();
        let (mut foreman, mut late) = (fresh.clone(), fresh.clone());
        let mut plies = 0;
        while world.to_act().is_some() {
            assert_eq!(foreman.board, *world.public().board(), "\n{world}");
            let action = hurried(&world, &mut rng);
            let event = world.event(action, Seat::FIRST);
            foreman.observe(&event);
            // An agent that joins later does not know the mine.
            plies += 1;
            if plies % 40 == 0 {
                late = fresh.clone();
            }
            late.observe(&event);
            world.apply(action);
        }
    }
}

#[test]
fn the_cached_chance_equals_a_fresh_one() {
    let mut remembered = 0;
    for bounds in [Bounds::Paper, Bounds::Three, Bounds::None] {
        let rules = Saboteur { bounds, ..Saboteur::default() };
        let mut rng = Rng::from_u64(bounds as u64);
        let mut world = rules.deal(&mut rng);
        let fresh = Foreman::new(rules, ForemanParams::default()).unwrap();
        let mut foremen = vec![fresh; rules.seats()];
        while let Some(seat) = world.to_act() {
            let planned = foremen[seat.index()].act(&world.view(seat), &mut rng);
            let action = if rng.chance(0.7) { planned } else { hurried(&world, &mut rng) };
            for (foreman, seat) in foremen.iter_mut().zip(Seat::all(rules.seats())) {
                foreman.observe(&world.event(action, seat));
                if let Some(chance) = foreman.chance {
                    let found = foreman.prospect().chance(&foreman.board, Goals::EMPTY);
                    assert_eq!(chance.to_bits(), found.to_bits(), "{action}\n{world}");
                    remembered += 1;
                }
            }
            world.apply(action);
        }
    }
    assert!(remembered > 1000, "{remembered}");
}

#[test]
fn foreman_plays_the_first_of_the_best_actions() {
    for (bounds, discount) in [(Bounds::Paper, 0.2), (Bounds::Three, 0.7), (Bounds::None, 0.2)] {
        let rules = Saboteur { bounds, rounds: 1, ..Saboteur::default() };
        let mut rng = Rng::from_u64(bounds as u64);
        let mut foreman =
            Foreman::new(rules, ForemanParams { discount, ..ForemanParams::default() }).unwrap();
        for _ in 0..25 {
            let mut world = rules.deal(&mut rng);
            while let Some(seat) = world.to_act() {
                let view = world.view(seat);
                let values = foreman.values(&view);
                let mut best = values[0];
                for &next in &values {
                    if next.1 > best.1 {
                        best = next;
                    }
                }
                assert_eq!(foreman.act(&view, &mut rng), best.0, "{world}");
                let action = if rng.chance(0.5) { best.0 } else { hurried(&world, &mut rng) };
                world.apply(action);
            }
        }
    }
}

#[test]
fn the_fast_prospect_equals_the_reference_bit_for_bit() {
    for bounds in [Bounds::Paper, Bounds::Three, Bounds::None] {
        let rules = Saboteur { bounds, rounds: 1, ..Saboteur::default() };
        let mut rng = Rng::from_u64(bounds as u64);
        let (mut cut_off, mut stones) = (0, 0);
        for _ in 0..12 {
            let mut world = rules.deal(&mut rng);
            while world.to_act().is_some() {
                let gold = [0, 1, 2].map(|_| [0.0, 0.5, 1.0][rng.below(3)] * rng.unit());
                let left = std::array::from_fn(|card| {
                    rng.below(usize::from(Card::from_index(card).copies()) + 1) as u8
                });
                let reference = Reference { rules, gold, left, discount: rng.unit() };
                match bounds {
                    Bounds::Paper => compare::<1>(&reference, &world),
                    Bounds::Three => compare::<2>(&reference, &world),
                    Bounds::None => compare::<3>(&reference, &world),
                }
                let board = world.public().board();
                let is_loose = |cell| board.is_passable(cell) && !board.is_reached(cell);
                cut_off += u32::from(board.paths().iter().any(is_loose));
                stones += u32::from(Goal::ALL.into_iter().any(|goal| is_loose(goal.cell())));
                world.apply(hurried(&world, &mut rng));
            }
        }
        // The hard cases must occur.
        assert!(cut_off > 30 && stones > 3, "{cut_off} and {stones}");
    }
}
