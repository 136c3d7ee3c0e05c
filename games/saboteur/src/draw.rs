//! Drawing an action at random.

#![allow(
    clippy::inline_always,
    reason = "playouts are compiled for more than one kind of processor"
)]

use crate::{Action, Card, CardKind, Cell, Goal, Hand, Public, Tile, Tool};
use oboro_core::{Rng, Seat};

impl Public {
    /// A uniformly random action of the seat to move.
    ///
    /// It draws from a simple list of possible and impossible actions (each way to lay a card at
    /// each open end, each tool of each seat …) until it hits a legal one: the few misses cost
    /// less than finding out which cards fit everywhere.
    #[inline(always)]
    pub(crate) fn random_action(&self, mover: Seat, hand: Hand, rng: &mut Rng) -> Action {
        let open_ends =
            if self.broken(mover).is_empty() { self.board.open_ends().len() } else { 0 };
        let lengths = Lengths::new(open_ends, self.rules.players.into(), self.board.paths().len());
        let ends = Ends::new(hand, lengths);
        loop {
            let (place, number) = ends.find(rng.below(ends.total as usize));
            if let Some(action) = self.draw(mover, hand[place], number) {
                return action;
            }
        }
    }

    /// An entry of that list, if it is a legal action.
    #[inline(always)]
    fn draw(&self, mover: Seat, card: Card, number: usize) -> Option<Action> {
        // The first entry of every card is its discard.
        let Some(number) = number.checked_sub(1) else {
            return Some(Action::Discard { card });
        };
        let dig = |at: Cell, way: usize| {
            let tile = Tile::of_card(card, way);
            self.board.fitting(at).contains(tile).then_some(Action::Dig { tile, at })
        };
        let open_ends = self.board.open_ends().as_slice();
        let players = usize::from(self.rules.players);
        let mend = |tool: Tool, seat: usize| {
            let seat = Seat::new(seat);
            self.broken(seat).contains(tool).then_some(Action::Mend { card, tool, seat })
        };
        match DRAWS[card.index()] {
            Draws::Path => dig(open_ends[number], 0),
            Draws::TurnablePath => dig(open_ends[number / 2], number % 2),
            Draws::RockFall => {
                let at = self.board.paths().nth(number)?;
                Some(Action::RockFall { at })
            }
            Draws::Map => {
                let goal = Goal::ALL[number];
                self.turned_up(goal).is_none().then_some(Action::Look { goal })
            }
            Draws::Break(tool) => {
                let seat = Seat::new(number);
                self.can_break(mover, seat, tool).then_some(Action::Break { tool, seat })
            }
            Draws::Mend(tool) => mend(tool, number),
            Draws::MendEither(first, _) if number < players => mend(first, number),
            Draws::MendEither(_, last) => mend(last, number - players),
        }
    }
}

/// A card's part of the list that [`Public::random_action`] draws from, after its discard.
#[derive(Clone, Copy)]
enum Draws {
    /// Each open end.
    Path,
    /// Each open end, unturned and turned.
    TurnablePath,
    /// Each path card in the mine.
    RockFall,
    /// Each goal.
    Map,
    /// Each player.
    Break(Tool),
    /// Each player.
    Mend(Tool),
    /// Each player for the one tool, then for the other.
    MendEither(Tool, Tool),
}

impl Draws {
    const fn of(card: Card) -> Draws {
        match card.kind() {
            CardKind::Path(sides, _) if sides.turned().bits() == sides.bits() => Draws::Path,
            CardKind::Path(..) => Draws::TurnablePath,
            CardKind::RockFall => Draws::RockFall,
            CardKind::Map => Draws::Map,
            CardKind::Break(tool) => Draws::Break(tool),
            CardKind::Mend(tools) => match tools.bounds() {
                (first, last) if first as u8 == last as u8 => Draws::Mend(first),
                (first, last) => Draws::MendEither(first, last),
            },
        }
    }
}

/// Several small numbers in one word, so that all of them are added or compared at once: lanes of
/// ten bits, of which the highest is 0. The whole list is shorter: six cards at most, each with 60
/// entries and its discard.
const LANE: u32 = 10;
const LANES: u32 = 6;
/// The largest number in a lane.
const LANE_MAX: u64 = (1 << (LANE - 1)) - 1;
/// A 1 in every lane.
const ONES: u64 = {
    let mut ones = 0;
    let mut lane = 0;
    while lane < LANES {
        ones |= 1 << (lane * LANE);
        lane += 1;
    }
    ones
};

/// The lengths of the parts by kind of card, discards included.
#[derive(Clone, Copy)]
struct Lengths(u64);

impl Lengths {
    #[inline]
    fn new(open_ends: usize, players: usize, paths: usize) -> Lengths {
        let [open_ends, players, paths] = [open_ends, players, paths].map(|count| count as u64);
        let goals = Goal::ALL.len() as u64;
        let lane = |number: u64, lane: u32| number << (lane * LANE);
        Lengths(
            ONES + open_ends * (lane(1, 0) | lane(2, 1))
                + lane(paths, 2)
                + lane(goals, 3)
                + players * (lane(1, 4) | lane(2, 5)),
        )
    }

