"""What the nets read and say of a game: from the bytes of an observation to a policy and values."""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import oboro

from .config import Config
from .net import FlatNet, Net, Params, SeriesNet
from .tensors import load

#: Pairs of a feature and one of its values.
Values = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Census:
    """What random play shows of a game: which values its features take, and what it pays."""

    seats: int
    features: Values
    hidden: Values
    #: The least and the most that a seat was paid, the mean and the standard deviation.
    low: float
    high: float
    mean: float
    deviation: float

    @classmethod
    def take(cls, config: Config, plies: int = 65536) -> Census:
        """Plays at random. Features that never change are left out."""
        games, least = 512, 64
        vec = oboro.vec(config.game, games, rules=config.rules, seed=1, threads=1)
        shape = vec.layout
        seen = np.zeros((len(shape.observation.features), 256), bool)
        hidden = np.zeros((len(shape.privileged.features), 256), bool)
        paid: list[np.ndarray[Any, Any]] = []
        if shape.observation.planes:
            # Nets of boards read features as numbers: only payoffs count.
            plies //= 16
        step = 0
        while step < plies // games or sum(map(len, paid)) < least:
            vec.privileged_state()
            for known, now in ((seen, vec.features), (hidden, vec.privileged_features)):
                for number in range(len(known)):
                    known[number, now[:, number]] = True
            vec.step(vec.sample())
            paid.append(vec.rewards[vec.done > 0])
            step += 1
        payoffs = np.concatenate(paid)

        def pairs(known: np.ndarray[Any, Any]) -> Values:
            found = np.argwhere(known & (known.sum(1) > 1)[:, None])
            return tuple((int(feature), int(value)) for feature, value in found)

        deviation = float(payoffs.std()) or 1.0
        low, high, mean = (float(of(payoffs)) for of in (np.min, np.max, np.mean))
        return cls(vec.players, pairs(seen), pairs(hidden), low, high, mean, deviation)

    @classmethod
    def of(cls, text: str) -> Census:
        """As it stands in the file of a net."""
        data = json.loads(text)
        return cls(**{k: tuple(map(tuple, v)) if isinstance(v, list) else v for k, v in data.items()})

    def text(self) -> str:
        """As it stands in the file of a net."""
        return json.dumps(asdict(self), separators=(",", ":"))


