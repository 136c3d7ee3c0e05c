use super::{Eval, HandPlayer, Random, Rule};
use crate::{Sevens, World};
use oboro_core::{GameWorld, Seat};
use oboro_search::{PlayoutPolicy, Searchable};

impl Searchable for Sevens {
    const ESTIMATE: Option<fn(&World, Seat) -> f64> = Some(share_of_the_rest);

    fn policies() -> Vec<PlayoutPolicy<Sevens>> {
        vec![
            PlayoutPolicy::new("random", "as `random` does", HandPlayer(Random)),
            PlayoutPolicy::new("rule", "as `rule` does", HandPlayer(Rule)),
            PlayoutPolicy::new("eval", "as `eval` does", HandPlayer(Eval::default())),
        ]
    }

    /// From the last to the first.
    fn payoff_range(&self) -> f64 {
        2.0
    }
}

/// A player that is out has its points; the others share the rest.
fn share_of_the_rest(world: &World, seat: Seat) -> f64 {
    let public = world.public();
    if !public.is_in_play(seat) {
        return world.payoff(seat);
    }
    let won: f64 = Seat::all(public.players.into()).map(|seat| world.payoff(seat)).sum();
    (f64::from(public.players) - won) / f64::from(public.in_play())
}
