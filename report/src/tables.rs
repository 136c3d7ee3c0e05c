//! Tables of an experiment, as every report prints them.

use crate::document::{
    Block, Cell, ColumnKind, Document, Emphasis, RowKind, Span, Table, TableKind, Text,
};
use crate::stored::{claims_of, counts_of};
use crate::words::{Language, Tongue};
use oboro_lab::{
    CellReport, Counts, Misprint, Report, RowReport, TableReport, TableVerdict, TestReport,
    Verdict, published_value,
};

/// The tables of one experiment, for its results folder and for a terminal.
pub fn experiment_document(report: &Report) -> Document {
    let mut document = Document::new(&report.title);
    let source = report.source.as_deref().unwrap_or("our own experiment");
    document
        .lead
        .push(Block::paragraph(format!("{} ({source}), scale {}", report.title, report.scale)));
    let tongue = Tongue { language: Language::English, paper: None };
    for table in &report.tables {
        document.push(Block::heading(2, format!("Table {}. {}", table.id, table.title)));
        document.push(Block::Table(table_of(table, tongue, None)));
        let said = verdict_on(table, Language::English).into_iter();
        let said = said.chain(misprints_of(table, Language::English));
        said.for_each(|text| document.push(Block::paragraph(text)));
        table.notes.iter().for_each(|note| document.push(Block::paragraph(Text::parse(note))));
    }
    if !report.notes.is_empty() || report.counts.compared > 0 {
        document.push(Block::heading(2, "Notes"));
    }
    report.notes.iter().for_each(|note| document.push(Block::paragraph(Text::parse(note))));
    if let Some(summary) = summary(report) {
        document.push(Block::paragraph(summary));
    }
    document
}

/// What the published numbers of a table come to, in a sentence; `None` where there was nothing to compare.
pub(crate) fn verdict_on(table: &TableReport, language: Language) -> Option<String> {
    let TableVerdict {
        quantities,
        outside,
        largest_z,
        chi_square,
        p,
        p_holm,
        reversed,
        verdict,
        ..
    } = table.verdict.as_ref()?;
    let word = match verdict {
        Verdict::Agrees => language.say("reproduced", "再現"),
        Verdict::Differs => language.say("differs", "相違"),
        Verdict::TooFewGames | Verdict::Open => language.say("too few games", "対局不足"),
    };
    let (p, p_holm) = (p_value(*p), p_value(*p_holm));
    let rows = reversed.join(language.say(", ", "、"));
    Some(match language {
        Language::English => {
            let reversed =
                if reversed.is_empty() { rows } else { format!(" Order reversed: {rows}.") };
            format!(
                "Together: {word}. {outside} of {quantities} independent quantities lie outside; largest |z| {largest_z:.1}, \
                 smallest p by Holm {p_holm}; Σz² {chi_square:.1}, p {p}.{reversed}"
            )
        }
        Language::Japanese => {
            let reversed =
                if reversed.is_empty() { rows } else { format!("順序が逆の行：{rows}。") };
            format!(
                "表全体：{word}。独立な量 {quantities} 個のうち {outside} 個が範囲外、最大の |z| は {largest_z:.1}、\
                 最小の p（Holm 補正）{p_holm}、Σz² は {chi_square:.1}、p {p}。{reversed}"
            )
        }
    })
}

/// Printed numbers that are impossible, in a sentence.
pub(crate) fn misprints_of(table: &TableReport, language: Language) -> Option<String> {
    let one = |misprint: &Misprint| {
        let Misprint { row, printed, games } = misprint;
        let printed = printed.join(" : ");
        match language {
            Language::English => format!("{printed} ({row}; {games} games)"),
            Language::Japanese => format!("{printed}（{row}、{games} 局）"),
        }
    };
    let all: Vec<String> = table.misprints.iter().map(one).collect();
    (!all.is_empty()).then(|| match language {
        Language::English => format!("No games can give what is printed here: {}.", all.join(", ")),
        Language::Japanese => {
            format!("印刷された次の値は、どのような対局からも得られない：{}。", all.join("、"))
        }
    })
}

