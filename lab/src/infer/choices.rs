//! What a paper leaves open, as it is written: TOML, and the readings that follow from it.

use crate::experiment::{fits, set, written};
use crate::{Experiment, ExperimentError, Scale};
use oboro_catalog::Allowed;
use oboro_core::{Rng, Seed};
use serde::Deserialize;
use std::collections::BTreeSet;

/// The file `choices.toml` of a paper: its open choices, the numbers they are judged by and those held out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Choices {
    /// The experiment's file, beside this one.
    #[serde(default = "own_experiment")]
    experiment: String,
    #[serde(rename = "choice")]
    pub(super) open: Vec<Choice>,
    #[serde(rename = "stage")]
    pub(super) stages: Vec<Stage>,
    /// Games of each match that judge no reading, for the predictions.
    pub(super) confirm: u64,
    /// Numbers that judge no reading.
    #[serde(default)]
    pub(super) held_out: Vec<String>,
    /// Games of each match that only they need; as many as for the others without it.
    #[serde(default)]
    pub(super) held_out_games: Option<u64>,
    /// At most so many readings, drawn from the prior; all without it.
    #[serde(default)]
    readings: Option<usize>,
}

fn own_experiment() -> String {
    "experiment.toml".to_owned()
}

/// Something that a paper leaves open.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    pub(super) name: String,
    /// Parameters of agents (`ssm.take`) and rules (`rules.plies`) that it sets.
    sets: Vec<String>,
    /// Where the text leaves it open.
    pub(super) open: String,
    /// What the text says.
    pub(super) quote: String,
    values: Vec<toml::Value>,
    /// The value that the experiment itself plays, where it is one of the values.
    #[serde(default)]
    played: Option<toml::Value>,
    /// One weight a value; all the same without it.
    #[serde(default)]
    prior: Vec<f64>,
}

/// A round of judging: readings are judged by all numbers named so far, and the best go on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    /// Numbers that judge from here on: `TABLE/ROW/CELL`, * being anything.
    #[serde(default)]
    pub(super) fit: Vec<String>,
    /// Games of each match, those of the stages before included.
    pub(super) games: u64,
    /// How many readings go on; of the last stage, how many are confirmed.
    pub(super) keep: usize,
}

/// The value that leaves a parameter as the experiment has it, for those whose default has no name.
const AS_PLAYED: &str = "as-played";

/// More readings than anybody can judge.
const MOST_READINGS: usize = 100_000;

impl Choice {
    pub(super) fn values(&self) -> impl ExactSizeIterator<Item = String> {
        self.values.iter().map(written)
    }

    /// The place of the value that the experiment itself plays, if the file says which.
    fn place_played(&self) -> Option<usize> {
        let played = self.played.as_ref().map_or_else(|| AS_PLAYED.to_owned(), written);
        self.values().position(|value| value == played)
    }

    /// The prior probability of each value.
    pub(super) fn prior(&self) -> Vec<f64> {
        let weights =
            if self.prior.is_empty() { vec![1.0; self.values.len()] } else { self.prior.clone() };
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    fn check(&self) -> Result<(), String> {
        let count = self.values.len();
        let fault = |what: String| Err(format!("choice `{}`: {what}", self.name));
        if count < 2 {
            return fault("it needs two values or more".to_owned());
        }
        if self.values().collect::<BTreeSet<_>>().len() < count {
            return fault("a value is there twice".to_owned());
        }
        if !self.prior.is_empty() && self.prior.len() != count {
            return fault(format!("{} weights in `prior` for {count} values", self.prior.len()));
        }
        if !self.prior.iter().all(|weight| weight.is_finite() && *weight > 0.0) {
            return fault("weights in `prior` are numbers above 0".to_owned());
        }
        if self.played.is_some() && self.place_played().is_none() {
            return fault("`played` is one of its values".to_owned());
        }
        if self.sets.is_empty() || self.open.is_empty() || self.quote.is_empty() {
            return fault("`sets`, `open` and `quote` say what it is about".to_owned());
        }
        Ok(())
    }
}

impl Choices {
    /// Reads a file of choices; `name` is what errors call it.
    ///
    /// # Errors
    /// If it is none: the file, line and column.
    pub fn parse(name: &str, text: &str) -> Result<Choices, ExperimentError> {
        let choices: Choices = toml::from_str(text).map_err(|error| {
            let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            let message = error.message().replace('\n', "; ");
            ExperimentError::new(&format!("{name}:{line}:{column}"), message)
        })?;
        choices.check().map_err(|message| ExperimentError::new(name, message))?;
        Ok(choices)
    }

