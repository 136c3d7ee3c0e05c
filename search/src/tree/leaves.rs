use crate::playout::play_out_batch;
use oboro_core::{GameWorld, Policy, Rng};

/// The playouts that begin at one leaf, kept where the next leaf's go.
#[derive(Debug)]
pub(super) struct Leaves<W> {
    worlds: Vec<W>,
}

impl<W: GameWorld> Leaves<W> {
    pub(super) fn new() -> Leaves<W> {
        Leaves { worlds: Vec::new() }
    }

    /// How a world ends, played out so often from here.
    #[inline]
    pub(super) fn play_out(
        &mut self,
        world: W,
        playouts: u32,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) -> &[W] {
        self.worlds.clear();
        self.worlds.extend((1..playouts).map(|_| world.clone()));
        self.worlds.push(world);
        play_out_batch(&mut self.worlds, policy, rng);
        &self.worlds
    }
}
