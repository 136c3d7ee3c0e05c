//! `oboro serve`: tables for people on many machines.

use crate::output::print;
use anyhow::{Context, Result, anyhow, bail};
use oboro_server::{
    Database, EventPlan, Library, Limits, Site, TableRegistry, host_key, new_host_key,
};
use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use tokio::net::TcpListener;

/// Lets others play and watch in their browsers
///
/// Whoever can reach this machine opens rooms, joins them by code or link, and plays other people and agents. With
/// --data every action is on disk before anybody sees it, and a server that was killed goes on where it was; without,
/// tables are gone when it ends. docs/how-to/host-a-server.md tells how to run it for a club or on the open network.
///
/// Examples:
///   oboro serve --listen 0.0.0.0:8080 --data club
///   oboro serve --data club --event cup.toml
///   oboro serve --data club --host-link
///   oboro serve --data club --backup club-monday.sqlite
///   oboro serve --data club --export games && oboro view games
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Address and port to listen at
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: SocketAddr,

    /// A folder for the database of all tables; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// A file that describes an event: it is set up, or goes on if it was before
    #[arg(long, value_name = "FILE")]
    event: Vec<PathBuf>,

    /// Prints the link with which whoever runs the server sets up and begins events in a browser, and ends
    #[arg(long, requires = "data", conflicts_with_all = ["backup", "salvage", "export"])]
    host_link: bool,

    /// Copies the database to a new file, while a server uses it or not, and ends
    #[arg(long, value_name = "FILE", requires = "data", conflicts_with_all = ["salvage", "export"])]
    backup: Option<PathBuf>,

    /// Copies what can be read of a damaged database into a new folder, and ends
    #[arg(long, value_name = "DIR", requires = "data", conflicts_with = "export")]
    salvage: Option<PathBuf>,

    /// Writes the records of all finished games and the results of events into a folder, and ends
    #[arg(long, value_name = "DIR", requires = "data")]
    export: Option<PathBuf>,

    /// Megabytes to which the database may grow
    #[arg(long, value_name = "MB", requires = "data")]
    most: Option<u32>,

    /// Days after which tables at which nothing has been done are removed, with their records [default: never]
    #[arg(long, value_name = "DAYS", requires = "data")]
    keep: Option<u32>,

    /// A folder of records that everybody may look at
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,

    /// Tables open at the same time
    #[arg(long, default_value_t = Limits::default().tables)]
    tables: usize,

    /// Browsers connected at the same time
    #[arg(long, default_value_t = Limits::default().sockets, value_name = "N")]
    connections: usize,

    /// Browsers connected from one address
    #[arg(long, default_value_t = Limits::default().sockets_per_address, value_name = "N")]
    connections_per_address: usize,

    /// The path below which everything is found, behind a reverse proxy that passes it on, such as /oboro
    #[arg(long, default_value = "", hide_default_value = true, value_name = "PATH", value_parser = base)]
    base: String,

    /// Requests come through a reverse proxy, whose X-Forwarded-For says from whom
    #[arg(long)]
    behind_proxy: bool,

    /// Pages that may speak to this server [default: those of the host that a request names]
    #[arg(long, value_name = "https://HOST")]
    origin: Vec<String>,

    /// Names under which browsers ask for this server, besides addresses in digits, localhost, names in .local and the
    /// hosts of the origins; all others are refused
    #[arg(long, value_name = "NAME")]
    host_name: Vec<String>,

    /// A second address, not for everybody, that answers /metrics and /health
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
}

