//! `E_card` (4.2): whether the cards for the way to the goal are still to come.

use super::formula::Points;
use super::params::{PathParams, Shares, Unused};
use crate::{Card, Cell, Side, Tile, View};

/// By kind of passable card the share that is still to come.
#[derive(Clone, Debug)]
pub(super) struct CardsToCome {
    rule: Shares,
    /// In per cent, by card.
    shares: [Points; Card::PASSABLE],
}

/// A set of passable cards, by their numbers.
type Kinds = u8;

/// The cards that lead straight on, from left to right and from up to down.
const HORIZONTAL: Kinds =
    kinds(&[Card::CROSSROADS, Card::TEE_HORIZONTAL, Card::STRAIGHT_HORIZONTAL]);
const VERTICAL: Kinds = kinds(&[Card::CROSSROADS, Card::TEE_VERTICAL, Card::STRAIGHT_VERTICAL]);
/// The cards that lead round a corner, but for the curves: those only lead round half of them.
const CORNER: Kinds = kinds(&[Card::CROSSROADS, Card::TEE_HORIZONTAL, Card::TEE_VERTICAL]);

const fn kinds(cards: &[Card]) -> Kinds {
    let mut set = 0;
    let mut i = 0;
    while i < cards.len() {
        set |= 1 << cards[i].index();
        i += 1;
    }
    set
}

impl CardsToCome {
    pub(super) fn new(params: &PathParams, view: &View) -> CardsToCome {
        let share = |card: Card| {
            let held = match params.unused {
                Unused::Unseen => view.hand().iter().filter(|&&held| held == card).count() as u8,
                Unused::NotLaid => 0,
            };
            let left = card.copies() - view.public().laid(card) - held;
            Points::ratio(100 * i64::from(left), i64::from(card.copies()))
        };
        CardsToCome {
            rule: params.shares,
            shares: std::array::from_fn(|index| share(Card::from_index(index))),
        }
    }

    /// The value of a card laid at `at` on the way to a column and row.
    pub(super) fn value(&self, tile: Tile, at: Cell, (x, y): (i8, i8)) -> Points {
        let across = towards(at.x(), x, [Side::Left, Side::Right]);
        let up_down = towards(at.y(), y, [Side::Up, Side::Down]);
        let is_open = |side: Option<Side>| side.is_some_and(|side| tile.sides().contains(side));
        let straight_on = if across == Some(Side::Right) && is_open(across) {
            HORIZONTAL
        } else if is_open(up_down) {
            VERTICAL
        } else {
            0
        };
        match self.rule {
            Shares::Mean => self.sum(straight_on).third(),
            Shares::Sum => self.sum(straight_on),
            Shares::Routes => {
                let (dx, dy) = (at.x().abs_diff(x), at.y().abs_diff(y));
                let curve = match (across, up_down) {
                    (Some(Side::Right), Some(Side::Up)) | (Some(Side::Left), Some(Side::Down)) => {
                        Card::CURVE_UP
                    }
                    _ => Card::CURVE_DOWN,
                };
                let mut needed = 0;
                if is_open(across) {
                    needed |= on_routes(Step::Across, dx - 1, dy, curve);
                }
                if is_open(up_down) {
                    needed |= on_routes(Step::UpDown, dx, dy - 1, curve);
                }
                self.sum(needed)
            }
        }
    }

    fn sum(&self, kinds: Kinds) -> Points {
        let chosen = self.shares.iter().enumerate().filter(|(kind, _)| kinds >> kind & 1 == 1);
        chosen.fold(Points::default(), |sum, (_, &share)| sum + share)
    }
}

/// The side that leads from one column or row to another.
fn towards(from: i8, to: i8, [less, more]: [Side; 2]) -> Option<Side> {
    match to.cmp(&from) {
        std::cmp::Ordering::Less => Some(less),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(more),
    }
}

/// How a shortest way goes from one card to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Across,
    UpDown,
}

/// The kinds that can lie on a shortest way which has begun with a step and has so many more to
/// go across and up or down, with this curve at its corners. The goal at its end needs no card.
fn on_routes(first: Step, across: u8, up_down: u8, curve: Card) -> Kinds {
    // After the first step those across and those up or down can be taken in any order.
    let (across, up_down) = match first {
        Step::Across => (across + 1, up_down),
        Step::UpDown => (across, up_down + 1),
    };
    let mut needed = 0;
    if across > 1 {
        needed |= HORIZONTAL;
    }
    if up_down > 1 {
        needed |= VERTICAL;
    }
    if across > 0 && up_down > 0 {
        needed |= CORNER | kinds(&[curve]);
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tiles;

    /// The reference: the kinds on all shortest ways, by walking each of them.
    fn walked(entered: Side, across: u8, up_down: u8, vertical: Side) -> Kinds {
        if (across, up_down) == (0, 0) {
            return 0;
        }
        let mut needed = 0;
        for (side, left) in [(Side::Right, across), (vertical, up_down)] {
            if left == 0 {
                continue;
            }
            for card in Card::all().filter(|card| card.is_passable()) {
                let leads =
                    |tile: Tile| tile.sides().contains(entered) && tile.sides().contains(side);
                if Tiles::of_card(card).into_iter().any(leads) {
                    needed |= kinds(&[card]);
                }
            }
            let (across, up_down) =
                if side == Side::Right { (across - 1, up_down) } else { (across, up_down - 1) };
            needed |= walked(side.opposite(), across, up_down, vertical);
        }
        needed
    }

    #[test]
    fn kinds_on_shortest_ways_equal_an_enumeration() {
        for (vertical, curve) in [(Side::Up, Card::CURVE_UP), (Side::Down, Card::CURVE_DOWN)] {
            for (across, up_down) in (0..5).flat_map(|a| (0..4).map(move |b| (a, b))) {
                assert_eq!(
                    on_routes(Step::Across, across, up_down, curve),
                    walked(Side::Left, across, up_down, vertical),
                    "across, then {across} and {up_down}"
                );
                assert_eq!(
                    on_routes(Step::UpDown, across, up_down, curve),
                    walked(vertical.opposite(), across, up_down, vertical),
                    "up or down, then {across} and {up_down}"
                );
            }
        }
    }
}
