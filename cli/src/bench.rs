use crate::instructions::Instructions;
use crate::output::{grid, print, print_json};
use anyhow::{Result, bail};
use oboro_catalog::{AnyGame, game, games};
use oboro_core::Checksum;
use serde::Serialize;

/// Measures throughput over fixed work, on one core
///
/// Every line is the best of several runs; `beside` is its cost as a multiple of the first line's that counts the same
/// thing in the same game, such as a step of a policy's playout beside a random one's. Instructions are counted by the processor, where
/// this process may ask it, and otherwise not given. Below the table stands which quicker ways the processor has. The checksum stands for all answers of the work: it changes only when
/// play does.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A game [default: all]
    game: Option<String>,

    /// Runs of each piece of work; the quickest counts
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    game: &'static str,
    work: &'static str,
    unit: &'static str,
    per_second: f64,
    nanoseconds: f64,
    /// What one unit takes, where the processor's counters are readable.
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<f64>,
    /// What one unit costs as a multiple of the game's first work of that unit; nothing for the first itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<f64>,
    checksum: String,
    as_pinned: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let chosen: Vec<Box<dyn AnyGame>> = match &args.game {
        Some(name) => vec![game(name)?],
        None => games(),
    };
    let mut lines = Vec::new();
    let mut counter = Instructions::open();
    let mut all = Checksum::default();
    for game in &chosen {
        for kernel in game.kernels() {
            eprintln!("{}: {} …", game.name(), kernel.name);
            let measured = kernel.measure(args.repeats);
            all.add(measured.work.checksum);
            let first =
                lines.iter().find(|l: &&Line| (l.game, l.unit) == (game.name(), kernel.unit));
            let counted = counter.as_mut().and_then(|counter| {
                counter.of(|| {
                    (kernel.run)();
                })
            });
            let beside = first.map(|first| first.per_second / measured.rate());
            lines.push(Line {
                game: game.name(),
                work: kernel.name,
                unit: kernel.unit,
                per_second: measured.rate(),
                nanoseconds: 1e9 / measured.rate(),
                instructions: counted.map(|count| count as f64 / measured.work.count as f64),
                beside,
                checksum: format!("{:016x}", measured.work.checksum),
                as_pinned: measured.work.checksum == kernel.checksum,
            });
        }
    }
    let changed: Vec<&str> = lines.iter().filter(|l| !l.as_pinned).map(|l| l.work).collect();
    let changed = changed.join(", ");
    if args.json {
        print_json(&lines)?;
    } else {
        let rows = lines
            .iter()
            .map(|l| {
                let rate = format!("{:.0} {}/s", l.per_second, l.unit);
                [
                    l.game.to_owned(),
                    l.work.to_owned(),
                    rate,
                    format!("{:.1} ns", l.nanoseconds),
                    l.instructions.map_or("–".to_owned(), |count| format!("{count:.1}")),
                    l.beside.map_or(String::new(), |multiple| format!("{multiple:.2} x")),
                    l.checksum.clone(),
                ]
            })
            .collect();
        let titles = ["game", "work", "rate", "each", "instructions", "beside", "checksum"];
        print(&grid(titles, rows, &[2, 3, 4, 5]))?;
        if counter.is_none() {
            print("instructions: the processor's counters are not readable here\n")?;
        }
        for game in &chosen {
            for path in game.fast_paths() {
                let by = path.by.unwrap_or("no quicker way on this processor");
                print(&format!("{}, {}: {by}\n", game.name(), path.work))?;
            }
        }
        print(&format!("checksum of all: {:016x}\n", all.value()))?;
    }
    if !changed.is_empty() {
        bail!("these answers are not the pinned ones, so play has changed: {changed}");
    }
    Ok(())
}
