//! A paper on the page: prose, tables, figures, and what became of everything it prints.

use crate::charts::{figure_note, of_figure, of_table};
use crate::document::{
    Block, Cell, ColumnKind, Figure, Heading, Mood, RowKind, Span, Table, TableKind, Text, Tone,
};
use crate::inference::inference_blocks;
use crate::paper::{ItemReport, Paper, Status};
use crate::reproduction::{ExperimentReport, StudyReport};
use crate::slug;
use crate::tables::table_of;
use crate::words::{Language, Tongue};
use oboro_lab::{FigureReport, TableReport};

/// Every status, the good ones first.
pub(crate) const STATUSES: [Status; 7] = [
    Status::Reproduced,
    Status::Redrawn,
    Status::Measured,
    Status::Differs,
    Status::TooFewGames,
    Status::NotRun,
    Status::NotReproducible,
];

pub(crate) fn status_name(status: Status, language: Language) -> &'static str {
    match status {
        Status::Reproduced => language.say("reproduced", "再現"),
        Status::Redrawn => language.say("redrawn", "再作図"),
        Status::Measured => language.say("measured", "測定"),
        Status::Differs => language.say("differs", "相違"),
        Status::TooFewGames => language.say("too few games", "対局不足"),
        Status::NotRun => language.say("not run at this scale", "この規模では未実行"),
        Status::NotReproducible => language.say("not reproducible", "再現対象外"),
    }
}

fn mood(status: Status) -> Mood {
    match status {
        Status::Reproduced | Status::Redrawn | Status::Measured => Mood::Good,
        Status::Differs => Mood::Bad,
        Status::TooFewGames | Status::NotRun | Status::NotReproducible => Mood::Open,
    }
}

/// All that is said of a paper.
pub(crate) fn study_blocks(study: &StudyReport, language: Language) -> Vec<Block> {
    let paper = Paper::named(&study.id);
    let page = StudyPage { study, paper, tongue: Tongue { language, paper } };
    let mut blocks = vec![Block::anchored(2, language.pick(&study.title), &slug(&study.id))];
    if let Some(source) = &study.source {
        blocks.push(Block::Paragraph(language.pick(source).into(), Tone::Soft));
    }
    let prose = paper.and_then(|paper| paper.prose(language));
    if let Some(prose) = &prose {
        blocks.extend(Block::prose(prose.before));
    }
    blocks.extend(page.experiments());
    blocks.extend(page.count());
    if let Some(inference) = paper.and_then(Paper::inference) {
        let title = language.say("What was inferred of its open choices", "未定の点についての推定");
        let inner = inference_blocks(&inference, language);
        blocks.push(Block::Details(title.into(), inner));
    }
    if let Some(prose) = &prose {
        blocks.extend(Block::prose(prose.after));
    }
    blocks.extend(page.items());
    blocks
}

struct StudyPage<'a> {
    study: &'a StudyReport,
    paper: Option<&'a Paper>,
    tongue: Tongue<'a>,
}

impl<'a> StudyPage<'a> {
    fn say<'b>(&self, english: &'b str, japanese: &'b str) -> &'b str {
        self.tongue.say(english, japanese)
    }

    fn experiments(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for experiment in &self.study.experiments {
            let inner = self.experiment(experiment);
            if experiment.report.id == self.study.id {
                let heading = self.say("Tables and figures", "表と図");
                blocks.push(Block::heading(3, heading));
                blocks.extend(inner);
            } else {
                let title = self.tongue.of(&experiment.report.title);
                blocks.push(Block::Details(title.into(), inner));
            }
        }
        if blocks.is_empty() {
            let none = self.say(
                "This version has no experiment for this paper yet.",
                "この版にはまだこの論文の実験がない。",
            );
            blocks.push(Block::Paragraph(none.into(), Tone::Soft));
        }
        blocks
    }

    fn experiment(&self, experiment: &'a ExperimentReport) -> Vec<Block> {
        let report = &experiment.report;
        let tables = report.tables.iter().flat_map(|table| self.table(table, experiment));
        let mut blocks: Vec<Block> = tables.collect();
        let figures: Vec<Figure> =
            report.figures.iter().map(|figure| self.figure(figure, &report.id)).collect();
        if !figures.is_empty() {
            blocks.push(Block::Gallery(figures));
        }
        if !report.notes.is_empty() {
            let notes = report.notes.iter().map(|note| Text::parse(self.tongue.of(note)));
            blocks.push(Block::List(notes.collect(), Tone::Small));
        }
        blocks
    }

