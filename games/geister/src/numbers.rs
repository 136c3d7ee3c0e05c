//! Views as planes and features, for programs that learn.
//!
//! Everything is seen from the observer's own home, with its exits at the top. Moves are numbered by the square they
//! start from and their direction, so that a net over the board can answer square by square.

use crate::action::{Action, Event};
use crate::piece::{Piece, Placement};
use crate::public::Ending;
use crate::square::{Direction, EXITS, NEIGHBOURS, OUT, STEPS, Square, squares};
use crate::view::View;
use crate::{Geister, World};
use oboro_core::{Channel, GameNumbers, Numbering, Numbers, Seat, SeatView, Shape, Symmetry};

/// Actions: a direction from each square, then the placements. A step north from an exit leaves the board.
const MOVES: usize = 4 * Square::COUNT;

/// What pieces did, counted by piece; the planes of the same names show it where the piece stands.
const HABITS: [(&str, &str); 8] = [
    ("steps", "how often the piece moved"),
    ("steps forward", "how often it moved away from home"),
    ("steps back", "how often it moved towards home"),
    ("captures", "how many pieces it captured"),
    ("approached", "how often it stepped next to an enemy piece"),
    ("fled", "how often it stepped from beside an enemy piece to where none was"),
    ("stood", "how often it stood next to an enemy piece and another piece moved"),
    ("passed by", "how often it could have captured and did not"),
];

/// The place of each in [`HABITS`].
#[derive(Clone, Copy)]
enum Habit {
    Steps,
    Forward,
    Back,
    Captures,
    Approached,
    Fled,
    Stood,
    PassedBy,
}

/// Counts go no further.
const MANY: u8 = 15;

/// The planes before those of the habits.
const OWN_BLUE: usize = 0;
const OWN_RED: usize = 1;
const ENEMY: usize = 2;
const OWN_EXITS: usize = 3;
const ENEMY_EXITS: usize = 4;
const LINGERED: usize = 5;
/// The squares that the last moves of the observer and of the enemy led from and to.
const LAST: usize = 6;
const HABIT: usize = 10;
/// One plane per named piece: the observer's, then the enemy's.
const NAMES: usize = HABIT + HABITS.len();
const PLANES: usize = NAMES + 2 * Piece::COUNT;

/// The planes and features that our own net reads: all but those that tell pieces apart by name.
pub(crate) const LEARNED_PLANES: usize = NAMES;
pub(crate) const LEARNED_FEATURES: [&str; 8] = [
    "own blues captured",
    "own reds captured",
    "enemy blues captured",
    "enemy reds captured",
    "first",
    "own placed",
    "enemy placed",
    "plies left",
];

/// What a seat remembers of the moves it saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// By seat and piece.
    habits: [[[u8; HABITS.len()]; Piece::COUNT]; 2],
    /// The squares that each seat's last move led from and to.
    last: [Option<[u8; 2]>; 2],
}

impl Memory {
    /// Counts some habits of a piece once more, all at a time: a byte each of one word, none beyond [`MANY`].
    #[inline]
    fn add(&mut self, seat: Seat, piece: Piece, habits: impl IntoIterator<Item = (Habit, bool)>) {
        const ONES: u64 = u64::from_le_bytes([1; HABITS.len()]);
        let counts = &mut self.habits[seat.index()][piece.index()];
        let more: u64 =
            habits.into_iter().map(|(habit, one)| u64::from(one) << (8 * habit as u32)).sum();
        let sum = u64::from_le_bytes(*counts) + more;
        *counts = (sum - ((sum / (u64::from(MANY) + 1)) & ONES)).to_le_bytes();
    }

    fn saw_move(&mut self, before: &View, seat: Seat, piece: Piece, direction: Direction) {
        let board = &before.public;
        let (own, enemy) = (seat.index(), seat.next(2).index());
        let Some(from) = board.square(seat, piece) else { return };
        let Some(to) = from.step(seat, direction) else { return };
        let enemies = board.occupied[enemy];
        let captured = enemies & to.bit();
        let threatened = NEIGHBOURS[from.index()] & enemies != 0;
        let still = NEIGHBOURS[to.index()] & enemies & !captured != 0;
        for other in Piece::of_set(board.alive(seat)) {
            let place = usize::from(board.places[own][other.index()] & 63);
            if NEIGHBOURS[place] & enemies != 0 {
                let habits = [(Habit::Stood, other != piece), (Habit::PassedBy, captured == 0)];
                self.add(seat, other, habits);
            }
        }
        let habits = [
            (Habit::Steps, true),
            (Habit::Forward, direction == Direction::North),
            (Habit::Back, direction == Direction::South),
            (Habit::Captures, captured != 0),
            (Habit::Approached, still),
            (Habit::Fled, threatened && captured == 0 && !still),
        ];
        self.add(seat, piece, habits);
        self.last[own] = Some([from, to].map(|square| square.index() as u8));
    }
}

