//! Whatever a program says, the game ends with a verdict: nothing hangs, nothing falls over.
//! `OBORO_FUZZ=100` does long runs.
#![cfg(unix)]

use crate::tcp;

use oboro_core::Rng;
use oboro_protocol::{FromProgram, ToProgram, read_line, speak};
use oboro_testkit::{damaged, fuzz};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn mutated_answers_end_games_with_a_verdict() {
    let said = Arc::new(AtomicU64::new(0));
    let hostile = {
        let said = Arc::clone(&said);
        tcp::program(move |line, rng| {
            let sound = tcp::sound(line);
            if sound.is_empty() {
                return Vec::new();
            }
            said.fetch_add(1, Ordering::Relaxed);
            if rng.chance(0.9) { sound.into() } else { damaged(&sound, rng) }
        })
    };
    let spec = format!("{hostile},seconds=0.02,start-seconds=0.02");
    let table = tcp::table("geister", &[("plies", "40")]);
    let played: Vec<_> =
        (0..200).map(|n| tcp::play(table.as_ref(), &[&spec, "random"], n)).collect();
    let forfeits = played.iter().filter(|game| game.forfeit.is_some()).count();
    let finished = played.len() - forfeits;
    assert!(played.iter().all(|game| game.record.as_ref().is_some_and(|r| r.result.len() == 2)));
    assert!(said.load(Ordering::Relaxed) > 500, "it hardly spoke: {said:?}");
    assert!(forfeits > 100 && finished > 0, "{forfeits} forfeits, {finished} whole games");
}

#[test]
fn mutated_lines_are_refused_with_words_or_read() {
    let sound = [
        r#"{"type":"hello","protocol":1,"name":"x","offers":["beliefs"],"wants":["parts"]}"#,
        r#"{"type":"analysis","choice":"S8","values":[{"action":"S8","value":0.5,"visits":3}]}"#,
        r#"{"type":"beliefs","beliefs":[{"subject":"S8","values":[{"value":"1","probability":1}]}]}"#,
    ];
    let (mut read, mut refused) = (0, 0);
    fuzz(50_000, |rng| {
        let line = damaged(sound[rng.below(sound.len())], rng);
        match read_line::<FromProgram>(&line) {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(!error.is_empty());
                refused += 1;
            }
        }
    });
    assert!(read > 100 && refused > 10_000, "{read} read, {refused} refused");
}

#[test]
fn a_hostile_referee_gets_answers_or_an_error() {
    // A real conversation, of which the lines are mutated one at a time.
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let witness = {
        let heard = Arc::clone(&heard);
        tcp::program(move |line, _| {
            heard.lock().expect("nobody fell over").push(format!("{line}\n"));
            let sound = tcp::sound(line);
            sound.replace("\"protocol\":1", "\"protocol\":1,\"wants\":[\"positions\"]").into_bytes()
        })
    };
    let table = tcp::table("saboteur", &[("players", "3"), ("rounds", "1")]);
    tcp::play(table.as_ref(), &["random", &witness, "random"], 0);
    let lines = heard.lock().unwrap().clone();
    assert!(
        lines.len() > 20
            && lines.iter().all(|line| read_line::<ToProgram>(line.as_bytes()).is_ok())
    );
    let mut rng = Rng::from_u64(2);
    let (mut whole, mut broken) = (0, 0);
    for _ in 0..300 {
        let mut conversation: Vec<Vec<u8>> = lines.iter().map(|l| l.as_bytes().to_vec()).collect();
        let at = rng.below(conversation.len());
        conversation[at] = damaged(&lines[at], &mut rng);
        let mut answers = Vec::new();
        match speak("saboteur", "path", &conversation.concat()[..], &mut answers) {
            Ok(()) => whole += 1,
            Err(_) => broken += 1,
        }
        for answer in answers.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            read_line::<FromProgram>(answer).expect("our own answers can be read");
        }
    }
    assert!(whole > 10 && broken > 10, "{whole} whole, {broken} broken");
}
