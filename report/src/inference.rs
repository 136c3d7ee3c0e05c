//! What was inferred of a paper's open choices, as tables and a picture.

use crate::document::{
    Block, Cell, ColumnKind, Document, Emphasis, Figure, RowKind, Table, TableKind, Text, Tone,
};
use crate::plot::{Chart, Dot, Marks};
use crate::slug;
use crate::stored::grouped;
use crate::words::Language;
use oboro_lab::{
    ChoicePosterior, Identification, Inference, NumberReport, PlayedReading, ReadingReport,
    published_value,
};
use oboro_stats::Confidence;
use std::fmt::Write as _;

/// More values of a choice than this are not drawn: the most probable are.
const VALUES_DRAWN: usize = 6;

/// More readings than this are not listed.
const READINGS_LISTED: usize = 5;

/// What was inferred, for its results folder and for a terminal.
pub fn inference_document(inference: &Inference) -> Document {
    let mut document = Document::new(&format!("{}: inferred readings", inference.title));
    document.lead.push(Block::paragraph(format!(
        "{} ({}), inferred from its printed numbers",
        inference.title, inference.experiment
    )));
    document.blocks = inference_blocks(inference, Language::English);
    document
}

/// What was inferred, as part of a page.
pub(crate) fn inference_blocks(inference: &Inference, language: Language) -> Vec<Block> {
    let page = Page { inference, language };
    let mut blocks = vec![Block::paragraph(page.how())];
    blocks
        .push(Block::heading(4, language.say("What each choice is likely to be", "各選択の推定")));
    blocks.push(Block::Figure(page.picture()));
    blocks.push(Block::Table(page.choices()));
    blocks.push(Block::heading(4, language.say("The best readings", "最も合う読み方")));
    blocks.push(Block::Table(page.readings()));
    blocks.push(Block::paragraph(standing_of(inference, language)));
    blocks.push(Block::heading(4, language.say("Every printed number", "すべての公表値")));
    blocks.push(Block::Table(page.numbers()));
    blocks.push(Block::Paragraph(page.unexplained().into(), Tone::Plain));
    blocks
}

struct Page<'a> {
    inference: &'a Inference,
    language: Language,
}

