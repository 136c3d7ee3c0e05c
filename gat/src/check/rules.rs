//! What the protocol says.

use super::peer::{Opponents, Peer};
use super::{CheckOptions, Outcome};
use tokio::time::{Instant, timeout};

const START: &str = "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u";

/// Piece D takes a, b, c and d, the whole front row of the other side.
const RAID: [&str; 6] = ["D,N", "D,N", "D,N", "D,W", "D,W", "D,W"];

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(what()) }
}

pub(super) async fn set_request_comes_at_once_to_each_player(options: &CheckOptions) -> Outcome {
    // Each alone, before the other is there and before anything is said.
    for side in [0, 1] {
        drop(Peer::arrive(options, side).await?);
    }
    let _first = Peer::arrive(options, 0).await?;
    Peer::arrive(options, 1).await.map(drop)
}

pub(super) async fn set_may_come_before_it_is_asked_for(options: &CheckOptions) -> Outcome {
    let mut first = Peer::connect(options, 0).await?;
    first.ask("SET:ABCD", "SET?").await?;
    first.expect("OK ").await
}

pub(super) async fn bad_sets_are_refused_without_limit(options: &CheckOptions) -> Outcome {
    let mut first = Peer::arrive(options, 0).await?;
    for _ in 0..3 {
        for bad in [
            "SET:ABC",
            "SET:ABCDE",
            "SET:ABCI",
            "SET:",
            "SET: ABCD",
            "SET:ABCD ",
            "set:ABCD",
            "",
            "MOV:A,N",
            "HELLO",
            "SET:1234",
            "SET:AB\u{1}D",
        ] {
            first.ask(bad, "NG ").await?;
        }
    }
    first.ask("SET:ABCD", "OK ").await
}

pub(super) async fn a_second_set_is_refused(options: &CheckOptions) -> Outcome {
    let mut second = Peer::placed(options, 1, "SET:EFGH").await?;
    second.ask("SET:ABCD", "NG ").await?;
    let mut first = Peer::placed(options, 0, "SET:ABCD").await?;
    first.expect_board("MOV?").await?;
    first.ask("MOV:A,N", "OK ").await?;
    let board = second.expect_board("MOV?").await?;
    ensure(board.starts_with("14B24B34B44B15R"), || format!("the first SET must hold: {board}"))
}

pub(super) async fn letters_come_in_either_case(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["abCd", "efgh"]).await?;
    ensure(table.board == START, || format!("the board is {}", table.board))?;
    table.play("a,north", "OK ").await?;
    table.play("A,North", "OK ").await?;
    table.play("b,n", "OK ").await
}

pub(super) async fn a_bare_lf_ends_no_line(options: &CheckOptions) -> Outcome {
    let mut first = Peer::arrive(options, 0).await?;
    first.send(b"SET:ABCD\n").await?;
    first.expect_silence().await?;
    first.send(b"\r\n").await?;
    first.expect("NG ").await?;
    first.send(b"SET:ABCD\r").await?;
    first.expect_silence().await?;
    first.send(b"\n").await?;
    first.expect("OK ").await
}

pub(super) async fn first_player_is_asked_when_both_have_set(options: &CheckOptions) -> Outcome {
    // The second player sets first.
    let mut first = Peer::arrive(options, 0).await?;
    let mut second = Peer::placed(options, 1, "SET:EFGH").await?;
    second.expect_silence().await?;
    first.ask("SET:ABCD", "OK ").await?;
    let board = first.expect_board("MOV?").await?;
    ensure(board == START, || format!("the board is {board}"))?;
    second.expect_silence().await
}

pub(super) async fn boards_are_seen_from_the_own_side(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["ABCD", "AEFG"]).await?;
    table.play("B,N", "OK ").await?;
    let seen = "14R24B34B44B15R25R35R45B41u32u21u11u40u30u20u10u";
    ensure(table.board == seen, || format!("the second player sees {}", table.board))?;
    table.play("D,N", "OK ").await?;
    let seen = "14R23R34R44R15B25B35B45B41u31u21u12u40u30u20u10u";
    ensure(table.board == seen, || format!("the first player sees {}", table.board))
}

pub(super) async fn directions_are_words_or_letters(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
    for step in ["A,NORTH", "A,NORTH", "A,EAST", "A,E", "A,WEST", "A,W", "A,SOUTH", "A,S"] {
        table.play(step, "OK ").await?;
    }
    ensure(table.board == START, || {
        format!("the pieces are back, but the board is {}", table.board)
    })
}

pub(super) async fn captures_are_acknowledged_with_their_colour(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["ABCD", "AEFG"]).await?;
    table.walk(&[("D,N", "OK "), ("D,N", "OK ")], "E").await?;
    table.play("D,N", "OKR").await?;
    let own = &table.board[..3];
    ensure(own == "99r", || format!("the owner sees its captured red as {own}"))?;
    table.shuffle("E").await?;
    let theirs = &table.board[24..27];
    ensure(theirs == "99r", || format!("the taker sees the captured red as {theirs}"))?;
    table.play("D,W", "OKB").await?;
    let own = &table.board[3..6];
    ensure(own == "99b", || format!("the owner sees its captured blue as {own}"))
}

