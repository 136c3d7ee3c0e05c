"""Many games together, and the environments made of them."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import TABLES

import oboro


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_every_game_is_stepped_with_observations_and_masks(name: str, rules: dict[str, int]) -> None:
    vec = oboro.vec(name, 5, rules=rules, seed=1)
    shape = vec.layout.observation
    assert vec.observations.shape == (5, *shape.plane_shape) and vec.observations.dtype == np.uint8
    assert vec.features.shape == (5, len(shape.features)) and vec.masks.shape == (5, vec.layout.actions)
    assert vec.masks.dtype == np.bool_ and vec.rewards.shape == (5, vec.players) and vec.rewards.dtype == np.float32
    kept = vec.observations
    for _ in range(40):
        assert vec.masks.any(axis=1).all() and (vec.seats < vec.players).all()
        actions = vec.sample()
        assert vec.masks[np.arange(5), actions].all()
        vec.step(actions)
        assert (vec.observations <= (1 / shape.plane_scale).round().astype(np.uint8)).all()
        hidden = vec.truth()
        assert hidden.shape == (5, *vec.layout.truth.plane_shape) and hidden.base is not None
    assert kept is vec.observations


def test_equal_seeds_and_any_number_of_threads_make_equal_games() -> None:
    def play(threads: int) -> list[bytes]:
        vec, seen = oboro.vec("geister", 100, seed=7, threads=threads), []
        for _ in range(60):
            vec.step(vec.sample())
            seen.append(vec.observations.tobytes() + vec.masks.tobytes() + vec.rewards.tobytes() + vec.done.tobytes())
        return seen

    assert play(1) == play(2)


def test_games_end_are_paid_and_dealt_anew() -> None:
    vec = oboro.vec("sevens", 16, rules={"players": 3}, seed=2)
    ended = 0
    for _ in range(400):
        vec.step(vec.sample())
        over = vec.done == 1
        ended += int(over.sum())
        assert (vec.rewards[~over] == 0).all()
        assert (vec.rewards[over].sum(axis=1) > 0).all()
    assert ended >= 16


def test_agents_hold_seats_and_games_are_cut() -> None:
    vec = oboro.vec("geister", 8, agents=[None, "random"], seed=1, cut=30)
    cuts = 0
    for _ in range(60):
        assert (vec.seats == 0).all()
        vec.step(vec.sample())
        cuts += int((vec.done == 2).sum())
    assert cuts > 0
    with pytest.raises(oboro.TurnError, match="held by an agent"):
        vec.look(0, 1)


def test_a_seat_sees_in_a_match_what_it_sees_here() -> None:
    """Observations of a live game, of a match and of many games are the same numbers."""
    vec = oboro.vec("sevens", 1, seed=11, threads=1)
    live = oboro.game("sevens").new_game(seed=11)
    for _ in range(30):
        seat = int(vec.seats[0])
        assert live.to_act == seat
        view = live.view(seat)
        assert (view.planes == vec.observations[0]).all() and (view.features == vec.features[0]).all()
        assert (view.mask == vec.masks[0]).all()
        planes, features = vec.look(0, seat)
        assert (planes == view.planes).all() and (features == view.features).all()
        number = int(vec.sample()[0])
        assert view.number(view.action(number)) == number
        live.play(view.action(number))
        vec.step([number])
    assert oboro.open_record(vec.record(0)).plies == 30


def test_illegal_actions_change_nothing() -> None:
    vec = oboro.vec("geister", 3, seed=1)
    before, actions = vec.observations.copy(), vec.sample().astype(np.int64)
    for bad in (-1, 10**6, 2**40):
        wrong = actions.copy()
        wrong[1] = bad
        with pytest.raises(oboro.IllegalAction, match="game 1"):
            vec.step(wrong)
    with pytest.raises(ValueError, match="2 actions for 3 games"):
        vec.step(actions[:2])
    with pytest.raises(TypeError, match="whole numbers"):
        vec.step(np.array([0.5, 1, 2]))
    assert (vec.observations == before).all()
    for kind in (np.int32, np.uint32, np.uint8, list):
        vec.step([int(action) for action in vec.sample()] if kind is list else vec.sample().astype(kind))


def test_buffers_are_shared_without_copies() -> None:
    vec = oboro.vec("geister", 4, seed=1)
    shared = np.from_dlpack(vec.observations)
    assert np.shares_memory(shared, vec.observations)
    before = shared.copy()
    for _ in range(4):
        vec.step(vec.sample())
    assert (shared == vec.observations).all() and (shared != before).any()


def test_numbering_names_every_channel() -> None:
    for name in oboro.games():
        layout = oboro.layout(name)
        for shape in (layout.observation, layout.truth):
            names = [channel.name for channel in (*shape.planes, *shape.features)]
            assert len(set(names)) == len(names) and all(channel.about for channel in shape.planes)
        assert layout["observation"]["planes"][0]["name"] == layout.observation.planes[0].name
        for symmetry in oboro.game(name).symmetries():
            assert sorted(symmetry["actions"]) == list(range(layout.actions))


def test_bad_batches_are_refused() -> None:
    for options, message in [
        ({"n": 0}, "at least one game"),
        ({"agents": ["random", "random"]}, "no agent holds"),
        ({"cut": 0}, "at least one action"),
        ({"agents": [None]}, "2 seats"),
    ]:
        with pytest.raises(oboro.SpecError, match=message):
            oboro.vec("geister", **{"n": 2, **options})
