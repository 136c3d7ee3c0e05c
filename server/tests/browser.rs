//! The app in a real browser: people play, look back and watch, by mouse and by keyboard.
//!
//! Needs Node, `npm install --no-save` in `web/` and Chromium; skipped without them unless `OBORO_E2E=1` asks for it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::common;

use common::Server;
use oboro_catalog::NewGame;
use oboro_core::Stop;
use oboro_server::{Library, Limits};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Browsers that are looked for where `OBORO_CHROMIUM` names none.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("web")
}

/// The browser to test in; else what is missing.
fn browser() -> Result<PathBuf, &'static str> {
    let mut node = Command::new("node");
    if !node.arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return Err("there is no node");
    }
    if !web().join("node_modules/playwright-core").exists() {
        return Err("`npm install --no-save` has not been run in web/");
    }
    let named = std::env::var_os("OBORO_CHROMIUM").map(PathBuf::from);
    let known = BROWSERS.iter().map(PathBuf::from).find(|path| path.exists());
    named.or(known).ok_or("there is no Chromium")
}

/// A game that agents played to its end.
fn record() -> String {
    let request = NewGame {
        game: "sevens".to_owned(),
        rules: serde_json::Map::new(),
        seats: vec![Some("rule".to_owned()); 4],
        seed: "1".to_owned(),
        deal: 0,
        position: None,
    };
    let mut live = request.open().unwrap();
    while live.outcome().is_none() {
        let thought = live.start_thinking().unwrap().run(&Stop::new());
        live.finish_thinking(thought).unwrap();
    }
    live.record().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_app_works_in_a_browser() {
    let chromium = match browser() {
        Ok(chromium) => chromium,
        Err(missing) => {
            let wanted = std::env::var_os("OBORO_E2E").is_some_and(|value| value == "1");
            assert!(!wanted, "the browser test cannot run: {missing}");
            eprintln!("skipped: {missing}");
            return;
        }
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("000000.txt"), record()).unwrap();
    let library = Library::open(folder.path()).unwrap();
    let server = Server::with_library(Limits::default(), library).await;
    server.registry.set_host_key(common::killed::HOST);
    let mut command = Command::new("node");
    command
        .current_dir(web())
        .env("OBORO_CHROMIUM", chromium)
        .env("OBORO_HOST", common::killed::HOST)
        .arg("e2e/run.mjs")
        .arg(format!("http://{}", server.address));
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{complained}");
    println!("{told}");
}
