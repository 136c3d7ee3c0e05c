use crate::{Effort, limit_of_chi_squared, place};
use oboro_core::{Belief, GameScenes, GameWorld, Rng, SceneData, Seat, SeatView};
use serde_json::Value;
use std::collections::BTreeMap;

/// Plays random games and checks the laws of scenes at every position. The laws:
///
/// - scenes survive JSON, and are equal exactly when the views are;
/// - **a spectator learns nothing that a seat could not**: whatever a seat imagines looks the same to a spectator;
/// - every legal action is described in both languages, and different actions have different parts;
/// - events are told in both languages, with data that is equal exactly when the events are, and whoever recalls them
///   from the data recalls the same;
/// - a spectator's events say exactly what the public scene gains;
/// - secrets have probabilities that add up to 1, the truth is among the values, and worlds that a seat
///   imagines agree with the probabilities.
///
/// # Panics
/// If a law is broken.
pub fn check_scenes<G: GameScenes>(game: &G, effort: Effort) {
    for number in 0..effort.games {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        let mut plies = 0;
        loop {
            let place = || place(game, number, plies, &world);
            let mut actions = Vec::new();
            world.legal(&mut actions);
            if plies % effort.every == 0 || actions.is_empty() {
                check_position(game, &world, &actions, &mut rng, &place);
            }
            let Some(&action) = rng.choose(&actions) else { break };
            check_story(game, &world, action, &mut rng, &place);
            world.apply(action);
            plies += 1;
            assert!(
                plies < effort.max_plies,
                "{}, seed {number}: the game goes on for ever",
                G::NAME
            );
        }
        check_secrets(game, &mut rng, number);
    }
}

/// Checks at positions given as text, best such that differ in one thing each, that scenes are equal exactly when
/// views are. Random games hardly ever meet two positions that differ in one thing only.
///
/// # Panics
/// If they are not, or a text is no position.
pub fn check_scene_equality<G: GameScenes>(game: &G, positions: &[&str]) {
    let looks: Vec<(&str, G::View)> = positions
        .iter()
        .flat_map(|text| {
            let world = game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            Seat::all(game.seats()).map(move |seat| (*text, world.view(seat)))
        })
        .collect();
    for (i, (here, view)) in looks.iter().enumerate() {
        for (there, other) in &looks[..i] {
            let same_scene = game.scene(view) == game.scene(other);
            let seats = (view.seat(), other.seat());
            assert_eq!(same_scene, view == other, "{seats:?} at {here} and {there}");
        }
    }
}

/// The JSON of a piece of data, after checking that it comes back from it.
fn json<T: SceneData>(data: &T, place: &dyn Fn() -> String) -> Value {
    let value = serde_json::to_value(data).expect("plain data has a JSON form");
    let back: T = serde_json::from_value(value.clone())
        .unwrap_or_else(|error| panic!("own JSON refused: {error}: {value}; {}", place()));
    assert!(back == *data, "data changed by JSON: {value}; {}", place());
    value
}

fn check_position<G: GameScenes>(
    game: &G,
    world: &G::World,
    actions: &[G::Action],
    rng: &mut Rng,
    place: &dyn Fn() -> String,
) {
    let public = json(&game.public_scene(world), place);
    json(&game.full_scene(world), place);
    for seat in Seat::all(game.seats()) {
        let view = world.view(seat);
        let imagined = view.imagine(rng);
        assert_eq!(
            json(&game.public_scene(&imagined), place),
            public,
            "a spectator can tell what seat {seat} cannot; {}",
            place()
        );
        for observer in Seat::all(game.seats()) {
            let (ours, theirs) = (world.view(observer), imagined.view(observer));
            let same_scene = json(&game.scene(&ours), place) == json(&game.scene(&theirs), place);
            assert_eq!(
                same_scene,
                ours == theirs,
                "seat {observer}: are scenes as equal as views? {}; imagined {}",
                place(),
                game.write_position(&imagined)
            );
        }
        for secret in game.secrets(&view) {
            check_belief(&secret, place);
        }
    }
    if let Some(mover) = world.to_act() {
        check_descriptions(game, &world.view(mover), actions, place);
    }
}

fn check_descriptions<G: GameScenes>(
    game: &G,
    view: &G::View,
    actions: &[G::Action],
    place: &dyn Fn() -> String,
) {
    let mut seen = BTreeMap::new();
    for &action in actions {
        let described = game.describe(view, action);
        let said = [&described.text.en, &described.text.ja];
        assert!(said.iter().all(|text| !text.trim().is_empty()), "{action}: no words; {}", place());
        let parts = json(&described.parts, place).to_string();
        if let Some(other) = seen.insert(parts, action) {
            panic!("{action} and {other} have the same parts; {}", place());
        }
    }
    let mut left = actions.iter();
    game.describe_all(view, actions, |action, described| {
        assert_eq!(Some(&action), left.next(), "another action's turn; {}", place());
        assert!(
            described == game.describe(view, action),
            "{action} is described differently among others; {}",
            place()
        );
    });
    assert_eq!(left.next(), None, "not all actions are described; {}", place());
}

