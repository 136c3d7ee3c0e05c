use crate::common::{Threads, seed_or_one};
use crate::output::{grid, print};
use crate::policy;
use anyhow::{Context, Result};
use oboro_core::Seed;
use oboro_evolve::{Evolution, Progress, Settings};
use oboro_geister::agents::naotti::Information;
use oboro_geister::gp::{
    Fitness, Lessons, PrimitiveSet, Strategy, Teacher, evolve, tune, with_chances,
};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Breeds playout policies: genetic programming, and a genetic algorithm for their probabilities
///
/// The folder gets one checkpoint and one policy a run, the course of the fitness (progress.csv) and the
/// teacher's positions. The same command again goes on where the last one stopped and ends with the
/// same files, whatever the number of threads.
///
/// Examples:
///   oboro evolve geister --primitives aware --fitness agreement --teacher imperfect --seed 1 --out runs/aware
///   oboro evolve tune algorithm-1 --seed 1 --out runs/tuned
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Evolves playout policies for Geister from a teacher's games
    Geister {
        /// The functions that policies are made of: without colours, with colours, or all
        #[arg(long, value_enum, default_value_t = Primitives::All)]
        primitives: Primitives,

        #[command(flatten)]
        common: Common,
    },
    /// Tunes the probabilities with which a Geister policy makes its moves
    Tune {
        /// The policy's file, or the name of one that comes with the game
        policy: String,

        #[command(flatten)]
        common: Common,
    },
}

#[derive(clap::Args)]
struct Common {
    /// What makes a policy good: making the teacher's moves, or losing little by the teacher's values
    #[arg(long, value_enum, default_value_t = FitnessName::Agreement)]
    fitness: FitnessName,

    /// What the teacher sees
    #[arg(long, value_enum, default_value_t = TeacherName::Imperfect)]
    teacher: TeacherName,

    /// How many positions the teacher gives
    #[arg(long, default_value_t = Teacher::default().positions as u32, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    positions: u32,

    /// How many plies the teacher looks ahead for its move
    #[arg(long, default_value_t = Teacher::default().depth, value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: u32,

    /// How many plies it looks ahead for the value of every move
    #[arg(long, default_value_t = Teacher::default().value_depth, value_parser = clap::value_parser!(u32).range(1..=12))]
    value_depth: u32,

    /// Generations after the first
    #[arg(long, default_value_t = Settings::default().generations)]
    generations: u32,

    /// Individuals in a generation
    #[arg(long, default_value_t = Settings::default().population)]
    population: usize,

    /// How often it is done, each time with other random numbers
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,

    /// Also writes the best policy of these generations down
    #[arg(long, value_name = "G,…", value_delimiter = ',')]
    keep: Vec<u32>,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    #[command(flatten)]
    threads: Threads,

