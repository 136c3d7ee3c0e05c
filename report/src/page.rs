//! The page of a reproduction: what is said where.

use crate::beliefs::belief_blocks;
use crate::document::{
    Block, Card, Column, ColumnKind, Document, Figure, RowKind, Span, Table, TableKind, Text, Tone,
};
use crate::exploit::exploit_blocks;
use crate::paper::Paper;
use crate::plot::{Chart, Dot, Marks};
use crate::reproduction::{LeagueReport, Reproduction, StudyReport};
use crate::slug;
use crate::stored::grouped;
use crate::study_page::{Place, headlines, study_blocks, tallies};
use crate::tables::{meaning, meaning_of_tables};
use crate::words::{Language, Tongue};
use oboro_lab::{Counts, Scoring, leagues};
use oboro_stats::Interval;

/// The page with what is no paper.
const MORE: &str = "more";

impl Reproduction {
    /// The whole report as one document; `other` is the page in the other language.
    pub fn document(&self, language: Language, other: &str) -> Document {
        let page = Page { all: self, language, suffix: None };
        let links = self
            .papers
            .iter()
            .map(|paper| Span::link(paper.id.clone(), format!("#{}", slug(&paper.id))));
        let mut document = Document {
            language,
            title: page.title(),
            lead: page.lead(),
            links: links.chain([Span::link(language.say("日本語", "English"), other)]).collect(),
            blocks: page.glance(),
            foot: page.foot(),
        };
        document.blocks.extend(page.more());
        for study in &self.papers {
            document.blocks.extend(study_blocks(study, language));
        }
        document
    }

    /// The report as pages: a front page, one a paper, and one for everything else. `first` is the language whose pages have
    /// plain names.
    pub(crate) fn pages(&self, language: Language, first: Language) -> Vec<(String, Document)> {
        let suffix = |of: Language| {
            if of == first { ".html".to_owned() } else { format!(".{}.html", of.code()) }
        };
        let other = Language::ALL.into_iter().find(|l| *l != language).unwrap_or_default();
        let page = Page { all: self, language, suffix: Some(suffix(language)) };
        let make = |name: &str, title: String, lead: Vec<Block>, blocks: Vec<Block>, foot| {
            let front = Span::link(language.say("Overview", "概要"), page.link("index"));
            let papers = self.papers.iter().map(|study| {
                let paper = Paper::named(&study.id);
                let name = paper.map_or(study.id.as_str(), |paper| language.pick(&paper.short));
                Span::link(name, page.link(&slug(&study.id)))
            });
            let more = Span::link(language.say("More", "その他"), page.link(MORE));
            let away =
                Span::link(language.say("日本語", "English"), format!("{name}{}", suffix(other)));
            let links = std::iter::once(front).chain(papers).chain([more, away]).collect();
            (page.link(name), Document { language, title, lead, links, blocks, foot })
        };
        let mut pages = vec![make("index", page.title(), page.lead(), page.glance(), vec![])];
        for study in &self.papers {
            let title = language.pick(&study.title).to_owned();
            // The title of the page says what the first heading would.
            let blocks = study_blocks(study, language).into_iter().skip(1).collect();
            pages.push(make(&slug(&study.id), title, vec![], blocks, vec![]));
        }
        let title = language.say(
            "Leagues, exploitability, speed and sources",
            "リーグ戦、搾取可能性、処理速度、出どころ",
        );
        pages.push(make(MORE, title.to_owned(), vec![], page.more(), page.foot()));
        pages
    }
}

struct Page<'a> {
    all: &'a Reproduction,
    language: Language,
    /// How names of pages end; `None` where everything is one document.
    suffix: Option<String>,
}

