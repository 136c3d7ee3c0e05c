//! Evolution for any problem: typed genetic programming and a genetic algorithm on fixed genomes.
//!
//! A problem brings a [`Breeder`] (how individuals come about: [`TreeBreeder`] or [`GenomeBreeder`])
//! and a fitness; [`Plan::run`] does the rest. Every individual has a random stream of its own,
//! derived from the seed, its generation and its number, so a run is the same to the byte for any
//! number of threads, and one that was killed goes on from its last checkpoint to the same end.
//!
//! ```
//! use oboro_core::Seed;
//! use oboro_evolve::{GenomeBreeder, Plan, Settings};
//!
//! // The genome nearest to all 0.25.
//! let plan = Plan {
//!     problem: "quarters".into(),
//!     settings: Settings { generations: 40, ..Settings::default() },
//!     seed: Seed::from_u64(1),
//! };
//! let breeder = GenomeBreeder { length: 3 };
//! let fitness = |genes: &Vec<f64>| -genes.iter().map(|g| (g - 0.25).abs()).sum::<f64>();
//! let done = plan.run(&breeder, fitness, None, |_| ())?;
//! assert!(done.best().fitness > -0.2);
//! # Ok::<(), oboro_evolve::CheckpointError>(())
//! ```
#![forbid(unsafe_code)]

mod breeder;
mod checkpoint;
mod evolution;
mod genome;
mod simplify;
mod threads;
mod tree;
mod vocabulary;

pub use breeder::{Breeder, Crossover, Shape, TreeBreeder};
pub use checkpoint::CheckpointError;
pub use evolution::{Evolution, Plan, Progress, Scored, Settings};
pub use genome::GenomeBreeder;
pub use simplify::{Comparison, Meaning, Role, simplify};
pub use threads::{in_parallel, on_threads};
pub use tree::{Token, Tree, TreeError};
pub use vocabulary::{Vocabulary, VocabularyError};