    fn table(&self, table: &'a TableReport, experiment: &ExperimentReport) -> Vec<Block> {
        let is_printed = self.paper.is_none_or(|paper| paper.has_table(&table.id));
        let title = self.tongue.of(&table.title);
        let text = if is_printed {
            format!("{} {}. {title}", self.say("Table", "表"), table.id)
        } else {
            title.to_owned()
        };
        let name = [format!("Table {}", table.id), format!("Section {}", table.id)];
        let item = self.study.items.iter().find(|item| name.contains(&item.item));
        let tag = match item.map(|item| item.status) {
            Some(status) => {
                let word = status_name(status, self.tongue.language);
                Some((word.to_owned(), mood(status)))
            }
            None if is_printed => None,
            None => Some((self.say("ours", "追加").to_owned(), Mood::Soft)),
        };
        let heading = Heading { level: 4, text: text.into(), anchor: None, tag };
        let mut blocks = vec![Block::Heading(heading)];
        let caption = self.say(
            "Ours: dot with its 95 % interval. Published: diamond.",
            "点と線：こちらの値と 95 % 区間。菱形：公表値。",
        );
        for (i, chart) in of_table(table, self.tongue).into_iter().enumerate() {
            let number = if i == 0 { String::new() } else { format!("-{}", i + 1) };
            let file = format!("{}-table-{}{number}", slug(&experiment.report.id), slug(&table.id));
            let caption = caption.into();
            blocks.push(Block::Figure(Figure { chart: Some(chart), file, caption }));
        }
        blocks.push(Block::Table(table_of(table, self.tongue, Some(&experiment.folder))));
        let notes = table.notes.iter().map(|note| Text::parse(self.tongue.of(note)));
        blocks.extend(notes.map(|note| Block::Paragraph(note, Tone::Small)));
        blocks
    }

    fn figure(&self, figure: &'a FigureReport, experiment: &str) -> Figure {
        let name = format!("{} {}", self.say("Figure", "図"), figure.id);
        let title = self.tongue.of(&figure.title);
        let chart = of_figure(figure, self.tongue);
        let rest = match (&chart, figure_note(figure)) {
            (None, _) => {
                let why = self.say("not run at this scale", "この規模では未実行");
                format!(" {title}: {why}")
            }
            (Some(_), Some(note)) => format!(" {title} · {note}"),
            (Some(_), None) => format!(" {title}"),
        };
        Figure {
            chart,
            file: format!("{}-figure-{}", slug(experiment), slug(&figure.id)),
            caption: Text::from(Span::Strong(name)).and(Span::Plain(rest)),
        }
    }

    /// How many numbers of the paper's own tables agree.
    fn count(&self) -> Vec<Block> {
        let StudyReport { compared, agree, too_few, .. } = self.study;
        if *compared == 0 {
            return Vec::new();
        }
        let by_chance = *compared as f64 * 0.05;
        let differ = compared - agree - too_few;
        let summary = match self.tongue.language {
            Language::English => format!(
                "Of the {compared} published numbers compared, {agree} agree and {differ} differ; {by_chance:.1} would differ by \
                 chance alone. {too_few} rest on too few games, the paper's or ours, to tell."
            ),
            Language::Japanese => format!(
                "比べた公表値 {compared} 個のうち {agree} 個が一致し、{differ} 個が異なる。偶然だけでも {by_chance:.1} 個は外れる見込みである。\
                 {too_few} 個は論文か本報告の対局が足りず、判定できない。"
            ),
        };
        let own = self.study.experiments.iter().find(|own| own.report.id == self.study.id);
        let claims = match (own.map_or((0, 0), |own| own.report.claims()), self.tongue.language) {
            ((0, _), _) => String::new(),
            ((of, hold), Language::English) => format!(
                " Of {of} differences that the paper calls significant, {hold} are with our games."
            ),
            ((of, hold), Language::Japanese) => {
                format!(
                    "論文が有意とした差 {of} 個のうち、こちらの対局でも有意なのは {hold} 個である。"
                )
            }
        };
        let summary = summary + &claims;
        vec![Block::heading(3, self.say("The count", "集計")), Block::paragraph(summary)]
    }

    fn items(&self) -> Option<Block> {
        let items = &self.study.items;
        if items.is_empty() {
            return None;
        }
        let summary = match self.tongue.language {
            Language::English => format!(
                "All {} tables and figures of the paper, and what became of each",
                items.len()
            ),
            Language::Japanese => format!("論文の表と図 {} 点すべてとその扱い", items.len()),
        };
        let columns = [
            ("", ColumnKind::Name),
            ("", ColumnKind::Words),
            ("", ColumnKind::Words),
            ("", ColumnKind::Words),
        ];
        let mut table = Table::new(TableKind::Plain, columns);
        for item in items {
            table.push(RowKind::Plain, self.item(item));
        }
        Some(Block::Details(summary.into(), vec![Block::Table(table)]))
    }

    fn item(&self, item: &ItemReport) -> [Cell; 4] {
        let language = self.tongue.language;
        let name = item
            .item
            .replace("Table", self.say("Table", "表"))
            .replace("Figure", self.say("Figure", "図"))
            .replace("Section", self.say("Section", "節"));
        let counts = if item.compared > 0 {
            format!(" {}/{}", item.agree, item.compared)
        } else {
            String::new()
        };
        let why = item.why.as_ref().map_or("", |why| language.pick(why));
        let status = format!("{}{counts}", status_name(item.status, language));
        [
            name.into(),
            language.pick(&item.title).into(),
            Cell::about(mood(item.status), status),
            Cell::about(Mood::Soft, why),
        ]
    }
}