impl Page<'_> {
    fn say<'b>(&self, english: &'b str, japanese: &'b str) -> &'b str {
        self.language.say(english, japanese)
    }

    /// How it was done, in a paragraph.
    fn how(&self) -> Text {
        let Inference { readings, stages, confirmed_by, birge_ratio, seed, games, .. } =
            self.inference;
        let games = grouped(*games);
        let effective = self.inference.effective_readings();
        let of_stage = stages.iter().map(|stage| match self.language {
            Language::English => format!(
                "{} readings by {} games a match and {} numbers (best χ² {:.0})",
                stage.readings, stage.games, stage.numbers, stage.best_chi_square
            ),
            Language::Japanese => format!(
                "{} 通りを 1 組 {} 局・数値 {} 個で評価（最良の χ² {:.0}）",
                stage.readings, stage.games, stage.numbers, stage.best_chi_square
            ),
        });
        let of_stage: Vec<String> = of_stage.collect();
        match self.language {
            Language::English => format!(
                "Inferred, not reproduced: {readings} readings of what the text leaves open were judged by printed \
                 numbers. Stages: {}. A reading has the weight prior × exp(−χ²/2R²) with Birge's ratio R = \
                 {birge_ratio:.2}: errors are widened by it, because even the best reading is off by more than chance \
                 explains where it is above 1. Numbers are predicted from {confirmed_by} further games a match that judged \
                 nobody. {games} games in all, seed {seed}. The probabilities are as uncertain as those of {effective:.1} readings of \
                 equal weight. {} {}",
                of_stage.join("; "),
                meaning_of_identified(self.language),
                meaning_of_dependence(self.language)
            )
            .into(),
            Language::Japanese => format!(
                "再現ではなく推定である。本文が決めていない点の読み方 {readings} 通りを、公表値で評価した。段階：{}。\
                 読み方の重みは 事前確率 × exp(−χ²/2R²)、R は Birge 比で {birge_ratio:.2}。1 を超えるのは、最良の読み方でも偶然では\
                 説明できないほど外れるためで、その分だけ誤差を広げている。予測には評価に使わなかった 1 組 {confirmed_by} 局を用いた。合計 {games} 局、シード {seed}。確率の不確かさは、重みの等しい読み方 {effective:.1} 通りのものに等しい。{}{}",
                of_stage.join("；"),
                meaning_of_identified(self.language),
                meaning_of_dependence(self.language)
            )
            .into(),
        }
    }

    fn picture(&self) -> Figure {
        let rows = self.inference.choices.iter().flat_map(|choice| {
            choice.likeliest().into_iter().take(VALUES_DRAWN).map(|value| Dot {
                label: format!("{} = {}", choice.name, value.value),
                ours: Some(value.posterior),
                interval: None,
                published: Some(value.prior),
            })
        });
        let chart = Chart {
            title: self.say("Open choices", "未定の選択").to_owned(),
            x: self.say("probability", "確率").to_owned(),
            y: String::new(),
            marks: Marks::Dots { rows: rows.collect() },
        };
        let caption = self.say(
            "Dot: probability given the printed numbers. Diamond: before any game. At most six values of a choice are drawn.",
            "点：公表値から推定した確率。菱形：対局前の確率。一つの選択につき六つまで示す。",
        );
        Figure {
            chart: Some(chart),
            file: format!("{}-inferred", slug(&self.inference.experiment)),
            caption: caption.into(),
        }
    }

    fn choices(&self) -> Table {
        let columns = [
            (self.say("choice", "選択"), ColumnKind::Name),
            (self.say("likeliest values", "有力な値"), ColumnKind::Words),
            (self.say("identified", "特定"), ColumnKind::Words),
            (self.say("where it is open", "未定の箇所"), ColumnKind::Words),
            (self.say("the text", "本文"), ColumnKind::Words),
        ];
        let mut table = Table::new(TableKind::Plain, columns);
        for choice in &self.inference.choices {
            let texts = [
                choice.name.clone(),
                values_of(choice),
                identified(choice, self.inference, self.language).to_owned(),
                choice.open.clone(),
                choice.quote.clone(),
            ];
            table.push(RowKind::Plain, texts);
        }
        table
    }

    fn readings(&self) -> Table {
        let columns = [
            (self.say("reading", "読み方"), ColumnKind::Words),
            (self.say("weight", "重み"), ColumnKind::Number),
            (self.say("χ² judged", "評価 χ²"), ColumnKind::Number),
            (self.say("χ² confirmed", "確認 χ²"), ColumnKind::Number),
            (self.say("inside", "範囲内"), ColumnKind::Number),
            (self.say("inside, held out", "範囲内（評価外）"), ColumnKind::Number),
        ];
        let mut table = Table::new(TableKind::Plain, columns);
        let best = self.inference.best.iter().take(READINGS_LISTED);
        for reading in best {
            table.push(RowKind::Plain, self.reading(reading, format!("{:.3}", reading.posterior)));
        }
        if let Some(PlayedReading { reading, is_weighed, .. }) = &self.inference.played {
            let weight =
                if *is_weighed { format!("{:.3}", reading.posterior) } else { "–".into() };
            let [words, rest @ ..] = self.reading(reading, weight);
            let words = format!("{}: {words}", self.say("as played here", "この実験の読み方"));
            table.push(RowKind::Plain, std::iter::once(words).chain(rest));
        }
        table
    }

    /// A line of the table of readings.
    fn reading(&self, reading: &ReadingReport, weight: String) -> [String; 6] {
        [
            values_in(self.inference, reading),
            weight,
            format!("{:.1}", reading.judged_chi_square),
            format!("{:.1}", reading.fitted.chi_square),
            format!("{}/{}", reading.fitted.inside, reading.fitted.numbers),
            format!("{}/{}", reading.held_out.inside, reading.held_out.numbers),
        ]
    }

    fn numbers(&self) -> Table {
        let columns = [
            (self.say("number", "数値"), ColumnKind::Words),
            ("", ColumnKind::Words),
            (self.say("paper", "論文"), ColumnKind::Number),
            (self.say("best reading", "最良の読み方"), ColumnKind::Number),
            (self.say("95 % interval", "95 % 区間"), ColumnKind::Interval),
            ("n", ColumnKind::Number),
            ("z", ColumnKind::Number),
            (self.say("predictive p", "予測 p"), ColumnKind::Number),
            (self.say("explained by", "説明できる読み方"), ColumnKind::Number),
        ];
        let mut table = Table::new(TableKind::Plain, columns);
        for number in &self.inference.numbers {
            let held_out = if number.held_out { self.say("held out", "評価外") } else { "" };
            let interval = match (number.low, number.high) {
                (Some(low), Some(high)) => format!("{low:.3} – {high:.3}"),
                _ => String::new(),
            };
            // Counts are printed as shares beside ours.
            let published =
                match (number.published.contains('/'), published_value(&number.published)) {
                    (true, Some(value)) => format!("{value:.3}"),
                    _ => number.published.clone(),
                };
            let cells: [Cell; 9] = [
                place(number).into(),
                held_out.into(),
                published.into(),
                format!("{:.3}", number.ours).into(),
                interval.into(),
                number.n.to_string().into(),
                format!("{:.1}", number.z).into(),
                Cell::about(emphasis(number.p), p_value(number.p)),
                format!("{}/{}", number.explained_by, number.of).into(),
            ];
            table.push(RowKind::Plain, cells);
        }
        table
    }

    fn unexplained(&self) -> String {
        let places: Vec<String> = self.inference.unexplained().map(place).collect();
        let (count, all) = (places.len(), self.inference.numbers.len());
        let list = places.join("; ");
        match (self.language, count) {
            (Language::English, 0) => {
                format!("Each of the {all} numbers is explained by some confirmed reading.")
            }
            (Language::Japanese, 0) => {
                format!("{all} 個の数値は、いずれも確認した読み方のどれかで説明できる。")
            }
            (Language::English, _) => {
                format!(
                    "Of all {all} numbers {count} are explained by no confirmed reading: {list}."
                )
            }
            (Language::Japanese, _) => {
                format!("確認したどの読み方でも説明できない数値は {all} 個中 {count} 個：{list}。")
            }
        }
    }
}

