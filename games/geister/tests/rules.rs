//! The rules on hand-made positions, counts, symmetries and the laws every game keeps.

use oboro_core::{FactValue, Game, GameWorld, Record, Replay, Rng, Seat, SeatView};
use oboro_geister::{Action, Ending, Event, Geister, Piece, Placements, World, perft};
use oboro_testkit::{Effort, census, check_game, check_golden, check_random_action, check_uniform};

fn position(text: &str) -> World {
    Geister::default().parse_position(text).expect("a position")
}

fn legal(world: &World) -> Vec<String> {
    let mut actions = Vec::new();
    world.for_each_legal(|action| actions.push(action.to_string()));
    actions
}

const START: &str = "0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R";

#[test]
fn the_game_keeps_every_law() {
    let effort = Effort { games: 8, every: 5, ..Effort::default() };
    check_game(&Geister::default(), effort);
    let short = Geister { plies: 40, placements: Placements::Random };
    check_game(&short, Effort { games: 20, ..effort });
}

#[test]
fn random_actions_are_uniform() {
    check_random_action(&Geister::default(), 30);
}

#[test]
fn imagined_colourings_are_uniform() {
    // Seat 0 has seen one red and two blues of seat 1: two blues and three reds are hidden.
    let world = position("30 14R24R34R44R15B25B35B45B 99B99B21B11B99R30R20R10R");
    let view = world.view(Seat::FIRST);
    let expected: Vec<u8> = view.colourings().map(|reds| reds | 0b1_0000).collect();
    assert_eq!(expected.len(), 10);
    check_uniform(&expected, 4000, |rng| view.imagine(rng).reds(Seat::new(1)));
    let start = position(START).view(Seat::new(1));
    let all: Vec<u8> = start.colourings().collect();
    assert_eq!(all.len(), 70);
    check_uniform(&all, 7000, |rng| start.imagine(rng).reds(Seat::FIRST));
}

#[test]
fn the_start_has_eight_legal_moves() {
    assert_eq!(legal(&position(START)), ["AN", "AW", "BN", "CN", "DN", "DE", "EW", "HE"]);
    let second = position(START.replacen('0', "1", 1).as_str());
    assert_eq!(legal(&second), ["AN", "AW", "BN", "CN", "DN", "DE", "EW", "HE"]);
}

#[test]
fn only_a_blue_on_an_exit_may_leave() {
    let world = position("20 00R50B34R44R15B25B35B45R 41B31B21B11B40R30R20R10R");
    assert_eq!(legal(&world)[..5], ["AE", "AS", "B!", "BS", "BW"].map(str::to_owned));
    // The same pieces on the corners of the own side have nowhere to go but the board.
    let home = position("20 05R55B34R44R15B25B35B42R 41B31B21B11B40R30R20R10R");
    assert!(!legal(&home).contains(&"B!".to_owned()));
}

#[test]
fn a_blue_that_leaves_wins() {
    let mut world = position("20 00R50B34R44R15B25B35B45R 41B31B21B11B40R30R20R10R");
    let seen = world.event("B!".parse().unwrap(), Seat::new(1));
    assert_eq!(seen, Event::Escaped { seat: Seat::FIRST, piece: Piece::new(1) });
    world.play("B!".parse().unwrap()).unwrap();
    assert_eq!(world.public().ending(), Some(Ending::Escape(Seat::FIRST)));
    assert_eq!((world.payoff(Seat::FIRST), world.payoff(Seat::new(1))), (1.0, 0.0));
}

#[test]
fn capturing_the_last_blue_wins() {
    let mut world = position("30 42B24R34R44R15B25B35B45R 41B99B99B99B40R30R20R10R");
    world.play("AN".parse().unwrap()).unwrap();
    assert_eq!(world.public().ending(), Some(Ending::BluesCaptured(Seat::FIRST)));
}

