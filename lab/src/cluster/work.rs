use super::{ClusterError, TaskList};
use crate::driver::{Driver, Task};
use crate::{Folder, Match, MatchManifest, MatchPlan, PlanError};
use oboro_catalog::Allowed;
use std::path::Path;

/// Plays one task of a folder and keeps its part; nothing if that is there. How many games it played. Its agents may be
/// external ones that are allowed here.
///
/// # Errors
/// If there is no such task, the folder was made by another program, or the games cannot be played or kept. What
/// is wrong is also left beside the list, for whoever submitted.
pub fn work(root: &Path, task: usize, external: Allowed<'_>) -> Result<u64, ClusterError> {
    let list = TaskList::read(root)?;
    list.chunk(task)?;
    let played = play(&list, task, external);
    if let Err(error) = &played {
        list.complain(task, &error.to_string())?;
    }
    played
}

fn play(list: &TaskList, task: usize, external: Allowed<'_>) -> Result<u64, ClusterError> {
    if list.is_done(task) {
        return Ok(0);
    }
    list.check_program()?;
    let chunk = list.chunk(task)?;
    let folder = Folder::open(&list.folder(&chunk.folder))?;
    let unfit = |message: String| ClusterError::Unfit(folder.path().join("manifest.json"), message);
    let entry = folder.manifest().matches.iter().find(|entry| entry.id == chunk.id);
    let entry = entry.ok_or_else(|| unfit(format!("there is no match {} here", chunk.id)))?;
    let the_match = rebuild(entry, external).map_err(unfit)?;
    let mut quiet = |_: crate::Progress<'_>| {};
    let range = chunk.start..chunk.end;
    let played = Driver::new(1, &mut quiet)
        .play(&Task { games: range, ..Task::new(&entry.id, &the_match) })?;
    list.keep(task, &played.results)?;
    Ok(played.results.len() as u64)
}

/// The match that a folder speaks of. Whoever planned it has decided already whether agents may see what is hidden.
fn rebuild(entry: &MatchManifest, external: Allowed<'_>) -> Result<Match, String> {
    let plan = MatchPlan {
        game: entry.game.clone(),
        rules: oboro_catalog::rule_options(&entry.rules).map_err(|error| error.to_string())?,
        agents: entry.agents.clone(),
        seating: entry.seating,
        seed: entry.seed.parse().map_err(|error| format!("{error}"))?,
        games: entry.games.unwrap_or(0),
        allow_oracles: true,
    };
    let rules = oboro_catalog::rules(&plan.game, &plan.rules, external);
    let prepared = rules.map_err(Into::into).and_then(|rules| plan.prepare_at(rules));
    let the_match = prepared.map_err(|error: PlanError| error.to_string())?;
    let the_match = if entry.beliefs { the_match.scoring_beliefs() } else { the_match };
    let again = MatchManifest::new(entry.id.clone(), &the_match, entry.games);
    if again == *entry {
        Ok(the_match)
    } else {
        Err(format!("match {} is another one when it is built from what is written here", entry.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, Scale, leagues, papers};

    #[test]
    fn every_match_of_every_paper_and_league_is_rebuilt_from_its_manifest() {
        let mut rebuilt = 0;
        for (name, text) in papers() {
            let experiment = Experiment::parse(&name, text).unwrap();
            let manifest = experiment.manifest(Scale::Quick, &experiment.default_seed(), None);
            for entry in &manifest.matches {
                rebuild(entry, None).unwrap_or_else(|error| panic!("{name} {}: {error}", entry.id));
                rebuilt += 1;
            }
        }
        for entry in leagues() {
            for entry in entry.plan(Scale::Quick).unwrap().manifest().matches {
                rebuild(&entry, None).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
                rebuilt += 1;
            }
        }
        assert!(rebuilt > 50, "{rebuilt}");
    }
}
