//! An agent that tries to get from its view to the world it was taken from.
use oboro_core::{Agent, Rng};
use oboro_sevens::{Action, Sevens, View};

struct Peeker;

impl Agent<Sevens> for Peeker {
    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        let _ = view.world();
        Action::Pass
    }
}

fn main() {}
