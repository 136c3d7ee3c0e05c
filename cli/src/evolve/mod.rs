mod breeding;
mod lessons;

use self::breeding::{Breeding, Stock};
pub(crate) use self::lessons::read as read_lessons;
use crate::common::{Threads, seed_or_one};
use crate::output::{grid, print};
use crate::policy;
use anyhow::{Context, Result};
use oboro_core::Seed;
use oboro_evolve::{Evolution, Progress, Settings, Shape};
use oboro_geister::agents::naotti::{Information, Search};
use oboro_geister::gp::{Corners, Fitness, PrimitiveSet, Strategy, Teacher, TrainingSet};
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

        /// Which corners `isHavingKeeper` and the functions named …`OppNearMyGoal` look at: those at the
        /// mover's home (`home`), those by which it leaves (`exits`), or those at the home of the side
        /// that searches (`searcher`; the mover's home while breeding)
        #[arg(long, default_value_t = Corners::default())]
        corners: Corners,

        /// The first trees: `ramped` half-and-half of depth 2 to 4, at most 8 deep later; `shallow`, of
        /// depth 1 to 2, at most 17, as the Python library DEAP has them
        #[arg(long, value_enum, default_value_t = FirstTrees::Ramped)]
        shape: FirstTrees,

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
    #[arg(long, default_value_t = Teacher::default().search.depth, value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: u32,

    /// Which of equal moves the teacher makes: the first `square-first`, as the public program does, or
    /// `direction-first`, as ours did at first (which also took every piece that stayed on an exit for
    /// red, and not one)
    #[arg(long, value_enum, default_value_t = TeacherOrder::SquareFirst)]
    order: TeacherOrder,

    /// How many plies it looks ahead for the value of every move, by which a loss is counted
    #[arg(long, default_value_t = Teacher::default().value_depth, value_parser = clap::value_parser!(u32).range(1..=12))]
    value_depth: u32,

    /// No difference of values counts more in a loss; from 200000000 on nothing is cut off
    #[arg(long, default_value_t = Fitness::BOUND, value_parser = clap::value_parser!(u32).range(1..))]
    bound: u32,

    /// Generations after the first
    #[arg(long, default_value_t = Settings::default().generations)]
    generations: u32,

    /// Individuals in a generation
    #[arg(long, default_value_t = Settings::default().population)]
    population: usize,

    /// The best so many of a generation go on unchanged; DEAP keeps none
    #[arg(long, default_value_t = Settings::default().elites)]
    elites: usize,

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
enum FirstTrees {
    Ramped,
    Shallow,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FitnessName {
    Agreement,
    Loss,
    ClippedLoss,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum TeacherOrder {
    SquareFirst,
    DirectionFirst,
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
        Command::Geister { primitives, corners, shape, common } => {
            let stock = Stock {
                primitives: match primitives {
                    Primitives::Blind => PrimitiveSet::Blind,
                    Primitives::Aware => PrimitiveSet::Aware,
                    Primitives::All => PrimitiveSet::All,
                },
                corners: *corners,
                shape: match shape {
                    FirstTrees::Ramped => Shape::RAMPED,
                    FirstTrees::Shallow => Shape::SHALLOW,
                },
            };
            common.repeat(|run, checkpoint| {
                let done = run.policies(stock, Some(checkpoint))?;
                let policy = |tree: &_| Strategy::new(Clone::clone(tree)).with_corners(*corners);
                Ok(course(&done, |tree| policy(tree).simplified()))
            })
        }
        Command::Tune { policy, common } => {
            let squad = policy::load(policy)?;
            let [strategy] = squad.strategies() else {
                anyhow::bail!("{policy}: {} policies; one is tuned", squad.strategies().len());
            };
            common.repeat(|run, checkpoint| {
                let done = run.chances(strategy, Some(checkpoint))?;
                Ok(course(&done, |genes| strategy.with_chances(genes)))
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

impl Common {
    /// Does all runs and writes down what they gave.
    fn repeat(&self, one: impl Fn(&Breeding<'_>, &Path) -> Result<Course>) -> Result<()> {
        let seed = seed_or_one(self.seed);
        let settings = Settings {
            generations: self.generations,
            population: self.population,
            elites: self.elites,
            ..Settings::default()
        };
        settings.validate()?;
        fs::create_dir_all(&self.out)
            .with_context(|| format!("cannot make {}", self.out.display()))?;
        let (teacher, lessons) = self.lessons(seed)?;
        let bound = self.bound;
        let fitness = match self.fitness {
            FitnessName::Agreement => Fitness::Agreement,
            FitnessName::Loss => Fitness::Loss { bound },
            FitnessName::ClippedLoss => Fitness::ClippedLoss { bound },
        };
        let mut progress = "run,generation,best,mean,size\n".to_owned();
        let mut rows = Vec::new();
        for number in 1..=self.runs {
            let run = Breeding {
                number,
                fitness,
                teacher: &teacher,
                lessons: &lessons,
                settings,
                seed: seed.child(&format!("run {number}")),
            };
            let course = one(&run, &self.out.join(format!("run-{number}.json")))?;
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
    fn lessons(&self, seed: Seed) -> Result<(String, TrainingSet)> {
        let (information, sees) = match self.teacher {
            TeacherName::Imperfect => (Information::Imperfect, "imperfect"),
            TeacherName::Perfect => (Information::Perfect, "perfect"),
        };
        let (search, order) = match self.order {
            TeacherOrder::SquareFirst => (Search::new(self.depth), "square-first"),
            TeacherOrder::DirectionFirst => {
                (Search::direction_first(self.depth), "direction-first")
            }
        };
        let teacher = Teacher {
            information,
            positions: self.positions as usize,
            search,
            value_depth: self.value_depth,
        };
        let name = format!(
            "{sees}-{order}-depth-{}-values-{}-positions-{}-seed-{seed}",
            self.depth, self.value_depth, self.positions
        );
        let path = self.out.join(format!("lessons-{name}.txt"));
        if path.exists() {
            let lessons = lessons::read(&path)?;
            anyhow::ensure!(
                lessons.len() == teacher.positions,
                "{}: {} positions, not {}; delete it to have it made anew",
                path.display(),
                lessons.len(),
                teacher.positions
            );
            return Ok((name, lessons));
        }
        eprintln!("the teacher plays {} positions", self.positions);
        let lessons = lessons::teach(&teacher, seed);
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
