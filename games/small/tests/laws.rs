//! Every small game keeps the laws of the test kit.

use oboro_core::{Game, GameEncoding, GameScenes, Params};
use oboro_small::{
    DarkHex, GeisterRules, GeisterSmall, Goofspiel, GoofspielRules, GridRules, Kuhn, Leduc,
    LiarsDice, LiarsDiceRules, PhantomTtt, PointsOrder, Rules, Small, Version,
};
use oboro_testkit::{
    Effort, check_encoding, check_game, check_random_action, check_scenes, check_standard_agents,
};

fn keeps_all_laws<R: Rules + Params>(rules: R) {
    let game = Small(rules);
    game.validate().unwrap_or_else(|error| panic!("{error}"));
    laws(&game);
    check_standard_agents(&game, 3);
}

fn laws<G: Game + GameScenes + GameEncoding>(game: &G) {
    let effort = Effort { games: 30, max_plies: 32, every: 1 };
    check_game(game, effort);
    check_scenes(game, Effort { games: 12, ..effort });
    check_encoding(game, Effort { games: 12, ..effort });
    check_random_action(game, 3);
}

#[test]
fn poker_and_dice() {
    keeps_all_laws(Kuhn::default().0);
    keeps_all_laws(Leduc::default().0);
    keeps_all_laws(LiarsDice::default().0);
    keeps_all_laws(LiarsDiceRules { faces: 3 });
}

#[test]
fn goofspiel() {
    keeps_all_laws(Goofspiel::default().0);
    for points_order in [PointsOrder::Ascending, PointsOrder::Random] {
        keeps_all_laws(GoofspielRules { cards: 5, points_order });
    }
}

#[test]
fn hidden_stones() {
    keeps_all_laws(PhantomTtt::default().0);
    keeps_all_laws(DarkHex::default().0);
    keeps_all_laws(GridRules::<oboro_small::TicTacToe>::new(Version::Classical));
    keeps_all_laws(GridRules::<oboro_small::Hex>::new(Version::Classical));
}

#[test]
fn small_boards_of_geister() {
    keeps_all_laws(GeisterSmall::default().0);
    keeps_all_laws(GeisterRules { width: 4, height: 4, rows: 2, reds: 2, plies: 12 });
}