impl GameNumbers for Geister {
    type Memory = Memory;

    fn numbering(&self) -> Numbering {
        Numbering {
            observation: Shape::new([6, 6], planes(), features()),
            truth: Shape::new(
                [6, 6],
                vec![Channel::flag("enemy red", "an enemy piece that is red")],
                vec![],
            ),
            actions: MOVES + Placement::COUNT,
        }
    }

    fn memory(&self, _start: &View) -> Memory {
        Memory { habits: [[[0; HABITS.len()]; Piece::COUNT]; 2], last: [None; 2] }
    }

    #[inline]
    fn remember(&self, memory: &mut Memory, before: &View, event: &Event) {
        if let Event::Moved { seat, piece, direction, .. } = *event {
            memory.saw_move(before, seat, piece, direction);
        }
    }

    fn encode(&self, view: &View, memory: &Memory, out: Numbers<'_>) {
        let (own, enemy) = (view.seat, view.enemy());
        let board = &view.public;
        // Of fixed sizes, so that no place needs a check of its own.
        let (planes, rest) = out.planes.as_chunks_mut::<{ Square::COUNT }>();
        let planes: &mut [[u8; Square::COUNT]; PLANES] =
            planes.try_into().expect("as many planes as are numbered");
        debug_assert!(rest.is_empty(), "planes of whole boards");
        let seen = |place: u8| usize::from(if own.index() == 0 { place } else { 35 - place });
        for (plane, seat) in [(OWN_EXITS, own), (ENEMY_EXITS, enemy)] {
            squares(EXITS[seat.index()])
                .for_each(|square| planes[plane][seen(square.index() as u8)] = 1);
        }
        for (i, seat) in [own, enemy].into_iter().enumerate() {
            for piece in Piece::of_set(board.alive(seat)) {
                let cell = seen(board.places[seat.index()][piece.index()]);
                let colour = match (seat == enemy, piece.is_in(view.reds)) {
                    (true, _) => ENEMY,
                    (false, true) => OWN_RED,
                    (false, false) => OWN_BLUE,
                };
                planes[colour][cell] = 1;
                planes[LINGERED][cell] = u8::from(piece.is_in(board.lingered(seat)));
                let habits = &memory.habits[seat.index()][piece.index()];
                for (plane, &count) in habits.iter().enumerate() {
                    planes[HABIT + plane][cell] = count;
                }
                planes[NAMES + i * Piece::COUNT + piece.index()][cell] = 1;
            }
            for (end, place) in memory.last[seat.index()].into_iter().flatten().enumerate() {
                planes[LAST + 2 * i + end][seen(place)] = 1;
            }
        }
        write_features(view, out.features);
    }

    fn encode_truth(&self, world: &World, seat: Seat, out: Numbers<'_>) {
        let enemy = seat.next(2);
        for piece in Piece::of_set(world.public.alive(enemy) & world.reds(enemy)) {
            let square = world.public.square(enemy, piece).expect("it is on the board");
            out.planes[square.seen_by(seat).index()] = 1;
        }
    }

    #[inline]
    fn action_number(&self, view: &View, action: Action) -> usize {
        let (piece, direction) = match action {
            Action::Place(placement) => return MOVES + placement.number(),
            Action::Move(piece, direction) => (piece, direction),
            Action::Escape(piece) => (piece, Direction::North),
        };
        let square = view.public.square(view.seat, piece).expect("a piece on the board moves");
        4 * square.seen_by(view.seat).index() + direction as usize
    }

    fn mark_legal(&self, view: &View, out: &mut [u8]) {
        let board = &view.public;
        if board.placed < 2 || board.to_act() != Some(view.seat) {
            view.for_each_legal(|action| out[self.action_number(view, action)] = 1);
            return;
        }
        let (cells, _) = out.as_chunks_mut::<4>();
        let side = view.seat.index();
        let free = !board.occupied[side];
        for piece in Piece::of_set(board.alive[side]) {
            let place = usize::from(board.places[side][piece.index()] & 63);
            let may_leave = if piece.is_in(view.reds) { !OUT } else { !0 };
            let steps =
                Direction::ALL.map(|way| STEPS[side][way as usize][place] & free & may_leave);
            cells[if side == 0 { place } else { 35 - place }] = steps.map(|to| u8::from(to != 0));
        }
    }

