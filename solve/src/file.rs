use crate::side::hash_of;
use crate::tree::{Profile, Tree};
use oboro_core::{Game, GameWorld, Seat, SeatView, changed_params};
use std::fmt::Write as _;
use std::ops::Range;

const HEADER: &str = "oboro strategy 1";

/// A strategy for every seat, by views: what a strategy file holds.
///
/// A line has a position of the information set in the game's notation, and the probabilities of its actions:
///
/// ```text
/// oboro strategy 1
/// game: leduc
/// rules:
/// made: cfr+ 1000 iterations
///
/// J1 K2 Q1: call | call 0.75 raise 0.25
/// ```
#[derive(Clone, Debug)]
pub struct Strategy<G: Game> {
    /// The hash of each view with its number, sorted.
    order: Vec<(u64, u32)>,
    views: Vec<G::View>,
    ranges: Vec<Range<usize>>,
    policies: Vec<(G::Action, f64)>,
}

/// A strategy file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct FileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

fn rules_of<G: Game>(game: &G) -> String {
    let pairs = changed_params(game).into_iter().map(|(key, value)| format!("{key}={value}"));
    pairs.collect::<Vec<_>>().join(",")
}

impl<G: Game> Strategy<G> {
    /// The text of a strategy file; `made` says in one line how the profile was found. Probabilities below 10⁻⁷ are left out.
    pub fn write(tree: &Tree<G>, profile: &Profile, made: &str) -> String {
        let game = tree.game();
        let mut text =
            format!("{HEADER}\ngame: {}\nrules: {}\nmade: {made}\n\n", G::NAME, rules_of(game));
        for (side, strategy) in tree.sides().iter().zip(&profile.0) {
            for set in 0..side.len() {
                let position = game.write_position(&tree.world_of(side, set));
                write!(text, "{position} |").expect("writing to a string");
                let shares = &strategy[side.sequences_of(set)];
                for (action, share) in side.actions_of(set).iter().zip(shares) {
                    if *share >= 1e-7 {
                        write!(text, " {action} {share:.7}").expect("writing to a string");
                    }
                }
                text.push('\n');
            }
        }
        text
    }

    /// The strategy of a profile.
    pub fn of(tree: &Tree<G>, profile: &Profile) -> Strategy<G> {
        let mut strategy = Strategy::empty();
        for (seat, (side, shares)) in tree.sides().iter().zip(&profile.0).enumerate() {
            for set in 0..side.len() {
                let start = strategy.policies.len();
                let shares = shares[side.sequences_of(set)].iter().copied();
                strategy.policies.extend(side.actions_of(set).iter().copied().zip(shares));
                strategy.add(tree.world_of(side, set).view(Seat::new(seat)), start);
            }
        }
        strategy.order.sort_unstable();
        strategy
    }

    fn empty() -> Strategy<G> {
        let (order, views) = (Vec::new(), Vec::new());
        Strategy { order, views, ranges: Vec::new(), policies: Vec::new() }
    }

    /// Gives the probabilities from `start` on to a view.
    fn add(&mut self, view: G::View, start: usize) {
        self.order.push((hash_of(&view), self.views.len() as u32));
        self.views.push(view);
        self.ranges.push(start..self.policies.len());
    }

    /// Reads a strategy file of a game under these rules.
    ///
    /// # Errors
    /// The line at fault, and why.
    pub fn parse(game: &G, text: &str) -> Result<Strategy<G>, FileError> {
        let fail = |line: usize, message: String| FileError { line, message };
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(fail(1, format!("a strategy file starts with the line `{HEADER}`")));
        }
        let mut strategy = Strategy::empty();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let expect = |key: &str, ours: &str| {
                let theirs = line.strip_prefix(key).map(str::trim);
                let differs = theirs.is_some_and(|theirs| theirs != ours);
                let message = || format!("this is a strategy for `{line}`, not for `{ours}`");
                if differs { Err(fail(number, message())) } else { Ok(theirs.is_some()) }
            };
            if expect("game:", G::NAME)?
                || expect("rules:", &rules_of(game))?
                || line.starts_with("made:")
            {
                continue;
            }
            strategy.read_line(game, line).map_err(|message| fail(number, message))?;
        }
        if strategy.views.is_empty() {
            return Err(fail(1, "the file has no information set".to_owned()));
        }
        strategy.order.sort_unstable();
        Ok(strategy)
    }

    fn read_line(&mut self, game: &G, line: &str) -> Result<(), String> {
        let (position, policy) =
            line.rsplit_once(" |").ok_or("expected `POSITION | ACTION PROBABILITY …`")?;
        let world = game.parse_position(position).map_err(|error| error.to_string())?;
        let seat = world.to_act().ok_or("the game is over in this position")?;
        let view = world.view(seat);
        let (legal, start) = (view.legal_actions(), self.policies.len());
        let mut words = policy.split_whitespace();
        while let Some(word) = words.next() {
            let action: G::Action =
                word.parse().map_err(|error| format!("action `{word}`: {error}"))?;
            if !legal.contains(&action) {
                return Err(format!("`{word}` is not legal in this position"));
            }
            let share = words.next().and_then(|share| share.parse().ok());
            let share = share.filter(|share: &f64| (0.0..=1.0).contains(share));
            let share = share.ok_or_else(|| format!("`{word}` needs a probability from 0 to 1"))?;
            self.policies.push((action, share));
        }
        let total: f64 = self.policies[start..].iter().map(|(_, share)| share).sum();
        if (total - 1.0).abs() > 1e-3 {
            return Err(format!("the probabilities add up to {total}, not to 1"));
        }
        self.policies[start..].iter_mut().for_each(|(_, share)| *share /= total);
        self.add(view, start);
        Ok(())
    }

    /// How many information sets it knows.
    pub fn len(&self) -> usize {
        self.views.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// The probabilities of the actions at a view; nothing if it is unknown. Actions that are left out have 0.
    pub fn policy(&self, view: &G::View) -> Option<&[(G::Action, f64)]> {
        let hash = hash_of(view);
        let first = self.order.partition_point(|(other, _)| *other < hash);
        let alike = self.order[first..].iter().take_while(|(other, _)| *other == hash);
        let mut numbers = alike.map(|(_, number)| *number as usize);
        let number = numbers.find(|&number| self.views[number] == *view)?;
        Some(&self.policies[self.ranges[number].clone()])
    }
}