    /// A folder for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Primitives {
    Blind,
    Aware,
    All,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FitnessName {
    Agreement,
    Loss,
    ClippedLoss,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum TeacherName {
    Imperfect,
    Perfect,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let common = match &args.command {
        Command::Geister { common, .. } | Command::Tune { common, .. } => common,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(common.threads.count()).build()?;
    pool.install(|| match &args.command {
        Command::Geister { primitives, common } => {
            let primitives = match primitives {
                Primitives::Blind => PrimitiveSet::Blind,
                Primitives::Aware => PrimitiveSet::Aware,
                Primitives::All => PrimitiveSet::All,
            };
            common.repeat(|task, checkpoint| {
                let done = evolve(
                    primitives,
                    task.fitness,
                    (&task.teacher, task.lessons),
                    (task.settings, task.seed),
                    Some(checkpoint),
                    |evolution| task.report(evolution),
                )?;
                Ok(course(&done, |tree| Strategy::new(tree.clone()).simplified()))
            })
        }
        Command::Tune { policy, common } => {
            let squad = policy::load(policy)?;
            let [strategy] = squad.strategies() else {
                anyhow::bail!("{policy}: {} policies; one is tuned", squad.strategies().len());
            };
            common.repeat(|task, checkpoint| {
                let done = tune(
                    strategy,
                    task.fitness,
                    (&task.teacher, task.lessons),
                    (task.settings, task.seed),
                    Some(checkpoint),
                    |evolution| task.report(evolution),
                )?;
                Ok(course(&done, |genes| with_chances(strategy, genes)))
            })
        }
    })
}

/// One run's history with its best individuals as policies.
type Course = Vec<Progress<Strategy>>;

fn course<I>(evolution: &Evolution<I>, policy: impl Fn(&I) -> Strategy) -> Course {
    let entries = evolution.history.iter();
    entries
        .map(|entry| Progress {
            generation: entry.generation,
            best: oboro_evolve::Scored {
                individual: policy(&entry.best.individual),
                fitness: entry.best.fitness,
            },
            mean: entry.mean,
            size: entry.size,
        })
        .collect()
}

/// What one run works with.
struct Task<'a> {
    number: u32,
    fitness: Fitness,
    teacher: String,
    lessons: &'a Lessons,
    settings: Settings,
    seed: Seed,
}

impl Task<'_> {
    fn report<I>(&self, evolution: &Evolution<I>) {
        let latest = evolution.latest();
        if latest.generation.is_multiple_of(10) {
            eprintln!(
                "run {}, generation {}: best {:.5}, mean {:.5}, mean size {:.1}",
                self.number, latest.generation, latest.best.fitness, latest.mean, latest.size
            );
        }
    }
}

impl Common {
    /// Does all runs and writes down what they gave.
    fn repeat(&self, one: impl Fn(&Task<'_>, &Path) -> Result<Course>) -> Result<()> {
        let seed = seed_or_one(self.seed);
        let settings = Settings {
            generations: self.generations,
            population: self.population,
            ..Settings::default()
        };
        settings.validate()?;
        fs::create_dir_all(&self.out)
            .with_context(|| format!("cannot make {}", self.out.display()))?;
        let (teacher, lessons) = self.lessons(seed)?;
        let fitness = match self.fitness {
            FitnessName::Agreement => Fitness::Agreement,
            FitnessName::Loss => Fitness::Loss,
            FitnessName::ClippedLoss => Fitness::ClippedLoss,
        };
        let mut progress = "run,generation,best,mean,size\n".to_owned();
        let mut rows = Vec::new();
        for number in 1..=self.runs {
            let task = Task {
                number,
                fitness,
                teacher: teacher.clone(),
                lessons: &lessons,
                settings,
                seed: seed.child(&format!("run {number}")),
            };
            let course = one(&task, &self.out.join(format!("run-{number}.json")))?;
            for entry in &course {
                let Progress { generation, best, mean, size } = entry;
                writeln!(progress, "{number},{generation},{},{mean},{size}", best.fitness)
                    .expect("writing to a string");
                if self.keep.contains(generation) {
                    let name = format!("run-{number}-generation-{generation}.txt");
                    self.write(&name, &describe(fitness, &teacher, entry))?;
                }
            }
            let last = course.last().expect("the first generation is there");
            self.write(&format!("run-{number}.txt"), &describe(fitness, &teacher, last))?;
            rows.push([
                number.to_string(),
                format!("{:.5}", last.best.fitness),
                format!("{:.5}", last.mean),
                last.best.individual.tree().size().to_string(),
            ]);
        }
        self.write("progress.csv", &progress)?;
        print(&grid(["run", "best", "mean", "size, simplified"], rows, &[0, 1, 2, 3]))
    }

    /// The teacher in words, and its lessons: from the folder, or made and put there.
    fn lessons(&self, seed: Seed) -> Result<(String, Lessons)> {
        let information = match self.teacher {
            TeacherName::Imperfect => Information::Imperfect,
            TeacherName::Perfect => Information::Perfect,
        };
        let teacher = Teacher {
            information,
            positions: self.positions as usize,
            depth: self.depth,
            value_depth: self.value_depth,
        };
        let name = format!(
            "{}-depth-{}-values-{}-positions-{}-seed-{seed}",
            match self.teacher {
                TeacherName::Imperfect => "imperfect",
                TeacherName::Perfect => "perfect",
            },
            self.depth,
            self.value_depth,
            self.positions
        );
        let path = self.out.join(format!("lessons-{name}.txt"));
        if path.exists() {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let lessons = text.parse::<Lessons>().with_context(|| path.display().to_string())?;
            anyhow::ensure!(
                lessons.len() == self.positions as usize,
                "{}: {} positions, not {}; delete it to have it made anew",
                path.display(),
                lessons.len(),
                self.positions
            );
            return Ok((name, lessons));
        }
        eprintln!("the teacher plays {} positions", self.positions);
        let lessons = teacher.lessons(seed);
        self.write(&format!("lessons-{name}.txt"), &lessons.to_string())?;
        Ok((name, lessons))
    }

    /// Writes a file beside its old self and then puts it in its place.
    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.out.join(name);
        let beside = self.out.join(format!("{name}.new"));
        fs::write(&beside, text)
            .and_then(|()| fs::rename(&beside, &path))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

fn describe(fitness: Fitness, teacher: &str, entry: &Progress<Strategy>) -> String {
    format!(
        "# Generation {}, {} {:.6}, teacher {teacher}.\n{}",
        entry.generation,
        fitness.name(),
        entry.best.fitness,
        entry.best.individual
    )
}
