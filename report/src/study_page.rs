//! A paper on the page: prose, tables, figures, and what became of everything it prints.

use crate::charts::{figure_note, of_figure, of_table};
use crate::document::{
    Block, Cell, ColumnKind, Emphasis, Figure, Heading, RowKind, Span, Table, TableKind, Text, Tone,
};
use crate::inference::inference_blocks;
use crate::paper::{ItemReport, Paper, Status};
use crate::reproduction::{ExperimentReport, StudyReport};
use crate::slug;
use crate::stored::{claims_of, counts_of, grouped, headline_of};
use crate::tables::{meaning, meaning_of_tables, misprints_of, table_of, verdict_on};
use crate::words::{Language, Tongue};
use oboro_lab::{Counts, FigureReport, TableReport};

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

fn emphasis(status: Status) -> Emphasis {
    match status {
        Status::Reproduced | Status::Redrawn | Status::Measured => Emphasis::Good,
        Status::Differs => Emphasis::Bad,
        Status::TooFewGames | Status::NotRun | Status::NotReproducible => Emphasis::Open,
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
    blocks.extend(page.count());
    blocks.extend(page.experiments());
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

/// How the published numbers of a paper came out in some games.
pub(crate) struct Tally {
    /// Numbers by verdict.
    pub(crate) counts: Counts,
    /// The same and its tables, in a sentence or two.
    pub(crate) line: String,
}

/// Whether the front page, or the paper's own, which also says how to play the games again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Front,
    Own,
}

/// The tallies of a paper: of these games and, where a larger run is stored, of that one, last.
pub(crate) fn tallies(study: &StudyReport, place: Place, language: Language) -> Vec<Tally> {
    let mut all = Vec::new();
    let printed = match Paper::named(&study.id) {
        Some(paper) => paper.printed(paper.id()).map(|printed| printed.numbers),
        None => study.experiments.first().map(|own| Counts::printed(&own.report.tables)),
    };
    let printed = printed.unwrap_or_default();
    if let Some(verdict) = &study.verdict {
        let played = grouped(study.experiments.first().map_or(0, |own| own.report.games));
        let of_status = |status: Status| {
            let has = |item: &&ItemReport| item.counts.compared > 0 && item.status == status;
            study.items.iter().filter(has).count()
        };
        let head = match language {
            Language::English => format!("These {played} games"),
            Language::Japanese => format!("今回の {played} 局"),
        };
        let counts = counts_of(&study.counts, printed, verdict.largest_z, language);
        all.push(Tally::new(&head, study.counts, &counts, &of_status, language));
    }
    if let Some(stored) = &study.stored {
        let games = grouped(stored.games);
        let command = match place {
            Place::Front => String::new(),
            Place::Own => {
                language.say(", `COMMAND`", "、`COMMAND`").replace("COMMAND", &stored.command)
            }
        };
        let head = match language {
            Language::English => format!("{games} stored games{command}"),
            Language::Japanese => format!("保存済みの {games} 局{command}"),
        };
        let of_status = |status: Status| stored.tables_of(status);
        let counts = counts_of(&stored.counts, printed, stored.largest_z, language);
        all.push(Tally::new(&head, stored.counts, &counts, &of_status, language));
    }
    all
}

/// The counts of readings that stand beside a paper's own experiment as equals, a sentence each.
pub(crate) fn headlines(study: &StudyReport, place: Place, language: Language) -> Vec<String> {
    let Some(paper) = Paper::named(&study.id) else { return Vec::new() };
    let all = paper.headlines.iter();
    all.filter_map(|headline| headline_of(paper, headline, place, language)).collect()
}

impl Tally {
    fn new(
        head: &str,
        counts: Counts,
        numbers: &str,
        tables: &dyn Fn(Status) -> usize,
        language: Language,
    ) -> Tally {
        let tables = [
            (Status::Reproduced, "reproduced", "再現"),
            (Status::Differs, "different", "相違"),
            (Status::TooFewGames, "with too few games", "対局不足"),
        ]
        .into_iter()
        .filter(|(status, ..)| tables(*status) > 0)
        .map(|(status, english, japanese)| match language {
            Language::English => format!("{} {english}", tables(status)),
            Language::Japanese => format!("{japanese} {}", tables(status)),
        });
        let tables = tables.collect::<Vec<_>>().join(language.say(", ", "、"));
        let tables = match (tables.is_empty(), language) {
            (true, _) => tables,
            (false, Language::English) => format!(" Tables: {tables}."),
            (false, Language::Japanese) => format!("表：{tables}。"),
        };
        let line = format!("{head}{}{numbers}{tables}", language.say(": ", "："));
        Tally { counts, line }
    }
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
            let summary = match self.tongue.language {
                Language::English => format!("Figures ({})", figures.len()),
                Language::Japanese => format!("図（{} 点）", figures.len()),
            };
            blocks.push(Block::Details(summary.into(), vec![Block::Gallery(figures)]));
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
                Some((word.to_owned(), emphasis(status)))
            }
            None if is_printed => None,
            None => Some((self.say("ours", "追加").to_owned(), Emphasis::Soft)),
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
        let numbers = Block::Table(table_of(table, self.tongue, Some(&experiment.folder)));
        match verdict_on(table, self.tongue.language) {
            Some(verdict) => {
                blocks.push(Block::paragraph(verdict));
                blocks.push(Block::Details(self.say("Numbers", "数値").into(), vec![numbers]));
            }
            None => blocks.push(numbers),
        }
        blocks.extend(misprints_of(table, self.tongue.language).map(Block::paragraph));
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

    /// How many numbers of the paper's own tables agree: what the front page says, and of the paper's own tests.
    fn count(&self) -> Vec<Block> {
        let language = self.tongue.language;
        let tallies = tallies(self.study, Place::Own, language);
        if tallies.is_empty() {
            return Vec::new();
        }
        let own = self.study.experiments.iter().find(|own| own.report.id == self.study.id);
        let claims = own.map(|own| claims_of(own.report.claims(), language));
        let claims = claims.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let lines = tallies.into_iter().map(|tally| tally.line);
        let lines = lines.chain(headlines(self.study, Place::Own, language));
        let mut blocks = vec![Block::heading(3, self.say("The count", "集計"))];
        blocks.extend(lines.chain(claims).map(|line| Block::paragraph(Text::parse(&line))));
        let meanings = [meaning(language)].into_iter().chain(meaning_of_tables(language));
        blocks.extend(meanings.map(|text| Block::Paragraph(text.into(), Tone::Small)));
        blocks
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
        let counts = match (item.counts, language) {
            (Counts { compared: 0, .. }, _) => String::new(),
            (counts, Language::English) => {
                format!(" ({} of {} inside)", counts.inside(), counts.compared)
            }
            (counts, Language::Japanese) => {
                format!("（{} 個中 {} 個が範囲内）", counts.compared, counts.inside())
            }
        };
        let why = item.why.as_ref().map_or("", |why| language.pick(why));
        let status = format!("{}{counts}", status_name(item.status, language));
        [
            name.into(),
            language.pick(&item.title).into(),
            Cell::about(emphasis(item.status), status),
            Cell::about(Emphasis::Soft, why),
        ]
    }
}