#[test]
fn capturing_the_last_red_loses() {
    let mut world = position("30 42B24R34R44R15B25B35B45R 41R31B21B11B40B99R99R99R");
    world.play("AN".parse().unwrap()).unwrap();
    assert_eq!(world.public().ending(), Some(Ending::RedsCaptured(Seat::new(1))));
    assert_eq!((world.payoff(Seat::FIRST), world.payoff(Seat::new(1))), (0.0, 1.0));
}

#[test]
fn the_ply_limit_draws() {
    let rules = Geister { plies: 2, ..Geister::default() };
    let mut world = rules.parse_position(START).unwrap();
    world.play("AN".parse().unwrap()).unwrap();
    world.play("AN".parse().unwrap()).unwrap();
    assert_eq!(world.public().ending(), Some(Ending::Draw));
    assert_eq!((world.payoff(Seat::FIRST), world.payoff(Seat::new(1))), (0.5, 0.5));
    // A win on the last move counts.
    let text = "1 14B24R34R44R15B25B35R99B 41B99B99B99B13R30R20R10R";
    let mut world = rules.parse_position(text).unwrap();
    world.play("AE".parse().unwrap()).unwrap();
    assert_eq!(world.public().ending(), Some(Ending::Draw));
    let text = "1 99B24R34R15B99B99B25R44R 14B99B99B99B13R30R20R10R";
    let mut world = rules.parse_position(text).unwrap();
    world.play("AN".parse().unwrap()).unwrap();
    assert_eq!(world.public().ending(), Some(Ending::BluesCaptured(Seat::new(1))));
}

#[test]
fn captures_show_the_colour_to_both_sides() {
    let mut world = position("30 42B24R34R44R15B25B35B45R 41R31B21B11B40B30R20R10R");
    let action: Action = "AN".parse().unwrap();
    assert_eq!(world.event(action, Seat::FIRST), world.event(action, Seat::new(1)));
    world.play(action).unwrap();
    let view = world.view(Seat::FIRST);
    assert_eq!((view.hidden_reds(), view.hidden_blues()), (3, 4));
    assert_eq!(view.colour(Seat::new(1), Piece::new(1)), None);
    assert!(view.colour(Seat::new(1), Piece::new(0)).is_some());
}

#[test]
fn pieces_that_stay_on_an_exit_are_marked() {
    let mut world = position("20 00R50B34R44R15B25B35B45R 41B31B21B11B40R30R20R10R");
    world.play("CN".parse().unwrap()).unwrap();
    assert_eq!(world.public().stayed(Seat::FIRST), 0b11);
    let text = Geister::default().write_position(&world);
    assert!(text.contains("00R*50B*"), "{text}");
}

/// Counts of move sequences, computed independently by a plain program over lists of pieces.
#[test]
fn move_sequences_are_counted() {
    let corners = "20 00R50B34R44R15B25B35B45R 41B31B21B11B40R30R20R10R";
    let middle = "24 12B23R32B43R15B25R99B99R 22R33B42B13R40R99R20B10B";
    let late = "31 02B53R99B99R99R99R15B99B 04R33B99B55R99R99R99B54B";
    for (text, counts) in [
        (START, [8, 64, 768, 9_200, 118_488]),
        (corners, [13, 98, 1_407, 16_046, 242_973]),
        (middle, [20, 420, 7_335, 138_807, 2_334_355]),
        (late, [10, 81, 841, 7_011, 73_471]),
    ] {
        let world = position(text);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&world, depth), count, "depth {depth} of {text}");
        }
    }
}

/// The same position in a mirror that swaps left and right.
fn mirrored(world: &World) -> World {
    rebuilt(world, |x, y| (5 - x, y), |i| i ^ 3, false)
}

/// The same position with the sides swapped; the other seat is then to move.
fn swapped(world: &World) -> World {
    rebuilt(world, |x, y| (5 - x, 5 - y), |i| i, true)
}

