//! Random and mutated inputs for the protocol, judged by a second, deliberately plain implementation
//! of it: letters in arrays, no bitboards, nothing shared with the crate.

mod model;

use crate::common::Client;
use model::Model;
use oboro_core::{Rng, Seat};
use oboro_gat::{Line, Lines, Message, Output, Session, SessionOptions};
use std::time::Duration;

/// What a run met: a run that met only refusals would show little.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Met {
    pub(crate) inputs: u64,
    pub(crate) lines: u64,
    pub(crate) accepted: u64,
    pub(crate) games: u64,
}

const TEMPLATES: [&str; 8] = [
    "SET:ABCD",
    "SET:EFGH,NAME:x",
    "MOV:A,N",
    "MOV:B,NORTH",
    "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u",
    "WON:14R24R34R44R88b25B35B45B41r31r21r11r99b30b20b10b",
    "OKR",
    "",
];

/// An input: a template with fresh letters, sound or with a few things wrong.
pub(crate) fn input(rng: &mut Rng) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHabcdefgh";
    let mut bytes = match rng.below(16) {
        0..8 => {
            let direction = ["N", "E", "W", "S", "NORTH", "EAST", "WEST", "SOUTH"][rng.below(8)];
            let mut text = format!("MOV:A,{direction}").into_bytes();
            text[4] = LETTERS[rng.below(16)];
            text
        }
        8..10 => {
            let mut letters = *b"ABCDEFGH";
            rng.shuffle(&mut letters);
            [b"SET:", &letters[..4]].concat()
        }
        10 => (0..rng.below(200)).map(|_| rng.bits() as u8).collect(),
        _ => TEMPLATES[rng.below(TEMPLATES.len())].as_bytes().to_vec(),
    };
    for _ in 0..[0, 0, 0, 1, 1, 2, 5][rng.below(7)] {
        let at = rng.below(bytes.len() + 1);
        let any = if rng.chance(0.5) {
            b"\r\n:,? ABHINEWSx\0\xff"[rng.below(17)]
        } else {
            rng.bits() as u8
        };
        match rng.below(6) {
            0 => bytes.insert(at, any),
            1 => bytes.truncate(at),
            2 => bytes.extend_from_within(at..),
            _ if at == bytes.len() => bytes.push(any),
            3 => bytes[at] = any,
            4 => drop(bytes.remove(at)),
            _ => bytes[at] ^= 1 << rng.below(8),
        }
    }
    bytes
}

/// Sends inputs through the codec and the session and compares every line, answer and board with the
/// model's.
///
/// # Panics
/// If they differ.
pub(crate) fn codec(inputs: u64, seed: u64) -> Met {
    let mut rng = Rng::from_u64(seed);
    let mut met = Met::default();
    let options = || SessionOptions { ng_terminates: false, ..SessionOptions::default() };
    let (mut session, mut model) = (Session::new(options()), Model::new(300));
    let mut lines = [Lines::default(), Lines::default()];
    Seat::all(2).for_each(|seat| session.join(Duration::ZERO, seat));
    session.outputs().for_each(drop);
    while met.inputs < inputs {
        met.inputs += 1;
        let mut bytes = input(&mut rng);
        if let Some(message) = Message::parse(&bytes) {
            let text = message.to_string();
            assert_eq!(Message::parse(text.as_bytes()), Some(message), "{text}");
        }
        let seat = Seat::new(if rng.chance(0.8) { model.mover() } else { rng.below(2) });
        bytes.extend_from_slice(b"\r\n");
        let expected = model::split(&bytes);
        // Whatever the chunks, the lines are the same.
        let cut = rng.below(bytes.len() + 1);
        let mut found = Vec::new();
        for mut chunk in [&bytes[..cut], &bytes[cut..]] {
            while let Some(line) = lines[seat.index()].next(&mut chunk) {
                found.push(line);
            }
        }
        assert_eq!(found.len(), expected.len(), "{bytes:?}");
        for (line, wanted) in found.iter().zip(&expected) {
            met.lines += 1;
            match line {
                Line::Whole(line) => assert_eq!(Some(line), wanted.as_ref(), "{bytes:?}"),
                Line::Overlong => assert_eq!(*wanted, None, "{bytes:?}"),
            }
            session.line(Duration::ZERO, seat, line);
            let said: Vec<(usize, String)> = session
                .outputs()
                .filter_map(|output| match output {
                    Output::Send(seat, message) => Some((seat.index(), message.to_string())),
                    _ => None,
                })
                .collect();
            let due = model.line(seat.index(), wanted.as_deref());
            assert_eq!(said, due, "{seat} said {:?}", String::from_utf8_lossy(&bytes));
            met.accepted += u64::from(said[0].1.starts_with("OK"));
            session.request_written(Duration::ZERO);
            if session.end().is_some() {
                met.games += 1;
                (session, model) = (Session::new(options()), Model::new(300));
                Seat::all(2).for_each(|seat| session.join(Duration::ZERO, seat));
                session.outputs().for_each(drop);
                break;
            }
        }
    }
    met
}

/// Sends inputs to a live server with `--no-ng-terminate --spacing 0` and this ply limit, as both
/// players, and compares everything it says with the model.
///
/// # Panics
/// If they differ, or the server hangs.
pub(crate) async fn socket(ports: [u16; 2], plies: u16, inputs: u64, seed: u64) -> Met {
    let mut rng = Rng::from_u64(seed);
    let mut met = Met::default();
    while met.inputs < inputs {
        let mut clients = [Client::new(ports[0]).await, Client::new(ports[1]).await];
        let mut model = Model::new(plies);
        while met.inputs < inputs && !model.is_over() {
            met.inputs += 1;
            let seat = if rng.chance(0.8) { model.mover() } else { rng.below(2) };
            let mut bytes = input(&mut rng);
            bytes.extend_from_slice(b"\r\n");
            clients[seat].say(&bytes).await;
            for line in model::split(&bytes) {
                if model.is_over() {
                    break;
                }
                met.lines += 1;
                let due = model.line(seat, line.as_deref());
                met.accepted += u64::from(due[0].1.starts_with("OK"));
                for (hearer, wanted) in due {
                    let said = clients[hearer].hear().await;
                    assert_eq!(said, wanted, "after {:?}", String::from_utf8_lossy(&bytes));
                }
            }
        }
        met.games += u64::from(model.is_over());
    }
    met
}
