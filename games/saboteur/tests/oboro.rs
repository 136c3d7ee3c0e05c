//! What `oboro` believes and does in clear cases.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::scene;

use oboro_core::{Agent, AgentEntry, Belief, GameWorld, Rng, Seat};
use oboro_saboteur::agents::oboro::{Oboro, OboroParams};
use oboro_saboteur::{Saboteur, World, agents};
use scene::Scene;

/// A table before the first card, with something for everybody to do; seat 0 sits out the first round.
fn start() -> Scene {
    Scene {
        hands: &[
            "break-cart,mend-pick,map,xL,xU",
            "LUR,LUR,LU,LD,break-pick",
            "LUR,LU,LU,LD,LD",
            "xLURD,xLUR,UD,UD,rock",
            "LURD,LURD,LURD,rock,break-lantern",
            "LUD,LUD,LUD,map,map",
        ],
        looks: "0:8,-2",
        turn: 1,
        ..Scene::default()
    }
}

fn oboro(playouts: u32) -> Oboro {
    Oboro::new(Scene::default().rules, OboroParams { playouts, ..OboroParams::default() }).unwrap()
}

fn choice(scene: &Scene, playouts: u32) -> String {
    let view = scene.world().view(Seat::FIRST);
    oboro(playouts).act(&view, &mut Rng::from_u64(1)).to_string()
}

/// What seat 0 believes after these actions: the player, and the probability of each answer.
fn after(world: &mut World, actions: &[&str]) -> (Oboro, impl Fn(&str, &str) -> f64 + use<>) {
    let mut player = oboro(0);
    player.begin(&world.view(Seat::FIRST));
    for action in actions {
        let action = action.parse().unwrap();
        player.observe(&world.event(action, Seat::FIRST));
        world.play(action).unwrap();
    }
    let said = player.beliefs(&world.view(Seat::FIRST), &mut Rng::from_u64(1));
    let of = move |subject: &str, value: &str| {
        let belief: &Belief = said.iter().find(|belief| belief.subject == subject).unwrap();
        belief.values.iter().find(|option| option.value == value).unwrap().probability
    };
    (player, of)
}

fn probabilities(of: &impl Fn(&str, &str) -> f64) -> Vec<f64> {
    (1..6).map(|seat| of(&format!("role:{seat}"), "saboteur")).collect()
}

#[test]
fn the_prior_counts_role_cards() {
    let (_, of) = after(&mut start().world(), &[]);
    // Two saboteur cards among the six that the other five and the box have.
    for probability in probabilities(&of) {
        assert!((probability - 2.0 / 6.0).abs() < 1e-12, "{probability}");
    }
}

#[test]
fn blocking_the_way_raises_the_probability_of_a_saboteur() {
    let plays = ["LUR@1,0", "LUR@2,0", "xLURD@3,0", "LURD@2,-1", "discard-LUD"];
    let mut world = start().world();
    let (mut player, of) = after(&mut world, &plays);
    let probabilities = probabilities(&of);
    assert!(probabilities[2] > 0.8, "{probabilities:?}");
    assert!(probabilities[0] < 1.0 / 3.0 && probabilities[1] < 1.0 / 3.0, "{probabilities:?}");
    // There are two saboteurs at most, and one at least.
    let sum: f64 = probabilities.iter().sum();
    assert!((1.0..=2.0).contains(&sum), "{sum}");
    let action = player.act(&world.view(Seat::FIRST), &mut Rng::from_u64(1));
    assert_eq!(action.to_string(), "break-cart@3");
}

#[test]
fn harm_is_weak_evidence_at_a_random_table() {
    let probability = |others: [&str; 4]| {
        let scene = Scene {
            hands: &[
                "map,map,map,xL,xU",
                "LUR,break-pick,LU,LD,LUD",
                "LUR,break-pick,LU,LD,LUD",
                "xLURD,xLUR,UD,UD,rock",
                "LURD,break-pick,LU,LD,LUR",
                "LUD,break-lantern,LU,LD,LUR",
            ],
            ..start()
        };
        let [first, second, fourth, fifth] = others;
        let plays = [first, second, "xLURD@1,0", fourth, fifth];
        after(&mut scene.world(), &plays).1("role:3", "saboteur")
    };
    let tools = probability(["break-pick@0", "break-pick@4", "break-pick@5", "break-lantern@1"]);
    let cards = probability(["discard-LU", "discard-LU", "discard-LU", "discard-LU"]);
    assert!(tools < 0.5 && cards > 0.75, "{tools} {cards}");
}

