use crate::table::{Looked, Rules};
use oboro_core::{Label, Phrase, Rng, Seat, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Goofspiel with hidden bids. `OpenSpiel`: `goofspiel(imp_info=True,egocentric=False,players=2,num_cards=4,
/// points_order=descending,returns_type=win_loss)`. Both bid a card of their own for each prize; the higher takes it,
/// equal bids lose it, and only who won is told. The last bids are forced and played at once.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GoofspielRules {
    /// Cards of each seat and prizes, 2 to 8.
    #[schemars(extend("x-public" = {"minimum": 2, "maximum": 8}))]
    pub cards: u8,
    /// In which order the prizes come.
    #[schemars(extend("x-public" = {}))]
    pub points_order: PointsOrder,
}

/// In which order the prizes come.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PointsOrder {
    /// The largest first.
    Descending,
    /// The smallest first.
    Ascending,
    /// In any order, each shown when it is bid for.
    Random,
}

impl Default for GoofspielRules {
    fn default() -> GoofspielRules {
        GoofspielRules { cards: 4, points_order: PointsOrder::Descending }
    }
}

const MOST: usize = 8;

/// The prizes in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deal {
    prizes: [u8; MOST],
    count: u8,
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.prizes[..usize::from(self.count)].iter().try_for_each(|prize| write!(f, "{prize}"))
    }
}

/// A game in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    deal: Deal,
    /// The cards that each seat still has, bit 0 for card 1.
    left: [u8; 2],
    /// What seat 0 has bid, while seat 1 is to bid.
    bid: Option<u8>,
    round: u8,
    /// Points of seat 0 less those of seat 1.
    lead: i8,
}

const WON: u8 = 1;
const TIED: u8 = 3;

impl Table {
    /// Decides a round; how it went: won by seat 0, by seat 1, or tied.
    fn settle(&mut self, bids: [u8; 2]) -> u8 {
        let prize = self.deal.prizes[usize::from(self.round)] as i8;
        self.round += 1;
        (0..2).for_each(|seat| self.left[seat] &= !(1 << bids[seat]));
        let sign = (bids[0] as i8 - bids[1] as i8).signum();
        self.lead += sign * prize;
        match sign {
            1 => WON,
            -1 => WON + 1,
            _ => TIED,
        }
    }
}

impl GoofspielRules {
    fn in_order(self, mut prizes: [u8; MOST]) -> Deal {
        if self.points_order == PointsOrder::Descending {
            prizes[..usize::from(self.cards)].reverse();
        }
        Deal { prizes, count: self.cards }
    }

    fn ascending(self) -> [u8; MOST] {
        std::array::from_fn(|i| if i < usize::from(self.cards) { i as u8 + 1 } else { 0 })
    }
}

/// All orders of what is left to place from `at` on.
fn permute(prizes: &mut [u8; MOST], at: usize, count: usize, visit: &mut impl FnMut([u8; MOST])) {
    if at + 1 >= count {
        return visit(*prizes);
    }
    for other in at..count {
        prizes.swap(at, other);
        permute(prizes, at + 1, count, visit);
        prizes.swap(at, other);
    }
}

impl Rules for GoofspielRules {
    const NAME: &'static str = "goofspiel";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules/goofspiel.en.md"), include_str!("../rules/goofspiel.ja.md")];
    const CODES: u8 = MOST as u8;
    const DEALT: bool = false;
    type Deal = Deal;
    type Table = Table;

    fn name(code: u8) -> String {
        (code + 1).to_string()
    }

    fn phrase(code: u8) -> Phrase {
        let card = code + 1;
        Phrase::new(format!("Bid {card}"), format!("{card}で入札"))
    }

    fn validate(&self) -> Result<(), SpecError> {
        if (2..=MOST as u8).contains(&self.cards) {
            return Ok(());
        }
        Err(SpecError(format!("cards={}: from 2 to {MOST}", self.cards)))
    }