/// Checks what everybody is told of an action.
fn check_story<G: GameScenes>(
    game: &G,
    world: &G::World,
    action: G::Action,
    rng: &mut Rng,
    place: &dyn Fn() -> String,
) {
    for seat in Seat::all(game.seats()) {
        let view = world.view(seat);
        let imagined = view.imagine(rng);
        let scene = game.scene(&view);
        let (ours, told) = (world.event(action, seat), |event| {
            let described = game.narrate(&scene, event);
            let said = [&described.text.en, &described.text.ja];
            assert!(said.iter().all(|text| !text.trim().is_empty()), "no words; {}", place());
            json(&described.parts, place)
        });
        let our_story = told(&ours);
        if let Some(back) = game.recall(&game.narrate(&scene, &ours).parts) {
            assert_eq!(back, ours, "another event is recalled than was told; {}", place());
        }
        if !imagined.is_legal(action) {
            continue;
        }
        let theirs = imagined.event(action, seat);
        assert_eq!(
            our_story == told(&theirs),
            ours == theirs,
            "seat {seat}, {action}; {}",
            place()
        );

        let (ours, theirs) =
            (game.public_event(world, action), game.public_event(&imagined, action));
        let scene = game.public_scene(world);
        let same_story = json(&game.narrate(&scene, &ours).parts, place)
            == json(&game.narrate(&scene, &theirs).parts, place);
        let (mut here, mut there) = (world.clone(), imagined.clone());
        here.apply(action);
        there.apply(action);
        let same_scene = game.public_scene(&here) == game.public_scene(&there);
        assert_eq!(same_story, same_scene, "a spectator of {action}; {}", place());
    }
}

fn check_belief(belief: &Belief, place: &dyn Fn() -> String) {
    let total: f64 = belief.values.iter().map(|v| v.probability).sum();
    let in_range = belief.values.iter().all(|v| (0.0..=1.0).contains(&v.probability));
    assert!(in_range && (total - 1.0).abs() < 1e-9, "{belief:?}; {}", place());
}

/// At one position of a random game: what is hidden is, in imagined worlds, as often so as the rules say. The
/// later games are looked at later, so that many games see all of a game.
fn check_secrets<G: GameScenes>(game: &G, rng: &mut Rng, number: u64) {
    const DRAWS: usize = 1000;
    const STEP: u64 = 4;
    let mut world = game.deal(rng);
    for _ in 0..number * STEP {
        if world.to_act().is_some() {
            world.apply(world.random_action(rng));
        }
    }
    let place = || place(game, number, (number * STEP) as u32, &world);
    for seat in Seat::all(game.seats()) {
        let view = world.view(seat);
        let secrets = game.secrets(&view);
        let truth = game.answers(&world, &view);
        assert_eq!(truth.len(), secrets.len(), "an answer to every secret; {}", place());
        for (secret, truth) in secrets.iter().zip(&truth) {
            let possible = secret.probability(truth) > 0.0;
            assert!(
                possible,
                "{} is {truth}, which {secret:?} rules out; {}",
                secret.subject,
                place()
            );
        }
        if secrets.is_empty() {
            continue;
        }
        let mut counts: Vec<BTreeMap<String, f64>> = vec![BTreeMap::new(); secrets.len()];
        for _ in 0..DRAWS {
            for (count, answer) in counts.iter_mut().zip(game.answers(&view.imagine(rng), &view)) {
                *count.entry(answer).or_default() += 1.0;
            }
        }
        for (secret, count) in secrets.iter().zip(&counts) {
            // Values too rare for the test are counted as one.
            let (mut chi2, mut cells, mut rare) = (0.0, 0.0f64, (0.0, 0.0));
            for value in &secret.values {
                let expected = value.probability * DRAWS as f64;
                let found = count.get(&value.value).copied().unwrap_or(0.0);
                if expected < 5.0 {
                    rare = (rare.0 + expected, rare.1 + found);
                } else {
                    chi2 += (found - expected).powi(2) / expected;
                    cells += 1.0;
                }
            }
            if rare.0 >= 5.0 {
                chi2 += (rare.1 - rare.0).powi(2) / rare.0;
                cells += 1.0;
            }
            let limit = limit_of_chi_squared((cells - 1.0).max(1.0));
            assert!(
                chi2 < limit,
                "χ² = {chi2:.1} over {limit:.1}: {secret:?}, {count:?}; {}",
                place()
            );
        }
    }
}
