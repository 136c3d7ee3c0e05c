//! What the metadata of a net's file says: which channels of an observation it reads, and what its answers mean.

use oboro_core::{Channel, EncodingLayout, Game, GameEncoding};
use oboro_nets::{NetError, Tensors};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Why a file is no net of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameNetError {
    /// The file, or an array in it.
    #[error(transparent)]
    Net(#[from] NetError),
    /// An entry of its metadata is missing, or says what cannot be.
    #[error("metadata `{key}`: {reason}")]
    Metadata {
        /// Which entry.
        key: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// It was trained for another game.
    #[error("it is a net of {found}, not of {wanted}")]
    OtherGame {
        /// The game of the net.
        found: String,
        /// The game that is played.
        wanted: &'static str,
    },
    /// It answers for another number of actions than the rules have.
    #[error(
        "it answers {found:?} numbers, for each cell and for the board; with these rules it should be {wanted:?}"
    )]
    Outputs {
        /// How many it answers.
        found: [usize; 2],
        /// How many it should answer.
        wanted: [usize; 2],
    },
}

/// The settings of a training run that a net's inputs and outputs depend on, as the trainer writes them.
#[derive(Deserialize)]
#[serde(default)]
struct Config {
    game: String,
    net: String,
    cell_actions: i64,
    ignore_planes: Vec<String>,
    features: Vec<String>,
    belief_plane: String,
    /// The largest payoff in files of former trainers, which have no census.
    #[serde(alias = "most_payoff")]
    max_payoff: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            game: String::new(),
            net: "auto".to_owned(),
            cell_actions: -1,
            ignore_planes: Vec::new(),
            features: Vec::new(),
            belief_plane: String::new(),
            max_payoff: 1.0,
        }
    }
}

/// What random play showed the trainer of the game.
#[derive(Deserialize)]
struct Census {
    features: Vec<(usize, u8)>,
    low: f64,
    high: f64,
}

/// What a net is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Convolutions over a board.
    Board,
    /// Dense layers.
    Flat,
    /// Rows of cards on either side of the 7s.
    Series,
}

/// Rows and columns of a pack of cards.
const PACK: [usize; 2] = [4, 13];

/// What a net reads and what its answers mean.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reading {
    pub(super) kind: Kind,
    /// The planes and the features that it reads, by their place in the observation.
    pub(super) planes: Vec<usize>,
    pub(super) features: Vec<usize>,
    /// The values of features that are an input each of a flat net.
    pub(super) values: Vec<(usize, u8)>,
    /// How many action numbers each cell has; the others are answered for the board.
    pub(super) cell_actions: usize,
    pub(super) has_beliefs: bool,
    /// The payoffs that the ends of its value stand for.
    pub(super) payoffs: [f64; 2],
    /// How many numbers it has to answer for each cell and for the board.
    pub(super) outputs: [usize; 2],
}

impl Reading {
    pub(super) fn of<G: GameEncoding>(
        layout: &EncodingLayout,
        tensors: &Tensors,
    ) -> Result<Reading, GameNetError> {
        let config: Config = entry(tensors, "config")?
            .ok_or_else(|| fault("config", "it is missing: the file is no net of the trainer"))?;
        if config.game != G::NAME {
            return Err(GameNetError::OtherGame { found: config.game, wanted: <G as Game>::NAME });
        }
        let census: Option<Census> = entry(tensors, "census")?;
        let shape = &layout.observation;
        let is_ignored = |name: &str| config.ignore_planes.iter().any(|of| name.starts_with(of));
        let planes: Vec<usize> =
            (0..shape.planes.len()).filter(|&i| !is_ignored(&shape.planes[i].name)).collect();
        let features = if config.features.is_empty() {
            (0..shape.features.len()).collect()
        } else {
            let named = config.features.iter().map(|name| find(&shape.features, name));
            named.collect::<Result<Vec<_>, _>>()?
        };
        if !config.belief_plane.is_empty() {
            find(&shape.planes, &config.belief_plane)?;
        }
        let kind = config.kind(layout, planes.is_empty())?;
        let cell_actions = config.cell_actions(kind, layout)?;
        let has_beliefs = kind != Kind::Flat && !config.belief_plane.is_empty();
        let for_cell = cell_actions + usize::from(has_beliefs);
        let values = match (kind, &census) {
            (Kind::Flat, None) => {
                return Err(fault("census", "it is missing; a flat net needs it"));
            }
            (Kind::Flat, Some(census)) => census.values(&features, shape.features.len())?,
            _ => Vec::new(),
        };
        Ok(Reading {
            kind,
            planes,
            features,
            values,
            cell_actions,
            has_beliefs,
            payoffs: payoffs(&config, census.as_ref())?,
            outputs: [for_cell, layout.actions - cell_actions * shape.cells() + 1],
        })
    }
}

