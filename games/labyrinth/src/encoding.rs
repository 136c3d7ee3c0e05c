//! Views as planes and features, for programs that learn.
//!
//! The board is turned so that the observer's home is at the top left: the fixed tiles map onto themselves then, and
//! a treasure on one of them goes by the cell it comes to. Players are counted from the observer: itself, then the
//! next to move, and so on; there are as many as the rules have. What is said of treasures stands on the board where
//! they lie, and apart for the extra tile.

mod channels;

use crate::action::{Action, Event};
use crate::cell::{Cell, SIZE};
use crate::entry::Entry;
use crate::public::{Goal, MAX_SEATS, Public};
use crate::rules::Labyrinth;
use crate::tile::{Rotation, Shape as Tile, Side};
use crate::tiles::Tiles;
use crate::treasure::{Treasure, TreasureSet};
use crate::view::View;
use crate::world::World;
use oboro_core::{
    EncodingLayout, FeatureWriter, GameEncoding, ObservationBuffer, Seat, SeatView, Symmetry,
};

/// Actions: entries × rotations × where the walk ends.
const ACTIONS: usize = Entry::COUNT * 4 * Cell::COUNT;

/// The planes: those of every game, then those of every player, of every other player, and of movable treasures.
const GOAL: usize = 4;
const UNSEEN: usize = 5;
const FORBIDDEN: usize = 6;
const SEATS: usize = 7;
const SEAT_PLANES: usize = 5;
const PAWN: usize = 0;
const HOME: usize = 1;
const WALKED_FROM: usize = 2;
const PUSHED: usize = 3;
const PASSED_UP: usize = 4;

/// Counts go no further.
const MANY: u8 = 15;

/// The memory of past turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// By seat and treasure: in how many turns since its last find the player could have walked to it and did not.
    passed_up: [[u8; Treasure::COUNT]; MAX_SEATS],
    /// By seat, where the last walk began and where the tile was pushed in.
    last: [Option<(Cell, Entry)>; MAX_SEATS],
}

impl Memory {
    fn saw(&mut self, before: &Public, event: Event) {
        let mover = event.mover;
        let entry = event.action.entry;
        self.last[mover.index()] = Some((entry.carry(before.pawn(mover)), entry));
        let passed_up = &mut self.passed_up[mover.index()];
        if event.found.is_some() {
            *passed_up = [0; Treasure::COUNT];
        } else if !before.is_going_home(mover) {
            for treasure in within_reach(before, mover) {
                let count = &mut passed_up[treasure as usize];
                *count = (*count + 1).min(MANY);
            }
        }
    }
}

/// The treasures to which a player could walk in this turn, by one push or another.
fn within_reach(public: &Public, mover: Seat) -> TreasureSet {
    let board = public.board();
    let targets = Tiles::new(board, public.last_push()).targets(public.pawn(mover));
    let is_within = |treasure: &Treasure| targets.contain(board.place(*treasure));
    Treasure::ALL.into_iter().filter(is_within).collect()
}

/// Cells by quarter turns clockwise.
const TURNED: [[u8; Cell::COUNT]; 4] = {
    let mut turned = [[0; Cell::COUNT]; 4];
    let mut turns = 0;
    while turns < 4 {
        let mut cell = 0;
        while cell < Cell::COUNT {
            turned[turns][cell] = if turns == 0 {
                cell as u8
            } else {
                let before = turned[turns - 1][cell] as usize;
                let (x, y) = (before % SIZE, before / SIZE);
                Cell::new(SIZE - 1 - y, x).index() as u8
            };
            cell += 1;
        }
        turns += 1;
    }
    turned
};

/// Treasures by quarter turns clockwise: one on a fixed tile becomes the one where its tile comes to lie.
const TREASURES: [[u8; Treasure::COUNT]; 4] = {
    let mut turned = [[0; Treasure::COUNT]; 4];
    let mut turns = 0;
    while turns < 4 {
        let mut from = 0;
        while from < Treasure::COUNT {
            let mut to = 0;
            while to < Treasure::COUNT {
                let same = match (Treasure::ALL[from].home(), Treasure::ALL[to].home()) {
                    (Ok(old), Ok(new)) => TURNED[turns][old.index()] as usize == new.index(),
                    _ => from == to,
                };
                if same {
                    turned[turns][from] = to as u8;
                }
                to += 1;
            }
            from += 1;
        }
        turns += 1;
    }
    turned
};

/// The perspective of a seat: the quarter turns clockwise that bring its home to the top left.
#[derive(Clone, Copy)]
struct Perspective {
    own: Seat,
    seats: usize,
    turns: usize,
}

