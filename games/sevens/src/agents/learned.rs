//! A policy fitted to recorded games: a table of weights for cards and for the pass.

use crate::policy::{HandPolicy, Turn};
use crate::{Action, Card, Cards, Public};
use oboro_core::{Rng, Seat};
use std::sync::LazyLock;

/// Imitates the search agents; `examples/imitate.rs` fits it.
pub(super) static SEARCHER: LazyLock<LearnedPolicy> = LazyLock::new(|| {
    let mut logits = [0.0; LearnedPolicy::PARAMETERS];
    let mut numbers = include_str!("searcher.txt").split_whitespace();
    for logit in &mut logits {
        *logit = numbers.next().and_then(|n| n.parse().ok()).expect("a number for each parameter");
    }
    LearnedPolicy::of_logits(&logits)
});

/// A weight for each action; actions are chosen in proportion to their weights.
///
/// The weight of a card depends on its *trail* and on the *stage* of the game. The trail is the cards of its series
/// beyond it that are not on the table, from the nearest outwards, each own or another's. The stage is the own
/// passes, the others' passes, and the number of players left. The weight of a pass depends on the stage, on the
/// number of cards that open nothing to the others, and on whether the others can lay anything.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnedPolicy {
    weights: [f32; LearnedPolicy::PARAMETERS],
}

/// An action and the index of the parameter that is its weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionParameter {
    /// The action.
    pub action: Action,
    /// The index of the parameter.
    pub parameter: usize,
}

/// Own passes (0 to 3), the others' (0 to 3), players left (2, 3, or more).
const STAGES: usize = 4 * 4 * 3;
/// Up to five cards, each own or another's, and how many there are.
const TRAILS: usize = 64;
/// Cards that open nothing (0 to 4), and whether the others are stopped.
const PASS_STATES: usize = 5 * 2;

impl LearnedPolicy {
    /// The number of parameters.
    pub const PARAMETERS: usize = STAGES * (TRAILS + PASS_STATES);

    /// The policy whose weights have these logarithms.
    fn of_logits(logits: &[f32; LearnedPolicy::PARAMETERS]) -> LearnedPolicy {
        LearnedPolicy { weights: logits.map(libm::expf) }
    }

    #[inline]
    pub(super) fn weight(&self, of: ActionParameter) -> f32 {
        self.weights[of.parameter]
    }

    /// Calls `visit` for every legal action of a turn.
    #[inline]
    pub fn for_each_action(turn: Turn<'_>, visit: impl FnMut(ActionParameter)) {
        PolicyContext::new(turn.public, turn.seat).for_each_action(turn.hand, turn.cards, visit);
    }

    /// The probability of an action with this hand, of which `cards`, at least one, are playable.
    #[inline]
    pub(super) fn probability(
        &self,
        context: &PolicyContext,
        hand: Cards,
        cards: Cards,
        action: Action,
    ) -> f64 {
        let (mut total, mut weight) = (0.0, 0.0);
        context.for_each_action(hand, cards, |of| {
            total += self.weight(of);
            if of.action == action {
                weight = self.weight(of);
            }
        });
        f64::from(weight) / f64::from(total)
    }
}

impl HandPolicy for &'static LearnedPolicy {
    #[inline]
    fn choose(&self, turn: Turn<'_>, rng: &mut Rng) -> Cards {
        // One pass: each action replaces those before it with its probability among them.
        let mut bits = rng.bits();
        let mut chosen = Cards::EMPTY;
        let mut total = 0.0;
        LearnedPolicy::for_each_action(turn, |of| {
            let weight = self.weight(of);
            total += weight;
            // Four actions share the bits of a draw.
            let unit = (bits & 0xFFFF) as f32 * (1.0 / 65536.0);
            bits >>= 16;
            if bits == 0 {
                bits = rng.bits();
            }
            if unit * total < weight {
                chosen = match of.action {
                    Action::Lay(card) => card.into(),
                    Action::Pass => Cards::EMPTY,
                };
            }
        });
        chosen
    }
}

/// All that the weights depend on besides the hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct PolicyContext {
    stage: usize,
    unseen: Cards,
    playable: Cards,
    may_pass: bool,
}

impl PolicyContext {
    #[inline]
    pub(super) fn new(public: &Public, seat: Seat) -> PolicyContext {
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
        PolicyContext {
            stage: (own * 4 + others) * 3 + players,
            unseen: public.unseen(),
            playable: public.playable(),
            may_pass: passes > 0,
        }
    }

    #[inline]
    fn for_each_action(&self, hand: Cards, cards: Cards, mut visit: impl FnMut(ActionParameter)) {
        let others = self.unseen.without(hand);
        let mut free = 0;
        for card in cards {
            let trail = trail(card, hand, others);
            free += usize::from(FREE[trail]);
            let parameter = self.stage * TRAILS + trail;
            visit(ActionParameter { action: Action::Lay(card), parameter });
        }
        if self.may_pass {
            let stopped = usize::from(self.playable.without(hand).is_empty());
            let state = free.min(4) * 2 + stopped;
            let parameter = STAGES * TRAILS + self.stage * PASS_STATES + state;
            visit(ActionParameter { action: Action::Pass, parameter });
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

/// The number of a trail, by the own cards beyond and the others': a 1, then a binary digit for each card from the nearest
/// outwards, 1 for an own card.
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

/// The number of cards that can be laid along a trail without opening anything to the others, the first card included.
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
