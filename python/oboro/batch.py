"""Many games stepped together, for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from oboro import _engine
from oboro._engine import Game
from oboro.matches import Rule, _game

__all__ = ["Channel", "EncodingLayout", "Shape", "Vec", "layout", "vec"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


class _Named:
    """Fields by name, as a dict has them."""

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)


@dataclass(frozen=True)
class Channel(_Named):
    """One plane, or one feature."""

    name: str
    about: str
    max: int
    """Its largest value; a learner divides by it."""


@dataclass(frozen=True)
class Shape(_Named):
    """The channels of an observation, or of a truth."""

    rows: int
    columns: int
    planes: tuple[Channel, ...]
    features: tuple[Channel, ...]
    plane_scale: Floats = field(init=False, repr=False, compare=False)
    """float32 (planes, 1, 1): what a learner multiplies planes by, so that they lie between 0 and 1."""
    feature_scale: Floats = field(init=False, repr=False, compare=False)
    """float32 (features,): the same for features."""

    def __post_init__(self) -> None:
        scale = np.array([1 / max(channel.max, 1) for channel in self.planes], dtype=np.float32)
        object.__setattr__(self, "plane_scale", scale.reshape(-1, 1, 1))
        scale = np.array([1 / max(channel.max, 1) for channel in self.features], dtype=np.float32)
        object.__setattr__(self, "feature_scale", scale)

    @property
    def plane_shape(self) -> tuple[int, int, int]:
        """(planes, rows, columns)."""
        return len(self.planes), self.rows, self.columns

    @property
    def plane_bytes(self) -> int:
        """How many bytes all planes have."""
        return len(self.planes) * self.rows * self.columns

    def __len__(self) -> int:
        """How many bytes it has in all."""
        return self.plane_bytes + len(self.features)

    @staticmethod
    def _of(raw: Mapping[str, Any]) -> Shape:
        def channels(key: str) -> tuple[Channel, ...]:
            return tuple(Channel(**channel) for channel in raw[key])

        return Shape(raw["rows"], raw["columns"], channels("planes"), channels("features"))


@dataclass(frozen=True)
class EncodingLayout(_Named):
    """What the numbers of a game mean."""

    observation: Shape
    """What a seat is shown."""
    truth: Shape
    """What is hidden from it."""
    actions: int
    """How many numbers actions have."""


def layout(game: str | Game, rules: Mapping[str, Rule] | None = None) -> EncodingLayout:
    """What the numbers of a game's views, truths and actions mean."""
    raw = _game(game, rules).layout
    return EncodingLayout(Shape._of(raw["observation"]), Shape._of(raw["truth"]), raw["actions"])


class Vec:
    """n games stepped together by all cores.

    The arrays are made once, belong to NumPy, and are written anew by every step: no step copies or allocates. Copy what has
    to outlive the next step. PyTorch and JAX share them through DLPack (`torch.from_dlpack(vec.observations)`).
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        agents: Sequence[str | None] | None = None,
        seed: int | str = 1,
        threads: int = 0,
        cut: int | None = None,
    ) -> None:
        seats = [None] * game.seats if agents is None else list(agents)
        self.game = game
        self._batch = _engine.Batch(game, n, seats, seed, threads, cut)
        self.n = n
        """How many games are played at once."""
        self.layout = layout(game)
        """What the numbers mean: channels with names and scales."""
        self.observations: Bytes = self._batch.observations
        """uint8 (n, planes, rows, columns): the planes that the seat to move sees."""
        self.features: Bytes = self._batch.features
        """uint8 (n, features): the features that it sees."""
        self.masks: npt.NDArray[np.bool_] = self._batch.masks.view(np.bool_)
        """bool (n, actions): which numbers its legal actions have."""
        self.seats: Bytes = self._batch.to_act
        """uint8 (n,): whose turn it is."""
        self.rewards: Floats = self._batch.rewards
        """float32 (n, seats): what the game was worth that the last step ended; zeros where it ended none."""
        self.done: Bytes = self._batch.done
        """uint8 (n,): 1 where the last step ended a game, 2 where it was cut off; the row then shows the next deal."""
        hidden = self.layout.truth
        self._truth: Bytes = np.zeros((n, len(hidden)), dtype=np.uint8)
        self._truth_planes = self._truth[:, : hidden.plane_bytes].reshape(n, *hidden.plane_shape)
        self.truth_features: Bytes = self._truth[:, hidden.plane_bytes :]
        """uint8 (n, features): the features of what is hidden, as `truth` has last written them."""
        self._sample = np.zeros(n, dtype=np.uint32)

    @property
    def players(self) -> int:
        """How many seats each game has."""
        return self._batch.seats

    def reset(self, seed: int | str) -> None:
        """Deals all games anew, as if just made with this seed."""
        self._batch.reset(seed)

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays one action in every game, by number; lets the agents at other seats answer; deals finished games anew.

        An illegal action raises `IllegalAction`, and nothing is played in any game then.
        """
        self._batch.step(actions)

    def sample(self) -> npt.NDArray[np.uint32]:
        """A legal action for each game, every one equally likely. The array is reused."""
        self._batch.sample(self._sample)
        return self._sample

    def truth(self) -> Bytes:
        """What is hidden from the seat to move of each game, uint8 (n, planes, rows, columns): for critics and the targets of
        beliefs, never for a player. It writes `truth_features`, too. The arrays are reused."""
        self._batch.truth(self._truth)
        return self._truth_planes

    def look(self, game: int, seat: int) -> tuple[Bytes, Bytes]:
        """What one seat of one game sees, whoever is to move: planes and features, in arrays of their own."""
        shape = self.layout.observation
        row = np.zeros(len(shape), dtype=np.uint8)
        self._batch.look(game, seat, row)
        return row[: shape.plane_bytes].reshape(shape.plane_shape), row[shape.plane_bytes :]

    def record(self, game: int) -> str:
        """One of the games written down as far as it has gone."""
        return self._batch.record(game)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<oboro.Vec of {self.n} games of {self.game.name}>"


def vec(
    game: str | Game,
    n: int,
    *,
    agents: Sequence[str | None] | None = None,
    seed: int | str = 1,
    rules: Mapping[str, Rule] | None = None,
    threads: int = 0,
    cut: int | None = None,
) -> Vec:
    """n games stepped together. `agents[s]` is the spec of the agent at seat s, or None for whoever calls `step`; without
    `agents` that is every seat. A game that is over is dealt anew at once; one is cut off after `cut` actions. `threads` is
    how many threads step them, 0 for one per core: results do not depend on it."""
    return Vec(_game(game, rules), n, agents=agents, seed=seed, threads=threads, cut=cut)
