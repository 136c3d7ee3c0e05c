//! The laws of the house, on random games under all kinds of rules.

use oboro_core::{AgentEntry, Game, GameWorld, Rng, Seat};
use oboro_saboteur::agents::agents;
use oboro_saboteur::{Bounds, Card, Maps, Saboteur};
use oboro_testkit::{
    Effort, census, check_agent, check_game, check_golden, check_random_action,
    check_standard_agents,
};

/// The published game, the paper's, small and large tables, and every way to share maps.
fn all_rules() -> Vec<Saboteur> {
    let game = Saboteur::default();
    vec![
        game,
        Saboteur::paper(),
        Saboteur { players: 3, ..game },
        Saboteur { players: 4, rounds: 2, maps: Maps::Diggers, ..game },
        Saboteur { players: 10, maps: Maps::Public, bounds: Bounds::Three, ..game },
    ]
}

#[test]
fn every_rule_set_keeps_the_laws() {
    for rules in all_rules() {
        rules.validate().unwrap();
        check_game(&rules, Effort { games: 8, max_plies: 3 * Card::DECK as u32, every: 3 });
    }
}

#[test]
fn random_actions_are_uniform() {
    check_random_action(&Saboteur::default(), 12);
    check_random_action(&Saboteur::paper(), 12);
}

#[test]
fn agents_play_legal_games_that_can_be_repeated() {
    for rules in all_rules() {
        for name in ["random", "path", "foreman"] {
            let spec = name.parse().unwrap();
            let (_, factory) = AgentEntry::resolve(&agents(), &rules, &spec).unwrap();
            check_agent(&rules, &factory, 3);
        }
        // It plays rounds out: a game is enough.
        let (_, oboro) =
            AgentEntry::resolve(&agents(), &rules, &"oboro:playouts=2".parse().unwrap()).unwrap();
        check_agent(&rules, &oboro, 1);
    }
    for rules in [Saboteur::default(), Saboteur { players: 3, ..Saboteur::paper() }] {
        check_standard_agents(&rules, 1);
    }
}

#[test]
fn cards_are_conserved_through_whole_games() {
    for rules in all_rules() {
        for seed in 0..20 {
            let mut rng = Rng::from_u64(seed);
            let mut world = rules.deal(&mut rng);
            while world.to_act().is_some() {
                world.apply(world.random_action(&mut rng));
                let mut counts = world.public().seen();
                let hands = Seat::all(rules.seats()).flat_map(|seat| world.hand(seat).to_vec());
                let hidden = world.deck().iter().chain(world.pile()).copied();
                for card in hands.chain(hidden) {
                    counts[card.index()] += 1;
                }
                for card in Card::all() {
                    assert_eq!(counts[card.index()], card.copies(), "{card}, seed {seed}");
                }
            }
        }
    }
}

#[test]
fn impossible_rules_are_refused() {
    for rules in [
        Saboteur { players: 2, ..Saboteur::default() },
        Saboteur { players: 11, ..Saboteur::default() },
        Saboteur { rounds: 0, ..Saboteur::default() },
        Saboteur { rounds: 4, ..Saboteur::default() },
    ] {
        assert!(rules.validate().is_err(), "{rules:?}");
    }
}

/// What each seat can imagine is pinned: a leak changes the file.
#[test]
fn nothing_leaks() {
    check_golden("tests/golden/census.txt", &census(&Saboteur::default()));
}
