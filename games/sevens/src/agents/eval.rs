use super::by_series::BySeries;
use crate::policy::{HandPolicy, Turn};
use crate::{Action, Card, Cards, Public, View};
use oboro_core::{ActionValue, Analysis, Rng, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The paper's evaluation (4.3). The value of laying card i is exp(r·own − others): *own* counts the
/// own other cards of i's series, *others* those in other hands. Only the exponent is computed:
/// it orders the cards exactly, and the pass, worth 0.99, stands just below exponent 0.
///
/// The parameters settle what the paper leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Eval {
    /// Players that the factor r counts.
    #[schemars(extend("x-public" = {}))]
    pub r: PlayersCounted,
    /// Players whose passes the own passes must exceed for a pass to be worth more than any card. It applies where
    /// every series is stopped.
    #[schemars(extend("x-public" = {}))]
    pub pass_lead: PassLead,
    /// Condition under which a series is stopped.
    #[schemars(extend("x-public" = {}))]
    pub stops: SeriesStop,
    /// Choice among equally good cards.
    #[schemars(extend("x-public" = {}))]
    pub ties: Ties,
}

/// Players that the factor r counts. The paper's text says the others who still hold cards; its worked example
/// multiplies by 4.
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

/// Players whose passes the own passes must exceed; the paper says "others".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PassLead {
    /// Each other player in the game.
    #[default]
    Each,
    /// Each other player in the game, or equal.
    EachOrEqual,
    /// At least one other player in the game.
    Some,
    /// A pass is never worth more than any card.
    Never,
}

/// Condition under which a series is stopped; the paper says "not laying a card that one could lay".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesStop {
    /// None of its cards that could be laid now is in another hand.
    #[default]
    Next,
    /// Any of its cards is in the own hand.
    Any,
}

/// Choice among equally good cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Any, with the same probability.
    #[default]
    Random,
    /// The first, suit by suit from the ace.
    First,
}

/// The value of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PassValue {
    /// Above every card: nobody else can move, and the others run out of passes first.
    Infinite,
    /// 0.99: below e⁰, above e⁻¹.
    AlmostOne,
    /// No pass is left.
    Zero,
}

/// The number of cards of a series.
const SERIES: u8 = 6;

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
        let others = unseen.without(hand);
        // The card to lay does not count among the own.
        let own = BySeries::of_cards(hand);
        (own.weigh(r, BySeries::of_cards(others), BySeries::all(SERIES)), SERIES + r)
    }

    #[inline]
    fn pass_value(self, public: &Public, seat: Seat, hand: Cards) -> PassValue {
        let stops_all = || self.stops_all(public.unseen(), public.playable(), hand);
        PassValue::of(public.passes[seat.index()] > 0, || {
            stops_all() && self.has_pass_lead(public, seat)
        })
    }

    #[inline]
    fn stops_all(self, unseen: Cards, playable: Cards, hand: Cards) -> bool {
        match self.stops {
            SeriesStop::Next => playable.without(hand).is_empty(),
            SeriesStop::Any => {
                let is_stopped = |card: Card| !card.series().and(hand).is_empty();
                unseen.iter().all(is_stopped)
            }
        }
    }

    fn has_pass_lead(self, public: &Public, seat: Seat) -> bool {
        let own = public.passes[seat.index()];
        let mut others = Seat::all(public.players.into())
            .filter(|&other| other != seat && public.is_in_play(other))
            .map(|other| public.passes[other.index()]);
        match self.pass_lead {
            PassLead::Each => others.all(|passes| passes < own),
            PassLead::EachOrEqual => others.all(|passes| passes <= own),
            PassLead::Some => others.any(|passes| passes < own),
            PassLead::Never => false,
        }
    }

    /// The best cards of a hand, of which `cards`, at least one, can be laid; none where it is best to pass.
    #[inline]
    fn best(self, public: &Public, seat: Seat, hand: Cards, cards: Cards) -> Cards {
        let exponents = Self::exponents(self.counted(public), public.unseen(), hand);
        best(exponents, hand, cards, || self.pass_value(public, seat, hand))
    }

    /// The inputs of the evaluation from the table, for many hands of one seat.
    pub(super) fn context(self, public: &Public, seat: Seat) -> EvalContext {
        EvalContext {
            eval: self,
            r: self.counted(public),
            unseen: public.unseen(),
            playable: public.playable(),
            may_pass: public.passes[seat.index()] > 0,
            has_pass_lead: self.has_pass_lead(public, seat),
        }
    }
}

/// The inputs of the evaluation from the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EvalContext {
    eval: Eval,
    r: u8,
    /// The cards that are not on the table.
    pub(super) unseen: Cards,
    /// Those of them that somebody could lay.
    pub(super) playable: Cards,
    pub(super) may_pass: bool,
    has_pass_lead: bool,
}

impl EvalContext {
    /// As [`Eval::best`].
    #[inline]
    pub(super) fn best(&self, hand: Cards, cards: Cards) -> Cards {
        best(Eval::exponents(self.r, self.unseen, hand), hand, cards, || {
            PassValue::of(self.may_pass, || {
                self.has_pass_lead && self.eval.stops_all(self.unseen, self.playable, hand)
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
        PassValue::Infinite => Cards::EMPTY,
        PassValue::AlmostOne if greatest < zero => Cards::EMPTY,
        PassValue::AlmostOne | PassValue::Zero => best,
    }
}

impl HandPolicy for Eval {
    #[inline]
    fn choose(&self, Turn { public, seat, hand, cards }: Turn<'_>, rng: &mut Rng) -> Cards {
        let best = self.best(public, seat, hand, cards);
        match self.ties {
            Ties::Random => best.choose_one(rng),
            Ties::First => best.first(),
        }
    }

    fn options(&self, Turn { public, seat, hand, cards }: Turn<'_>) -> Option<Cards> {
        let best = self.best(public, seat, hand, cards);
        Some(match self.ties {
            Ties::Random => best,
            Ties::First => best.first(),
        })
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
