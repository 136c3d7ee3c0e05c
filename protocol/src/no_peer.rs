//! Programs are started and waited for by means that only Unix has; elsewhere there are none.

use std::path::Path;
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("programs can be started on Unix-like systems only")]
pub(crate) struct Fault;

/// A program at the other end: there is none.
#[derive(Debug)]
pub(crate) enum Peer {}

impl Peer {
    pub(crate) fn start(_: &str, _: Option<&Path>) -> Result<Peer, Fault> {
        Err(Fault)
    }

    pub(crate) fn connect(_: &str, _: Duration) -> Result<Peer, Fault> {
        Err(Fault)
    }

    pub(crate) fn ask(&mut self, _: &[u8], _: Duration) -> Result<Vec<u8>, Fault> {
        match *self {}
    }

    pub(crate) fn dismiss(self, _: &[u8]) -> bool {
        match self {}
    }
}
