//! What must hold of views as numbers.

use crate::{Effort, allocations, difference, exchange_words, mangle};
use oboro_core::{
    EncodingLayout, Game, GameEncoding, GameWorld, ObservationBuffer, Rng, Seat, SeatView, Shape,
    Symmetry,
};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Plays random games and checks that views become numbers as [`GameEncoding`] says:
///
/// - channels have names of their own, and no byte is larger than its channel says, whatever was there before if the game
///   [writes them all](GameEncoding::WRITES_ALL);
/// - **views that differ differ in numbers**: no two views met anywhere share their bytes, whatever a seat
///   remembers. Besides the games' own views those of their neighbours are looked at, which differ in little: worlds
///   that some seat imagines, those that other actions lead to, and positions whose text was slightly damaged;
/// - different legal actions have different numbers, and the way back finds exactly them;
/// - **the truth is complete**: worlds that look the same to a seat and differ have different truths, unless the game
///   [says](GameEncoding::TRUTH_IS_PARTIAL) that it leaves something out; and from every seat something is hidden;
/// - to write an observation or a truth takes no memory from the heap;
/// - symmetries move every byte and every action somewhere, and only to where as much has room.
///
/// That an observation has nothing hidden in it needs no check: it is made of a view and of events.
///
/// # Panics
/// If a law is broken.
pub fn check_encoding<G: GameEncoding>(game: &G, effort: Effort) {
    let layout = game.layout();
    for shape in [&layout.observation, &layout.truth] {
        check_names(shape);
    }
    check_moves(&layout, &game.symmetries());
    let mut met = Met { game, layout: &layout, views: BTreeMap::new() };
    let mut told = vec![false; game.seats()];
    for number in 0..effort.games {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        let mut memories: Vec<G::Memory> =
            Seat::all(game.seats()).map(|seat| game.memory(&world.view(seat))).collect();
        for plies in 0..effort.max_plies {
            let place = || crate::place(game, number, plies, &world);
            if plies % effort.every == 0 || world.to_act().is_none() {
                for (seat, memory) in Seat::all(game.seats()).zip(&memories) {
                    let view = world.view(seat);
                    met.encode(&view, memory, &place);
                    told[seat.index()] |= met.truths_differ(&world, seat, &mut rng, &place);
                    check_actions(game, &view, layout.actions, &place);
                }
                for other in [world.clone()].into_iter().chain(neighbours(game, &world, &mut rng)) {
                    Seat::all(game.seats()).for_each(|seat| met.meet(&other.view(seat), &place));
                }
            }
            if world.to_act().is_none() {
                break;
            }
            let action = world.random_action(&mut rng);
            for (seat, memory) in Seat::all(game.seats()).zip(&mut memories) {
                game.remember(memory, &world.view(seat), &world.event(action, seat));
            }
            world.apply(action);
        }
    }
    let silent = told.iter().position(|told| !told);
    assert!(silent.is_none(), "the truth never says more than the view of seat {silent:?}");
}

/// Every view met so far, by its bytes.
struct Met<'a, G: GameEncoding> {
    game: &'a G,
    layout: &'a EncodingLayout,
    /// Bytes are kept as their hash: rows are long, and two of them hardly ever share one.
    views: BTreeMap<u64, G::View>,
}

