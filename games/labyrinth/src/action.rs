use crate::cell::{Cell, scan_cell};
use crate::entry::{Entry, scan_entry};
use crate::tile::Rotation;
use crate::treasure::Treasure;
use oboro_core::{NotationError, Scanner, Seat, text_form};
use std::fmt::{self, Write as _};

/// One whole turn: where the extra tile goes in, how it is turned, and where the pawn then walks.
/// Written `ENTRY/ROTATION/CELL`.
///
/// ```
/// use oboro_labyrinth::Action;
/// let turn: Action = "3/90/d5".parse().unwrap();
/// assert_eq!(turn.entry.cell().to_string(), "g2");
/// assert_eq!(turn.to_string(), "3/90/d5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// The entry of the extra tile.
    pub entry: Entry,
    /// The rotation of the extra tile.
    pub rotation: Rotation,
    /// The cell on which the pawn ends its turn.
    pub to: Cell,
}

impl Action {
    /// The turn without its walk.
    #[inline]
    pub(crate) const fn push(self) -> (Entry, Rotation) {
        (self.entry, self.rotation)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without `write!`: a turn has hundreds of actions, and external agents get all of them as text.
        self.entry.fmt(f)?;
        f.write_char('/')?;
        self.rotation.fmt(f)?;
        f.write_char('/')?;
        self.to.fmt(f)
    }
}

text_form!(Action, scan);

fn scan(s: &mut Scanner<'_>) -> Result<Action, NotationError> {
    let entry = scan_entry(s, "an entry from 0 to 11, clockwise from the top left")?;
    s.expect("/")?;
    let start = s.at();
    let rotation = Rotation::from_degrees(s.number("a rotation in degrees")?)
        .ok_or_else(|| s.error_at(start, "a tile is turned by 0, 90, 180 or 270 degrees"))?;
    s.expect("/")?;
    Ok(Action { entry, rotation, to: scan_cell(s)? })
}

/// A turn as one seat sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The seat that moved.
    pub mover: Seat,
    /// Its action.
    pub action: Action,
    /// The card it turned over, if it reached what it was looking for.
    pub found: Option<Treasure>,
    /// The card that comes to light next on the own pile, if it was the own turn.
    pub next: Option<Treasure>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_turns_are_explained() {
        let said = |text: &str| text.parse::<Action>().unwrap_err().to_string();
        assert_eq!(
            said("12/0/a1"),
            "column 1 at `12/0/a1`: there is no such entry: they go from 0 to 11"
        );
        assert_eq!(
            said("3/45/a1"),
            "column 3 at `45/a1`: a tile is turned by 0, 90, 180 or 270 degrees"
        );
        assert_eq!(said("3/90/h1"), "column 6 at `h1`: expected a cell from a1 (top left) to g7");
        for bad in ["", "x", "-1/0/a1", "3", "3/90", "3/90/", "3/90/a1/", "3-90-a1", "99999/0/a1"] {
            assert!(bad.parse::<Action>().is_err(), "{bad}");
        }
    }
}
