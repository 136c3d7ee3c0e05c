use crate::policy::EagerPolicy;
use crate::{Geister, World};
use oboro_core::{GameWorld, Seat};
use oboro_search::{Defaults, PlayoutPolicy, Searchable};

impl Searchable for Geister {
    const DEFAULTS: Defaults = Defaults { playouts: 10_000, ..Defaults::GENERAL };

    /// A draw.
    const ESTIMATE: Option<fn(&World, Seat) -> f64> = Some(World::payoff);

    fn policies() -> Vec<PlayoutPolicy<Geister>> {
        vec![
            PlayoutPolicy::random(),
            PlayoutPolicy::new("eager", "leaves and takes blues when it can", EagerPolicy),
        ]
    }
}
