//! One game as a client sees it, without sockets: what the server says becomes views for an agent.

use super::{BoardText, Command, Placing};
use oboro_core::{Game, GameWorld, Rng, Seat};
use oboro_geister::{
    Action, Colour, Direction, Event, Geister, Piece, Placement, Public, Square, View, World,
};

/// A server said something that no game by the rules explains.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrackError {
    /// The board changed in a way that is no single move of the other side.
    #[error(
        "after {plies} moves the board `{board}` cannot be reached by a move of the other side"
    )]
    NoMove {
        /// Moves played before it.
        plies: u16,
        /// The board received.
        board: String,
    },
    /// A move was acknowledged with a capture where there is none, or without one where there is.
    #[error("move {action} was acknowledged with the wrong capture")]
    Capture {
        /// The move.
        action: String,
    },
}

/// What one client knows of its game.
///
/// It keeps a world whose hidden colours are made up (always in a way that agrees with what was
/// shown), so that views and events come from the rules themselves.
#[derive(Clone, Debug)]
pub struct Tracker {
    seat: Seat,
    world: World,
}

impl Tracker {
    /// Before the placements, as a side sees it. The protocol does not tell a client its side until it is asked to
    /// move, and the side makes no difference to placing.
    pub fn unplaced(rules: &Geister, seat: Seat) -> View {
        rules.deal(&mut Rng::from_u64(0)).view(seat)
    }

    /// From the first request for a move, with the own placement: which side it is shows in whether
    /// the other side has moved. Returns the events so far, too, each with what was known before it.
    ///
    /// # Errors
    /// If the board is neither the start nor one move away from it.
    pub fn start(
        rules: &Geister,
        own: Placement,
        board: &BoardText,
    ) -> Result<(Tracker, Vec<(View, Event)>), TrackError> {
        let mut first = Tracker::placed(rules, Seat::FIRST, own);
        if first.0.matches(board) {
            return Ok(first);
        }
        first = Tracker::placed(rules, Seat::new(1), own);
        let (mut tracker, mut events) = first;
        let before = tracker.view();
        events.push((before, tracker.follow(board)?));
        Ok((tracker, events))
    }

    fn placed(rules: &Geister, seat: Seat, own: Placement) -> (Tracker, Vec<(View, Event)>) {
        let world = rules.deal(&mut Rng::from_u64(0));
        let mut tracker = Tracker { seat, world };
        let other = Placement::numbered(0);
        let events = Seat::all(2)
            .map(|s| {
                let before = tracker.view();
                (before, tracker.apply(Action::Place(if s == seat { own } else { other })))
            })
            .collect();
        (tracker, events)
    }

    fn apply(&mut self, action: Action) -> Event {
        let event = self.world.event(action, self.seat);
        self.world.apply(action);
        event
    }

    /// Which side it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What it knows.
    pub fn view(&self) -> View {
        self.world.view(self.seat)
    }

    /// Whether the rules say that the game is over.
    pub fn is_over(&self) -> bool {
        self.world.to_act().is_none()
    }

    /// The command for an own action.
    pub fn command(&self, action: Action) -> Command {
        match action {
            Action::Place(placement) => Command::Set(placement, None),
            Action::Move(piece, direction) => Command::Move(piece, direction),
            Action::Escape(piece) => Command::Move(piece, Direction::North),
        }
    }

    /// The own action was acknowledged, with the colour of what it captured.
    ///
    /// # Errors
    /// If the acknowledgement does not fit the action.
    pub fn acknowledged(
        &mut self,
        action: Action,
        shown: Option<Colour>,
    ) -> Result<Event, TrackError> {
        let captured = match action {
            Action::Move(piece, direction) => {
                self.world.public().capture(self.seat, piece, direction)
            }
            _ => None,
        };
        match (captured, shown) {
            (Some(piece), Some(colour)) if self.recolour(piece, colour) => {}
            (None, None) => {}
            _ => return Err(TrackError::Capture { action: action.to_string() }),
        }
        Ok(self.apply(action))
    }

    /// Makes up the hidden colours anew so that `piece` has this one; false if it cannot have it.
    fn recolour(&mut self, piece: Piece, colour: Colour) -> bool {
        let view = self.view();
        let wanted = colour == Colour::Red;
        let reds = view.colourings().find(|&reds| piece.is_in(reds) == wanted);
        reds.map(|reds| self.world = view.with_reds(reds)).is_some()
    }

