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


@dataclass(frozen=True)
class FlatNet(Net):
    """A net of dense layers over all there is to read; it answers for the board alone."""

    def init(self, seed: int) -> dict[str, jax.Array]:
        """Random weights; every block begins as the identity."""
        rng = np.random.default_rng(seed)

        def normal(inputs: int, outputs: int, gain: float = 2.0) -> jax.Array:
            return jnp.asarray(rng.normal(0, np.sqrt(gain / max(inputs, 1)), (inputs, outputs)), jnp.float32)

        c, inputs = self.channels, self.planes * self.cells[0] * self.cells[1] + self.features
        # Of the inputs only a few are not 0 at a time.
        params = {"in.weight": normal(inputs, c, gain=0.1 * inputs), "in.bias": jnp.zeros(c)}
        for block in range(self.blocks):
            params[f"{block}.first.weight"] = normal(c, c)
            params[f"{block}.first.bias"] = jnp.zeros(c)
            params[f"{block}.second.weight"] = normal(c, c, gain=0.02)
            params[f"{block}.second.bias"] = jnp.zeros(c)
        return params | {
            "board.weight": normal(c, self.board_outputs, gain=0.01),
            "board.bias": jnp.zeros(self.board_outputs),
        }

    def apply(
        self, params: Params, planes: jax.Array, features: jax.Array, kind: Any
    ) -> tuple[jax.Array, jax.Array]:
        """Nothing of cells (n, 0, 1), and what the net says of each board (n, m)."""

        def linear(x: jax.Array, name: str) -> jax.Array:
            return x @ params[f"{name}.weight"].astype(kind) + params[f"{name}.bias"].astype(kind)

        x = jnp.concatenate([planes.reshape(planes.shape[0], -1), features], 1).astype(kind)
        x = jax.nn.relu(linear(x, "in"))
        for block in range(self.blocks):
            x = jax.nn.relu(x + linear(jax.nn.relu(linear(x, f"{block}.first")), f"{block}.second"))
        kind = jnp.float32
        return jnp.zeros((x.shape[0], 0, 1), kind), linear(x.astype(kind), "board")


@dataclass(frozen=True)
class SeriesNet(Net):
    """A net for a pack of cards that is laid out from the 7s: the six cards on each side of each 7 are a row, and all eight rows are
    treated alike, with the mean of all beside each."""

    def init(self, seed: int) -> dict[str, jax.Array]:
        """Random weights; every block begins as the identity."""
        rng = np.random.default_rng(seed)

        def normal(inputs: int, outputs: int, gain: float = 2.0) -> jax.Array:
            return jnp.asarray(rng.normal(0, np.sqrt(gain / inputs), (inputs, outputs)), jnp.float32)

        c = self.channels
        params = {
            "in.weight": normal(6 * self.planes, c),
            "in.features": normal(self.features, c, gain=1.0),
            "in.bias": jnp.zeros(c),
            "row.weight": normal(c, 6 * self.cell_outputs, gain=0.01),
            "row.bias": jnp.zeros(6 * self.cell_outputs),
            "pool.weight": normal(c, c),
            "pool.bias": jnp.zeros(c),
            "board.weight": normal(c, self.board_outputs, gain=0.01),
            "board.bias": jnp.zeros(self.board_outputs),
        }
        for block in range(self.blocks):
            params[f"{block}.own.weight"] = normal(c, c)
            params[f"{block}.own.bias"] = jnp.zeros(c)
            params[f"{block}.mean"] = normal(c, c, gain=1.0)
            params[f"{block}.back.weight"] = normal(c, c, gain=0.02)
            params[f"{block}.back.bias"] = jnp.zeros(c)
        return params

    def apply(
        self, params: Params, planes: jax.Array, features: jax.Array, kind: Any
    ) -> tuple[jax.Array, jax.Array]:
        """What the net says of each card (n, 52, k) and of all (n, m). Nothing is said of the 7s."""
        n = planes.shape[0]
        # Both sides of a suit, from the 7 outwards.
        sides = jnp.stack([planes[:, :, 5::-1], planes[:, :, 7:]], 2)
        rows, board = self.apply_rows(params, sides.reshape(n, 8, -1), features, kind)
        low, high = jnp.moveaxis(rows.reshape(n, 4, 2, 6, -1), 2, 0)
        pack = jnp.concatenate([low[:, :, ::-1], jnp.zeros_like(low[:, :, :1]), high], 2)
        return pack.reshape(n, 52, -1), board

    def apply_rows(
        self, params: Params, rows: jax.Array, features: jax.Array, kind: Any
    ) -> tuple[jax.Array, jax.Array]:
        """What the net says of each row and of all."""

        def linear(x: jax.Array, name: str) -> jax.Array:
            return x @ params[f"{name}.weight"].astype(kind) + params[f"{name}.bias"].astype(kind)

        def clip(x: jax.Array) -> jax.Array:
            return jnp.clip(x, 0, CEILING)

        told = features.astype(kind) @ params["in.features"].astype(kind)
        x = clip(linear(rows.astype(kind), "in") + told[:, None])
        for block in range(self.blocks):
            shared = x.mean(1) @ params[f"{block}.mean"].astype(kind)
            inner = clip(linear(x, f"{block}.own") + shared[:, None])
            x = clip(x + linear(inner, f"{block}.back"))
        x = x.astype(jnp.float32)
        kind = jnp.float32
        return linear(x, "row"), linear(clip(linear(x.mean(1), "pool")), "board")
