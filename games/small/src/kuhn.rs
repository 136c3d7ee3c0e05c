use crate::table::Rules;
use oboro_core::{Phrase, Rng, Scoring, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Kuhn poker (Kuhn 1950): three cards, one each, one bet. `OpenSpiel`: `kuhn_poker(players=2)`.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(default, deny_unknown_fields)]
pub struct KuhnRules {}

const CARDS: [char; 3] = ['J', 'Q', 'K'];

/// The cards of both seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deal([u8; 2]);

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&card| write!(f, "{}", CARDS[usize::from(card)]))
    }
}

/// The cards, and what was done: bit `i` of `bets` for action `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    cards: [u8; 2],
    plies: u8,
    bets: u8,
}

impl Rules for KuhnRules {
    const NAME: &'static str = "kuhn";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules/kuhn.en.md"), include_str!("../rules/kuhn.ja.md")];
    const CODES: u8 = 2;
    const SCORING: Scoring = Scoring::Payoffs;
    const RANGE: f64 = 4.0;
    type Deal = Deal;
    type Table = Table;

    fn name(code: u8) -> String {
        ["pass", "bet"][usize::from(code)].to_owned()
    }

    fn phrase(code: u8) -> Phrase {
        [Phrase::new("Pass", "パス"), Phrase::new("Bet", "ベット")][usize::from(code)].clone()
    }

    fn deals(&self) -> Vec<Deal> {
        (0..9).map(|n| Deal([n / 3, n % 3])).filter(|deal| deal.0[0] != deal.0[1]).collect()
    }

    fn draw(&self, rng: &mut Rng) -> Deal {
        let first = rng.below(3) as u8;
        Deal([first, (first + 1 + rng.below(2) as u8) % 3])
    }

    fn start(&self, deal: Deal) -> Table {
        Table { cards: deal.0, plies: 0, bets: 0 }
    }

    fn to_act(&self, table: &Table) -> Option<Seat> {
        // After two actions only pass, bet goes on.
        let goes_on = table.plies < 2 || (table.plies == 2 && table.bets == 0b10);
        goes_on.then(|| Seat::new(usize::from(table.plies % 2)))
    }

    fn legal(&self, _: &Table) -> u64 {
        0b11
    }

    fn apply(&self, table: &mut Table, code: u8) {
        table.bets |= code << table.plies;
        table.plies += 1;
    }

    fn payoff(&self, table: &Table) -> f64 {
        let showdown = if table.cards[0] > table.cards[1] { 1.0 } else { -1.0 };
        match (table.plies, table.bets) {
            (2, 0b00) => showdown,
            (2, 0b01) => 1.0,
            (3, 0b010) => -1.0,
            _ => 2.0 * showdown,
        }
    }

    fn secret(&self, deal: Deal, seat: Seat) -> u8 {
        deal.0[seat.index()] + 1
    }

    fn seen(&self, _: &Table, _: u8, _: &Table, _: Option<Seat>) -> Option<(bool, u8)> {
        Some((true, 0))
    }

    fn secret_name(secret: u8) -> String {
        CARDS[usize::from(secret - 1)].to_string()
    }
}