@dataclass(frozen=True)
class Reading:
    """Which channels of an observation the nets read, and the nets' shapes."""

    census: Census
    planes: tuple[int, ...]
    plane_max: tuple[int, ...]
    features: tuple[int, ...]
    feature_max: tuple[int, ...]
    hidden_max: tuple[int, ...]
    belief: int
    actions: int
    policy: Net
    critic: Net

    @classmethod
    def of(cls, config: Config, census: Census) -> Reading:
        """Finds the channels that a configuration names."""
        layout = oboro.layout(config.game, config.rules)
        shape, privileged, actions = layout.observation, layout.privileged, layout.actions
        ignored = config.ignore_planes or ("\0",)
        planes = [(i, channel.max) for i, channel in enumerate(shape.planes) if not channel.name.startswith(ignored)]
        names = [channel.name for channel in shape.features]
        features = [_find(names, name) for name in config.features or names]
        plane_names = [channel.name for channel in shape.planes]
        cells = (shape.rows, shape.columns)
        size = cells[0] * cells[1]
        name = config.net if config.net != "auto" else "board" if size and planes else "flat"
        kind = {"board": Net, "flat": FlatNet, "series": SeriesNet}[name]
        if name != "flat" and not size:
            raise ValueError(f"{config.game}: there is no board for a net of the kind `{name}`")
        if name == "series" and cells != (4, 13):
            raise ValueError(f"{config.game}: `series` are those of a pack of cards, four suits of thirteen")
        by_cell = 0 if name == "flat" else actions // size if config.cell_actions < 0 else config.cell_actions
        if size * by_cell > actions:
            raise ValueError(f"{config.game}: {by_cell} actions for each of {size} cells are more than {actions}")
        if name == "flat":
            chosen = set(features)
            census = Census(**{**asdict(census), "features": tuple(p for p in census.features if p[0] in chosen)})
            told, hidden = len(census.features), len(census.hidden)
        else:
            told, hidden = len(features), len(privileged.features)
        common = {"cells": cells, "channels": config.channels}
        policy = kind(
            planes=len(planes),
            features=told,
            blocks=config.blocks,
            cell_outputs=by_cell + bool(config.belief_plane),
            board_outputs=actions - size * by_cell + 1,
            **common,
        )
        critic = kind(
            planes=len(planes) + len(privileged.planes),
            features=told + hidden,
            blocks=config.critic_blocks,
            cell_outputs=by_cell,
            board_outputs=actions - size * by_cell + census.seats,
            **common,
        )
        return cls(
            census=census,
            planes=tuple(i for i, _ in planes),
            plane_max=tuple(most for _, most in planes),
            features=tuple(features),
            feature_max=tuple(shape.features[i].max for i in features),
            hidden_max=tuple(channel.max for channel in privileged.features),
            belief=_find(plane_names, config.belief_plane) if config.belief_plane else -1,
            actions=actions,
            policy=policy,
            critic=critic,
        )

    def inputs(self, planes: jax.Array, features: jax.Array) -> tuple[jax.Array, jax.Array]:
        """The channels that are read, from bytes to numbers between 0 and 1, cells first."""
        chosen = planes[:, np.array(self.planes, int)].astype(jnp.float32)
        chosen = chosen / np.array(self.plane_max, np.float32)[None, :, None, None]
        if isinstance(self.policy, FlatNet):
            told = _values(features, self.census.features)
        else:
            told = features[:, np.array(self.features, int)] / np.array(self.feature_max, np.float32)
        return chosen.transpose(0, 2, 3, 1), told.astype(jnp.float32)

    def answers(
        self, params: Params, planes: jax.Array, features: jax.Array, mask: jax.Array, kind: Any
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        """The logarithms of the policy's probabilities, its value from -1 to 1, and its guesses for each cell, where it is asked for them."""
        cell, board = self.policy.apply(params, planes, features, kind)
        moves = cell[:, :, : self.policy.cell_outputs - (self.belief >= 0)].reshape(cell.shape[0], -1)
        logits = jnp.concatenate([moves, board[:, :-1]], axis=1)
        logits = jnp.where(mask > 0, logits, -1e9)
        return jax.nn.log_softmax(logits), jnp.tanh(board[:, -1]), cell[:, :, -1]

    def values(self, params: Params, seen: Params, kind: Any) -> tuple[jax.Array, jax.Array]:
        """What the critic, who sees what is hidden, expects for every seat, and of every action for the seat to move beyond that: payoffs less
        their mean in random play, in standard deviations."""
        planes, features = self.inputs(seen["planes"], seen["features"])
        if seen["privileged"].shape[1]:
            planes = jnp.concatenate([planes, seen["privileged"].astype(jnp.float32).transpose(0, 2, 3, 1)], -1)
        secrets = seen["secrets"]
        if isinstance(self.critic, FlatNet):
            told = _values(secrets, self.census.hidden).astype(jnp.float32)
        else:
            told = secrets.astype(jnp.float32) / np.array(self.hidden_max, np.float32)
        cell, board = self.critic.apply(params, planes, jnp.concatenate([features, told], -1), kind)
        seats = self.census.seats
        moves = cell[:, :, : self.critic.cell_outputs].reshape(cell.shape[0], -1)
        return board[:, :seats], jnp.concatenate([moves, board[:, seats:]], axis=1)[:, : self.actions]


def _values(bytes_: jax.Array, values: Values) -> jax.Array:
    """1 where a feature has a value, for each pair."""
    pairs = np.array(values, np.int32).reshape(-1, 2)
    return bytes_[:, pairs[:, 0]] == pairs[:, 1].astype(np.uint8)


@functools.partial(jax.jit, static_argnums=0)
def probabilities(reading: Reading, params: Params, planes: Any, features: Any, mask: Any) -> jax.Array:
    """The probabilities of all actions by number, from the bytes of observations."""
    log, _, _ = reading.answers(params, *reading.inputs(planes, features), mask, jnp.float32)
    return jnp.where(mask > 0, jnp.exp(log), 0.0)


class Policy:
    """A trained net as a function of views, for :func:`oboro.exploitability` and analyses. In matches the engine plays it: ``net:FILE``."""

    def __init__(self, path: str | Path) -> None:
        arrays, about = load(path)
        self.config = Config.of(json.loads(about["config"]))
        self.reading = Reading.of(self.config, Census.of(about["census"]) if "census" in about else Census.take(self.config))
        self.params = {name: jnp.asarray(value, jnp.float32) for name, value in arrays.items()}

    def __call__(self, view: oboro.View) -> dict[str, float]:
        """The probabilities of the legal actions, by their text."""
        seen = (np.asarray(part)[None] for part in (view.planes, view.features, view.mask))
        row = np.asarray(probabilities(self.reading, self.params, *seen), np.float64)[0]
        shares = row[[view.number(action) for action in view.actions]]
        return dict(zip(view.actions, (shares / shares.sum()).tolist(), strict=True))


def _find(names: list[str], name: str) -> int:
    if name not in names:
        raise ValueError(f"there is no channel `{name}`; there are {', '.join(names)}")
    return names.index(name)
