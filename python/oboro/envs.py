"""Environments of PettingZoo (all seats, one after the other) and Gymnasium (one seat against named agents).

They need the extra `oboro[envs]`. Observations are dicts: `observation` (planes), `features`, and `action_mask`. Who wants many
games at once takes `oboro.vec`, which is a hundred times faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]

from oboro._engine import Game, games, open_record
from oboro.batch import EncodingLayout, Vec
from oboro.matches import Rule, _game

__all__ = ["GameEnv", "SeatEnv", "aec", "gym"]

Observation = dict[str, npt.NDArray[Any]]


def _observation_space(layout: EncodingLayout) -> spaces.Dict:
    shape = layout.observation
    most = np.array([channel.max for channel in shape.planes], dtype=np.uint8).reshape(-1, 1, 1)
    high = np.broadcast_to(most, shape.plane_shape).copy()
    features = np.array([channel.max for channel in shape.features], dtype=np.uint8)
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(high), high, dtype=np.uint8),
            "features": spaces.Box(np.zeros_like(features), features, dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (layout.actions,), dtype=np.int8),
        }
    )


class _Table:
    """One game, whose finished state is nothing to look at."""

    def __init__(self, game: Game, agents: Sequence[str | None] | None, cut: int | None) -> None:
        self.vec = Vec(game, 1, agents=agents, threads=1, cut=cut)
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
        """What a seat sees; its mask is empty unless it is to move. Of a game that is over nothing is left: all zeros."""
        shape = self.vec.layout.observation
        mask = np.zeros(self.vec.layout.actions, dtype=np.int8)
        if self.over:
            planes = np.zeros(shape.plane_shape, dtype=np.uint8)
            features = np.zeros(len(shape.features), dtype=np.uint8)
        elif seat == self.to_act:
            planes, features = self.vec.observations[0].copy(), self.vec.features[0].copy()
            mask[:] = self.vec.masks[0]
        else:
            planes, features = self.vec.look(0, seat)
        return {"observation": planes, "features": features, "action_mask": mask}

    def drawing(self, who: int | Literal["truth"]) -> str:
        return "the game is over\n" if self.over else open_record(self.vec.record(0)).drawing(who)


class GameEnv(AECEnv):  # type: ignore[misc, unused-ignore]
    """All seats of a game, one after the other: a PettingZoo environment."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False, "name": "oboro"}

    def __init__(self, game: Game, *, cut: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        self._table = _Table(game, None, cut)
        self._rng = np.random.default_rng()
        self.metadata = {**type(self).metadata, "name": f"oboro_{game.name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        layout = self._table.vec.layout
        self.observation_spaces = {agent: _observation_space(layout) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(layout.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        space = self.observation_spaces[agent]
        assert isinstance(space, spaces.Dict)
        return space

    def action_space(self, agent: str) -> spaces.Discrete:
        space = self.action_spaces[agent]
        assert isinstance(space, spaces.Discrete)
        return space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
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

    def step(self, action: int | None) -> None:
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

    def observe(self, agent: str) -> Observation:
        return self._table.look(self.possible_agents.index(agent))

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        return self._table.drawing(self._table.to_act)

    def close(self) -> None:
        pass


class SeatEnv(gymnasium.Env[Observation, int]):
    """One seat of a game against named agents: a Gymnasium environment.

    An illegal action ends the episode with the reward `illegal`; with None it raises `IllegalAction`. Legal ones are in
    `observation["action_mask"]`, also as `info["action_mask"]`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: Game | str,
        opponents: str | Sequence[str] = "random",
        *,
        seat: int = 0,
        rules: Mapping[str, Rule] | None = None,
        cut: int | None = None,
        illegal: float | None = -1.0,
        render_mode: str | None = None,
    ) -> None:
        game = _game(game, rules)
        others = [opponents] * (game.seats - 1) if isinstance(opponents, str) else list(opponents)
        if not 0 <= seat < game.seats:
            raise ValueError(f"seat: {seat}: seats go from 0 to {game.seats - 1}")
        agents: list[str | None] = [*others[:seat], None, *others[seat:]]
        self._table = _Table(game, agents, cut)
        self._seat = seat
        self._illegal = illegal
        self.render_mode = render_mode
        layout = self._table.vec.layout
        self.observation_space: spaces.Space[Any] = _observation_space(layout)
        self.action_space: spaces.Space[Any] = spaces.Discrete(layout.actions)

    def _now(self) -> tuple[Observation, dict[str, Any]]:
        seen = self._table.look(self._seat)
        return seen, {"action_mask": seen["action_mask"]}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._table.reset(int(self.np_random.integers(2**63)))
        return self._now()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        table = self._table
        if table.over:
            raise RuntimeError("the game is over: reset the environment")
        if self._illegal is not None and not (0 <= action < table.vec.masks.shape[1] and table.vec.masks[0, action]):
            table.over = True
            seen, info = self._now()
            return seen, self._illegal, True, False, {**info, "illegal": True}
        table.step(int(action))
        seen, info = self._now()
        ended = int(table.vec.done[0])
        return seen, float(table.vec.rewards[0, self._seat]), ended == 1, ended == 2, info

    def render(self) -> str | None:
        return None if self.render_mode is None else self._table.drawing(self._seat)


def aec(
    game: str | Game,
    *,
    rules: Mapping[str, Rule] | None = None,
    cut: int | None = None,
    render_mode: str | None = None,
) -> GameEnv:
    """A PettingZoo environment of all seats of a game."""
    return GameEnv(_game(game, rules), cut=cut, render_mode=render_mode)


def gym(game: str | Game, opponents: str | Sequence[str] = "random", **options: Any) -> SeatEnv:
    """A Gymnasium environment of one seat of a game against named agents."""
    return SeatEnv(game, opponents, **options)


for _name in games():
    gymnasium.register(
        f"oboro/{''.join(word.capitalize() for word in _name.split('-'))}-v0", entry_point="oboro.envs:SeatEnv", kwargs={"game": _name}
    )
