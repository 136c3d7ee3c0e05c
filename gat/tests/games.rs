//! Whole games over TCP, between our agents and with clients that behave like the real ones.

use crate::common;

use common::{Client, Server, games, joined, quick};
use oboro_core::{Game, Record, Replay};
use oboro_gat::{Message, ServeOptions};
use oboro_geister::Geister;
use std::fs;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::sleep;

fn check_record(text: &str) -> Record {
    let record: Record = text.parse().expect("a record");
    let plies = record.rules.strip_prefix("plies=").map_or(300, |n| n.parse().expect("a number"));
    let rules = Geister { plies, ..Geister::default() };
    rules.validate().expect("sound rules");
    let mut replay = Replay::new(&rules, &record).expect("a record of this game");
    while replay.step().unwrap_or_else(|error| panic!("{error}\n{text}")).is_some() {}
    record
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_joined_agents_play_games_that_are_written_down_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_owned();
    let server = Server::start(&ServeOptions { out: Some(out.clone()), ..games(20, 200) }).await;
    let ports = [server.port(0), server.port(1)];
    let (first, second) =
        tokio::join!(joined("random", ports[0], 20), joined("random", ports[1], 20));
    let (tally, said) = server.finish().await;
    assert_eq!(tally.first, first.score);
    assert_eq!(tally.first, second.score.reversed());
    assert_eq!((first.failed, second.failed), (0, 0));
    assert_eq!(said.iter().filter(|line| line.starts_with("game ")).count(), 20);
    assert!(said.last().expect("a summary").starts_with("20 games: first"), "{said:?}");
    let mut names: Vec<_> = fs::read_dir(&out)
        .expect("the folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    names.sort();
    assert_eq!(names.len(), 20);
    for name in names {
        let record = check_record(&fs::read_to_string(name).expect("text"));
        assert_eq!((record.rules.as_str(), record.forfeit), ("plies=200", None));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_side_can_be_ours_and_records_go_on_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    for (guest, count) in [(1, 2), (0, 1)] {
        let mut ours = [Some("random".to_owned()), Some("random".to_owned())];
        ours[guest] = None;
        let [first, second] = ours;
        let out = Some(folder.path().to_owned());
        let server = Server::start(&ServeOptions { first, second, out, ..games(count, 300) }).await;
        let played = joined("random", server.port(guest), count).await;
        let (tally, _) = server.finish().await;
        assert_eq!(tally.first.n(), played.score.n());
    }
    let record = fs::read_to_string(folder.path().join("000003.txt")).expect("the third game");
    assert_eq!(check_record(&record).agents, ["first", "random"]);
}

#[tokio::test]
async fn stopping_ends_the_game_with_a_result_line_and_keeps_what_was_played() {
    let server = Server::start(&quick(300)).await;
    let mut first = Client::new(server.port(0)).await;
    let _second = Client::new(server.port(1)).await;
    let (tally, said) = server.stop().await;
    assert_eq!(tally.first.n(), 0);
    assert!(said.iter().any(|line| line.contains("does not count")), "{said:?}");
    assert!(first.hear().await.starts_with("DRW:"));
}

/// A client as they are in the wild: one `recv` is one message, and it is slow.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_takes_one_recv_for_one_message_plays_a_game() {
    // The gap is long enough for a machine that is too busy to run us for a while.
    let options = ServeOptions {
        second: Some("random".to_owned()),
        spacing: Duration::from_millis(300),
        ..games(1, 8)
    };
    let server = Server::start(&options).await;
    let mut stream =
        TcpStream::connect(server.addresses[0].expect("open")).await.expect("connected");
    let mut steps = ["A,N", "A,S"].into_iter().cycle();
    let mut buffer = [0; 256];
    loop {
        let count = stream.read(&mut buffer).await.expect("the connection holds");
        assert_ne!(count, 0, "a result comes before the end");
        let line = buffer[..count].strip_suffix(b"\r\n").expect("one whole message");
        let reply = match Message::parse(line) {
            Some(Message::SetRequest) => "SET:ABCD\r\n".to_owned(),
            // An illegal move is as good as any to end this.
            Some(Message::MoveRequest(_)) => {
                format!("MOV:{}\r\n", steps.next().expect("it goes on for ever"))
            }
            Some(message) if message.is_result() => break,
            Some(_) => continue,
            None => panic!("{:?} is no message", String::from_utf8_lossy(line)),
        };
        sleep(Duration::from_millis(1)).await;
        stream.write_all(reply.as_bytes()).await.expect("the connection holds");
    }
    drop(stream);
    server.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_costs_the_other_player_nothing() {
    let server = Server::start(&games(1, 30)).await;
    let flooder = TcpStream::connect(server.addresses[1].expect("open")).await.expect("connected");
    let (mut read, mut write) = flooder.into_split();
    write.write_all(b"SET:ABCD\r\n").await.expect("sent");
    // It never reads what it is told, and never stops talking.
    let flood = tokio::spawn(async move {
        while write.write_all(b"MOV:A,N\r\nnonsense\r\n").await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    let played = joined("random", server.port(0), 1).await;
    assert_eq!(played.score.wins, 1, "the flooder loses by a bad line");
    flood.abort();
    let mut rest = Vec::new();
    let _ = read.read_to_end(&mut rest).await;
    server.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_answer_to_a_move_is_out_before_the_other_side_is_asked_even_with_spacing() {
    let mut options = quick(20);
    options.spacing = Duration::from_millis(300);
    let server = Server::start(&options).await;
    let mut first = Client::new(server.port(0)).await;
    let mut second = Client::new(server.port(1)).await;
    for client in [&mut first, &mut second] {
        client.say(b"SET:ABCD\r\n").await;
        assert!(client.hear().await.starts_with("OK"));
    }
    assert!(first.hear().await.starts_with("MOV?"));
    // At once: the answer is held back by the spacing, and so is the request to the other side.
    first.say(b"MOV:A,N\r\n").await;
    assert!(second.hear().await.starts_with("MOV?"));
    // Asked of the system itself, which does not wait.
    let mut socket = first.0.into_inner().into_std().expect("a socket");
    let mut answer = [0; 2];
    let there = std::io::Read::read(&mut socket, &mut answer);
    assert_eq!((there.ok(), &answer), (Some(2), b"OK"), "it is already there");
    server.stop().await;
}
