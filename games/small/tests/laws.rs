//! Every small game keeps the laws of the test kit.

use oboro_core::{Game, GameEncoding, GameScenes, GameWorld, Params, Rng};
use oboro_small::{
    DarkHex, GeisterRules, GeisterSmall, Goofspiel, GoofspielRules, GridRules, Kuhn, Leduc,
    LiarsDice, LiarsDiceRules, PhantomTtt, PointsOrder, Rules, Small, Version,
};
use oboro_testkit::{
    Effort, check_encoding, check_game, check_random_action, check_scene_equality, check_scenes,
    check_standard_agents, check_symmetries,
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
    let texts = neighbours(game);
    check_scene_equality(game, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    check_symmetries(game, 5, |symmetry, _| panic!("write the image of {}", symmetry.name));
}

/// Positions that differ in one thing each: starts, and what the actions of a few positions lead to.
fn neighbours<G: Game>(game: &G) -> Vec<String> {
    let deals = game.deals().expect("a small game lists its deals");
    let mut worlds: Vec<G::World> = deals.into_iter().map(|(_, world)| world).take(6).collect();
    for plies in 0..4 {
        let mut rng = Rng::from_u64(plies);
        let mut world = game.deal(&mut rng);
        for _ in 0..plies {
            if world.to_act().is_some() {
                world.apply(world.random_action(&mut rng));
            }
        }
        worlds.extend(world.legal_actions().into_iter().map(|action| {
            let mut next = world.clone();
            next.apply(action);
            next
        }));
    }
    worlds.iter().map(|world| game.write_position(world)).collect()
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
