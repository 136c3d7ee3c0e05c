//! Exact answers for small games: best responses, exploitability, and strategies that nobody can exploit.
//!
//! A game is solved in its sequence form. Every seat has a tree of information sets, which are its views; a *sequence* is
//! one of its actions at one of them, and stands for all of the seat's actions that lead there. An ending of the game
//! is then one sequence of each seat, its probability by chance and its payoffs. All passes are loops over flat arrays.
//!
//! ```
//! use oboro_small::Kuhn;
//! use oboro_solve::{Limits, Method, Solver, Tree};
//!
//! let tree = Tree::new(&Kuhn::default(), Limits::default())?;
//! let mut solver = Solver::new(&tree, Method::CfrPlus);
//! (0..1000).for_each(|_| solver.iterate());
//! let average = solver.average();
//! assert!(tree.exploitability(&average) < 1e-3);
//! assert!((tree.payoffs(&average)[0] + 1.0 / 18.0).abs() < 1e-3);
//! # Ok::<(), oboro_solve::TreeError>(())
//! ```
#![forbid(unsafe_code)]

mod agent;
mod cfr;
mod ends;
mod file;
mod grow;
mod mccfr;
mod reached;
mod sample;
mod side;
mod tree;
mod walk;

pub use agent::{TableAgent, table_agent};
pub use cfr::{Method, Solver};
pub use file::{FileError, Strategy};
pub use mccfr::Sampler;
pub use reached::Reached;
pub use sample::{Measured, Sampling};
pub use side::Side;
pub use tree::{Limits, Profile, Tree, TreeError};
pub use walk::Uniform;
