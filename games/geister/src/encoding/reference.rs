//! Observations written piece by piece: the reference for the quicker ways.

use super::memory::{PASSED_BY, STOOD};
use super::*;
use crate::square::squares;
use oboro_core::{Game, GameWorld, Rng};

/// What a seat remembers, by seat and piece.
#[derive(Clone, Default)]
struct Reference {
    counts: [[[u8; COUNTERS.len()]; Piece::COUNT]; 2],
    last: [Option<[Square; 2]>; 2],
}

impl Reference {
    fn add(&mut self, seat: Seat, piece: Piece, counter: usize) {
        let count = &mut self.counts[seat.index()][piece.index()][counter];
        *count = MANY.min(*count + 1);
    }

    fn remember(&mut self, before: &View, event: Event) {
        let Event::Moved { seat, piece, direction, captured } = event else { return };
        let board = &before.public;
        let enemies = board.occupied(seat.next(2));
        let is_beside =
            |square: Square, enemies: u64| squares(enemies).any(|s| s.distance(square) == 1);
        let from = board.square(seat, piece).expect("it is on the board");
        let to = from.step(seat, direction).expect("it stays there");
        let threatened = is_beside(from, enemies);
        let still = is_beside(to, enemies & !to.bit());
        for other in Piece::of_set(board.alive(seat)) {
            if is_beside(board.square(seat, other).expect("it is on the board"), enemies) {
                if other != piece {
                    self.add(seat, other, STOOD - COUNTER);
                }
                if captured.is_none() {
                    self.add(seat, other, PASSED_BY - COUNTER);
                }
            }
        }
        let did = [
            true,
            direction == Direction::North,
            direction == Direction::South,
            captured.is_some(),
            still,
            threatened && captured.is_none() && !still,
        ];
        for counter in (0..did.len()).filter(|&counter| did[counter]) {
            self.add(seat, piece, counter);
        }
        self.last[seat.index()] = Some([from, to]);
    }

    fn encode(&self, view: &View) -> Vec<u8> {
        let board = &view.public;
        let mut planes = vec![[0; Square::COUNT]; PLANES];
        for (i, seat) in [view.seat, view.enemy()].into_iter().enumerate() {
            for exit in squares(EXITS[seat.index()]) {
                planes[EXIT + i][exit.seen_by(view.seat).index()] = 1;
            }
            for piece in Piece::all() {
                let Some(square) = board.square(seat, piece) else { continue };
                let cell = square.seen_by(view.seat).index();
                let colour = match (i, piece.is_in(view.reds)) {
                    (0, false) => OWN_BLUE,
                    (0, true) => OWN_RED,
                    _ => ENEMY,
                };
                planes[colour][cell] = 1;
                planes[STAYED][cell] = u8::from(piece.is_in(board.stayed(seat)));
                for (i, count) in self.counts[seat.index()][piece.index()].iter().enumerate() {
                    planes[COUNTER + i][cell] = *count;
                }
                planes[NAMES + i * Piece::COUNT + piece.index()][cell] = 1;
            }
            for (end, square) in self.last[seat.index()].into_iter().flatten().enumerate() {
                planes[LAST + 2 * i + end][square.seen_by(view.seat).index()] = 1;
            }
        }
        planes.concat()
    }
}

/// The features of named pieces, asked one by one.
fn named(view: &View) -> Vec<u8> {
    let (own, enemy, board) = (view.seat, view.enemy(), &view.public);
    let captured =
        |seat, piece| board.square(seat, piece).is_none() && !piece.is_in(board.escaped(seat));
    let asked: [&dyn Fn(Piece) -> bool; 6] = [
        &|piece| piece.is_in(view.reds),
        &|piece| captured(own, piece),
        &|piece| piece.is_in(board.escaped(own)),
        &|piece| captured(enemy, piece) && piece.is_in(view.shown_reds),
        &|piece| captured(enemy, piece) && piece.is_in(view.shown_blues),
        &|piece| piece.is_in(board.escaped(enemy)),
    ];
    asked.iter().flat_map(|ask| Piece::all().map(|piece| u8::from(ask(piece)))).collect()
}

#[test]
fn observations_and_masks_are_those_written_piece_by_piece() {
    let game = Geister::default();
    let layout = game.layout();
    let mut endings = [0; 4];
    for number in 0..60 {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        let mut memories = Seat::all(2).map(|s| game.memory(&world.view(s))).collect::<Vec<_>>();
        let mut reference = [Reference::default(), Reference::default()];
        loop {
            for seat in Seat::all(2) {
                let view = world.view(seat);
                let mut row = vec![0; layout.observation.len()];
                let out = ObservationBuffer::split(&layout.observation, &mut row);
                game.encode(&view, &memories[seat.index()], out);
                let (planes, features) = row.split_at(layout.observation.plane_bytes());
                assert!(planes == reference[seat.index()].encode(&view), "planes of {view}");
                assert_eq!(features[NAMED..], named(&view), "features of {view}");
                let [mut marked, mut asked] = [(); 2].map(|()| vec![0; layout.actions]);
                game.mark_legal(&view, &mut marked);
                view.for_each_legal(|action| asked[game.action_index(&view, action)] = 1);
                assert_eq!(marked, asked, "legal actions of {view}");
            }
            if let Some(ending) = world.public().ending() {
                endings[match ending {
                    Ending::Escape(_) => 0,
                    Ending::BluesCaptured(_) => 1,
                    Ending::RedsCaptured(_) => 2,
                    Ending::Draw => 3,
                }] += 1;
                break;
            }
            let action = world.random_action(&mut rng);
            for seat in Seat::all(2) {
                let (view, event) = (world.view(seat), world.event(action, seat));
                game.remember(&mut memories[seat.index()], &view, &event);
                reference[seat.index()].remember(&view, event);
            }
            world.apply(action);
        }
    }
    assert!(endings.iter().all(|&games| games > 0), "every way to end was met: {endings:?}");
}
