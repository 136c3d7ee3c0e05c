//! The whole truth of a game: the board and both sides' colours.

use crate::action::{Action, Event};
use crate::piece::{Colour, Piece, Placement};
use crate::public::{Ending, Public};
use crate::square::{Direction, EXITS, OUT, STEPS};
use crate::view::View;
use oboro_core::{Fact, GameWorld, Rng, Seat};

/// The whole truth of a game in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct World {
    pub(crate) public: Public,
    /// The red pieces of each seat, on the board or not; 0 before it has placed them.
    pub(crate) reds: [u8; 2],
}

impl World {
    /// A game that starts with these placements made.
    pub fn placed(placements: [Placement; 2], ply_limit: u16) -> World {
        let mut world = World::empty(ply_limit);
        for placement in placements {
            world.apply(Action::Place(placement));
        }
        world
    }

    pub(crate) fn empty(ply_limit: u16) -> World {
        World { public: Public::start(ply_limit), reds: [0; 2] }
    }

    /// What both see.
    #[inline]
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// A seat's red pieces, on the board or not, as a set; empty before its placement.
    #[inline]
    pub fn reds(&self, seat: Seat) -> u8 {
        self.reds[seat.index()]
    }

    /// A piece's colour, once it is placed.
    pub fn colour(&self, seat: Seat, piece: Piece) -> Option<Colour> {
        self.public
            .has_placed(seat)
            .then(|| if piece.is_in(self.reds(seat)) { Colour::Red } else { Colour::Blue })
    }

    /// What a capture from `side` ends, if it ends the game.
    #[inline]
    fn ending_of_capture(&self, side: usize) -> Option<Ending> {
        let (alive, reds) = (self.public.alive[side], self.reds[side]);
        if alive & !reds == 0 {
            Some(Ending::BluesCaptured(Seat::new(side ^ 1)))
        } else if alive & reds == 0 {
            Some(Ending::RedsCaptured(Seat::new(side)))
        } else {
            None
        }
    }

    /// A byte for each piece of a side: 1 if it is red and stands on an exit.
    #[cold]
    fn stuck(&self, side: usize) -> u64 {
        let on_exit = |place: u8| EXITS[side] >> (place & 63) & 1 == 1;
        u64::from_le_bytes(std::array::from_fn(|piece| {
            let red = Piece::new(piece).is_in(self.reds[side]);
            u8::from(red && on_exit(self.public.places[side][piece]))
        }))
    }

    #[inline]
    fn step(&mut self, piece: Piece, direction: Direction) {
        if self.public.step(piece, direction).is_some() {
            // The mover has changed: it is the side that lost a piece.
            self.public.ending = self.ending_of_capture(self.public.mover());
        }
        if self.public.ply >= self.public.limit && self.public.ending.is_none() {
            self.public.ending = Some(Ending::Draw);
        }
    }
}

