use oboro_core::{Footprint, Spec};
use std::fmt;

/// An agent as a stranger may ask for it: a public agent of a game with public parameters in their bounds, or a player
/// from outside that was let in by name. It is made by [`AnyRules::public`](crate::AnyRules::public) alone, so whatever
/// takes one cannot be made to read a file, start a program or take unbounded time or memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicSpec {
    text: String,
    footprint: Footprint,
}

/// What our side of a program outside takes.
const EXTERNAL: Footprint = Footprint { held: 1_024, thinking: 1_024 };

impl PublicSpec {
    pub(crate) fn new(spec: &Spec, footprint: Footprint) -> PublicSpec {
        PublicSpec { text: spec.to_string(), footprint }
    }

    pub(crate) fn external(text: String) -> PublicSpec {
        PublicSpec { text, footprint: EXTERNAL }
    }

    /// Its canonical text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it takes of memory at most.
    pub fn footprint(&self) -> Footprint {
        self.footprint
    }
}

impl fmt::Display for PublicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
