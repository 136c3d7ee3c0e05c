use crate::paper::Paper;
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

impl Language {
    /// Both, with their short names.
    pub const ALL: [Language; 2] = [Language::English, Language::Japanese];

    /// `en` or `ja`.
    pub fn code(self) -> &'static str {
        self.say("en", "ja")
    }

    /// One of two texts.
    pub fn say<'a>(self, english: &'a str, japanese: &'a str) -> &'a str {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// One of both.
    pub(crate) fn pick(self, words: &Words) -> &str {
        self.say(&words.en, &words.ja)
    }
}

/// What texts of experiments, whose files are in English, are called in each language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Dictionary {
    en: BTreeMap<String, String>,
    ja: BTreeMap<String, String>,
}

/// The words that every report uses.
static SHARED: LazyLock<Dictionary> = LazyLock::new(|| {
    let read = |text| toml::from_str(text).expect("a test reads it");
    Dictionary { en: read(include_str!("words/en.toml")), ja: read(include_str!("words/ja.toml")) }
});

impl Dictionary {
    /// Reads the words of both languages; either may be missing.
    pub(crate) fn parse(en: Option<&str>, ja: Option<&str>) -> Result<Dictionary, toml::de::Error> {
        let read = |text: Option<&str>| toml::from_str(text.unwrap_or_default());
        Ok(Dictionary { en: read(en)?, ja: read(ja)? })
    }

    fn get(&self, language: Language, text: &str) -> Option<&str> {
        let words = match language {
            Language::English => &self.en,
            Language::Japanese => &self.ja,
        };
        words.get(text).map(String::as_str)
    }
}

/// The words of a language in which a paper is spoken of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tongue<'a> {
    pub(crate) language: Language,
    pub(crate) paper: Option<&'a Paper>,
}

impl<'a> Tongue<'a> {
    /// A text of an experiment in this language; as it is where nobody has said otherwise.
    pub(crate) fn of(self, text: &'a str) -> &'a str {
        self.find(text).unwrap_or(text)
    }

    fn find(self, key: &str) -> Option<&'a str> {
        let own = self.paper.and_then(|paper| paper.words.get(self.language, key));
        own.or_else(|| SHARED.get(self.language, key))
    }

    /// What is measured, in words: an entry `measure: NAME` of a dictionary says it.
    pub(crate) fn measure(self, name: &'a str) -> String {
        self.find(&format!("measure: {name}")).unwrap_or_else(|| self.of(name)).to_owned()
    }

    /// What a kernel does or counts: an entry `work: NAME` or `unit: NAME` says it; as it is where there is none.
    pub(crate) fn kernel(self, kind: &str, name: &'a str) -> &'a str {
        self.find(&format!("{kind}: {name}")).unwrap_or(name)
    }

    /// One of two texts.
    pub(crate) fn say<'b>(self, english: &'b str, japanese: &'b str) -> &'b str {
        self.language.say(english, japanese)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_lab::{Experiment, Scale};

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
        for paper in Paper::all() {
            for (name, text) in paper.folder.experiments() {
                let titles = titles(&name, text);
                let is_known = |title: &&String| paper.words.ja.contains_key(*title);
                let missing: Vec<&String> =
                    titles.iter().filter(|title| !is_known(title)).collect();
                let translated = missing.len() < titles.len();
                let place = format!("papers/{}/ja.toml", paper.folder.id);
                assert!(!translated || missing.is_empty(), "{name}: add to {place}: {missing:?}");
            }
        }
    }

    #[test]
    fn a_papers_own_words_go_before_those_of_all() {
        let words =
            Dictionary::parse(Some("\"exact binomial\" = \"binomial\""), Some("\"gold\" = \"金\""))
                .unwrap();
        let mut paper = Paper::all()[0].clone();
        paper.words = words;
        let of = |language, text| Tongue { language, paper: Some(&paper) }.of(text).to_owned();
        assert_eq!(of(Language::English, "exact binomial"), "binomial");
        assert_eq!(of(Language::Japanese, "exact binomial"), "正確二項検定");
        assert_eq!(of(Language::Japanese, "gold"), "金");
        assert_eq!(of(Language::Japanese, "no such text"), "no such text");
        let plain = Tongue { language: Language::English, paper: None };
        assert_eq!(
            (plain.measure("payoff").as_str(), plain.of("payoff")),
            ("mean score", "payoff")
        );
        assert_eq!(plain.measure("turns"), "turns");
    }
}