impl GameWorld for World {
    type Action = Action;
    type View = View;
    type Event = Event;

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.public.to_act()
    }

    #[inline]
    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        self.public.for_each_legal(self.reds[self.public.mover()], visit);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        match action {
            Action::Move(piece, direction) => self.step(piece, direction),
            Action::Escape(piece) => self.public.escape(piece),
            Action::Place(placement) => {
                self.reds[usize::from(self.public.placed)] = placement.reds();
                self.public.placed += 1;
            }
        }
    }

    #[inline]
    fn payoff(&self, seat: Seat) -> f64 {
        match self.public.ending.and_then(Ending::winner) {
            Some(winner) => f64::from(u8::from(winner == seat)),
            None => 0.5,
        }
    }

    #[inline]
    fn view(&self, seat: Seat) -> View {
        View::of(self, seat)
    }

    #[inline]
    fn event(&self, action: Action, observer: Seat) -> Event {
        let seat = self.to_act().expect("somebody moves");
        match action {
            Action::Place(placement) => {
                Event::Placed { seat, placement: (seat == observer).then_some(placement) }
            }
            Action::Move(piece, direction) => {
                let enemy = seat.next(2);
                let captured = self.public.capture(seat, piece, direction).map(|captured| {
                    let colour = self.colour(enemy, captured);
                    (captured, colour.expect("both sides are placed"))
                });
                Event::Moved { seat, piece, direction, captured }
            }
            Action::Escape(piece) => Event::Escaped { seat, piece },
        }
    }

    /// What the papers' tables count: who won and how, and how each side was placed.
    fn facts(&self) -> Vec<Fact> {
        const INNER: u8 = 0b0110_0110;
        const FRONT: u8 = 0b0000_1111;
        const KEEPERS: u8 = 0b1001_0000;
        let ending = self.public.ending;
        let won_by = |how: fn(Seat) -> Ending| {
            Seat::all(2).map(move |seat| f64::from(u8::from(ending == Some(how(seat)))))
        };
        let reds_among =
            |set: u8| Seat::all(2).map(move |seat| f64::from((self.reds(seat) & set).count_ones()));
        let number =
            |seat: Seat| Placement::from_reds(self.reds(seat)).map_or(-1.0, |p| p.number() as f64);
        let won = |seat: Seat| f64::from(u8::from(self.payoff(seat) > 0.75));
        vec![
            Fact::seats("won", Seat::all(2).map(won)),
            Fact::game("draw", u8::from(ending == Some(Ending::Draw))),
            Fact::seats("won-by-escape", won_by(Ending::Escape)),
            Fact::seats("won-by-blues", won_by(Ending::BluesCaptured)),
            Fact::seats("won-by-reds", won_by(Ending::RedsCaptured)),
            Fact::game("moves", self.public.ply),
            Fact::seats("placement", Seat::all(2).map(number)),
            Fact::seats("inner-reds", reds_among(INNER)),
            Fact::seats("front-reds", reds_among(FRONT)),
            Fact::seats("keeper-reds", reds_among(KEEPERS)),
        ]
    }

    /// Where the mover's pieces stand, whose they are, and which of them are red and stand on an exit. A place takes six bits
    /// of a byte.
    #[inline]
    fn legal_word(&self) -> Option<u64> {
        if self.public.placed < 2 || self.public.ending.is_some() {
            return None;
        }
        let side = self.public.mover();
        let places = u64::from_le_bytes(self.public.places[side]);
        let stuck =
            if self.public.occupied[side] & EXITS[side] == 0 { 0 } else { self.stuck(side) };
        Some(places | stuck << 7 | (side as u64) << 6)
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        if self.public.ending.is_some() {
            return false;
        }
        if self.public.placed < 2 {
            return matches!(action, Action::Place(_));
        }
        let side = self.public.mover();
        let target = |piece: Piece, direction: Direction| {
            let place = usize::from(self.public.places[side][piece.index()] & 63);
            STEPS[side][direction as usize][place] & !self.public.occupied[side]
        };
        match action {
            Action::Place(_) => false,
            Action::Move(piece, direction) => !matches!(target(piece, direction), 0 | OUT),
            Action::Escape(piece) => {
                target(piece, Direction::North) == OUT && !piece.is_in(self.reds[side])
            }
        }
    }

    /// Draws slots, a piece and a direction each, until one is a legal action: every legal action
    /// has exactly one slot, so all are equally likely, and nothing need be counted.
    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Action {
        assert!(self.public.ending.is_none(), "a game that is not over has a legal action");
        if self.public.placed < 2 {
            return Action::Place(Placement::random(rng));
        }
        let side = self.public.mover();
        let (places, own) = (&self.public.places[side], self.public.occupied[side]);
        let steps = &STEPS[side];
        loop {
            let mut bits = rng.bits();
            for _ in 0..12 {
                let piece = Piece::new(bits as usize & 7);
                let direction = Direction::from_bits(bits >> 3);
                bits >>= 5;
                let place = usize::from(places[piece.index()] & 63);
                let target = steps[direction as usize][place] & !own;
                if target == 0 {
                    continue;
                }
                if target != OUT {
                    return Action::Move(piece, direction);
                }
                if !piece.is_in(self.reds[side]) {
                    return Action::Escape(piece);
                }
            }
        }
    }

    #[inline]
    fn play_out_randomly(&mut self, rng: &mut Rng) {
        while self.public.placed < 2 {
            self.apply(Action::Place(Placement::random(rng)));
        }
        crate::playout::play_out(self, rng);
    }

    #[inline]
    fn play_out_all_randomly(worlds: &mut [World], rng: &mut Rng) {
        crate::playout::play_out_all(worlds, rng);
    }
}
