//! Leagues: many programs, all pairings, results that survive a crash. [`oboro_lab::event`] pairs and counts; here programs
//! are started and brought to its tables.

mod file;
mod program;
mod store;
mod table;

use file::{LeagueFile, PlayerEntry};
pub use table::{LeagueRow, LeagueStandings};

use super::{ConnectionTiming, End, GatError, Host, HouseAgent, Side, Spectators, house_agent};
use crate::roster::clock_warning;
use oboro_catalog::Allowed;
use program::Program;
use std::path::Path;
use std::time::Duration;
use store::{LeagueGame, LeagueOutcome, LeagueStore};
use tokio::time::{sleep, timeout};

/// Plays what is left of the league that a file describes, or says how it stands if nothing is: all pairings, sides
/// swapped. A program that crashes, hangs or plays illegally loses that game, and the league goes on. The results go
/// to `out`, or to a folder that is called as the file without `.toml`; a folder of the same league is gone on with.
///
/// # Errors
/// If the file makes no sense, or the results cannot be kept.
pub async fn play_league(
    file: &Path,
    out: Option<&Path>,
    external: Allowed<'_>,
    stop: impl Future<Output = ()>,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<LeagueStandings, GatError> {
    let league = LeagueFile::read(file)?;
    let beside = file.with_extension("");
    let mut store = LeagueStore::open(out.unwrap_or(&beside), &league)?;
    let total = league.total();
    if store.played > 0 {
        say(&format!("{} of {total} games are already there", store.played));
    }
    let agents = house_agents(&league, external)?;
    let specs = league.players.iter().filter_map(|player| player.agent.as_deref());
    specs.filter_map(clock_warning).for_each(|warning| say(&warning));
    tokio::pin!(stop);
    while let Some((_, seats)) = store.event.advance() {
        let Some(game) = play_one(&league, &seats, &agents, &store, &mut stop).await? else {
            say("stopped; the game in progress will be played anew");
            break;
        };
        store.push(&game)?;
        say(&format!("game {} of {total}: {game}", game.n));
    }
    let standings = LeagueStandings::new(&league, &store.event);
    store.write("table.txt", &standings.to_string())?;
    store.write("table.json", &standings.json())?;
    say(&standings.to_string());
    Ok(standings)
}

/// The players that are ours.
fn house_agents(
    league: &LeagueFile,
    external: Allowed<'_>,
) -> Result<Vec<Option<HouseAgent>>, GatError> {
    let rules = &league.session()?.rules;
    league
        .players
        .iter()
        .map(|player| {
            let spec = player.agent.as_deref();
            let seed = league.seed().child(&player.name);
            spec.map(|spec| house_agent(spec, rules, seed, external)).transpose()
        })
        .collect()
}

/// Plays one game; `None` if it was stopped.
async fn play_one(
    league: &LeagueFile,
    seats: &[Option<usize>],
    agents: &[Option<HouseAgent>],
    store: &LeagueStore,
    stop: &mut (impl Future<Output = ()> + Unpin),
) -> Result<Option<LeagueGame>, GatError> {
    let [Some(first), Some(second)] = *seats else { panic!("no seat of a pair is left over") };
    let pairing = [first, second];
    let ports = [league.first_port, league.second_port];
    let mut entrants = Vec::new();
    let mut programs = Vec::new();
    for (side, &player) in pairing.iter().enumerate() {
        if let Some(agent) = &agents[player] {
            entrants.push(Side::House(agent.clone()));
            continue;
        }
        let what = format!("{}:{}", league.host, ports[side]);
        let entrant = Side::listen(&league.host, ports[side]).await;
        let entrant = entrant.map_err(GatError::about(what))?;
        let port = entrant.address().map_or(ports[side], |address| address.port());
        entrants.push(entrant);
        programs.push((side, player, port));
    }
    let entrants: [Side; 2] = entrants.try_into().expect("a pairing has two sides");
    // Listen first, start then: a program may connect at once.
    let mut running = [None, None];
    let mut can_come = [true; 2];
    for (side, player, port) in programs {
        let log = store.log(&league.players[player].name);
        running[side] = Program::start(&league.players[player], &league.host, port, &log).ok();
        can_come[side] = running[side].is_some();
    }
    let names = pairing.map(|player| league.players[player].name.as_str());
    let timing = ConnectionTiming {
        spacing: league.spacing(),
        linger: league.leave(),
        ..ConnectionTiming::default()
    };
    let mut host = Host::new(league.session()?, timing, Spectators::new(true));
    let [first, second] = &running;
    let patience = [
        patience(first.as_ref(), can_come[0], league.start()),
        patience(second.as_ref(), can_come[1], league.start()),
    ];
    let number = store.played + 1;
    let game = host.play(number, &entrants, names, patience, stop).await;
    host.wait_until_closed().await;
    for program in running.into_iter().flatten() {
        program.finish(league.leave()).await;
    }
    if game.stopped {
        return Ok(None);
    }
    let mut record = game.record;
    record.agents = names.map(str::to_owned).to_vec();
    record.seed = format!("{}/{number}", league.name);
    let outcome = match (game.end, game.end.winner()) {
        (End::Abandoned, _) => LeagueOutcome::None,
        (_, None) => LeagueOutcome::Draw,
        (_, Some(winner)) if winner.index() == 0 => LeagueOutcome::First,
        _ => LeagueOutcome::Second,
    };
    let file = format!("records/{number:06}.txt");
    store.write(&file, &record.to_string())?;
    Ok(Some(LeagueGame {
        n: number,
        first: names[0].to_owned(),
        second: names[1].to_owned(),
        outcome,
        how: game.end.to_string(),
        forfeit: matches!(game.end, End::Forfeit(..)),
        plies: game.plies,
        record: file,
    }))
}

/// How long a player is waited for: not at all if its program could not be started, and no longer if it
/// has failed.
async fn patience(program: Option<&Program>, can_come: bool, start: Duration) {
    if !can_come {
        return;
    }
    let failed = async {
        match program {
            Some(program) => program.failed().await,
            None => std::future::pending().await,
        }
        // Its last words may still be on the way.
        sleep(Duration::from_millis(200)).await;
    };
    let _ = timeout(start, failed).await;
}
