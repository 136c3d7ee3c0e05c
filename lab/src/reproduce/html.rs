use super::charts::{figure_note, of_figure, of_table};
use super::prose::{inline, prose, to_html};
use super::words::Language;
use super::{
    ExperimentReport, ItemReport, LeagueReport, Paper, Reproduction, Status, StudyReport, slug,
};
use crate::experiment::{Published, p_value};
use crate::plot::{Chart, Dot, Frame, Marks, STYLE, escape};
use crate::{CellReport, FigureReport, TableReport, TestReport, Verdict};
use std::fmt::Write as _;

/// A page in the making.
struct Page {
    language: Language,
    html: String,
}

impl Reproduction {
    /// The report as one page that needs nothing else; `other` is the page in the other language.
    pub(super) fn to_html(&self, language: Language, other: &str) -> String {
        let mut page = Page { language, html: String::new() };
        page.head(self, other);
        page.glance(self);
        page.leagues(&self.leagues);
        page.throughput(self);
        for paper in &self.papers {
            page.study(paper);
        }
        page.foot(self);
        page.html
    }
}

impl Page {
    fn say<'a>(&self, english: &'a str, japanese: &'a str) -> &'a str {
        self.language.say(english, japanese)
    }

    fn push(&mut self, html: &str) {
        self.html.push_str(html);
        self.html.push('\n');
    }

    fn head(&mut self, all: &Reproduction, other: &str) {
        let title = all.title(self.language);
        let lead = if all.is_whole() {
            self.say(
                "Every table and figure of five papers on games in which nobody sees everything: the published numbers beside \
                 those of our own games, with their uncertainty and a verdict.",
                "不完全情報ゲームを扱った五本の論文のすべての表と図について、公表された数値と、実際に対局して得た数値を、\
                 不確かさと判定を添えて並べる。",
            )
        } else {
            self.say(
                "Published numbers beside those of our own games, with their uncertainty and a verdict.",
                "公表された数値と、実際に対局して得た数値を、不確かさと判定を添えて並べる。",
            )
        };
        let games: u64 = all.sessions.iter().map(|session| session.games).sum();
        let scale = match self.language {
            Language::English => format!("Scale <code>{}</code>, {games} games played.", all.scale),
            Language::Japanese => format!("規模 <code>{}</code>、対局数 {games}。", all.scale),
        };
        let code = self.language.code();
        let link = self.say("日本語", "English");
        let links: Vec<String> = all
            .papers
            .iter()
            .map(|p| format!("<a href=\"#{}\">{}</a>", slug(&p.id), escape(&p.id)))
            .collect();
        let links = links.concat();
        self.push(&format!(
            "<!doctype html>\n<html lang=\"{code}\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <title>Oboro 朧: {title}</title>\n<style>{}{STYLE}</style></head><body>\n\
             <header><p class=\"mark\">朧 Oboro</p><h1>{title}</h1><p class=\"lead\">{lead}</p><p>{scale}</p>\n\
             <nav>{links}<a href=\"{other}\">{link}</a></nav></header><main>",
            include_str!("style.css")
        ));
    }

    fn glance(&mut self, all: &Reproduction) {
        self.push(&format!("<h2 id=\"glance\">{}</h2>", self.say("At a glance", "一覧")));
        self.push(self.say(
            "<p>A published number agrees if it lies where 95 of 100 samples of the paper's own size would fall, given our games: \
             so about one in twenty differs even where everything is the same. A table counts as reproduced if no more of its \
             numbers differ than chance explains (p ≥ 0.05).</p>",
            "<p>公表値は、こちらの対局結果から見て、論文と同じ対局数の標本が 100 回中 95 回収まる範囲にあれば「一致」とする。\
             すべてが同じでも 20 個に 1 個は外れる。外れた個数が偶然で説明できる表（p ≥ 0.05）を「再現」とする。</p>",
        ));
        self.push("<div class=\"cards\">");
        for paper in &all.papers {
            self.card(paper);
        }
        self.push("</div>");
    }

