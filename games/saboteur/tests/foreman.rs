//! What `foreman` does in clear cases.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::scene;

use oboro_core::{Agent, AgentEntry, GameWorld, Rng, Seat};
use oboro_saboteur::agents::foreman::{Foreman, ForemanParams};
use oboro_saboteur::{Saboteur, World, agents};
use scene::Scene;

fn foreman() -> Foreman {
    Foreman::new(Scene::default().rules, ForemanParams::default()).unwrap()
}

fn choice(scene: &Scene) -> String {
    let view = scene.world().view(Seat::FIRST);
    foreman().act(&view, &mut Rng::from_u64(1)).to_string()
}

/// Plays actions, which the foreman at seat 0 sees as its seat does.
fn watch(foreman: &mut Foreman, world: &mut World, actions: &[&str]) {
    for action in actions {
        let action = action.parse().unwrap();
        foreman.observe(&world.event(action, Seat::FIRST));
        world.play(action).unwrap();
    }
}

#[test]
fn foreman_plays_as_expected_in_clear_cases() {
    let digger = Scene::near_the_gold;
    let saboteur = || Scene { roles: "sddddd", ..Scene::near_the_gold() };
    let blocked = "LR@1,0;LR@2,0;LR@3,0;LURD@4,0;LURD@5,0;xLURD@6,0";
    for (case, scene, hands, expected) in [
        (
            "a digger takes the gold",
            digger(),
            &["LURD,LUR,rock,break-pick,LU"],
            &["LURD@7,0", "LUR@7,0"][..],
        ),
        (
            "a digger mends its own tools first",
            Scene { broken: "0:pick", ..digger() },
            &["LURD,LUR,rock,mend-pick,LU"],
            &["mend-pick@0"],
        ),
        (
            "a digger lets rocks fall on a card in the way",
            Scene { mine: blocked, ..digger() },
            &["rock,xL,xU,map,LD"],
            &["rock@6,0"],
        ),
        ("a saboteur closes the way", saboteur(), &["xLURD,LUR,LU,LD,UD"], &["xLURD@7,0"]),
        ("a saboteur lets rocks fall", saboteur(), &["rock,LUR,LURD,map,map"], &["rock@"]),
        ("a saboteur breaks tools", saboteur(), &["break-cart,LUR,LURD,map,map"], &["break-cart@"]),
    ] {
        let played = choice(&Scene { hands, ..scene });
        assert!(expected.iter().any(|start| played.starts_with(start)), "{case}: {played}");
    }
}

#[test]
fn a_player_that_blocks_the_way_is_taken_for_a_saboteur() {
    let mut world = Scene {
        hands: &[
            "break-cart,mend-pick,map,xL,xU",
            "LUR,LU,LU,LD,LD",
            "LUR,LU,LU,LD,LD",
            "xLURD,UD,UD,UD,UD",
            "LURD,LURD,LURD,rock,rock",
            "LUD,LUD,LUD,LUD,LUD",
        ],
        looks: "0:8,-2",
        turn: 1,
        ..Scene::default()
    }
    .world();
    let mut foreman = foreman();
    let plays = ["LUR@1,0", "LUR@2,0", "xLURD@3,0", "LURD@2,-1", "discard-LUD"];
    watch(&mut foreman, &mut world, &plays);
    let action = foreman.act(&world.view(Seat::FIRST), &mut Rng::from_u64(1));
    assert_eq!(action.to_string(), "break-cart@3");
}

#[test]
fn parameters_out_of_range_are_refused() {
    for bad in [
        "discount=1",
        "discount=-0.1",
        "map-value=11",
        "break-value=nan",
        "rock-threshold=inf",
        "evidence-weight=-1",
    ] {
        let spec = format!("foreman:{bad}").parse().unwrap();
        let built = AgentEntry::resolve(&agents(), &Saboteur::default(), &spec);
        assert!(built.is_err(), "{bad}");
    }
}