impl<G: GameEncoding> Met<'_, G> {
    fn encode(&self, view: &G::View, memory: &G::Memory, place: &dyn Fn() -> String) -> Vec<u8> {
        let shape = &self.layout.observation;
        // What was there before must not matter to a game that says so.
        let before = if G::WRITES_ALL { u8::MAX } else { 0 };
        let mut row = vec![before; shape.len()];
        let out = ObservationBuffer::split(shape, &mut row);
        let counted = allocations(|| self.game.encode(view, memory, out));
        assert_eq!(counted, 0, "an observation takes memory from the heap; {}", place());
        check_most(shape, &row, place);
        row
    }

    /// Memory may tell more apart; views must be told apart by themselves.
    fn meet(&mut self, view: &G::View, place: &dyn Fn() -> String) {
        let row = self.encode(view, &self.game.memory(view), place);
        let mut hasher = DefaultHasher::new();
        row.hash(&mut hasher);
        if let Some(other) = self.views.insert(hasher.finish(), view.clone()) {
            assert!(
                other == *view,
                "two views, the same numbers: {}\n{other}\n{view}; {}",
                difference(&other, view),
                place()
            );
        }
    }

    /// Whether the truth tells a world from one that looks the same to a seat.
    fn truths_differ(
        &self,
        world: &G::World,
        seat: Seat,
        rng: &mut Rng,
        place: &dyn Fn() -> String,
    ) -> bool {
        let shape = &self.layout.truth;
        let imagined = world.view(seat).imagine(rng);
        let [here, there] = [world, &imagined].map(|world| {
            let mut row = vec![0; shape.len()];
            let out = ObservationBuffer::split(shape, &mut row);
            let counted = allocations(|| self.game.encode_truth(world, seat, out));
            assert_eq!(counted, 0, "a truth takes memory from the heap; {}", place());
            check_most(shape, &row, place);
            row
        });
        assert!(
            G::TRUTH_IS_PARTIAL || here != there || *world == imagined,
            "the truth for seat {seat} does not tell this world from {}; {}",
            self.game.write_position(&imagined),
            place()
        );
        here != there
    }
}

/// Worlds that differ little from one: what a seat imagines, where other actions lead, and what its text says when
/// it is slightly damaged.
fn neighbours<G: Game>(game: &G, world: &G::World, rng: &mut Rng) -> Vec<G::World> {
    const ACTIONS: usize = 4;
    const TEXTS: usize = 40;
    let mut worlds: Vec<G::World> =
        Seat::all(game.seats()).map(|seat| world.view(seat).imagine(rng)).collect();
    if world.to_act().is_some() {
        worlds.extend((0..ACTIONS).map(|_| {
            let mut next = world.clone();
            next.apply(world.random_action(rng));
            next
        }));
    }
    let text = game.write_position(world);
    let damaged = (0..TEXTS).map(|_| match rng.below(4) {
        0 => mangle(&text, rng),
        _ => exchange_words(&text, rng),
    });
    worlds.extend(damaged.filter_map(|text| game.parse_position(&text).ok()));
    worlds
}

/// A symmetry must move everything somewhere, and a byte only to a channel with the same largest value.
fn check_moves(layout: &EncodingLayout, symmetries: &[Symmetry]) {
    let most = |shape: &Shape| -> Vec<u8> {
        let planes = shape.planes.iter().flat_map(|plane| vec![plane.max; shape.cells()]);
        planes.chain(shape.features.iter().map(|feature| feature.max)).collect()
    };
    let [seen, hidden] = [&layout.observation, &layout.truth].map(most);
    let actions = vec![0; layout.actions];
    for symmetry in symmetries {
        let parts = [
            ("observation", &symmetry.observation, &seen),
            ("truth", &symmetry.truth, &hidden),
            ("actions", &symmetry.actions, &actions),
        ];
        for (what, moved, most) in parts {
            let mut places = moved.clone();
            places.sort_unstable();
            let all = (0..most.len()).map(|place| place as u32);
            assert!(places.into_iter().eq(all), "{}: {what}: not one for one", symmetry.name);
            let fits = moved.iter().zip(most).all(|(&from, &to)| most[from as usize] == to);
            assert!(fits, "{}: {what}: channels of different size", symmetry.name);
        }
    }
}

fn check_names(shape: &Shape) {
    let mut names: Vec<&str> =
        shape.planes.iter().chain(&shape.features).map(|channel| channel.name.as_str()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "two channels of one name among {names:?}");
}

fn check_most(shape: &Shape, row: &[u8], place: &dyn Fn() -> String) {
    let (planes, features) = row.split_at(shape.plane_bytes());
    let cells = planes.chunks(shape.cells().max(1)).zip(&shape.planes);
    let single = features.chunks(1).zip(&shape.features);
    for (values, channel) in cells.chain(single) {
        let most = values.iter().max().copied().unwrap_or(0);
        assert!(most <= channel.max, "{} is {most} > {}; {}", channel.name, channel.max, place());
    }
}

