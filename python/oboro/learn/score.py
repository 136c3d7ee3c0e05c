"""A policy against named agents."""

from __future__ import annotations

import json
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import oboro

from .config import Config
from .player import Reading
from .tensors import load


def score(path: str, agent: str, games: int, temperature: float, seed: int) -> dict[str, Any]:
    """Plays `games` games, half of them from each seat, and counts wins, draws and losses of the policy."""
    arrays, about = load(path)
    settings = json.loads(about["config"])
    config = Config(**{k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()})
    params = {name: jnp.asarray(value, jnp.float32) for name, value in arrays.items()}
    counts = {"won": 0, "drawn": 0, "lost": 0}
    for seat in (0, 1):
        want = games // 2 + (seat == 0) * (games % 2)
        if want == 0:
            continue
        agents = [None, agent] if seat == 0 else [agent, None]
        slots = min(want, 64)
        table = oboro.vec(config.game, slots, rules=config.rules, agents=agents, seed=seed + seat)
        reading = Reading.of(config, table.numbering)

        @jax.jit
        def choose(planes: jax.Array, features: jax.Array, mask: jax.Array, key: jax.Array) -> jax.Array:
            log, _, _ = reading.answers(params, *reading.inputs(planes, features), mask, jnp.float32)
            return jax.random.categorical(key, jnp.where(mask > 0, log / temperature, -1e9))

        # Every slot plays the same number of games: counting whichever ends first would favour short ones.
        left = np.array([want // slots + (i < want % slots) for i in range(slots)])
        key = jax.random.key(seed)
        while left.any():
            key, now = jax.random.split(key)
            action = choose(
                jnp.array(table.observations), jnp.array(table.features), jnp.array(table.masks), now
            )
            table.step(np.asarray(action))
            for i in np.flatnonzero((table.done == 1) & (left > 0)):
                left[i] -= 1
                payoff = table.rewards[i, seat]
                counts["won" if payoff > 0.75 else "lost" if payoff < 0.25 else "drawn"] += 1
    share = (counts["won"] + counts["drawn"] / 2) / games
    return {"policy": path, "agent": agent, "temperature": temperature, "seed": seed, **counts, "share": round(share, 4)}