/// What the words of verdicts mean.
pub(crate) fn meaning(language: Language) -> &'static str {
    language.say(
        "A published number is inside if it lies where 95 of 100 samples of the paper's own size would fall, given our games; \
         outside, it differs. Inside it agrees if a number that is off by two published standard errors (at least one point of a rate, \
         at most ten) would rather lie outside; if not, the games, the paper's or ours, are too few. Both sides' scores of the same games \
         count as one quantity, sums as none; other numbers of the same games count as independent, which they are not quite.",
        "公表値は、こちらの対局結果から見て、論文と同じ対局数の標本が 100 回中 95 回収まる範囲にあれば「範囲内」、なければ「相違」とする。\
         範囲内の値は、公表値の標準誤差 2 つ分（勝率で 1 ポイント以上、10 ポイント以下）ずれた値なら範囲外になりやすいときに限り「一致」とし、\
         そうでなければ論文か本報告の「対局不足」とする。同じ対局の両者の得点は一つの量と数え、合計は数えない。同じ対局から得たほかの数値どうしは独立とみなすが、厳密ではない。",
    )
}

/// What z and the verdicts on tables mean.
pub(crate) fn meaning_of_tables(language: Language) -> [&'static str; 2] {
    match language {
        Language::English => [
            "z is how far a published number is from ours, in standard errors of the difference: beyond 2 once in twenty times by chance, \
             beyond 4 hardly ever. |z| is its size without the sign, Σz² the sum of its squares over a table.",
            "A table is reproduced if our games are as many as the paper's, none of its numbers is clearly off, all of them together are not \
             (the smallest p by Holm's correction for many tests, and Σz², 5 % each), and the games could have shown a difference. \
             Otherwise it differs, or the games are too few.",
        ],
        Language::Japanese => [
            "z は公表値とこちらの値の隔たりを差の標準誤差で測ったもの。偶然で 2 を超えるのは 20 回に 1 回ほど、4 を超えることはほとんどない。\
             |z| はその絶対値、Σz² は表全体の二乗和である。",
            "表は、対局数が論文以上で、個々の数値にも全体にも明らかなずれがなく（多重検定の Holm 補正による最小の p と Σz²、各 5 %）、\
             対局にずれを見分ける力があるとき「再現」とする。そうでなければ「相違」か「対局不足」である。",
        ],
    }
}

/// How many published numbers agree, and what that means; `None` where there was nothing to compare.
fn summary(report: &Report) -> Option<String> {
    let claims = claims_of(report.claims(), Language::English);
    (report.counts.compared > 0).then(|| {
        let largest = TableVerdict::of(&report.tables).map_or(0.0, |verdict| verdict.largest_z);
        let printed = Counts::printed(&report.tables);
        let counts = counts_of(&report.counts, printed, largest, Language::English);
        format!("In all tables together: {counts} {}{claims}", meaning(Language::English))
    })
}

/// A table with a line a number and a remark a test; `folder` is where the files of games are, to link there.
pub(crate) fn table_of(table: &TableReport, tongue: Tongue<'_>, folder: Option<&str>) -> Table {
    // A table without a published number needs no columns to compare with one.
    let is_compared = |row: &RowReport| {
        row.cells.iter().any(|cell| cell.published.is_some())
            || row.tests.iter().any(|test| test.claim.is_some())
    };
    let compares = table.rows.iter().any(is_compared);
    let columns = [
        ("", ColumnKind::Words),
        ("", ColumnKind::Words),
        (tongue.say("paper", "論文"), ColumnKind::Number),
        (tongue.say("ours", "本報告"), ColumnKind::Number),
        (tongue.say("95 % interval", "95 % 区間"), ColumnKind::Interval),
        ("n", ColumnKind::Number),
        (tongue.say("expected", "期待範囲"), ColumnKind::Extra),
        (tongue.say("verdict", "判定"), ColumnKind::Words),
    ];
    let is_shown = |i: usize| compares || ![2, 6, 7].contains(&i);
    let kind = if compares { TableKind::Compared } else { TableKind::Measured };
    let mut out = Table::new(kind, columns);
    out.columns = shown(out.columns, is_shown);
    for row in &table.rows {
        let mut label = tongue.of(&row.label);
        for cell in &row.cells {
            let first = if label.is_empty() { RowKind::Plain } else { RowKind::First };
            out.push(first, shown(cells_of(label, cell, tongue, folder).into(), is_shown));
            label = "";
        }
        for test in &row.tests {
            out.push(RowKind::Remark, shown(remark(label, test, tongue).into(), is_shown));
            label = "";
        }
    }
    out
}