    /// The lane of a card's length.
    const fn lane(card: Card) -> u32 {
        match Draws::of(card) {
            Draws::Path => 0,
            Draws::TurnablePath => 1,
            Draws::RockFall => 2,
            Draws::Map => 3,
            Draws::Break(_) | Draws::Mend(_) => 4,
            Draws::MendEither(..) => 5,
        }
    }

    #[inline]
    fn of(self, card: Card) -> u64 {
        const SHIFTS: [u32; Card::KINDS] = {
            let mut shifts = [0; Card::KINDS];
            let mut card = 0;
            while card < Card::KINDS {
                shifts[card] = LANE * Lengths::lane(Card::from_index(card));
                card += 1;
            }
            shifts
        };
        self.0 >> SHIFTS[card.index()] & LANE_MAX
    }
}

/// The ends of the parts of a hand's cards, a lane each.
#[derive(Clone, Copy)]
struct Ends {
    lanes: u64,
    total: u64,
}

impl Ends {
    #[inline]
    fn new(hand: Hand, lengths: Lengths) -> Ends {
        let mut parts = 0;
        let mut seen = 0u32;
        // Places without a card are looked at as well, which takes no branch, and then left out.
        for (place, &card) in (0..LANES).zip(hand.places()) {
            // A card that was there before has no part.
            let is_new = !seen >> card.index() & 1;
            seen |= 1 << card.index();
            parts |= (u64::from(is_new) * lengths.of(card)) << (LANE * place);
        }
        parts &= (1 << (LANE * hand.len() as u32)) - 1;
        // Every lane of the product is the sum of the lanes up to it.
        let lanes = parts.wrapping_mul(ONES);
        Ends { lanes, total: lanes >> (LANE * (LANES - 1)) & LANE_MAX }
    }

    /// The place of the card in whose part an entry is, and the number of the entry there.
    #[inline]
    fn find(self, entry: usize) -> (usize, usize) {
        let entry = entry as u64;
        // The highest bit of a lane becomes 1 where the part ends behind the entry.
        let behind = (self.lanes + (LANE_MAX - entry) * ONES) & ((LANE_MAX + 1) * ONES);
        let place = behind.trailing_zeros() / LANE;
        let before = self.lanes << LANE >> (LANE * place) & LANE_MAX;
        (place as usize, (entry - before) as usize)
    }
}

const DRAWS: [Draws; Card::KINDS] = {
    let mut draws = [Draws::Path; Card::KINDS];
    let mut card = 0;
    while card < Card::KINDS {
        draws[card] = Draws::of(Card::from_index(card));
        card += 1;
    }
    draws
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Saboteur, Tiles};
    use oboro_core::{Game, GameWorld};

    /// The whole list, entry by entry.
    fn list(public: &Public, mover: Seat, hand: Hand) -> Vec<Option<Action>> {
        let mut list = Vec::new();
        let mut push = |action: Action| {
            let is_legal = public.is_legal(hand, action);
            list.push(is_legal.then_some(action));
        };
        for (place, &card) in hand.iter().enumerate() {
            if hand[..place].contains(&card) {
                continue;
            }
            push(Action::Discard { card });
            match card.kind() {
                CardKind::Path(..) if !public.broken(mover).is_empty() => {}
                CardKind::Path(..) => {
                    for at in public.board().open_ends().iter().rev() {
                        for tile in Tiles::of_card(card) {
                            push(Action::Dig { tile, at });
                        }
                    }
                }
                CardKind::RockFall => {
                    let mut cells: Vec<Cell> = public.board().paths().iter().collect();
                    cells.sort_unstable();
                    for at in cells {
                        push(Action::RockFall { at });
                    }
                }
                CardKind::Map => Goal::ALL.into_iter().for_each(|goal| push(Action::Look { goal })),
                CardKind::Break(tool) => {
                    public.seats().for_each(|seat| push(Action::Break { tool, seat }));
                }
                CardKind::Mend(tools) => {
                    for tool in tools {
                        public.seats().for_each(|seat| push(Action::Mend { card, tool, seat }));
                    }
                }
            }
        }
        list
    }

    #[test]
    fn random_actions_equal_draws_from_the_reference_list() {
        for players in [3, 6, 10] {
            let rules = Saboteur { players, ..Saboteur::default() };
            let mut rng = Rng::from_u64(players.into());
            for _ in 0..10 {
                let mut world = rules.deal(&mut rng);
                while let Some(mover) = world.to_act() {
                    let list = list(world.public(), mover, *world.hand(mover));
                    let mut same = rng.clone();
                    let wanted = loop {
                        if let Some(action) = list[same.below(list.len())] {
                            break action;
                        }
                    };
                    let action = world.random_action(&mut rng);
                    assert_eq!(action, wanted, "{world}");
                    assert_eq!(rng, same, "as many draws");
                    world.apply(action);
                }
            }
        }
    }
}
