//! Manners that were learned: how much a player likes each kind of card and the pass, as tables.

use super::Manner;
use crate::{Action, Card, Cards, Public};
use oboro_core::{Rng, Seat};
use std::sync::LazyLock;

/// As players that search do: made by `examples/imitate.rs`.
pub(super) static SEARCHER: LazyLock<Style> = LazyLock::new(|| {
    let mut logits = [0.0; Style::PARAMETERS];
    let mut numbers = include_str!("searcher.txt").split_whitespace();
    for logit in &mut logits {
        *logit = numbers.next().and_then(|n| n.parse().ok()).expect("a number for each parameter");
    }
    Style::of_logits(&logits)
});

/// How much a player likes each thing it can do. Actions are chosen in proportion to these weights.
///
/// What counts for a card is its *trail*, the cards of its series beyond it that are not on the table yet, from the nearest
/// outwards, each its own or another's; and the *stage* of the game: passes left to it and to the others, and
/// how many players are left. What counts for a pass is the stage, how many cards it could lay without opening
/// anything to the others, and whether the others can lay anything at all.
#[derive(Clone, PartialEq, Debug)]
pub struct Style {
    weights: [f32; Style::PARAMETERS],
}

/// One of the things a player can do, and which parameter tells how much it likes that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What it does.
    pub action: Action,
    /// The number of the parameter.
    pub parameter: usize,
}

/// Own passes (0 to 3), the others' (0 to 3), players left (2, 3, or more).
const STAGES: usize = 4 * 4 * 3;
/// Five cards at most, each own or another's, and how many there are.
const TRAILS: usize = 64;
/// Cards that open nothing (0 to 4), and whether the others are stopped.
const LEISURES: usize = 5 * 2;

impl Style {
    /// How many parameters there are.
    pub const PARAMETERS: usize = STAGES * (TRAILS + LEISURES);

    /// The style whose parameters are the logarithms of its weights.
    pub fn of_logits(logits: &[f32; Style::PARAMETERS]) -> Style {
        Style { weights: logits.map(libm::expf) }
    }

    /// How much it likes something.
    #[inline]
    pub(super) fn weight(&self, choice: Choice) -> f32 {
        self.weights[choice.parameter]
    }

    /// Everything a player with playable cards can do.
    #[inline]
    pub fn choices(
        public: &Public,
        seat: Seat,
        hand: Cards,
        cards: Cards,
        visit: impl FnMut(Choice),
    ) {
        Situation::new(public, seat).choices(hand, cards, visit);
    }

    /// How probable an action is, of a player with playable cards.
    #[inline]
    pub(super) fn probability(
        &self,
        situation: &Situation,
        hand: Cards,
        cards: Cards,
        action: Action,
    ) -> f64 {
        let (mut sum, mut of_it) = (0.0, 0.0);
        situation.choices(hand, cards, |choice| {
            let weight = self.weight(choice);
            sum += weight;
            if choice.action == action {
                of_it = weight;
            }
        });
        f64::from(of_it) / f64::from(sum)
    }
}

impl Manner for &'static Style {
    #[inline]
    fn choose(
        &self,
        public: &Public,
        seat: Seat,
        hand: Cards,
        cards: Cards,
        rng: &mut Rng,
    ) -> Cards {
        // One run through the choices: each replaces those before it with the probability that it has among them.
        let mut bits = rng.bits();
        let mut chosen = Cards::NONE;
        let mut sum = 0.0;
        Style::choices(public, seat, hand, cards, |choice| {
            let weight = self.weight(choice);
            sum += weight;
            // Four choices share the bits of a draw.
            let unit = (bits & 0xFFFF) as f32 * (1.0 / 65536.0);
            bits >>= 16;
            if bits == 0 {
                bits = rng.bits();
            }
            if unit * sum < weight {
                chosen = match choice.action {
                    Action::Lay(card) => Cards::NONE.with(card),
                    Action::Pass => Cards::NONE,
                };
            }
        });
        chosen
    }
}

/// What choices depend on beside the hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    stage: usize,
    unseen: Cards,
    playable: Cards,
    may_pass: bool,
}

impl Situation {
    #[inline]
    pub(super) fn new(public: &Public, seat: Seat) -> Situation {
        let (mut sum, mut count) = (0, 0);
        for other in 0..usize::from(public.players) {
            let counts = u8::from(other != seat.index() && public.ranks[other] == Public::IN_PLAY);
            sum += public.passes[other] * counts;
            count += counts;
        }
        let others = usize::from(sum.div_ceil(count.max(1)).min(3));
        let passes = public.passes[seat.index()];
        let own = usize::from(passes.min(3));
        let players = usize::from(count.clamp(1, 3) - 1);
        Situation {
            stage: (own * 4 + others) * 3 + players,
            unseen: public.unseen(),
            playable: public.playable(),
            may_pass: passes > 0,
        }
    }

    #[inline]
    fn choices(&self, hand: Cards, cards: Cards, mut visit: impl FnMut(Choice)) {
        let others = self.unseen.minus(hand);
        let mut free = 0;
        for card in cards {
            let trail = trail(card, hand, others);
            free += usize::from(FREE[trail]);
            let parameter = self.stage * TRAILS + trail;
            visit(Choice { action: Action::Lay(card), parameter });
        }
        if self.may_pass {
            let stopped = usize::from(self.playable.minus(hand).is_empty());
            let leisure = free.min(4) * 2 + stopped;
            let parameter = STAGES * TRAILS + self.stage * LEISURES + leisure;
            visit(Choice { action: Action::Pass, parameter });
        }
    }
}

/// The number of a card's trail.
#[inline]
fn trail(card: Card, hand: Cards, others: Cards) -> usize {
    let beyond = |set: Cards| {
        let byte = (set.0 >> (card.index() & 0x38)) as u8;
        if card.rank() > 7 {
            usize::from((byte & 0x3F) >> (card.rank() - 7))
        } else {
            usize::from(REVERSED[usize::from(byte >> 1 & 0x3F)] >> (7 - card.rank()))
        }
    };
    usize::from(TRAIL[beyond(hand) * 32 + beyond(others)])
}

/// Six bits the other way round.
static REVERSED: [u8; 64] = {
    let mut reversed = [0; 64];
    let mut i = 0;
    while i < 64 {
        reversed[i] = (i as u8).reverse_bits() >> 2;
        i += 1;
    }
    reversed
};

/// The number of a trail: a one, then a digit for each card from the nearest outwards, one for the own. By the own
/// cards beyond and the others'.
static TRAIL: [u8; 1024] = {
    let mut trails = [0; 1024];
    let mut i = 0;
    while i < 1024 {
        let (own, others) = (i / 32, i % 32);
        let mut trail = 1;
        let mut bit = 0;
        while bit < 5 {
            if (own | others) >> bit & 1 != 0 {
                trail = trail * 2 + (own >> bit & 1) as u8;
            }
            bit += 1;
        }
        trails[i] = trail;
        i += 1;
    }
    trails
};

/// How many cards can be laid along a trail, the one before it included, that open nothing to the others.
static FREE: [u8; TRAILS] = {
    let mut free = [0; TRAILS];
    let mut trail = 1;
    while trail < TRAILS {
        let length = trail.ilog2();
        let mut own = 0;
        while own < length && trail >> (length - 1 - own) & 1 != 0 {
            own += 1;
        }
        free[trail] = if own == length { own as u8 + 1 } else { own as u8 };
        trail += 1;
    }
    free
};
