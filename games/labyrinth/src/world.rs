use crate::action::{Action, Event};
use crate::public::{Goal, Public};
use crate::treasure::Treasure;
use crate::view::View;
use oboro_core::{Fact, GameWorld, Rng, Seat};

/// The whole truth of a game: the table, and every pile in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct World {
    pub(crate) public: Public,
    /// The piles one after the other, each from its first card on; `None` where none was dealt.
    pub(crate) cards: Cards,
}

/// Cards by their place in the piles; `None` is a card that is unknown or was not dealt.
pub(crate) type Cards = [Option<Treasure>; Treasure::COUNT];

// Playouts copy worlds.
const _: () = assert!(size_of::<World>() <= 160);

impl World {
    /// The public table.
    #[inline]
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The goal of a seat.
    #[inline]
    pub fn goal(&self, seat: Seat) -> Goal {
        goal(&self.public, &self.cards, seat).expect("a world knows every card")
    }

    /// A seat's pile, found cards included, in the order in which they are found.
    pub fn pile(&self, seat: Seat) -> impl Iterator<Item = Treasure> {
        let start = seat.index() * self.public.cards_dealt();
        let pile = self.cards.into_iter().skip(start).take(self.public.cards_dealt());
        pile.map(|card| card.expect("a world knows every card"))
    }
}

/// The goal of a seat, if it is among `cards`.
#[inline]
pub(crate) fn goal(public: &Public, cards: &Cards, seat: Seat) -> Option<Goal> {
    if public.is_going_home(seat) {
        return Some(Goal::Home(public.home(seat)));
    }
    let top = seat.index() * public.cards_dealt() + public.cards_found(seat);
    cards[top].map(Goal::Treasure)
}

impl GameWorld for World {
    type Action = Action;
    type View = View;
    type Event = Event;

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.public.to_act()
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        self.public.for_each_legal(visit);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let mover = Seat::new(self.public.turns_played() % self.public.seats());
        let goal = self.goal(mover);
        self.public.apply(action, goal);
    }

    fn payoff(&self, seat: Seat) -> f64 {
        match self.public.winner() {
            Some(winner) => f64::from(winner == seat),
            None => 1.0 / self.public.seats() as f64,
        }
    }

    fn view(&self, seat: Seat) -> View {
        View::new(&self.public, &self.cards, seat)
    }

    fn event(&self, action: Action, seat: Seat) -> Event {
        let mover = self.to_act().expect("somebody moves");
        let mut after = *self;
        after.apply(action);
        let found = match self.goal(mover) {
            Goal::Treasure(treasure)
                if after.public.cards_found(mover) > self.public.cards_found(mover) =>
            {
                Some(treasure)
            }
            _ => None,
        };
        let next = match after.goal(mover) {
            Goal::Treasure(treasure) if mover == seat && found.is_some() => Some(treasure),
            _ => None,
        };
        Event { mover, action, found, next }
    }

    fn facts(&self) -> Vec<Fact> {
        let public = &self.public;
        let seats = || Seat::all(public.seats());
        let winner = public.winner();
        vec![
            Fact::seats("won", seats().map(|seat| f64::from(winner == Some(seat)))),
            Fact::game("draw", f64::from(winner.is_none())),
            Fact::seats("turns", seats().map(|seat| public.own_turns(seat) as f64)),
            Fact::seats("cards-left", seats().map(|seat| public.cards_left(seat) as f64)),
            Fact::seats(
                "cards-face-down",
                seats().map(|seat| public.cards_left(seat).saturating_sub(1) as f64),
            ),
            Fact::game("first-won", f64::from(winner == Some(Seat::FIRST))),
        ]
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        self.public.is_legal(action)
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Action {
        self.public.random_action(rng)
    }
}
