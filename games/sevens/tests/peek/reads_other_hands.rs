//! An agent that looks for the other hands inside its view.
use oboro_core::{Agent, Rng};
use oboro_sevens::{Action, Sevens, View};

struct Peeker;

impl Agent<Sevens> for Peeker {
    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        let _ = view.hands;
        Action::Pass
    }
}

fn main() {}
