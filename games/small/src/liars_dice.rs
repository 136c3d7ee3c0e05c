use crate::table::Rules;
use oboro_core::{Phrase, Rng, Seat, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Liar's Dice with one die each. `OpenSpiel`: `liars_dice(players=2,numdice=1,dice_sides=6,bidding_rule=reset-face)`.
/// A bid says how many dice show a face; the highest face is wild. Bids rise by number, then by face; whoever
/// doubts the last bid ends the game.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(default, deny_unknown_fields)]
pub struct LiarsDiceRules {
    /// Faces of a die, 2 to 6.
    #[schemars(extend("x-public" = {"minimum": 2, "maximum": 6}))]
    pub faces: u8,
}

impl Default for LiarsDiceRules {
    fn default() -> LiarsDiceRules {
        LiarsDiceRules { faces: 6 }
    }
}

/// Bids have the codes of six faces whatever die is played with.
const FACES: u8 = 6;
const LIAR: u8 = 2 * FACES;

/// The dice of both seats, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deal([u8; 2]);

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0[0], self.0[1])
    }
}

/// The dice and the last bid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    dice: [u8; 2],
    turn: u8,
    bid: Option<u8>,
    over: bool,
}

impl Rules for LiarsDiceRules {
    const NAME: &'static str = "liars-dice";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules/liars-dice.en.md"), include_str!("../rules/liars-dice.ja.md")];
    const CODES: u8 = LIAR + 1;
    type Deal = Deal;
    type Table = Table;

    fn name(code: u8) -> String {
        if code == LIAR {
            return "liar".to_owned();
        }
        format!("{}x{}", 1 + code / FACES, 1 + code % FACES)
    }

    const SECRET: [&'static str; 2] = ["Your die", "あなたのサイコロ"];

    fn phrase(code: u8) -> Phrase {
        if code == LIAR {
            return Phrase::new("Liar!", "ダウト！");
        }
        let (dice, face) = (1 + code / FACES, 1 + code % FACES);
        let en = if dice == 1 { "die shows" } else { "dice show" };
        Phrase::new(format!("At least {dice} {en} {face}"), format!("{face}の目が{dice}個以上"))
    }

    fn validate(&self) -> Result<(), SpecError> {
        if (2..=FACES).contains(&self.faces) {
            return Ok(());
        }
        Err(SpecError(format!("faces={}: from 2 to {FACES}", self.faces)))
    }

    fn deals(&self) -> Vec<Deal> {
        (1..=self.faces).flat_map(|a| (1..=self.faces).map(move |b| Deal([a, b]))).collect()
    }

    fn draw(&self, rng: &mut Rng) -> Deal {
        Deal([0; 2].map(|_: u8| 1 + rng.below(self.faces.into()) as u8))
    }

    fn start(&self, deal: Deal) -> Table {
        Table { dice: deal.0, turn: 0, bid: None, over: false }
    }

    fn to_act(&self, table: &Table) -> Option<Seat> {
        (!table.over).then(|| Seat::new(table.turn.into()))
    }

    fn legal(&self, table: &Table) -> u64 {
        let row = (1 << self.faces) - 1;
        let bids = row | row << FACES;
        match table.bid {
            None => bids,
            Some(bid) => bids & !((2 << bid) - 1) | 1 << LIAR,
        }
    }

    fn apply(&self, table: &mut Table, code: u8) {
        if code == LIAR {
            table.over = true;
        } else {
            table.bid = Some(code);
        }
        table.turn = 1 - table.turn;
    }

    fn payoff(&self, table: &Table) -> f64 {
        let bid = table.bid.expect("nobody can doubt before there is a bid");
        let (wanted, face) = (1 + bid / FACES, 1 + bid % FACES);
        let shown = table.dice.iter().filter(|&&die| die == face || die == self.faces).count();
        // The turn has passed on from the doubter to the bidder.
        let bidder_wins = shown >= usize::from(wanted);
        if bidder_wins == (table.turn == 0) { 1.0 } else { -1.0 }
    }

    fn secret(&self, deal: Deal, seat: Seat) -> u8 {
        deal.0[seat.index()]
    }

    fn seen(&self, _: &Table, _: u8, _: &Table, _: Option<Seat>) -> Option<(bool, u8)> {
        Some((true, 0))
    }
}
