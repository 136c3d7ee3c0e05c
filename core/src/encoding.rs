use crate::{Game, Seat, SeatView};
use serde::Serialize;
use std::collections::BTreeMap;

/// How a view becomes numbers, for programs that learn.
///
/// An observation is a stack of planes over a small board and a list of features, one byte each, all of fixed
/// shape and with a name; every action has a number. It is written from the view and from what the seat
/// remembers of the events it saw, so nothing hidden can get into it; two views that differ differ in numbers
/// (`check_encoding` of the test kit tests that and the other laws stated here).
///
/// What is true but hidden is written apart, by [`encode_truth`](GameEncoding::encode_truth): for critics and for
/// the targets of beliefs, never for a player.
pub trait GameEncoding: Game {
    /// What a seat has seen that its view no longer shows: who moved what, when, and under which threat. Plain
    /// data that a copy takes along.
    type Memory: Clone + Send + Sync + 'static;

    /// Whether [`encode`](GameEncoding::encode) writes every byte of an observation, so that nobody need clear them before.
    const WRITES_ALL: bool = false;

    /// Whether [`encode_truth`](GameEncoding::encode_truth) leaves out some of what is hidden, such as the order of a deck.
    const TRUTH_IS_PARTIAL: bool = false;

    /// The shapes and the meaning of everything below; fixed by the rules.
    fn layout(&self) -> EncodingLayout;

    /// What a seat remembers at the start.
    fn memory(&self, start: &Self::View) -> Self::Memory;

    /// Takes in an event that the seat saw; `before` is its view just before it.
    fn remember(&self, memory: &mut Self::Memory, before: &Self::View, event: &Self::Event);

    /// Writes the observation of a seat that remembers every event up to this view. `out` has the shape of
    /// [`EncodingLayout::observation`] and is all zeros, or anything if [`WRITES_ALL`](GameEncoding::WRITES_ALL) says so.
    fn encode(&self, view: &Self::View, memory: &Self::Memory, out: ObservationBuffer<'_>);

    /// Writes what is hidden from `seat`. `out` has the shape of [`EncodingLayout::truth`] and is all zeros.
    fn encode_truth(&self, world: &Self::World, seat: Seat, out: ObservationBuffer<'_>);

    /// The number of a legal action of the seat that `view` belongs to, below [`EncodingLayout::actions`]. Different
    /// legal actions have different numbers.
    fn action_index(&self, view: &Self::View, action: Self::Action) -> usize;

    /// Marks the numbers of the legal actions of the seat to move. `out` has [`EncodingLayout::actions`] places and is all
    /// zeros. A game whose batches are to be quick may do so without asking for each action's number.
    fn mark_legal(&self, view: &Self::View, out: &mut [u8]) {
        view.for_each_legal(|action| out[self.action_index(view, action)] = 1);
    }

    /// The action with this number; `None` if no legal action of this view has it. The way back from
    /// [`action_index`](GameEncoding::action_index).
    fn action_at(&self, view: &Self::View, number: usize) -> Option<Self::Action>;

    /// The ways to turn or rename everything that leave the game the same game, the trivial one left out.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }
}

/// Bytes to write an observation into.
#[derive(Debug)]
pub struct ObservationBuffer<'a> {
    /// Plane after plane, each row after row.
    pub planes: &'a mut [u8],
    /// One byte a feature.
    pub features: &'a mut [u8],
}

impl<'a> ObservationBuffer<'a> {
    /// Divides a row of bytes, planes first, into the parts of a shape.
    ///
    /// # Panics
    /// If it has another length.
    pub fn split(shape: &Shape, bytes: &'a mut [u8]) -> ObservationBuffer<'a> {
        assert_eq!(bytes.len(), shape.len(), "an observation of this shape");
        let (planes, features) = bytes.split_at_mut(shape.plane_bytes());
        ObservationBuffer { planes, features }
    }
}

/// What the numbers of a game mean.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EncodingLayout {
    /// What a seat is shown.
    pub observation: Shape,
    /// What is hidden from it.
    pub truth: Shape,
    /// How many numbers actions have.
    pub actions: usize,
}

/// The channels of an observation.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Shape {
    /// Rows of every plane.
    pub rows: usize,
    /// Columns of every plane.
    pub columns: usize,
    /// The planes, in order.
    pub planes: Vec<Channel>,
    /// The features, in order.
    pub features: Vec<Channel>,
}

impl Shape {
    /// A shape over a board of this size.
    pub fn new([rows, columns]: [usize; 2], planes: Vec<Channel>, features: Vec<Channel>) -> Shape {
        Shape { rows, columns, planes, features }
    }

    /// How many bytes a plane has.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// How many bytes all planes have.
    pub fn plane_bytes(&self) -> usize {
        self.planes.len() * self.cells()
    }

    /// How many bytes an observation has.
    pub fn len(&self) -> usize {
        self.plane_bytes() + self.features.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where each byte of the image of an observation comes from under a symmetry that only renames: `renamed` has
    /// at every place the channel that this place's becomes.
    ///
    /// # Panics
    /// If they do not have the same channels.
    pub fn renamed(&self, renamed: &Shape) -> Vec<u32> {
        let names = |channels: &[Channel]| -> BTreeMap<String, usize> {
            let named = channels.iter().enumerate();
            named.map(|(place, channel)| (channel.name.clone(), place)).collect()
        };
        let (planes, features) = (names(&renamed.planes), names(&renamed.features));
        let cells = self.cells();
        let from = self.planes.iter().flat_map(|channel| {
            let first = planes[&channel.name] * cells;
            first..first + cells
        });
        let rest = self.features.iter().map(|channel| self.plane_bytes() + features[&channel.name]);
        from.chain(rest).map(|place| place as u32).collect()
    }
}

/// One plane, or one feature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Channel {
    /// Its name, unlike any other of the same shape.
    pub name: String,
    /// What it says, in a few words.
    pub about: String,
    /// Its largest value; a learner divides by it.
    pub max: u8,
}

impl Channel {
    /// A channel of yes and no.
    pub fn flag(name: impl Into<String>, about: impl Into<String>) -> Channel {
        Channel::count(name, 1, about)
    }

    /// A channel of numbers up to `max`.
    pub fn count(name: impl Into<String>, max: u8, about: impl Into<String>) -> Channel {
        Channel { name: name.into(), about: about.into(), max }
    }
}

/// A way to turn or rename everything that leaves the game the same game.
///
/// The image of an observation has at place `i` what the observation has at `observation[i]`, planes first; the
/// image of the action with number `n` has number `actions[n]`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Symmetry {
    /// Its name.
    pub name: String,
    /// Where each byte of the image of an observation comes from.
    pub observation: Vec<u32>,
    /// Where each byte of the image of a truth comes from.
    pub truth: Vec<u32>,
    /// The number of the image of each action.
    pub actions: Vec<u32>,
}
