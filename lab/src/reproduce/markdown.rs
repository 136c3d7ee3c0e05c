use super::html::{status_name, test_text};
use super::prose::prose;
use super::words::Language;
use super::{ExperimentReport, Reproduction, StudyReport, slug};
use crate::{CellReport, TableReport, Verdict};
use std::fmt::Write as _;

impl Reproduction {
    /// The report as Markdown; figures are links to their files.
    pub(super) fn to_markdown(&self, language: Language) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "# {}\n", self.title(language));
        let _ = writeln!(
            text,
            "| {} | {} | {} |\n|---|---:|---:|",
            language.say("paper", "論文"),
            language.say("numbers compared", "比べた数値"),
            language.say("agree", "一致")
        );
        for paper in &self.papers {
            let _ = writeln!(
                text,
                "| [{}](#{}) | {} | {} |",
                bar_free(language.pick(&paper.title)),
                slug(&paper.id),
                paper.compared,
                paper.agree
            );
        }
        for league in &self.leagues {
            let _ = writeln!(
                text,
                "\n## {}: {}\n\n| {} | Elo | 95 % |\n|---|---:|---:|",
                language.say("League", "リーグ戦"),
                league.game,
                language.say("agent", "エージェント")
            );
            let players = &league.table.ratings.players;
            let mut order: Vec<usize> = (0..players.len()).collect();
            order.sort_by(|&i, &j| players[j].elo.total_cmp(&players[i].elo));
            for i in order {
                let p = &players[i];
                let (low, high) = (p.interval.low, p.interval.high);
                let agent = bar_free(&league.table.agents[i]);
                let _ = writeln!(text, "| {agent} | {:+.0} | {low:+.0} – {high:+.0} |", p.elo);
            }
            let _ = writeln!(text, "\n`{}`", league.command);
        }
        for paper in &self.papers {
            study(&mut text, paper, language);
        }
        let _ = writeln!(
            text,
            "\n## {}\n",
            language.say("Where the numbers come from", "数値の出どころ")
        );
        for e in self.papers.iter().flat_map(|paper| &paper.experiments) {
            let _ = writeln!(
                text,
                "- `{}` → `{}` (seed {}, {} {})",
                e.command, e.folder, e.seed, e.version, e.commit
            );
        }
        for s in &self.sessions {
            let _ = writeln!(
                text,
                "- {}: {} s, {} {}, {}, {} {}, {} {}",
                s.began,
                s.seconds,
                s.games,
                language.say("games", "局"),
                s.machine,
                s.threads,
                language.say("threads", "スレッド"),
                s.version,
                s.commit
            );
        }
        text
    }
}

fn study(text: &mut String, study: &StudyReport, language: Language) {
    let _ = writeln!(
        text,
        "\n<a id=\"{}\"></a>\n\n# {}\n",
        slug(&study.id),
        language.pick(&study.title)
    );
    if let Some(source) = &study.source {
        let _ = writeln!(text, "{}\n", language.pick(source));
    }
    let said = prose(&study.id, language);
    if let Some(said) = &said {
        let _ = writeln!(text, "{}", said.before);
    }
    for experiment in &study.experiments {
        tables(text, experiment, language);
    }
    if let Some(said) = &said {
        let _ = writeln!(text, "\n{}", said.after);
    }
    if !study.items.is_empty() {
        let _ = writeln!(
            text,
            "\n## {}\n\n| | | |\n|---|---|---|",
            language.say("Every table and figure", "表と図のすべて")
        );
        for item in &study.items {
            let why = item.why.as_ref().map_or("", |why| language.pick(why));
            let _ = writeln!(
                text,
                "| {}: {} | {} | {} |",
                item.item,
                bar_free(language.pick(&item.title)),
                status_name(item.status, language),
                bar_free(why)
            );
        }
    }
}

fn tables(text: &mut String, experiment: &ExperimentReport, language: Language) {
    for table in &experiment.report.tables {
        grid(text, table, language);
    }
    for figure in experiment.report.figures.iter().filter(|figure| !figure.is_empty()) {
        let _ = writeln!(
            text,
            "\n![{} {}: {}](figures/{}/{}-figure-{}.svg)",
            language.say("Figure", "図"),
            figure.id,
            language.of(&figure.title),
            language.code(),
            slug(&experiment.report.id),
            slug(&figure.id)
        );
    }
    for note in &experiment.report.notes {
        let _ = writeln!(text, "\n{}", language.of(note));
    }
}

fn grid(text: &mut String, table: &TableReport, language: Language) {
    let _ = writeln!(
        text,
        "\n## {} {}. {}\n\n| | | {} | {} | 95 % | n | {} |\n|---|---|---:|---:|---:|---:|---|",
        language.say("Table", "表"),
        table.id,
        language.of(&table.title),
        language.say("paper", "論文"),
        language.say("ours", "本報告"),
        language.say("verdict", "判定"),
    );
    for row in &table.rows {
        for (i, cell) in row.cells.iter().enumerate() {
            let label = if i == 0 { language.of(&row.label) } else { "" };
            line(text, label, cell, language);
        }
        for test in &row.tests {
            let label = if row.cells.is_empty() { language.of(&row.label) } else { "" };
            let what = test_text(test, language).replace("&lt;", "<");
            let _ = writeln!(
                text,
                "| {} | {}: {what} | | | | | |",
                bar_free(label),
                bar_free(language.of(&test.label))
            );
        }
    }
    for note in &table.notes {
        let _ = writeln!(text, "\n{}", language.of(note));
    }
}

fn line(text: &mut String, row: &str, cell: &CellReport, language: Language) {
    let digits = cell.decimals();
    let ours = cell.ours.as_ref();
    let verdict = match cell.verdict {
        Some(Verdict::Agrees) => language.say("agrees", "一致"),
        Some(Verdict::Differs) => language.say("**differs**", "**相違**"),
        Some(Verdict::Open) => language.say("not run", "未対局"),
        None => "",
    };
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {} | {} | {verdict} |",
        bar_free(row),
        bar_free(language.of(&cell.label)),
        cell.published.as_deref().unwrap_or(""),
        ours.map_or("–".to_owned(), |o| format!("{:.digits$}", o.value)),
        ours.and_then(|o| o.interval)
            .map_or(String::new(), |i| format!("{:.digits$} – {:.digits$}", i.low, i.high)),
        ours.map_or(0, |o| o.n),
    );
}

/// A text that does not end its cell.
fn bar_free(text: &str) -> String {
    text.replace('|', "\\|")
}
