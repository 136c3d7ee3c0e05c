//! What must hold of views as numbers.

use super::Effort;
use crate::{GameNumbers, GameWorld, Numbers, Rng, Seat, SeatView, Shape};
use std::collections::BTreeMap;

/// Plays random games and checks that views become numbers as [`GameNumbers`] says:
///
/// - channels have names of their own, and no byte is larger than its channel says;
/// - **views that differ differ in numbers**: no two views met anywhere share their bytes, whatever a seat
///   remembers;
/// - different legal actions have different numbers, and the way back finds exactly them;
/// - the truth says something that no observation does: worlds that look the same to a seat differ in it.
///
/// That an observation has nothing hidden in it needs no check: it is made of a view and of events.
///
/// # Panics
/// If a law is broken.
pub fn check_numbers<G: GameNumbers>(game: &G, effort: Effort) {
    let numbering = game.numbering();
    for shape in [&numbering.observation, &numbering.truth] {
        check_names(shape);
    }
    let mut met: BTreeMap<Vec<u8>, G::View> = BTreeMap::new();
    let mut told = false;
    for number in 0..effort.games {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        let mut memories: Vec<G::Memory> =
            Seat::all(game.seats()).map(|seat| game.memory(&world.view(seat))).collect();
        for plies in 0..effort.max_plies {
            let place = || format!("seed {number}, ply {plies}: {}", game.write_position(&world));
            if plies % effort.every == 0 || world.to_act().is_none() {
                for (seat, memory) in Seat::all(game.seats()).zip(&memories) {
                    let view = world.view(seat);
                    let mut row = vec![0; numbering.observation.len()];
                    game.encode(&view, memory, Numbers::split(&numbering.observation, &mut row));
                    check_most(&numbering.observation, &row, &place);
                    let imagined = view.imagine(&mut rng);
                    let truths = [&world, &imagined].map(|world| {
                        let mut row = vec![0; numbering.truth.len()];
                        game.encode_truth(world, seat, Numbers::split(&numbering.truth, &mut row));
                        check_most(&numbering.truth, &row, &place);
                        row
                    });
                    told |= truths[0] != truths[1];
                    // Memory may tell more apart; views must be told apart by themselves.
                    let mut bare = vec![0; numbering.observation.len()];
                    let fresh = game.memory(&view);
                    game.encode(&view, &fresh, Numbers::split(&numbering.observation, &mut bare));
                    if let Some(other) = met.insert(bare, view.clone()) {
                        assert!(other == view, "two views, the same numbers:\n{other}\n{view}");
                    }
                    check_actions(game, &view, numbering.actions, &place);
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
    assert!(told, "the truth never says more than a view");
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
        assert!(most <= channel.most, "{} is {most} > {}; {}", channel.name, channel.most, place());
    }
}

fn check_actions<G: GameNumbers>(
    game: &G,
    view: &G::View,
    actions: usize,
    place: &dyn Fn() -> String,
) {
    let mut found: BTreeMap<usize, G::Action> = BTreeMap::new();
    view.for_each_legal(|action| {
        let number = game.action_number(view, action);
        assert!(number < actions, "{action} has number {number} of {actions}; {}", place());
        let other = found.insert(number, action);
        assert!(other.is_none(), "{action} and {other:?} have number {number}; {}", place());
    });
    // Every number where there are few, a sample where there are thousands.
    let step = actions.div_ceil(300);
    let sample = (0..actions).step_by(step).chain(found.keys().copied()).chain([actions]);
    for number in sample.collect::<Vec<_>>() {
        let back = game.numbered_action(view, number);
        assert_eq!(back, found.get(&number).copied(), "the action numbered {number}; {}", place());
    }
}

/// Plays a random game and its image side by side, from starts that are images of each other, and checks that
/// observations, truths and legal actions stay so.
///
/// # Panics
/// If they do not.
pub fn check_symmetry<G: GameNumbers>(
    game: &G,
    symmetry: &crate::Symmetry,
    starts: [G::World; 2],
    rng: &mut Rng,
) {
    let numbering = game.numbering();
    let seats = game.seats();
    let mut worlds = starts;
    let mut memories: [Vec<G::Memory>; 2] = worlds
        .each_ref()
        .map(|world| Seat::all(seats).map(|seat| game.memory(&world.view(seat))).collect());
    loop {
        let place = || worlds.each_ref().map(|world| game.write_position(world)).join(" and ");
        for seat in Seat::all(seats) {
            let rows = [0, 1].map(|i| {
                let mut row = vec![0; numbering.observation.len()];
                let numbers = Numbers::split(&numbering.observation, &mut row);
                game.encode(&worlds[i].view(seat), &memories[i][seat.index()], numbers);
                let mut truth = vec![0; numbering.truth.len()];
                let numbers = Numbers::split(&numbering.truth, &mut truth);
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
        let number = game.action_number(&views[0], action);
        let image = game.numbered_action(&views[1], symmetry.actions[number] as usize);
        let image = image.unwrap_or_else(|| panic!("{action} has no image; {}", place()));
        for (i, action) in [action, image].into_iter().enumerate() {
            for (seat, memory) in Seat::all(seats).zip(&mut memories[i]) {
                game.remember(memory, &worlds[i].view(seat), &worlds[i].event(action, seat));
            }
            worlds[i].apply(action);
        }
    }
}
