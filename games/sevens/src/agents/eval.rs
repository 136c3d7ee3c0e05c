use super::Manner;
use crate::card::BySeries;
use crate::{Action, Card, Cards, Public, View};
use oboro_core::{ActionValue, Analysis, Rng, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The paper's evaluation (4.3). The value of laying card i is exp(r·own − others): *own* counts the
/// own other cards of i's series, *others* those in other hands. Only the exponent is computed:
/// it orders the cards exactly, and the pass, worth 0.99, stands just below exponent 0.
///
/// The parameters are readings of what the paper leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Eval {
    /// Which players the factor r counts.
    pub r: PlayersCounted,
    /// Whom the own passes must outnumber for a pass to be worth more than any card, where every series is stopped.
    pub outlasts: Outlasts,
    /// What stops a series.
    pub stops: Stops,
    /// Which of equally good cards is laid.
    pub ties: Ties,
}

/// Which players the factor r counts. The paper's text says the others who still hold cards, its worked
/// example of four players uses 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayersCounted {
    /// Everybody still holding cards, oneself included, as in the worked example.
    #[default]
    All,
    /// The others still holding cards, as in the text.
    Others,
    /// Everybody who was dealt cards, oneself included.
    AllDealt,
    /// The others who were dealt cards.
    OthersDealt,
}

/// Whom the own passes must outnumber; the paper says "others".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outlasts {
    /// Each other player in the game.
    #[default]
    Each,
    /// None has more.
    EachOrEqual,
    /// At least one other player in the game.
    Some,
    /// A pass is never worth more than any card.
    Never,
}

/// What stops a series; the paper says "not laying a card that one could lay".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stops {
    /// None of its cards that could be laid now is in another hand.
    #[default]
    Next,
    /// Any of its cards is in the own hand.
    Any,
}

/// Which of equally good cards is laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Any, with the same probability.
    #[default]
    Random,
    /// The first, suit by suit from the ace.
    First,
}

/// What a pass is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PassValue {
    /// Above every card: nobody else can move, and the others run out of passes first.
    Infinite,
    /// 0.99: below e⁰, above e⁻¹.
    AlmostOne,
    /// None are left.
    Zero,
}

/// A series has no more cards than this, in other hands or anywhere.
const MOST: u8 = 6;

impl Eval {
    /// The exponent of a card's value.
    pub fn exponent(self, public: &Public, hand: Cards, card: Card) -> i32 {
        let (exponents, zero) = self.exponents(public, hand);
        i32::from(exponents.of(card)) - i32::from(zero)
    }

    /// The exponent of every series' cards above a number that stands for 0.
    #[inline]
    fn exponents(self, public: &Public, hand: Cards) -> (BySeries, u8) {
        let r = match self.r {
            PlayersCounted::All => public.in_play(),
            PlayersCounted::Others => public.in_play() - 1,
            PlayersCounted::AllDealt => public.players,
            PlayersCounted::OthersDealt => public.players - 1,
        };
        let others = Cards::ALL.minus(public.table).minus(hand);
        // The card that is laid does not count among the own.
        (hand.by_series().weigh(r, others.by_series(), BySeries::all(MOST)), MOST + r)
    }

    #[inline]
    fn pass_value(self, public: &Public, seat: Seat, hand: Cards) -> PassValue {
        if public.passes[seat.index()] == 0 {
            PassValue::Zero
        } else if self.stops_all(public, hand) && self.outlasts(public, seat) {
            PassValue::Infinite
        } else {
            PassValue::AlmostOne
        }
    }

    #[inline]
    fn stops_all(self, public: &Public, hand: Cards) -> bool {
        match self.stops {
            Stops::Next => public.playable().minus(hand).is_empty(),
            Stops::Any => {
                let is_stopped = |card: Card| !card.series().and(hand).is_empty();
                Cards::ALL.minus(public.table).iter().all(is_stopped)
            }
        }
    }

    fn outlasts(self, public: &Public, seat: Seat) -> bool {
        let own = public.passes[seat.index()];
        let mut others = Seat::all(public.players.into())
            .filter(|&other| other != seat && public.is_in_play(other))
            .map(|other| public.passes[other.index()]);
        match self.outlasts {
            Outlasts::Each => others.all(|passes| passes < own),
            Outlasts::EachOrEqual => others.all(|passes| passes <= own),
            Outlasts::Some => others.any(|passes| passes < own),
            Outlasts::Never => false,
        }
    }

    /// The best cards of a hand, of which `cards`, at least one, can be laid; none where it is best to pass.
    #[inline]
    pub(super) fn best(self, public: &Public, seat: Seat, hand: Cards, cards: Cards) -> Cards {
        if hand == cards && hand.first() == hand {
            // A last card that can be laid is laid.
            return cards;
        }
        let pass = self.pass_value(public, seat, hand);
        let (exponents, zero) = self.exponents(public, hand);
        let (greatest, best) = exponents.greatest(cards);
        match pass {
            PassValue::Infinite => Cards::NONE,
            PassValue::AlmostOne if greatest < zero => Cards::NONE,
            PassValue::AlmostOne | PassValue::Zero => best,
        }
    }
}

impl Manner for Eval {
    #[inline]
    fn choose(
        &self,
        public: &Public,
        seat: Seat,
        hand: Cards,
        cards: Cards,
        rng: &mut Rng,
    ) -> Cards {
        let best = self.best(public, seat, hand, cards);
        match self.ties {
            Ties::Random => best.choose_one(rng),
            Ties::First => best.first(),
        }
    }

    fn explain(&self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let (public, hand) = (view.public(), view.hand());
        let value_of = |action| match action {
            Action::Lay(card) => {
                let exponent = self.exponent(public, hand, card);
                ActionValue {
                    note: format!("e^{exponent}"),
                    ..ActionValue::new(action, libm::exp(exponent.into()))
                }
            }
            Action::Pass => ActionValue::new(
                action,
                match self.pass_value(public, view.seat(), hand) {
                    PassValue::Infinite => f64::INFINITY,
                    PassValue::AlmostOne => 0.99,
                    PassValue::Zero => 0.0,
                },
            ),
        };
        Analysis {
            choice: self.choose_or_pass(public, view.seat(), hand, rng),
            measure: "value",
            values: view.legal_actions().into_iter().map(value_of).collect(),
            drawing: None,
        }
    }
}