    #[inline]
    fn numbered_action(&self, view: &View, number: usize) -> Option<Action> {
        if view.to_act() != Some(view.seat) {
            return None;
        }
        if !view.public.has_placed(Seat::new(1)) {
            let number = number.checked_sub(MOVES).filter(|n| *n < Placement::COUNT)?;
            return Some(Action::Place(Placement::numbered(number)));
        }
        let square = Square::from_index(u8::try_from(number / 4).ok()?)?.seen_by(view.seat);
        let direction = Direction::ALL[number % 4];
        let (owner, piece) = view.public.piece_at(square)?;
        if owner != view.seat {
            return None;
        }
        if view.public.target(owner, piece, direction).is_some() {
            return Some(Action::Move(piece, direction));
        }
        let leaves = direction == Direction::North
            && view.public.is_on_exit(owner, piece)
            && !piece.is_in(view.reds);
        leaves.then_some(Action::Escape(piece))
    }

    /// Left and right can be exchanged.
    fn symmetries(&self) -> Vec<Symmetry> {
        let cell =
            |cell: usize| Square::from_index(cell as u8).expect("a square").mirrored().index();
        let name = |i: usize| i ^ 3;
        let plane = |plane: usize| match plane.checked_sub(NAMES) {
            Some(i) => NAMES + name(i),
            None => plane,
        };
        let board = |planes: usize, plane: &dyn Fn(usize) -> usize| -> Vec<u32> {
            let cells = (0..planes).flat_map(|p| (0..Square::COUNT).map(move |c| (p, c)));
            cells.map(|(p, c)| (plane(p) * Square::COUNT + cell(c)) as u32).collect()
        };
        let mut observation = board(PLANES, &plane);
        let first = PLANES * Square::COUNT;
        observation.extend((0..features().len()).map(|i| {
            let image = match i.checked_sub(NAMED) {
                Some(i) if i < NAMED_SETS.len() * Piece::COUNT => NAMED + name(i),
                _ => i,
            };
            (first + image) as u32
        }));
        let moved = (0..MOVES)
            .map(|number| 4 * cell(number / 4) + Direction::ALL[number % 4].mirrored() as usize);
        let placed = Placement::all().map(|placement| MOVES + placement.mirrored().number());
        vec![Symmetry {
            name: "left and right exchanged".to_owned(),
            observation,
            truth: board(1, &|plane| plane),
            actions: moved.chain(placed).map(|number| number as u32).collect(),
        }]
    }
}

fn planes() -> Vec<Channel> {
    let flags = [
        ("own blue", "an own piece that is blue, or not placed yet"),
        ("own red", "an own piece that is red"),
        ("enemy", "an enemy piece"),
        ("own exits", "where the observer may leave the board; the same in every game"),
        ("enemy exits", "where the enemy may leave it; the same in every game"),
        ("lingered", "a piece that stood on one of its exits and did not leave"),
        ("own last from", "where the observer's last move came from"),
        ("own last to", "where it led to"),
        ("enemy last from", "where the enemy's last move came from"),
        ("enemy last to", "where it led to"),
    ];
    let flags = flags.into_iter().map(|(name, about)| Channel::flag(name, about));
    let habits = HABITS.into_iter().map(|(name, about)| Channel::count(name, MANY, about));
    let names = ["own", "enemy"].into_iter().flat_map(|who| {
        Piece::all().map(move |piece| {
            Channel::flag(format!("{who} {piece}"), format!("the piece named {piece}"))
        })
    });
    flags.chain(habits).chain(names).collect()
}

/// The features before those of named pieces.
const NAMED: usize = 14;
const NAMED_SETS: [(&str, &str); 6] = [
    ("own reds", "whether the piece is red, on the board or not"),
    ("own captured", "whether it was captured"),
    ("own escaped", "whether it left the board"),
    ("enemy captured red", "whether it was captured and red"),
    ("enemy captured blue", "whether it was captured and blue"),
    ("enemy escaped", "whether it left the board"),
];

