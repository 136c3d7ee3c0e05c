//! What a seat sees as numbers, for whoever does not know the type of its memory.

use crate::batch::Batch;
use crate::rules::Batcher;
use oboro_core::{EncodingLayout, GameEncoding, GameScenes, ObservationBuffer, Symmetry};
use std::sync::Arc;

/// The ways to the numbers of a game that has them.
#[derive(Clone)]
pub(crate) struct EncodingAdapter<G: GameScenes> {
    pub(crate) batch: Batcher<G>,
    pub(crate) layout: fn(&G) -> EncodingLayout,
    pub(crate) symmetries: fn(&G) -> Vec<Symmetry>,
    /// What a seat remembers that saw the start of a game.
    pub(crate) memory: Rememberer<G>,
}

type Rememberer<G> =
    fn(&G, &Arc<EncodingLayout>, &<G as oboro_core::Game>::View) -> Box<dyn AnyMemory<G>>;

impl<G: GameScenes + GameEncoding> EncodingAdapter<G> {
    pub(crate) fn open() -> EncodingAdapter<G> {
        EncodingAdapter {
            batch: |rules, wanted| Ok(Box::new(Batch::new(rules, wanted)?)),
            layout: G::layout,
            symmetries: G::symmetries,
            memory: |game, layout, start| {
                let memory = game.memory(start);
                Box::new(Remembered { game: game.clone(), layout: Arc::clone(layout), memory })
            },
        }
    }
}

/// What one seat remembers, and how it sees its views as numbers.
pub(crate) trait AnyMemory<G: GameScenes>: Send + Sync {
    /// Takes in an event; `before` is the seat's view just before it.
    fn remember(&mut self, before: &G::View, event: &G::Event);
    /// What the numbers mean.
    fn layout(&self) -> &Arc<EncodingLayout>;
    /// The observation, planes first.
    fn observation(&self, view: &G::View) -> Vec<u8>;
    /// 1 for each number that a legal action has.
    fn mask(&self, view: &G::View) -> Vec<u8>;
    /// The action with this number.
    fn action(&self, view: &G::View, number: usize) -> Option<G::Action>;
    /// The number of a legal action.
    fn number(&self, view: &G::View, action: G::Action) -> usize;
    /// The same once more.
    fn again(&self) -> Box<dyn AnyMemory<G>>;
}

struct Remembered<G: GameEncoding> {
    game: G,
    layout: Arc<EncodingLayout>,
    memory: G::Memory,
}

impl<G: GameScenes + GameEncoding> AnyMemory<G> for Remembered<G> {
    fn remember(&mut self, before: &G::View, event: &G::Event) {
        self.game.remember(&mut self.memory, before, event);
    }

    fn layout(&self) -> &Arc<EncodingLayout> {
        &self.layout
    }

    fn observation(&self, view: &G::View) -> Vec<u8> {
        let shape = &self.layout.observation;
        let mut row = vec![0; shape.len()];
        self.game.encode(view, &self.memory, ObservationBuffer::split(shape, &mut row));
        row
    }

    fn mask(&self, view: &G::View) -> Vec<u8> {
        let mut mask = vec![0; self.layout.actions];
        self.game.mark_legal(view, &mut mask);
        mask
    }

    fn action(&self, view: &G::View, number: usize) -> Option<G::Action> {
        self.game.action_at(view, number)
    }

    fn number(&self, view: &G::View, action: G::Action) -> usize {
        self.game.action_index(view, action)
    }

    fn again(&self) -> Box<dyn AnyMemory<G>> {
        let (game, layout) = (self.game.clone(), Arc::clone(&self.layout));
        Box::new(Remembered { game, layout, memory: self.memory.clone() })
    }
}
