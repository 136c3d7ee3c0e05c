//! What is said of a game to people.

use oboro_core::Phrase;
use serde::Serialize;

/// A game's name, a sentence about it, and its rules, in both languages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameText {
    /// What people call it.
    pub title: Phrase,
    /// A sentence about it.
    pub tagline: Phrase,
    /// Its rules, paragraph by paragraph; none where nobody has written them.
    pub rules: Vec<Phrase>,
}

/// How many people can play a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Players {
    /// The fewest.
    pub least: usize,
    /// The most.
    pub most: usize,
    /// How many usually play it.
    pub usual: usize,
}

impl GameText {
    /// Reads the rules of a game, which are Markdown with a heading, a sentence and a numbered list. Without them the
    /// name and the sentence are those of the catalog, `Name: sentence`.
    pub(crate) fn read(texts: [&str; 2], about: &str) -> GameText {
        let (title, tagline) = about.split_once(": ").unwrap_or((about, ""));
        let otherwise = |text: &str| Phrase::new(text, text);
        let [en, ja] = texts.map(Parts::read);
        debug_assert_eq!(en.rules.len(), ja.rules.len(), "{about}: rules in both languages");
        let both = |en: Option<&str>, ja: Option<&str>, text: &str| match (en, ja) {
            (Some(en), Some(ja)) => Phrase::new(en, ja),
            _ => otherwise(text),
        };
        GameText {
            title: both(en.title, ja.title, title),
            tagline: both(en.tagline, ja.tagline, tagline),
            rules: en.rules.into_iter().zip(ja.rules).map(|(en, ja)| Phrase::new(en, ja)).collect(),
        }
    }
}

#[derive(Default)]
struct Parts<'a> {
    title: Option<&'a str>,
    tagline: Option<&'a str>,
    rules: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn read(text: &'a str) -> Parts<'a> {
        let mut parts = Parts::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let numbered = line.split_once(". ");
            let numbered = numbered.filter(|(n, _)| n.bytes().all(|b| b.is_ascii_digit()));
            match (line.strip_prefix("# "), numbered) {
                (Some(title), _) => parts.title = Some(title),
                (None, Some((_, rule))) => parts.rules.push(rule),
                (None, None) => parts.tagline = Some(line),
            }
        }
        parts
    }
}
