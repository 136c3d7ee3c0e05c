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


def score(path: str, agents: str, games: int, temperature: float, seed: int) -> dict[str, Any]:
    """Plays `games` games, as many from each seat, and counts what they were worth to the policy; of two players also wins, draws
    and losses. Several agents have blanks between them."""
    arrays, about = load(path)
    settings = json.loads(about["config"])
    config = Config(**{k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()})
    params = {name: jnp.asarray(value, jnp.float32) for name, value in arrays.items()}
    others: list[str | None] = list(agents.split())
    payoffs: list[float] = []
    for seat in range(len(others) + 1):
        want = games // (len(others) + 1) + (seat < games % (len(others) + 1))
        if want == 0:
            continue
        slots = min(want, 64)
        held = [*others[:seat], None, *others[seat:]]
        table = oboro.vec(config.game, slots, rules=config.rules, agents=held, seed=seed + seat)
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
                payoffs.append(float(table.rewards[i, seat]))
    result = {"policy": path, "agent": agents, "temperature": temperature, "seed": seed, "games": games}
    if len(others) == 1:
        won, lost = sum(p > 0.75 for p in payoffs), sum(p < 0.25 for p in payoffs)
        result |= {"won": won, "drawn": games - won - lost, "lost": lost}
        payoffs = [(p > 0.75) + (0.25 <= p <= 0.75) / 2 for p in payoffs]
    return {**result, "share": round(sum(payoffs) / games, 4)}
