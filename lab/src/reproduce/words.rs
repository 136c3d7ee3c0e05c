use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The language of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

/// The same in both languages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// In English.
    pub en: String,
    /// In Japanese.
    pub ja: String,
}

/// Japanese for the texts of experiments, whose files are in English.
static JAPANESE: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../papers/ja.toml")).expect("a test reads it")
});

impl Language {
    /// Both, with their short names.
    pub const ALL: [Language; 2] = [Language::English, Language::Japanese];

    /// `en` or `ja`.
    pub fn code(self) -> &'static str {
        self.say("en", "ja")
    }

    /// One of two texts.
    pub(super) fn say<'a>(self, english: &'a str, japanese: &'a str) -> &'a str {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// One of both.
    pub(super) fn pick(self, words: &Words) -> &str {
        self.say(&words.en, &words.ja)
    }

    /// The text of an experiment in this language; as it is where nobody has translated it.
    pub(super) fn of(self, text: &str) -> &str {
        match self {
            Language::English => text,
            Language::Japanese => JAPANESE.get(text).map_or(text, String::as_str),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, Scale, papers};

    /// The titles of an experiment, its tables and figures.
    fn titles(name: &str, text: &str) -> Vec<String> {
        let experiment = Experiment::parse(name, text).unwrap();
        let report = experiment.report(Scale::Quick, |_| vec![]).unwrap();
        let tables = report.tables.into_iter().map(|table| table.title);
        let figures = report.figures.into_iter().map(|figure| figure.title);
        std::iter::once(report.title).chain(tables).chain(figures).collect()
    }

    #[test]
    fn an_experiment_that_is_translated_has_all_its_titles_in_japanese() {
        for (name, text) in papers() {
            let titles = titles(name, text);
            let missing: Vec<&String> =
                titles.iter().filter(|title| !JAPANESE.contains_key(*title)).collect();
            let translated = missing.len() < titles.len();
            assert!(
                !translated || missing.is_empty(),
                "{name}: add to papers/ja.toml: {missing:?}"
            );
        }
        assert_eq!(Language::Japanese.of("turns"), "ターン数");
        assert_eq!(Language::Japanese.of("no such text"), "no such text");
        assert_eq!(Language::English.of("turns"), "turns");
    }
}
