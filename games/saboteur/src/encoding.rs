//! Views as planes and features, for programs that learn.
//!
//! A plane is the mine as far as the rules let it reach, a row per y from the top. Players are counted from the
//! observer: itself, then the next to move, and so on; there are as many as the rules have, since roles, hands and
//! gold differ with their number. The numbers of a round begin anew with it.
//!
//! Nothing says which copy of a card is which, so a feature per copy (`hand LUR 2`) is about the second one met.

mod channels;
mod memory;

pub(crate) use self::memory::Memory;

use self::channels::Renamed;
use crate::public::Public;
use crate::{
    Action, Card, CardKind, Cell, Event, Goal, GoalCard, Role, Saboteur, Side, Tile, Tool, Tools,
    View, World,
};
use oboro_core::{
    EncodingLayout, FeatureWriter, GameEncoding, ObservationBuffer, Seat, SeatView, Symmetry,
};

const SEATS: usize = Saboteur::MAX_PLAYERS;

/// The planes before those of the players.
const PLANES: [(&str, &str); 10] = [
    ("open left", "a card that lies face up and is open to the left"),
    ("open up", "one that is open upwards"),
    ("open right", "one that is open to the right"),
    ("open down", "one that is open downwards"),
    ("passable", "one with a way through its centre"),
    ("reached", "a card that an unbroken way joins to the start"),
    ("open end", "an empty cell to which such a way leads"),
    ("face down", "a goal that lies face down"),
    ("gold", "a goal that the observer knows to be the gold"),
    ("stone", "a goal that it knows to be a stone"),
];
const PASSABLE: usize = 4;
const REACHED: usize = 5;
const OPEN_END: usize = 6;
const FACE_DOWN: usize = 7;
const GOLD: usize = 8;
const STONE: usize = 9;
/// The turn in which a card was laid, and how often rocks fell.
const LAID_AT: usize = PLANES.len();
const ROCKS: usize = LAID_AT + 1;
/// The cards laid by each player.
const LAID_BY: usize = ROCKS + 1;

/// The index of the first copy of each card, among all copies.
const FIRST_COPY: [usize; Card::KINDS] = {
    let mut first = [0; Card::KINDS];
    let mut card = 1;
    while card < Card::KINDS {
        first[card] = first[card - 1] + Card::from_index(card - 1).copies() as usize;
        card += 1;
    }
    first
};

/// A number for each copy of a card, given out in the order in which they are met.
struct Copies {
    numbers: [u8; Card::DECK],
    met: [u8; Card::KINDS],
}

impl Copies {
    const NONE: Copies = Copies { numbers: [0; Card::DECK], met: [0; Card::KINDS] };

    fn meet(&mut self, card: Card, number: usize) {
        let met = &mut self.met[card.index()];
        self.numbers[FIRST_COPY[card.index()] + usize::from(*met)] = number as u8;
        *met += 1;
    }
}

/// Which cards mend which tools, one after the other.
fn mends() -> impl Iterator<Item = (Card, Tool)> {
    Card::all().flat_map(|card| {
        let tools = match card.kind() {
            CardKind::Mend(tools) => tools,
            _ => Tools::EMPTY,
        };
        tools.iter().map(move |tool| (card, tool))
    })
}

/// The number of [`mends`].
const MENDS: usize = 9;

/// The numbers of actions: every way to lie at every cell, rocks on every cell, maps, broken tools by player, mended
/// tools by card and player, discards by card.
impl Saboteur {
    /// Rows and columns of a plane.
    fn size(self) -> [usize; 2] {
        let (x, y) = self.bounds.extent();
        [y, x].map(|(min, max)| usize::from(min.abs_diff(max)) + 1)
    }

    fn cells(self) -> usize {
        let [rows, columns] = self.size();
        rows * columns
    }

    /// The index of a cell in a plane.
    #[inline]
    fn place(self, cell: Cell) -> usize {
        let (x, y) = self.bounds.extent();
        let row = usize::from(cell.y().abs_diff(y.0));
        row * self.size()[1] + usize::from(cell.x().abs_diff(x.0))
    }

    fn cell_at(self, place: usize) -> Cell {
        let (x, y) = self.bounds.extent();
        let columns = self.size()[1];
        let cell = Cell::new(x.0 + (place % columns) as i8, y.0 + (place / columns) as i8);
        cell.expect("planes lie within the mine")
    }

    /// The place of a seat counted from another.
    #[inline]
    fn counted(self, from: Seat, seat: Seat) -> usize {
        seat.turns_after(from, self.players.into())
    }