/// The first player takes the whole front row of the second.
async fn raid(options: &CheckOptions, reds: [&str; 2], answer: &str, labels: [&str; 2]) -> Outcome {
    let mut table = Opponents::set(options, reds).await?;
    for (ply, step) in RAID.iter().enumerate() {
        let answer = if ply < 2 { "OK " } else { answer };
        if ply < 5 {
            table.walk(&[(step, answer)], "E").await?;
        } else {
            table.say(step, answer).await?;
        }
    }
    let [own, other] = table.results(labels[0], labels[1]).await?;
    let colour = &answer[2..].to_ascii_lowercase();
    let lost = format!("99{colour}").repeat(4);
    ensure(own[24..36] == lost && other[..12] == lost, || format!("boards {own} and {other}"))?;
    ensure(!own.contains('u') && !other.contains('u'), || {
        format!("hidden colours in {own}, {other}")
    })
}

pub(super) async fn captured_blues_win(options: &CheckOptions) -> Outcome {
    raid(options, ["ABCD", "EFGH"], "OKB", ["WON:", "LST:"]).await
}

pub(super) async fn captured_reds_lose(options: &CheckOptions) -> Outcome {
    raid(options, ["ABCD", "ABCD"], "OKR", ["LST:", "WON:"]).await
}

pub(super) async fn a_win_at_the_ply_limit_is_a_win(options: &CheckOptions) -> Outcome {
    captured_blues_win(options).await
}

/// The first player goes to an exit; the second walks where it is not in the way.
async fn to_the_exit(options: &CheckOptions, reds: &str, left: bool) -> Result<Opponents, String> {
    let mut table = Opponents::set(options, [reds, "EFGH"]).await?;
    let (piece, aside, corner) = if left { ("A", "W", "E") } else { ("D", "E", "H") };
    let aside = format!("{piece},{aside}");
    let north = format!("{piece},N");
    let steps = [&aside, &north, &north, &north, &north].map(|step| (step.as_str(), "OK "));
    table.walk(&steps, corner).await?;
    Ok(table)
}

async fn escape(options: &CheckOptions, left: bool, direction: &str) -> Outcome {
    let mut table = to_the_exit(options, "EFGH", left).await?;
    let piece = if left { "A" } else { "D" };
    table.say(&format!("{piece},{direction}"), "OK ").await?;
    let [own, other] = table.results("WON:", "LST:").await?;
    let at = if left { 0 } else { 9 };
    ensure(&own[at..at + 3] == "88b" && &other[24 + at..27 + at] == "88b", || {
        format!("the escaped piece is 88b in neither {own} nor {other}")
    })
}

pub(super) async fn a_blue_leaves_the_left_exit_northwards(options: &CheckOptions) -> Outcome {
    escape(options, true, "N").await
}

pub(super) async fn a_blue_leaves_the_left_exit_westwards(options: &CheckOptions) -> Outcome {
    escape(options, true, "W").await
}

pub(super) async fn a_blue_leaves_the_right_exit_northwards(options: &CheckOptions) -> Outcome {
    escape(options, false, "N").await
}

pub(super) async fn a_blue_leaves_the_right_exit_eastwards(options: &CheckOptions) -> Outcome {
    escape(options, false, "E").await
}

pub(super) async fn a_red_may_not_leave(options: &CheckOptions) -> Outcome {
    let mut table = to_the_exit(options, "ABCD", true).await?;
    table.say("A,N", "NG ").await?;
    if options.no_ng_terminate {
        table.say("A,W", "NG ").await?;
        return table.play("A,S", "OK ").await;
    }
    table.results("LST:", "WON:").await.map(drop)
}

pub(super) async fn the_game_is_drawn_at_the_ply_limit(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
    for _ in 1..options.plies {
        table.shuffle("E").await?;
    }
    let back = if table.board[12..].starts_with("15") { "E,W" } else { "E,E" };
    table.say(back, "OK ").await?;
    table.results("DRW:", "DRW:").await.map(drop)
}

pub(super) async fn a_line_out_of_turn_is_refused_and_nothing_else_happens(
    options: &CheckOptions,
) -> Outcome {
    let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
    for line in ["MOV:A,N", "SET:ABCD", "nonsense", ""] {
        table.other().ask(line, "NG ").await?;
    }
    table.play("A,N", "OK ").await?;
    table.other().ask("MOV:A,N", "NG ").await?;
    table.play("A,N", "OK ").await?;
    ensure(table.board.starts_with("13R"), || format!("the board is {}", table.board))
}

const BAD_MOVES: [&str; 14] = [
    "",
    "MOV:A",
    "MOV:A,",
    "MOV:A,X",
    "MOV:I,N",
    "MOV:A, N",
    "MOV: A,N",
    "mov:A,N",
    "MOV:AB,N",
    "MOV:E,N",
    "MOV:F,S",
    "SET:ABCD",
    "MOV:A,NORTHWEST",
    "MOV:A,N\u{1}",
];

