//! Verdicts that were found once, at a scale that nobody waits for twice: `papers/PAPER/results.toml`, written by
//! `oboro experiment --store`. Reports show them beside their own, and documents repeat nothing else.

use crate::inference::{inference_summary, inference_tables};
use crate::paper::{Headline, Paper, Printed, Status};
use crate::study_page::{Place, status_name};
use crate::words::Language;
use oboro_lab::{Counts, Report, RowReport, Scale, TableReport, TableVerdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The file of a paper.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredResults {
    /// One an experiment.
    #[serde(default, rename = "experiment")]
    pub experiments: Vec<StoredExperiment>,
}

/// The verdicts of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StoredExperiment {
    /// Its name.
    pub id: String,
    /// What plays it again.
    pub command: String,
    /// How large it was.
    pub scale: Scale,
    /// Its seed.
    pub seed: String,
    /// How many games it rests on.
    pub games: u64,
    /// Of how many differences that the paper calls significant, and our games suffice to test, and how many of them are.
    pub claims: (usize, usize),
    /// The published numbers of the paper's own tables by verdict; of any other experiment, those of all its tables.
    pub counts: Counts,
    /// The largest distance of a published number from ours, in standard errors.
    pub largest_z: f64,
    /// Its tables with published numbers.
    #[serde(default, rename = "table", skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<StoredPart>,
    /// The numbers of its rows of the same label, over all tables: those of a reading.
    #[serde(default, rename = "row", skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<StoredPart>,
}

/// The verdicts on a table, or on rows that share a label.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StoredPart {
    /// Its number or label.
    pub id: String,
    /// What became of it.
    pub status: Status,
    /// Its published numbers by verdict.
    pub counts: Counts,
    /// How many independent quantities they are.
    pub quantities: u64,
    /// The largest distance, in standard errors.
    pub largest_z: f64,
    /// The sum of the squared distances, one a quantity.
    pub chi_square: f64,
}

/// To two decimals, as it is stored.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

impl StoredPart {
    fn of(id: &str, tables: &[&TableReport]) -> Option<StoredPart> {
        let verdict = TableVerdict::of(tables.iter().copied())?;
        Some(StoredPart {
            id: id.to_owned(),
            status: Status::of(verdict.verdict),
            counts: Counts::of(tables.iter().copied()),
            quantities: verdict.quantities,
            largest_z: rounded(verdict.largest_z),
            chi_square: rounded(verdict.chi_square),
        })
    }
}

impl StoredExperiment {
    /// The verdicts of an experiment that `command` played.
    pub fn new(report: &Report, seed: &str, command: String) -> StoredExperiment {
        let paper = Paper::all().iter().find(|paper| paper.id() == report.id);
        // Of a paper's own experiment what it prints; of any other one, such as its readings, everything.
        let is_wanted = |table: &&TableReport| paper.is_none_or(|paper| paper.has_table(&table.id));
        let tables: Vec<&TableReport> = report.tables.iter().filter(is_wanted).collect();
        let mut by_label: BTreeMap<&str, Vec<&RowReport>> = BTreeMap::new();
        for row in tables.iter().flat_map(|table| &table.rows).filter(|_| paper.is_none()) {
            by_label.entry(&row.label).or_default().push(row);
        }
        let of_label = by_label.into_iter().filter_map(|(label, rows)| {
            let rows: Vec<RowReport> = rows.into_iter().cloned().collect();
            let all = TableReport { rows, ..(*tables.first()?).clone() };
            StoredPart::of(label, &[&all])
        });
        StoredExperiment {
            id: report.id.clone(),
            command,
            scale: report.scale,
            seed: seed.to_owned(),
            games: report.games,
            claims: report.claims(),
            counts: Counts::of(tables.iter().copied()),
            largest_z: TableVerdict::of(tables.iter().copied())
                .map_or(0.0, |verdict| rounded(verdict.largest_z)),
            tables: tables.iter().filter_map(|table| StoredPart::of(&table.id, &[table])).collect(),
            rows: of_label.collect(),
        }
    }

    /// How many of its tables have a status.
    pub fn tables_of(&self, status: Status) -> usize {
        self.tables.iter().filter(|table| table.status == status).count()
    }
}

impl StoredResults {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn parse(text: &str) -> Result<StoredResults, toml::de::Error> {
        toml::from_str(text)
    }

