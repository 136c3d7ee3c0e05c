//! Views as planes and features, for programs that learn.
//!
//! Everything is seen from the observer's own home, with its exits at the top. Moves are numbered by the square they
//! start from and their direction, so that a net over the board can answer square by square.

mod memory;
#[cfg(test)]
mod reference;

pub use self::memory::Memory;
use self::memory::{COUNTERS, MANY};
use crate::action::{Action, Event};
use crate::bitboard::movable;
use crate::piece::{Piece, Placement};
use crate::public::Ending;
use crate::square::{Direction, EXITS, Square};
use crate::view::View;
use crate::{Geister, World};
use oboro_core::{
    Channel, EncodingLayout, GameEncoding, ObservationBuffer, Seat, SeatView, Shape, Symmetry,
};

/// Actions: a direction from each square, then the placements. A step north from an exit leaves the board.
const MOVES: usize = 4 * Square::COUNT;

/// Where each seat sees each place of the board: a square, or one beyond the last for pieces that are gone.
static CELLS: [[u8; 64]; 2] = cells();

const fn cells() -> [[u8; 64]; 2] {
    let mut table = [[Square::COUNT as u8; 64]; 2];
    let mut square = 0;
    while square < Square::COUNT {
        table[0][square] = square as u8;
        table[1][Square::COUNT - 1 - square] = square as u8;
        square += 1;
    }
    table
}

/// The planes before those of the counts.
const OWN_BLUE: usize = 0;
const OWN_RED: usize = 1;
const ENEMY: usize = 2;
/// Where the observer may leave the board, and where the enemy may.
const EXIT: usize = 3;
const STAYED: usize = 5;
/// The squares that the last moves of the observer and of the enemy led from and to.
const LAST: usize = 6;
const COUNTER: usize = 10;
/// One plane per named piece: the observer's, then the enemy's.
const NAMES: usize = COUNTER + COUNTERS.len();
const PLANES: usize = NAMES + 2 * Piece::COUNT;

impl GameEncoding for Geister {
    type Memory = Memory;

    const WRITES_ALL: bool = true;

    fn layout(&self) -> EncodingLayout {
        EncodingLayout {
            observation: Shape::new([6, 6], planes(), features()),
            truth: Shape::new(
                [6, 6],
                vec![Channel::flag("enemy red", "an enemy piece that is red")],
                vec![],
            ),
            actions: MOVES + Placement::COUNT,
        }
    }

    fn memory(&self, start: &View) -> Memory {
        Memory::of(start)
    }

    #[inline]
    fn remember(&self, memory: &mut Memory, before: &View, event: &Event) {
        let board = &before.public;
        match *event {
            Event::Placed { placement: None, .. } => {}
            Event::Placed { seat, placement: Some(own) } => {
                memory.saw_placement(board.places[seat.index()], own);
            }
            Event::Moved { seat, piece, direction, .. } => {
                memory.saw_move(board, seat, piece, direction);
            }
            Event::Escaped { seat, piece } => {
                board.square(seat, piece).into_iter().for_each(|from| memory.saw_escape(from));
            }
        }
    }

    #[inline]
    fn encode(&self, view: &View, memory: &Memory, out: ObservationBuffer<'_>) {
        out.planes.copy_from_slice(memory.planes().as_flattened());
        let features = out.features.try_into().expect("as many features as are numbered");
        write_features(view, features);
    }

    fn encode_truth(&self, world: &World, seat: Seat, out: ObservationBuffer<'_>) {
        let enemy = seat.next(2);
        for piece in Piece::of_set(world.public.alive(enemy) & world.reds(enemy)) {
            let square = world.public.square(enemy, piece).expect("it is on the board");
            out.planes[square.seen_by(seat).index()] = 1;
        }
    }

    #[inline]
    fn action_index(&self, view: &View, action: Action) -> usize {
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
        if board.to_act() != Some(view.seat) {
            return;
        }
        if board.placed < 2 {
            out[MOVES..].fill(1);
            return;
        }
        let side = view.seat.index();
        let own = board.occupied[side];
        let [north, east, south, west] = movable(own);
        // The second seat's north is the south of the side at the bottom.
        let mut ways =
            if side == 0 { [north, east, south, west] } else { [south, west, north, east] };
        if own & EXITS[side] != 0 {
            let blues = Piece::of_set(view.own_blues());
            let blues = blues.fold(0, |all, piece| all | 1 << board.places[side][piece.index()]);
            ways[Direction::North as usize] |= blues & EXITS[side];
        }
        // The four directions from a square lie side by side. Nothing is asked of a piece: where one that is gone would
        // stand nothing is legal, and its place is that of the first placements, of which none is.
        let (cells, _) = out.as_chunks_mut::<4>();
        let [north, east, south, west] = ways;
        // Shifted by a place, each has its bit in a byte of its own.
        let (east, south, west) = (east << 8, south << 16, west << 24);
        for place in board.places[side] {
            let place = place & 63;
            let flags = north >> place & 1
                | east >> place & 1 << 8
                | south >> place & 1 << 16
                | west >> place & 1 << 24;
            cells[usize::from(CELLS[side][usize::from(place)])] = (flags as u32).to_le_bytes();
        }
    }

