//! Experiments as they are meant: every match found, every measure read. What could not be played or filled is refused
//! here, before the first game.

use super::error::ExperimentError;
use super::file::{CellDef, File, MatchDef, RowDef, SeriesDef, TableDef, TestDef, TestKind};
use super::report::FigureKind;
use super::scale::Scales;
use super::verdict::Published;
use crate::measure::{Filter, Value};
use crate::{Match, MatchPlan};
use oboro_catalog::Allowed;
use oboro_core::Seed;

/// A whole experiment.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) source: Option<String>,
    pub(super) game: String,
    pub(super) seed: u64,
    pub(super) notes: Vec<String>,
    pub(super) matches: Vec<MatchDesign>,
    /// Their numbers follow those of the matches.
    pub(super) pools: Vec<PoolDesign>,
    pub(super) tables: Vec<TableDesign>,
    pub(super) figures: Vec<FigureDesign>,
}

/// A match, ready to be given a seed and a number of games.
#[derive(Clone, Debug)]
pub(super) struct MatchDesign {
    pub(super) id: String,
    pub(super) the_match: Match,
    pub(super) games: Scales,
}

/// Games of several matches between the same entrants, which tables name as one.
#[derive(Clone, Debug)]
pub(super) struct PoolDesign {
    id: String,
    /// The first is never missing.
    pub(super) of: Vec<Selection>,
}

#[derive(Clone, Debug)]
pub(super) struct TableDesign {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) notes: Vec<String>,
    /// Whether the p-values of its tests are corrected for their number (Holm).
    pub(super) holm: bool,
    pub(super) rows: Vec<RowDesign>,
}

#[derive(Clone, Debug)]
pub(super) struct RowDesign {
    pub(super) label: String,
    pub(super) cells: Vec<CellDesign>,
    pub(super) tests: Vec<TestDesign>,
}

#[derive(Clone, Debug)]
pub(super) struct CellDesign {
    pub(super) label: String,
    pub(super) of: Sample,
    pub(super) value: Value,
    pub(super) published: Option<Published>,
    /// Whether its published number counts.
    pub(super) counted: bool,
}

/// Which numbers a cell is made of.
#[derive(Clone, Debug)]
pub(super) enum Sample {
    /// Those of the games.
    Games(Selection),
    /// Those of the games of the best of the variants that an entrant drew.
    BestVariant(Selection),
    /// Pairs of fitness and mean, one a variant, of several matches; the first is never missing.
    Fitness(Vec<Fitness>, Vec<Filter>),
}

/// The games of a match that pass some conditions.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    pub(super) the_match: MatchNumber,
    pub(super) filters: Vec<Filter>,
}

/// The place of a match among those of its experiment, or of a pool after them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MatchNumber(usize);

impl MatchNumber {
    #[cfg(test)]
    pub(super) fn of(number: usize) -> MatchNumber {
        MatchNumber(number)
    }

    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// Variants whose fitness is known: those of a match are the runs of a course of evolution, as they
/// were after a generation.
#[derive(Clone, Debug)]
pub(super) struct Fitness {
    pub(super) the_match: MatchNumber,
    pub(super) course: String,
    pub(super) generation: u64,
}

#[derive(Clone, Debug)]
pub(super) struct TestDesign {
    pub(super) label: String,
    pub(super) of: Selection,
    pub(super) kind: Test,
    /// The level at which the paper finds x significantly greater than y.
    pub(super) claimed: Option<f64>,
}

/// Which test of what.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// Welch's t between the single values of the two.
    Welch(Value, Value),
    /// Student's t on the first less the second, game by game.
    Paired(Value, Value),
    /// χ² of the counts of it and not it against halves.
    ChiSquare(Value),
    /// Exact binomial of its rate against one half.
    Binomial(Value),
}

#[derive(Clone, Debug)]
pub(super) struct FigureDesign {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) kind: FigureKind,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) logarithmic: bool,
    pub(super) series: Vec<SeriesDesign>,
}

#[derive(Clone, Debug)]
pub(super) struct SeriesDesign {
    pub(super) label: String,
    pub(super) data: DataDesign,
}

/// Where the numbers of a series come from.
#[derive(Clone, Debug)]
pub(super) enum DataDesign {
    /// How often each value occurred.
    Counts(Selection, Value),
    /// One value against another, a point a game.
    Pairs(Selection, Value, Value),
    /// A mean or rate at each point.
    Points(Vec<PointDesign>),
    /// The best fitness by generation.
    Course(String),
}

#[derive(Clone, Debug)]
pub(super) struct PointDesign {
    pub(super) x: f64,
    pub(super) of: Selection,
    pub(super) value: Value,
}

impl Design {
    /// Reads an experiment; `name` is what errors call its file.
    pub(super) fn parse(
        name: &str,
        text: &str,
        external: Allowed<'_>,
    ) -> Result<Design, ExperimentError> {
        let file = File::parse(name, text)?;
        Design::new(file, external).map_err(|message| ExperimentError::new(name, message))
    }

