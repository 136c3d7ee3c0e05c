//! The player in the list of a game's agents.

use crate::agent::{Limits, PlayerAgent};
use crate::evaluator::{Evaluator, Uniform};
use crate::net::{GameNet, ShippedNet};
use crate::playable::Playable;
use crate::solved::Solved;
use oboro_core::{AgentEntry, Factory, Player, SpecError, params};
use std::fs::File;
use std::io::Read as _;
use std::marker::PhantomData;
use std::sync::Arc;

/// The parameters of the player with the net that Oboro ships.
#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default, bound = "", deny_unknown_fields, rename_all = "kebab-case")]
struct OboroParams<G: Playable> {
    /// Rollouts per decision, by which the likeliest actions are compared; 0 plays the net's policy alone.
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 1000}))]
    playouts: u32,
    /// Seconds after which the rollouts of a decision end, for tournaments. Such games cannot be replayed bit for bit.
    seconds: Option<f64>,
    /// How many of the likeliest actions are compared.
    #[schemars(extend("x-public" = {"minimum": 2, "maximum": 64}))]
    candidates: usize,
    /// Temperature of the net's policy. Near 0 the likeliest action is always played.
    #[schemars(extend("x-public" = {"minimum": 0.01, "maximum": 10}))]
    temperature: f64,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

impl<G: Playable> Default for OboroParams<G> {
    fn default() -> OboroParams<G> {
        let Limits { playouts, seconds, candidates, temperature } = DEFAULTS;
        let playouts = if G::REVISE.is_some() { 0 } else { playouts };
        OboroParams { playouts, seconds, candidates, temperature, game: PhantomData }
    }
}

/// The limits of a player about which nothing else is said.
const DEFAULTS: Limits = Limits { playouts: 64, seconds: None, candidates: 8, temperature: 1.0 };

/// The parameters of the player with a net from a file.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct NetParams {
    /// A net that `python -m oboro.learn train` wrote.
    file: String,
    /// Rollouts per decision, by which the likeliest actions are compared; 0 plays the net's policy alone.
    playouts: u32,
    /// Seconds after which the rollouts of a decision end, for tournaments. Such games cannot be replayed bit for bit.
    seconds: Option<f64>,
    /// How many of the likeliest actions are compared.
    candidates: usize,
    /// Temperature of the net's policy. Near 0 the likeliest action is always played.
    temperature: f64,
}

impl Default for NetParams {
    fn default() -> NetParams {
        let Limits { seconds, candidates, temperature, .. } = DEFAULTS;
        NetParams { file: String::new(), playouts: 0, seconds, candidates, temperature }
    }
}

/// Rollouts of a player without a net, unless somebody asks for more.
const WITHOUT_NET: u32 = 1000;

/// Files of nets are refused above this many bytes. The largest that the trainer writes by default has 20 million.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The kilobytes that the player with a shipped net holds while it waits, and needs more while it thinks.
const FOOTPRINT: [u32; 2] = [7_000, 5_000];
/// The same of the player without a net, for the largest game that it solves.
const FOOTPRINT_OF_SOLUTION: [u32; 2] = [10_000, 40_000];

/// The player with a net that is part of the program. Where the rules of a game are not those of the net, and its worlds can be
/// replayed, games are played out instead.
pub fn oboro<G: Playable>(net: &'static ShippedNet) -> AgentEntry<G> {
    let build = move |game: &G, params: &OboroParams<G>| {
        let OboroParams { playouts, seconds, candidates, temperature, .. } = *params;
        let limits = Limits { playouts, seconds, candidates, temperature };
        match net.get(game) {
            Ok(net) => factory(game, net, limits),
            // Other numbers of players, say: playouts need no net.
            Err(_) if G::REVISE.is_some() => {
                let playouts = if playouts == 0 { WITHOUT_NET } else { playouts };
                factory(game, Uniform::default(), Limits { playouts, ..limits })
            }
            Err(error) => Err(SpecError(error.to_string())),
        }
    };
    let [held, thinking] = FOOTPRINT;
    let about =
        "Follows a trained net, corrected by rollouts in worlds that its beliefs make likely";
    AgentEntry::new("oboro", "Oboro", about, build).positional(&["playouts"]).public(held, thinking)
}

params! {
    /// The parameters of the player without a net.
    struct PlainParams {
        /// Playouts per decision. A small game is solved instead, with more iterations the higher this is.
        #[schemars(extend("x-public" = {"minimum": 1, "maximum": 1000}))]
        playouts: u32 = WITHOUT_NET,
        /// Seconds after which a decision ends, for tournaments. Such games cannot be replayed bit for bit.
        seconds: Option<f64> = None,
    }
}

/// The player without a net, for games that have none. A small game is solved before the first decision. In others any action
/// is as likely as any other, and games are played out at random.
pub fn plain_oboro<G: Playable>() -> AgentEntry<G> {
    let build = |game: &G, params: &PlainParams| {
        let PlainParams { playouts, seconds } = *params;
        if playouts == 0 {
            return Err(SpecError("playouts=0: at least one".to_owned()));
        }
        factory(game, Solved::new(game, playouts), Limits { playouts, seconds, ..DEFAULTS })
    };
    let [held, thinking] = FOOTPRINT_OF_SOLUTION;
    let about = "Solves small games before it plays; in others it tries every action in worlds that what it has seen makes likely";
    AgentEntry::new("oboro", "Oboro", about, build).positional(&["playouts"]).public(held, thinking)
}

/// The player with a net from a file, for any game.
pub fn net_agent<G: Playable>() -> AgentEntry<G> {
    let build = |game: &G, params: &NetParams| {
        let NetParams { ref file, playouts, seconds, candidates, temperature } = *params;
        if file.is_empty() {
            return Err(SpecError("name a net's file: net:FILE".to_owned()));
        }
        let fault = |error: &dyn ToString| SpecError(format!("file={file}: {}", error.to_string()));
        let mut bytes = Vec::new();
        let read =
            File::open(file).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| fault(&error))?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(fault(&"it is larger than 256 MiB"));
        }
        let net = GameNet::read(game, &bytes).map_err(|error| fault(&error))?;
        factory(game, net, Limits { playouts, seconds, candidates, temperature })
    };
    let about = "Plays by a net that `python -m oboro.learn train` wrote, with or without rollouts";
    AgentEntry::new("net", "Oboro", about, build).positional(&["file"])
}

fn factory<G: Playable>(
    game: &G,
    evaluator: impl Evaluator<G> + Clone + Sync + 'static,
    limits: Limits,
) -> Result<Factory<G>, SpecError> {
    limits.check()?;
    let game = game.clone();
    Ok(Arc::new(move || {
        Player::Agent(Box::new(PlayerAgent::new(&game, Box::new(evaluator.clone()), limits)))
    }))
}
