use crate::{Labyrinth, World};
use oboro_core::Seat;
use oboro_search::{Defaults, Searchable};

impl Searchable for Labyrinth {
    /// A turn has about a thousand actions and a random game hundreds of turns: playouts are short, so
    /// that every action gets a few, and exploration is small beside what one treasure more is worth.
    const DEFAULTS: Defaults = Defaults { playouts: 2500, worlds: 2, c: 0.02, depth: 4 };

    const ESTIMATE: Option<fn(&World, Seat) -> f64> = Some(chance_by_goals_left);
}

/// The chance to win, guessed from how many goals everybody still has to reach, the way home
/// included: chances are to each other as their inverses.
fn chance_by_goals_left(world: &World, seat: Seat) -> f64 {
    let public = world.public();
    let speed = |seat: Seat| 1.0 / (public.cards_left(seat) + 1) as f64;
    speed(seat) / Seat::all(public.seats()).map(speed).sum::<f64>()
}