impl Config {
    fn kind(&self, layout: &EncodingLayout, reads_no_planes: bool) -> Result<Kind, GameNetError> {
        let shape = &layout.observation;
        let has_board = shape.cells() > 0;
        let kind = match self.net.as_str() {
            "auto" if has_board && !reads_no_planes => Kind::Board,
            "auto" | "flat" => Kind::Flat,
            "board" => Kind::Board,
            "series" => Kind::Series,
            other => return Err(fault("config", format!("`{other}` is no kind of net"))),
        };
        if kind == Kind::Board && !has_board {
            return Err(fault("config", "a net over a board, and the game has no board"));
        }
        if kind == Kind::Series && [shape.rows, shape.columns] != PACK {
            return Err(fault("config", "a net over a pack of cards, and the game has none"));
        }
        Ok(kind)
    }

    fn cell_actions(&self, kind: Kind, layout: &EncodingLayout) -> Result<usize, GameNetError> {
        if kind == Kind::Flat {
            return Ok(0);
        }
        let cells = layout.observation.cells();
        let most = layout.actions / cells;
        let wanted = usize::try_from(self.cell_actions).unwrap_or(most);
        if wanted <= most {
            return Ok(wanted);
        }
        let actions = layout.actions;
        let reason = format!("{wanted} actions for each of {cells} cells are more than {actions}");
        Err(fault("config", reason))
    }
}

impl Census {
    /// The values of the features that a net reads.
    fn values(&self, read: &[usize], features: usize) -> Result<Vec<(usize, u8)>, GameNetError> {
        if let Some((feature, _)) = self.features.iter().find(|(feature, _)| *feature >= features) {
            let reason =
                format!("there is no feature {feature}; with these rules there are {features}");
            return Err(fault("census", reason));
        }
        Ok(self.features.iter().filter(|(feature, _)| read.contains(feature)).copied().collect())
    }
}

/// The payoffs that the ends of the value stand for. Files of former trainers have no census; their values begin at 0 and
/// end at a setting, which is 1 unless they say otherwise.
fn payoffs(config: &Config, census: Option<&Census>) -> Result<[f64; 2], GameNetError> {
    let key = if census.is_some() { "census" } else { "config" };
    let [low, high] = census.map_or([0.0, config.max_payoff], |census| [census.low, census.high]);
    // As single precision would hold them: sums of them are finite, too.
    if (low as f32).is_finite() && (high as f32).is_finite() && low <= high {
        return Ok([low, high]);
    }
    Err(fault(key, format!("payoffs from {low} to {high} are no range")))
}

/// An entry of the metadata, which is JSON.
fn entry<T: DeserializeOwned>(
    tensors: &Tensors,
    key: &'static str,
) -> Result<Option<T>, GameNetError> {
    let read = |text: &String| serde_json::from_str(text);
    tensors.about().get(key).map(read).transpose().map_err(|error| fault(key, error.to_string()))
}

fn find(channels: &[Channel], name: &str) -> Result<usize, GameNetError> {
    channels
        .iter()
        .position(|channel| channel.name == name)
        .ok_or_else(|| fault("config", format!("with these rules there is no channel `{name}`")))
}

fn fault(key: &'static str, reason: impl Into<String>) -> GameNetError {
    GameNetError::Metadata { key, reason: reason.into() }
}