    /// The seat at a place counted from another.
    #[inline]
    fn seat_at(self, from: Seat, place: usize) -> Seat {
        Seat::new((from.index() + place) % usize::from(self.players))
    }

    /// The seats in order of play, beginning with the observer.
    fn seats_from(self, own: Seat) -> impl Iterator<Item = Seat> {
        own.round(self.players.into())
    }

    /// The parts that the numbers of actions fall into, each with its length.
    fn parts(self) -> [usize; 6] {
        let (cells, players) = (self.cells(), usize::from(self.players));
        [
            Tile::COUNT * cells,
            cells,
            Goal::ALL.len(),
            Tool::ALL.len() * players,
            MENDS * players,
            Card::KINDS,
        ]
    }

    fn number_of(self, own: Seat, action: Action) -> usize {
        let players = usize::from(self.players);
        let (part, number) = match action {
            Action::Dig { tile, at } => (0, tile.index() * self.cells() + self.place(at)),
            Action::RockFall { at } => (1, self.place(at)),
            Action::Look { goal } => (2, goal.index()),
            Action::Break { tool, seat } => (3, tool as usize * players + self.counted(own, seat)),
            Action::Mend { card, tool, seat } => {
                let kind = mends().position(|mend| mend == (card, tool));
                let kind = kind.expect("the card mends the tool");
                (4, kind * players + self.counted(own, seat))
            }
            Action::Discard { card } => (5, card.index()),
        };
        self.parts()[..part].iter().sum::<usize>() + number
    }

    /// The action with an index, legal or not.
    fn meaning(self, own: Seat, mut number: usize) -> Option<Action> {
        let players = usize::from(self.players);
        let part = self.parts().into_iter().position(|length| {
            let within = number < length;
            number -= if within { 0 } else { length };
            within
        })?;
        Some(match part {
            0 => Action::Dig {
                tile: Tile::from_index(number / self.cells()),
                at: self.cell_at(number % self.cells()),
            },
            1 => Action::RockFall { at: self.cell_at(number) },
            2 => Action::Look { goal: Goal::ALL[number] },
            3 => Action::Break {
                tool: Tool::ALL[number / players],
                seat: self.seat_at(own, number % players),
            },
            4 => {
                let (card, tool) = mends().nth(number / players)?;
                Action::Mend { card, tool, seat: self.seat_at(own, number % players) }
            }
            _ => Action::Discard { card: Card::from_index(number) },
        })
    }
}

impl GameEncoding for Saboteur {
    /// The order of the deck is left out, and what later rounds bring.
    const TRUTH_IS_PARTIAL: bool = true;
    type Memory = Memory;

    fn layout(&self) -> EncodingLayout {
        EncodingLayout {
            observation: self.observation(Renamed::NOT),
            truth: self.truth(Renamed::NOT),
            actions: self.parts().iter().sum(),
        }
    }

    fn memory(&self, _start: &View) -> Memory {
        Memory::NEW
    }

    #[inline]
    fn remember(&self, memory: &mut Memory, _before: &View, event: &Event) {
        if event.round_end.is_some_and(|end| end.next.is_some()) {
            *memory = Memory::NEW;
        } else {
            memory.saw(event.seat, event.action);
        }
    }

    fn encode(&self, view: &View, memory: &Memory, out: ObservationBuffer<'_>) {
        self.write_planes(view, memory, out.planes);
        self.write_features(view, memory, out.features);
    }

    fn encode_truth(&self, world: &World, seat: Seat, out: ObservationBuffer<'_>) {
        let mut out = FeatureWriter::new(out.features);
        for goal in Goal::ALL {
            out.put_all(GoalCard::ALL.map(|card| world.goal(goal) == card));
        }
        for other in self.seats_from(seat).skip(1) {
            out.put(world.role(other) == Role::Saboteur);
            let mut held = [0; Card::KINDS];
            world.hand(other).iter().for_each(|card| held[card.index()] += 1);
            out.put_all(held);
        }
        out.finish();
    }

    #[inline]
    fn action_index(&self, view: &View, action: Action) -> usize {
        self.number_of(view.seat(), action)
    }

    #[inline]
    fn action_at(&self, view: &View, number: usize) -> Option<Action> {
        if view.to_act() != Some(view.seat()) {
            return None;
        }
        let action = self.meaning(view.seat(), number)?;
        view.public().is_legal(*view.hand(), action).then_some(action)
    }

