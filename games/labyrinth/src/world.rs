use crate::action::{Action, Event};
use crate::table::{Goal, Table};
use crate::treasure::Treasure;
use crate::view::View;
use oboro_core::{Fact, GameWorld, Rng, Seat};

/// The whole truth of a game: the table, and every pile in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct World {
    pub(crate) table: Table,
    /// The piles one after the other, each from its first card on; `None` where none was dealt.
    pub(crate) cards: Cards,
}

/// Cards by their place in the piles; `None` is a card that is unknown or was not dealt.
pub(crate) type Cards = [Option<Treasure>; Treasure::COUNT];

// Playouts copy worlds.
const _: () = assert!(size_of::<World>() <= 160);

impl World {
    /// What everybody sees.
    #[inline]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What a seat looks for.
    #[inline]
    pub fn goal(&self, seat: Seat) -> Goal {
        goal(&self.table, &self.cards, seat).expect("a world knows every card")
    }

    /// A seat's pile, found cards included, in the order in which they are found.
    pub fn pile(&self, seat: Seat) -> impl Iterator<Item = Treasure> {
        let start = seat.index() * self.table.cards_dealt();
        let pile = self.cards.into_iter().skip(start).take(self.table.cards_dealt());
        pile.map(|card| card.expect("a world knows every card"))
    }
}

/// What a seat looks for, as far as `cards` tell.
#[inline]
pub(crate) fn goal(table: &Table, cards: &Cards, seat: Seat) -> Option<Goal> {
    if table.is_going_home(seat) {
        return Some(Goal::Home(table.home(seat)));
    }
    let top = seat.index() * table.cards_dealt() + table.cards_found(seat);
    cards[top].map(Goal::Treasure)
}

impl GameWorld for World {
    type Action = Action;
    type View = View;
    type Event = Event;

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.table.to_act()
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        self.table.for_each_legal(visit);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let mover = Seat::new(self.table.turns_played() % self.table.seats());
        let goal = self.goal(mover);
        self.table.apply(action, goal);
    }

    fn payoff(&self, seat: Seat) -> f64 {
        match self.table.winner() {
            Some(winner) => f64::from(winner == seat),
            None => 1.0 / self.table.seats() as f64,
        }
    }

    fn view(&self, seat: Seat) -> View {
        View::new(&self.table, &self.cards, seat)
    }

    fn event(&self, action: Action, seat: Seat) -> Event {
        let mover = self.to_act().expect("somebody moves");
        let mut after = *self;
        after.apply(action);
        let found = match self.goal(mover) {
            Goal::Treasure(treasure)
                if after.table.cards_found(mover) > self.table.cards_found(mover) =>
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
        let table = &self.table;
        let seats = || Seat::all(table.seats());
        let winner = table.winner();
        vec![
            Fact::seats("won", seats().map(|seat| f64::from(winner == Some(seat)))),
            Fact::game("draw", f64::from(winner.is_none())),
            Fact::seats("turns", seats().map(|seat| table.own_turns(seat) as f64)),
            Fact::seats("cards-left", seats().map(|seat| table.cards_left(seat) as f64)),
            Fact::game("first-won", f64::from(winner == Some(Seat::FIRST))),
        ]
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        self.table.is_legal(action)
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Action {
        self.table.random_action(rng)
    }
}