fn rebuilt(
    world: &World,
    place: impl Fn(u8, u8) -> (u8, u8),
    piece: impl Fn(usize) -> usize,
    swap: bool,
) -> World {
    let ply = world.public().ply() + u16::from(swap);
    let sides = [0, 1].map(|side| {
        let seat = Seat::new(side ^ usize::from(swap));
        (0..8)
            .map(|i| {
                let piece = Piece::new(piece(i));
                let colour = world.colour(seat, piece).expect("placed").letter();
                match world.public().square(seat, piece) {
                    None => format!("99{colour}"),
                    Some(square) => {
                        let (x, y) = place(square.x(), square.y());
                        format!("{x}{y}{colour}")
                    }
                }
            })
            .collect::<String>()
    });
    position(&format!("{ply} {} {}", sides[0], sides[1]))
}

#[test]
fn counts_are_the_same_in_a_mirror_and_from_the_other_side() {
    let mut rng = Rng::from_u64(3);
    for _ in 0..20 {
        let mut world = position(START);
        for _ in 0..rng.below(40) {
            let mut next = world;
            next.apply(next.random_action(&mut rng));
            if next.to_act().is_none() {
                break;
            }
            world = next;
        }
        let count = perft(&world, 3);
        assert_eq!(perft(&mirrored(&world), 3), count, "{world}");
        assert_eq!(perft(&swapped(&world), 3), count, "{world}");
        let mut moves = legal(&world);
        let mut mirror: Vec<String> = legal(&mirrored(&world))
            .iter()
            .map(|text| text.parse::<Action>().expect("an action").mirrored().to_string())
            .collect();
        moves.sort();
        mirror.sort();
        assert_eq!(moves, mirror);
    }
}

/// Whole games to read and to replay, one for each way to win.
#[test]
fn golden_games_replay() {
    for (text, how) in [
        (include_str!("golden/escape.txt"), Ending::Escape(Seat::FIRST)),
        (include_str!("golden/blues.txt"), Ending::BluesCaptured(Seat::FIRST)),
        (include_str!("golden/reds.txt"), Ending::RedsCaptured(Seat::new(1))),
    ] {
        let record: Record = text.parse().expect("a record");
        let mut replay = Replay::new(&Geister::default(), &record).expect("a game");
        while replay.step().expect("by the rules").is_some() {}
        assert_eq!(replay.world().public().ending(), Some(how));
    }
}

#[test]
fn facts_tell_who_won_how_and_from_which_placement() {
    let mut world = position("20 00R50B34R44R15B25B35B45R 41B31B21B11B40R30R20R10R");
    world.play("B!".parse().unwrap()).unwrap();
    let value = |name: &str| {
        let facts = world.facts();
        let fact = facts.into_iter().find(|fact| fact.name == name);
        fact.unwrap_or_else(|| panic!("no fact {name}")).value
    };
    assert_eq!(value("won"), FactValue::Seats(vec![1.0, 0.0]));
    assert_eq!(value("won-by-escape"), FactValue::Seats(vec![1.0, 0.0]));
    assert_eq!(value("won-by-blues"), FactValue::Seats(vec![0.0, 0.0]));
    assert_eq!(value("won-by-reds"), FactValue::Seats(vec![0.0, 0.0]));
    assert_eq!(value("draw"), FactValue::Game(0.0));
    assert_eq!(value("moves"), FactValue::Game(21.0));
    // Reds ACDH against EFGH.
    assert_eq!(value("inner-reds"), FactValue::Seats(vec![1.0, 2.0]));
    assert_eq!(value("front-reds"), FactValue::Seats(vec![3.0, 0.0]));
    assert_eq!(value("keeper-reds"), FactValue::Seats(vec![1.0, 2.0]));
    assert_eq!(value("placement"), FactValue::Seats(vec![18.0, 69.0]));
}

/// What each seat can imagine is pinned: a leak changes the file.
#[test]
fn nothing_leaks() {
    check_golden("tests/golden/census.txt", &census(&Geister::default()));
}
