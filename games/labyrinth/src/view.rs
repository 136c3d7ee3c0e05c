use crate::action::Action;
use crate::public::{Goal, Public};
use crate::treasure::{Treasure, TreasureSet};
use crate::world::{Cards, World, goal};
use oboro_core::{Rng, Seat, SeatView};

/// All that one seat knows: the table, the cards turned over, and the top card of its own pile. Nobody knows the cards
/// below it, not even the owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct View {
    pub(crate) public: Public,
    pub(crate) seat: Seat,
    pub(crate) cards: Cards,
}

impl View {
    pub(crate) fn new(public: &Public, all: &Cards, seat: Seat) -> View {
        let mut cards = [None; Treasure::COUNT];
        for owner in Seat::all(public.seats()) {
            let start = owner.index() * public.cards_dealt();
            let mut known = public.cards_found(owner);
            if owner == seat && !public.is_going_home(seat) {
                known += 1;
            }
            cards[start..start + known].copy_from_slice(&all[start..start + known]);
        }
        View { public: *public, seat, cards }
    }

    /// The public table.
    #[inline]
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The goal of this seat.
    #[inline]
    pub fn goal(&self) -> Goal {
        goal(&self.public, &self.cards, self.seat).expect("a seat knows its own goal")
    }

    /// The treasures a seat has found, the first one first.
    pub(crate) fn cards_found(&self, seat: Seat) -> impl Iterator<Item = Treasure> {
        let start = seat.index() * self.public.cards_dealt();
        let found = self.cards.into_iter().skip(start).take(self.public.cards_found(seat));
        found.map(|card| card.expect("a found card lies open"))
    }

    /// The treasures that nobody has turned over and that are not the own top card: any of them may
    /// be what another seat looks for, or what comes next on the own pile.
    pub fn unseen(&self) -> TreasureSet {
        TreasureSet::ALL.without(self.cards.into_iter().flatten().collect())
    }

    /// The treasures that another seat may be looking for; none if it is on its way home.
    pub fn possible_goals(&self, seat: Seat) -> TreasureSet {
        if self.public.is_going_home(seat) {
            TreasureSet::EMPTY
        } else {
            self.unseen().without(self.public.refused(seat))
        }
    }

    /// The other seats, in order of play after this one.
    pub fn others(&self) -> impl Iterator<Item = Seat> + Clone {
        self.seat.round(self.public.seats()).skip(1)
    }
}

impl SeatView for View {
    type Action = Action;
    type World = World;

    #[inline]
    fn seat(&self) -> Seat {
        self.seat
    }

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.public.to_act()
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if self.to_act() == Some(self.seat) {
            self.public.for_each_legal(visit);
        }
    }

    /// The others' top cards come first, as they alone are restricted: a card that its owner walked
    /// upon and did not turn over is not the one on top. The rest is shuffled.
    fn imagine(&self, rng: &mut Rng) -> World {
        let top =
            |seat: Seat| seat.index() * self.public.cards_dealt() + self.public.cards_found(seat);
        let mut cards = self.cards;
        loop {
            for seat in self.others().filter(|&seat| !self.public.is_going_home(seat)) {
                let possible = self.possible_goals(seat);
                cards[top(seat)] = possible.iter().nth(rng.below(possible.len()));
            }
            // Drawn independently and kept only if distinct: uniform over the distinct ones.
            let known = cards.iter().flatten().copied();
            if known.clone().collect::<TreasureSet>().len() == known.count() {
                break;
            }
        }
        let drawn: TreasureSet = cards.iter().flatten().copied().collect();
        let mut rest: arrayvec::ArrayVec<Treasure, { Treasure::COUNT }> =
            TreasureSet::ALL.without(drawn).iter().collect();
        rng.shuffle(&mut rest);
        let dealt = self.public.cards_dealt() * self.public.seats();
        for card in cards[..dealt].iter_mut().filter(|card| card.is_none()) {
            *card = rest.pop();
        }
        World { public: self.public, cards }
    }
}