impl Perspective {
    fn of(public: &Public, own: Seat) -> Perspective {
        let home = public.home(own);
        let turns = match (home.x() == 0, home.y() == 0) {
            (true, true) => 0,
            (true, false) => 1,
            (false, false) => 2,
            (false, true) => 3,
        };
        Perspective { own, seats: public.seats(), turns }
    }

    #[inline]
    fn cell(self, cell: Cell) -> usize {
        TURNED[self.turns][cell.index()].into()
    }

    #[inline]
    fn treasure(self, treasure: Treasure) -> usize {
        TREASURES[self.turns][treasure as usize].into()
    }

    /// The players, counted from the observer.
    fn players(self) -> impl Iterator<Item = Seat> {
        self.own.round(self.seats)
    }

    /// Something for each treasure, in the order in which they are seen.
    fn by_treasure(self, value: impl Fn(Treasure) -> u8) -> [u8; Treasure::COUNT] {
        let mut values = [0; Treasure::COUNT];
        for treasure in Treasure::ALL {
            values[self.treasure(treasure)] = value(treasure);
        }
        values
    }

    /// Entries are numbered clockwise, three a side.
    fn number(self, action: Action) -> usize {
        let entry = (action.entry.index() + 3 * self.turns) % Entry::COUNT;
        let rotation = (usize::from(action.rotation.degrees()) / 90 + self.turns) % 4;
        (4 * entry + rotation) * Cell::COUNT + self.cell(action.to)
    }

    /// The action with an index, legal or not.
    fn meaning(self, number: usize) -> Option<Action> {
        let back = (4 - self.turns) % 4;
        let (push, to) = (number / Cell::COUNT, number % Cell::COUNT);
        Some(Action {
            entry: Entry::new(push / 4)
                .and_then(|entry| Entry::new((entry.index() + 3 * back) % Entry::COUNT))?,
            rotation: Rotation::ALL[(push % 4 + back) % 4],
            to: Cell::at(TURNED[back][to].into()),
        })
    }
}

/// Writes the planes. A value of a treasure goes to its cell, and to a feature if it is on the extra tile.
struct Board<'a> {
    perspective: Perspective,
    public: &'a Public,
    planes: &'a mut [u8],
}

impl Board<'_> {
    #[inline]
    fn set(&mut self, plane: usize, cell: Cell, value: u8) {
        self.planes[plane * Cell::COUNT + self.perspective.cell(cell)] = value;
    }

    /// Writes a value for each treasure of a set; gives back that of the one on the extra tile.
    fn set_each(&mut self, plane: usize, set: TreasureSet, value: impl Fn(Treasure) -> u8) -> u8 {
        let mut beside = 0;
        for treasure in set {
            match self.public.board().place(treasure) {
                Some(cell) => self.set(plane, cell, value(treasure)),
                None => beside = value(treasure),
            }
        }
        beside
    }
}

impl GameEncoding for Labyrinth {
    type Memory = Memory;

    fn layout(&self) -> EncodingLayout {
        let same = |treasure| treasure;
        EncodingLayout {
            observation: self.observation(&same),
            truth: self.truth(&same),
            actions: ACTIONS,
        }
    }

    fn memory(&self, _start: &View) -> Memory {
        Memory { passed_up: [[0; Treasure::COUNT]; MAX_SEATS], last: [None; MAX_SEATS] }
    }

    #[inline]
    fn remember(&self, memory: &mut Memory, before: &View, event: &Event) {
        memory.saw(before.public(), *event);
    }

    fn encode(&self, view: &View, memory: &Memory, out: ObservationBuffer<'_>) {
        let public = view.public();
        let perspective = Perspective::of(public, view.seat());
        let mut features = FeatureWriter::new(out.features);
        let mut board = Board { perspective, public, planes: out.planes };
        write_maze(&mut board);

        let goal = match view.goal() {
            Goal::Treasure(treasure) => [treasure].into_iter().collect(),
            Goal::Home(cell) => {
                board.set(GOAL, cell, 1);
                TreasureSet::EMPTY
            }
        };
        features.put(board.set_each(GOAL, goal, |_| 1));
        features.put(board.set_each(UNSEEN, view.unseen(), |_| 1));
        for (i, seat) in perspective.players().enumerate() {
            let plane = SEATS + SEAT_PLANES * i;
            board.set(plane + PAWN, public.pawn(seat), 1);
            board.set(plane + HOME, public.home(seat), 1);
            if let Some((from, entry)) = memory.last[seat.index()] {
                board.set(plane + WALKED_FROM, from, 1);
                board.set(plane + PUSHED, entry.cell(), 1);
            }
            let passed_up = &memory.passed_up[seat.index()];
            let count = |treasure| passed_up[treasure as usize];
            features.put(board.set_each(plane + PASSED_UP, TreasureSet::ALL, count));
        }
        let possible = SEATS + SEAT_PLANES * perspective.seats;
        for (plane, seat) in (possible..).zip(perspective.players().skip(1)) {
            features.put(board.set_each(plane, view.possible_goals(seat), |_| 1));
        }

        features.put_all(perspective.by_treasure(|treasure| goal.contains(treasure).into()));
        write_table(perspective, view, &mut features);
        features.finish();
    }

