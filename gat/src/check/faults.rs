//! What the reference server does wrong.

use super::peer::{Opponents, Peer};
use super::{CheckOptions, Outcome, rules};
use tokio::time::{Instant, sleep};

pub(super) async fn an_old_timer_harms_nobody(options: &CheckOptions) -> Outcome {
    // Moves that are each quick but together take longer than one may: no timer of an earlier move
    // may strike, neither in this game nor in the next.
    let pause = options.time.timeout / 8;
    for _ in 0..2 {
        let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
        let start = Instant::now();
        while start.elapsed() < options.time.allowed() + options.time.timeout / 2 {
            sleep(pause).await;
            table.shuffle("E").await?;
        }
    }
    Ok(())
}

pub(super) async fn four_letters_must_differ(options: &CheckOptions) -> Outcome {
    let mut first = Peer::arrive(options, 0).await?;
    for bad in ["SET:AABB", "SET:AAAA", "SET:aABC"] {
        first.ask(bad, "NG ").await?;
    }
    first.ask("SET:ABCD", "OK ").await
}

pub(super) async fn a_move_without_a_piece_hangs_nothing(options: &CheckOptions) -> Outcome {
    for line in ["MOV:,N", "MOV:,", "MOV:A,"] {
        let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
        table.mover().ask(line, "NG ").await?;
        if options.no_ng_terminate {
            table.play("A,N", "OK ").await?;
        } else {
            table.results("LST:", "WON:").await?;
        }
    }
    Ok(())
}

pub(super) async fn an_escape_is_acknowledged_without_a_colour(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["EFGH", "ABCD"]).await?;
    table.walk(&[("D,N", "OK "), ("D,N", "OK "), ("D,N", "OKR")], "E").await?;
    let north = ("A,N", "OK ");
    table.walk(&[("A,W", "OK "), north, north, north, north], "E").await?;
    table.say("A,N", "OK ").await?;
    table.results("WON:", "LST:").await.map(drop)
}

pub(super) async fn two_lines_in_one_segment_are_both_read(options: &CheckOptions) -> Outcome {
    let mut first = Peer::arrive(options, 0).await?;
    first.send(b"SET:AABB\r\nSET:ABCD\r\n").await?;
    first.expect("NG ").await?;
    first.expect("OK ").await?;
    drop(first);
    // The move comes with a line that is out of turn by then.
    let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
    table.mover().send(b"MOV:A,N\r\nMOV:A,N\r\n").await?;
    table.mover().expect("OK ").await?;
    table.mover().expect("NG ").await?;
    table.other().expect_board("MOV?").await.map(drop)
}

pub(super) async fn a_place_left_early_is_free_again(options: &CheckOptions) -> Outcome {
    for side in [0, 1] {
        drop(Peer::placed(options, side, "SET:EFGH").await?);
        // The next one on that port is asked for a placement of its own.
        let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
        table.play("A,N", "OK ").await?;
    }
    Ok(())
}

pub(super) async fn a_timeout_is_told_once(options: &CheckOptions) -> Outcome {
    let mut table = Opponents::set(options, ["ABCD", "EFGH"]).await?;
    table.results("LST:", "WON:").await?;
    table.mover().expect_close().await?;
    table.other().expect_close().await
}

pub(super) async fn the_ply_limit_is_the_one_asked_for(options: &CheckOptions) -> Outcome {
    rules::the_game_is_drawn_at_the_ply_limit(options).await
}
