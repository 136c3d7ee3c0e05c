//! The agents of the paper, one of our own, and the net of the player of every game.

mod by_series;
mod eval;
mod inference;
mod mc;
mod reader;
mod rule;
mod standard;
mod upp;

pub use crate::policy::{HandPlayer, HandPolicy, Random, Turn};
pub use eval::{Eval, PassLead, PlayersCounted, SeriesStop, Ties};
pub use rule::Rule;

use crate::{Cards, Sevens};
use mc::{MonteCarlo, PolicyName};
use oboro_core::{AgentEntry, Game, NoParams, Rng, fresh};
use oboro_player::ShippedNet;
use oboro_search::with_standard_agents;
use reader::Reader;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use upp::Upp;

/// The net of `oboro`; `docs/explanation/sevens-agent.md` says how it was trained.
static NET: ShippedNet = ShippedNet::new(include_bytes!("../../nets/policy.safetensors"));

/// The parameters of `random`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RandomPlayer {
    /// Whether a pass is drawn like a card while passes are left. The paper's text leaves it out; one row of
    /// its tables calls the player by another name.
    #[schemars(extend("x-public" = {}))]
    pub pass: bool,
}

impl HandPolicy for RandomPlayer {
    fn choose(&self, turn: Turn<'_>, rng: &mut Rng) -> Cards {
        let may_pass = turn.public.passes[turn.seat.index()] > 0;
        if self.pass && may_pass && rng.below(turn.cards.len() + 1) == 0 {
            return Cards::EMPTY;
        }
        Random.choose(turn, rng)
    }
}

/// Every agent by name.
pub fn agents() -> Vec<AgentEntry<Sevens>> {
    with_standard_agents(vec![
        AgentEntry::new(
            "random",
            "Ishikawa and Fujita 2018, 4.1",
            "Lays any playable card; passes only when it must",
            |_, params: &RandomPlayer| Ok(fresh(HandPlayer(*params))),
        )
        .public(1, 1_024),
        AgentEntry::new(
            "rule",
            "Ishikawa and Fujita 2018, 4.2",
            "Lays a playable card as far from 7 as it can; passes only when it must",
            |_, _: &NoParams| Ok(fresh(HandPlayer(Rule))),
        )
        .public(1, 1_024),
        AgentEntry::new(
            "eval",
            "Ishikawa and Fujita 2018, 4.3",
            "Opens series in which it holds cards itself and keeps those closed that help others",
            |_, params: &Eval| Ok(fresh(HandPlayer(*params))),
        )
        .public(1, 1_024),
        AgentEntry::new(
            "mc",
            "Ishikawa and Fujita 2018, 4.4",
            "Flat Monte Carlo over random deals of the unknown cards",
            |_, params: &MonteCarlo| params.factory(),
        )
        .positional(&["playouts"])
        .public(1, 1_024),
        AgentEntry::new(
            "upp",
            "Ishikawa and Fujita 2018, 4.5.2",
            "Monte Carlo whose deals are weighted by earlier playouts that agreed with real play",
            |game: &Sevens, params: &Upp| params.factory(game.seats()),
        )
        .positional(&["playouts"])
        .public(4_000, 6_000),
        AgentEntry::new(
            "reader",
            "Oboro",
            "Monte Carlo over worlds sampled by the likelihood of every card and pass",
            |_, params: &Reader| params.factory(),
        )
        .positional(&["worlds"])
        .public(1, 1_024),
        oboro_player::oboro(&NET),
    ])
}
