"""A policy against named agents."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import oboro

from .config import Config
from .player import Reading
from .tensors import load


def score(
    path: str,
    agents: str,
    games: int,
    temperature: float,
    seed: int,
    frozen_temperature: float = 0.3,
    frozen_min_share: float = 0.0,
    frozen_setups: tuple[int, ...] = (),
) -> dict[str, Any]:
    """Plays `games` games, as many from each seat, and counts what they were worth to the policy; of two players also wins, draws
    and losses. Several agents have blanks between them. The path of another net is that policy, which plays as `frozen_opponent` of a run."""
    if min(temperature, frozen_temperature) <= 0 or not 0 <= frozen_min_share <= 1:
        raise ValueError("temperatures must be positive, and the share of a favourite from 0 to 1")
    params, config = _read(path)
    others: list[str | None] = list(agents.split())
    rival = _read(agents) if agents.endswith(".safetensors") else None
    payoffs: list[float] = []
    for seat in range(len(others) + 1):
        want = games // (len(others) + 1) + (seat < games % (len(others) + 1))
        if want == 0:
            continue
        slots = min(want, 64 if rival is None else 1024)
        held = [*others[:seat], None, *others[seat:]] if rival is None else None
        table = oboro.vec(config.game, slots, rules=config.rules, agents=held, seed=seed + seat)
        reading = Reading.of(config, table.layout)
        rivals = Reading.of(replace(rival[1], frozen_setups=frozen_setups), table.layout) if rival else reading

        @jax.jit
        def choose(seen: dict[str, jax.Array], key: jax.Array) -> jax.Array:
            inputs = reading.inputs(seen["planes"], seen["features"])
            log, _, _ = reading.answers(params, *inputs, seen["mask"], jnp.float32)
            log = log / temperature
            if rival is not None:
                inputs = rivals.inputs(seen["planes"], seen["features"])
                theirs, _, _ = rivals.answers(rival[0], *inputs, seen["mask"], jnp.float32)
                theirs = rivals.sharpened(theirs, seen, frozen_temperature, frozen_min_share, frozen_setups)
                log = jnp.where((seen["seat"] == seat)[:, None], log, theirs)
            return jax.random.categorical(key, jnp.where(seen["mask"] > 0, log, -1e9))

        # Every slot plays the same number of games: counting whichever ends first would favour short ones.
        left = np.array([want // slots + (i < want % slots) for i in range(slots)])
        key = jax.random.key(seed)
        while left.any():
            key, now = jax.random.split(key)
            arrays = (table.observations, table.features, table.masks, table.seats)
            seen = {name: jnp.array(array) for name, array in zip(("planes", "features", "mask", "seat"), arrays, strict=True)}
            table.step(np.asarray(choose(seen, now)))
            for i in np.flatnonzero((table.done == 1) & (left > 0)):
                left[i] -= 1
                payoffs.append(float(table.rewards[i, seat]))
    result = {"policy": path, "agent": agents, "temperature": temperature, "seed": seed, "games": games}
    if len(others) == 1:
        won, lost = sum(p > 0.75 for p in payoffs), sum(p < 0.25 for p in payoffs)
        result |= {"won": won, "drawn": games - won - lost, "lost": lost}
        payoffs = [(p > 0.75) + (0.25 <= p <= 0.75) / 2 for p in payoffs]
    return {**result, "share": round(sum(payoffs) / games, 4)}


def _read(path: str) -> tuple[dict[str, jax.Array], Config]:
    """A net and the settings of its run."""
    arrays, about = load(path)
    config = Config.of(json.loads(about["config"]))
    return {name: jnp.asarray(value, jnp.float32) for name, value in arrays.items()}, config
