//! Whatever comes in through the door gets an answer or an error that names the place; nothing panics.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_catalog::{AnyLive, CatalogError, Keep, NewGame, games, open_record, read};
use oboro_core::{LiveError, Perspective, ReplayError, Rng, Seat, Seed, Stop};
use oboro_testkit::{damaged_text, fuzz};
use serde_json::{Value, json};
use std::sync::Arc;

fn open(request: Value) -> Result<Box<dyn AnyLive>, CatalogError> {
    read::<NewGame>(request)?.open()
}

#[test]
fn bad_requests_are_answered_with_the_place_at_fault() {
    let said = |request: Value| open(request).err().expect("refused").to_string();
    assert!(said(json!({ "game": "chess", "seats": [] })).contains("unknown game `chess`"));
    assert_eq!(said(json!({ "game": "sevens" })), ".: missing field `seats`");
    assert!(said(json!({ "game": "sevens", "seats": [1] })).starts_with("seats[0]: invalid type"));
    assert!(
        said(json!({ "game": "sevens", "seats": [], "sede": 1 })).contains("unknown field `sede`")
    );
    assert!(
        said(json!({ "game": "sevens", "seats": [], "seed": "x" }))
            .starts_with("seed: `x` is no seed")
    );
    assert!(
        said(json!({ "game": "sevens", "seats": [null] })).contains("4 seats under these rules")
    );
    let rules = json!({ "game": "sevens", "seats": [], "rules": { "plyers": 3 } });
    assert!(said(rules).contains("did you mean `players`?"));
    let agents = json!({ "game": "geister", "seats": [null, "oboor"] });
    assert!(said(agents).contains("did you mean `oboro`?"));
    let position = json!({ "game": "geister", "seats": [null, null], "position": "0 14R" });
    assert!(said(position).starts_with("position: column"));
}

#[test]
fn bad_moves_are_answered_with_what_would_be_right() {
    let mut live = open(json!({ "game": "sevens", "seats": [null, null, null, "rule"] })).unwrap();
    assert!(matches!(live.play(9, "S8"), Err(CatalogError::Live(LiveError::NoSeat(9, 3)))));
    assert!(matches!(live.play(1, "S8"), Err(CatalogError::Live(LiveError::Turn(..)))));
    assert!(matches!(live.play(0, "朧"), Err(CatalogError::Action(_))));
    assert!(matches!(live.play(0, "SA"), Err(CatalogError::Live(LiveError::Illegal(..)))));
    assert!(matches!(live.step(), Err(CatalogError::Live(LiveError::Outside(_)))));
    assert!(matches!(
        live.scene(Perspective::Seat(Seat::new(7))),
        Err(CatalogError::Live(LiveError::NoSeat(7, 3)))
    ));
    assert!(live.story(Perspective::Seat(Seat::new(7)), 0).is_err() && live.secrets(7).is_err());
    assert!(live.take_back(1).is_err() && live.at(1).is_err() && live.forfeit(4, "x").is_err());
    let seeds = Seed::from_u64(1).game(0, 0);
    assert!(live.consult(0, "nobody", &seeds).is_err() && live.consult(8, "rule", &seeds).is_err());
    assert_eq!(live.plies(), 0, "nothing was played");
}

#[test]
fn scenes_and_actions_are_written_as_they_are_described() {
    for game in games() {
        let seats = game.rules(&[]).unwrap().seats();
        let mut live =
            open(json!({ "game": game.name(), "seats": vec![Value::Null; seats] })).unwrap();
        for _ in 0..12 {
            let described = serde_json::to_value(live.described_actions()).unwrap();
            assert_eq!(live.actions_as_text().get(), described.to_string(), "{}", game.name());
            let scene = live.scene(Perspective::Spectator).unwrap();
            assert_eq!(
                live.scene_as_text(Perspective::Spectator).unwrap().get(),
                scene.to_string()
            );
            let Some(seat) = live.to_act() else { break };
            let action = live.actions().pop().unwrap();
            live.play(seat, &action).unwrap();
        }
    }
}

