//! All integration tests of the package in one program: it is linked once.

mod bots;
mod faults;
mod hostile;
mod shell;
mod speak;
mod tcp;
