use crate::shuffle::Shuffle;
use crate::{Action, Cards, LogEntry, MAX_PLAYERS, Public, World};
use oboro_core::{Rng, Seat, SeatView};

/// All that one player knows: its hand, what everybody knows, and how many cards each holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct View {
    public: Public,
    seat: Seat,
    hand: Cards,
    sizes: [u8; MAX_PLAYERS],
}

impl View {
    pub(crate) fn new(world: &World, seat: Seat) -> View {
        View {
            public: world.public,
            seat,
            hand: world.hand(seat),
            sizes: world.hands.map(|hand| hand.len() as u8),
        }
    }

    /// The public table.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The own cards.
    pub fn hand(&self) -> Cards {
        self.hand
    }

    /// The number of cards of each player.
    pub fn sizes(&self) -> [u8; MAX_PLAYERS] {
        self.sizes
    }

    /// The own playable cards, also out of turn.
    pub fn playable_hand(&self) -> Cards {
        self.public.playable_of(self.hand)
    }

    /// The cards whose holder is not known.
    pub fn unknown(&self) -> Cards {
        Cards::ALL.without(self.public.table).without(self.hand)
    }

    /// The world in which the others hold these cards.
    ///
    /// # Panics
    /// In debug builds, if the hands do not have the right sizes.
    pub fn with_hands(&self, mut hands: [Cards; MAX_PLAYERS]) -> World {
        hands[self.seat.index()] = self.hand;
        debug_assert_eq!(hands.map(|hand| hand.len() as u8), self.sizes, "hands of known sizes");
        World { public: self.public, hands }
    }

    /// Every pass so far, retirements included: who passed, and what was playable then. Empty where a
    /// position was set up without its history.
    pub fn passes_made(&self) -> Vec<(Seat, Cards)> {
        // Unwind the log from the present table.
        let logged = self.public.log.cards();
        let mut table = self.public.table;
        let mut passes = Vec::new();
        for entry in self.public.log.entries().rev() {
            match entry {
                LogEntry::Laid(card) => table.remove(card),
                LogEntry::Passed(seat) => passes.push((seat, self.public.gaps.playable(table))),
                LogEntry::Retired(seat) => {
                    table = table.without(self.public.shown_by_retiring(seat, logged));
                    passes.push((seat, self.public.gaps.playable(table)));
                }
            }
        }
        passes.reverse();
        passes
    }
}

impl SeatView for View {
    type Action = Action;
    type World = World;

    fn seat(&self) -> Seat {
        self.seat
    }

    fn to_act(&self) -> Option<Seat> {
        self.public.to_act()
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if self.to_act() == Some(self.seat) {
            self.public.legal(self.seat, self.hand, visit);
        }
    }

    /// Deals the unknown cards to the known hand sizes: every deal is as likely as any other, since
    /// a pass may always have been made by choice.
    fn imagine(&self, rng: &mut Rng) -> World {
        let mut world = World { public: self.public, hands: [Cards::EMPTY; MAX_PLAYERS] };
        world.hands[self.seat.index()] = self.hand;
        let mut rest = self.unknown();
        let mut shuffle = Shuffle::of(rest, rng);
        for seat in (0..MAX_PLAYERS).rev().filter(|&seat| seat != self.seat.index()) {
            let size = usize::from(self.sizes[seat]);
            if size == shuffle.left() {
                // The last hand takes the rest.
                world.hands[seat] = rest;
                break;
            }
            let hand: Cards = (0..size).map(|_| shuffle.draw()).collect();
            world.hands[seat] = hand;
            rest = rest.without(hand);
        }
        shuffle.finish(rng);
        world
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Card, Sevens};
    use oboro_core::{Game, GameWorld};

    /// The reference: all unknown cards in a shuffled order, dealt from its beginning.
    fn imagine_reference(view: &View, rng: &mut Rng) -> World {
        let mut cards: Vec<Card> = view.unknown().iter().collect();
        rng.shuffle(&mut cards);
        let mut rest = cards.into_iter();
        let mut hands = [Cards::EMPTY; MAX_PLAYERS];
        for seat in (0..MAX_PLAYERS).filter(|&seat| seat != view.seat.index()) {
            hands[seat] = rest.by_ref().take(view.sizes[seat].into()).collect();
        }
        view.with_hands(hands)
    }

    #[test]
    fn imagining_equals_shuffling_and_dealing() {
        let mut rng = Rng::from_u64(9);
        for players in 3..=6 {
            let mut world = Sevens { players, ..Sevens::default() }.deal(&mut rng);
            while world.to_act().is_some() {
                for seat in Seat::all(players.into()) {
                    let view = world.view(seat);
                    let mut reference = rng.clone();
                    assert_eq!(view.imagine(&mut rng), imagine_reference(&view, &mut reference));
                    assert_eq!(rng, reference, "both streams stand at the same place");
                }
                world.apply(world.random_action(&mut rng));
            }
        }
    }
}
