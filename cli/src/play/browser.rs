//! The browser's table: a server on this machine, and its address.

use super::Args;
use crate::output::print;
use anyhow::{Context, Result};
use oboro_catalog::{Allowed, ExternalFactory};
use oboro_server::{Library, Limits, NewTable, SeatChoice, Site, TableRegistry};
use serde_json::{Map, Value};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// Looks at recorded games in the browser
///
/// Lists the records below a folder, of matches, experiments, leagues or of your own games, or opens a single one:
/// stepped with keys, from every seat's eyes or with everything shown, analysed by any agent.
///
/// Examples:
///   oboro match geister oboro naotti --games 10 --out mine --records && oboro view mine
///   oboro view mine/records/000003.txt
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ViewArgs {
    /// A folder with records, or one record
    path: PathBuf,

    /// The port of this machine [default: 8766, so that links stay valid, or any that is free]
    #[arg(long)]
    port: Option<u16>,

    /// Prints the address and opens no browser
    #[arg(long)]
    no_browser: bool,
}

/// The port at which recorded games are looked at.
const VIEW_PORT: u16 = 8766;

/// Serves a table, or the page on which one is set.
pub(super) fn play(
    args: &Args,
    table: Option<(&String, &Vec<Option<String>>)>,
    external: Allowed<'_>,
) -> Result<()> {
    let registry = TableRegistry::new(Limits::default(), Library::empty());
    // The programs named on this command line may sit down, whatever browsers ask for.
    let named = args.agents.iter().filter_map(|spec| {
        let (canonical, program) = external?.find(spec)?.ok()?;
        Some([(spec.clone(), Arc::clone(&program)), (canonical, program)])
    });
    registry.allow_external(Arc::new(named.flatten().collect::<Vec<(String, ExternalFactory)>>()));
    let wanted = table.map(|(game, seats)| {
        let choice = |agent: &Option<String>| match agent {
            Some(spec) => SeatChoice::Agent { spec: spec.clone() },
            None => SeatChoice::Person { name: String::new() },
        };
        let options = args.rules.rules.iter();
        let rules: Map<String, Value> =
            options.map(|(key, value)| (key.clone(), Value::from(value.clone()))).collect();
        NewTable {
            game: game.clone(),
            rules,
            seats: seats.iter().map(choice).collect(),
            seed: args.seed.map(|seed| seed.to_string()),
            position: None,
            room: None,
        }
    });
    run(registry, &[args.port], !args.no_browser, move |registry| {
        let Some(wanted) = wanted else { return Ok("/".to_owned()) };
        let opened = registry.open(&wanted)?;
        // The keys travel behind the `#`, which browsers keep to themselves.
        let keys: Vec<String> = opened.keys.into_iter().flatten().collect();
        Ok(format!("{}#keys={}", opened.address, keys.join(",")))
    })
}

pub(crate) fn view(args: &ViewArgs) -> Result<()> {
    let library = crate::common::open_library(&args.path)?;
    let single = args.path.is_file();
    if library.entries().is_empty() {
        anyhow::bail!("{}: there is no record", args.path.display());
    }
    let ports = args.port.map_or(vec![VIEW_PORT, 0], |port| vec![port]);
    let first = match args.path.file_name() {
        Some(name) if single => format!("/r/{}", name.to_string_lossy()),
        _ => "/records".to_owned(),
    };
    let registry = TableRegistry::new(Limits::default(), library);
    run(registry, &ports, !args.no_browser, move |_| Ok(first))
}

/// Serves a registry until Ctrl-C, at the first of these ports that is free. `first` says which page to begin with.
fn run(
    registry: Arc<TableRegistry>,
    ports: &[u16],
    show: bool,
    first: impl FnOnce(&Arc<TableRegistry>) -> Result<String>,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        let places: Vec<SocketAddr> =
            ports.iter().map(|&port| SocketAddr::from(([127, 0, 0, 1], port))).collect();
        let listener = tokio::net::TcpListener::bind(&places[..])
            .await
            .with_context(|| format!("cannot listen at {}", places[0]))?;
        let page = first(&registry)?;
        let address = format!("http://{}{page}", listener.local_addr()?);
        print(&format!("{address}\n"))?;
        eprintln!("Ctrl-C ends it");
        if show {
            crate::common::open_browser(&address);
        }
        let until = crate::serve::told_to_end();
        oboro_server::serve(registry, listener, Site::default(), until).await?;
        Ok(())
    })
}