    fn card(&mut self, paper: &StudyReport) {
        let language = self.language;
        let source = paper.source.as_ref().map_or("", |source| language.pick(source));
        let numbers = if paper.compared == 0 {
            format!("<p class=\"soft\">{}</p>", self.say("not run yet", "まだ対局していない"))
        } else {
            let share = 100.0 * paper.agree as f64 / paper.compared as f64;
            let text = match language {
                Language::English => format!("of {} numbers agree", paper.compared),
                Language::Japanese => format!("／ {} 個の数値が一致", paper.compared),
            };
            format!(
                "<p><span class=\"number\">{}</span> {text}</p><div class=\"bar\"><i style=\"width:{share:.2}%\"></i><b style=\"width:{:.2}%\"></b></div>",
                paper.agree,
                100.0 - share
            )
        };
        let counts: Vec<String> = STATUSES
            .into_iter()
            .filter_map(|status| {
                let count = paper.items.iter().filter(|item| item.status == status).count();
                (count > 0).then(|| format!("{} {count}", status_name(status, language)))
            })
            .collect();
        let what = self.say("Tables and figures: ", "表と図：");
        let items = if counts.is_empty() {
            String::new()
        } else {
            format!("<p class=\"small soft\">{what}{}</p>", counts.join(self.say(", ", "、")))
        };
        self.push(&format!(
            "<div class=\"card\"><h3><a href=\"#{}\">{}</a></h3><p class=\"small soft\">{}</p>{numbers}{items}</div>",
            slug(&paper.id),
            escape(language.pick(&paper.title)),
            escape(source),
        ));
    }

    fn leagues(&mut self, leagues: &[LeagueReport]) {
        if leagues.is_empty() {
            return;
        }
        self.push(&format!("<h2 id=\"leagues\">{}</h2>", self.say("Leagues", "リーグ戦")));
        self.push(self.say(
            "<p>Everyone against everyone, each deal in all rotations of the seats. Ratings are Bradley–Terry in Elo points, mean 0, \
             with their 95 % intervals.</p>",
            "<p>総当たり。同じ配り方を席を入れ替えてすべて対局する。レーティングは Bradley–Terry モデルを Elo 点で表し、平均を 0 とする。線は 95 % 区間。</p>",
        ));
        for league in leagues {
            let players = &league.table.ratings.players;
            let mut order: Vec<usize> = (0..players.len()).collect();
            order.sort_by(|&i, &j| players[j].elo.total_cmp(&players[i].elo));
            let rows = order.iter().map(|&i| Dot {
                label: league.table.agents[i].clone(),
                ours: Some(players[i].elo),
                interval: Some(players[i].interval),
                published: None,
            });
            let chart = Chart {
                title: game_name(&league.game, self.language).to_owned(),
                x: "Elo".to_owned(),
                y: String::new(),
                marks: Marks::Dots { rows: rows.collect() },
            };
            let caveat = if league.table.ratings.identifiable {
                ""
            } else {
                self.say(
                    " Some agent never lost or never won a point: gaps to it are lower bounds.",
                    " 一度も負けない、または一度も勝たないエージェントがあり、その差は下限である。",
                )
            };
            let note = match self.language {
                Language::English => format!("{} games a pairing.", league.games),
                Language::Japanese => format!("1 組 {} 局。", league.games),
            };
            self.push(&format!(
                "<figure><h4>{}</h4>{}<figcaption>{note}{caveat} <code>{}</code></figcaption></figure>",
                escape(game_name(&league.game, self.language)),
                chart.svg(Frame::Page),
                escape(&league.command),
            ));
        }
    }

