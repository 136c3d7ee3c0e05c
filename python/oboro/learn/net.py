"""The nets: small residual nets over the board, clipped so that integers can repeat them exactly enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Params = Mapping[str, jax.Array]

#: Activations lie between 0 and this.
CEILING = 8.0


@dataclass(frozen=True)
class Net:
    """The shape of a net: what it reads and what it answers."""

    planes: int
    features: int
    cells: tuple[int, int]
    channels: int
    blocks: int
    #: Numbers answered for each cell, and for the board as a whole.
    cell_outputs: int
    board_outputs: int

    def init(self, seed: int) -> dict[str, jax.Array]:
        """Random weights; every block begins as the identity."""
        rng = np.random.default_rng(seed)

        def normal(*shape: int, fan: int, gain: float = 2.0) -> jax.Array:
            return jnp.asarray(rng.normal(0, np.sqrt(gain / fan), shape), jnp.float32)

        c = self.channels
        params = {
            "in.weight": normal(3, 3, self.planes, c, fan=9 * self.planes),
            "in.features": normal(self.features, c, fan=self.features, gain=0.5),
            "in.bias": jnp.zeros(c),
            "cell.weight": normal(c, self.cell_outputs, fan=c, gain=0.01),
            "cell.bias": jnp.zeros(self.cell_outputs),
            "pool.weight": normal(c, c, fan=c),
            "pool.bias": jnp.zeros(c),
            "board.weight": normal(c, self.board_outputs, fan=c, gain=0.01),
            "board.bias": jnp.zeros(self.board_outputs),
        }
        for block in range(self.blocks):
            params[f"{block}.first.weight"] = normal(3, 3, c, c, fan=9 * c)
            params[f"{block}.first.bias"] = jnp.zeros(c)
            params[f"{block}.second.weight"] = normal(3, 3, c, c, fan=9 * c, gain=0.02)
            params[f"{block}.second.bias"] = jnp.zeros(c)
        return params

    def apply(
        self, params: Params, planes: jax.Array, features: jax.Array, kind: Any
    ) -> tuple[jax.Array, jax.Array]:
        """What the net says of each cell (n, cells, k) and of each board (n, m)."""

        def conv(x: jax.Array, name: str) -> jax.Array:
            weight = params[f"{name}.weight"].astype(kind)
            out = jax.lax.conv_general_dilated(
                x, weight, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
            )
            return out + params[f"{name}.bias"].astype(kind)

        def clip(x: jax.Array) -> jax.Array:
            return jnp.clip(x, 0, CEILING)

        x = conv(planes.astype(kind), "in")
        x = clip(x + (features.astype(kind) @ params["in.features"].astype(kind))[:, None, None, :])
        for block in range(self.blocks):
            inner = clip(conv(x, f"{block}.first"))
            x = clip(x + conv(inner, f"{block}.second"))
        x = x.reshape(x.shape[0], -1, self.channels).astype(jnp.float32)
        cell = x @ params["cell.weight"] + params["cell.bias"]
        pooled = clip(x.mean(axis=1) @ params["pool.weight"] + params["pool.bias"])
        board = pooled @ params["board.weight"] + params["board.bias"]
        return cell, board
