//! The agents of the paper, and one of our own.

mod crowd;
mod eval;
mod mc;
mod oboro;
mod reader;
mod reading;
mod rule;
mod standard;
mod style;
mod suspects;
mod upp;

pub use eval::{Eval, Outlasts, PlayersCounted, Stops, Ties};
pub use mc::{MonteCarlo, PolicyName};
pub use oboro::{Oboro, Search};
pub use reader::Reader;
pub use rule::Rule;
pub use style::{Choice, Style};
pub use suspects::{Manners, Suspect};
pub use upp::{Match, Order, Upp};

use crate::{Action, Cards, Public, Sevens, View, World};
use oboro_core::{
    Agent, AgentEntry, Analysis, Game, GameWorld, NoParams, Policy, Rng, Seat, SeatView, fresh,
};
use oboro_search::with_standard_agents;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A way to play that looks at what everybody knows and at the own hand, and at nothing else. It serves
/// as an agent and, wrapped in [`PlaysBy`], as a playout policy.
pub trait Manner: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Chooses for the seat to move: a set of the one card it lays, or of none if it passes. `cards` are the
    /// playable cards of `hand`, at least one.
    fn choose(
        &self,
        public: &Public,
        seat: Seat,
        hand: Cards,
        cards: Cards,
        rng: &mut Rng,
    ) -> Cards;

    /// What it thinks of the actions.
    fn explain(&self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        Analysis::of_choice(self.choose_or_pass(view.public(), view.seat(), view.hand(), rng))
    }

    /// Plays worlds to their end, every seat in this manner, each with a stream of its own that is
    /// [forked](Rng::fork) for it, in order.
    #[inline]
    fn play_out_all(&self, worlds: &mut [World], rng: &mut Rng) {
        for world in worlds {
            crate::playout::play_out(self, world, &mut rng.fork());
        }
    }

    /// As [`choose`](Manner::choose), but passes where nothing is playable.
    #[inline]
    fn choose_or_pass(&self, public: &Public, seat: Seat, hand: Cards, rng: &mut Rng) -> Action {
        let cards = public.playable_of(hand);
        if cards.is_empty() {
            return Action::Pass;
        }
        self.choose(public, seat, hand, cards, rng).iter().next().map_or(Action::Pass, Action::Lay)
    }
}

/// A [`Manner`] at work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlaysBy<S>(pub S);

impl<S: Manner> Agent<Sevens> for PlaysBy<S> {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.0.choose_or_pass(view.public(), view.seat(), view.hand(), rng)
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        self.0.explain(view, rng)
    }
}

impl<S: Manner> Policy<World> for PlaysBy<S> {
    #[inline]
    fn choose(&mut self, world: &World, rng: &mut Rng) -> Action {
        let seat = world.to_act().expect("a policy is asked only while the game goes on");
        self.0.choose_or_pass(world.public(), seat, world.hand(seat), rng)
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

/// The paper's random player (4.1): any playable card, a pass only when it must.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Random;

impl Manner for Random {
    #[inline]
    fn choose(&self, _: &Public, _: Seat, _: Cards, cards: Cards, rng: &mut Rng) -> Cards {
        cards.choose_one(rng)
    }

    fn play_out_all(&self, worlds: &mut [World], rng: &mut Rng) {
        crate::playout::play_out_all_randomly::<false>(worlds, rng);
    }
}

/// The parameters of `random`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RandomPlayer {
    /// Whether a pass is one more thing to draw while passes are left. The paper's text leaves it out; one row of
    /// its tables calls the player by another name.
    pub pass: bool,
}

impl Manner for RandomPlayer {
    fn choose(
        &self,
        public: &Public,
        seat: Seat,
        hand: Cards,
        cards: Cards,
        rng: &mut Rng,
    ) -> Cards {
        if self.pass && public.passes[seat.index()] > 0 && rng.below(cards.len() + 1) == 0 {
            return Cards::NONE;
        }
        Random.choose(public, seat, hand, cards, rng)
    }
}

/// Every agent by name.
pub fn agents() -> Vec<AgentEntry<Sevens>> {
    with_standard_agents(vec![
        AgentEntry::new(
            "random",
            "Ishikawa and Fujita 2018, 4.1",
            "Lays any playable card; passes only when it must",
            |_, params: &RandomPlayer| Ok(fresh(PlaysBy(*params))),
        ),
        AgentEntry::new(
            "rule",
            "Ishikawa and Fujita 2018, 4.2",
            "Lays a playable card as far from 7 as it can; passes only when it must",
            |_, _: &NoParams| Ok(fresh(PlaysBy(Rule))),
        ),
        AgentEntry::new(
            "eval",
            "Ishikawa and Fujita 2018, 4.3",
            "Opens series in which it holds cards itself and keeps those closed that help others",
            |_, params: &Eval| Ok(fresh(PlaysBy(*params))),
        ),
        AgentEntry::new(
            "mc",
            "Ishikawa and Fujita 2018, 4.4",
            "Flat Monte Carlo over random deals of the unknown cards",
            |_, params: &MonteCarlo| params.factory(),
        )
        .positional(&["playouts"]),
        AgentEntry::new(
            "upp",
            "Ishikawa and Fujita 2018, 4.5.2",
            "Monte Carlo whose deals favour what earlier playouts that came true had assumed",
            |game: &Sevens, params: &Upp| params.factory(game.seats()),
        )
        .positional(&["playouts"]),
        AgentEntry::new(
            "reader",
            "Oboro",
            "Monte Carlo over worlds that explain what the others laid and when they passed",
            |_, params: &Reader| params.factory(),
        )
        .positional(&["worlds"]),
        AgentEntry::new(
            "oboro",
            "Oboro",
            "Finds out how each of the others plays, reads their hands by that, and plays it out",
            |rules, params: &Oboro| params.factory(rules),
        )
        .positional(&["playouts"]),
    ])
}
