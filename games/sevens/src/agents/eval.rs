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
        let (exponents, zero) = Self::exponents(self.counted(public), public.unseen(), hand);
        i32::from(exponents.of(card)) - i32::from(zero)
    }

    /// The players that the factor r counts.
    #[inline]
    fn counted(self, public: &Public) -> u8 {
        match self.r {
            PlayersCounted::All => public.in_play(),
            PlayersCounted::Others => public.in_play() - 1,
            PlayersCounted::AllDealt => public.players,
            PlayersCounted::OthersDealt => public.players - 1,
        }
    }

    /// The exponent of every series' cards above a number that stands for 0.
    #[inline]
    fn exponents(r: u8, unseen: Cards, hand: Cards) -> (BySeries, u8) {
        let others = unseen.minus(hand);
        // The card that is laid does not count among the own.
        (hand.by_series().weigh(r, others.by_series(), BySeries::all(MOST)), MOST + r)
    }

    #[inline]
    fn pass_value(self, public: &Public, seat: Seat, hand: Cards) -> PassValue {
        let stops_all = || self.stops_all(public.unseen(), public.playable(), hand);
        PassValue::of(public.passes[seat.index()] > 0, || {
            stops_all() && self.outlasts(public, seat)
        })
    }

    #[inline]
    fn stops_all(self, unseen: Cards, playable: Cards, hand: Cards) -> bool {
        match self.stops {
            Stops::Next => playable.minus(hand).is_empty(),
            Stops::Any => {
                let is_stopped = |card: Card| !card.series().and(hand).is_empty();
                unseen.iter().all(is_stopped)
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
    fn best(self, public: &Public, seat: Seat, hand: Cards, cards: Cards) -> Cards {
        let exponents = Self::exponents(self.counted(public), public.unseen(), hand);
        best(exponents, hand, cards, || self.pass_value(public, seat, hand))
    }

    /// All that the evaluation takes from the table, for one who is asked about many hands.
    pub(super) fn standing(self, public: &Public, seat: Seat) -> Standing {
        Standing {
            eval: self,
            r: self.counted(public),
            unseen: public.unseen(),
            playable: public.playable(),
            may_pass: public.passes[seat.index()] > 0,
            outlasts: self.outlasts(public, seat),
        }
    }
}

/// What the evaluation takes from the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Standing {
    eval: Eval,
    r: u8,
    /// The cards that are not on the table.
    pub(super) unseen: Cards,
    /// Those of them that somebody could lay.
    pub(super) playable: Cards,
    pub(super) may_pass: bool,
    outlasts: bool,
}

impl Standing {
    /// What [`Eval::best`] is for a hand.
    #[inline]
    pub(super) fn best(&self, hand: Cards, cards: Cards) -> Cards {
        best(Eval::exponents(self.r, self.unseen, hand), hand, cards, || {
            PassValue::of(self.may_pass, || {
                self.outlasts && self.eval.stops_all(self.unseen, self.playable, hand)
            })
        })
    }
}

impl PassValue {
    #[inline]
    fn of(may_pass: bool, is_infinite: impl FnOnce() -> bool) -> PassValue {
        if !may_pass {
            PassValue::Zero
        } else if is_infinite() {
            PassValue::Infinite
        } else {
            PassValue::AlmostOne
        }
    }
}

#[inline]
fn best(
    (exponents, zero): (BySeries, u8),
    hand: Cards,
    cards: Cards,
    pass: impl FnOnce() -> PassValue,
) -> Cards {
    if hand == cards && hand.first() == hand {
        // A last card that can be laid is laid.
        return cards;
    }
    let (greatest, best) = exponents.greatest(cards);
    match pass() {
        PassValue::Infinite => Cards::NONE,
        PassValue::AlmostOne if greatest < zero => Cards::NONE,
        PassValue::AlmostOne | PassValue::Zero => best,
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
