//! Readings of an experiment: what is written once, with `{reading}` in its name, is made for each of them.

use super::portion::fits;
use oboro_core::Spec;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

/// Stands for the name of a reading.
const NAME: &str = "{reading}";

/// A reading: what it changes in the matches that it is made of. Two entries with one name are one reading.
#[derive(Deserialize)]
struct Reading {
    id: String,
    /// Which matches it is made of, * being anything; of these, those that have everything it sets.
    #[serde(default = "all")]
    matches: Vec<String>,
    /// What it sets: `AGENT.PARAMETER`, `a.PARAMETER` of an entrant, `rules.OPTION`, or a key of the match.
    #[serde(default)]
    sets: Table,
    /// Other words in braces. What a reading does not say is as the first one has it.
    #[serde(flatten)]
    words: BTreeMap<String, String>,
}

fn all() -> Vec<String> {
    vec!["*".to_owned()]
}

/// Writes everything out that a file says of its readings.
pub(crate) fn expand(mut file: Table) -> Result<Table, String> {
    let Some(readings) = file.remove("reading") else { return Ok(file) };
    let mut readings: Vec<Reading> = readings.try_into().map_err(|e| e.message().to_owned())?;
    let first = readings.first().map(|first| first.words.clone()).unwrap_or_default();
    for reading in &mut readings {
        for (key, word) in &first {
            reading.words.entry(key.clone()).or_insert_with(|| word.clone());
        }
    }
    let matches = matches(&readings, take(&mut file, "match"))?;
    let mut known: BTreeSet<String> = matches.iter().map(id).collect();
    // From here on the name of a reading alone matters.
    let mut names = BTreeSet::new();
    readings.retain(|reading| names.insert(reading.id.clone()));
    let pools = pools(&readings, take(&mut file, "pool"), &known);
    known.extend(pools.iter().map(id));
    let tables = tables(&readings, take(&mut file, "table"), &known)?;
    for (key, made) in [("match", matches), ("pool", pools), ("table", tables)] {
        file.insert(key.to_owned(), list(made));
    }
    Ok(file)
}

fn matches(readings: &[Reading], written: Vec<Table>) -> Result<Vec<Table>, String> {
    let mut all = Vec::new();
    for written in written {
        let before = all.len();
        for (reading, mut made) in copies(readings, &written, &id(&written)) {
            if reading.is_none_or(|reading| reading.is_made_of(&mut made)) {
                all.push(made);
            }
        }
        if all.len() == before {
            return Err(format!("match {}: no reading is made of it", id(&written)));
        }
    }
    Ok(all)
}

/// Pools of which a reading has all matches.
fn pools(readings: &[Reading], written: Vec<Table>, known: &BTreeSet<String>) -> Vec<Table> {
    let mut all = Vec::new();
    for written in written {
        for (reading, mut made) in copies(readings, &written, &id(&written)) {
            let members = take(&mut made, "of");
            let has_all = members.iter().all(|member| known.contains(text(member, "match")));
            if reading.is_none() || has_all {
                made.insert("of".to_owned(), list(members));
                all.push(made);
            }
        }
    }
    all
}

/// Tables with those rows that a reading has games for.
fn tables(
    readings: &[Reading],
    written: Vec<Table>,
    known: &BTreeSet<String>,
) -> Result<Vec<Table>, String> {
    let mut all = Vec::new();
    for written in written {
        for (of_table, mut made) in copies(readings, &written, &id(&written)) {
            let mut rows = Vec::new();
            for row in take(&mut made, "row") {
                let before = rows.len();
                for (of_row, mut row) in copies(readings, &row, &row.to_string()) {
                    if of_table.or(of_row).is_none() || has_games(&mut row, known) {
                        rows.push(row);
                    }
                }
                if of_table.is_none() && rows.len() == before {
                    let (table, row) = (id(&made), text(&row, "label").to_owned());
                    return Err(format!("table {table}, row {row}: no reading has its matches"));
                }
            }
            if of_table.is_none() || !rows.is_empty() {
                made.insert("row".to_owned(), list(rows));
                all.push(made);
            }
        }
    }
    Ok(all)
}