#[test]
fn breaking_a_tool_of_a_digger_is_evidence() {
    let before = ["LUR@1,0", "LUR@2,0", "xLURD@3,0", "LURD@2,-1"];
    let probability = |last: &str| {
        let (_, of) = after(&mut start().world(), &[&before[..3], &[last]].concat());
        of("role:4", "saboteur")
    };
    let (breaks_the_blocker, breaks_a_digger) =
        (probability("break-lantern@3"), probability("break-lantern@1"));
    assert!(breaks_the_blocker < breaks_a_digger - 0.3, "{breaks_the_blocker} {breaks_a_digger}");
}

#[test]
fn digging_after_a_look_is_evidence_of_the_gold() {
    let lower = |dug: &str| {
        let mut world = Scene {
            mine: "LUR@1,0;LUR@2,0;LR@3,0;LURD@4,0;LURD@5,0",
            hands: &["LD,LU,map,xL,xU", "UD,LR,LD,LU,LU"],
            looks: "1:8,2",
            turn: 1,
            ..Scene::default()
        }
        .world();
        after(&mut world, &[dug]).1("goal:lower", "gold")
    };
    let (down, right) = (lower("UD@5,1"), lower("LR@6,0"));
    assert!(down > 0.5 && down > right + 0.1, "{down} {right}");
}

#[test]
fn probabilities_are_positive_and_sum_to_one() {
    let plays = ["LUR@1,0", "LUR@2,0", "xLURD@3,0", "LURD@2,-1", "discard-LUD", "discard-xL"];
    let mut world = start().world();
    let (mut player, of) = after(&mut world, &plays);
    assert!(probabilities(&of).iter().all(|probability| (1e-9..1.0 - 1e-9).contains(probability)));
    for belief in player.beliefs(&world.view(Seat::FIRST), &mut Rng::from_u64(1)) {
        let sum: f64 = belief.values.iter().map(|option| option.probability).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{belief:?}");
    }
}

#[test]
fn a_digger_takes_the_gold_and_mends_its_own_tools_first() {
    let hands = &["LURD,LUR,rock,break-pick,LU"];
    assert!(
        ["LURD@7,0", "LUR@7,0"]
            .contains(&choice(&Scene { hands, ..Scene::near_the_gold() }, 0).as_str())
    );
    let hands = &["LURD,LUR,rock,mend-pick,LU"];
    assert_eq!(
        choice(&Scene { hands, broken: "0:pick", ..Scene::near_the_gold() }, 0),
        "mend-pick@0"
    );
}

#[test]
fn a_saboteur_hides_while_the_gold_is_far_with_a_harm_threshold() {
    let hands = &["xLURD,LUR,LU,LD,UD"];
    for playouts in [0, 300] {
        let near = Scene { hands, roles: "sddddd", ..Scene::near_the_gold() };
        assert_eq!(choice(&near, playouts), "xLURD@7,0", "{playouts} playouts");
    }
    let far = Scene { mine: "LURD@1,0", hands, roles: "sddddd", ..Scene::near_the_gold() };
    for (harm_threshold, hides) in [(0.0, false), (3.0, true)] {
        let params = OboroParams { playouts: 0, harm_threshold, ..OboroParams::default() };
        let mut player = Oboro::new(far.rules, params).unwrap();
        let played = player.act(&far.world().view(Seat::FIRST), &mut Rng::from_u64(1));
        assert_eq!(
            !played.to_string().starts_with('x'),
            hides,
            "threshold {harm_threshold}: {played}"
        );
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    for bad in [
        "discount=1",
        "map-value=11",
        "break-value=nan",
        "mend-value=-1",
        "rock-threshold=inf",
        "harm-threshold=101",
        "cover-bonus=-1",
        "playouts=1000001",
    ] {
        let spec = format!("oboro:{bad}").parse().unwrap();
        let built = AgentEntry::resolve(&agents(), &Saboteur::default(), &spec);
        assert!(built.is_err(), "{bad}");
    }
}

#[test]
fn analyses_choose_as_the_agent_plays() {
    let view = start().world().view(Seat::new(1));
    for (playouts, measure) in [(0, "cards of progress"), (60, "won and paid")] {
        let analysis = oboro(playouts).analyse(&view, &mut Rng::from_u64(5));
        assert_eq!(analysis.measure, measure);
        assert_eq!(analysis.choice, oboro(playouts).act(&view, &mut Rng::from_u64(5)));
        assert_eq!(analysis.values[0].action, analysis.choice, "the best comes first");
        // All have a part in the first rounds, and those that are left have more.
        let visits: Vec<u64> = analysis.values.iter().filter_map(|value| value.visits).collect();
        assert_eq!(visits.len(), if playouts > 0 { analysis.values.len() } else { 0 });
        assert!(visits.is_sorted_by(|a, b| a >= b) && !visits.contains(&0), "{visits:?}");
    }
}
