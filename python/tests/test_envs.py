"""The environments pass the checks of the projects they are made for."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import TABLES

import oboro

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from oboro import envs  # noqa: E402


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_pettingzoo(name: str, rules: dict[str, int]) -> None:
    with warnings.catch_warnings():
        # It finds it strange that an observation is no image and that a game has no rewards before its end.
        warnings.simplefilter("ignore")
        api_test(envs.aec(name, rules=rules), num_cycles=60)
        seed_test(lambda: envs.aec(name, rules=rules), num_cycles=20)


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_gymnasium(name: str, rules: dict[str, int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(envs.gym(name, rules=rules, seat=1), skip_render_check=True)


def test_a_game_is_played_and_paid() -> None:
    env = envs.aec("sevens", rules={"players": 3}, render_mode="ansi")
    env.reset(seed=1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    rng = np.random.default_rng(1)
    drawn = env.render()
    assert drawn is not None and "♠" in drawn
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        mask = seen["action_mask"]
        env.step(None if terminated or truncated else int(rng.choice(mask.nonzero()[0])))
    assert sum(total.values()) > 0 and not env.agents


def test_one_seat_against_named_agents() -> None:
    env = gymnasium.make("oboro/Geister-v0", opponents="random", seat=1)
    seen, info = env.reset(seed=3)
    rng, rewards = np.random.default_rng(1), []
    for _ in range(3):
        over = False
        while not over:
            action = rng.choice(info["action_mask"].nonzero()[0])
            seen, reward, terminated, truncated, info = env.step(int(action))
            over = terminated or truncated
        rewards.append(reward)
        seen, info = env.reset()
    assert any(rewards) and seen["action_mask"].any()


def test_an_illegal_action_loses_or_raises() -> None:
    env = envs.gym("geister")
    seen, _ = env.reset(seed=1)
    wrong = int((seen["action_mask"] == 0).nonzero()[0][0])
    _, reward, terminated, _, info = env.step(wrong)
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(wrong)
    strict = envs.gym("geister", illegal=None)
    strict.reset(seed=1)
    with pytest.raises(oboro.IllegalAction):
        strict.step(wrong)