    #[inline]
    fn action_at(&self, view: &View, number: usize) -> Option<Action> {
        if view.to_act() != Some(view.seat) {
            return None;
        }
        if !view.public.has_placed(Seat::new(1)) {
            let number = number.checked_sub(MOVES).filter(|n| *n < Placement::COUNT)?;
            return Some(Action::Place(Placement::numbered(number)));
        }
        let square = Square::from_index(u8::try_from(number / 4).ok()?)?.seen_by(view.seat);
        let direction = Direction::ALL[number % 4];
        if view.public.occupied(view.seat) & square.bit() == 0 {
            return None;
        }
        let (owner, piece) = (view.seat, view.public.piece_on(view.seat.index(), square.bit()));
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
    let counts = COUNTERS.into_iter().map(|(name, about)| Channel::count(name, MANY, about));
    let names = ["own", "enemy"].into_iter().flat_map(|who| {
        Piece::all().map(move |piece| {
            Channel::flag(format!("{who} {piece}"), format!("the piece named {piece}"))
        })
    });
    flags.chain(counts).chain(names).collect()
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

const FEATURES: usize = NAMED + NAMED_SETS.len() * Piece::COUNT;

fn write_features(view: &View, out: &mut [u8; FEATURES]) {
    let (own, enemy, board) = (view.seat, view.enemy(), &view.public);
    let winner = board.ending.and_then(Ending::winner);
    let left = board.limit.saturating_sub(board.ply).min(255);
    let [high, low] = board.ply.to_be_bytes();
    let escaped = [own, enemy].map(|seat| board.escaped(seat));
    let captured = board.captured(own);
    let blues_taken = view.shown_blues & !escaped[1];
    let head = [
        how_many(captured & !view.reds),
        how_many(captured & view.reds),
        how_many(blues_taken),
        how_many(view.shown_reds),
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
    let (first, named) = out.split_at_mut(NAMED);
    first.copy_from_slice(&head);
    let sets = [view.reds, captured, escaped[0], view.shown_reds, blues_taken, escaped[1]];
    for (set, out) in sets.into_iter().zip(named.as_chunks_mut().0) {
        *out = bytes_of(set).to_le_bytes();
    }
}

/// A byte of a word for every piece.
const EVERY_PIECE: u64 = u64::from_le_bytes([1; Piece::COUNT]);

/// A byte for each piece: 1 if the set has it.
#[inline]
const fn bytes_of(set: u8) -> u64 {
    // Eight copies of the set, of each the bit of its place, which makes the top bit of its byte.
    const EACH: u64 = 0x8040_2010_0804_0201;
    let bits = (set as u64 * EVERY_PIECE) & EACH;
    (bits + 0x7f * EVERY_PIECE) >> 7 & EVERY_PIECE
}

/// How many pieces a set has: quicker than to count bits where the processor is not asked to.
#[inline]
const fn how_many(set: u8) -> u8 {
    (bytes_of(set).wrapping_mul(EVERY_PIECE) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placements;
    use oboro_core::{Game, GameWorld, Rng};
    use oboro_testkit::{Effort, check_encoding, check_symmetry};

    #[test]
    fn observations_keep_their_laws() {
        check_encoding(&Geister::default(), Effort { games: 8, every: 3, ..Effort::default() });
        let short = Geister { placements: Placements::Random, plies: 30 };
        check_encoding(&short, Effort { games: 8, ..Effort::default() });
    }

    #[test]
    fn mirrored_games_have_mirrored_observations() {
        let game = Geister::default();
        let mut rng = Rng::from_u64(4);
        for _ in 0..4 {
            let start = game.deal(&mut rng);
            check_symmetry(&game, &game.symmetries()[0], [start; 2], &mut rng);
        }
    }

    /// Piece A walks up to the enemy, stands there, and runs away.
    #[test]
    fn moves_are_counted_by_piece() {
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
        let square = world.public().square(Seat::new(0), Piece::new(0)).expect("on the board");
        let cell = square.seen_by(Seat::new(1)).index();
        let counts: Vec<(&str, u8)> = COUNTERS
            .iter()
            .zip(&memory.planes()[COUNTER..])
            .map(|((name, _), plane)| (*name, plane[cell]))
            .collect();
        let wanted = [
            ("steps", 3),
            ("steps forward", 2),
            ("steps back", 1),
            ("captures", 0),
            ("approached", 1),
            ("fled", 1),
            ("stood", 1),
            ("passed by", 2),
        ];
        assert_eq!(counts, wanted);
    }
}
