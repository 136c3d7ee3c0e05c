//! Positions for several test files.
#![allow(dead_code, reason = "each test file uses a part of it")]

use oboro_core::Game;
use oboro_sevens::{Cards, GapRule, Sevens, World};

pub(crate) const THREE: Sevens = Sevens { players: 3, passes: 3, gaps: GapRule::Bridge };

pub(crate) fn position(rules: &Sevens, text: &str) -> World {
    rules.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Three players near the end, seat 0 to move; the other cards are on the table, laid by seat 2.
pub(crate) fn endgame(hands: [&str; 3], passes: &str) -> World {
    let cards = hands.iter().map(|hand| hand.parse::<Cards>().expect("cards"));
    let (hands, rest) = (hands.join("/"), cards.fold(Cards::ALL, Cards::without));
    let text = format!("turn=0 hands={hands} passes={passes} laid=-/-/{rest} ranks=-/-/- log=-");
    position(&THREE, &text)
}
