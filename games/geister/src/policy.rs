//! Playout policies beside the uniformly random one.

use crate::action::Action;
use crate::piece::Piece;
use crate::square::EXITS;
use crate::world::World;
use oboro_core::{GameWorld, Policy, Rng};

/// Leaves when it can and takes a blue of the imagined colours when it can; otherwise random.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EagerPolicy;

impl Policy<World> for EagerPolicy {
    fn choose(&mut self, world: &World, rng: &mut Rng) -> Action {
        let board = world.public();
        let Some(seat) = world.to_act().filter(|_| board.placed == 2) else {
            return world.random_action(rng);
        };
        if board.occupied(seat) & EXITS[seat.index()] != 0 {
            let leaver = Piece::of_set(board.alive(seat) & !world.reds(seat))
                .find(|&piece| board.is_on_exit(seat, piece));
            if let Some(piece) = leaver {
                return Action::Escape(piece);
            }
        }
        let enemy = seat.next(2);
        let (mut found, mut count) = (None, 0);
        world.for_each_legal(|action| {
            if let Action::Move(piece, direction) = action
                && let Some(captured) = board.capture(seat, piece, direction)
                && !captured.is_in(world.reds(enemy))
            {
                count += 1;
                if rng.below(count) == 0 {
                    found = Some(action);
                }
            }
        });
        found.unwrap_or_else(|| world.random_action(rng))
    }
}
