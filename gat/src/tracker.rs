//! One game as a client sees it, without sockets: what the server says becomes views for an agent.

use super::{BoardText, Placing};
use oboro_core::{Game, GameWorld, Rng, Seat};
use oboro_geister::{Action, Colour, Event, Geister, Piece, Placement, View, World};

/// A server said something that no game by the rules explains.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum TrackError {
    #[error("after {0} moves the board `{1}` cannot be reached by a move of the other side")]
    NoMove(u16, String),
    #[error("move {0} was acknowledged with the wrong capture")]
    Capture(Action),
}

/// What one client knows of its game.
///
/// It keeps a world whose hidden colours are made up (always in a way that agrees with what was
/// shown), so that views and events come from the rules themselves.
#[derive(Clone, Debug)]
pub(crate) struct Tracker {
    seat: Seat,
    world: World,
}

impl Tracker {
    /// Before the placements, as a side sees it. The protocol does not tell a client its side until it is asked to
    /// move, and the side makes no difference to placing.
    pub(crate) fn unplaced(rules: &Geister, seat: Seat) -> View {
        rules.deal(&mut Rng::from_u64(0)).view(seat)
    }

    /// From the first request for a move, with the own placement: which side it is shows in whether
    /// the other side has moved. Returns the events so far, too, each with what was known before it.
    pub(crate) fn start(
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
    pub(crate) fn seat(&self) -> Seat {
        self.seat
    }

    /// What it knows.
    pub(crate) fn view(&self) -> View {
        self.world.view(self.seat)
    }

    /// The own action was acknowledged, with the colour of what it captured.
    pub(crate) fn acknowledged(
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
            _ => return Err(TrackError::Capture(action)),
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
    pub(crate) fn follow(&mut self, board: &BoardText) -> Result<Event, TrackError> {
        let (mut legal, before) = (Vec::new(), self.world);
        if self.world.to_act() == Some(self.seat.next(2)) {
            self.world.legal(&mut legal);
        }
        // An escape ends the game: no more moves are asked for.
        for action in legal.into_iter().filter(|action| matches!(action, Action::Move(..))) {
            let event = self.apply(action);
            if self.matches(board) {
                return Ok(event);
            }
            self.world = before;
        }
        Err(TrackError::NoMove(before.public().ply(), board.to_string()))
    }

    /// Whether a board text shows the world as it is here.
    fn matches(&self, text: &BoardText) -> bool {
        let board = self.world.public();
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
                assert_eq!(tracker.world.to_act(), world.to_act());
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
        assert!(matches!(wrong, Err(TrackError::Capture(_))));
    }
}
