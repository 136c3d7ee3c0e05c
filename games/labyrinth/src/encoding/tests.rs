use super::*;
use crate::maze::Maze;
use crate::public::Finish;
use crate::rules::Corner;
use oboro_core::{Game, GameWorld, Rng};
use oboro_testkit::{Effort, check_encoding, check_symmetry};

#[test]
fn encodings_keep_their_laws() {
    let short = Labyrinth { cards: Some(2), turn_limit: 60, ..Labyrinth::default() };
    for players in 2..=4 {
        let rules = Labyrinth { players, first_corner: Corner::BottomLeft, ..short };
        check_encoding(&rules, Effort { games: 4, every: 5, ..Effort::default() });
    }
    let long = Labyrinth { finish: Finish::LastCard, turn_limit: 200, ..Labyrinth::default() };
    check_encoding(&long, Effort { games: 1, every: 19, ..Effort::default() });
}

#[test]
fn exchanged_treasures_exchange_the_encoding() {
    let mut rng = Rng::from_u64(6);
    let game = Labyrinth { players: 3, turn_limit: 20, ..Labyrinth::default() };
    let symmetries = game.symmetries();
    assert_eq!(symmetries.len(), 15 + 15);
    for symmetry in symmetries.iter().step_by(4) {
        let start = game.deal(&mut rng);
        let by_name = |name: &str| Treasure::ALL.into_iter().find(|t| t.to_string() == name);
        let (a, rest) = symmetry.name.split_once(" and ").unwrap();
        let (a, b) = (by_name(a).unwrap(), by_name(rest.split_once(' ').unwrap().0).unwrap());
        let mut image = start;
        let [Err(i), Err(j)] = [a.home(), b.home()] else { panic!("they move") };
        image.public.board.treasures.swap(i, j);
        for card in image.cards.iter_mut().flatten() {
            *card = if *card == a {
                b
            } else if *card == b {
                a
            } else {
                *card
            };
        }
        check_symmetry(&game, symmetry, [start, image], &mut rng);
    }
}

/// The same game with the board turned clockwise by a quarter.
fn turned(rules: &Labyrinth, world: &World) -> (Labyrinth, World) {
    const CORNERS: [Corner; 4] =
        [Corner::TopLeft, Corner::TopRight, Corner::BottomRight, Corner::BottomLeft];
    let first_corner = CORNERS[(rules.first_corner as usize + 1) % 4];
    let rules = Labyrinth { first_corner, ..*rules };
    let mut board = *world.public.board();
    let mut maze = Maze::default();
    for cell in Cell::all() {
        let sides = board.maze.sides(cell).turned(Rotation::ALL[1]);
        maze.lay(Cell::new(6 - cell.y(), cell.x()), sides);
    }
    board.maze = maze;
    let places = board.treasures;
    board.treasures = places.map(|place| place.map(|cell| Cell::new(6 - cell.y(), cell.x())));
    let card = |card: Treasure| match card.home() {
        Ok(cell) => {
            let there = Cell::new(6 - cell.y(), cell.x());
            Treasure::ALL.into_iter().find(|other| other.home() == Ok(there)).unwrap()
        }
        Err(_) => card,
    };
    let cards = world.cards.map(|known| known.map(card));
    (rules.clone(), World { public: rules.public(board), cards })
}

#[test]
fn a_turned_board_has_the_same_encoding() {
    let mut rng = Rng::from_u64(7);
    for players in 2..=4 {
        let rules = Labyrinth { players, turn_limit: 15, ..Labyrinth::default() };
        let world = rules.deal(&mut rng);
        let mut games = [(rules.clone(), world), turned(&rules, &world)];
        let mut memories = [vec![rules.memory(&world.view(Seat::FIRST)); players.into()], vec![]];
        memories[1] = memories[0].clone();
        let shape = rules.layout().observation;
        while games[0].1.to_act().is_some() {
            for seat in Seat::all(players.into()) {
                let rows = [0, 1].map(|i| {
                    let (rules, world) = &games[i];
                    let mut row = vec![0; shape.len()];
                    let out = ObservationBuffer::split(&shape, &mut row);
                    rules.encode(&world.view(seat), &memories[i][seat.index()], out);
                    row
                });
                assert!(rows[0] == rows[1], "{}", rules.write_position(&games[0].1));
            }
            let action = games[0].1.random_action(&mut rng);
            let mover = games[0].1.to_act().unwrap();
            let number = rules.action_index(&games[0].1.view(mover), action);
            for ((rules, world), memories) in games.iter_mut().zip(&mut memories) {
                let action = rules.action_at(&world.view(mover), number).expect("legal");
                for (seat, memory) in Seat::all(players.into()).zip(memories) {
                    rules.remember(memory, &world.view(seat), &world.event(action, seat));
                }
                world.apply(action);
            }
        }
        assert!(games[1].1.to_act().is_none());
    }
}

/// Against all turns tried one by one.
#[test]
fn treasures_within_reach_are_those_that_some_turn_leads_to() {
    let mut rng = Rng::from_u64(8);
    let rules = Labyrinth { turn_limit: 20, ..Labyrinth::default() };
    let mut world = rules.deal(&mut rng);
    while let Some(mover) = world.to_act() {
        let mut found = TreasureSet::EMPTY;
        world.for_each_legal(|action| {
            let mut board = *world.public().board();
            board.push(action.entry, action.rotation);
            found = found.iter().chain(board.treasure_at(action.to)).collect();
        });
        assert_eq!(within_reach(world.public(), mover), found);
        world.apply(world.random_action(&mut rng));
    }
}