    fn throughput(&mut self, all: &Reproduction) {
        if all.throughput.is_empty() {
            return;
        }
        self.push(&format!("<h2 id=\"throughput\">{}</h2>", self.say("Throughput", "処理速度")));
        self.push(self.say(
            "<p>On one core of the machine that played, best of a few runs. <code>oboro bench</code> measures it again.</p>",
            "<p>対局したマシンの 1 コアで、数回のうち最速のもの。<code>oboro bench</code> で測り直せる。</p>",
        ));
        let head = format!(
            "<div class=\"scroll\"><table><tr><th>{}</th><th>{}</th><th class=\"n\">{}</th></tr>",
            self.say("game", "ゲーム"),
            self.say("work", "処理"),
            self.say("a second", "毎秒"),
        );
        self.push(&head);
        for line in &all.throughput {
            self.push(&format!(
                "<tr><td>{}</td><td>{}</td><td class=\"n\">{} {}</td></tr>",
                escape(game_name(&line.game, self.language)),
                escape(&line.work),
                grouped(line.per_second),
                escape(&line.unit)
            ));
        }
        self.push("</table></div>");
    }

    fn study(&mut self, study: &StudyReport) {
        let language = self.language;
        self.push(&format!(
            "<h2 class=\"paper\" id=\"{}\">{}</h2>",
            slug(&study.id),
            escape(language.pick(&study.title))
        ));
        if let Some(source) = &study.source {
            self.push(&format!("<p class=\"soft\">{}</p>", escape(language.pick(source))));
        }
        let said = prose(&study.id, language);
        if let Some(said) = &said {
            self.push(&to_html(said.before));
        }
        let paper = Paper::all().iter().find(|paper| paper.id == study.id);
        for experiment in &study.experiments {
            let own = experiment.report.id == study.id;
            if own {
                self.push(&format!("<h3>{}</h3>", self.say("Tables and figures", "表と図")));
                self.experiment(experiment, study, paper);
            } else {
                self.push(&format!(
                    "<details><summary>{}</summary>",
                    escape(language.of(&experiment.report.title))
                ));
                self.experiment(experiment, study, paper);
                self.push("</details>");
            }
        }
        if study.experiments.is_empty() {
            self.push(self.say(
                "<p class=\"soft\">This version has no experiment for this paper yet.</p>",
                "<p class=\"soft\">この版にはまだこの論文の実験がない。</p>",
            ));
        }
        self.outside(study);
        if let Some(said) = &said {
            self.push(&to_html(said.after));
        }
        self.items(study);
    }

    fn experiment(
        &mut self,
        experiment: &ExperimentReport,
        study: &StudyReport,
        paper: Option<&Paper>,
    ) {
        let language = self.language;
        for table in &experiment.report.tables {
            let printed = paper.is_none_or(|paper| paper.has_table(&table.id));
            let item = study.items.iter().find(|item| item.item == format!("Table {}", table.id));
            self.table(table, &experiment.folder, printed, item.map(|item| item.status));
        }
        let figures: Vec<&FigureReport> = experiment.report.figures.iter().collect();
        if !figures.is_empty() {
            self.push("<div class=\"figures\">");
            for figure in figures {
                self.figure(figure);
            }
            self.push("</div>");
        }
        if !experiment.report.notes.is_empty() {
            let notes = experiment.report.notes.iter();
            let notes: Vec<String> =
                notes.map(|note| format!("<li>{}</li>", inline(language.of(note)))).collect();
            self.push(&format!("<ul class=\"small soft\">{}</ul>", notes.concat()));
        }
    }