    /// The file of its experiment, in the same folder.
    pub fn experiment(&self) -> &str {
        &self.experiment
    }

    fn check(&self) -> Result<(), String> {
        self.open.iter().try_for_each(Choice::check)?;
        let names: BTreeSet<&str> = self.open.iter().map(|c| c.name.as_str()).collect();
        if names.len() < self.open.len() {
            return Err("two choices have the same name".to_owned());
        }
        let Some(first) = self.stages.first().filter(|_| !self.open.is_empty()) else {
            return Err("it needs a [[choice]] and a [[stage]] or more".to_owned());
        };
        if first.fit.is_empty() {
            return Err("the first stage needs numbers to judge by: fit = [\"TABLE\"]".to_owned());
        }
        if self.stages.iter().any(|stage| stage.games == 0 || stage.keep == 0) || self.confirm == 0
        {
            return Err("`games`, `keep` and `confirm` are 1 or more".to_owned());
        }
        let rises = |pair: &[Stage]| pair[0].games <= pair[1].games && pair[0].keep >= pair[1].keep;
        if !self.stages.windows(2).all(rises) {
            return Err("from stage to stage games grow and fewer readings are kept".to_owned());
        }
        if self.readings == Some(0) {
            return Err("`readings` is 1 or more".to_owned());
        }
        Ok(())
    }

    /// The readings to be judged, each as the place of its value in every choice: all of them, or as many as are asked
    /// for, drawn from the prior and in order.
    pub(super) fn readings(&self, seed: &Seed) -> Result<Vec<Vec<usize>>, String> {
        let sizes: Vec<usize> = self.open.iter().map(|choice| choice.values.len()).collect();
        let wanted = self.readings.unwrap_or(MOST_READINGS);
        match self.combinations() {
            Some(all) if all <= wanted.min(MOST_READINGS) => {
                let reading = |mut number: usize| -> Vec<usize> {
                    let mut places: Vec<usize> = Vec::new();
                    for size in sizes.iter().rev() {
                        places.push(number % size);
                        number /= size;
                    }
                    places.reverse();
                    places
                };
                Ok((0..all).map(reading).collect())
            }
            _ if self.readings.is_none() => Err(format!(
                "more than {MOST_READINGS} readings: set `readings` to draw some from the prior"
            )),
            _ => {
                let mut rng = seed.child("readings").game(0, 0).deal();
                let priors: Vec<Vec<f64>> = self.open.iter().map(Choice::prior).collect();
                let mut drawn = BTreeSet::new();
                for _ in 0..wanted.saturating_mul(50) {
                    if drawn.len() == wanted {
                        break;
                    }
                    drawn.insert(priors.iter().map(|prior| draw(prior, &mut rng)).collect());
                }
                Ok(drawn.into_iter().collect())
            }
        }
    }

    /// The reading that the experiment itself plays, as the place of its value in every choice: `None` if one of them is
    /// none of the values.
    pub(super) fn played(&self) -> Option<Vec<usize>> {
        self.open.iter().map(Choice::place_played).collect()
    }

    /// The value of each choice in that reading.
    pub(super) fn words_played(&self) -> Vec<String> {
        let word = |choice: &Choice| choice.played.as_ref().map_or(AS_PLAYED.to_owned(), written);
        self.open.iter().map(word).collect()
    }

    /// The experiment as a reading has it, with the tables that are asked for.
    pub(super) fn experiment_of(
        &self,
        base: &toml::Table,
        reading: &[usize],
    ) -> Result<toml::Table, String> {
        let mut changed = base.clone();
        for (choice, place) in self.open.iter().zip(reading) {
            let value = choice.values().nth(*place).expect("a value of the choice");
            for target in &choice.sets {
                set_everywhere(&mut changed, target, &value)
                    .map_err(|fault| format!("choice `{}`: {fault}", choice.name))?;
            }
        }
        Ok(changed)
    }

    /// The value of each choice in a reading.
    pub(super) fn words(&self, reading: &[usize]) -> Vec<String> {
        let pairs = self.open.iter().zip(reading);
        pairs.map(|(choice, place)| choice.values().nth(*place).expect("a value")).collect()
    }

