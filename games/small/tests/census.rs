//! What each seat can imagine is pinned: a leak changes a file.

use oboro_core::Game;
use oboro_small::{DarkHex, GeisterSmall, Goofspiel, Kuhn, Leduc, LiarsDice, PhantomTtt};
use oboro_testkit::{census, check_golden};

fn nothing_leaks<G: Game>(game: &G) {
    check_golden(format!("tests/census/{}.txt", G::NAME), &census(game));
}

#[test]
fn small_games_leak_nothing() {
    nothing_leaks(&Kuhn::default());
    nothing_leaks(&Leduc::default());
    nothing_leaks(&LiarsDice::default());
    nothing_leaks(&Goofspiel::default());
    nothing_leaks(&PhantomTtt::default());
    nothing_leaks(&DarkHex::default());
    nothing_leaks(&GeisterSmall::default());
}