    fn table(&mut self, table: &TableReport, folder: &str, printed: bool, status: Option<Status>) {
        let language = self.language;
        let name = if printed {
            format!("{} {}. ", self.say("Table", "表"), table.id)
        } else {
            String::new()
        };
        let tag = match status {
            Some(status) => format!(
                "<span class=\"tag {}\">{}</span>",
                status_class(status),
                status_name(status, language)
            ),
            None if printed => String::new(),
            None => format!("<span class=\"tag soft\">{}</span>", self.say("ours", "追加")),
        };
        self.push(&format!("<h4>{}{}{tag}</h4>", escape(&name), escape(language.of(&table.title))));
        for chart in of_table(table, language) {
            let caption = self.say(
                "Ours: dot with its 95 % interval. Published: diamond.",
                "点と線：こちらの値と 95 % 区間。菱形：公表値。",
            );
            let svg = chart.svg(Frame::Page);
            self.push(&format!("<figure>{svg}<figcaption>{caption}</figcaption></figure>"));
        }
        // A table without a published number needs no columns to compare with one.
        let compares =
            table.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.published.is_some());
        let heads = [
            ("", "", true),
            ("", "", true),
            (self.say("paper", "論文"), "n", compares),
            (self.say("ours", "本報告"), "n", true),
            (self.say("95 % interval", "95 % 区間"), "n interval", true),
            ("n", "n", true),
            (self.say("expected", "期待範囲"), "n wide-only", compares),
            (self.say("verdict", "判定"), "", compares),
        ];
        let heads = heads.into_iter().filter(|(.., is_shown)| *is_shown);
        let heads: String =
            heads.map(|(text, class, _)| format!("<th class=\"{class}\">{text}</th>")).collect();
        let kind = if compares { "cells" } else { "cells plain" };
        self.push(&format!(
            "<div class=\"scroll\"><table class=\"{kind}\"><thead><tr>{heads}</tr></thead>"
        ));
        for row in &table.rows {
            for (i, cell) in row.cells.iter().enumerate() {
                let label = if i == 0 { language.of(&row.label) } else { "" };
                let compared = if compares { Some(comparison(cell, language)) } else { None };
                self.cell(label, cell, compared, folder, i == 0);
            }
            for (i, test) in row.tests.iter().enumerate() {
                let label =
                    if i == 0 && row.cells.is_empty() { language.of(&row.label) } else { "" };
                let line = format!(
                    "<tr class=\"test\"><td>{}</td><td colspan=\"{}\">{}: {}</td></tr>",
                    escape(label),
                    if compares { 7 } else { 4 },
                    escape(language.of(&test.label)),
                    test_text(test, language)
                );
                self.push(&line);
            }
        }
        self.push("</table></div>");
        for note in &table.notes {
            self.push(&format!("<p class=\"small soft\">{}</p>", inline(language.of(note))));
        }
    }

    fn cell(
        &mut self,
        row: &str,
        cell: &CellReport,
        compared: Option<[String; 2]>,
        folder: &str,
        first: bool,
    ) {
        let language = self.language;
        let ours = cell.ours.as_ref();
        let source = [vec![cell.value.clone()], cell.filters.clone()].concat().join(", ");
        let [paper, verdict] = compared.unwrap_or_default();
        let count = ours.map_or("0".to_owned(), |ours| {
            format!(
                "<a href=\"{}\" title=\"{}\">{}</a>",
                escape(&format!("{folder}/{}.jsonl", cell.contest)),
                escape(&source),
                ours.n
            )
        });
        let line = format!(
            "<tr{}><td>{}</td><td>{}</td>{paper}<td class=\"n\">{}</td><td class=\"n interval\">{}</td>\
             <td class=\"n\">{count}</td>{verdict}</tr>",
            if first { " class=\"row\"" } else { "" },
            escape(row),
            escape(language.of(&cell.label)),
            ours.map_or("–".to_owned(), |o| number(cell, o.value)),
            ours.and_then(|o| o.interval).map_or(String::new(), |i| range(cell, i.low, i.high)),
        );
        self.push(&line);
    }

    fn figure(&mut self, figure: &FigureReport) {
        let language = self.language;
        let name = format!("{} {}", self.say("Figure", "図"), figure.id);
        let title = escape(language.of(&figure.title));
        let Some(chart) = of_figure(figure, language) else {
            let why = self.say("not run at this scale", "この規模では未実行");
            self.push(&format!(
                "<figure><figcaption><b>{}</b> {title}: {why}</figcaption></figure>",
                escape(&name)
            ));
            return;
        };
        let wide = if matches!(chart.marks, Marks::Lines { .. }) { " class=\"wide\"" } else { "" };
        self.push(&format!(
            "<figure{wide}>{}<figcaption><b>{}</b> {title}{}</figcaption></figure>",
            chart.svg(Frame::Page),
            escape(&name),
            escape(&figure_note(figure).map_or_else(String::new, |note| format!(" · {note}")))
        ));
    }

    /// The numbers of the paper's own tables that differ, in one place.
    fn outside(&mut self, study: &StudyReport) {
        if study.compared == 0 {
            return;
        }
        let language = self.language;
        let summary = match language {
            Language::English => format!(
                "Of the {} published numbers compared, {} agree; {:.1} would differ by chance alone.",
                study.compared,
                study.agree,
                study.compared as f64 * 0.05
            ),
            Language::Japanese => format!(
                "比べた公表値 {} 個のうち {} 個が一致した。偶然だけでも {:.1} 個は外れる見込みである。",
                study.compared,
                study.agree,
                study.compared as f64 * 0.05
            ),
        };
        self.push(&format!("<h3>{}</h3><p>{summary}</p>", self.say("The count", "集計")));
    }

    fn items(&mut self, study: &StudyReport) {
        if study.items.is_empty() {
            return;
        }
        let summary = match self.language {
            Language::English => {
                format!(
                    "All {} tables and figures of the paper, and what became of each",
                    study.items.len()
                )
            }
            Language::Japanese => format!("論文の表と図 {} 点すべてとその扱い", study.items.len()),
        };
        self.push(&format!("<details><summary>{summary}</summary><div class=\"scroll\"><table>"));
        for item in &study.items {
            self.item(item);
        }
        self.push("</table></div></details>");
    }

    fn item(&mut self, item: &ItemReport) {
        let language = self.language;
        let name = item
            .item
            .replace("Table", self.say("Table", "表"))
            .replace("Figure", self.say("Figure", "図"));
        let counts = if item.compared > 0 {
            format!(" {}/{}", item.agree, item.compared)
        } else {
            String::new()
        };
        let why = item.why.as_ref().map_or("", |why| language.pick(why));
        let line = format!(
            "<tr><td style=\"white-space:nowrap\">{}</td><td>{}</td><td class=\"{}\">{}{counts}</td><td class=\"soft\">{}</td></tr>",
            escape(&name),
            escape(language.pick(&item.title)),
            status_class(item.status),
            status_name(item.status, language),
            escape(why)
        );
        self.push(&line);
    }

    fn foot(&mut self, all: &Reproduction) {
        let intro = self.say(
            "Every number above comes from a file of games: the link on its n leads there, and its title says what was measured. \
             The same results give this report again, byte for byte. To play one experiment alone:",
            "上の数値はすべて対局ファイルから計算した。n のリンクがそのファイルで、題名が測った量を示す。\
             同じ結果からは同じ報告がバイト単位で再び得られる。実験を一つだけ対局するには：",
        );
        self.push(&format!(
            "</main><footer><h3>{}</h3><p>{intro}</p><div class=\"scroll\"><table>",
            self.say("Where the numbers come from", "数値の出どころ")
        ));
        self.push(&format!(
            "<tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr>",
            self.say("command", "コマンド"),
            self.say("results", "結果"),
            self.say("seed", "シード"),
            self.say("version", "版"),
        ));
        for e in all.papers.iter().flat_map(|paper| &paper.experiments) {
            self.push(&format!(
                "<tr><td><code>{}</code></td><td><a href=\"{folder}/manifest.json\">{folder}</a></td><td>{}</td><td>{} {}</td></tr>",
                escape(&e.command),
                escape(&e.seed),
                escape(&e.version),
                escape(&e.commit),
                folder = escape(&e.folder),
            ));
        }
        self.push("</table></div>");
        if !all.sessions.is_empty() {
            self.push(&format!(
                "<h3>{}</h3><div class=\"scroll\"><table><tr><th>{}</th><th class=\"n\">{}</th><th class=\"n\">{}</th><th>{}</th><th>{}</th></tr>",
                self.say("When and where it was played", "いつ、どこで対局したか"),
                self.say("began (UTC)", "開始（UTC）"),
                self.say("seconds", "秒"),
                self.say("games", "対局数"),
                self.say("machine", "マシン"),
                self.say("version", "版"),
            ));
            for s in &all.sessions {
                self.push(&format!(
                    "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}, {}</td><td>{} {}</td></tr>",
                    escape(&s.began),
                    s.seconds,
                    s.games,
                    escape(&s.machine),
                    match self.language {
                        Language::English => format!("{} threads", s.threads),
                        Language::Japanese => format!("{} スレッド", s.threads),
                    },
                    escape(&s.version),
                    escape(&s.commit),
                ));
            }
            self.push("</table></div>");
        }
        self.push("</footer></body></html>");
    }
}

