"""A policy in use: what a net says of the observations of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .config import Config
from .net import Net, Params, SeriesNet


@dataclass(frozen=True)
class Reading:
    """Which channels of an observation the nets read, and the nets' shapes."""

    planes: tuple[int, ...]
    plane_max: tuple[int, ...]
    features: tuple[int, ...]
    feature_max: tuple[int, ...]
    belief: int
    setup: int
    actions: int
    policy: Net
    critic: Net

    @classmethod
    def of(cls, config: Config, layout: Any) -> Reading:
        """Finds the channels that a configuration names."""
        shape, privileged = layout["observation"], layout["privileged"]
        planes = [
            (i, channel)
            for i, channel in enumerate(shape["planes"])
            if not channel["name"].startswith(config.ignore_planes or ("\0",))
        ]
        names = [channel["name"] for channel in shape["features"]]
        wanted = config.features or tuple(names)
        features = [(_find(names, name), shape["features"][_find(names, name)]) for name in wanted]
        plane_names = [channel["name"] for channel in shape["planes"]]
        cells = (shape["rows"], shape["columns"])
        size = cells[0] * cells[1]
        actions = layout["actions"]
        drawn = {*config.setups, *config.frozen_setups}
        if odd := [n for n in drawn if not size * config.cell_actions <= n < actions]:
            raise ValueError(f"set-ups are actions from {size * config.cell_actions} to {actions - 1}, not {min(odd)}")
        kind = SeriesNet if config.net == "series" else Net
        if kind is SeriesNet and cells != (4, 13):
            raise ValueError(f"{config.game}: `series` are those of a pack of cards, four suits of thirteen")
        common = {"features": len(features), "cells": cells, "channels": config.channels}
        policy = kind(
            planes=len(planes),
            blocks=config.blocks,
            cell_outputs=config.cell_actions + bool(config.belief_plane),
            board_outputs=actions - size * config.cell_actions + 1,
            **common,
        )
        critic = kind(
            planes=len(planes) + len(privileged["planes"]),
            blocks=config.critic_blocks,
            cell_outputs=1,
            board_outputs=1,
            **common,
        )
        return cls(
            planes=tuple(i for i, _ in planes),
            plane_max=tuple(channel["max"] for _, channel in planes),
            features=tuple(i for i, _ in features),
            feature_max=tuple(channel["max"] for _, channel in features),
            belief=_find(plane_names, config.belief_plane) if config.belief_plane else -1,
            setup=_find(names, config.setup_feature) if config.setup_feature else -1,
            actions=actions,
            policy=policy,
            critic=critic,
        )

    def inputs(self, planes: jax.Array, features: jax.Array) -> tuple[jax.Array, jax.Array]:
        """The channels that are read, from bytes to numbers between 0 and 1, cells first."""
        chosen = planes[:, np.array(self.planes)].astype(jnp.float32)
        chosen = chosen / np.array(self.plane_max, np.float32)[None, :, None, None]
        told = features[:, np.array(self.features)].astype(jnp.float32)
        return chosen.transpose(0, 2, 3, 1), told / np.array(self.feature_max, np.float32)

    def answers(
        self, params: Params, planes: jax.Array, features: jax.Array, mask: jax.Array, kind: Any
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        """The logarithms of the policy's probabilities, its value, and its guesses for each cell, where it is asked for them."""
        cell, board = self.policy.apply(params, planes, features, kind)
        moves = cell[:, :, : self.policy.cell_outputs - (self.belief >= 0)].reshape(cell.shape[0], -1)
        logits = jnp.concatenate([moves, board[:, :-1]], axis=1)
        logits = jnp.where(mask > 0, logits, -1e9)
        return jax.nn.log_softmax(logits), jnp.tanh(board[:, -1]), cell[:, :, -1]

    def value(
        self, params: Params, planes: jax.Array, features: jax.Array, privileged: jax.Array, kind: Any
    ) -> jax.Array:
        """What the critic, who sees what is hidden, expects for the seat to move: -1 to 1."""
        hidden = privileged.astype(jnp.float32).transpose(0, 2, 3, 1)
        _, board = self.critic.apply(params, jnp.concatenate([planes, hidden], -1), features, kind)
        return jnp.tanh(board[:, 0])


    def sharpened(
        self, log: jax.Array, seen: Params, temperature: jax.Array | float, min_share: float, setups: tuple[int, ...]
    ) -> jax.Array:
        """What a policy that does not learn draws from: its logarithms, sharper or softer, without what it likes less than a share of
        its favourite. A set-up must not be foreseen: it is drawn as the policy says, or any of these actions alike."""
        setting_up = ((self.setup >= 0) & (seen["features"][:, self.setup] == 0))[:, None]
        liked = log >= log.max(1, keepdims=True) + np.log(max(min_share, 1e-30))
        moves = jnp.where(liked, log / temperature, -1e9)
        allowed = np.isin(np.arange(self.actions), setups)
        places = jnp.where(allowed, 0.0, -1e9) if setups else log
        return jnp.where(seen["mask"] > 0, jnp.where(setting_up, places, moves), -1e9)


def _find(names: list[str], name: str) -> int:
    if name not in names:
        raise ValueError(f"there is no channel `{name}`; there are {', '.join(names)}")
    return names.index(name)