    /// Puts the verdicts of an experiment in place of older ones.
    pub fn put(&mut self, stored: StoredExperiment) {
        self.experiments.retain(|known| known.id != stored.id);
        self.experiments.push(stored);
        self.experiments.sort_by(|a, b| a.id.cmp(&b.id));
    }

    /// The verdicts on an experiment.
    pub fn of(&self, experiment: &str) -> Option<&StoredExperiment> {
        self.experiments.iter().find(|known| known.id == experiment)
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let head = "# Written by `oboro experiment NAME --store FILE`: the verdicts that documents and reports repeat.\n\n";
        format!("{head}{}", toml::to_string(self).unwrap_or_default())
    }
}

/// The documents between `<!-- verdicts: WHAT -->` and `<!-- end -->`: every block filled anew from what is stored.
///
/// WHAT is `papers FOLDER` for a line a paper, whose pages are in that folder, the name of an experiment for its count and its tables, and that name with
/// ` rows` or ` tables` for a table of its readings, or of those named after it; ` reading NAME` gives the count of one in a sentence. The name of a paper with ` inferred` gives what was inferred
/// of it in a paragraph, with ` inferred tables` its tables, too.
///
/// # Errors
/// If a block asks for something that is not stored, or does not end.
pub fn fill_verdicts(text: &str, language: Language) -> Result<String, String> {
    const OPEN: &str = "<!-- verdicts: ";
    const CLOSE: &str = "<!-- end -->";
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (what, after) = after.split_once(" -->").ok_or("a block of verdicts has no name")?;
        let (_, after) =
            after.split_once(CLOSE).ok_or_else(|| format!("the verdicts of {what} do not end"))?;
        let block = block(what, language)?;
        let _ = write!(out, "{before}{OPEN}{what} -->\n{block}\n{CLOSE}");
        rest = after;
    }
    Ok(out + rest)
}

fn block(what: &str, language: Language) -> Result<String, String> {
    if let Some(folder) = what.strip_prefix("papers ") {
        return Ok(of_papers(folder, language));
    }
    let (id, part) = what.split_once(' ').unwrap_or((what, ""));
    let (part, rest) = part.split_once(' ').unwrap_or((part, ""));
    if part == "inferred" {
        let inference = Paper::named(id).and_then(Paper::inference);
        let inference = inference.ok_or_else(|| format!("nothing is inferred of `{id}`"))?;
        let tables =
            if rest == "tables" { inference_tables(&inference, language) } else { String::new() };
        return Ok(inference_summary(&inference, language) + &tables);
    }
    let named = |all: &[StoredPart]| -> Result<Vec<StoredPart>, String> {
        let find = |name: &str| {
            let found = all.iter().find(|part| part.id == name).cloned();
            found.ok_or_else(|| format!("{id} has no reading `{name}`"))
        };
        if rest.is_empty() { Ok(all.to_vec()) } else { rest.split(' ').map(find).collect() }
    };
    let stored = Paper::all().iter().find_map(|paper| paper.stored.of(id));
    let stored = stored.ok_or_else(|| format!("nothing is stored of `{id}`"))?;
    match part {
        "" => Ok(format!(
            "`{}` ({}): {}{}\n\n{}",
            stored.command,
            run_of(stored, language),
            counts_of(
                &stored.counts,
                printed_in(id).map_or(0, |printed| printed.numbers),
                stored.largest_z,
                language
            ),
            claims_of(stored.claims, language),
            parts(&stored.tables, language.say("table", "表"), true, language)
        )),
        "rows" => {
            Ok(parts(&named(&stored.rows)?, language.say("reading", "解釈"), false, language))
        }
        "tables" => {
            Ok(parts(&named(&stored.tables)?, language.say("reading", "解釈"), false, language))
        }
        "reading" => match named(&stored.tables)?.as_slice() {
            [one] => Ok(reading_of(stored, one, language)),
            _ => Err(format!("verdicts of {id}: `reading` needs the name of one")),
        },
        other => Err(format!(
            "verdicts of {id}: not `{other}`, but `rows`, `tables`, `reading` or `inferred`"
        )),
    }
}

/// What an experiment that comes with the program can check.
fn printed_in(experiment: &str) -> Option<Printed> {
    Paper::all().iter().find_map(|paper| paper.printed(experiment))
}

/// At most how many games of each match were played, if the command says so.
fn at_most(command: &str) -> Option<&str> {
    command.split_once("--at-most ")?.1.split(' ').next()
}