const STATUSES: [Status; 5] =
    [Status::Reproduced, Status::Redrawn, Status::Differs, Status::NotRun, Status::NotReproducible];

pub(super) fn status_name(status: Status, language: Language) -> &'static str {
    match status {
        Status::Reproduced => language.say("reproduced", "再現"),
        Status::Redrawn => language.say("redrawn", "再作図"),
        Status::Differs => language.say("differs", "相違"),
        Status::NotRun => language.say("not run at this scale", "この規模では未実行"),
        Status::NotReproducible => language.say("not reproducible", "再現対象外"),
    }
}

fn status_class(status: Status) -> &'static str {
    match status {
        Status::Reproduced | Status::Redrawn => "agrees",
        Status::Differs => "differs",
        Status::NotRun | Status::NotReproducible => "open",
    }
}

fn game_name(game: &str, language: Language) -> &str {
    match game {
        "geister" => language.say("Geister", "ガイスター"),
        "labyrinth" => language.say("Labyrinth", "ラビリンス"),
        "saboteur" => language.say("Saboteur", "お邪魔者"),
        "sevens" => language.say("Sevens", "七並べ"),
        other => other,
    }
}

/// A number with as many digits as the cell has.
fn number(cell: &CellReport, value: f64) -> String {
    signed(&format!("{value:.*}", cell.decimals()))
}