    fn deals(&self) -> Vec<Deal> {
        let mut deals = Vec::new();
        let mut prizes = self.ascending();
        if self.points_order == PointsOrder::Random {
            let count = self.cards;
            permute(&mut prizes, 0, count.into(), &mut |prizes| deals.push(Deal { prizes, count }));
        } else {
            deals.push(self.in_order(prizes));
        }
        deals
    }

    fn draw(&self, rng: &mut Rng) -> Deal {
        let mut prizes = self.ascending();
        if self.points_order == PointsOrder::Random {
            rng.shuffle(&mut prizes[..usize::from(self.cards)]);
        }
        self.in_order(prizes)
    }

    fn start(&self, deal: Deal) -> Table {
        let all = ((1u16 << deal.count) - 1) as u8;
        Table { deal, left: [all; 2], bid: None, round: 0, lead: 0 }
    }

    fn to_act(&self, table: &Table) -> Option<Seat> {
        (table.round < table.deal.count).then(|| Seat::new(usize::from(table.bid.is_some())))
    }

    fn legal(&self, table: &Table) -> u64 {
        table.left[usize::from(table.bid.is_some())].into()
    }

    fn apply(&self, table: &mut Table, code: u8) {
        let Some(first) = table.bid.take() else {
            table.bid = Some(code);
            return;
        };
        table.settle([first, code]);
        if table.round + 1 == table.deal.count {
            table.settle(table.left.map(|cards| cards.trailing_zeros() as u8));
        }
    }

    fn payoff(&self, table: &Table) -> f64 {
        table.lead.signum().into()
    }

    /// Nothing is dealt, but the first prize of a random order is seen.
    fn secret(&self, deal: Deal, _: Seat) -> u8 {
        if self.points_order == PointsOrder::Random { deal.prizes[0] } else { 0 }
    }

    /// The note says who won the round and, where prizes come in any order, which is next.
    fn seen(
        &self,
        before: &Table,
        code: u8,
        after: &Table,
        observer: Option<Seat>,
    ) -> Option<(bool, u8)> {
        let own = observer.is_some_and(|seat| seat.index() == usize::from(before.bid.is_some()));
        let Some(first) = before.bid else { return Some((own, 0)) };
        let mut round = *before;
        let result = round.settle([first, code]);
        let shown = self.points_order == PointsOrder::Random && after.round < after.deal.count;
        let next = if shown { after.deal.prizes[usize::from(after.round)] } else { 0 };
        Some((own, result + 4 * next))
    }

    fn note(&self, note: u8) -> Phrase {
        let phrase = match note % 4 {
            0 => return Phrase::default(),
            TIED => Phrase::new("a tie", "引き分け"),
            winner => {
                let who = Phrase::player(Seat::new(usize::from(winner - WON)));
                Phrase::new(format!("{} wins", who.en), format!("{}の勝ち", who.ja))
            }
        };
        match note / 4 {
            0 => phrase,
            next => {
                phrase.and(&format!(", the next prize is {next}"), &format!("、次の賞は{next}"))
            }
        }
    }

    /// The prize of the round.
    fn labels(&self, sight: &Looked<'_, Self>) -> Vec<Label> {
        let prizes =
            |deal: Deal, round: usize| deal.prizes[..usize::from(deal.count)].get(round).copied();
        let prize = match sight {
            Looked::All(world) => prizes(world.deal, world.table.round.into()),
            Looked::Seat(view) => {
                let notes: Vec<u8> =
                    view.seen.iter().map(|seen| seen.note).filter(|&note| note != 0).collect();
                match notes.last() {
                    _ if self.points_order != PointsOrder::Random => {
                        prizes(self.in_order(self.ascending()), notes.len())
                    }
                    None => Some(view.secret),
                    Some(note) => Some(note / 4).filter(|&next| next != 0),
                }
            }
        };
        prize.map(|prize| Label::new("Prize", "賞", prize)).into_iter().collect()
    }
}
