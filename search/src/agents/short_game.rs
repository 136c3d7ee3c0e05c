use oboro_core::{GameWorld, Policy, Rng, Seat};
use std::fmt;

/// A game that is truncated after a number of plies, and then has an estimated payoff.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(
    unpredictable_function_pointer_comparisons,
    reason = "the trait asks for equality; no search compares worlds"
)]
pub(super) struct ShortGame<W> {
    world: W,
    plies_left: u32,
    estimate: Option<fn(&W, Seat) -> f64>,
}

/// More plies than any game has.
const ENDLESS: u32 = u32::MAX;

impl<W: GameWorld> ShortGame<W> {
    /// A game of so many plies from here; 0 for all there are.
    #[inline]
    pub(super) fn new(world: W, plies: u32, estimate: Option<fn(&W, Seat) -> f64>) -> ShortGame<W> {
        ShortGame { world, plies_left: if plies == 0 { ENDLESS } else { plies }, estimate }
    }
}

impl<W: GameWorld> GameWorld for ShortGame<W> {
    type Action = W::Action;
    type View = W::View;
    type Event = W::Event;

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        if self.plies_left == 0 { None } else { self.world.to_act() }
    }

    #[inline]
    fn for_each_legal(&self, visit: impl FnMut(W::Action)) {
        if self.plies_left > 0 {
            self.world.for_each_legal(visit);
        }
    }

    #[inline]
    fn apply(&mut self, action: W::Action) {
        self.world.apply(action);
        if self.plies_left < ENDLESS {
            self.plies_left -= 1;
        }
    }

    #[inline]
    fn payoff(&self, seat: Seat) -> f64 {
        match self.estimate {
            Some(estimate) if self.world.to_act().is_some() => estimate(&self.world, seat),
            _ => self.world.payoff(seat),
        }
    }

    fn view(&self, seat: Seat) -> W::View {
        self.world.view(seat)
    }

    #[inline]
    fn event(&self, action: W::Action, seat: Seat) -> W::Event {
        self.world.event(action, seat)
    }
}

impl<W: fmt::Display> fmt::Display for ShortGame<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.world.fmt(f)
    }
}

/// A policy of the whole game in a short one.
pub(super) struct ShortPolicy<'a, P, W> {
    policy: &'a mut P,
    /// The worlds of a batch of games.
    worlds: Vec<W>,
}

impl<'a, P, W> ShortPolicy<'a, P, W> {
    pub(super) fn new(policy: &'a mut P) -> ShortPolicy<'a, P, W> {
        ShortPolicy { policy, worlds: Vec::new() }
    }
}

impl<W: GameWorld, P: Policy<W>> Policy<ShortGame<W>> for ShortPolicy<'_, P, W> {
    #[inline]
    fn choose(&mut self, game: &ShortGame<W>, rng: &mut Rng) -> W::Action {
        self.policy.choose(&game.world, rng)
    }

    #[inline]
    fn play_out(&mut self, game: &mut ShortGame<W>, rng: &mut Rng) {
        if game.plies_left == ENDLESS {
            // The policy may know a quicker way through a whole game.
            return self.policy.play_out(&mut game.world, rng);
        }
        while game.to_act().is_some() {
            let action = self.policy.choose(&game.world, rng);
            game.apply(action);
        }
    }

    fn play_out_all(&mut self, games: &mut [ShortGame<W>], rng: &mut Rng) {
        if games.iter().any(|game| game.plies_left < ENDLESS) {
            for game in games {
                self.play_out(game, &mut rng.fork());
            }
            return;
        }
        self.worlds.clear();
        self.worlds.extend(games.iter().map(|game| game.world.clone()));
        self.policy.play_out_all(&mut self.worlds, rng);
        for (game, world) in games.iter_mut().zip(self.worlds.drain(..)) {
            game.world = world;
        }
    }
}