impl Page<'_> {
    /// Where a page or a part of the document is.
    fn link(&self, name: &str) -> String {
        self.suffix.as_ref().map_or_else(|| format!("#{name}"), |suffix| format!("{name}{suffix}"))
    }

    /// What is no paper.
    fn more(&self) -> Vec<Block> {
        let mut blocks = self.leagues();
        blocks.extend(exploit_blocks(&self.all.exploitability, self.language));
        blocks.extend(self.throughput());
        blocks
    }

    fn say<'a>(&self, english: &'a str, japanese: &'a str) -> &'a str {
        self.language.say(english, japanese)
    }

    /// Whether all papers are in it; somebody may ask for one, or for an experiment of their own.
    fn is_whole(&self) -> bool {
        let has = |paper: &Paper| self.all.papers.iter().any(|study| study.id == paper.id());
        Paper::all().iter().all(has)
    }

    fn title(&self) -> String {
        let number = self.all.papers.len();
        match (self.language, self.is_whole()) {
            (Language::English, true) => format!("{} papers, played again", in_words(number)),
            (Language::Japanese, true) => format!("{number} 本の論文をもう一度"),
            (Language::English, false) => "Played again".to_owned(),
            (Language::Japanese, false) => "もう一度対局する".to_owned(),
        }
    }

    fn lead(&self) -> Vec<Block> {
        let all = self.all;
        let lead = if self.is_whole() {
            self.say(
                "Every table and figure of papers on games of imperfect information: published numbers beside those of our \
                 games, with uncertainty and a verdict.",
                "不完全情報ゲームを扱った論文のすべての表と図について、公表された数値と、実際に対局して得た数値を、\
                 不確かさと判定を添えて並べる。",
            )
        } else {
            self.say(
                "Published numbers beside those of our own games, with their uncertainty and a verdict.",
                "公表された数値と、実際に対局して得た数値を、不確かさと判定を添えて並べる。",
            )
        };
        let games = grouped(all.games);
        let scale = match self.language {
            Language::English => format!("Scale `{}`, {games} games played.", all.scale),
            Language::Japanese => format!("規模 `{}`、対局数 {games}。", all.scale),
        };
        vec![Block::Paragraph(lead.into(), Tone::Lead), Block::paragraph(Text::parse(&scale))]
    }

    fn glance(&self) -> Vec<Block> {
        let items = match self.language {
            Language::English => [
                "Each line counts the numbers that a paper prints in its tables and that games can check, by its largest run: \
                 these games, or stored games whose verdicts come with the program. The paper's page has both, and the commands.",
                "Bars: numbers that agree (solid), that differ (striped), that are inside on too few games (empty).",
                meaning(self.language),
            ],
            Language::Japanese => [
                "各行は、論文の表にあり対局で確かめられる数値を、最大の対局（今回の対局、または判定がプログラムに付属する保存済みの対局）によって数えたもの。\
                 論文のページには両方とコマンドがある。",
                "棒：一致した数値（塗り）、相違した数値（斜線）、範囲内だが対局不足の数値（空白）。",
                meaning(self.language),
            ],
        };
        let items = items.into_iter().chain(meaning_of_tables(self.language));
        let items = items.map(Text::parse).collect();
        vec![
            Block::anchored(2, self.say("The papers", "論文一覧"), "glance"),
            Block::Cards(self.all.papers.iter().map(|study| self.card(study)).collect()),
            Block::Details(
                self.say("How to read it", "読み方").into(),
                vec![Block::List(items, Tone::Small)],
            ),
        ]
    }

    fn card(&self, study: &StudyReport) -> Card {
        let language = self.language;
        let finding = Paper::named(&study.id).map(|paper| language.pick(&paper.finding).to_owned());
        // One line a paper, of its largest run, and one for each reading that is its equal.
        let tally = tallies(study, Place::Front, language).pop();
        let Counts { agree, differ, too_few, .. } =
            tally.as_ref().map_or_else(Counts::default, |tally| tally.counts);
        let none = self.say("No games yet.", "まだ対局していない。");
        Card {
            title: Span::link(language.pick(&study.title), self.link(&slug(&study.id))),
            source: study.source.as_ref().map_or("", |source| language.pick(source)).to_owned(),
            text: finding.unwrap_or_default(),
            parts: [agree, differ, too_few],
            line: tally.map_or_else(
                || none.to_owned(),
                |tally| {
                    let rest = headlines(study, Place::Front, language);
                    std::iter::once(tally.line)
                        .chain(rest)
                        .collect::<Vec<_>>()
                        .join(language.say(" ", ""))
                },
            ),
        }
    }

    fn leagues(&self) -> Vec<Block> {
        if self.all.leagues.is_empty() {
            return Vec::new();
        }
        let explained = self.say(
            "Everyone against everyone, each deal in all rotations of the seats. Ratings are Bradley–Terry in Elo points, mean 0, \
             with their 95 % intervals. These count deals, not games: games of one deal share the luck of the cards.",
            "総当たり。同じ配り方を席を入れ替えてすべて対局する。レーティングは Bradley–Terry モデルを Elo 点で表し、平均を 0 とする。線は 95 % 区間。\
             同じ配り方の対局は札の運を共有するので、区間は対局ではなく配り方を単位とする。",
        );
        let mut blocks = vec![
            Block::anchored(2, self.say("Leagues", "リーグ戦"), "leagues"),
            Block::paragraph(explained),
        ];
        for league in &self.all.leagues {
            blocks.extend(self.league(league));
        }
        blocks
    }

    fn league(&self, league: &LeagueReport) -> Vec<Block> {
        let game = game_name(&league.game, self.language);
        let ratings = &league.table.ratings;
        let rows = league.table.ranking().into_iter().map(|i| Dot {
            label: league.table.agents[i].clone(),
            ours: Some(ratings.of(i).0),
            interval: ratings.of(i).1,
            published: None,
        });
        let chart = Chart {
            title: game.clone(),
            x: self.unit(ratings.scoring()).to_owned(),
            y: String::new(),
            marks: Marks::Dots { rows: rows.collect() },
        };
        let deals = league.table.deals();
        let note = match self.language {
            Language::English => format!("{} games a pairing, {deals} deals. ", league.games),
            Language::Japanese => format!("1 組 {} 局、{deals} 通りの配り方。", league.games),
        };
        let caveat = if ratings.is_identifiable() {
            ""
        } else {
            self.say(
                "Some agent never lost or never won a point: gaps to it are lower bounds. ",
                "一度も負けない、または一度も勝たないエージェントがあり、その差は下限である。",
            )
        };
        let caption = Text::from(format!("{note}{caveat}")).and(Span::Code(league.command.clone()));
        let file = format!("league-{}", slug(&league.game));
        let figure = Figure { chart: Some(chart), file, caption };
        let against = match ratings.scoring() {
            Scoring::Outcomes => self.say(
                "Ratings, and points in % against 1, 2, …",
                "レーティングと、1 位、2 位…に対する得点率（%）",
            ),
            Scoring::Payoffs => self.say(
                "Ratings, and payoff more than 1, 2, …",
                "レーティングと、1 位、2 位…との利得差",
            ),
        };
        let numbers = Block::Details(against.into(), vec![Block::Table(self.ratings(league))]);
        let mut blocks = vec![Block::heading(4, game), Block::Figure(figure), numbers];
        blocks.extend(belief_blocks(league, self.language));
        blocks
    }

    /// In what a league's ratings are.
    fn unit(&self, counts: Scoring) -> &'static str {
        match counts {
            Scoring::Outcomes => "Elo",
            Scoring::Payoffs => self.say("payoff", "得点"),
        }
    }

    fn ratings(&self, league: &LeagueReport) -> Table {
        let table = &league.table;
        let order = table.ranking();
        let mut out = Table::new(
            TableKind::Plain,
            [
                ("", ColumnKind::Number),
                (self.say("agent", "エージェント"), ColumnKind::Words),
                (self.unit(table.ratings.scoring()), ColumnKind::Number),
                (self.say("95 % interval", "95 % 区間"), ColumnKind::Number),
            ],
        );
        out.columns.extend(
            (1..=order.len())
                .map(|rank| Column { head: rank.to_string(), kind: ColumnKind::Number }),
        );
        let to = self.say("to", "～");
        for (rank, &i) in order.iter().enumerate() {
            let (value, interval) = table.ratings.of(i);
            let digits = if table.ratings.scoring() == Scoring::Outcomes { 0 } else { 3 };
            let against = order.iter().map(|&j| {
                table.meetings[i][j].map_or("–".to_owned(), |meeting| {
                    match table.ratings.scoring() {
                        Scoring::Outcomes => format!("{:.1}", 100.0 * meeting.share),
                        Scoring::Payoffs => format!("{:+.2}", meeting.payoff),
                    }
                })
            });
            let interval = interval.map_or_else(String::new, |Interval { low, high }| {
                format!("{low:+.digits$} {to} {high:+.digits$}")
            });
            let own = [
                (rank + 1).to_string(),
                table.agents[i].clone(),
                format!("{value:+.digits$}"),
                interval,
            ];
            out.push(RowKind::Plain, own.into_iter().chain(against));
        }
        out
    }

    fn throughput(&self) -> Vec<Block> {
        if self.all.throughput.is_empty() {
            return Vec::new();
        }
        let mut table = Table::new(
            TableKind::Plain,
            [
                (self.say("game", "ゲーム"), ColumnKind::Words),
                (self.say("work", "処理"), ColumnKind::Words),
                (self.say("a second", "毎秒"), ColumnKind::Number),
            ],
        );
        let tongue = Tongue { language: self.language, paper: None };
        for line in &self.all.throughput {
            let rate = format!(
                "{} {}",
                grouped(line.per_second.round() as u64),
                tongue.kernel("unit", &line.unit)
            );
            let game = game_name(&line.game, self.language);
            table.push(RowKind::Plain, [game, tongue.kernel("work", &line.work).to_owned(), rate]);
        }
        let explained = self.say(
            "On one core of the machine that played, best of a few runs. `oboro bench` measures it again.",
            "対局したマシンの 1 コアで、数回のうち最速のもの。`oboro bench` で測り直せる。",
        );
        vec![
            Block::anchored(2, self.say("Throughput", "処理速度"), "throughput"),
            Block::paragraph(Text::parse(explained)),
            Block::Table(table),
        ]
    }

    fn foot(&self) -> Vec<Block> {
        let intro = self.say(
            "Every number above comes from a file of games: the link on its n leads there, and its title says what was measured. \
             The same results give this report again, byte for byte. To play one experiment alone:",
            "上の数値はすべて対局ファイルから計算した。n のリンクがそのファイルで、題名が測った量を示す。\
             同じ結果からは同じ報告がバイト単位で再び得られる。実験を一つだけ対局するには：",
        );
        let mut table = Table::new(
            TableKind::Plain,
            [
                (self.say("command", "コマンド"), ColumnKind::Words),
                (self.say("results", "結果"), ColumnKind::Words),
                (self.say("seed", "シード"), ColumnKind::Words),
                (self.say("version", "版"), ColumnKind::Words),
            ],
        );
        for e in self.all.papers.iter().flat_map(|paper| &paper.experiments) {
            let folder = Span::link(e.folder.clone(), format!("{}/manifest.json", e.folder));
            table.push(
                RowKind::Plain,
                [
                    Text::from(Span::Code(e.command.clone())),
                    folder.into(),
                    (&e.seed).into(),
                    format!("{} {}", e.version, e.commit).into(),
                ],
            );
        }
        let mut blocks = vec![
            Block::heading(3, self.say("Where the numbers come from", "数値の出どころ")),
            Block::paragraph(intro),
            Block::Table(table),
        ];
        blocks.extend(self.sessions());
        blocks
    }

    fn sessions(&self) -> Vec<Block> {
        if self.all.sessions.is_empty() {
            return Vec::new();
        }
        let mut table = Table::new(
            TableKind::Plain,
            [
                (self.say("began (UTC)", "開始（UTC）"), ColumnKind::Words),
                (self.say("seconds", "秒"), ColumnKind::Number),
                (self.say("games", "対局数"), ColumnKind::Number),
                (self.say("machine", "マシン"), ColumnKind::Words),
                (self.say("version", "版"), ColumnKind::Words),
            ],
        );
        for s in &self.all.sessions {
            let threads = match self.language {
                Language::English => format!("{} threads", s.threads),
                Language::Japanese => format!("{} スレッド", s.threads),
            };
            table.push(
                RowKind::Plain,
                [
                    s.began.clone(),
                    s.seconds.to_string(),
                    s.games.to_string(),
                    format!("{}, {threads}", s.machine),
                    format!("{} {}", s.version, s.commit),
                ],
            );
        }
        let heading = self.say("When and where it was played", "いつ、どこで対局したか");
        vec![Block::heading(3, heading), Block::Table(table)]
    }
}

/// A small number at the beginning of a sentence.
fn in_words(number: usize) -> String {
    const WORDS: [&str; 10] =
        ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// A game's name in print, where a league that comes with the program says it.
fn game_name(game: &str, language: Language) -> String {
    let entry = leagues().iter().find(|entry| entry.game == game);
    entry.map_or(game, |entry| language.say(&entry.name.en, &entry.name.ja)).to_owned()
}
