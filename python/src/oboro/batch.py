"""Many games stepped together, for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from oboro import _engine
from oboro._engine import Game, View
from oboro.agents import AnyAgent
from oboro.matches import Rule, _game, _whole
from oboro.own_games import AnyGame

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
    """What it is called."""
    about: str
    """What it says, in a sentence."""
    max: int
    """Its largest value; a learner divides by it."""


@dataclass(frozen=True)
class Shape(_Named):
    """The channels of an observation, or of a privileged state."""

    rows: int
    """How many rows a plane has."""
    columns: int
    """How many columns a plane has."""
    planes: tuple[Channel, ...]
    """What has a place on the board."""
    features: tuple[Channel, ...]
    """What has none."""
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
    privileged: Shape
    """What is hidden from it."""
    actions: int
    """How many numbers actions have."""


def layout(game: AnyGame, rules: Mapping[str, Rule] | None = None) -> EncodingLayout:
    """What the numbers of a game's views, privileged states and actions mean."""
    raw = _game(game, rules).layout
    return EncodingLayout(Shape._of(raw["observation"]), Shape._of(raw["privileged"]), raw["actions"])


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
        agents: Sequence[str | AnyAgent | None] | None = None,
        seed: int | str = 1,
        threads: int = 0,
        truncation: int | None = None,
        zero_sum: bool = False,
    ) -> None:
        seats: list[object] = [None] * game.seats if agents is None else list(agents)
        self.game = game
        n = _whole("n", n, 1)
        if truncation is not None:
            truncation = _whole("truncation", truncation, 1, 2**32 - 1)
        self._batch = _engine.Batch(game, n, seats, seed, _whole("threads", threads, 0), truncation, zero_sum)
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
        """float32 (n, seats): what the game was worth that the last step ended; zeros where it ended none or truncated one."""
        self.done: Bytes = self._batch.done
        """uint8 (n,): 1 where the last step ended a game, 2 where it truncated one; the row then shows the next deal."""
        hidden = self.layout.privileged
        self._privileged: Bytes = np.zeros((n, len(hidden)), dtype=np.uint8)
        self._privileged_planes = self._privileged[:, : hidden.plane_bytes].reshape(n, *hidden.plane_shape)
        self.privileged_features: Bytes = self._privileged[:, hidden.plane_bytes :]
        """uint8 (n, features): the features of what is hidden, as `privileged_state` has last written them."""
        self._sample = np.zeros(n, dtype=np.int64)

    @property
    def players(self) -> int:
        """How many seats each game has."""
        return self._batch.seats

    def reset(self, seed: int | str) -> None:
        """Deals all games anew, as if just made with this seed."""
        self._batch.reset(seed)

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays one action in every game, by number; lets the agents at other seats answer; deals finished games anew.

        An illegal action raises `IllegalAction`, and nothing is played in any game then. After Ctrl-C, or an agent's failure, in
        the middle of a step the games have to be reset.
        """
        self._batch.step(actions)

    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action for each game, every one equally likely. The array is reused."""
        self._batch.sample(self._sample)
        return self._sample

    def privileged_state(self) -> Bytes:
        """What is hidden from the seat to move of each game, uint8 (n, planes, rows, columns): for critics and the targets of
        beliefs, never for a player. It writes `privileged_features`, too. The arrays are reused."""
        self._batch.privileged(self._privileged)
        return self._privileged_planes

    def look(self, game: int, seat: int, *, at_end: bool = False) -> tuple[Bytes, Bytes]:
        """What one seat of one game sees, also when another is to move: planes and features, in arrays of their own. With `at_end`, what
        it saw last of the game that the last step ended or truncated: what a learner bootstraps from."""
        shape = self.layout.observation
        row = np.zeros(len(shape), dtype=np.uint8)
        self._batch.look(_whole("game", game, 0, self.n - 1), seat, row, at_end)
        return row[: shape.plane_bytes].reshape(shape.plane_shape), row[shape.plane_bytes :]

    def view(self, game: int, seat: int | None = None) -> View:
        """What a seat of one game knows now, the seat to move unless said: for agents, drawings and determinizations."""
        game = _whole("game", game, 0, self.n - 1)
        return self._batch.view(game, int(self.seats[game]) if seat is None else seat)

    def record(self, game: int, *, at_end: bool = False) -> str:
        """One of the games written down as far as it has gone; with `at_end` the game that the last step ended there."""
        return self._batch.record(_whole("game", game, 0, self.n - 1), at_end)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<oboro.Vec of {self.n} games of {self.game.name}>"


def vec(
    game: AnyGame,
    n: int,
    *,
    agents: Sequence[str | AnyAgent | None] | None = None,
    seed: int | str = 1,
    rules: Mapping[str, Rule] | None = None,
    threads: int = 0,
    truncation: int | None = None,
    zero_sum: bool = False,
) -> Vec:
    """n games stepped together. `agents[s]` is the agent at seat s, a spec or an agent of your own, or None for the caller of
    `step`; without `agents` that is every seat. A game that is over is dealt anew at once; one is truncated after `truncation` actions.

    `threads` is how many threads step them, 0 for one per core: results do not depend on it. Without agents each thread is given
    at least 128 games, so that fewer than 256 stay on one thread. Rewards are the payoffs of the rules; with `zero_sum`, a seat's payoff less the mean of the others', so
    that they add up to 0: a game of two that pays 1 and 0 then pays 1 and -1."""
    return Vec(
        _game(game, rules), n, agents=agents, seed=seed, threads=threads, truncation=truncation, zero_sum=zero_sum
    )
