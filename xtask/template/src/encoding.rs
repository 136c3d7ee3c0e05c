//! Views as numbers, for programs that learn: everything from the observer's own side, and nothing left out.

use crate::{Action, Dice, Event, View, World};
use oboro_core::{Channel, EncodingLayout, GameEncoding, ObservationBuffer, Seat, SeatView, Shape};

/// Where in the features the words of the observer and of the other begin.
const SAID: [usize; 2] = [0, 3];
const FIRST: usize = 6;

impl GameEncoding for Dice {
    /// A view shows everything that happened; there is nothing to remember.
    type Memory = ();

    fn layout(&self) -> EncodingLayout {
        let dice = |names: &[&str]| {
            let about = "what the die shows; nothing while it is hidden";
            let planes = names.iter().map(|name| Channel::flag(*name, about)).collect();
            Shape::new([1, self.sides.into()], planes, vec![])
        };
        let mut observation = dice(&["own die", "other die"]);
        for who in ["own", "other"] {
            for action in Action::ALL {
                let name = format!("{who} {action}");
                observation.features.push(Channel::flag(name, "whether it was said"));
            }
        }
        observation.features.push(Channel::flag("first", "the observer speaks first"));
        EncodingLayout { observation, truth: dice(&["other die"]), actions: Action::ALL.len() }
    }

    fn memory(&self, _: &View) {}

    fn remember(&self, (): &mut (), _: &View, _: &Event) {}

    fn encode(&self, view: &View, (): &(), out: ObservationBuffer<'_>) {
        let dice = [Some(view.own), view.other];
        for (plane, die) in out.planes.chunks_exact_mut(self.sides.into()).zip(dice) {
            if let Some(die) = die {
                plane[usize::from(die) - 1] = 1;
            }
        }
        for (first, seat) in SAID.into_iter().zip([view.seat, view.seat.next(2)]) {
            if let Some(said) = view.public.said[seat.index()] {
                out.features[first + said as usize] = 1;
            }
        }
        out.features[FIRST] = (view.seat == Seat::FIRST).into();
    }

    fn encode_truth(&self, world: &World, seat: Seat, out: ObservationBuffer<'_>) {
        out.planes[usize::from(world.die(seat.next(2))) - 1] = 1;
    }

    fn action_index(&self, _: &View, action: Action) -> usize {
        action as usize
    }

    fn action_at(&self, view: &View, number: usize) -> Option<Action> {
        let action = Action::ALL.get(number).copied()?;
        let free = view.public.said[0] != Some(action);
        (view.to_act() == Some(view.seat) && free).then_some(action)
    }
}
