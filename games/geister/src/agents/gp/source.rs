//! Where policies come from.

use super::corners::Corners;
use super::strategy::Strategy;
use super::text;
use oboro_core::{Rng, SpecError, did_you_mean};
use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

/// One policy or more. Of several, one is drawn for every game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policies(Vec<Arc<Strategy>>);

impl Policies {
    /// Its policies, one at least.
    pub fn strategies(&self) -> &[Arc<Strategy>] {
        &self.0
    }

    /// The same policies, their corners read in a certain way.
    fn with_corners(self, corners: Corners) -> Policies {
        let read = |one: Arc<Strategy>| Arc::new(Strategy::clone(&one).with_corners(corners));
        Policies(self.0.into_iter().map(read).collect())
    }

    /// One of them, uniformly. Nothing is drawn where there is no choice.
    pub(crate) fn draw(&self, rng: &mut Rng) -> Drawn {
        let number = if self.0.len() == 1 { 0 } else { rng.below(self.0.len()) };
        Drawn {
            strategy: Arc::clone(&self.0[number]),
            variant: (self.0.len() > 1).then_some(number as u32 + 1),
        }
    }
}

/// The policy that is played by in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Drawn {
    pub(crate) strategy: Arc<Strategy>,
    /// Its number among several, from 1; none where it is the only one.
    pub(crate) variant: Option<u32>,
}

/// The listings of the paper.
static PRINTED: [(&str, &str); 2] = [
    ("algorithm-1", include_str!("policies/algorithm-1.txt")),
    ("algorithm-2", include_str!("policies/algorithm-2.txt")),
];

/// Policies that `oboro evolve` made, those of one name after a line with it.
static EVOLVED: &str = include_str!("policies/evolved.txt");

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// What a line with a name begins with.
const HEADING: &str = "policies ";

/// Where a policy comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrategySource {
    /// Policies that come with the game, `NAME` or `NAME/2` for the second alone; or else a file.
    /// `@home`, `@exits` or `@searcher` at the end says how their corners are read ([`Corners`]).
    Named(String),
    /// The policy as text.
    Text(String),
}

impl StrategySource {
    /// The names of the policies that come with the game.
    pub fn names() -> Vec<&'static str> {
        let evolved = EVOLVED.lines().filter_map(|line| line.strip_prefix(HEADING));
        PRINTED.iter().map(|(name, _)| *name).chain(evolved).collect()
    }

    /// The policies.
    ///
    /// # Errors
    /// If there is no such file, or what is there is no policy.
    pub fn load(&self) -> Result<Policies, SpecError> {
        let name = match self {
            StrategySource::Text(text) => return read("rules", text),
            StrategySource::Named(name) => name,
        };
        if let Some((name, reading)) = name.rsplit_once('@')
            && let Ok(corners) = reading.parse::<Corners>()
        {
            let policies = StrategySource::Named(name.to_owned()).load()?;
            return Ok(policies.with_corners(corners));
        }
        if let Some(policies) = load_included(name) {
            return Ok(policies);
        }
        let text = read_file(name).map_err(|error| {
            let guess = did_you_mean(name, StrategySource::names());
            let guess = guess.map(|guess| format!("; did you mean `{guess}`?"));
            SpecError(format!(
                "policy {name}: {error}{} It is a file, or the name of a policy that comes with the \
                 game, such as algorithm-1",
                guess.unwrap_or_else(|| ".".to_owned())
            ))
        })?;
        read(name, &text)
    }
}

/// The text of a file, if it is one and of a length that a policy can have.
fn read_file(name: &str) -> std::io::Result<String> {
    let refuse = |why: &str| Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, why));
    // A pipe would be waited for when it is opened.
    if !std::fs::metadata(name)?.is_file() {
        return refuse("not a regular file");
    }
    let mut text = String::new();
    let read = File::open(name)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if read as u64 > LONGEST { refuse("longer than any policy") } else { Ok(text) }
}

fn read(place: &str, text: &str) -> Result<Policies, SpecError> {
    let policies = text::read_all(text).map_err(|error| SpecError(format!("{place}: {error}")))?;
    let policies = policies.into_iter();
    let strategies = policies.map(|(tree, corners)| Strategy::new(tree).with_corners(corners));
    Ok(Policies(strategies.map(Arc::new).collect()))
}

/// The included policies of a name, or one of them.
fn load_included(name: &str) -> Option<Policies> {
    let read = |name: &str| Some(read(name, included(name)?).expect("it is read by a test"));
    read(name).or_else(|| {
        let (name, number) = name.split_once('/')?;
        let number = number.parse::<usize>().ok()?.checked_sub(1)?;
        Some(Policies(vec![Arc::clone(read(name)?.0.get(number)?)]))
    })
}

/// The text of the included policies of a name.
fn included(name: &str) -> Option<&'static str> {
    if let Some((_, text)) = PRINTED.iter().find(|(known, _)| *known == name) {
        return Some(text);
    }
    let mut sections = EVOLVED.split(HEADING).skip(1);
    sections.find_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        (heading == name).then_some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_policies_can_be_read() {
        for name in StrategySource::names() {
            let policies = StrategySource::Named(name.to_owned()).load().unwrap();
            let count = if name.starts_with("algorithm") { 1 } else { 5 };
            assert_eq!(policies.strategies().len(), count, "{name}");
            let last = StrategySource::Named(format!("{name}/{count}")).load().unwrap();
            assert_eq!(last.strategies(), &policies.strategies()[count - 1..]);
        }
    }
}
