//! `naotti` beside a slow twin: plain arrays and plain negamax, written from the description of the
//! public program and from nothing else of ours.

use super::{KnownReds, Order, Search};
use crate::square::squares;
use crate::{Action, Colour, Geister, Piece, Placements, View, World};
use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};

/// The board as the searching side sees it, its home at the bottom: `R` and `B` are its own, `u` is of
/// unknown colour, `r` and `b` are enemies whose colours are taken for known; squares row by row from the far
/// side, 0 at the top left.
#[derive(Clone, Copy)]
struct Twin {
    squares: [char; 36],
    /// So many captures of unknown pieces lose.
    enemy_reds: usize,
    captured: usize,
}

/// A step from a square to a square, or out of the board.
#[derive(Clone, Copy, PartialEq, Debug)]
enum TwinMove {
    Step(usize, usize),
    Leave(usize),
}

const OWN: [char; 2] = ['R', 'B'];
const ENEMY: [char; 3] = ['u', 'r', 'b'];

impl Twin {
    fn count(&self, kind: char) -> usize {
        self.squares.iter().filter(|&&c| c == kind).count()
    }

    fn is_known(&self) -> bool {
        self.squares.iter().any(|&c| c == 'r' || c == 'b')
    }

    /// Who has won with `ours` to move: `Some(true)` if we have.
    fn winner(&self, known: bool, ours: bool) -> Option<bool> {
        if self.count('R') == 0 || known && self.count('b') == 0 {
            return Some(true);
        }
        let lost = if known { self.count('r') == 0 } else { self.captured >= self.enemy_reds };
        if self.count('B') == 0 || lost {
            return Some(false);
        }
        if ours && [0, 5].iter().any(|&s| self.squares[s] == 'B') {
            return Some(true);
        }
        if !ours && [30, 35].iter().any(|&s| matches!(self.squares[s], 'u' | 'b')) {
            return Some(false);
        }
        None
    }

    /// The steps of a side, square by square, north, east, south, west, as the mover sees the board.
    fn steps(&self, ours: bool) -> Vec<(usize, usize)> {
        let own: &[char] = if ours { &OWN } else { &ENEMY };
        // The other side sees the board turned by half.
        let seen = |square: usize| if ours { square } else { 35 - square };
        let mut steps = Vec::new();
        for from in 0..36 {
            if !own.contains(&self.squares[seen(from)]) {
                continue;
            }
            let (x, y) = (from % 6, from / 6);
            let north = (y > 0).then(|| from - 6);
            let east = (x < 5).then(|| from + 1);
            let south = (y < 5).then(|| from + 6);
            let west = (x > 0).then(|| from - 1);
            for to in [north, east, south, west].into_iter().flatten() {
                if !own.contains(&self.squares[seen(to)]) {
                    steps.push((seen(from), seen(to)));
                }
            }
        }
        steps
    }

    fn after(&self, (from, to): (usize, usize)) -> Twin {
        let mut next = *self;
        next.captured += usize::from(self.squares[to] == 'u');
        next.squares[to] = self.squares[from];
        next.squares[from] = '.';
        next
    }

    /// 1000 a blue, less the way to go, plus the enemy's; its blues count against, where they are known.
    fn evaluation(&self) -> i32 {
        let mut sum = 0;
        for (square, kind) in self.squares.iter().enumerate() {
            let (x, y) = (square as i32 % 6, square as i32 / 6);
            let aside = x.min(5 - x);
            if OWN.contains(kind) {
                sum -= y + aside;
            }
            if ENEMY.contains(kind) {
                sum += 5 - y + aside;
            }
            sum += match kind {
                'B' => 1000,
                'b' => -1000,
                _ => 0,
            };
        }
        sum
    }

    /// The value for the side to move, `ply` plies after the root; pruned, the bounds that are passed
    /// down, or the whole tree.
    fn negamax(
        &self,
        known: bool,
        ply: i32,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        prune: bool,
    ) -> i32 {
        let ours = ply % 2 == 0;
        if let Some(we) = self.winner(known, ours) {
            return if we == ours { 100_000_000 - ply } else { ply - 100_000_000 };
        }
        if ply == depth {
            return if ours { self.evaluation() } else { -self.evaluation() };
        }
        for step in self.steps(ours) {
            let below = self.after(step).negamax(known, ply + 1, depth, -beta, -alpha, prune);
            alpha = alpha.max(-below);
            if prune && alpha >= beta {
                return beta;
            }
        }
        alpha
    }

