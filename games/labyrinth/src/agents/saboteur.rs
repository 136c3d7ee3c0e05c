use crate::action::Action;
use crate::entry::Entry;
use crate::tile::Rotation;
use crate::{Labyrinth, View};
use oboro_core::{ActionValue, Agent, Analysis, Rng, params};

params! {
    /// Parameters of [`Saboteur`].
    pub struct SaboteurParams {
        /// Cost of each cell that another player can reach: 1 in the thesis, 2 in the public program.
        pub weight: u32 = 1 => {"minimum": 0, "maximum": 100},
    }
}

/// The value of standing on another pawn's tile.
const COMPANY: i64 = 10;

/// Minimises the cells that the others can reach, with a bonus for standing on their tiles. It never looks for its own
/// treasures, so it hardly ever wins.
///
/// Turns are valued in the order of Big Brain; the first of the best is played.
#[derive(Clone, Debug)]
pub struct Saboteur {
    params: SaboteurParams,
}

impl Saboteur {
    /// Builds the agent.
    pub fn new(params: SaboteurParams) -> Saboteur {
        Saboteur { params }
    }

    fn for_each_value(&self, view: &View, mut visit: impl FnMut(Action, i64)) {
        let public = view.public();
        for entry in Entry::legal_after(public.last_push()) {
            for rotation in Rotation::ALL {
                let corridors = public.board().corridors_after(entry, rotation);
                let rivals = || view.others().map(|seat| entry.carry(public.pawn(seat)));
                let open: usize = rivals().map(|pawn| corridors.reach(pawn.into()).len()).sum();
                corridors.walk(entry.carry(public.pawn(view.seat)), |to| {
                    let company = if rivals().any(|pawn| pawn == to) { COMPANY } else { 0 };
                    let value = company - i64::from(self.params.weight) * open as i64;
                    visit(Action { entry, rotation, to }, value);
                });
            }
        }
    }
}

impl Agent<Labyrinth> for Saboteur {
    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        let mut best: Option<(Action, i64)> = None;
        self.for_each_value(view, |action, value| {
            if best.is_none_or(|(_, max)| value > max) {
                best = Some((action, value));
            }
        });
        best.expect("there is a legal turn").0
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let mut values = Vec::new();
        self.for_each_value(view, |action, value| {
            values.push(ActionValue::new(action, value as f64));
        });
        Analysis { choice: self.act(view, rng), measure: "value", values, drawing: None }
    }
}
