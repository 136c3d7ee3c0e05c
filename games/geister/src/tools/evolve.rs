use super::breeding::{Breeding, Stock};
use super::lessons::TrainingParams;
use super::{about, policy, write};
use crate::gp::{Corners, Fitness, PrimitiveSet, Strategy};
use oboro_core::{Seed, Tool, ToolHost, Toolbox, check_range};
use oboro_evolve::{Crossover, Evolution, Progress, Settings, Shape, on_threads};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn toolbox() -> Toolbox {
    Toolbox {
        name: "evolve",
        about: "Breeds playout policies: genetic programming, and a genetic algorithm for their probabilities\n\n\
            The folder gets one checkpoint and one policy a run, the course of the fitness (progress.csv) and the teacher's \
            positions. The same command again goes on where the last one stopped and ends with the same files, whatever \
            the number of threads.\n\n\
            Examples:\n  \
            oboro evolve geister --primitives aware --fitness agreement --teacher imperfect --seed 1 --out runs/aware\n  \
            oboro evolve tune algorithm-1 --seed 1 --out runs/tuned",
        tools: vec![
            Tool::new(
                "geister",
                "Evolves playout policies for Geister from a teacher's games",
                evolve,
            )
            .required(&["out"]),
            Tool::new(
                "tune",
                "Tunes the probabilities with which a Geister policy makes its moves",
                tune,
            )
            .positional(&["policy"])
            .required(&["out"]),
        ],
    }
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
struct Evolve {
    /// The functions that policies are made of: without colours, with colours, or all
    primitives: PrimitiveSet,

    /// Which corners `isHavingKeeper` and the functions named …`OppNearMyGoal` look at: those at the mover's home (`home`), those
    /// by which it leaves (`exits`, the default), or those at the home of the side that searches (`searcher`; the mover's home
    /// while breeding)
    corners: Option<String>,

    /// The first trees: `ramped` half-and-half of depth 2 to 4, at most 8 deep later; `shallow`, of depth 1 to 2, at most 17, as
    /// the Python library DEAP has them
    shape: FirstTrees,

    /// Where two policies are joined: at any `node` that fits, or at nodes of one `type`, as DEAP does
    crossover: Crossover,

    #[serde(flatten)]
    common: Common,
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
struct Tune {
    /// The policy's file, or the name of one that comes with the game
    policy: String,

    #[serde(flatten)]
    common: Common,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
struct Common {
    /// What makes a policy good: making the teacher's moves, or losing little by the teacher's values
    fitness: FitnessName,

    /// Whether fitness is measured by one move drawn in every position, instead of the exact mean
    sampled: bool,

    #[serde(flatten)]
    training: TrainingParams,

    /// No difference of values counts more in a loss; from 200000000 on nothing is cut off
    bound: u32,

    /// Generations after the first
    generations: u32,

    /// Individuals in a generation
    population: usize,

    /// The best so many of a generation go on unchanged; DEAP keeps none
    elites: usize,

    /// How often it is done, each time with other random numbers
    runs: u32,

    /// Also writes the best policy of these generations down, separated by commas
    keep: String,

    /// Where everything random comes from
    seed: Option<String>,

    /// Threads [default: one a core]. Results do not depend on it
    threads: Option<u16>,

    /// A folder for the results
    out: PathBuf,
}

impl Default for Common {
    fn default() -> Common {
        let settings = Settings::default();
        Common {
            fitness: FitnessName::default(),
            sampled: false,
            training: TrainingParams::default(),
            bound: Fitness::BOUND,
            generations: settings.generations,
            population: settings.population,
            elites: settings.elites,
            runs: 5,
            keep: String::new(),
            seed: None,
            threads: None,
            out: PathBuf::new(),
        }
    }
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum FirstTrees {
    #[default]
    Ramped,
    Shallow,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum FitnessName {
    #[default]
    Agreement,
    Loss,
    ClippedLoss,
}

fn evolve(params: &Evolve, host: &dyn ToolHost) -> Result<(), String> {
    let corners =
        params.corners.as_deref().map_or(Ok(Corners::default()), str::parse::<Corners>)?;
    let stock = Stock {
        primitives: params.primitives,
        corners,
        shape: match params.shape {
            FirstTrees::Ramped => Shape::RAMPED,
            FirstTrees::Shallow => Shape::SHALLOW,
        },
        crossover: params.crossover,
    };
    params.common.repeat(host, |run, checkpoint| {
        let done = run.policies(stock, Some(checkpoint)).map_err(|error| error.to_string())?;
        let policy = |tree: &_| Strategy::new(Clone::clone(tree)).with_corners(corners);
        Ok(course(&done, |tree| policy(tree).simplified()))
    })
}

fn tune(params: &Tune, host: &dyn ToolHost) -> Result<(), String> {
    let squad = policy::load(&params.policy)?;
    let [strategy] = squad.strategies() else {
        let count = squad.strategies().len();
        return Err(format!("{}: {count} policies; one is tuned", params.policy));
    };
    params.common.repeat(host, |run, checkpoint| {
        let done = run.chances(strategy, Some(checkpoint)).map_err(|error| error.to_string())?;
        Ok(course(&done, |genes| strategy.with_chances(genes)))
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
    fn repeat(
        &self,
        host: &dyn ToolHost,
        one: impl Fn(&Breeding<'_>, &Path) -> Result<Course, String> + Send + Sync,
    ) -> Result<(), String> {
        self.training.check()?;
        check_range("bound", self.bound, 1..=u32::MAX)?;
        check_range("runs", self.runs, 1..=u32::MAX)?;
        check_range("threads", self.threads.unwrap_or(1), 1..=u16::MAX)?;
        on_threads(self.threads, || self.run_all(host, &one))?
    }

    fn run_all(
        &self,
        host: &dyn ToolHost,
        one: &impl Fn(&Breeding<'_>, &Path) -> Result<Course, String>,
    ) -> Result<(), String> {
        let keep = self.generations_kept()?;
        let seed = if let Some(text) = &self.seed {
            text.parse().map_err(about("seed"))?
        } else {
            host.say("no --seed given: using 1");
            Seed::from_u64(1)
        };
        let settings = Settings {
            generations: self.generations,
            population: self.population,
            elites: self.elites,
            ..Settings::default()
        };
        settings.validate().map_err(|error| error.to_string())?;
        fs::create_dir_all(&self.out)
            .map_err(about(format!("cannot make {}", self.out.display())))?;
        let (teacher, lessons) = self.training.positions(Some(&self.out), host, seed)?;
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
                sampled: self.sampled,
                seed: seed.child(&format!("run {number}")),
                host,
            };
            let course = one(&run, &self.out.join(format!("run-{number}.json")))?;
            for entry in &course {
                let Progress { generation, best, mean, size } = entry;
                writeln!(progress, "{number},{generation},{},{mean},{size}", best.fitness)
                    .expect("writing to a string");
                if keep.contains(generation) {
                    let name = format!("run-{number}-generation-{generation}.txt");
                    self.write(&name, &describe(fitness, &teacher, entry))?;
                }
            }
            let last = course.last().expect("the first generation is there");
            self.write(&format!("run-{number}.txt"), &describe(fitness, &teacher, last))?;
            rows.push(vec![
                number.to_string(),
                format!("{:.5}", last.best.fitness),
                format!("{:.5}", last.mean),
                last.best.individual.tree().size().to_string(),
            ]);
        }
        self.write("progress.csv", &progress)?;
        host.print_table(&["run", "best", "mean", "size, simplified"], rows)
    }

    /// The generations whose best policies are written down, too.
    fn generations_kept(&self) -> Result<Vec<u32>, String> {
        let words = self.keep.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.map(|word| word.parse().map_err(about(format!("keep={word}")))).collect()
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        write(&self.out.join(name), text)
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