    fn encode_truth(&self, world: &World, seat: Seat, out: ObservationBuffer<'_>) {
        let public = world.public();
        let perspective = Perspective::of(public, seat);
        let mut features = FeatureWriter::new(out.features);
        for (i, player) in perspective.players().enumerate() {
            if let Some(cell) = public.place(world.goal(player))
                && i > 0
            {
                out.planes[(i - 1) * Cell::COUNT + perspective.cell(cell)] = 1;
            }
            let mut order = [0; Treasure::COUNT];
            for (place, treasure) in (1..).zip(world.pile(player).skip(public.cards_found(player)))
            {
                order[perspective.treasure(treasure)] = place;
            }
            features.put_all(order);
        }
        features.finish();
    }

    #[inline]
    fn action_index(&self, view: &View, action: Action) -> usize {
        Perspective::of(view.public(), view.seat()).number(action)
    }

    #[inline]
    fn action_at(&self, view: &View, number: usize) -> Option<Action> {
        if view.to_act() != Some(view.seat()) {
            return None;
        }
        let action = Perspective::of(view.public(), view.seat()).meaning(number)?;
        view.public().is_legal(action).then_some(action)
    }

    /// The movable treasures on tiles of one shape can be exchanged; the thirty exchanges of two generate all others.
    ///
    /// A turn of the board changes nothing, since everybody sees it from home. The board cannot be mirrored: the four
    /// fixed tiles in the middle turn one way round.
    fn symmetries(&self) -> Vec<Symmetry> {
        let movable = || Treasure::ALL.into_iter().filter(|treasure| treasure.home().is_err());
        let pairs = movable().flat_map(|a| movable().map(move |b| (a, b)));
        let pairs = pairs.filter(|(a, b)| a < b && a.shape() == b.shape());
        pairs.map(|(a, b)| self.exchange(a, b)).collect()
    }
}

/// The walls, the treasures that move, and the push that is not allowed.
fn write_maze(board: &mut Board<'_>) {
    let public = board.public;
    for cell in Cell::all() {
        let sides =
            public.board().maze().sides(cell).turned(Rotation::ALL[board.perspective.turns]);
        for side in Side::ALL {
            board.set(side as usize, cell, sides.contains(side).into());
        }
    }
    if let Some(last) = public.last_push() {
        board.set(FORBIDDEN, last.opposite().cell(), 1);
    }
    let named = SEATS + SEAT_PLANES * board.perspective.seats + board.perspective.seats - 1;
    for (plane, treasure) in (named..).zip(Treasure::movable()) {
        if let Some(cell) = public.board().place(treasure) {
            board.set(plane, cell, 1);
        }
    }
}

/// The features of what everybody sees.
fn write_table(perspective: Perspective, view: &View, out: &mut FeatureWriter<'_>) {
    let public = view.public();
    let board = public.board();
    out.put_all([Tile::Straight, Tile::Corner, Tile::Tee].map(|shape| board.extra() == shape));
    out.put_all(Treasure::movable().map(|treasure| board.place(treasure).is_none()));
    let [high, low] = (public.turns_played() as u16).to_be_bytes();
    let left = usize::from(public.ply_limit) - public.turns_played();
    out.put_all([high, low, left.min(255) as u8]);
    for seat in perspective.players() {
        out.put_all([public.to_act() == Some(seat), seat == Seat::FIRST]);
        out.put(public.winner() == Some(seat));
        out.put(public.cards_left(seat) as u8);
        let mut found = [0; Treasure::COUNT];
        for (place, treasure) in (1..).zip(view.cards_found(seat)) {
            found[perspective.treasure(treasure)] = place;
        }
        out.put_all(found);
        let refused = public.refused(seat);
        out.put_all(perspective.by_treasure(|treasure| refused.contains(treasure).into()));
    }
}

#[cfg(test)]
mod tests;