fn check_actions<G: GameEncoding>(
    game: &G,
    view: &G::View,
    actions: usize,
    place: &dyn Fn() -> String,
) {
    let mut found: BTreeMap<usize, G::Action> = BTreeMap::new();
    view.for_each_legal(|action| {
        let number = game.action_index(view, action);
        assert!(number < actions, "{action} has number {number} of {actions}; {}", place());
        let other = found.insert(number, action);
        assert!(other.is_none(), "{action} and {other:?} have number {number}; {}", place());
    });
    let mut marks = vec![0; actions];
    game.mark_legal(view, &mut marks);
    let marked = (0..actions).filter(|&number| marks[number] == 1);
    assert!(marked.eq(found.keys().copied()), "legal actions are not marked as such; {}", place());
    // Every number where there are few, a sample where there are thousands.
    let step = actions.div_ceil(300);
    let sample = (0..actions).step_by(step).chain(found.keys().copied()).chain([actions]);
    for number in sample.collect::<Vec<_>>() {
        let back = game.action_at(view, number);
        assert_eq!(back, found.get(&number).copied(), "the action numbered {number}; {}", place());
    }
}

/// Plays random games beside their images under every symmetry that the game declares, and beside themselves: what is
/// written of two games that are equal is equal. `image` gives the image of a start.
///
/// # Panics
/// If observations, truths or legal actions of a game and its image do not fit.
pub fn check_symmetries<G: GameEncoding>(
    game: &G,
    games: u64,
    image: impl Fn(&Symmetry, &G::World) -> G::World,
) {
    let layout = game.layout();
    let places = |count: usize| (0..count as u32).collect();
    let itself = Symmetry {
        name: "itself".to_owned(),
        observation: places(layout.observation.len()),
        truth: places(layout.truth.len()),
        actions: places(layout.actions),
    };
    for number in 0..games {
        let mut rng = Rng::from_u64(number);
        let start = game.deal(&mut rng);
        check_symmetry(game, &itself, [start.clone(), start.clone()], &mut rng);
        for symmetry in game.symmetries() {
            check_symmetry(game, &symmetry, [start.clone(), image(&symmetry, &start)], &mut rng);
        }
    }
}

/// Plays a random game and its image side by side, from starts that are images of each other, and checks that
/// observations, truths and legal actions stay so.
///
/// # Panics
/// If they do not.
pub fn check_symmetry<G: GameEncoding>(
    game: &G,
    symmetry: &Symmetry,
    starts: [G::World; 2],
    rng: &mut Rng,
) {
    let layout = game.layout();
    let seats = game.seats();
    let mut worlds = starts;
    let mut memories: [Vec<G::Memory>; 2] = worlds
        .each_ref()
        .map(|world| Seat::all(seats).map(|seat| game.memory(&world.view(seat))).collect());
    loop {
        let place = || worlds.each_ref().map(|world| game.write_position(world)).join(" and ");
        for seat in Seat::all(seats) {
            let rows = [0, 1].map(|i| {
                let mut row = vec![0; layout.observation.len()];
                let numbers = ObservationBuffer::split(&layout.observation, &mut row);
                game.encode(&worlds[i].view(seat), &memories[i][seat.index()], numbers);
                let mut truth = vec![0; layout.truth.len()];
                let numbers = ObservationBuffer::split(&layout.truth, &mut truth);
                game.encode_truth(&worlds[i], seat, numbers);
                (row, truth)
            });
            let image = |row: &[u8], from: &[u32]| -> Vec<u8> {
                from.iter().map(|&place| row[place as usize]).collect()
            };
            let observation = image(&rows[0].0, &symmetry.observation);
            assert!(observation == rows[1].0, "{}, seat {seat}; {}", symmetry.name, place());
            assert_eq!(
                image(&rows[0].1, &symmetry.truth),
                rows[1].1,
                "{}; {}",
                symmetry.name,
                place()
            );
        }
        let Some(mover) = worlds[0].to_act() else {
            assert!(worlds[1].to_act().is_none(), "only one of two images is over; {}", place());
            return;
        };
        let views = worlds.each_ref().map(|world| world.view(mover));
        let action = worlds[0].random_action(rng);
        let number = game.action_index(&views[0], action);
        let image = game.action_at(&views[1], symmetry.actions[number] as usize);
        let image = image.unwrap_or_else(|| panic!("{action} has no image; {}", place()));
        for (i, action) in [action, image].into_iter().enumerate() {
            for (seat, memory) in Seat::all(seats).zip(&mut memories[i]) {
                game.remember(memory, &worlds[i].view(seat), &worlds[i].event(action, seat));
            }
            worlds[i].apply(action);
        }
    }
}
