use crate::common::{no_paper, read_text};
use crate::experiment::Playing;
use crate::output::print;
use anyhow::{Context, Result, bail};
use oboro_catalog::Allowed;
use oboro_core::Seed;
use oboro_lab::{Choices, InferencePlan, PaperFolder};
use oboro_report::inference_document;
use std::path::{Path, PathBuf};

/// Infers what a paper leaves open from the numbers it printed
///
/// A paper's file choices.toml names its open choices, with the sentences that leave them open; the printed numbers that
/// judge them; and the numbers held out. Every combination of values is a reading. All readings play a few games, the best
/// of them more. What comes out: how probable each value is given the printed numbers, how well the readings predict each
/// number from games that judged nobody, and the numbers that no reading explains. It is inferred, not reproduced.
///
/// Every game is written down as it ends: the same command again resumes. docs/how-to/infer-open-choices.md teaches it.
///
/// Examples:
///   oboro infer                                   the papers that have open choices
///   oboro infer geister-keeper-2019
///   oboro infer saboteur-2019 --out results/saboteur-readings --threads 1
///   oboro infer my-paper/choices.toml --dry-run
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The name of a paper, or a file of choices; leave it out to see the papers
    paper: Option<String>,

    /// Where the games and the inference go [default: results/NAME-inferred]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    playing: Playing,
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let Some(name) = &args.paper else {
        for paper in PaperFolder::with_choices() {
            let plan = find(paper.id, args.playing.seed, external)?;
            print(&format!("{:<24}{} readings\n", paper.id, plan.readings()))?;
        }
        return Ok(());
    };
    let plan = find(name, args.playing.seed, external)?;
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| PathBuf::from(format!("results/{}-inferred", plan.id())));
    let mut inferring = plan.start();
    if args.playing.explains(&out, &inferring.wanted())? {
        eprintln!("{} readings; this is {}", plan.readings(), inferring.step());
        return Ok(());
    }
    let folder = args.playing.folder(&out, plan.manifest())?;
    loop {
        let (wanted, step) = (inferring.wanted(), inferring.step());
        args.playing.play(&step, &wanted, &folder)?;
        eprintln!("{step}: {} matches are played", wanted.len());
        if !inferring.is_judging() {
            break;
        }
        inferring.judge(&folder)?;
    }
    let inference = inferring.conclude(&folder)?;
    args.playing.tell(&folder, "inferred", &inference, &inference_document(&inference))
}

/// The readings of a paper that comes with the program, or of a file of choices with its experiment beside it.
fn find(name: &str, seed: Option<Seed>, external: Allowed<'_>) -> Result<InferencePlan> {
    if let Some(paper) = PaperFolder::all().iter().find(|paper| paper.id == name) {
        let Some(text) = paper.file("choices.toml") else {
            let known: Vec<&str> = PaperFolder::with_choices().map(|paper| paper.id).collect();
            bail!("{name} has no choices.toml; papers with open choices: {}", known.join(", "));
        };
        let choices = Choices::parse(&format!("{name}/choices.toml"), text)?;
        let file = choices.experiment().to_owned();
        let experiment = paper.file(&file).with_context(|| format!("{name} has no file {file}"))?;
        return Ok(InferencePlan::new(choices, &format!("{name}/{file}"), experiment, seed, None)?);
    }
    let path = Path::new(name);
    if !path.exists() {
        let known: Vec<&str> = PaperFolder::with_choices().map(|paper| paper.id).collect();
        return Err(no_paper(name, &known));
    }
    let choices = Choices::parse(name, &read_text(path)?)?;
    let beside = path.with_file_name(choices.experiment());
    let text = read_text(&beside)?;
    Ok(InferencePlan::new(choices, &beside.display().to_string(), &text, seed, external)?)
}
