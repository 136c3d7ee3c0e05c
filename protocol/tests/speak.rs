//! Our agents for other people's referees: over the protocol they play as they play at home.
#![cfg(unix)]

use crate::tcp;

use oboro_core::{Seed, Stop};
use oboro_protocol::{Conformity, FromProgram, ToProgram, read_line, schema, speak};
use oboro_testkit::check_golden;
use std::io::BufReader;
use std::sync::{Arc, Mutex};

/// An agent of ours behind a socket.
fn abroad(game: &'static str, agent: &'static str) -> String {
    tcp::listen(move |stream| {
        let input = BufReader::new(stream.try_clone().expect("a socket can be held twice"));
        // What goes wrong shows in the game.
        let _ = speak(game, agent, input, stream);
    })
}

#[test]
fn an_agent_believes_abroad_what_it_believes_at_home() {
    // What these believe follows from the events they were told, and from nothing random.
    for (name, agent) in [
        ("geister", "upp"),
        ("saboteur", "foreman"),
        ("geister", "oboro"),
        ("labyrinth", "oboro"),
        ("sevens", "oboro"),
    ] {
        let table = tcp::table(name, &[]);
        // Enough for a machine with other things to do.
        let there = abroad(name, agent) + ",seconds=100";
        let seeds = Seed::from_u64(4).game(0, 0);
        let mut live = table.live(&vec![Some("random"); table.seats()], 0, &seeds, "").unwrap();
        let mut compared = 0;
        while live.to_act().is_some() && live.plies() < 60 {
            if live.plies() % 7 == 6 {
                let believed = [agent, &there]
                    .map(|spec| live.consult(1, spec, &seeds).unwrap().run(&Stop::new()).beliefs);
                assert_eq!(believed[0], believed[1], "{agent} after {} plies", live.plies());
                compared += usize::from(!believed[0].is_empty());
            }
            live.step().unwrap();
        }
        assert!(compared > 2, "{agent} believes nothing");
    }
}

#[test]
fn every_game_is_spoken_with_memory_and_beliefs() {
    for (name, agent, seats) in [
        ("geister", "upp", 2),
        ("sevens", "upp", 4),
        ("saboteur", "foreman", 6),
        ("labyrinth", "mc:20", 2),
    ] {
        let table = tcp::table(name, &[]);
        let findings =
            oboro_protocol::check(table.as_ref(), &abroad(name, agent), 1, Seed::from_u64(1));
        for finding in findings.unwrap() {
            let fault = matches!(finding.verdict, Conformity::Fault(_));
            assert!(!fault, "{name} {agent}: {finding}");
        }
        assert_eq!(table.seats(), seats);
    }
}

#[test]
fn a_referee_that_makes_no_sense_is_told_so() {
    let answers = |lines: &str| {
        let mut said = Vec::new();
        let ended = speak("geister", "random", lines.as_bytes(), &mut said);
        (String::from_utf8(said).unwrap(), ended.map_err(|error| error.to_string()))
    };
    let clock = r#""clock":{"move":1,"game":null}"#;
    let turn = format!(r#"{{"type":"turn","ply":0,{clock},"scene":{{}},"actions":[]}}"#);
    assert_eq!(
        answers(&format!("{turn}\n")).0,
        "{\"type\":\"resign\",\"reason\":\"no game has begun\"}\n"
    );
    let new = format!(
        r#"{{"type":"new-game","game":"sevens","rules":{{}},"seat":0,"seats":4,"seed":1,{clock},"scene":{{}}}}"#
    );
    assert!(
        answers(&format!("{new}\n{turn}\n")).0.contains("this agent plays geister, not sevens")
    );
    let new = new.replace("sevens", "geister");
    assert!(answers(&format!("{new}\n{turn}\n")).0.contains("position: is missing"));
    let error = answers("{\"type\":\"quit\"}\nnot read any more").1;
    assert_eq!(error, Ok(()));
    let error = answers("{\"type\":\"turn\"}\n").1.unwrap_err();
    assert!(error.starts_with("line 1: "), "{error}");
}

#[test]
fn the_schema_and_the_example_of_the_page_are_those_of_the_program() {
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    check_golden("../docs/reference/protocol.schema.json", &text);

    let conversation = Arc::new(Mutex::new(String::new()));
    let program = {
        let conversation = Arc::clone(&conversation);
        tcp::program(move |line, _| {
            let answer = tcp::sound(line);
            let mut text = conversation.lock().expect("nobody fell over");
            *text += &format!("> {line}\n");
            if !answer.is_empty() {
                *text += &format!("< {answer}");
            }
            answer.into_bytes()
        })
    };
    let table = tcp::table("geister", &[("plies", "4")]);
    let played = tcp::play(table.as_ref(), &["random", &program], 0);
    assert_eq!(played.forfeit, None);
    drop(table);
    // The program hears of the end when it is let go, on its own thread.
    assert!(tcp::soon(|| conversation.lock().unwrap().contains("\"quit\"")));
    let text = conversation.lock().unwrap().clone();
    for line in text.lines() {
        let message = &line.as_bytes()[2..];
        let known = match line.as_bytes()[0] {
            b'>' => read_line::<ToProgram>(message).map(drop),
            _ => read_line::<FromProgram>(message).map(drop),
        };
        assert_eq!(known, Ok(()), "{line}");
    }
    check_golden("../docs/reference/protocol-example.txt", &text);
}
