use crate::{Breeder, CheckpointError, checkpoint};
use oboro_core::{Rng, Seed, SpecError};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How a population evolves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Individuals in a generation.
    pub population: usize,
    /// Generations after the first.
    pub generations: u32,
    /// The probability that a child has two parents.
    pub crossover: f64,
    /// The probability that a child is changed, after crossover if there was one.
    pub mutation: f64,
    /// A parent is the best of so many drawn at random.
    pub tournament: usize,
    /// The best so many go on unchanged.
    pub elites: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            population: 100,
            generations: 50,
            crossover: 0.5,
            mutation: 0.2,
            tournament: 3,
            elites: 1,
        }
    }
}

impl Settings {
    /// Checks that a population can evolve so.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn validate(&self) -> Result<(), SpecError> {
        let refuse = |text: String| Err(SpecError(text));
        if !(2..=1_000_000).contains(&self.population) {
            return refuse(format!("population={}: 2 to 1000000", self.population));
        }
        if !(1..=self.population).contains(&self.tournament) {
            return refuse(format!(
                "tournament={}: 1 to the population, {}",
                self.tournament, self.population
            ));
        }
        if self.elites >= self.population {
            return refuse(format!(
                "elites={}: less than the population, {}",
                self.elites, self.population
            ));
        }
        for (name, rate) in [("crossover", self.crossover), ("mutation", self.mutation)] {
            if !(0.0..=1.0).contains(&rate) {
                return refuse(format!("{name}={rate}: a probability, 0 to 1"));
            }
        }
        Ok(())
    }
}

/// An individual and how good it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scored<I> {
    /// The individual.
    pub individual: I,
    /// Its fitness; more is better.
    pub fitness: f64,
}

/// One generation in figures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress<I> {
    /// Its number; 0 is the first, random one.
    pub generation: u32,
    /// Its best individual, the first of equals.
    pub best: Scored<I>,
    /// The mean fitness.
    pub mean: f64,
    /// The mean size.
    pub size: f64,
}

/// A population with its past: all that a run needs to go on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Evolution<I> {
    /// The present generation.
    pub population: Vec<Scored<I>>,
    /// One entry a generation so far, the first one included.
    pub history: Vec<Progress<I>>,
}

impl<I> Evolution<I> {
    /// The best individual of the present generation.
    pub fn best(&self) -> &Scored<I> {
        &self.latest().best
    }

    /// The latest entry of the history.
    pub fn latest(&self) -> &Progress<I> {
        self.history.last().expect("the first generation is there")
    }
}

/// What to evolve: a problem by name, how, and from which seed.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The problem in words; a checkpoint of another problem is refused.
    pub problem: String,
    /// How the population evolves.
    pub settings: Settings,
    /// What all randomness is derived from.
    pub seed: Seed,
}

impl Plan {
    /// Evolves to the last generation.
    ///
    /// `fitness` is called from many threads, once for every individual that is not a copy of one
    /// before; what is no finite number counts as worst. `watch` sees every generation, the one
    /// found in the checkpoint included. With a `checkpoint`, the run is written there after every
    /// generation, and goes on from there if the file exists.
    ///
    /// # Errors
    /// If the settings make no sense, or the checkpoint cannot be read, is not of this plan, or
    /// cannot be written.
    pub fn run<B: Breeder>(
        &self,
        breeder: &B,
        fitness: impl Fn(&B::Individual) -> f64 + Sync,
        checkpoint: Option<&Path>,
        mut watch: impl FnMut(&Evolution<B::Individual>),
    ) -> Result<Evolution<B::Individual>, CheckpointError> {
        self.settings.validate()?;
        let fitness = |one: &B::Individual| Some(fitness(one)).filter(|f| f.is_finite());
        let fitness = |one: &B::Individual| fitness(one).unwrap_or(f64::MIN);
        let found = match checkpoint {
            Some(path) => checkpoint::load(path, self, breeder)?,
            None => None,
        };
        let mut evolution = if let Some(found) = found {
            found
        } else {
            let first = self.first(breeder, &fitness);
            save(checkpoint, self, &first)?;
            first
        };
        watch(&evolution);
        while evolution.latest().generation < self.settings.generations {
            self.advance(&mut evolution, breeder, &fitness);
            save(checkpoint, self, &evolution)?;
            watch(&evolution);
        }
        Ok(evolution)
    }