    /// The tools can be exchanged: there are as many cards of each, and nothing tells them apart. The mine cannot be
    /// mirrored, though its goals lie so: the deck has four curves from left to up and five from left to down.
    fn symmetries(&self) -> Vec<Symmetry> {
        let [a, b, c] = Tool::ALL;
        let orders = [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
        orders.map(|to| self.renaming(Renamed(to))).into()
    }
}

impl Saboteur {
    fn write_planes(self, view: &View, memory: &Memory, out: &mut [u8]) {
        let cells = self.cells();
        let mut set = |plane: usize, cell: Cell, value: u8| {
            out[plane * cells + self.place(cell)] = value;
        };
        let board = view.public().board();
        let goals = Goal::ALL.map(Goal::cell);
        for cell in board.paths().iter().chain([Cell::START]).chain(goals) {
            let Some(sides) = board.sides(cell) else { continue };
            for side in Side::ALL {
                set(side as usize, cell, u8::from(sides.contains(side)));
            }
            set(PASSABLE, cell, u8::from(board.is_passable(cell)));
            set(REACHED, cell, u8::from(board.is_reached(cell)));
        }
        board.open_ends().iter().for_each(|cell| set(OPEN_END, cell, 1));
        for goal in Goal::ALL {
            set(FACE_DOWN, goal.cell(), u8::from(view.public().turned_up(goal).is_none()));
            match view.goal(goal) {
                Some(GoalCard::Gold) => set(GOLD, goal.cell(), 1),
                Some(GoalCard::StoneUp | GoalCard::StoneDown) => set(STONE, goal.cell(), 1),
                None => {}
            }
        }
        for dig in memory.digs() {
            set(LAID_AT, dig.at, dig.turn);
            let by = self.counted(view.seat(), Seat::new(dig.seat.into()));
            set(LAID_BY + by, dig.at, 1);
        }
        for &cell in memory.rocks.iter().flatten() {
            let fallen = memory.rocks.iter().filter(|other| **other == Some(cell)).count();
            set(ROCKS, cell, fallen as u8);
        }
    }

    fn write_features(self, view: &View, memory: &Memory, out: &mut [u8]) {
        let (public, own) = (view.public(), view.seat());
        let mut out = FeatureWriter::new(out);
        out.put(view.role() == Role::Saboteur);
        out.put_all([self.own_nuggets(view), public.past().len() as u8, memory.turns]);
        out.put(public.deck_left() as u8);
        for goal in Goal::ALL {
            out.put(public.turned_up(goal).is_some());
            out.put_all(GoalCard::ALL.map(|card| view.goal(goal) == Some(card)));
        }

        let (mut held, mut discarded) = (Copies::NONE, Copies::NONE);
        view.hand().iter().zip(1..).for_each(|(&card, place)| held.meet(card, place));
        let places = (1..).zip(public.pile()).filter(|(_, by)| *by == own).map(|(place, _)| place);
        view.own_discards().zip(places).for_each(|(card, place)| discarded.meet(card, place));
        out.put_all(held.met);
        out.put_all(Card::all().map(|card| public.used(card)));
        out.put_all(view.unseen());
        out.put_all(held.numbers);
        out.put_all(discarded.numbers);

        for seat in self.seats_from(own) {
            self.write_seat(public, memory, own, seat, &mut out);
        }
        out.put_all(public.pile().map(|by| 1 + self.counted(own, by) as u8));
        out.put_all((public.pile().len()..Card::DECK).map(|_| 0));
        self.write_past(view, &mut out);
        out.finish();
    }

    fn write_seat(
        self,
        public: &Public,
        memory: &Memory,
        own: Seat,
        seat: Seat,
        out: &mut FeatureWriter<'_>,
    ) {
        out.put_all([public.turn() == Some(seat), seat == Seat::FIRST]);
        out.put(public.hand_size(seat) as u8);
        out.put(public.pile().filter(|by| *by == seat).count() as u8);
        out.put_all(Tool::ALL.map(|tool| public.broken(seat).contains(tool)));
        out.put_all(Goal::ALL.map(|goal| public.looks(seat).contains(goal)));
        let counts = &memory.counts[seat.index()];
        out.put_all([counts.ways, counts.blocks, counts.rocks, counts.maps]);
        for by_seat in [&counts.broke, &counts.mended] {
            out.put_all(self.seats_from(own).map(|other| by_seat[other.index()]));
        }
    }

