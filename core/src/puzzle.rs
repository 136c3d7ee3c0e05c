//! Puzzles of a game: positions with one right first action, as a text file that a command of the game writes.

use std::fmt;
use std::str::FromStr;

/// A position that the first seat, whose turn it is, wins within so many actions of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// How many actions of its own the winner needs against the longest defence.
    pub moves: u32,
    /// The only first action with which it wins so soon.
    pub solution: String,
    /// The position.
    pub position: String,
}

/// The puzzles of a game and the rules under which they are played.
///
/// ```
/// use oboro_core::PuzzleBook;
///
/// let text = "# oboro puzzles geister\nrules: plies=300\n2 AN 0 14R…\n";
/// let book: PuzzleBook = text.parse().unwrap();
/// assert_eq!(book.rules, [("plies".to_owned(), "300".to_owned())]);
/// assert_eq!((book.puzzles[0].moves, book.puzzles[0].solution.as_str()), (2, "AN"));
/// assert_eq!(book.to_string(), text);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PuzzleBook {
    /// The command that writes it.
    pub recipe: String,
    /// Rule options that differ from the defaults.
    pub rules: Vec<(String, String)>,
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
}

impl fmt::Display for PuzzleBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# {}", self.recipe)?;
        let rules: Vec<String> =
            self.rules.iter().map(|(key, value)| format!("{key}={value}")).collect();
        writeln!(f, "rules: {}", rules.join(" "))?;
        for Puzzle { moves, solution, position } in &self.puzzles {
            writeln!(f, "{moves} {solution} {position}")?;
        }
        Ok(())
    }
}

impl FromStr for PuzzleBook {
    type Err = String;

    fn from_str(text: &str) -> Result<PuzzleBook, String> {
        let mut book = PuzzleBook::default();
        for (number, line) in text.lines().enumerate() {
            let fault = || format!("line {}: expected `MOVES SOLUTION POSITION`", number + 1);
            if let Some(recipe) = line.strip_prefix("# ") {
                recipe.clone_into(&mut book.recipe);
            } else if let Some(rules) = line.strip_prefix("rules:") {
                let pair = |rule: &str| {
                    let (key, value) = rule.split_once('=').ok_or_else(fault)?;
                    Ok((key.to_owned(), value.to_owned()))
                };
                book.rules = rules.split_whitespace().map(pair).collect::<Result<_, String>>()?;
            } else {
                let mut parts = line.splitn(3, ' ');
                let mut next = || parts.next().filter(|part| !part.is_empty()).ok_or_else(fault);
                let moves = next()?.parse().map_err(|_| fault())?;
                let (solution, position) = (next()?.to_owned(), next()?.to_owned());
                book.puzzles.push(Puzzle { moves, solution, position });
            }
        }
        Ok(book)
    }
}
