//! Policies that choose from the public table and one hand, as agents and inside playouts.

use crate::{Action, Cards, Public, Sevens, View, World};
use oboro_core::{Agent, Analysis, GameWorld, Policy, Rng, Seat, SeatView};

/// A decision of the seat to move, which has a playable card.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The public table.
    pub public: &'a Public,
    /// The seat to move.
    pub seat: Seat,
    /// Its cards.
    pub hand: Cards,
    /// Those of its cards that it can lay, at least one.
    pub cards: Cards,
}

/// A policy that reads the public table and the own hand, and nothing else. [`HandPlayer`] makes an agent and a
/// playout policy of it.
pub trait HandPolicy: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// The set of the one card to lay, or the empty set for a pass.
    fn choose(&self, turn: Turn<'_>, rng: &mut Rng) -> Cards;

    /// The cards of which one is laid, each with the same probability; none for a pass. Nothing if that is not all there is to
    /// the policy.
    fn options(&self, turn: Turn<'_>) -> Option<Cards> {
        let _ = turn;
        None
    }

    /// The policy's evaluation of the legal actions.
    fn explain(&self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        Analysis::of_choice(self.choose_or_pass(view.public(), view.seat(), view.hand(), rng))
    }

    /// Plays all worlds to their end with this policy in every seat. Each world has a random stream of its own,
    /// [forked](Rng::fork) in order.
    #[inline]
    fn play_out_all(&self, worlds: &mut [World], rng: &mut Rng) {
        for world in worlds {
            crate::playout::play_out(self, world, &mut rng.fork());
        }
    }

    /// As [`choose`](HandPolicy::choose), and a pass where nothing is playable.
    #[inline]
    fn choose_or_pass(&self, public: &Public, seat: Seat, hand: Cards, rng: &mut Rng) -> Action {
        let cards = public.playable_of(hand);
        if cards.is_empty() {
            return Action::Pass;
        }
        let laid = self.choose(Turn { public, seat, hand, cards }, rng);
        laid.iter().next().map_or(Action::Pass, Action::Lay)
    }
}

/// Plays by a [`HandPolicy`], as an agent or inside playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandPlayer<P>(pub P);

impl<P: HandPolicy> Agent<Sevens> for HandPlayer<P> {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.0.choose_or_pass(view.public(), view.seat(), view.hand(), rng)
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        self.0.explain(view, rng)
    }
}

impl<P: HandPolicy> Policy<World> for HandPlayer<P> {
    #[inline]
    fn choose(&mut self, world: &World, rng: &mut Rng) -> Action {
        let seat = world.to_act().expect("a policy is asked only while the game goes on");
        self.0.choose_or_pass(world.public(), seat, world.hand(seat), rng)
    }

    fn probability(&mut self, world: &World, action: Action) -> f64 {
        let seat = world.to_act().expect("a policy is asked only while the game goes on");
        let (public, hand, cards) = (world.public(), world.hand(seat), world.playable_hand());
        if cards.is_empty() {
            return 1.0;
        }
        match (self.0.options(Turn { public, seat, hand, cards }), action) {
            (None, _) => Sampled(self).probability(world, action),
            (Some(cards), Action::Lay(card)) if cards.contains(card) => 1.0 / cards.len() as f64,
            (Some(cards), Action::Pass) if cards.is_empty() => 1.0,
            _ => 0.0,
        }
    }

    #[inline]
    fn play_out(&mut self, world: &mut World, rng: &mut Rng) {
        crate::playout::play_out(&self.0, world, rng);
    }

    #[inline]
    fn play_out_all(&mut self, worlds: &mut [World], rng: &mut Rng) {
        self.0.play_out_all(worlds, rng);
    }
}

/// A policy of which no more is known than what it chooses.
struct Sampled<'a, P>(&'a mut P);

impl<P: Policy<World>> Policy<World> for Sampled<'_, P> {
    fn choose(&mut self, world: &World, rng: &mut Rng) -> Action {
        self.0.choose(world, rng)
    }
}

/// The paper's random player (4.1): any playable card, a pass only when it must.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Random;

impl HandPolicy for Random {
    #[inline]
    fn choose(&self, turn: Turn<'_>, rng: &mut Rng) -> Cards {
        turn.cards.choose_one(rng)
    }

    fn options(&self, turn: Turn<'_>) -> Option<Cards> {
        Some(turn.cards)
    }

    fn play_out_all(&self, worlds: &mut [World], rng: &mut Rng) {
        crate::playout::play_out_all_randomly::<false>(worlds, rng);
    }
}
