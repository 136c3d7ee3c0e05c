"""Environments of PettingZoo (all seats, one after the other) and Gymnasium (one seat against other agents).

They need the extra `oboro[envs]`. Observations are dicts: `observation` (planes, uint8), `features`, and `action_mask`. With
`flat=True` an observation is one float32 vector between 0 and 1 that has planes and features. Rewards are the payoffs of the
rules at the end of a game and 0 before; with `zero_sum=True` a seat's payoff less the mean of the others'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import gymnasium
    import pettingzoo  # type: ignore[import-untyped, unused-ignore]
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]
except ImportError as error:
    raise ImportError(f"oboro.envs needs Gymnasium and PettingZoo: pip install 'oboro[envs]' ({error})") from error

from oboro._engine import Game, View, games, open_record
from oboro.batch import EncodingLayout, Vec
from oboro.agents import AnyAgent
from oboro.matches import Rule, _game, _whole
from oboro.own_games import AnyGame

__all__ = ["GameEnv", "SeatEnv", "SeatVectorEnv", "aec", "gym", "gym_vec"]

Opponents = str | AnyAgent | list[str | AnyAgent] | tuple[str | AnyAgent, ...]
"""One agent at every other seat, or one for each: specs, or agents of your own."""
Observation = dict[str, npt.NDArray[Any]]
Array = npt.NDArray[Any]


def _flat_space(layout: EncodingLayout) -> spaces.Box:
    return spaces.Box(0.0, 1.0, (len(layout.observation),), dtype=np.float32)


def _observation_space(layout: EncodingLayout, flat: bool) -> spaces.Dict:
    mask = spaces.Box(0, 1, (layout.actions,), dtype=np.int8)
    if flat:
        return spaces.Dict({"observation": _flat_space(layout), "action_mask": mask})
    shape = layout.observation
    bound = np.array([channel.max for channel in shape.planes], dtype=np.uint8).reshape(-1, 1, 1)
    high = np.broadcast_to(bound, shape.plane_shape).copy()
    features = np.array([channel.max for channel in shape.features], dtype=np.uint8)
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(high), high, dtype=np.uint8),
            "features": spaces.Box(np.zeros_like(features), features, dtype=np.uint8),
            "action_mask": mask,
        }
    )


def _flatten(layout: EncodingLayout, planes: Array, features: Array) -> npt.NDArray[np.float32]:
    """Planes and features of any number of games as numbers between 0 and 1, planes first."""
    shape = layout.observation
    ahead = planes.shape[:-3]
    scaled = (planes * shape.plane_scale).reshape(*ahead, shape.plane_bytes)
    return np.concatenate([scaled, features * shape.feature_scale], axis=-1).astype(np.float32)


def _render_mode(mode: str | None) -> str | None:
    if mode not in (None, "ansi", "human"):
        raise ValueError(f"render_mode: expected None, 'ansi' or 'human', found {mode!r}")
    return mode


def _seating(game: Game, opponents: Opponents, seat: int) -> list[str | AnyAgent | None]:
    others = list(opponents) if isinstance(opponents, (list, tuple)) else [opponents] * (game.seats - 1)
    if not 0 <= seat < game.seats:
        raise ValueError(f"seat: {seat}: seats go from 0 to {game.seats - 1}")
    return [*others[:seat], None, *others[seat:]]


class _Table:
    """One game; when it is over, its end is what is looked at."""

    def __init__(self, vec: Vec, flat: bool) -> None:
        self.vec = vec
        self.flat = flat
        self.over = False

    def reset(self, seed: int) -> None:
        self.vec.reset(seed)
        self.over = False

    def step(self, action: int) -> None:
        self.vec.step(np.array([action], dtype=np.int64))
        self.over = bool(self.vec.done[0])

    @property
    def to_act(self) -> int:
        return int(self.vec.seats[0])

    def look(self, seat: int) -> Observation:
        """What a seat sees; its mask is empty unless it is to move."""
        mask = np.zeros(self.vec.layout.actions, dtype=np.int8)
        if not self.over and seat == self.to_act:
            planes, features = self.vec.observations[0].copy(), self.vec.features[0].copy()
            mask[:] = self.vec.masks[0]
        else:
            planes, features = self.vec.look(0, seat, at_end=self.over)
        if self.flat:
            return {"observation": _flatten(self.vec.layout, planes, features), "action_mask": mask}
        return {"observation": planes, "features": features, "action_mask": mask}

    def drawing(self, who: int) -> str:
        """The position as a seat sees it; nothing is hidden any more when the game is over."""
        live = open_record(self.vec.record(0, at_end=self.over), self.vec.game)
        return live.drawing("truth" if live.is_over else who)


class GameEnv(AECEnv):  # type: ignore[misc, unused-ignore]
    """All seats of a game, one after the other: a PettingZoo environment."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "is_parallelizable": False, "name": "oboro"}
    """What PettingZoo asks of an environment: its render modes and its name."""

    def __init__(
        self,
        game: Game,
        *,
        truncation: int | None = None,
        flat: bool = False,
        zero_sum: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._table = _Table(Vec(game, 1, threads=1, truncation=truncation, zero_sum=zero_sum), flat)
        self._rng = np.random.default_rng()
        self.metadata = {**type(self).metadata, "name": f"oboro_{game.name}_v0"}
        self.render_mode = _render_mode(render_mode)
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        layout = self._table.vec.layout
        self.observation_spaces = {agent: _observation_space(layout, flat) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(layout.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what a seat sees."""
        space = self.observation_spaces[agent]
        assert isinstance(space, spaces.Dict)
        return space

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of action indices; a mask says which are legal."""
        space = self.action_spaces[agent]
        assert isinstance(space, spaces.Discrete)
        return space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a game. The same seeds give the same games."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._table.reset(int(self._rng.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._table.to_act]
        self._show()

    def step(self, action: int | None) -> None:
        """Plays an action for the seat to move; `None` where the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move: an action is needed")
        self._table.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._table.over:
            ended = self._table.vec.done[0]
            for seat, name in enumerate(self.possible_agents):
                self.rewards[name] = float(self._table.vec.rewards[0, seat])
                self.terminations[name] = bool(ended == 1)
                self.truncations[name] = bool(ended == 2)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self._table.to_act]
        self._accumulate_rewards()
        self._show()

    def observe(self, agent: str) -> Observation:
        """What a seat sees now."""
        return self._table.look(self.possible_agents.index(agent))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions the seat to move may choose."""
        return self._table.look(self.possible_agents.index(self.agent_selection))["action_mask"].astype(np.bool_)

    def view(self) -> View:
        """What the seat to move knows, as an agent is handed it."""
        return self._table.vec.view(0)

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self._table.drawing(self._table.to_act))

    def render(self) -> str | None:
        """With "ansi" the position as text; with "human" it is printed after every step anyway."""
        return self._table.drawing(self._table.to_act) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing has to be closed."""


class SeatEnv(gymnasium.Env[Any, int]):
    """One seat of a game against other agents: a Gymnasium environment.

    An illegal action ends the episode with the reward `illegal`; with None it raises `IllegalAction`. Legal ones are in
    `action_masks()`, which MaskablePPO asks, and `info["action_mask"]`. With `flat=True` the observation is the vector itself.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 1}
    """What Gymnasium asks of an environment: its render modes."""

    def __init__(
        self,
        game: AnyGame,
        opponents: Opponents = "random",
        *,
        seat: int = 0,
        rules: Mapping[str, Rule] | None = None,
        truncation: int | None = None,
        flat: bool = False,
        zero_sum: bool = False,
        illegal: float | None = -1.0,
        render_mode: str | None = None,
    ) -> None:
        game = _game(game, rules)
        agents = _seating(game, opponents, seat)
        self._table = _Table(Vec(game, 1, agents=agents, threads=1, truncation=truncation, zero_sum=zero_sum), flat)
        self._seat = seat
        self._illegal = illegal
        self.render_mode = _render_mode(render_mode)
        self._done = True
        layout = self._table.vec.layout
        self._mask = np.zeros(layout.actions, dtype=np.bool_)
        self.observation_space: spaces.Space[Any] = _flat_space(layout) if flat else _observation_space(layout, flat)
        self.action_space: spaces.Space[Any] = spaces.Discrete(layout.actions)

    def _now(self) -> tuple[Any, dict[str, Any]]:
        seen = self._table.look(self._seat)
        self._mask = seen["action_mask"].astype(np.bool_)
        if self.render_mode == "human":
            print(self._table.drawing(self._seat))
        return seen["observation"] if self._table.flat else seen, {"action_mask": seen["action_mask"]}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal; none when the game is over."""
        return self._mask

    def view(self) -> View:
        """What the seat knows, as an agent is handed it."""
        return self._table.vec.view(0, self._seat)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals a game, and lets the others play until the seat is to move. The same seeds give the same games."""
        super().reset(seed=seed)
        self._table.reset(int(self.np_random.integers(2**63)))
        self._done = False
        return self._now()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action, and lets the others answer: what the seat sees, its reward, whether the game ended or was truncated, and the mask."""
        table = self._table
        if self._done:
            raise RuntimeError("the game is over: reset the environment")
        if self._illegal is not None and not (0 <= action < len(self._mask) and self._mask[action]):
            self._done = True
            seen, info = self._now()
            return seen, self._illegal, True, False, {**info, "illegal": True}
        table.step(int(action))
        seen, info = self._now()
        self._done = table.over
        ended = int(table.vec.done[0])
        return seen, float(table.vec.rewards[0, self._seat]), ended == 1, ended == 2, info

    def render(self) -> str | None:
        """With "ansi" the position as text; with "human" it is printed after every step anyway."""
        return self._table.drawing(self._seat) if self.render_mode == "ansi" else None


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """One seat of many games against other agents: a vector environment of Gymnasium over `oboro.vec`.

    A game that ends is dealt anew in the same step; its last observation is in `infos["final_obs"]`. Masks are in
    `infos["action_mask"]` and `action_masks()`. An illegal action raises `IllegalAction`, and nothing is played then.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}
    """What Gymnasium asks of an environment: games are dealt anew in the step that ends them."""

    def __init__(
        self,
        game: AnyGame,
        opponents: Opponents = "random",
        *,
        num_envs: int = 1,
        seat: int = 0,
        rules: Mapping[str, Rule] | None = None,
        truncation: int | None = None,
        flat: bool = False,
        zero_sum: bool = False,
        threads: int = 0,
    ) -> None:
        game = _game(game, rules)
        agents = _seating(game, opponents, seat)
        self.num_envs = _whole("num_envs", num_envs, 1)
        self._vec = Vec(game, num_envs, agents=agents, threads=threads, truncation=truncation, zero_sum=zero_sum)
        self._seat = seat
        self._flat = flat
        layout = self._vec.layout
        self.single_observation_space = _flat_space(layout) if flat else _observation_space(layout, flat)
        self.single_action_space = spaces.Discrete(layout.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal in each game."""
        return self._vec.masks.copy()

    def _observation(self, planes: Array, features: Array, masks: Array) -> Any:
        if self._flat:
            return _flatten(self._vec.layout, planes, features)
        return {"observation": planes.copy(), "features": features.copy(), "action_mask": masks.astype(np.int8)}

    def _now(self) -> tuple[Any, dict[str, Any]]:
        vec = self._vec
        masks = vec.masks.astype(np.int8)
        return self._observation(vec.observations, vec.features, masks), {"action_mask": masks}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals all games by one seed."""
        if isinstance(seed, list):
            raise ValueError("seed: one seed deals all games")
        super().reset(seed=seed)
        self._vec.reset(int(self.np_random.integers(2**63)))
        return self._now()

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Plays an action in each game: what the seat sees, its rewards, which games ended or were truncated, and masks."""
        vec = self._vec
        vec.step(actions)
        seen, infos = self._now()
        ended = vec.done != 0
        if ended.any():
            final = np.full(self.num_envs, None, dtype=object)
            nothing = np.zeros(vec.layout.actions, dtype=np.int8)
            for game in np.flatnonzero(ended):
                final[game] = self._observation(*vec.look(int(game), self._seat, at_end=True), nothing)
            infos |= {"final_obs": final, "_final_obs": ended}
        return seen, vec.rewards[:, self._seat].astype(np.float64), vec.done == 1, vec.done == 2, infos


def aec(game: AnyGame, *, rules: Mapping[str, Rule] | None = None, **options: Any) -> GameEnv:
    """A PettingZoo environment of all seats of a game; options are those of `GameEnv`."""
    return GameEnv(_game(game, rules), **options)


def gym(game: AnyGame, opponents: Opponents = "random", **options: Any) -> SeatEnv:
    """A Gymnasium environment of one seat of a game against other agents; options are those of `SeatEnv`."""
    return SeatEnv(game, opponents, **options)


def gym_vec(game: AnyGame, num_envs: int, opponents: Opponents = "random", **options: Any) -> SeatVectorEnv:
    """A vector environment of Gymnasium: many games at once; options are those of `SeatVectorEnv`."""
    return SeatVectorEnv(game, opponents, num_envs=num_envs, **options)


# By the same names in both registries: `gymnasium.make("oboro/Geister-v0")`, `pettingzoo.make("aec", "oboro/Geister-v0")`.
for _name in games():
    _id = f"oboro/{''.join(word.capitalize() for word in _name.split('-'))}-v0"
    gymnasium.register(
        _id,
        entry_point="oboro.envs:SeatEnv",
        vector_entry_point="oboro.envs:SeatVectorEnv",
        kwargs={"game": _name},
    )
    if hasattr(pettingzoo, "register"):  # since 1.27
        pettingzoo.register("aec", _id, "oboro.envs:aec", kwargs={"game": _name})