    /// The other side has moved, and this is the board now.
    ///
    /// # Errors
    /// If no move leads there.
    pub fn follow(&mut self, board: &BoardText) -> Result<Event, TrackError> {
        let mover = self.seat.next(2);
        let plies = self.world.public().ply();
        let no_move = || TrackError::NoMove { plies, board: board.to_string() };
        if self.world.to_act() != Some(mover) {
            return Err(no_move());
        }
        let moved = Piece::of_set(self.world.public().alive(mover)).find_map(|piece| {
            let from = self.world.public().square(mover, piece)?.seen_by(self.seat);
            match board.place(false, piece) {
                Placing::On(to) if to != from => Some((piece, from, to)),
                _ => None,
            }
        });
        let (piece, from, to) = moved.ok_or_else(no_move)?;
        // Directions are the mover's own; its frame is ours turned by half.
        let direction = step(from, to).map(opposite).ok_or_else(no_move)?;
        let action = Action::Move(piece, direction);
        if !self.world.is_legal(action) {
            return Err(no_move());
        }
        let before = self.world;
        let event = self.apply(action);
        if !self.matches(board) {
            self.world = before;
            return Err(no_move());
        }
        Ok(event)
    }

    /// Whether a board text shows the world as it is here.
    fn matches(&self, text: &BoardText) -> bool {
        let board: &Public = self.world.public();
        [self.seat, self.seat.next(2)].into_iter().all(|owner| {
            let own = owner == self.seat;
            Piece::all().all(|piece| {
                let placing = match board.square(owner, piece) {
                    Some(square) => Placing::On(square.seen_by(self.seat)),
                    None => Placing::Captured,
                };
                let hidden = !own && board.square(owner, piece).is_some();
                placing == text.place(own, piece)
                    && (hidden || text.colour(own, piece) == self.world.colour(owner, piece))
            })
        })
    }
}

fn step(from: Square, to: Square) -> Option<Direction> {
    match (to.x() as i8 - from.x() as i8, to.y() as i8 - from.y() as i8) {
        (0, -1) => Some(Direction::North),
        (1, 0) => Some(Direction::East),
        (0, 1) => Some(Direction::South),
        (-1, 0) => Some(Direction::West),
        _ => None,
    }
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::North => Direction::South,
        Direction::East => Direction::West,
        Direction::South => Direction::North,
        Direction::West => Direction::East,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays random games and shows them to trackers as a server would: what they make of it is
    /// what the arena would have told an agent.
    #[test]
    fn a_tracker_knows_exactly_what_its_seat_knows() {
        let rules = Geister::default();
        for seed in 0..200 {
            let mut rng = Rng::from_u64(seed);
            let placements = [Placement::random(&mut rng), Placement::random(&mut rng)];
            let mut world = World::placed(placements, rules.plies);
            let mut trackers: [Option<Tracker>; 2] = [None, None];
            while let Some(seat) = world.to_act() {
                let own = &mut trackers[seat.index()];
                let text = BoardText::new(world.public(), seat, false, |s, p| world.colour(s, p));
                match own {
                    None => {
                        let started = Tracker::start(&rules, placements[seat.index()], &text);
                        *own = Some(started.unwrap().0);
                    }
                    Some(tracker) => drop(tracker.follow(&text).unwrap()),
                }
                let tracker = own.as_mut().expect("started");
                assert_eq!(tracker.seat(), seat);
                assert_eq!(tracker.view(), world.view(seat), "seed {seed}");
                let action = world.random_action(&mut rng);
                let shown = match world.event(action, seat) {
                    Event::Moved { captured, .. } => captured.map(|(_, colour)| colour),
                    _ => None,
                };
                let event = world.event(action, seat);
                assert_eq!(tracker.acknowledged(action, shown), Ok(event));
                world.apply(action);
                assert_eq!(tracker.is_over(), world.to_act().is_none());
            }
        }
    }

    #[test]
    fn impossible_boards_are_refused_and_change_nothing() {
        let rules = Geister::default();
        let own = "ABCD".parse().unwrap();
        let start = "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u";
        let board = |text: &str| BoardText::parse(text.as_bytes()).unwrap();
        let (mut tracker, _) = Tracker::start(&rules, own, &board(start)).unwrap();
        tracker.acknowledged("AN".parse().unwrap(), None).unwrap();
        let before = tracker.view();
        for bad in [
            start.to_owned(),                                  // our own move is not there
            start.replace("14R", "13R").replace("41u", "43u"), // two steps
            start.replace("14R", "13R"),                       // no move
            start.replace("14R", "13R").replace("41u", "42u").replace("15B", "15R"),
            start.replace("14R", "13R").replace("41u", "42u").replace("31u", "32u"),
        ] {
            assert!(tracker.follow(&board(&bad)).is_err(), "{bad}");
            assert_eq!(tracker.view(), before);
        }
        let good = start.replace("14R", "13R").replace("41u", "42u");
        assert!(tracker.follow(&board(&good)).is_ok());
        let wrong = tracker.acknowledged("BN".parse().unwrap(), Some(Colour::Red));
        assert!(matches!(wrong, Err(TrackError::Capture { .. })));
    }
}
