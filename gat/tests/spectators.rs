//! The feed of the protocol, and the page in a real browser.

use crate::common;

use common::{Client, Server, games, joined, quick};
use futures_core::Stream as _;
use oboro_gat::ServeOptions;
use std::future::poll_fn;
use std::path::Path;
use std::pin::Pin;
use std::process::{Command, Stdio};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message as Frame;

/// The same with an agent of ours at the second place, and a page for spectators.
fn shown(options: ServeOptions) -> ServeOptions {
    ServeOptions { second: Some("random".to_owned()), viewer: Some(0), ..options }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_feed_shows_the_game_from_the_second_players_side() {
    let server = Server::start(&shown(games(1, 40))).await;
    let viewer = server.viewer.expect("a viewer");
    let stream = TcpStream::connect(viewer).await.expect("connected");
    let url = format!("ws://{viewer}/ws/geister");
    let (mut socket, _) = tokio_tungstenite::client_async(url, stream).await.expect("a feed");
    let port = server.port(0);
    tokio::spawn(async move { joined("random", port, 1).await });
    let mut frames = Vec::new();
    // The one method of the stream that is needed; a crate for it would be too much.
    while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut socket).poll_next(cx)).await {
        let Frame::Text(text) = frame else { continue };
        frames.push(text.to_string());
        if ["WI0:", "WI1:", "DRW:"].contains(&&text[..4]) {
            break;
        }
    }
    assert!(frames[0].starts_with("MV0:14"), "{frames:?}");
    assert!(frames[1].starts_with("MV1:14"), "{frames:?}");
    assert!(frames.iter().all(|frame| frame.len() == 52 && !frame.contains('u')), "{frames:?}");
    server.finish().await;
}

/// The page as Chromium shows it, without a window, once it shows `wanted`.
///
/// A browser stops when its own, simulated time is over, and a feed does not hold that time up: on a
/// busy machine it may stop before the feed has begun, so it looks again. `None` without Chromium.
async fn browse(url: String, wanted: &'static str) -> Option<String> {
    const CHROMIUM: &str = "/usr/bin/chromium";
    let is_forced = std::env::var_os("OBORO_E2E").is_some();
    if !Path::new(CHROMIUM).exists() {
        assert!(!is_forced, "OBORO_E2E is set, but there is no {CHROMIUM}");
        eprintln!("skipped: no {CHROMIUM}");
        return None;
    }
    let look = move || {
        let profile = tempfile::tempdir().expect("a folder");
        let output = Command::new(CHROMIUM)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--window-size=390,844"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(["--timeout=20000", "--virtual-time-budget=3000", "--dump-dom"])
            .arg(&url)
            .stderr(Stdio::null())
            .output()
            .expect("chromium runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let looks = move || {
        let mut page = look();
        for _ in 0..10 {
            if page.contains(wanted) {
                break;
            }
            page = look();
        }
        page
    };
    Some(tokio::task::spawn_blocking(looks).await.expect("browsed"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_shows_the_live_board_and_past_games() {
    let server = Server::start(&shown(quick(40))).await;
    let url = format!("http://{}/", server.viewer.expect("a viewer"));
    joined("random", server.port(0), 3).await;
    // A fourth game begins and waits for its first move.
    let mut waiting = Client::new(server.port(0)).await;
    waiting.say(b"SET:ABCD\r\n").await;
    while !waiting.hear().await.starts_with("MOV?") {}
    let Some(live) = browse(url.clone(), "class=\"piece\"").await else {
        server.stop().await;
        return;
    };
    assert!(live.contains("first to move"), "{live}");
    assert!(live.contains("Geister, game 4"), "{live}");
    assert_eq!(live.matches("class=\"piece\"").count(), 16, "{live}");
    assert_eq!(live.matches("data-piece=\"first").count(), 8);
    assert_eq!(live.matches("<option").count(), 4, "live and three past games: {live}");
    // A link opens a past game at a move; the slider stands there.
    let past = browse(format!("{url}#game=2&move=5"), "Move 5 of ").await;
    let past = past.expect("chromium is there");
    assert!(past.contains("Geister, game 2"), "{past}");
    assert!(past.contains("Move 5 of "), "{past}");
    drop(waiting);
    server.stop().await;
}