/// What is written, once for each reading if `marked` has a word of theirs in braces.
fn copies<'a>(
    readings: &'a [Reading],
    written: &Table,
    marked: &str,
) -> Vec<(Option<&'a Reading>, Table)> {
    let has = |word: &str| marked.contains(&format!("{{{word}}}"));
    if marked.contains(NAME) || readings.iter().any(|r| r.words.keys().any(|word| has(word))) {
        readings.iter().map(|reading| (Some(reading), reading.write(written))).collect()
    } else {
        vec![(None, written.clone())]
    }
}

/// Drops the cells and tests of a row that have no match; whether any is left.
fn has_games(row: &mut Table, known: &BTreeSet<String>) -> bool {
    let whole = known.contains(text(row, "match"));
    let mut left = 0;
    for key in ["cells", "tests"] {
        let Some(Value::Array(parts)) = row.get_mut(key) else { continue };
        parts.retain(|part| {
            let own = part.get("match").and_then(Value::as_str);
            own.map_or(whole, |own| known.contains(own))
        });
        left += parts.len();
    }
    left > 0
}

impl Reading {
    /// Everything with its words in the place of braces.
    fn write(&self, written: &Table) -> Table {
        written.iter().map(|(key, value)| (key.clone(), self.write_value(value))).collect()
    }

    fn write_value(&self, written: &Value) -> Value {
        match written {
            Value::String(text) => {
                let words = self.words.iter();
                let text = words.fold(text.clone(), |t, (k, w)| t.replace(&format!("{{{k}}}"), w));
                text.replace(NAME, &self.id).into()
            }
            Value::Array(parts) => {
                Value::Array(parts.iter().map(|part| self.write_value(part)).collect())
            }
            Value::Table(parts) => self.write(parts).into(),
            other => other.clone(),
        }
    }

    /// Makes its changes in a match: whether it is made of that one.
    fn is_made_of(&self, of: &mut Table) -> bool {
        self.matches.iter().any(|pattern| fits(&id(of), pattern))
            && self.sets.iter().all(|(target, value)| set(of, target, value))
    }
}

/// Sets a parameter of an agent, a rule or a key in a match: whether there is such a thing.
pub(crate) fn set(of: &mut Table, target: &str, value: &Value) -> bool {
    let Some((owner, key)) = target.split_once('.') else {
        of.insert(target.to_owned(), value.clone());
        return true;
    };
    if owner == "rules" {
        let rules = of.entry("rules").or_insert_with(|| Table::new().into());
        return rules.as_table_mut().map(|r| r.insert(key.to_owned(), value.clone())).is_some();
    }
    let Some(agents) = of.get_mut("agents").and_then(Value::as_array_mut) else { return false };
    let mut entrants: Vec<String> = Vec::new();
    for agent in agents.iter().filter_map(Value::as_str) {
        if !entrants.iter().any(|known| known == agent) {
            entrants.push(agent.to_owned());
        }
    }
    let entrant = ('a'..='z').zip(entrants).find(|(letter, _)| owner == letter.to_string());
    let mut is_set = false;
    for agent in agents {
        let Some(mut spec) = agent.as_str().and_then(|text| text.parse::<Spec>().ok()) else {
            continue;
        };
        let is_entrant = entrant.as_ref().is_some_and(|(_, spec)| agent.as_str() == Some(spec));
        if is_entrant || spec.name == owner {
            is_set = true;
            spec.args.retain(|(known, _)| known.as_deref() != Some(key));
            spec.args.push((Some(key.to_owned()), written(value)));
            *agent = spec.to_string().into();
        }
    }
    is_set
}

/// A value as it is written to a spec.
pub(crate) fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The entries of a list of tables, which is taken out.
fn take(of: &mut Table, key: &str) -> Vec<Table> {
    let entries = of.remove(key).and_then(|entries| entries.try_into::<Vec<Table>>().ok());
    entries.unwrap_or_default()
}

fn list(entries: Vec<Table>) -> Value {
    Value::Array(entries.into_iter().map(Value::Table).collect())
}