    /// The finished rounds, then nothing for those to come.
    fn write_past(self, view: &View, out: &mut FeatureWriter<'_>) {
        let own = view.seat();
        for round in 0..usize::from(self.rounds) {
            let past = view.public().past().get(round);
            for seat in self.seats_from(own) {
                out.put(past.is_some_and(|past| past.saboteurs.contains(seat)));
                out.put(past.is_some_and(|past| past.reached_by == Some(seat)));
            }
            let seen = view.bundles().get(round).map_or(&[][..], |bundle| bundle.as_slice());
            out.put_all((0..self.gold_cards()).map(|i| seen.get(i).copied().unwrap_or(0)));
        }
    }

    /// The nuggets of the observer, which sees every gold card that it takes.
    fn own_nuggets(self, view: &View) -> u8 {
        let rounds = view.public().past().iter().zip(view.bundles());
        let won = |past: &crate::FinishedRound, bundle| {
            past.nuggets(self.players.into(), bundle, view.seat())
        };
        rounds.map(|(past, bundle)| won(past, bundle) as u8).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::memory::{ActionCounts, Dig};
    use super::*;
    use crate::{Bounds, Cards, Hand, Maps};
    use oboro_core::{Game, GameWorld, Rng};
    use oboro_testkit::{Effort, check_encoding, check_symmetry};

    #[test]
    fn encodings_keep_their_laws() {
        let effort = |games, every| Effort { games, every, ..Effort::default() };
        check_encoding(&Saboteur::default(), effort(1, 9));
        check_encoding(&Saboteur::paper(), effort(3, 5));
        for players in [3, 4, 5, 7, 8, 9, 10] {
            let rules =
                Saboteur { players, rounds: 2, bounds: Bounds::Three, ..Saboteur::default() };
            check_encoding(&rules, effort(1, 12));
        }
        check_encoding(&Saboteur { maps: Maps::Diggers, ..Saboteur::paper() }, effort(2, 7));
    }

    /// The next round is shuffled anew, so that only games of one round have images to their end.
    #[test]
    fn renamed_tools_rename_the_encoding() {
        let mut rng = Rng::from_u64(3);
        let game = Saboteur::paper();
        let symmetries = game.symmetries();
        for (symmetry, to) in
            symmetries.iter().zip([[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
        {
            let renamed = Renamed(to.map(|i| Tool::ALL[i]));
            for _ in 0..4 {
                let start = game.deal(&mut rng);
                let mut image = start.clone();
                image.hands = start.hands.map(|hand| {
                    let mut renamed_hand = Hand::default();
                    hand.iter().for_each(|&card| renamed_hand.push(renamed.card(card)));
                    renamed_hand
                });
                image.deck = Cards::default();
                start.deck.iter().for_each(|&card| image.deck.push(renamed.card(card)));
                check_symmetry(&game, symmetry, [start, image], &mut rng);
            }
        }
    }

    #[test]
    fn action_indices_are_a_bijection() {
        for game in [Saboteur::default(), Saboteur::paper()] {
            for own in [Seat::FIRST, Seat::new(4)] {
                for number in 0..game.layout().actions {
                    let action = game.meaning(own, number).expect("every number means something");
                    assert_eq!(game.number_of(own, action), number, "{action}");
                }
                assert_eq!(game.meaning(own, game.layout().actions), None);
            }
        }
    }

    #[test]
    fn memory_counts_actions_of_the_present_round() {
        let game = Saboteur { rounds: 2, ..Saboteur::paper() };
        let mut rng = Rng::from_u64(8);
        let mut world = game.deal(&mut rng);
        let seat = Seat::new(2);
        let mut memory = game.memory(&world.view(seat));
        let (mut digs, mut broke) = (0, 0);
        while world.public().past().is_empty() {
            let action = world.random_action(&mut rng);
            game.remember(&mut memory, &world.view(seat), &world.event(action, seat));
            world.apply(action);
            if world.public().past().is_empty() {
                digs += u32::from(matches!(action, Action::Dig { .. }));
                broke += u32::from(matches!(action, Action::Break { .. }));
                let laid = |d: &ActionCounts| u32::from(d.ways + d.blocks);
                assert_eq!(memory.counts.iter().map(laid).sum::<u32>(), digs);
                let breaking = memory.counts.iter().flat_map(|counts| counts.broke);
                assert_eq!(breaking.map(u32::from).sum::<u32>(), broke);
                assert_eq!(memory.digs().len(), world.public().board().paths().len());
                let lies = |dig: &Dig| world.public().board().tile(dig.at).is_some();
                assert!(memory.digs().iter().all(lies));
            }
        }
        assert!(digs > 0 && broke > 0);
        assert_eq!(memory, Memory::NEW);
    }
}
