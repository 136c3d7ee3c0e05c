use super::path::Path;
use crate::{Saboteur, View, World};
use oboro_core::{GameWorld, Rng, Seat, SeatView};
use oboro_search::{ByView, Defaults, PlayoutPolicy, Searchable};

impl Searchable for Saboteur {
    const DEFAULTS: Defaults = Defaults { playouts: 3000, ..Defaults::GENERAL };

    /// The nuggets won so far.
    const ESTIMATE: Option<fn(&World, Seat) -> f64> = Some(World::payoff);

    /// Random play is no default: it reached the gold in 1 round of 6 000.
    fn policies() -> Vec<PlayoutPolicy<Saboteur>> {
        vec![
            PlayoutPolicy::new("path", "as `path` does", ByView::new(Path::default())),
            PlayoutPolicy::random(),
        ]
    }

    /// The most that one round pays: 3 nuggets for each gold card that the luckiest digger takes, or
    /// the 4 of a single saboteur.
    fn payoff_range(&self) -> f64 {
        let fewest_diggers = usize::from(self.players) - self.saboteur_cards();
        let cards = self.gold_cards().div_ceil(fewest_diggers);
        (3.0 * cards as f64).max(Saboteur::saboteur_nuggets(1).into())
    }

    /// This round is the last: roles, goals and cards of the next do not depend on it.
    fn imagine(view: &View, rng: &mut Rng) -> World {
        let mut world = view.imagine(rng);
        world.public.rules.rounds = world.public.past_len + 1;
        world
    }
}