fn features() -> Vec<Channel> {
    let mut features = vec![
        Channel::count("own blues captured", 4, "how many own blues are lost"),
        Channel::count("own reds captured", 4, "how many own reds are lost"),
        Channel::count("enemy blues captured", 4, "how many enemy blues are captured"),
        Channel::count("enemy reds captured", 4, "how many enemy reds are captured"),
        Channel::flag("first", "the observer moves first"),
        Channel::flag("to act", "it is the observer's turn"),
        Channel::flag("own placed", "the observer has placed its pieces"),
        Channel::flag("enemy placed", "the enemy has placed its pieces"),
        Channel::flag("won", "the observer has won"),
        Channel::flag("lost", "the enemy has won"),
        Channel::flag("drawn", "the ply limit has ended the game"),
        Channel::count("plies left", u8::MAX, "how many moves are left, up to 255"),
        Channel::count("ply, high byte", u8::MAX, "how many moves were played, divided by 256"),
        Channel::count("ply, low byte", u8::MAX, "how many moves were played, modulo 256"),
    ];
    debug_assert_eq!(features.len(), NAMED);
    for (set, about) in NAMED_SETS {
        let named = Piece::all()
            .map(|piece| Channel::flag(format!("{set} {piece}"), format!("{piece}: {about}")));
        features.extend(named);
    }
    features
}

fn write_features(view: &View, out: &mut [u8]) {
    let (own, enemy, board) = (view.seat, view.enemy(), &view.public);
    let captured = board.captured(own);
    let winner = board.ending.and_then(Ending::winner);
    let left = board.limit.saturating_sub(board.ply).min(255);
    let [high, low] = board.ply.to_be_bytes();
    let escaped = board.escaped(enemy);
    let head = [
        (captured & !view.reds).count_ones() as u8,
        (captured & view.reds).count_ones() as u8,
        (view.shown_blues & !escaped).count_ones() as u8,
        view.shown_reds.count_ones() as u8,
        u8::from(own.index() == 0),
        u8::from(board.to_act() == Some(own)),
        u8::from(board.has_placed(own)),
        u8::from(board.has_placed(enemy)),
        u8::from(winner == Some(own)),
        u8::from(winner == Some(enemy)),
        u8::from(board.ending == Some(Ending::Draw)),
        left as u8,
        high,
        low,
    ];
    out[..NAMED].copy_from_slice(&head);
    let sets = [
        view.reds,
        captured,
        board.escaped(own),
        view.shown_reds,
        view.shown_blues & !escaped,
        escaped,
    ];
    for (set, out) in sets.into_iter().zip(out[NAMED..].chunks_exact_mut(Piece::COUNT)) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = set >> i & 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placements;
    use oboro_core::testkit::{Effort, check_numbers, check_symmetry};
    use oboro_core::{Game, GameWorld, Rng};

    #[test]
    fn views_become_numbers() {
        check_numbers(&Geister::default(), Effort { games: 8, every: 3, ..Effort::default() });
        let short = Geister { placements: Placements::Random, plies: 30 };
        check_numbers(&short, Effort { games: 8, ..Effort::default() });
    }

    #[test]
    fn mirrored_games_have_mirrored_numbers() {
        let game = Geister::default();
        let mut rng = Rng::from_u64(4);
        for _ in 0..4 {
            let start = game.deal(&mut rng);
            check_symmetry(&game, &game.symmetries()[0], [start; 2], &mut rng);
        }
    }

    /// Piece A walks up to the enemy, stands there, and runs away.
    #[test]
    fn habits_are_counted() {
        let game = Geister { placements: "ABCD/EFGH".parse().unwrap(), ..Geister::default() };
        let mut world = game.deal(&mut Rng::from_u64(0));
        let mut memory = game.memory(&world.view(Seat::new(1)));
        for text in ["AN", "EW", "AN", "EE", "BN", "HE", "AS"] {
            let action: Action = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert!(world.is_legal(action), "{text} is not legal: {world}");
            let seat = Seat::new(1);
            game.remember(&mut memory, &world.view(seat), &world.event(action, seat));
            world.apply(action);
        }
        let count = |habit: Habit| memory.habits[0][0][habit as usize];
        assert_eq!(count(Habit::Steps), 3);
        assert_eq!((count(Habit::Forward), count(Habit::Back)), (2, 1));
        assert_eq!((count(Habit::Approached), count(Habit::Fled)), (1, 1));
        assert_eq!((count(Habit::Stood), count(Habit::PassedBy)), (1, 2));
    }
}