/// The likeliest three values of a choice, each with its probability, and in brackets that before any game.
fn values_of(choice: &ChoicePosterior) -> String {
    let values = choice.likeliest();
    let shown = values
        .iter()
        .take(3)
        .map(|value| format!("{} {:.2} ({:.2})", value.value, value.posterior, value.prior));
    shown.collect::<Vec<_>>().join(", ")
}

/// The values of a reading, each with the name of its choice.
fn values_in(inference: &Inference, reading: &ReadingReport) -> String {
    let values = inference.choices.iter().zip(&reading.values);
    let words = values.map(|(choice, value)| format!("{}={value}", choice.name));
    words.collect::<Vec<_>>().join(", ")
}

fn identified(choice: &ChoicePosterior, inference: &Inference, language: Language) -> &'static str {
    match inference.identification(choice) {
        Identification::Identified => language.say("yes", "はい"),
        Identification::Open => language.say("no", "いいえ"),
        Identification::NoReadingFits => language.say("no: no reading fits", "いいえ（適合なし）"),
    }
}

/// What *identified* means.
fn meaning_of_identified(language: Language) -> &'static str {
    language.say(
        "A choice is identified if R is at most 2, one value has a probability of 0.95 or more, and that is clearly away from its prior \
         given the sampling: its odds are three times those before, and with as few readings of equal weight its 95 % interval lies \
         above one half and above the prior.",
        "R が 2 以下で、確率 0.95 以上の値があり、標本の大きさから見てその確率が事前確率から明らかに離れている\
         （オッズが対局前の 3 倍以上で、その数の読み方による 95 % 区間が 1/2 と事前確率の両方を上回る）とき、選択を「特定」とする。",
    )
}

/// What χ² takes no account of.
fn meaning_of_dependence(language: Language) -> &'static str {
    language.say(
        "χ² counts numbers of the same games as independent, which they are not quite.",
        "χ² は同じ対局から得た数値どうしを独立とみなしており、厳密ではない。",
    )
}

/// Where the reading stands that the experiment itself plays, in a sentence or two.
fn standing_of(inference: &Inference, language: Language) -> String {
    let Some(PlayedReading { reading, is_weighed, rank, of }) = &inference.played else {
        return language
            .say(
                "Where the project's own reading stands was not stored in this run.",
                "この実験自身の読み方の順位は、この結果には保存されていない。",
            )
            .to_owned();
    };
    let (fit, held) = (reading.fitted, reading.held_out);
    let weight = match (is_weighed, language) {
        (true, Language::English) => format!("weight {:.2}", reading.posterior),
        (true, Language::Japanese) => format!("重み {:.2}", reading.posterior),
        (false, _) => language.say("not drawn, so without weight", "抽出されず重みなし").to_owned(),
    };
    match language {
        Language::English => format!(
            "The project's own reading, judged in every stage, is number {rank} of {of} in the last (χ² {:.0}; {weight}), with {} of {} fitted and {} of {} held-out numbers inside.",
            reading.judged_chi_square, fit.inside, fit.numbers, held.inside, held.numbers
        ),
        Language::Japanese => format!(
            "この実験自身の読み方はすべての段階で評価し、最後の段階では {of} 通り中 {rank} 位（χ² {:.0}、{weight}）で、評価に使った数値の {} / {} 個、評価外の数値の {} / {} 個が範囲内にある。",
            reading.judged_chi_square, fit.inside, fit.numbers, held.inside, held.numbers
        ),
    }
}