/// A command's scale and limit, its seed and its games.
fn run_of(stored: &StoredExperiment, language: Language) -> String {
    let (scale, seed, games) = (stored.scale, &stored.seed, grouped(stored.games));
    let most = at_most(&stored.command);
    match language {
        Language::English => {
            let most = most.map_or(String::new(), |n| format!(", at most {n} games a match"));
            format!("scale {scale}{most}, seed {seed}, {games} games")
        }
        Language::Japanese => {
            let most = most.map_or(String::new(), |n| format!("（1 組 {n} 局まで）"));
            format!("規模 {scale}{most}、シード {seed}、{games} 局")
        }
    }
}

/// The verdict on one reading, in a sentence.
fn reading_of(stored: &StoredExperiment, part: &StoredPart, language: Language) -> String {
    let counts = counts_of(&part.counts, 0, part.largest_z, language);
    let (run, status) = (run_of(stored, language), status_name(part.status, language));
    let (command, id) = (&stored.command, &part.id);
    let (squares, quantities) = (part.chi_square, part.quantities);
    match language {
        Language::English => format!(
            "`{command}` ({run} of {} readings), reading `{id}`: {counts} Σz² is {squares:.0} over {quantities} quantities; the verdict is *{status}*.",
            stored.tables.len()
        ),
        Language::Japanese => format!(
            "`{command}`（{run}、読み方 {} 通り）の `{id}`：{counts}Σz² は {quantities} 個の量で {squares:.0}、判定は「{status}」。",
            stored.tables.len()
        ),
    }
}

/// The count of a reading that is an equal headline of a paper, in a sentence. The front page leaves out what is said there of
/// the paper's own experiment, or stands on the paper's page.
pub(crate) fn headline_of(
    paper: &Paper,
    headline: &Headline,
    place: Place,
    language: Language,
) -> Option<String> {
    let stored = paper.stored.of(&headline.experiment)?;
    let part = stored.tables.iter().find(|part| part.id == headline.table)?;
    let name = language.pick(&headline.name);
    if place == Place::Front {
        let came = outcomes_of(&part.counts, language);
        return Some(match language {
            Language::English => format!("An equal reading, {name}: {came}."),
            Language::Japanese => format!("対等な読み方：{name}。{came}。"),
        });
    }
    let counts = counts_of(&part.counts, 0, part.largest_z, language);
    let run = run_of(stored, language);
    let all = stored.tables.len();
    Some(match language {
        Language::English => {
            format!("An equal reading, {name} (stored: {run} of {all} readings): {counts}")
        }
        Language::Japanese => {
            format!("対等な読み方：{name}（保存済み：{run}、読み方 {all} 通り）。{counts}")
        }
    })
}

/// A whole number in groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && digits.len() > 4 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// The counts of an experiment in a sentence that follows a colon. Where `of` is more than were compared, it is how many could
/// have been.
pub(crate) fn counts_of(counts: &Counts, of: u64, largest_z: f64, language: Language) -> String {
    let (compared, came) = (counts.compared, outcomes_of(counts, language));
    match (language, of > compared) {
        (Language::English, false) => {
            format!("of {compared} published numbers, {came}; largest |z| {largest_z:.1}.")
        }
        (Language::English, true) => format!(
            "{compared} of {of} published numbers were compared; {came}; largest |z| {largest_z:.1}."
        ),
        (Language::Japanese, false) => {
            format!("公表値 {compared} 個のうち、{came}。最大の |z| は {largest_z:.1}。")
        }
        (Language::Japanese, true) => {
            format!("公表値 {of} 個中 {compared} 個を比べ、{came}。最大の |z| は {largest_z:.1}。")
        }
    }
}

/// How many numbers have each verdict, without how many there are.
fn outcomes_of(counts: &Counts, language: Language) -> String {
    let Counts { agree, too_few, differ, .. } = counts;
    match language {
        Language::English => {
            let count = |number: &u64, one: &str, more: &str| {
                format!("{number} {}", if *number == 1 { one } else { more })
            };
            let agree = count(agree, "agrees", "agree");
            let differ = count(differ, "differs", "differ");
            format!("{agree}, {differ}, {too_few} inside on too few games")
        }
        Language::Japanese => {
            format!("一致が {agree} 個、相違が {differ} 個、範囲内だが対局不足が {too_few} 個")
        }
    }
}

