"""A tiny net with some positions and its answers: what the engine's own arithmetic is compared with."""

from __future__ import annotations

from pathlib import Path

import jax.numpy as jnp
import numpy as np

from .net import Net
from .tensors import save


def golden(path: str | Path) -> None:
    """Writes the net, four positions and what it says of them."""
    net = Net(planes=3, features=2, cells=(4, 5), channels=8, blocks=2, cell_outputs=3, board_outputs=4)
    rng = np.random.default_rng(1)
    params = {}
    for name, value in net.init(1).items():
        # Biases and last layers begin at nought or nearly so: shake them, so that there is something to compare.
        noise = rng.normal(0, 0.2, value.shape)
        params[name] = (np.asarray(value) + noise).astype(np.float16)
    planes = rng.integers(0, 2, (4, 3, 4, 5)).astype(np.float32)
    planes[:, 1] *= rng.integers(0, 16, (4, 4, 5))
    features = rng.integers(0, 5, (4, 2)).astype(np.float32)
    features[:, 1] *= 50
    cells, board = net.apply(
        {name: jnp.asarray(value, jnp.float32) for name, value in params.items()},
        jnp.asarray(planes / np.array([1, 15, 1])[None, :, None, None]).transpose(0, 2, 3, 1),
        jnp.asarray(features / np.array([4, 255])),
        jnp.float32,
    )
    tests = {"planes": planes, "features": features, "cells": cells, "board": board}
    arrays = {f"test.{name}": np.asarray(value, np.float32) for name, value in tests.items()}
    save(path, {**params, **arrays})