#[test]
fn a_record_that_breaks_the_rules_is_refused_at_its_action() {
    let rules = oboro_catalog::game("sevens").unwrap().rules(&[]).unwrap();
    let lineup = rules.lineup(&["rule", "eval", "rule", "eval"]).unwrap();
    let seeds = Seed::from_u64(3).game(0, 0);
    let keep = Keep { record: true, beliefs: false };
    let record = lineup.play(&[0, 1, 2, 3], 0, &seeds, keep).unwrap().record.unwrap();
    let text = record.to_string();
    assert_eq!(open_record(&text).unwrap().record(), record);
    let seventeenth = text.lines().find(|line| line.starts_with("17. ")).unwrap();
    let (number, rest) = seventeenth.split_once(". ").unwrap();
    let seat = rest.split(' ').next().unwrap();
    let illegal = text.replace(seventeenth, &format!("{number}. {seat} S7"));
    assert!(matches!(
        open_record(&illegal).err(),
        Some(CatalogError::Replay(ReplayError::Illegal(17, _)))
    ));
    let unreadable = text.replace(seventeenth, &format!("{number}. {seat} ace"));
    assert!(matches!(
        open_record(&unreadable).err(),
        Some(CatalogError::Replay(ReplayError::Action(17, _)))
    ));
    let other = (seat.parse::<usize>().unwrap() + 1) % 4;
    let turn = text
        .replace(seventeenth, &seventeenth.replace(&format!(". {seat} "), &format!(". {other} ")));
    assert!(matches!(
        open_record(&turn).err(),
        Some(CatalogError::Replay(ReplayError::Turn(17, ..)))
    ));
}

#[test]
fn an_answer_for_another_game_is_refused() {
    let mut geister = open(json!({ "game": "geister", "seats": ["random", null] })).unwrap();
    let mut sevens =
        open(json!({ "game": "sevens", "seats": ["rule", null, null, null] })).unwrap();
    let thought = geister.start_thinking().unwrap().run(&Stop::new());
    sevens.start_thinking().unwrap();
    assert_eq!(sevens.finish_thinking(thought), Err(CatalogError::ForeignThought));
}

#[test]
fn every_game_says_what_its_data_looks_like() {
    for game in games() {
        let schemas = game.schemas();
        for schema in [&schemas.rules, &schemas.scene, &schemas.action, &schemas.event] {
            assert!(schema.is_object(), "{}", game.name());
        }
        assert!(schemas.scene["properties"]["seats"]["description"].is_string(), "{}", game.name());
        let rules = game.rules(&[]).unwrap();
        assert!(rules.canonical(game.champion()).is_ok(), "{}", game.name());
    }
}

/// Strangers push and pull at live games of all kinds: random calls with good, bad and mangled input.
#[test]
fn strangers_at_the_door_break_nothing() {
    let names: Vec<&str> = games().iter().map(|game| game.name()).collect();
    fuzz(60, |rng| {
        let number = rng.bits();
        let game = oboro_catalog::game(names[rng.below(names.len())]).unwrap();
        let rules = game.rules(&[]).unwrap();
        let mut seats = vec![None; rules.seats()];
        seats[0] = (number % 2 == 0).then_some("random");
        let seeds = Seed::from_u64(number).game(0, 0);
        let mut live = rules.live(&seats, 0, &seeds, "").unwrap();
        for _ in 0..60 {
            let seat = rng.below(rules.seats() + 1);
            let actions = live.actions();
            let action = rng.choose(&actions).cloned().unwrap_or_default();
            match rng.below(12) {
                0..=4 => drop(live.play(live.to_act().unwrap_or(seat), &action)),
                5 => drop(live.play(seat, &damaged_text(&action, rng))),
                6 => drop(live.step()),
                7 => drop(live.take_back(rng.below(4))),
                8 => drop(live.reseat(seat, rng.chance(0.5).then_some("random"), &seeds)),
                9 => drop(live.at(rng.below(30)).map(|earlier| earlier.described_actions())),
                10 => {
                    let text = damaged_text(&live.record().to_string(), rng);
                    drop(open_record(&text).map(|again| again.record()));
                }
                _ => {
                    let eyes = [
                        Perspective::Spectator,
                        Perspective::Everything,
                        Perspective::Seat(Seat::new(seat)),
                    ];
                    let eyes = eyes[rng.below(3)];
                    let asked = live.consult(seat, "random", &seeds);
                    drop((live.scene(eyes), live.story(eyes, rng.below(9)), live.drawing(eyes)));
                    drop(asked.map(|consultation| consultation.run(&Stop::new())));
                }
            }
        }
        let record = live.record();
        let again = open_record(&record.to_string()).unwrap();
        assert_eq!(again.record().actions, record.actions, "a game so far can always be replayed");
    });
}