fn id(of: &Table) -> String {
    text(of, "id").to_owned()
}

fn text<'a>(of: &'a Table, key: &str) -> &'a str {
    of.get(key).and_then(Value::as_str).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        [[reading]]
        id = "given"
        label = "as it is"
        turns = "{reading}"
        [[reading]]
        id = "late"
        label = "later"
        sets = { "a.depth" = 3, "rules.plies" = 100 }
        [[reading]]
        id = "both"
        label = "turns of another"
        matches = []
        turns = "late"
        [[reading]]
        id = "eval"
        label = "eval alone"
        sets = { "eval.r" = "all", seats = "rotate" }
        [[match]]
        id = "one.{reading}"
        agents = ["deep", "rule", "deep"]
        [[match]]
        id = "two.{reading}"
        agents = ["deep:depth=1", "eval"]
        [[pool]]
        id = "{reading}.all"
        of = [{ match = "one.{reading}" }, { match = "two.{reading}" }]
        [[table]]
        id = "1"
        [[table.row]]
        label = "{label}"
        cells = [{ match = "one.{turns}" }, { match = "two.{turns}" }]
        [[table.row]]
        label = "another"
        match = "one.given"
        [[table]]
        id = "{reading}"
        [[table.row]]
        label = "pool"
        match = "{reading}.all"
        cells = [{ value = "draw" }]
    "#;

    fn expanded(text: &str) -> Result<Table, String> {
        expand(toml::from_str(text).unwrap())
    }

    fn ids(of: &Table, key: &str) -> Vec<String> {
        take(&mut of.clone(), key).iter().map(id).collect()
    }

    #[test]
    fn what_is_written_once_is_made_for_each_reading() {
        let mut file = expanded(FILE).unwrap();
        let made = ["one.given", "one.late", "two.given", "two.late", "two.eval"];
        assert_eq!(ids(&file, "match"), made);
        assert_eq!(ids(&file, "pool"), ["given.all", "late.all"], "of matches that there are");
        let agents = |place: usize| file["match"][place]["agents"].to_string();
        assert_eq!(agents(1), r#"["deep:depth=3", "rule", "deep:depth=3"]"#);
        assert_eq!(agents(3), r#"["deep:depth=3", "eval"]"#);
        assert_eq!(agents(4), r#"["deep:depth=1", "eval:r=all"]"#);
        assert_eq!(file["match"][1]["rules"]["plies"].as_integer(), Some(100));
        assert_eq!(file["match"][4]["seats"].as_str(), Some("rotate"));
        let mut tables = take(&mut file, "table");
        let rows: Vec<(String, usize)> = take(&mut tables[0], "row")
            .iter()
            .map(|row| {
                let cells = row.get("cells").and_then(Value::as_array).map_or(0, Vec::len);
                (text(row, "label").to_owned(), cells)
            })
            .collect();
        let expected = [
            ("as it is", 2),
            ("later", 2),
            ("turns of another", 2),
            ("eval alone", 1),
            ("another", 0),
        ];
        assert_eq!(rows, expected.map(|(label, cells)| (label.to_owned(), cells)));
        let tables: Vec<(String, usize)> =
            tables[1..].iter_mut().map(|table| (id(table), take(table, "row").len())).collect();
        let expected = [("given", 1), ("late", 1)];
        assert_eq!(tables, expected.map(|(id, rows)| (id.to_owned(), rows)));
    }

    #[test]
    fn what_no_reading_has_is_refused() {
        let alone = "[[reading]]\nid = \"x\"\nsets = { \"eval.r\" = 1 }\n[[match]]\nid = \"m.{reading}\"\nagents = [\"rule\"]\n";
        assert_eq!(expanded(alone).unwrap_err(), "match m.{reading}: no reading is made of it");
        let far = FILE.replace("one.{turns}", "on.{turns}").replace("two.{turns}", "tw.{turns}");
        let said = "table 1, row {label}: no reading has its matches";
        assert_eq!(expanded(&far).unwrap_err(), said);
    }
}