fn base(text: &str) -> Result<String, String> {
    let text = text.trim_end_matches('/');
    Site::check_base(text).map_err(str::to_owned)?;
    Ok(text.to_owned())
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(data) = &args.data
        && let Some(done) = maintain(args, data)?
    {
        return print(&done);
    }
    let library = match &args.records {
        Some(folder) => crate::common::open_library(folder)?,
        None => Library::empty(),
    };
    let limits = Limits {
        tables: args.tables,
        sockets: args.connections,
        sockets_per_address: args.connections_per_address,
        keep_days: args.keep,
        ..Limits::default()
    };
    let registry = match &args.data {
        None => TableRegistry::new(limits, library),
        Some(folder) => {
            let database = Database::open(folder, args.most)?;
            let (registry, restored) = TableRegistry::durable(limits, library, database)?;
            eprintln!(
                "{}: {} games and {} events are there",
                folder.display(),
                restored.tables,
                restored.events
            );
            for broken in restored.broken {
                eprintln!("{broken}");
            }
            registry
        }
    };
    let key = args.data.as_deref().map_or_else(|| Ok(new_host_key()), host_key)?;
    registry.set_host_key(&key);
    let plans = args.event.iter().map(|file| plan(file)).collect::<Result<Vec<EventPlan>>>()?;
    let site = Site {
        base: args.base.clone(),
        behind_proxy: args.behind_proxy,
        origins: args.origin.clone(),
        hosts: args.host_name.clone(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        let listener = listen(args.listen).await?;
        let address = format!("http://{}{}", listener.local_addr()?, site.base);
        print(&format!("{address}/\n"))?;
        for plan in plans {
            let event = registry.open_event(&plan)?;
            registry.flush_event(&event).await?;
            print(&format!("{address}/e/{event} {}\n", plan.name))?;
        }
        // A secret is for the eyes of whoever sits here, not for logs.
        if args.data.is_some() {
            eprintln!("--host-link prints the link with which events are set up");
        } else if std::io::stderr().is_terminal() {
            eprintln!("for the host alone: {address}/events#host={key}");
        }
        eprintln!("Ctrl-C ends it");
        if let Some(address) = args.metrics {
            let listener = listen(address).await?;
            tokio::spawn(oboro_server::serve_admin(std::sync::Arc::clone(&registry), listener));
        }
        oboro_server::serve(registry, listener, site, told_to_end()).await?;
        Ok(())
    })
}

fn plan(file: &Path) -> Result<EventPlan> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    EventPlan::parse(&text).map_err(|error| anyhow!("{}: {error}", file.display()))
}

async fn listen(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))
}

/// What is done with a database instead of serving it; says what was done.
fn maintain(args: &Args, data: &Path) -> Result<Option<String>> {
    let there = || {
        if data.is_dir() {
            Ok(())
        } else {
            Err(anyhow!("{}: there is no such folder", data.display()))
        }
    };
    if args.host_link {
        there()?;
        let named = || format!("http://{}", args.listen);
        let origin = args.origin.first().cloned().unwrap_or_else(named);
        return Ok(Some(format!("{origin}{}/events#host={}\n", args.base, host_key(data)?)));
    }
    if let Some(to) = &args.backup {
        there()?;
        Database::backup(data, to)?;
        return Ok(Some(format!("{}\n", to.display())));
    }
    if let Some(into) = &args.salvage {
        there()?;
        let saved = Database::salvage(data, into)?;
        let mut text = format!(
            "{}: {} tables, {} events, {} steps of theirs, {} records; {} places could not be read\n",
            into.display(),
            saved.tables,
            saved.events,
            saved.steps,
            saved.records,
            saved.holes
        );
        for cut in saved.cut {
            text.push_str(&format!("{cut}\n"));
        }
        return Ok(Some(text));
    }
    if let Some(into) = &args.export {
        there()?;
        let count = Database::export(data, into)?;
        let events = Database::export_events(data, &into.join("events"))?;
        if count + events == 0 {
            bail!("{}: no game is over", data.display());
        }
        return Ok(Some(format!("{}: {count} records, {events} events\n", into.display())));
    }
    Ok(None)
}

/// Comes when somebody presses Ctrl-C, or the system asks the server to end.
pub(crate) async fn told_to_end() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}