pub(super) async fn bad_lines_of_the_mover_lose(options: &CheckOptions) -> Outcome {
    for line in BAD_MOVES {
        let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
        table.mover().ask(line, "NG ").await?;
        let results = table.results("LST:", "WON:").await;
        results.map_err(|error| format!("{line:?}: {error}"))?;
    }
    // The second player too.
    let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
    table.play("A,N", "OK ").await?;
    table.say("E,S", "NG ").await?;
    table.results("LST:", "WON:").await.map(drop)
}

pub(super) async fn bad_lines_of_the_mover_are_refused_only(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
    for line in BAD_MOVES {
        table.mover().ask(line, "NG ").await?;
    }
    table.play("A,N", "OK ").await
}

pub(super) async fn names_are_taken(options: &CheckOptions) -> Outcome {
    let mut first = Peer::arrive(options, 0).await?;
    first.ask("SET:ABCD,NAME:check", "OK ").await
}

pub(super) async fn names_are_refused(options: &CheckOptions) -> Outcome {
    let mut first = Peer::arrive(options, 0).await?;
    first.ask("SET:ABCD,NAME:check", "NG ").await
}

pub(super) async fn who_leaves_loses(options: &CheckOptions) -> Outcome {
    // While pieces are placed, on the own turn, and on the other's.
    let first = Peer::arrive(options, 0).await?;
    let mut second = Peer::placed(options, 1, "SET:EFGH").await?;
    drop(first);
    second.expect_board("WON:").await?;
    drop(second);
    for leaver in [0, 1] {
        let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
        table.play("A,N", "OK ").await?;
        table.play("A,N", "OK ").await?;
        let [first, second] = table.players;
        let mut left = if leaver == 0 {
            drop(first);
            second
        } else {
            drop(second);
            first
        };
        let board = left.expect_board("WON:").await?;
        ensure(!board.contains('u'), || format!("hidden colours in {board}"))?;
    }
    Ok(())
}

pub(super) async fn the_clients_close_first(options: &CheckOptions) -> Outcome {
    let mut table = to_the_exit(options, "EFGH", true).await?;
    table.say("A,N", "OK ").await?;
    table.results("WON:", "LST:").await?;
    table.mover().expect_silence().await?;
    table.other().expect_silence().await
}

pub(super) async fn what_comes_after_the_end_is_ignored(options: &CheckOptions) -> Outcome {
    let mut table = to_the_exit(options, "EFGH", true).await?;
    table.say("A,N", "OK ").await?;
    table.results("WON:", "LST:").await?;
    for line in ["MOV:A,N", "SET:ABCD", "nonsense"] {
        table.mover().say(line).await?;
        table.other().say(line).await?;
    }
    table.mover().expect_silence().await?;
    table.other().expect_silence().await?;
    drop(table);
    Opponents::set(options, ["ABCD", "EFGH"]).await?.play("A,N", "OK ").await
}

pub(super) async fn time_runs_out_for_the_mover(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
    table.play("A,N", "OK ").await?;
    let start = Instant::now();
    table.results("LST:", "WON:").await?;
    // Half is generous: what was written early may have been read late.
    ensure(start.elapsed() > options.time.allowed() / 2, || {
        format!("time ran out after {:?}", start.elapsed())
    })?;
    table.mover().expect_close().await?;
    table.other().expect_close().await
}

pub(super) async fn a_client_that_comes_back_is_served(options: &CheckOptions) -> Outcome {
    for _ in 0..3 {
        let table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
        drop(table);
    }
    Ok(())
}

pub(super) async fn messages_come_one_by_one(options: &CheckOptions) -> Outcome {
    // A busy machine may read late and see two messages together that were sent apart; a server that
    // sends them together is seen so every time.
    let mut seen = String::new();
    for _ in 0..5 {
        let _second = Peer::placed(options, 1, "SET:EFGH").await?;
        let mut first = Peer::arrive(options, 0).await?;
        first.say("SET:ABCD").await?;
        // `OK ` and `MOV?` follow each other; one `recv` must not return both.
        let received = timeout(std::time::Duration::from_secs(20), first.receive()).await;
        ensure(received.is_ok(), || "the first player hears nothing".to_owned())?;
        if first.unread() == b"OK \r\n" {
            return Ok(());
        }
        seen = String::from_utf8_lossy(first.unread()).into_owned();
    }
    Err(format!("one segment held {seen:?}"))
}

pub(super) async fn long_lines_do_no_harm(options: &CheckOptions) -> Outcome {
    let mut first = Peer::arrive(options, 0).await?;
    first.send(&vec![b'A'; 1 << 20]).await?;
    first.send(b"\r\n").await?;
    first.expect("NG ").await?;
    first.ask("SET:ABCD", "OK ").await
}
