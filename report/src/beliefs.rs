//! What the agents of a league thought of hidden things, on the page: scores and calibration.

use crate::document::{Block, ColumnKind, Figure, RowKind, Table, TableKind};
use crate::plot::{Chart, Line, Marks};
use crate::reproduction::LeagueReport;
use crate::slug;
use crate::words::Language;
use oboro_lab::BeliefScore;

/// How good beliefs were; nothing where nobody said any.
pub(crate) fn belief_blocks(league: &LeagueReport, language: Language) -> Vec<Block> {
    let forecasts = &league.table.forecasts;
    if forecasts.is_empty() {
        return Vec::new();
    }
    let caption = language.say(
        "What agents said of hidden things, and how often it was so: on the diagonal they know how much they know.",
        "隠れたものについての確率の見積もりと、実際にそうだった割合。対角線に近いほど見積もりが正しい。",
    );
    let figure = Figure {
        chart: Some(calibration(forecasts, language)),
        file: format!("beliefs-{}", slug(&league.game)),
        caption: caption.into(),
    };
    let title = language.say(
        "Beliefs: scores beside mere counting, and calibration",
        "推測：数え上げと比べた得点と較正",
    );
    let inner = vec![Block::Table(scores(forecasts, language)), Block::Figure(figure)];
    vec![Block::Details(title.into(), inner)]
}

fn scores(forecasts: &[BeliefScore], language: Language) -> Table {
    let counting = language.say("by counting", "数え上げ");
    let mut table = Table::new(
        TableKind::Plain,
        [
            (language.say("agent", "エージェント"), ColumnKind::Words),
            (language.say("beliefs", "推測の数"), ColumnKind::Number),
            ("Brier", ColumnKind::Number),
            (counting, ColumnKind::Number),
            (language.say("gain a game (95 %)", "一局あたりの改善（95 %）"), ColumnKind::Number),
            (language.say("log loss", "対数損失"), ColumnKind::Number),
            (counting, ColumnKind::Number),
        ],
    );
    let to = language.say("to", "～");
    for forecast in forecasts {
        let interval = forecast.gain_interval;
        let interval =
            interval.map_or(String::new(), |i| format!(" ({:.3} {to} {:.3})", i.low, i.high));
        table.push(
            RowKind::Plain,
            [
                forecast.agent.clone(),
                forecast.beliefs.to_string(),
                format!("{:.4}", forecast.brier),
                format!("{:.4}", forecast.brier_by_counting),
                format!("{:.3}{interval}", forecast.gain),
                format!("{:.4}", forecast.log_loss),
                format!("{:.4}", forecast.log_loss_by_counting),
            ],
        );
    }
    table
}

/// What was said against what was so, a curve an agent, and the diagonal.
fn calibration(forecasts: &[BeliefScore], language: Language) -> Chart {
    let curve = |forecast: &BeliefScore| Line {
        label: forecast.agent.clone(),
        points: forecast.calibration.iter().map(|c| (c.probability, c.share, None)).collect(),
    };
    let exact = Line {
        label: language.say("as said", "見積もりどおり").to_owned(),
        points: vec![(0.0, 0.0, None), (1.0, 1.0, None)],
    };
    Chart {
        title: language.say("Calibration", "較正").to_owned(),
        x: language.say("said", "見積もり").to_owned(),
        y: language.say("was so", "実際の割合").to_owned(),
        marks: Marks::Lines {
            lines: forecasts.iter().map(curve).chain([exact]).collect(),
            logarithmic: false,
        },
    }
}