/// The entries whose places are shown.
fn shown<T>(all: Vec<T>, is_shown: impl Fn(usize) -> bool) -> Vec<T> {
    all.into_iter().enumerate().filter(|(i, _)| is_shown(*i)).map(|(_, entry)| entry).collect()
}

/// Digits after the point: one more than the paper printed, three where it printed none.
fn decimals(cell: &CellReport) -> usize {
    match &cell.published {
        Some(text) if !text.contains('/') => {
            text.split_once('.').map_or(0, |(_, digits)| digits.len()) + 1
        }
        _ => 3,
    }
}

fn cells_of(row: &str, cell: &CellReport, tongue: Tongue<'_>, folder: Option<&str>) -> [Cell; 8] {
    let digits = decimals(cell);
    let to = tongue.say("to", "～");
    let range = |low: f64, high: f64| format!("{low:.digits$} {to} {high:.digits$}");
    let ours = cell.ours.as_ref();
    let n = ours.map_or(0, |ours| ours.n).to_string();
    let n = match folder.filter(|_| ours.is_some()) {
        None => Text::from(n),
        Some(folder) => Text::from(Span::Link {
            text: n,
            // Of a pool of matches, the first.
            to: format!("{folder}/{}.jsonl", cell.the_match.split('+').next().unwrap_or_default()),
            title: [vec![cell.the_match.clone(), cell.value.clone()], cell.filters.clone()]
                .concat()
                .join(", "),
        }),
    };
    [
        row.into(),
        tongue.of(&cell.label).into(),
        cell.published.as_deref().map_or_else(Text::default, published).into(),
        ours.map_or("–".to_owned(), |ours| format!("{:.digits$}", ours.value)).into(),
        ours.and_then(|o| o.interval).map_or(String::new(), |i| range(i.low, i.high)).into(),
        n.into(),
        cell.expected.map_or(String::new(), |e| range(e.low, e.high)).into(),
        cell.verdict.map_or_else(Cell::default, |verdict| judged(verdict, tongue)),
    ]
}

fn judged(verdict: Verdict, tongue: Tongue<'_>) -> Cell {
    let (emphasis, word) = match verdict {
        Verdict::Agrees => (Emphasis::Good, tongue.say("agrees", "一致")),
        Verdict::Differs => (Emphasis::Bad, tongue.say("differs", "相違")),
        Verdict::TooFewGames => (Emphasis::Open, tongue.say("too few games", "対局不足")),
        Verdict::Open => (Emphasis::Open, tongue.say("not run", "未対局")),
    };
    Cell::about(emphasis, word)
}

/// A published number as printed; a count with the rate it stands for.
fn published(text: &str) -> Text {
    match published_value(text).filter(|_| text.contains('/')) {
        Some(rate) => Text::from(format!("{rate:.3} ")).and(Span::Aside(format!("({text})"))),
        None => text.into(),
    }
}

fn remark(row: &str, test: &TestReport, tongue: Tongue<'_>) -> [Cell; 8] {
    let (statistic, p) = match (test.statistic, test.p) {
        (Some(statistic), Some(p)) => {
            let df = test.df.map_or(String::new(), |df| format!(", df {df:.0}"));
            let holm = test.p_holm.map_or(String::new(), |p| format!(", Holm {}", p_value(p)));
            (format!("{statistic:.2}{df}"), format!("p {}{holm}", p_value(p)))
        }
        _ => (tongue.say("too few games", "対局が足りない").to_owned(), String::new()),
    };
    let claimed = test.claim.map_or(String::new(), |claim| format!("p < {}", claim.level));
    let verdict = match test.claim.and_then(|claim| claim.holds) {
        Some(true) => judged(Verdict::Agrees, tongue),
        Some(false) => Cell::about(Emphasis::Bad, tongue.say("not significant", "有意でない")),
        None => Cell::default(),
    };
    let [none, after] = [const { String::new() }; 2];
    [
        row.into(),
        tongue.of(&test.label).into(),
        claimed.into(),
        statistic.into(),
        p.into(),
        none.into(),
        after.into(),
        verdict,
    ]
}

/// p as people read it.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("= {p:.4}") }
}
