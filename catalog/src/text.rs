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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_rules_in_both_languages() {
        for game in crate::games() {
            let text = game.text();
            let name = game.name();
            assert!(text.rules.len() >= 3, "{name}");
            assert_ne!(text.tagline.en, text.tagline.ja, "{name}");
            assert!(
                text.rules.iter().all(|rule| !rule.ja.is_ascii() && rule.en != rule.ja),
                "{name}"
            );
        }
    }

    #[test]
    fn a_list_of_another_length_is_noticed() {
        for game in crate::games() {
            let [en, ja] = game.rules_text().map(|text| Parts::read(text).rules.len());
            assert_eq!(en, ja, "{}", game.name());
        }
    }

    #[test]
    fn a_game_without_a_text_is_called_as_the_catalog_does() {
        let text = GameText::read(["", ""], "Dice: two dice");
        assert_eq!((text.title.en.as_str(), text.tagline.ja.as_str()), ("Dice", "two dice"));
        assert_eq!(text.rules, []);
    }

    #[test]
    fn numbers_of_players_are_those_of_the_rules() {
        let of = |name: &str| crate::game(name).unwrap().players();
        assert_eq!(of("saboteur"), Players { least: 3, most: 10, usual: 6 });
        assert_eq!(of("leduc"), Players { least: 2, most: 2, usual: 2 });
    }
}
