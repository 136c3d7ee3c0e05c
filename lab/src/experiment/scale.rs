use serde::{Deserialize, Serialize};
use std::fmt;

/// How large an experiment is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Minutes: enough to see the shape.
    #[default]
    Quick,
    /// As many games as the paper played.
    Paper,
    /// More than the paper: narrow intervals.
    Full,
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scale::Quick => "quick",
            Scale::Paper => "paper",
            Scale::Full => "full",
        })
    }
}

/// Games at each scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scales {
    quick: u64,
    paper: u64,
    full: u64,
}

impl Scales {
    pub(crate) fn at(self, scale: Scale) -> u64 {
        match scale {
            Scale::Quick => self.quick,
            Scale::Paper => self.paper,
            Scale::Full => self.full,
        }
    }
}
