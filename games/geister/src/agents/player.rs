//! The net of the player; its worlds and its prover are in [`standard`](super::standard).

use oboro_player::ShippedNet;

/// The policy, value and guess of colours that `oboro` follows; `models/geister` says how it was trained.
pub(crate) static NET: ShippedNet =
    ShippedNet::new(include_bytes!("../../nets/policy.safetensors"));
