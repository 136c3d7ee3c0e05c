//! An agent that wants to be handed the truth instead of its view.
use oboro_core::{Agent, Rng};
use oboro_sevens::{Action, Sevens, World};

struct Peeker;

impl Agent<Sevens> for Peeker {
    fn act(&mut self, world: &World, _: &mut Rng) -> Action {
        let _ = world;
        Action::Pass
    }
}

fn main() {}
