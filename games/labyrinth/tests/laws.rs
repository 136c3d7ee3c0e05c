//! The laws every game keeps, checked on random games.

use oboro_labyrinth::{Finish, Labyrinth};
use oboro_testkit::{Effort, census, check_game, check_golden, check_random_action};

#[test]
fn every_table_keeps_the_laws() {
    for players in 2..=4 {
        let rules = Labyrinth { players, cards: Some(1), ..Labyrinth::default() };
        check_game(&rules, Effort { games: 2, every: 10, ..Effort::default() });
    }
}

#[test]
fn a_game_that_ends_with_the_last_card_keeps_them_too() {
    let rules = Labyrinth { finish: Finish::LastCard, cards: Some(1), ..Labyrinth::default() };
    check_game(&rules, Effort { games: 2, every: 10, ..Effort::default() });
}

#[test]
fn a_game_without_a_winner_is_shared() {
    let rules = Labyrinth { players: 3, turn_limit: 4, ..Labyrinth::default() };
    check_game(&rules, Effort { games: 2, every: 3, ..Effort::default() });
}

#[test]
fn random_turns_are_uniform_over_all_legal_ones() {
    check_random_action(&Labyrinth::default(), 3);
}

/// What each seat can imagine is pinned: a leak changes the file.
#[test]
fn nothing_leaks() {
    check_golden("tests/golden/census.txt", &census(&Labyrinth::default()));
}
