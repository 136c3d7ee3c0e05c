use crate::table::{Looked, Rules};
use oboro_core::{Label, Phrase, Rng, Scoring, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Leduc hold'em (Southey et al. 2005): six cards in two suits, two rounds of bets, one public card. `OpenSpiel`:
/// `leduc_poker(players=2)` with its defaults: ante 1, raises of 2 and then 4, at most two of them in a round.
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
pub struct LeducRules {}

const FOLD: u8 = 0;
const CALL: u8 = 1;
const RAISE: u8 = 2;
const CARDS: [&str; 6] = ["J1", "J2", "Q1", "Q2", "K1", "K2"];

/// The cards of both seats, and the public one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deal([u8; 3]);

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, public] = self.0.map(|card| CARDS[usize::from(card)]);
        write!(f, "{first} {second} {public}")
    }
}

/// A hand in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    cards: [u8; 3],
    paid: [u8; 2],
    second_round: bool,
    raises: u8,
    /// How many seats have called in this round since the last raise, the raiser counted.
    called: u8,
    turn: u8,
    folded: Option<u8>,
    over: bool,
}

impl Rules for LeducRules {
    const NAME: &'static str = "leduc";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules/leduc.en.md"), include_str!("../rules/leduc.ja.md")];
    const CODES: u8 = 3;
    const SCORING: Scoring = Scoring::Payoffs;
    const RANGE: f64 = 26.0;
    /// Few games are about as many chips as the range has.
    const EXPLORATION: f64 = 0.2;
    type Deal = Deal;
    type Table = Table;

    fn name(code: u8) -> String {
        ["fold", "call", "raise"][usize::from(code)].to_owned()
    }

    fn phrase(code: u8) -> Phrase {
        let [en, ja] =
            [["Fold", "フォールド"], ["Call", "コール"], ["Raise", "レイズ"]][usize::from(code)];
        Phrase::new(en, ja)
    }

    fn deals(&self) -> Vec<Deal> {
        let all = (0..216).map(|n| Deal([n / 36, n / 6 % 6, n % 6]));
        all.filter(|Deal([a, b, c])| a != b && b != c && a != c).collect()
    }

    fn draw(&self, rng: &mut Rng) -> Deal {
        let mut cards = [0, 1, 2, 3, 4, 5];
        rng.shuffle(&mut cards);
        Deal([cards[0], cards[1], cards[2]])
    }

    fn start(&self, deal: Deal) -> Table {
        Table {
            cards: deal.0,
            paid: [1; 2],
            second_round: false,
            raises: 0,
            called: 0,
            turn: 0,
            folded: None,
            over: false,
        }
    }

    fn to_act(&self, table: &Table) -> Option<Seat> {
        (!table.over).then(|| Seat::new(table.turn.into()))
    }

    fn legal(&self, table: &Table) -> u64 {
        let behind = table.paid[usize::from(table.turn)] < table.paid[usize::from(1 - table.turn)];
        u64::from(behind) << FOLD | 1 << CALL | u64::from(table.raises < 2) << RAISE
    }

    fn apply(&self, table: &mut Table, code: u8) {
        let seat = usize::from(table.turn);
        table.turn = 1 - table.turn;
        match code {
            FOLD => (table.folded, table.over) = (Some(seat as u8), true),
            CALL => {
                table.paid[seat] = table.paid[1 - seat];
                table.called += 1;
            }
            _ => {
                let size = if table.second_round { 4 } else { 2 };
                table.paid[seat] = table.paid[1 - seat] + size;
                table.raises += 1;
                table.called = 1;
            }
        }
        if table.called == 2 && !table.over {
            table.over = table.second_round;
            if !table.over {
                (table.second_round, table.raises, table.called, table.turn) = (true, 0, 0, 0);
            }
        }
    }

    fn payoff(&self, table: &Table) -> f64 {
        let [first, second, public] = table.cards.map(|card| card / 2);
        let strength = |card: u8| if card == public { 10 } else { card };
        let winner = match table.folded {
            Some(seat) => i32::from(seat) * 2 - 1,
            None => (i32::from(strength(first)) - i32::from(strength(second))).signum(),
        };
        let loser = usize::from(winner > 0);
        f64::from(winner * i32::from(table.paid[loser]))
    }

    fn secret(&self, deal: Deal, seat: Seat) -> u8 {
        deal.0[seat.index()] + 1
    }

    /// The note says which public card the action brought.
    fn seen(&self, before: &Table, _: u8, after: &Table, _: Option<Seat>) -> Option<(bool, u8)> {
        let revealed = after.second_round && !before.second_round;
        Some((true, if revealed { after.cards[2] + 1 } else { 0 }))
    }

    fn note(&self, note: u8) -> Phrase {
        if note == 0 {
            return Phrase::default();
        }
        let card = Self::secret_name(note);
        Phrase::new(format!("the public card is {card}"), format!("公開カードは{card}"))
    }

    fn secret_name(secret: u8) -> String {
        CARDS[usize::from(secret - 1)].to_owned()
    }

    /// The cards that are seen, and what both have paid.
    fn labels(&self, sight: &Looked<'_, Self>) -> Vec<Label> {
        let (mut labels, public, paid) = match sight {
            Looked::All(world) => {
                let cards = world.deal.0.map(|card| Self::secret_name(card + 1));
                let labels = vec![
                    Label::new("Player 1", "プレイヤー1", &cards[0]),
                    Label::new("Player 2", "プレイヤー2", &cards[1]),
                ];
                (labels, cards[2].clone(), world.table.paid)
            }
            Looked::Seat(view) => {
                // What is paid does not depend on the cards.
                let mut table = self.start(Deal([0, 1, 2]));
                for action in view.seen.iter().filter_map(|seen| seen.action) {
                    self.apply(&mut table, action.code());
                }
                let shown = view.seen.iter().map(|seen| seen.note).find(|&note| note != 0);
                let own = Label::new("Your card", "あなたの札", Self::secret_name(view.secret));
                (vec![own], shown.map_or("?".to_owned(), Self::secret_name), table.paid)
            }
        };
        labels.push(Label::new("Public card", "公開カード", public));
        labels.push(Label::new("Paid", "支払い", format!("{} · {}", paid[0], paid[1])));
        labels
    }

    fn draw_board(&self, sight: &Looked<'_, Self>) -> String {
        match sight {
            Looked::All(world) => format!("paid {:?}\n", world.table.paid),
            Looked::Seat(_) => String::new(),
        }
    }
}