fn range(cell: &CellReport, low: f64, high: f64) -> String {
    format!("{} – {}", number(cell, low), number(cell, high))
}

/// What a cell is compared with, before our own number, and how the comparison ends, after it.
fn comparison(cell: &CellReport, language: Language) -> [String; 2] {
    let paper = cell.published.as_deref().map_or_else(String::new, published);
    let expected = cell.expected.map_or(String::new(), |e| range(cell, e.low, e.high));
    let (class, verdict) = match cell.verdict {
        Some(Verdict::Agrees) => ("agrees", language.say("✓ agrees", "✓ 一致")),
        Some(Verdict::Differs) => ("differs", language.say("≠ differs", "≠ 相違")),
        Some(Verdict::Open) => ("open", language.say("– not run", "– 未対局")),
        None => ("", ""),
    };
    [
        format!("<td class=\"n\">{paper}</td>"),
        format!("<td class=\"n wide-only\">{expected}</td><td class=\"{class}\">{verdict}</td>"),
    ]
}

/// A test in words.
pub(super) fn test_text(test: &TestReport, language: Language) -> String {
    let (Some(statistic), Some(p)) = (test.statistic, test.p) else {
        return language.say("too few games", "対局が足りない").to_owned();
    };
    let mut text = signed(&format!("{statistic:.2}"));
    if let Some(df) = test.df {
        let _ = write!(text, ", df {df:.0}");
    }
    let _ = write!(text, ", p {}", escape(&p_value(p)));
    if let Some(corrected) = test.p_holm {
        let _ = write!(text, " (Holm {})", escape(&p_value(corrected)));
    }
    text
}

/// A published number as printed; a count with the rate it stands for.
fn published(text: &str) -> String {
    match Published::value_of(text).filter(|_| text.contains('/')) {
        Some(rate) => format!("{rate:.3} <small class=\"soft\">({})</small>", escape(text)),
        None => escape(text),
    }
}

/// A number with a proper minus sign.
fn signed(text: &str) -> String {
    text.replace('-', "−")
}

/// A large number in groups of three digits.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}
