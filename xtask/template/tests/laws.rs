//! The laws that every game keeps, checked on random games; and that every agent plays by the rules.

use oboro_core::{Game, GameWorld, Seat, SeatView};
use oboro_dice::{Dice, agents};
use oboro_testkit::{
    Effort, census, check_agent, check_encoding, check_game, check_golden, check_random_action,
    check_scene_equality, check_scenes, check_standard_agents, check_symmetries, check_uniform,
};

#[test]
fn the_rules_keep_the_laws() {
    check_game(&Dice::default(), Effort::default());
    check_game(&Dice { sides: 9 }, Effort::default());
    check_random_action(&Dice::default(), 5);
}

/// What each seat can imagine is pinned: a leak changes the file. `cargo xtask bless NAME` writes it.
#[test]
fn nothing_leaks() {
    check_golden("tests/census.txt", &census(&Dice::default()));
}

#[test]
fn scenes_keep_their_laws() {
    check_scenes(&Dice::default(), Effort::default());
    let positions = ["42:", "43:", "52:", "42: high", "42: low", "42: low high"];
    check_scene_equality(&Dice::default(), &positions);
}

#[test]
fn encodings_keep_their_laws() {
    check_encoding(&Dice::default(), Effort::default());
    check_encoding(&Dice { sides: 9 }, Effort::default());
    // A game that declares symmetries says here what the image of a start is.
    check_symmetries(&Dice::default(), 5, |symmetry, _| panic!("no image of {}", symmetry.name));
}

#[test]
fn imagining_is_uniform() {
    let view = Dice::default().parse_position("42: high").unwrap().view(Seat::FIRST);
    check_uniform(&[1, 2, 3, 4, 5, 6], 1000, |rng| view.imagine(rng).die(Seat::new(1)));
}

#[test]
fn agents_play_by_the_rules() {
    check_standard_agents(&Dice::default(), 3);
    for entry in agents() {
        let spec = entry.name.parse().unwrap();
        let (_, factory) = entry.build(&Dice::default(), &spec).unwrap();
        check_agent(&Dice::default(), &factory, 3);
    }
}