    /// What the program plays.
    fn choice(&self, depth: i32, prune: bool) -> TwinMove {
        if let Some(&exit) = [0, 5].iter().find(|&&s| self.squares[s] == 'B') {
            return TwinMove::Leave(exit);
        }
        let known = self.is_known();
        let mut best = (-200_000_000, None);
        for (from, to) in self.steps(true) {
            let bound = if prune { best.0 } else { -200_000_000 };
            let next = self.after((from, to));
            let value = -next.negamax(known, 1, depth, -200_000_000, -bound, prune);
            if value > best.0 {
                best = (value, Some(TwinMove::Step(from, to)));
            }
        }
        best.1.expect("there is always a step")
    }
}

/// The board before a seat, with a letter for every enemy piece.
fn before(world: &World, seat: Seat, enemy: impl Fn(Piece, usize) -> char) -> Twin {
    let board = world.public();
    let other = seat.next(2);
    let mut twin = Twin { squares: ['.'; 36], enemy_reds: 0, captured: 0 };
    for owner in [seat, other] {
        for piece in Piece::all() {
            let is_red = world.colour(owner, piece) == Some(Colour::Red);
            let Some(square) = board.square(owner, piece) else { continue };
            let number = square.seen_by(seat).index();
            twin.squares[number] = match (owner == seat, is_red) {
                (true, true) => 'R',
                (true, false) => 'B',
                (false, is_red) => {
                    twin.enemy_reds += usize::from(is_red);
                    enemy(piece, number)
                }
            };
        }
    }
    twin
}

/// As the program sees a position: if pieces stayed on an exit, the last of them, row by row, is red
/// and everything else blue; otherwise all are of unknown colour.
fn imperfect(world: &World, seat: Seat) -> Twin {
    let stayed = world.public().stayed(seat.next(2));
    let mut twin = before(world, seat, |piece, _| if piece.is_in(stayed) { 'r' } else { 'u' });
    if let Some(last) = twin.squares.iter().rposition(|&c| c == 'r') {
        for (number, kind) in twin.squares.iter_mut().enumerate() {
            if ENEMY.contains(kind) {
                *kind = if number == last { 'r' } else { 'b' };
            }
        }
    }
    twin
}

fn perfect(world: &World, seat: Seat) -> Twin {
    let red = |piece| world.colour(seat.next(2), piece) == Some(Colour::Red);
    before(world, seat, |piece, _| if red(piece) { 'r' } else { 'b' })
}

/// An action as the twin speaks of it.
fn said(view: &View, action: Action) -> TwinMove {
    let (board, seat) = (view.public(), view.seat());
    let number = |s: crate::Square| s.seen_by(seat).index();
    match action {
        Action::Move(piece, way) => TwinMove::Step(
            number(board.square(seat, piece).expect("on the board")),
            number(board.target(seat, piece, way).expect("a legal step")),
        ),
        Action::Escape(piece) => {
            TwinMove::Leave(number(board.square(seat, piece).expect("on the board")))
        }
        Action::Place(_) => panic!("no placement here"),
    }
}

/// Positions of games played half at random and half by the program itself, so that pieces meet and
/// get to the exits.
fn played_positions(count: usize, rng: &mut Rng) -> Vec<World> {
    let rules = Geister { placements: Placements::Random, ..Geister::default() };
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut world = rules.deal(rng);
        while let Some(seat) = world.to_act() {
            if world.public().ply() > 4 && rng.chance(0.2) {
                positions.push(world);
            }
            let action = if rng.chance(0.5) {
                world.random_action(rng)
            } else {
                Search::new(1).best_move(&world.view(seat))
            };
            world.apply(action);
        }
    }
    positions.truncate(count);
    positions
}