    fn new(file: File, external: Allowed<'_>) -> Result<Design, String> {
        let mut matches = Vec::new();
        for def in &file.matches {
            check_id(&def.id, &matches)?;
            matches.push(MatchDesign {
                id: def.id.clone(),
                the_match: prepare(&file, def, external)
                    .map_err(|error| format!("match `{}`: {error}", def.id))?,
                games: def.games.unwrap_or(file.games),
            });
        }
        let mut pools: Vec<PoolDesign> = Vec::new();
        for def in file.pools {
            check_id(&def.id, &matches)?;
            let reader = Reader { matches: &matches, pools: &[], published_n: None };
            let of = def.of.iter().map(|m| reader.select(&m.the_match, &m.filters, &[]));
            let of: Vec<Selection> = of
                .collect::<Result<_, _>>()
                .map_err(|message| format!("pool `{}`: {message}", def.id))?;
            let entrants = |s: &Selection| matches[s.the_match.index()].the_match.agents().to_vec();
            if of.is_empty() || of.iter().any(|member| entrants(member) != entrants(&of[0])) {
                return Err(format!(
                    "pool `{}`: matches of the same agents in the same order",
                    def.id
                ));
            }
            pools.push(PoolDesign { id: def.id, of });
        }
        let reader = Reader { matches: &matches, pools: &pools, published_n: file.published_n };
        let tables =
            file.tables.into_iter().map(|table| reader.table(table)).collect::<Result<_, _>>()?;
        let mut figures = Vec::new();
        for def in file.figures {
            let series = def.series.into_iter().map(|series| reader.series(def.kind, series));
            figures.push(FigureDesign {
                series: series
                    .collect::<Result<_, _>>()
                    .map_err(|message| format!("figure {}: {message}", def.id))?,
                id: def.id,
                title: def.title,
                kind: def.kind,
                x: def.x,
                y: def.y,
                logarithmic: def.logarithmic,
            });
        }
        Ok(Design {
            id: file.id,
            title: file.title,
            source: file.source,
            game: file.game,
            seed: file.seed,
            notes: file.notes,
            matches,
            pools,
            tables,
            figures,
        })
    }
}

fn prepare(file: &File, def: &MatchDef, external: Allowed<'_>) -> Result<Match, crate::PlanError> {
    let mut rules = file.rules.clone();
    rules.extend(def.rules.clone());
    let plain = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let plan = MatchPlan {
        game: file.game.clone(),
        rules: rules.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        agents: def.agents.clone(),
        seating: def.seats,
        seed: Seed::from_u64(file.seed),
        games: 0,
        allow_oracles: def.oracles,
    };
    plan.prepare_at(oboro_catalog::rules(&plan.game, &plan.rules, external)?)
}

fn check_id(id: &str, others: &[MatchDesign]) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if id.is_empty() || id.starts_with('.') || !id.chars().all(is_plain) {
        return Err(format!("match id `{id}`: letters, digits, - _ and . only (it names a file)"));
    }
    if others.iter().any(|other| other.id == id) {
        return Err(format!("two matches are called `{id}`"));
    }
    if ["manifest", "tables", "report", "evolve"].contains(&id) {
        return Err(format!(
            "a match cannot be called `{id}`: the folder has another file of that name"
        ));
    }
    Ok(())
}

/// Reads tables and figures of an experiment whose matches are known.
struct Reader<'a> {
    matches: &'a [MatchDesign],
    pools: &'a [PoolDesign],
    published_n: Option<u64>,
}