/// What became of differences that the paper calls significant, in a sentence.
pub(crate) fn claims_of(claims: (usize, usize), language: Language) -> String {
    match (claims, language) {
        ((0, _), _) => String::new(),
        ((of, hold), Language::English) => format!(
            " Of {of} differences that the paper calls significant, {hold} are with our games."
        ),
        ((of, hold), Language::Japanese) => {
            format!(
                "論文が有意とした差 {of} 個のうち、こちらの対局でも有意なのは {hold} 個である。"
            )
        }
    }
}

fn parts(all: &[StoredPart], name: &str, with_status: bool, language: Language) -> String {
    let words = |english: [&'static str; 6], japanese: [&'static str; 6]| match language {
        Language::English => english,
        Language::Japanese => japanese,
    };
    let [inside, agree, outside, largest, squares, verdict] = words(
        ["inside", "of these agree", "differ", "largest \\|z\\|", "Σz² (quantities)", "verdict"],
        ["範囲内", "うち一致", "相違", "最大の \\|z\\|", "Σz²（独立な量）", "判定"],
    );
    let (verdict, rule) =
        if with_status { (format!(" {verdict} |"), "---|") } else { (String::new(), "") };
    let mut out = format!(
        "| {name} | {inside} | {agree} | {outside} | {largest} | {squares} |{verdict}\n|---|---:|---:|---:|---:|---:|{rule}"
    );
    for part in all {
        let Counts { agree, differ, .. } = part.counts;
        let _ = write!(
            out,
            "\n| {} | {} | {agree} | {differ} | {:.1} | {:.0} ({}) |",
            part.id,
            part.counts.inside(),
            part.largest_z,
            part.chi_square,
            part.quantities
        );
        if with_status {
            let _ = write!(out, " {} |", status_name(part.status, language));
        }
    }
    out
}

/// A line a paper.
fn of_papers(folder: &str, language: Language) -> String {
    let mut out = language
        .say(
            "| paper | numbers | agree | inside, too few games | differ | tables reproduced | played |\n|---|---:|---:|---:|---:|---|---|",
            "| 論文 | 数値 | 一致 | 範囲内だが対局不足 | 相違 | 再現した表 | 対局 |\n|---|---:|---:|---:|---:|---|---|",
        )
        .to_owned();
    for paper in Paper::all() {
        let link = format!("[{}]({folder}/{}.md)", language.pick(&paper.short), paper.id());
        let Some(stored) = paper.stored.of(paper.id()) else { continue };
        let Counts { compared, agree, too_few, differ } = stored.counts;
        let own = Printed { numbers: compared, tables: stored.tables.len() };
        let printed = paper.printed(paper.id()).unwrap_or(own);
        let numbers = share(compared, printed.numbers, language);
        let reproduced = stored.tables_of(Status::Reproduced);
        let of = printed.tables;
        let tables = match language {
            Language::English => format!("{reproduced} of {of}"),
            Language::Japanese => format!("{of} 表中 {reproduced}"),
        };
        let _ = write!(
            out,
            "\n| {link} | {numbers} | {agree} | {too_few} | {differ} | {tables} | {} |",
            run_of(stored, language)
        );
        for headline in &paper.headlines {
            let Some(stored) = paper.stored.of(&headline.experiment) else { continue };
            let Some(part) = stored.tables.iter().find(|part| part.id == headline.table) else {
                continue;
            };
            let Counts { compared, agree, too_few, differ } = part.counts;
            let run = run_of(stored, language);
            let (name, all) = (language.pick(&headline.name), stored.tables.len());
            let played = match language {
                Language::English => format!("{run} of {all} readings"),
                Language::Japanese => format!("{run}（読み方 {all} 通り）"),
            };
            let of = share(compared, printed.numbers, language);
            let _ = write!(
                out,
                "\n| {link}{}{name} | {of} | {agree} | {too_few} | {differ} | {} | {played} |",
                language.say(", ", "、"),
                status_name(part.status, language)
            );
        }
    }
    out
}

/// How many of all, where not all.
fn share(some: u64, all: u64, language: Language) -> String {
    match (some < all, language) {
        (false, _) => some.to_string(),
        (true, Language::English) => format!("{some} of {all}"),
        (true, Language::Japanese) => format!("{all} 個中 {some}"),
    }
}