/// Pieces anywhere, some of which stayed on an exit once.
fn scattered_positions(count: usize, rng: &mut Rng) -> Vec<World> {
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut places: Vec<usize> = (0..36).collect();
        rng.shuffle(&mut places);
        let mut side = |places: &mut Vec<usize>| -> String {
            let colours = ["R", "R*", "R*", "R", "B", "B", "B", "B"];
            let gone = rng.below(5);
            let gone: Vec<usize> = (0..gone).map(|_| rng.below(8)).collect();
            let piece =
                |(i, colour): (usize, &&str)| match places.pop().filter(|_| !gone.contains(&i)) {
                    Some(place) => format!("{}{}{colour}", place % 6, place / 6),
                    None => format!("99{}", &colour[..1]),
                };
            colours.iter().enumerate().map(piece).collect()
        };
        let text =
            format!("{} {} {}", 60 + positions.len() % 2, side(&mut places), side(&mut places));
        let world = Geister::default().parse_position(&text);
        positions.extend(world.ok().filter(|world| world.to_act().is_some()));
    }
    positions
}

/// The two programs in a position, with the program's search and the twin.
fn compare(world: &World, depth: u32, prune: bool) {
    let view = world.view(world.to_act().expect("not over"));
    let twin = imperfect(world, view.seat()).choice(depth as i32, prune);
    assert_eq!(said(&view, Search::new(depth).best_move(&view)), twin, "depth {depth}:\n{world}");
    let twin = perfect(world, view.seat()).choice(depth as i32, prune);
    let ours = Search::new(depth).best_move_perfect(world);
    assert_eq!(said(&view, ours), twin, "depth {depth}, colours seen:\n{world}");
}

fn several_stayed(world: &World) -> bool {
    let enemy = world.to_act().expect("not over").next(2);
    world.public().stayed(enemy).count_ones() > 1
}

#[test]
fn decisions_are_those_of_the_twin_without_pruning() {
    let mut rng = Rng::from_u64(17);
    let mut positions = played_positions(800, &mut rng);
    positions.extend(scattered_positions(400, &mut rng));
    for world in &positions {
        compare(world, 2, false);
    }
    for world in positions.iter().step_by(8) {
        compare(world, 3, false);
    }
    let stayed = |world: &&World| several_stayed(world);
    assert!(positions.iter().filter(stayed).count() > 50, "several pieces stayed in some");
}

#[test]
fn decisions_at_full_depth_are_those_of_the_twin() {
    let mut rng = Rng::from_u64(18);
    let mut positions = played_positions(12, &mut rng);
    positions.extend(scattered_positions(12, &mut rng));
    for world in &positions {
        compare(world, 6, true);
    }
}

#[test]
fn the_order_decides_between_equals_and_only_there() {
    let mut rng = Rng::from_u64(19);
    let mut differing = 0;
    for world in played_positions(300, &mut rng) {
        let view = world.view(world.to_act().expect("not over"));
        let here = Search::new(3);
        let other = Search { order: Order::DirectionFirst, ..here };
        let values = here.values(&view);
        let worth = |action: Action| values.iter().find(|(a, _)| *a == action).expect("legal").1;
        let (first, second) = (here.best_move(&view), other.best_move(&view));
        assert_eq!(worth(first), worth(second), "{world}");
        differing += u32::from(first != second);
        let mut sorted = other.values(&view);
        sorted.sort_by_key(|(action, _)| values.iter().position(|(a, _)| a == action));
        assert_eq!(sorted, values, "the same values in another order");
    }
    assert!(differing > 20, "the order should matter, not in {differing} of 300");
}

#[test]
fn counting_all_that_stayed_as_red_changes_decisions() {
    let mut rng = Rng::from_u64(20);
    let positions: Vec<World> = scattered_positions(300, &mut rng)
        .into_iter()
        .filter(|world| {
            several_stayed(world) && squares(world.public().occupied(Seat::FIRST)).count() > 3
        })
        .collect();
    let differing = positions.iter().filter(|world| {
        let view = world.view(world.to_act().expect("not over"));
        let one = Search::new(3);
        one.best_move(&view) != Search { known_reds: KnownReds::All, ..one }.best_move(&view)
    });
    assert!(differing.count() > 10, "of {}", positions.len());
}
