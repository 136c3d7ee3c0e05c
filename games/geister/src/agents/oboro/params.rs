//! The parameters of `oboro`.

use super::placement::RedPlacement;
use super::policy_net::NETS;
use crate::agents::check_range;
use oboro_core::SpecError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The parameters of `oboro`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct OboroParams {
    /// Nodes per decision for the solver, and as many for the search; 0 plays the policy alone.
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 200_000}))]
    pub(super) nodes: u64,
    /// Policy nets, `first` to `tenth`, joined by `+`. One of them is drawn for each game.
    #[schemars(with = "String")]
    pub(super) nets: NetList,
    /// Temperature of the policy: probabilities are raised to the power of one over it. Near 0 the likeliest move is
    /// always played.
    #[schemars(extend("x-public" = {"minimum": 0.01, "maximum": 10}))]
    pub(super) temperature: f64,
    /// Minimum probability of a move relative to the likeliest one. Less likely moves are not played.
    pub(super) min_relative_probability: f64,
    /// Temperature of the policy for a `learned` placement.
    pub(super) placement_temperature: f64,
    /// Choice of the red pieces: `corner` (three side by side in front and one in a corner behind), `front` (three in front
    /// and one behind), `learned` (by the net), `random`, or the four pieces, as in CEFG.
    #[schemars(with = "String", extend("x-public" = {"maxLength": 10}))]
    pub(super) placement: RedPlacement,
    /// Longest forced win that is looked for, in plies.
    pub(super) proof_plies: u32,
    /// Nodes per decision for the prover, which then replaces the solver. It finds longer wins and assumes that an enemy
    /// piece that stayed on an exit is red.
    pub(super) prover_nodes: Option<u64>,
    /// Size of the table of proofs: two to the power of this many entries of 16 bytes.
    pub(super) table_bits: u32,
    /// Depth of the search for losing moves, in plies; 0 disables it.
    pub(super) search_depth: u32,
    /// Probability from which a piece counts as red or as blue in the search. All others count as both; above 1, all do.
    pub(super) belief_threshold: f64,
    /// Probability from which a piece counts as blue while one red is left: to capture the last red loses.
    pub(super) blue_belief_threshold: f64,
    /// Smallest total probability of the moves that do not lose at which losing moves are pruned. Below it the policy is
    /// trusted: the search assumes the worst of unknown pieces.
    pub(super) min_safe_probability: f64,
    /// Probability above which the net's beliefs are treated as uninformative; losing moves found by search are then always
    /// pruned.
    pub(super) uninformative_threshold: f64,
    /// Similarity of the opponent's first eight moves to the net (mean log-likelihood ratio against a uniform policy) above
    /// which it counts as trained against the net. While it has more than one red left, every piece then counts as blue in
    /// the search, and losing moves are always pruned. `none` disables this.
    #[serde(with = "threshold")]
    #[schemars(with = "Option<f64>")]
    pub(super) similarity_threshold: Option<f64>,
    /// Depth of the search against an opponent above the similarity threshold, in plies; 0 disables it.
    pub(super) similar_depth: u32,
    /// Rollouts per decision against an opponent above the similarity threshold, if `playouts` are not more. Their worlds are
    /// sampled without the net's beliefs.
    pub(super) similar_playouts: u32,
    /// Rollouts per decision, by which likely moves are compared in worlds sampled from the beliefs; 0 disables them.
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 200}))]
    pub(super) playouts: u32,
    /// Seconds after which the rollouts of a decision end, for tournaments. Such games cannot be replayed bit for bit.
    pub(super) seconds: Option<f64>,
    /// Length of a rollout in plies; then the net's value counts.
    pub(super) rollout_plies: u32,
    /// Temperature of values: a move worth this much more becomes e times as likely.
    pub(super) value_temperature: f64,
}

