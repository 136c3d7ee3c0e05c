//! Positions as a terminal shows them.

use crate::{Public, View, World};
use oboro_core::Seat;
use std::fmt;

fn draw(
    f: &mut fmt::Formatter<'_>,
    public: &Public,
    die: impl Fn(Seat) -> Option<u8>,
) -> fmt::Result {
    for seat in Seat::all(2) {
        let mark = if public.to_act() == Some(seat) { '▶' } else { ' ' };
        let shown = die(seat).map_or("?".to_owned(), |die| die.to_string());
        let said = public.said[seat.index()].map_or(String::new(), |said| format!("said {said}"));
        writeln!(f, "{mark} seat {seat}  [{shown}]  {said}")?;
    }
    Ok(())
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, &self.public, |seat| Some(self.die(seat)))
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, &self.public, |seat| if seat == self.seat { Some(self.own) } else { self.other })
    }
}
