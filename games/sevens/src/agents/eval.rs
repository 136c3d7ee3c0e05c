use super::Strategy;
use crate::{Action, Card, Cards, MAX_PLAYERS, Public, View};
use oboro_core::{ActionValue, Analysis, Rng, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The paper's evaluation (4.3). The value of laying card i is exp(r·own − others): *own* counts the
/// own other cards of i's series, *others* those in other hands. Only the exponent is computed:
/// it orders the cards exactly, and the pass, worth 0.99, stands just below exponent 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Eval {
    /// Which players the factor r counts.
    pub r: PlayersCounted,
}

/// Which players still holding cards the factor r counts. The paper's text says the others, its worked
/// example of four players uses 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayersCounted {
    /// Everybody, oneself included, as in the worked example.
    #[default]
    All,
    /// The others only, as in the text.
    Others,
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

impl Eval {
    /// The exponent of a card's value.
    #[inline]
    pub fn exponent(self, public: &Public, hand: Cards, card: Card) -> i32 {
        let r = match self.r {
            PlayersCounted::All => public.in_play(),
            PlayersCounted::Others => public.in_play() - 1,
        };
        let series = card.series();
        let own = series.and(hand).len() as i32 - 1;
        let others = series.minus(public.table).minus(hand).len() as i32;
        i32::from(r) * own - others
    }

    #[inline]
    fn pass_value(public: &Public, seat: Seat, hand: Cards) -> PassValue {
        let own = public.passes[seat.index()];
        if own == 0 {
            return PassValue::Zero;
        }
        let stops_all = public.playable().minus(hand).is_empty();
        if stops_all && Self::has_most_passes(public, seat) {
            PassValue::Infinite
        } else {
            PassValue::AlmostOne
        }
    }

    fn has_most_passes(public: &Public, seat: Seat) -> bool {
        (0..MAX_PLAYERS.min(public.players.into()))
            .map(Seat::new)
            .filter(|&other| other != seat && public.is_in_play(other))
            .all(|other| public.passes[other.index()] < public.passes[seat.index()])
    }
}

/// What the evaluation would do: pass, or lay any of some equally good cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    Pass,
    Any(Cards),
}

impl Eval {
    /// The best actions of a hand of which `cards`, at least one, can be laid.
    #[inline]
    pub(super) fn best(self, public: &Public, seat: Seat, hand: Cards, cards: Cards) -> Choice {
        if hand.len() == 1 {
            // A last card that can be laid is laid.
            return Choice::Any(cards);
        }
        let pass = Self::pass_value(public, seat, hand);
        if pass == PassValue::Infinite {
            return Choice::Pass;
        }
        let mut best = i32::MIN;
        let mut ties = Cards::NONE;
        for card in cards {
            let exponent = self.exponent(public, hand, card);
            if exponent > best {
                best = exponent;
                ties = Cards::NONE;
            }
            if exponent == best {
                ties = ties.with(card);
            }
        }
        if best < 0 && pass == PassValue::AlmostOne { Choice::Pass } else { Choice::Any(ties) }
    }
}

impl Strategy for Eval {
    #[inline]
    fn choose(
        &self,
        public: &Public,
        seat: Seat,
        hand: Cards,
        cards: Cards,
        rng: &mut Rng,
    ) -> Action {
        match self.best(public, seat, hand, cards) {
            Choice::Pass => Action::Pass,
            Choice::Any(ties) => ties.choose(rng).map_or(Action::Pass, Action::Lay),
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
                match Self::pass_value(public, view.seat(), hand) {
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