    /// How many combinations there are; `None` for more than can be counted.
    fn combinations(&self) -> Option<usize> {
        self.open.iter().try_fold(1usize, |all, choice| all.checked_mul(choice.values.len()))
    }

    /// The logarithm of a reading's prior weight. Readings that were drawn from the prior are weighted by it already.
    pub(super) fn log_prior(&self, reading: &[usize]) -> f64 {
        let is_drawn =
            self.readings.is_some_and(|wanted| self.combinations().is_none_or(|all| all > wanted));
        if is_drawn {
            return 0.0;
        }
        let pairs = self.open.iter().zip(reading);
        pairs.map(|(choice, place)| libm::log(choice.prior()[*place])).sum()
    }
}

/// Draws a place by its probability.
fn draw(prior: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.unit();
    prior
        .iter()
        .position(|share| {
            left -= share;
            left < 0.0
        })
        .unwrap_or(prior.len() - 1)
}

/// Sets a parameter of every agent of a name, or a rule, in all matches of an experiment.
fn set_everywhere(experiment: &mut toml::Table, target: &str, value: &str) -> Result<(), String> {
    let Some((owner, _)) = target.split_once('.') else {
        return Err(format!("`{target}`: write AGENT.PARAMETER or rules.OPTION"));
    };
    let matches = experiment.get_mut("match").and_then(toml::Value::as_array_mut);
    let mut found = false;
    for entry in matches.into_iter().flatten().filter_map(toml::Value::as_table_mut) {
        let mut changed = entry.clone();
        found |= set(&mut changed, target, &value.into());
        if value != AS_PLAYED {
            *entry = changed;
        }
    }
    if found { Ok(()) } else { Err(format!("no match of the experiment has `{owner}`")) }
}

/// A printed number by its place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) table: String,
    pub(super) row: String,
    pub(super) cell: String,
}

impl Place {
    fn fits(&self, pattern: &str) -> bool {
        let mut parts = pattern.splitn(3, '/').map(str::trim);
        let [table, row, cell] = std::array::from_fn(|_| parts.next().unwrap_or("*"));
        fits(&self.table, table) && fits(&self.row, row) && fits(&self.cell, cell)
    }
}

/// A printed number with the matches it comes from: one, or those of a pool.
pub(super) struct Number {
    pub(super) place: Place,
    pub(super) matches: Vec<String>,
}

/// The numbers of an experiment.
pub(super) struct Numbers {
    /// Those that judge, by stage.
    pub(super) fit: Vec<Vec<Number>>,
    pub(super) held_out: Vec<Number>,
}

