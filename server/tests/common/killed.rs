//! A server in a process of its own, to be killed: the test `faults::the_server_that_is_killed`, which calls
//! [`serve_if_told`].

use oboro_server::{Database, Library, Limits, Site, TableRegistry};
use std::path::Path;
use std::process::Stdio;
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

/// Tells the process that is to be killed where to serve.
const FOLDER: &str = "OBORO_KILLED_FOLDER";
const ADDRESS: &str = "OBORO_KILLED_ADDRESS";
/// The secret of its host.
pub const HOST: &str = "the-host-of-the-tests-24";

/// Serves until it is killed, in the process that was started for it; elsewhere does nothing.
pub async fn serve_if_told() {
    let (Ok(folder), Ok(address)) = (std::env::var(FOLDER), std::env::var(ADDRESS)) else { return };
    let database = Database::open(Path::new(&folder), None).unwrap();
    let limits = Limits { requests_per_minute: 1_000_000, ..Limits::default() };
    let (registry, restored) = TableRegistry::durable(limits, Library::empty(), database).unwrap();
    assert!(restored.broken.is_empty(), "{:?}", restored.broken);
    registry.set_host_key(HOST);
    let listener = TcpListener::bind(&address).await.unwrap();
    oboro_server::serve(registry, listener, Site::default(), std::future::pending()).await.unwrap();
}

pub fn start(folder: &Path, address: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "faults::the_server_that_is_killed", "--nocapture"])
        .env(FOLDER, folder)
        .env(ADDRESS, address)
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}
