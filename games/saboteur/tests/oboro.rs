//! What `oboro` believes and does in clear cases.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod scene;

use oboro_core::{Agent, AgentEntry, Belief, GameWorld, Rng, Seat};
use oboro_saboteur::agents::oboro::{Manner, Oboro};
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

fn oboro(nodes: u32) -> Oboro {
    Oboro::new(Scene::default().rules, Manner { nodes, ..Manner::default() }).unwrap()
}

fn choice(scene: &Scene, nodes: u32) -> String {
    let view = scene.world().view(Seat::FIRST);
    oboro(nodes).act(&view, &mut Rng::from_u64(1)).to_string()
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

fn doubts(of: &impl Fn(&str, &str) -> f64) -> Vec<f64> {
    (1..6).map(|seat| of(&format!("role:{seat}"), "saboteur")).collect()
}

#[test]
fn before_anybody_has_done_anything_it_counts() {
    let (_, of) = after(&mut start().world(), &[]);
    // Two saboteur cards among the six that the other five and the box have.
    for doubt in doubts(&of) {
        assert!((doubt - 2.0 / 6.0).abs() < 1e-12, "{doubt}");
    }
}

#[test]
fn who_blocks_the_way_is_found_out_and_the_others_are_cleared() {
    let plays = ["LUR@1,0", "LUR@2,0", "xLURD@3,0", "LURD@2,-1", "discard-LUD"];
    let mut world = start().world();
    let (mut player, of) = after(&mut world, &plays);
    let doubts = doubts(&of);
    assert!(doubts[2] > 0.8, "{doubts:?}");
    assert!(doubts[0] < 1.0 / 3.0 && doubts[1] < 1.0 / 3.0, "{doubts:?}");
    // There are two saboteurs at most, and one at least.
    let sum: f64 = doubts.iter().sum();
    assert!((1.0..=2.0).contains(&sum), "{sum}");
    let action = player.act(&world.view(Seat::FIRST), &mut Rng::from_u64(1));
    assert_eq!(action.to_string(), "break-cart@3");
}

#[test]
fn where_nobody_seems_to_mean_anything_harm_says_little() {
    let doubt = |others: [&str; 4]| {
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
    let tools = doubt(["break-pick@0", "break-pick@4", "break-pick@5", "break-lantern@1"]);
    let cards = doubt(["discard-LU", "discard-LU", "discard-LU", "discard-LU"]);
    assert!(tools < 0.5 && cards > 0.75, "{tools} {cards}");
}

#[test]
fn whom_diggers_break_and_whom_saboteurs_mend_is_evidence() {
    let before = ["LUR@1,0", "LUR@2,0", "xLURD@3,0", "LURD@2,-1"];
    let doubt = |last: &str| {
        let (_, of) = after(&mut start().world(), &[&before[..3], &[last]].concat());
        of("role:4", "saboteur")
    };
    let (breaks_the_blocker, breaks_a_digger) =
        (doubt("break-lantern@3"), doubt("break-lantern@1"));
    assert!(breaks_the_blocker < breaks_a_digger - 0.3, "{breaks_the_blocker} {breaks_a_digger}");
}

#[test]
fn whoever_looked_and_digs_down_says_where_the_gold_is() {
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
fn nothing_is_ever_certain_and_probabilities_add_up() {
    let plays = ["LUR@1,0", "LUR@2,0", "xLURD@3,0", "LURD@2,-1", "discard-LUD", "discard-xL"];
    let mut world = start().world();
    let (mut player, of) = after(&mut world, &plays);
    assert!(doubts(&of).iter().all(|doubt| (1e-9..1.0 - 1e-9).contains(doubt)));
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
fn a_saboteur_strikes_when_the_gold_is_near_and_hides_while_it_is_far_if_it_is_patient() {
    let hands = &["xLURD,LUR,LU,LD,UD"];
    for nodes in [0, 300] {
        let near = Scene { hands, roles: "sddddd", ..Scene::near_the_gold() };
        assert_eq!(choice(&near, nodes), "xLURD@7,0", "{nodes} nodes");
    }
    let far = Scene { mine: "LURD@1,0", hands, roles: "sddddd", ..Scene::near_the_gold() };
    for (patience, hides) in [(0.0, false), (3.0, true)] {
        let manner = Manner { nodes: 0, patience, ..Manner::default() };
        let mut player = Oboro::new(far.rules, manner).unwrap();
        let played = player.act(&far.world().view(Seat::FIRST), &mut Rng::from_u64(1));
        assert_eq!(!played.to_string().starts_with('x'), hides, "patience {patience}: {played}");
    }
}

#[test]
fn manners_out_of_range_are_refused() {
    for bad in ["fade=1", "map=11", "tools=nan", "mend=-1", "rocks=inf", "patience=101", "cover=-1"]
    {
        let spec = format!("oboro:{bad}").parse().unwrap();
        let built = AgentEntry::resolve(&agents(), &Saboteur::default(), &spec);
        assert!(built.is_err(), "{bad}");
    }
    let most = "oboro:nodes=1000001".parse().unwrap();
    assert!(AgentEntry::resolve(&agents(), &Saboteur::default(), &most).is_err());
}

#[test]
fn an_analysis_tells_what_was_played_out_and_chooses_as_it_plays() {
    let view = start().world().view(Seat::new(1));
    for (nodes, measure) in [(0, "cards of progress"), (60, "won and paid")] {
        let analysis = oboro(nodes).analyse(&view, &mut Rng::from_u64(5));
        assert_eq!(analysis.measure, measure);
        assert_eq!(analysis.choice, oboro(nodes).act(&view, &mut Rng::from_u64(5)));
        assert_eq!(analysis.values[0].action, analysis.choice, "the best comes first");
        // All have a part in the first rounds, and those that are left have more.
        let visits: Vec<u64> = analysis.values.iter().filter_map(|value| value.visits).collect();
        assert_eq!(visits.len(), if nodes > 0 { analysis.values.len() } else { 0 });
        assert!(visits.is_sorted_by(|a, b| a >= b) && !visits.contains(&0), "{visits:?}");
    }
}