/// Plays any legal action, if the game goes on.
fn play_any(live: &mut dyn AnyLive, rng: &mut Rng) {
    if let Some(seat) = live.to_act() {
        let actions = live.actions();
        live.play(seat, &actions[rng.below(actions.len())]).unwrap();
    }
}

/// Positions of all games, damaged: each is refused at a column or read, and then drawn, listed, imagined and played on.
#[test]
fn damaged_positions_are_refused_or_read() {
    let all: Vec<_> = games().iter().map(|game| game.rules(&[]).unwrap()).collect();
    let mut read = 0;
    fuzz(500, |rng| {
        let rules = &all[rng.below(all.len())];
        let seed = Seed::from_u64(rng.bits());
        let (seeds, open) = (seed.game(0, 0), vec![None; rules.seats()]);
        let mut live = rules.live(&open, 0, &seeds, "").unwrap();
        assert_eq!(live.position(), rules.deal(0, &seed));
        for _ in 0..rng.below(12) {
            play_any(live.as_mut(), rng);
        }
        let sound = live.position();
        let text = if rng.chance(0.5) {
            damaged_text(&sound, rng)
        } else {
            // One letter in the place of another reaches deeper.
            let mut letters: Vec<char> = sound.chars().collect();
            let place = rng.below(letters.len());
            letters[place] = letters[rng.below(letters.len())];
            letters.into_iter().collect()
        };
        let Ok(mut live) = rules.live_at(&text, &open, &seeds) else { return };
        read += 1;
        assert!(!live.drawing(Perspective::Everything).unwrap().is_empty());
        for seat in 0..rules.seats() {
            let eyes = Perspective::Seat(Seat::new(seat));
            let imagined = live.view(seat).unwrap().position();
            let imagined = rules.live_at(&imagined, &open, &seeds).unwrap();
            assert_eq!(imagined.drawing(eyes), live.drawing(eyes));
        }
        play_any(live.as_mut(), rng);
    });
    assert!(read > 20, "only {read} were read: the damage is too great to reach deep");
}

/// Specs of all agents, damaged a little: each is refused with a reason or read.
#[test]
fn mangled_specs_are_refused_or_read() {
    let mut specs = Vec::new();
    for game in games() {
        let rules = game.rules(&[]).unwrap();
        for agent in game.agents() {
            let params: Vec<String> =
                agent.params.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
            specs.push((Arc::clone(&rules), format!("{}:{}", agent.name, params.join(","))));
        }
    }
    fuzz(1_000, |rng| {
        let (rules, spec) = &specs[rng.below(specs.len())];
        if let Ok(canonical) = rules.canonical(&damaged_text(spec, rng)) {
            assert_eq!(rules.canonical(&canonical).as_ref(), Ok(&canonical));
        }
    });
}

/// One style: a phrase with a capital letter and without a full stop.
#[test]
fn agents_are_described_in_one_style() {
    for game in games() {
        for agent in game.agents() {
            let about = &agent.about;
            let capital = about.starts_with(|letter: char| letter.is_uppercase());
            assert!(capital && !about.ends_with('.'), "{} {}: {about}", game.name(), agent.name);
        }
    }
}
