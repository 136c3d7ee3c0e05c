use crate::{Card, CardKind, Cell, Goal, Tile, Tool, Tools};
use oboro_core::{NotationError, Scanner, Seat, text_form};
use std::fmt;

/// What a player does in its turn with one card of its hand.
///
/// | text | action |
/// |---|---|
/// | `RD@3,-1` | lay a path card so that its open sides are right and down, at (3, −1) |
/// | `rock@3,-1` | let rocks fall on the card at (3, −1) |
/// | `map@8,2` | look at the goal at (8, 2) |
/// | `break-pick@4` | break the pick of seat 4 |
/// | `mend-pick@4` | mend the pick of seat 4 |
/// | `mend-lantern+pick@4=pick` | the same with a card for either tool |
/// | `discard-LUR` | put a card away, face down |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Lay a path card.
    Dig {
        /// The card as it is to lie.
        tile: Tile,
        /// Where.
        at: Cell,
    },
    /// Remove a path card.
    RockFall {
        /// Where.
        at: Cell,
    },
    /// Look at a face-down goal.
    Look {
        /// Which.
        goal: Goal,
    },
    /// Break a tool of another player.
    Break {
        /// Which tool.
        tool: Tool,
        /// Whose.
        seat: Seat,
    },
    /// Mend a tool of any player.
    Mend {
        /// The card used.
        card: Card,
        /// Which of its tools.
        tool: Tool,
        /// Whose.
        seat: Seat,
    },
    /// Put a card away, face down.
    Discard {
        /// Which.
        card: Card,
    },
}

impl Action {
    /// The card of the hand that it uses.
    #[inline]
    pub fn card(self) -> Card {
        match self {
            Action::Dig { tile, .. } => tile.card(),
            Action::RockFall { .. } => Card::ROCK_FALL,
            Action::Look { .. } => Card::MAP,
            Action::Break { tool, .. } => Card::breaking(tool),
            Action::Mend { card, .. } | Action::Discard { card } => card,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Dig { tile, at } => write!(f, "{tile}@{at}"),
            Action::RockFall { at } => write!(f, "rock@{at}"),
            Action::Look { goal } => write!(f, "map@{}", goal.cell()),
            Action::Break { tool, seat } => write!(f, "break-{}@{seat}", tool.name()),
            Action::Mend { card, tool, seat } => {
                write!(f, "{card}@{seat}")?;
                if mended(card).len() > 1 {
                    write!(f, "={}", tool.name())?;
                }
                Ok(())
            }
            Action::Discard { card } => write!(f, "discard-{card}"),
        }
    }
}

/// The tools a card mends.
fn mended(card: Card) -> Tools {
    match card.kind() {
        CardKind::Mend(tools) => tools,
        _ => Tools::EMPTY,
    }
}

fn seat(s: &mut Scanner<'_>) -> Result<Seat, NotationError> {
    s.number::<u8>("a seat").map(|number| Seat::new(number.into()))
}

text_form!(Action, scan);

fn scan(s: &mut Scanner<'_>) -> Result<Action, NotationError> {
    s.skip_space();
    if s.eat("discard-") {
        return Card::scan(s).map(|card| Action::Discard { card });
    }
    // A laid card may be turned, which a card in hand is not.
    if s.rest().starts_with(['x', 'L', 'U', 'R', 'D']) {
        let tile = Tile::scan(s)?;
        s.expect("@")?;
        return Cell::scan(s).map(|at| Action::Dig { tile, at });
    }
    let card = Card::scan(s)?;
    s.expect("@")?;
    match card.kind() {
        CardKind::RockFall => Cell::scan(s).map(|at| Action::RockFall { at }),
        CardKind::Map => {
            let at = s.at();
            Goal::at(Cell::scan(s)?)
                .map(|goal| Action::Look { goal })
                .ok_or_else(|| s.error_at(at, "expected a goal: 8,-2 or 8,0 or 8,2"))
        }
        CardKind::Break(tool) => seat(s).map(|seat| Action::Break { tool, seat }),
        CardKind::Mend(tools) => {
            let seat = seat(s)?;
            let mut choice = tools.iter();
            let first = choice.next().expect("a mending card mends something");
            let tool = if choice.next().is_none() {
                first
            } else {
                s.expect("=")?;
                let at = s.at();
                let tool = Tool::scan(s)?;
                if !tools.contains(tool) {
                    return Err(s.error_at(at, format!("{card} mends {tools} only")));
                }
                tool
            };
            Ok(Action::Mend { card, tool, seat })
        }
        CardKind::Path(..) => unreachable!("path cards were read above"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read_as_they_are_written() {
        for text in [
            "LURD@1,0",
            "RD@3,-1",
            "xR@-2,8",
            "rock@3,-1",
            "map@8,2",
            "break-pick@4",
            "mend-pick@4",
            "mend-lantern+pick@9=pick",
            "discard-xLU",
            "discard-mend-pick+cart",
        ] {
            let action: Action = text.parse().unwrap();
            assert_eq!(action.to_string(), text);
        }
    }

    #[test]
    fn bad_texts_are_refused_with_the_place() {
        for (text, column) in [
            ("", 1),
            ("LUX@1,0", 3),
            ("LUR 1,0", 5),
            ("LUR@1", 6),
            ("LUR@99,0", 5),
            ("LUR@300,0", 5),
            ("map@7,0", 5),
            ("break-pick@-1", 12),
            ("mend-lantern+pick@4", 20),
            ("mend-lantern+pick@4=cart", 21),
            ("mend-lantern+lantern@4", 1),
            ("discard-RD", 9),
            ("discard-LU!", 11),
            ("dig", 1),
            ("朧", 1),
        ] {
            let error = text.parse::<Action>().expect_err(text);
            assert_eq!(error.column(), column, "{text}: {error}");
        }
    }
}