    /// The stream of one individual.
    fn rng(&self, generation: u32, number: usize) -> Rng {
        let generation = self.seed.child(&format!("generation {generation}"));
        generation.game(number as u64, number as u64).deal()
    }

    fn first<B: Breeder>(
        &self,
        breeder: &B,
        fitness: &(impl Fn(&B::Individual) -> f64 + Sync),
    ) -> Evolution<B::Individual> {
        let population: Vec<_> = (0..self.settings.population)
            .into_par_iter()
            .map(|number| {
                let individual = breeder.create(number, &mut self.rng(0, number));
                let fitness = fitness(&individual);
                Scored { individual, fitness }
            })
            .collect();
        let history = vec![progress(0, &population, breeder)];
        Evolution { population, history }
    }

    fn advance<B: Breeder>(
        &self,
        evolution: &mut Evolution<B::Individual>,
        breeder: &B,
        fitness: &(impl Fn(&B::Individual) -> f64 + Sync),
    ) {
        let generation = evolution.latest().generation + 1;
        let before = &evolution.population;
        let mut ranking: Vec<usize> = (0..before.len()).collect();
        ranking.sort_by(|&a, &b| before[b].fitness.total_cmp(&before[a].fitness));
        let population: Vec<_> = (0..self.settings.population)
            .into_par_iter()
            .map(|number| {
                if number < self.settings.elites {
                    return before[ranking[number]].clone();
                }
                self.child(before, breeder, fitness, &mut self.rng(generation, number))
            })
            .collect();
        evolution.history.push(progress(generation, &population, breeder));
        evolution.population = population;
    }

    fn child<B: Breeder>(
        &self,
        before: &[Scored<B::Individual>],
        breeder: &B,
        fitness: &impl Fn(&B::Individual) -> f64,
        rng: &mut Rng,
    ) -> Scored<B::Individual> {
        let parent = self.select(before, rng);
        let mut individual = parent.individual.clone();
        if rng.chance(self.settings.crossover) {
            let other = self.select(before, rng);
            individual = breeder.cross(&individual, &other.individual, rng);
        }
        if rng.chance(self.settings.mutation) {
            individual = breeder.mutate(&individual, rng);
        }
        let fitness =
            if individual == parent.individual { parent.fitness } else { fitness(&individual) };
        Scored { individual, fitness }
    }

    /// Tournament selection: the best of a few drawn at random, the first drawn of equals.
    fn select<'a, I>(&self, population: &'a [Scored<I>], rng: &mut Rng) -> &'a Scored<I> {
        let mut best = &population[rng.below(population.len())];
        for _ in 1..self.settings.tournament {
            let other = &population[rng.below(population.len())];
            if other.fitness > best.fitness {
                best = other;
            }
        }
        best
    }
}

fn save<I: Clone + Serialize>(
    path: Option<&Path>,
    plan: &Plan,
    evolution: &Evolution<I>,
) -> Result<(), CheckpointError> {
    path.map_or(Ok(()), |path| checkpoint::save(path, plan, evolution))
}

fn progress<B: Breeder>(
    generation: u32,
    population: &[Scored<B::Individual>],
    breeder: &B,
) -> Progress<B::Individual> {
    let mut best = &population[0];
    for one in population {
        if one.fitness > best.fitness {
            best = one;
        }
    }
    let count = population.len() as f64;
    let sizes = population.iter().map(|one| breeder.size(&one.individual));
    Progress {
        generation,
        best: best.clone(),
        mean: population.iter().map(|one| one.fitness / count).sum(),
        size: sizes.sum::<usize>() as f64 / count,
    }
}