/// What was inferred, in a paragraph of Markdown, for the page of a paper.
pub(crate) fn inference_summary(inference: &Inference, language: Language) -> String {
    let Inference { experiment, readings, games, seed, birge_ratio, confirmed_by, .. } = inference;
    let (games, readings) = (grouped(*games), grouped(*readings));
    let unexplained = inference.unexplained().count();
    let all = inference.numbers.len();
    let best = inference.best.first().map(|best| (values_in(inference, best), best));
    let mut out = match language {
        Language::English => format!(
            "`oboro infer {experiment}` (seed {seed}, {games} games) judges {readings} readings. Birge's ratio R is {birge_ratio:.2}; 1 would be a fit."
        ),
        Language::Japanese => format!(
            "`oboro infer {experiment}`（シード {seed}、{games} 局）は {readings} 通りの読み方を評価した。Birge 比 R は {birge_ratio:.2}（1 なら適合）。"
        ),
    };
    if let Some((words, best)) = best {
        let (fit, held) = (best.fitted, best.held_out);
        let _ = match language {
            Language::English => write!(
                out,
                " The best reading is `{words}`, with the weight {:.2}. By {confirmed_by} games a match that judged nobody, {} of {} fitted and {} of {} held-out numbers are inside for it. Of all {all} numbers {unexplained} are explained by no confirmed reading.",
                best.posterior, fit.inside, fit.numbers, held.inside, held.numbers
            ),
            Language::Japanese => write!(
                out,
                "最良の読み方は `{words}`（重み {:.2}）。評価に使わなかった 1 組 {confirmed_by} 局では、評価に使った数値の {} / {} 個、評価外の数値の {} / {} 個が範囲内にある。確認したどの読み方でも説明できない数値は {all} 個中 {unexplained} 個。",
                best.posterior, fit.inside, fit.numbers, held.inside, held.numbers
            ),
        };
    }
    out.push_str(language.say(" ", ""));
    out + &standing_of(inference, language)
}

/// The probabilities of the choices and how the numbers came out, as two tables of Markdown.
pub(crate) fn inference_tables(inference: &Inference, language: Language) -> String {
    let mut out = String::new();
    let head = language.say(
        "| choice | likeliest values: probability (before) | identified |",
        "| 選択 | 有力な値：確率（対局前） | 特定 |",
    );
    let _ = write!(out, "\n\n{head}\n|---|---|---|");
    for choice in &inference.choices {
        let (values, is_identified) = (values_of(choice), identified(choice, inference, language));
        let _ = write!(out, "\n| {} | {values} | {is_identified} |", choice.name);
    }
    let head = language.say(
        "| numbers of table | | inside for the best reading | explained by some reading | smallest predictive p |",
        "| 表の数値 | | 最良の読み方で範囲内 | どれかの読み方で説明できる | 最小の予測 p |",
    );
    let _ = write!(out, "\n\n{head}\n|---|---|---:|---:|---:|");
    let mut groups: Vec<(&str, bool)> = Vec::new();
    for number in &inference.numbers {
        let group = (number.table.as_str(), number.held_out);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    for (table, held_out) in groups {
        let of_group =
            |number: &&NumberReport| number.table == table && number.held_out == held_out;
        let numbers: Vec<&NumberReport> = inference.numbers.iter().filter(of_group).collect();
        let inside = numbers.iter().filter(|number| number.z.abs() <= Confidence::P95.z()).count();
        let explained = numbers.iter().filter(|number| number.explained_by > 0).count();
        let p = numbers.iter().map(|number| number.p).fold(1.0, f64::min);
        let kind = if held_out {
            language.say("held out", "評価外")
        } else {
            language.say("fitted", "評価")
        };
        let (count, p) = (numbers.len(), p_value(p));
        let _ =
            write!(out, "\n| {table} | {kind} | {inside}/{count} | {explained}/{count} | {p} |");
    }
    out
}

fn place(number: &NumberReport) -> String {
    let parts = [&number.table, &number.row, &number.cell];
    let parts: Vec<&str> =
        parts.into_iter().map(String::as_str).filter(|p| !p.is_empty()).collect();
    parts.join(" / ")
}

fn emphasis(p: f64) -> Emphasis {
    if p < 0.05 { Emphasis::Bad } else { Emphasis::Good }
}

fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}
