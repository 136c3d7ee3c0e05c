//! Positions as a terminal shows them.

use crate::card::RANKS;
use crate::{Cards, Public, Suit, View, World};
use oboro_core::{Seat, SeatView as _};
use std::fmt;

fn draw(f: &mut fmt::Formatter<'_>, public: &Public, hand: impl Fn(Seat) -> String) -> fmt::Result {
    for suit in Suit::ALL {
        write!(f, "{} ", suit.symbol())?;
        for (i, rank) in RANKS.iter().enumerate() {
            let card = crate::Card::new(suit, i as u8 + 1);
            let mark = if public.table.contains(card) {
                *rank
            } else if public.playable().contains(card) {
                '·'
            } else {
                ' '
            };
            write!(f, " {mark}")?;
        }
        writeln!(f)?;
    }
    for seat in Seat::all(public.players.into()) {
        let mark = if public.to_act() == Some(seat) { '▶' } else { ' ' };
        write!(f, "{mark} seat {seat}  ")?;
        match public.ranks[seat.index()] {
            Public::IN_PLAY => {
                let left = usize::from(public.passes[seat.index()]);
                writeln!(f, "passes {left}  {}", hand(seat))?;
            }
            rank => writeln!(f, "rank {}", rank + 1)?,
        }
    }
    Ok(())
}

fn pretty(cards: Cards) -> String {
    let mut text = String::new();
    for suit in Suit::ALL {
        let mut of_suit = cards.iter().filter(|card| card.suit() == suit).peekable();
        if of_suit.peek().is_some() {
            text.push(suit.symbol());
            text.extend(of_suit.map(|card| RANKS[usize::from(card.rank()) - 1]));
            text.push(' ');
        }
    }
    text.trim_end().to_owned()
}

/// The table with playable places as dots, and every hand.
impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, &self.public, |seat| pretty(self.hand(seat)))
    }
}

/// The table with playable places as dots, the own hand, and the sizes of the others.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, self.public(), |seat| {
            if seat == self.seat() {
                pretty(self.hand())
            } else {
                format!("{} cards", self.sizes()[seat.index()])
            }
        })
    }
}
