use oboro_core::{GameEncoding, GameScenes};
use oboro_search::Searchable;

/// What the player needs of a game: nothing beyond what every game has. What it can use besides, a list of worlds and a
/// prover, is optional ([`Searchable::worlds`], [`Searchable::prover`]).
pub trait Playable: Searchable + GameEncoding + GameScenes {}

impl<G: Searchable + GameEncoding + GameScenes> Playable for G {}