impl Numbers {
    /// Finds the numbers that a file of choices names.
    pub(super) fn find(
        choices: &Choices,
        name: &str,
        text: &str,
        external: Allowed<'_>,
    ) -> Result<Numbers, ExperimentError> {
        let experiment = Experiment::parse_among(name, text, external)?;
        let report = experiment.report(Scale::Quick, |_| Vec::new())?;
        let mut all: Vec<(Place, Vec<String>)> = Vec::new();
        for table in &report.tables {
            for row in &table.rows {
                for cell in row.cells.iter().filter(|cell| cell.published.is_some()) {
                    let place = Place {
                        table: table.id.clone(),
                        row: row.label.clone(),
                        cell: cell.label.clone(),
                    };
                    // A pool is named by its matches.
                    all.push((place, cell.the_match.split('+').map(str::to_owned).collect()));
                }
            }
        }
        let mut taken: BTreeSet<Place> = BTreeSet::new();
        let mut select = |patterns: &[String]| -> Result<Vec<Number>, ExperimentError> {
            let mut found = Vec::new();
            for pattern in patterns {
                let before = found.len();
                let fitting = all.iter().filter(|(place, _)| place.fits(pattern));
                for (place, matches) in fitting {
                    if taken.insert(place.clone()) {
                        found.push(Number { place: place.clone(), matches: matches.clone() });
                    }
                }
                if found.len() == before {
                    let message = format!(
                        "`{pattern}` names no printed number that is not named before: write TABLE/ROW/CELL as in {name}, * being anything"
                    );
                    return Err(ExperimentError::new("choices", message));
                }
            }
            Ok(found)
        };
        let fit = choices.stages.iter().map(|stage| select(&stage.fit));
        let fit = fit.collect::<Result<_, _>>()?;
        Ok(Numbers { fit, held_out: select(&choices.held_out)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        confirm = 10
        held-out = ["2"]
        [[choice]]
        name = "order"
        sets = ["ssm.rules", "ssm-nk.rules"]
        open = "4.1"
        quote = "…"
        values = ["run", "take"]
        prior = [3, 1]
        [[choice]]
        name = "limit"
        sets = ["rules.plies"]
        open = "2"
        quote = "…"
        values = [100, 200, 300]
        [[stage]]
        fit = ["1"]
        games = 10
        keep = 2
    "#;

    #[test]
    fn readings_are_all_combinations_or_a_draw() {
        let choices = Choices::parse("c", FILE).unwrap();
        let seed = Seed::from_u64(1);
        let all = choices.readings(&seed).unwrap();
        assert_eq!(all.len(), 6);
        assert_eq!(choices.words(&all[5]), ["take", "300"]);
        let sum: f64 = all.iter().map(|reading| libm::exp(choices.log_prior(reading))).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        let few = Choices::parse("c", &format!("readings = 4\n{FILE}")).unwrap();
        let drawn = few.readings(&seed).unwrap();
        assert_eq!(drawn.len(), 4);
        assert_eq!(few.readings(&seed).unwrap(), drawn);
        assert!(drawn.iter().all(|reading| few.log_prior(reading) == 0.0), "no prior counts twice");
    }

    #[test]
    fn the_reading_that_is_played_is_one_of_the_values_or_as_played() {
        let choices = Choices::parse("c", FILE).unwrap();
        assert_eq!((choices.played(), choices.words_played()), (None, vec![AS_PLAYED.into(); 2]));
        let one = FILE.replace("prior = [3, 1]", "played = \"take\"");
        let choices = Choices::parse("c", &one).unwrap();
        assert_eq!((choices.played(), choices.words_played()[0].as_str()), (None, "take"));
        let both = one.replace("300]", "300]\n        played = 200");
        assert_eq!(Choices::parse("c", &both).unwrap().played(), Some(vec![1, 1]));
        let as_played = one.replace("[100, 200, 300]", "[100, \"as-played\"]");
        assert_eq!(Choices::parse("c", &as_played).unwrap().played(), Some(vec![1, 1]));
        let none = both.replace("played = 200", "played = 150");
        let error = Choices::parse("c", &none).unwrap_err().to_string();
        assert!(error.contains("`played` is one of its values"), "{error}");
    }

    #[test]
    fn a_choice_sets_parameters_of_agents_and_rules() {
        let choices = Choices::parse("c", FILE).unwrap();
        let base: toml::Table = toml::from_str(
            "[[match]]\nagents = [\"ssm:take=any,rules=flee\", \"random\"]\n[[match]]\nagents = [\"ssm-nk\"]\n",
        )
        .unwrap();
        let changed = choices.experiment_of(&base, &[1, 0]).unwrap().to_string();
        assert!(changed.contains("ssm:take=any,rules=take"), "{changed}");
        assert!(changed.contains("ssm-nk:rules=take") && changed.contains("plies = \"100\""));
        let as_played = FILE.replace("\"take\"]", "\"as-played\"]");
        let as_played = Choices::parse("c", &as_played).unwrap();
        let same = as_played.experiment_of(&base, &[1, 0]).unwrap().to_string();
        assert!(same.contains("ssm:take=any,rules=flee") && same.contains("\"ssm-nk\""), "{same}");
        let other = toml::from_str("[[match]]\nagents = [\"random\"]\n").unwrap();
        let fault = choices.experiment_of(&other, &[1, 0]).unwrap_err();
        assert_eq!(fault, "choice `order`: no match of the experiment has `ssm`");
    }

    #[test]
    fn bad_files_are_refused_with_the_reason() {
        for (from, to, reason) in [
            ("keep = 2", "keep = 0", "1 or more"),
            ("[3, 1]", "[3]", "1 weights in `prior` for 2 values"),
            ("[3, 1]", "[3, -1]", "above 0"),
            ("\"take\"]", "\"run\"]", "twice"),
            ("fit = [\"1\"]", "", "numbers to judge by"),
            ("name = \"limit\"", "name = \"order\"", "same name"),
            ("games = 10", "games = \"x\"", "c:19:17"),
        ] {
            let bad = FILE.replace(from, to);
            let error = Choices::parse("c", &bad).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