impl Default for OboroParams {
    fn default() -> OboroParams {
        OboroParams {
            nodes: 20_000,
            nets: NetList(vec![2, 3, 4, 7, 8, 9]),
            temperature: 1.0,
            min_relative_probability: 0.0,
            placement_temperature: 1.0,
            placement: RedPlacement::Learned,
            proof_plies: 13,
            prover_nodes: None,
            table_bits: 16,
            search_depth: 2,
            belief_threshold: 0.5,
            blue_belief_threshold: 0.97,
            min_safe_probability: 0.05,
            uninformative_threshold: 0.4,
            similarity_threshold: Some(0.2),
            similar_depth: 4,
            similar_playouts: 24,
            playouts: 0,
            seconds: None,
            rollout_plies: 16,
            value_temperature: 0.02,
        }
    }
}

impl OboroParams {
    /// Refuses values out of range.
    pub(super) fn check(&self) -> Result<(), SpecError> {
        const MOST_NODES: u64 = 10_000_000_000;
        check_range("nodes", self.nodes, 0..=MOST_NODES)?;
        check_range("temperature", self.temperature, 0.01..=10.0)?;
        check_range("min-relative-probability", self.min_relative_probability, 0.0..=1.0)?;
        check_range("placement-temperature", self.placement_temperature, 0.01..=10.0)?;
        check_range("proof-plies", self.proof_plies, 1..=99)?;
        check_range("prover-nodes", self.prover_nodes.unwrap_or(1), 1..=MOST_NODES)?;
        check_range("table-bits", self.table_bits, 8..=28)?;
        check_range("search-depth", self.search_depth, 0..=60)?;
        check_range("belief-threshold", self.belief_threshold, 0.5..=2.0)?;
        check_range("blue-belief-threshold", self.blue_belief_threshold, 0.5..=2.0)?;
        check_range("min-safe-probability", self.min_safe_probability, 0.0..=1.0)?;
        check_range("uninformative-threshold", self.uninformative_threshold, 0.0..=1.0)?;
        let similarity = self.similarity_threshold.unwrap_or(0.0);
        check_range("similarity-threshold", similarity, -10.0..=10.0)?;
        check_range("similar-depth", self.similar_depth, 0..=60)?;
        check_range("rollout-plies", self.rollout_plies, 0..=300)?;
        check_range("value-temperature", self.value_temperature, 0.001..=10.0)?;
        if self.playouts == 0 && self.seconds.is_some() {
            return Err(SpecError("seconds: there are no playouts to end (playouts=0)".to_owned()));
        }
        Ok(())
    }
}

/// Some of the nets by number, at least one; a net may be there more than once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct NetList(pub(super) Vec<usize>);

serde_as_text!(NetList);

impl fmt::Display for NetList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|&net| NETS[net].0).collect();
        f.write_str(&names.join("+"))
    }
}

impl FromStr for NetList {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<NetList, SpecError> {
        let known = NETS.map(|(name, _)| name);
        let number = |name: &str| {
            let found = known.iter().position(|known| *known == name);
            found.ok_or_else(|| SpecError::unknown("net", name, &known))
        };
        text.split('+').map(number).collect::<Result<_, _>>().map(NetList)
    }
}

/// A number, or `none` in writing: the default is a number, so that nothing is not the same as not given.
mod threshold {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Number(f64),
        Word(String),
    }

    #[allow(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(number) => to.serialize_f64(*number),
            None => to.serialize_str("none"),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        match Given::deserialize(from)? {
            Given::Number(number) => Ok(Some(number)),
            Given::Word(word) if word == "none" => Ok(None),
            Given::Word(word) => {
                Err(D::Error::custom(format!("`{word}` is no number, nor `none`")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::{Spec, changed_params, from_pairs};

    #[test]
    fn parameters_round_trip_as_text() {
        for text in ["nets=first+ninth", "similarity-threshold=none", "similarity-threshold=0.5"] {
            let spec: Spec = format!("oboro:{text}").parse().unwrap();
            let params: OboroParams = from_pairs("oboro", &spec.args, &[]).unwrap();
            let changed = changed_params(&params);
            let [(key, value)] = &changed[..] else { panic!("{changed:?}") };
            assert_eq!(format!("{key}={value}"), text);
        }
        assert_eq!("third+third+tenth".parse(), Ok(NetList(vec![2, 2, 9])));
        for bad in ["", "eleventh", "first+", "1"] {
            assert!(bad.parse::<NetList>().is_err(), "{bad}");
        }
    }
}
