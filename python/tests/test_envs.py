"""The environments pass the checks of the projects they are made for."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from conftest import TABLES

import oboro

gymnasium = pytest.importorskip("gymnasium")
pettingzoo = pytest.importorskip("pettingzoo")

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


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="PettingZoo has a registry since 1.27")
def test_the_registry_of_pettingzoo_has_every_game() -> None:
    known = {id for id in pettingzoo.aec_registry if id.startswith("oboro/")}
    assert len(known) == len(oboro.games()) and "oboro/PhantomTtt-v0" in known
    env = pettingzoo.make("aec", "oboro/Saboteur-v0", rules={"players": 5}, flat=True)
    assert len(env.possible_agents) == 5
    seed_test(lambda: pettingzoo.make("aec", "oboro/Leduc"), num_cycles=20)


def play(env: Any, seed: int, flat: bool) -> Any:
    """Plays a game at random: the last observation, what was paid, and whether it was truncated."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    while True:
        assert env.observation_space.contains(seen)
        masks = env.action_masks()
        assert masks.dtype == np.bool_ and masks.any()
        seen, reward, terminated, truncated, _ = env.step(int(rng.choice(masks.nonzero()[0])))
        if terminated or truncated:
            assert not env.action_masks().any()
            # Small games have features only.
            numbers = seen if flat else np.concatenate([seen["observation"].ravel(), seen["features"]])
            return numbers, reward, truncated


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_the_last_observation_is_that_of_the_end(name: str, rules: dict[str, int]) -> None:
    for flat in (False, True):
        last, _, _ = play(envs.gym(name, rules=rules, flat=flat), 1, flat)
        # Short enough for every game.
        cut, paid, truncated = play(envs.gym(name, rules=rules, flat=flat, truncation=2), 1, flat)
        assert last.any() and cut.any() and truncated and paid == 0
        assert last.dtype == (np.float32 if flat else np.uint8)


def test_flat_observations_have_the_features_inside() -> None:
    env, flat = envs.aec("geister"), envs.aec("geister", flat=True)
    layout = oboro.layout("geister").observation
    for each in (env, flat):
        each.reset(seed=5)
    for _ in range(30):
        if env.terminations[env.agent_selection]:
            break
        seen, vector = env.observe(env.agent_selection), flat.observe(flat.agent_selection)
        planes = seen["observation"] * layout.plane_scale
        wanted = np.concatenate([planes.ravel(), seen["features"] * layout.feature_scale]).astype(np.float32)
        assert vector["observation"].dtype == np.float32 and (vector["observation"] == wanted).all()
        assert (vector["action_mask"] == seen["action_mask"]).all()
        action = int(env.action_masks().nonzero()[0][-1])
        env.step(action)
        flat.step(action)


def test_zero_sum_rewards() -> None:
    rewards = {play(envs.gym("geister", zero_sum=True), seed, False)[1] for seed in range(12)}
    assert {-1.0, 1.0} <= rewards <= {-1.0, 0.0, 1.0}


def test_rendering_does_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    for make in (envs.gym, envs.aec):
        text, human, none = (make("sevens", render_mode=mode) for mode in ("ansi", "human", None))
        for env in (text, human, none):
            env.reset(seed=1)
            env.step(int(env.action_masks().nonzero()[0][0]))
        assert "♠" in text.render() and human.render() is None and none.render() is None
        assert capsys.readouterr().out.count("♠") > 0
        with pytest.raises(ValueError, match="render_mode"):
            make("sevens", render_mode="rgb_array")
    env = envs.gym("geister", render_mode="ansi")
    play(env, 1, False)
    assert env.render()


@pytest.mark.parametrize("flat", [False, True])
def test_many_games_as_a_vector_environment(flat: bool) -> None:
    made = gymnasium.make_vec(
        "oboro/Geister-v0", num_envs=6, vectorization_mode="vector_entry_point", opponents="random", flat=flat, truncation=40
    )
    seen, infos = made.reset(seed=3)
    assert made.observation_space.contains(seen)
    rng, ended = np.random.default_rng(1), 0
    for _ in range(80):
        actions = [int(rng.choice(mask.nonzero()[0])) for mask in infos["action_mask"]]
        seen, rewards, terminated, truncated, infos = made.step(np.array(actions))
        assert made.observation_space.contains(seen) and rewards.shape == (6,)
        over = terminated | truncated
        assert ("final_obs" in infos) == over.any()
        for game in over.nonzero()[0]:
            assert made.single_observation_space.contains(infos["final_obs"][game])
            final = infos["final_obs"][game] if flat else infos["final_obs"][game]["observation"]
            assert final.any()
            ended += 1
        assert (rewards[~terminated] == 0).all()
    assert ended > 6
    again, _ = made.reset(seed=3)
    with pytest.raises(oboro.IllegalAction, match="game 0: action -1 is not legal"):
        made.step(np.full(6, -1))


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


def test_one_seat_against_agents_of_ones_own() -> None:
    class Last:
        def act(self, view: oboro.View) -> str:
            return view.actions[-1]

    for env in (envs.gym("geister", Last, seat=1), envs.gym("sevens", [Last, "random", Last])):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_env(env, skip_render_check=True)
    many = envs.gym_vec("leduc", 3, Last())
    many.reset(seed=1)
    for _ in range(20):
        many.step(many._vec.sample())
