"""A tiny net with some positions and its answers: what the engine's own arithmetic is compared with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np

from .net import FlatNet, Net, Params, SeriesNet
from .tensors import save


def golden(path: str | Path, kind: str) -> None:
    """Writes the net, four positions and what it says of them."""
    rng = np.random.default_rng(1)
    shape: dict[str, int] = {"planes": 3, "features": 2, "channels": 8, "blocks": 2, "board_outputs": 4}
    net: Net
    if kind == "series":
        net = SeriesNet(cells=(4, 13), cell_outputs=2, **shape)
    elif kind == "flat":
        net = FlatNet(cells=(4, 5), cell_outputs=0, **shape)
    else:
        net = Net(cells=(4, 5), cell_outputs=3, **shape)
    params = {}
    for name, value in net.init(1).items():
        # Biases and last layers begin at nought or nearly so: shake them, so that there is something to compare.
        noise = rng.normal(0, 0.2, value.shape)
        params[name] = (np.asarray(value) + noise).astype(np.float16)
    weights = {name: jnp.asarray(value, jnp.float32) for name, value in params.items()}
    write = _rows if isinstance(net, SeriesNet) else _flat if isinstance(net, FlatNet) else _board
    tests = write(net, weights, rng)
    arrays = {f"test.{name}": np.asarray(value, np.float32) for name, value in tests.items()}
    save(path, {**params, **arrays})


def _board(net: Net, weights: Params, rng: np.random.Generator) -> dict[str, Any]:
    planes = rng.integers(0, 2, (4, 3, 4, 5)).astype(np.float32)
    planes[:, 1] *= rng.integers(0, 16, (4, 4, 5))
    features = rng.integers(0, 5, (4, 2)).astype(np.float32)
    features[:, 1] *= 50
    cells, board = net.apply(
        weights,
        jnp.asarray(planes / np.array([1, 15, 1])[None, :, None, None]).transpose(0, 2, 3, 1),
        jnp.asarray(features / np.array([4, 255])),
        jnp.float32,
    )
    return {"planes": planes, "features": features, "cells": cells, "board": board}


def _flat(net: Net, weights: Params, rng: np.random.Generator) -> dict[str, Any]:
    planes = rng.integers(0, 2, (4, 4, 5, 3)).astype(np.float32)
    features = rng.random((4, 2)).astype(np.float32)
    _, board = net.apply(weights, jnp.asarray(planes), jnp.asarray(features), jnp.float32)
    return {"inputs": np.concatenate([planes.reshape(4, -1), features], 1), "board": board}


def _rows(net: Net, weights: Params, rng: np.random.Generator) -> dict[str, Any]:
    rows = rng.integers(0, 5, (4, 8, 18)).astype(np.float32) / 4
    features = rng.random((4, 2)).astype(np.float32)
    assert isinstance(net, SeriesNet)
    cells, board = net.apply_rows(weights, jnp.asarray(rows), jnp.asarray(features), jnp.float32)
    return {"rows": rows, "features": features, "cells": cells, "board": board}