impl Reader<'_> {
    fn table(&self, def: TableDef) -> Result<TableDesign, String> {
        let mut rows = Vec::new();
        for row in def.rows {
            let place = format!("table {}, row `{}`", def.id, row.label);
            rows.push(self.row(row).map_err(|message| format!("{place}: {message}"))?);
        }
        let TableDef { id, title, notes, holm, .. } = def;
        Ok(TableDesign { id, title, notes, holm, rows })
    }

    fn row(&self, def: RowDef) -> Result<RowDesign, String> {
        let RowDef { label, the_match, cells, tests } = def;
        let the_match = the_match.as_deref();
        let cells = cells.into_iter().map(|cell| self.cell(the_match, cell));
        let cells = cells.collect::<Result<_, _>>()?;
        let tests = tests.into_iter().map(|test| self.test(the_match, test));
        Ok(RowDesign { label, cells, tests: tests.collect::<Result<_, _>>()? })
    }

    fn cell(&self, row: Option<&str>, def: CellDef) -> Result<CellDesign, String> {
        let value: Value = def.value.parse()?;
        let selection = || {
            let the_match = def.the_match.as_deref().or(row).ok_or("which match?")?;
            self.select(the_match, &def.filters, &[&value])
        };
        let of = match (def.best, def.fitness.is_empty()) {
            (true, false) => return Err("a cell has `best` or `fitness`, not both".to_owned()),
            (true, true) => Sample::BestVariant(selection()?),
            (false, true) => Sample::Games(selection()?),
            (false, false) => {
                let mut known = Vec::new();
                let mut filters = Vec::new();
                for fitness in def.fitness {
                    let selected = self.select(&fitness.the_match, &def.filters, &[&value])?;
                    filters = selected.filters;
                    known.push(Fitness {
                        the_match: selected.the_match,
                        course: fitness.course,
                        generation: fitness.generation,
                    });
                }
                Sample::Fitness(known, filters)
            }
        };
        let n = def.published_n.or(self.published_n);
        let published = def.published.map(|text| Published::parse(&text, n)).transpose()?;
        Ok(CellDesign { label: def.label, of, value, published, counted: def.counted })
    }

    fn test(&self, row: Option<&str>, def: TestDef) -> Result<TestDesign, String> {
        let x: Value = def.x.parse()?;
        let y: Option<Value> = def.y.map(|y| y.parse()).transpose()?;
        let the_match = def.the_match.as_deref().or(row).ok_or("which match?")?;
        let values: Vec<&Value> = [Some(&x), y.as_ref()].into_iter().flatten().collect();
        let of = self.select(the_match, &def.filters, &values)?;
        let kind = match (def.kind, y) {
            (TestKind::Welch, Some(y)) => Test::Welch(x, y),
            (TestKind::Paired, Some(y)) => Test::Paired(x, y),
            (TestKind::ChiSquare, None) => Test::ChiSquare(x),
            (TestKind::Binomial, None) => Test::Binomial(x),
            (TestKind::Welch | TestKind::Paired, None) => {
                return Err("this test takes x and y".to_owned());
            }
            (TestKind::ChiSquare | TestKind::Binomial, Some(_)) => {
                return Err("this test takes x alone".to_owned());
            }
        };
        let compares = matches!(kind, Test::Welch(..) | Test::Paired(..));
        if def.claimed.is_some_and(|level| !(compares && level > 0.0 && level < 1.0)) {
            return Err("`claimed` is a level between 0 and 1 of a test of x and y".to_owned());
        }
        Ok(TestDesign { label: def.label, of, kind, claimed: def.claimed })
    }

    fn series(&self, kind: FigureKind, def: SeriesDef) -> Result<SeriesDesign, String> {
        let needs = |what: &str| format!("a series of it needs {what}");
        let selected = || -> Result<(Selection, Value), String> {
            let the_match = def.the_match.as_deref().ok_or_else(|| needs("a match"))?;
            let value = def.value.as_deref().ok_or_else(|| needs("a value"))?;
            let value: Value = value.parse()?;
            Ok((self.select(the_match, &def.filters, &[&value])?, value))
        };
        let data = match (kind, def.against.as_deref()) {
            (FigureKind::Histogram, None) => {
                let (selection, value) = selected()?;
                DataDesign::Counts(selection, value)
            }
            (FigureKind::Scatter, Some(against)) => {
                let (selection, value) = selected()?;
                let against: Value = against.parse()?;
                self.check(selection.the_match, &[&against], &[])?;
                DataDesign::Pairs(selection, value, against)
            }
            (FigureKind::Scatter, None) | (_, Some(_)) => {
                return Err(needs("`against` in a scatter plot, and only there"));
            }
            (FigureKind::Curve, None) => {
                let mut points = Vec::new();
                for point in &def.points {
                    let value: Value = point.value.parse()?;
                    let of = self.select(&point.the_match, &point.filters, &[&value])?;
                    points.push(PointDesign { x: point.x, of, value });
                }
                DataDesign::Points(points)
            }
            (FigureKind::Learning, None) => {
                let course = def.course.as_deref().ok_or_else(|| needs("a course"))?;
                let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
                if course.is_empty() || !course.chars().all(is_name) {
                    return Err(needs("a course of letters, digits, - and _ (it is a folder)"));
                }
                DataDesign::Course(course.to_owned())
            }
        };
        Ok(SeriesDesign { label: def.label, data })
    }

    /// The games of a match that pass conditions, where they can have some values.
    fn select(
        &self,
        the_match: &str,
        filters: &[String],
        values: &[&Value],
    ) -> Result<Selection, String> {
        let ids = self.matches.iter().map(|known| &known.id);
        let mut ids = ids.chain(self.pools.iter().map(|pool| &pool.id));
        let found = ids.position(|known| known == the_match);
        let number = found.ok_or_else(|| format!("there is no match `{the_match}`"))?;
        let filters: Vec<Filter> =
            filters.iter().map(|filter| filter.parse()).collect::<Result<_, _>>()?;
        self.check(MatchNumber(number), values, &filters)?;
        Ok(Selection { the_match: MatchNumber(number), filters })
    }

    fn check(
        &self,
        the_match: MatchNumber,
        values: &[&Value],
        filters: &[Filter],
    ) -> Result<(), String> {
        let pool = the_match.index().checked_sub(self.matches.len());
        let the_match = pool.map_or(the_match, |pool| self.pools[pool].of[0].the_match);
        let the_match = &self.matches[the_match.index()].the_match;
        values.iter().try_for_each(|value| value.check(the_match))?;
        Ok(filters.iter().try_for_each(|filter| filter.check(the_match))?)
    }
}
