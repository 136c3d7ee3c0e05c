use crate::{Folder, FolderError, GameResult, Manifest};
use oboro_store::Journal;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

/// One of several equal parts of an experiment, written `2/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    /// The games of this part, of so many.
    pub fn range(self, games: u64) -> Range<u64> {
        games * (self.part - 1) / self.of..games * self.part / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parse = || {
            let (part, of) = text.split_once('/')?;
            let (part, of) = (part.parse().ok()?, of.parse().ok()?);
            (1 <= part && part <= of && of <= 10_000).then_some(Shard { part, of })
        };
        parse().ok_or_else(|| {
            format!("`{text}` is no shard: write I/N, such as 2/8 for the second of eight")
        })
    }
}

/// Puts the shards of an experiment together into `out`, which must be new or empty.
///
/// # Errors
/// If they are not all the shards of one experiment, whole and sound.
pub fn merge(shards: &[Folder], out: &Path) -> Result<Folder, FolderError> {
    let fail = |message: String| Err(FolderError::Shards(message));
    let whole = |folder: &Folder| Manifest { shard: None, ..folder.manifest().clone() };
    let Some(first) = shards.first() else { return fail("no shards were given".to_owned()) };
    let mut parts = Vec::new();
    for folder in shards {
        let path = folder.path().display();
        if whole(folder) != whole(first) {
            return fail(format!(
                "{path} is of another experiment, seed or version than {}",
                first.path().display()
            ));
        }
        let Some(shard) = folder.manifest().shard.as_deref().and_then(|s| s.parse::<Shard>().ok())
        else {
            return fail(format!("{path} is no shard"));
        };
        parts.push((shard, folder));
    }
    parts.sort_by_key(|(shard, _)| shard.part);
    let of = parts[0].0.of;
    let complete =
        parts.iter().map(|(shard, _)| (shard.part, shard.of)).eq((1..=of).map(|i| (i, of)));
    if !complete {
        let have: Vec<String> = parts.iter().map(|(shard, _)| shard.to_string()).collect();
        return fail(format!(
            "all of 1/{of} to {of}/{of} are needed, once each; there is {}",
            have.join(", ")
        ));
    }
    // Everything is read and checked before anything is written.
    let mut files = Vec::new();
    for entry in &first.manifest().matches {
        let games = entry.games.unwrap_or(0);
        let mut all: Vec<GameResult> = Vec::new();
        for (shard, folder) in &parts {
            let range = shard.range(games);
            let part = folder.read_games(&entry.id, range.start)?;
            if part.len() as u64 != range.end - range.start {
                return fail(format!(
                    "{}: {} has {} of its {} games; play shard {shard} to its end",
                    folder.path().display(),
                    entry.id,
                    part.len(),
                    range.end - range.start
                ));
            }
            all.extend(part);
        }
        files.push((format!("{}.jsonl", entry.id), Journal::text(&all)));
    }
    let folder = Folder::create(out, whole(first), false)?;
    for (name, lines) in files {
        folder.write_file(&name, &lines)?;
    }
    Ok(folder)
}
