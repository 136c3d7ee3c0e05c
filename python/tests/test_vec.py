"""Many games together, and the environments made of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

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
        hidden = vec.privileged_state()
        assert hidden.shape == (5, *vec.layout.privileged.plane_shape) and hidden.base is not None
    assert kept is vec.observations


def test_equal_seeds_and_any_number_of_threads_make_equal_games() -> None:
    def play(threads: int) -> list[bytes]:
        vec, seen = oboro.vec("geister", 300, seed=7, threads=threads), []
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


def test_agents_hold_seats_and_games_are_truncated() -> None:
    vec = oboro.vec("geister", 8, agents=[None, "random"], seed=1, truncation=30)
    truncated = 0
    for _ in range(60):
        assert (vec.seats == 0).all()
        vec.step(vec.sample())
        truncated += int((vec.done == 2).sum())
    assert truncated > 0
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
        with pytest.raises(oboro.IllegalAction, match=f"game 1: action {bad} is not legal for seat 0"):
            vec.step(wrong)
    with pytest.raises(ValueError, match="2 actions for 3 games"):
        vec.step(actions[:2])
    with pytest.raises(TypeError, match="whole numbers"):
        vec.step(np.array([0.5, 1, 2]))
    assert (vec.observations == before).all()
    with pytest.raises(oboro.IllegalAction, match="game 1: action 9223372036854775807 is not legal"):
        vec.step(np.array([actions[0], 2**64 - 1, actions[2]], dtype=np.uint64))


def layouts(actions: np.ndarray) -> dict[str, object]:
    """Equal actions as they lie in the arrays of different programs."""
    wide = np.zeros((len(actions), 4), dtype=np.int64)
    wide[:, 2] = actions
    odd = np.zeros(8 * len(actions) + 1, dtype=np.uint8)[1:].view(np.int64)
    odd[:] = actions
    locked = actions.copy()
    locked.flags.writeable = False
    kinds = [np.uint8, np.int16, np.int32, np.uint32, np.uint64, ">i8", ">i4"]
    return {
        **{str(np.dtype(kind)): actions.astype(kind) for kind in kinds},
        "list": actions.tolist(),
        "a column": wide[:, 2],
        "a column of one": wide[:, 2:3],
        "rows of Fortran": np.asfortranarray(wide)[:, 2],
        "back to front": actions[::-1].copy()[::-1],
        "not aligned": odd,
        "read-only": locked,
    }


def test_actions_are_read_however_they_lie_in_memory() -> None:
    kinds = list(layouts(np.zeros(1, dtype=np.int64)))
    one, other = oboro.vec("kuhn", 6, seed=1), oboro.vec("kuhn", 6, seed=1)
    for kind in kinds * 3:
        actions = one.sample().copy()
        one.step(actions)
        other.step(layouts(actions)[kind])
        assert (one.observations == other.observations).all() and (one.features == other.features).all(), kind
        assert (one.masks == other.masks).all() and (one.rewards == other.rewards).all(), kind


def test_games_are_counted_from_0() -> None:
    vec = oboro.vec("geister", 3, seed=1)
    for number, said in ((3, "at most 2, found 3"), (-1, "at least 0, found -1"), (2**70, "at most 2, found")):
        for ask in (vec.view, lambda game: vec.look(game, 0), vec.record):
            with pytest.raises(oboro.SpecError, match=f"game: expected {said}"):
                ask(number)


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
        for shape in (layout.observation, layout.privileged):
            names = [channel.name for channel in (*shape.planes, *shape.features)]
            assert len(set(names)) == len(names) and all(channel.about for channel in shape.planes)
        assert layout["observation"]["features"] is layout.observation.features
        raw = oboro.game(name).layout
        assert set(raw) == {"observation", "privileged", "actions"} and oboro.vec(name, 1)._batch.layout == raw
        for symmetry in oboro.game(name).symmetries():
            assert sorted(symmetry["actions"]) == list(range(layout.actions))
            assert len(symmetry["privileged"]) == len(layout.privileged)


def test_bad_batches_are_refused() -> None:
    for options, message in [
        ({"n": 0}, "n: expected at least 1, found 0"),
        ({"n": -1}, "n: expected at least 1, found -1"),
        ({"agents": ["random", "random"]}, "no agent holds"),
        ({"truncation": 0}, "truncation: expected at least 1, found 0"),
        ({"truncation": 2**40}, "truncation: expected at most 4294967295"),
        ({"n": 2**70}, "n: expected at most"),
        ({"threads": -1}, "threads: expected at least 0, found -1"),
        ({"agents": [None]}, "2 seats"),
        ({"agents": ["random", None], "truncation": 1}, "games end before a seat without an agent is to move"),
    ]:
        with pytest.raises(oboro.SpecError, match=message):
            oboro.vec("geister", **{"n": 2, **options})


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_the_end_of_a_game_can_be_looked_at_after_the_next_is_dealt(name: str, rules: dict[str, int]) -> None:
    vec = oboro.vec(name, 4, rules=rules, seed=3, truncation=25)
    live = oboro.game(name, **rules)
    seen = {1: 0, 2: 0}
    for _ in range(120):
        vec.step(vec.sample())
        for game in np.flatnonzero(vec.done):
            end = oboro.open_record(vec.record(int(game), at_end=True))
            assert end.is_over == (vec.done[game] == 1) and end.plies <= 25
            for seat in range(live.seats):
                planes, features = vec.look(int(game), seat, at_end=True)
                view = end.view(seat)
                assert (planes == view.planes).all() and (features == view.features).all()
                assert planes.any() or features.any()
            seen[int(vec.done[game])] += 1
        for game in np.flatnonzero(vec.done == 0):
            with pytest.raises(oboro.SpecError, match="was not ended by the last step"):
                vec.look(int(game), 0, at_end=True)
    assert sum(seen.values()) > 0


def test_zero_sum_rewards_are_the_difference_to_the_mean_of_the_others() -> None:
    paid = {}
    for zero_sum in (False, True):
        vec = oboro.vec("sevens", 16, rules={"players": 3}, seed=2, zero_sum=zero_sum)
        rewards = []
        for _ in range(200):
            vec.step(vec.sample())
            rewards.extend(vec.rewards[vec.done == 1].tolist())
        paid[zero_sum] = np.array(rewards)
    raw = paid[False]
    assert len(raw) > 20 and np.allclose(paid[True].sum(axis=1), 0, atol=1e-6)
    assert np.allclose(paid[True], raw - (raw.sum(axis=1, keepdims=True) - raw) / 2, atol=1e-6)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_steps_on() -> None:
    code = """
import os, numpy as np, oboro
vec = oboro.vec("geister", 600, seed=1, threads=2)
vec.step(vec.sample())
child = os.fork()
for _ in range(20):
    vec.step(vec.sample())
print(os.getpid() if child else 0, int(vec.observations.astype(np.int64).sum()), flush=True)
if child:
    os.waitpid(child, 0)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    parent, child = (line.split()[1] for line in done.stdout.splitlines())
    assert parent == child


def test_ctrl_c_interrupts_agents_at_once() -> None:
    vec = oboro.vec("geister", 4, agents=[None, "mc:100000000"], seed=1, threads=2)
    raised: list[float] = []

    def interrupt() -> None:
        raised.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            vec.step(vec.sample())
    waited = time.monotonic() - raised[0]
    # A fifth of a second on a machine with nothing else to do; this one may be busy.
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 4
    assert waited < 0.2 + 0.1 * busy
    with pytest.raises(oboro.SpecError, match="reset the games"):
        vec.step(vec.sample())
    calm = oboro.vec("geister", 4, agents=[None, "random"], seed=1)
    calm.step(calm.sample())


def test_too_many_games_are_refused_before_memory_runs_out() -> None:
    with pytest.raises(oboro.OutOfMemory, match="games of saboteur need at least") as raised:
        oboro.vec("saboteur", 10**9)
    assert isinstance(raised.value, MemoryError)
    with pytest.raises(oboro.OutOfMemory):
        oboro.vec("geister", 2**62)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
def test_a_limit_of_the_system_is_an_error_and_no_abort() -> None:
    code = """
import resource, oboro
oboro.vec("geister", 1)
resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
try:
    oboro.vec("geister", 10**6)
except MemoryError as error:
    print(type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "OutOfMemory"


def test_a_view_of_one_of_many_games_is_played_by_any_agent() -> None:
    vec = oboro.vec("sevens", 3, seed=4)
    agent = oboro.agent("eval")
    for _ in range(20):
        actions = []
        for game in range(3):
            view = vec.view(game)
            assert (view.planes == vec.observations[game]).all() and (view.mask == vec.masks[game]).all()
            actions.append(view.number(agent.act(view)))
        vec.step(actions)


class First:
    """Plays the first action; counts how often it was asked, over all games."""

    asked = 0

    def begin(self, opening: object) -> None:
        self.seen = 0

    def observe(self, event: object) -> None:
        self.seen += 1

    def act(self, view: oboro.View) -> str:
        type(self).asked += 1
        assert self.seen == view.ply, "it was told of everything before"
        return view.actions[0]


class Together:
    """The same, for many games at once."""

    def __init__(self) -> None:
        self.most = 0

    def act_batch(self, views: list[oboro.View]) -> list[int]:
        self.most = max(self.most, len(views))
        return [int(view.number(view.actions[0])) for view in views]


@pytest.mark.parametrize("name", ["geister", "sevens", "leduc"])
def test_agents_of_ones_own_hold_seats(name: str) -> None:
    def play(agent: object, threads: int) -> list[bytes]:
        others = [agent] * (oboro.game(name).seats - 1)
        vec, seen = oboro.vec(name, 6, agents=[None, *others], seed=7, threads=threads, truncation=40), []
        for _ in range(60):
            assert (vec.seats == 0).all()
            vec.step(vec.sample())
            seen.append(vec.observations.tobytes() + vec.features.tobytes() + vec.rewards.tobytes())
        return seen

    First.asked, together = 0, Together()
    games = play(First, 1)
    assert First.asked > 200
    assert games == play(First, 3) == play(together, 0) and together.most > 1


def test_an_agent_of_ones_own_that_fails_is_named() -> None:
    class Falls:
        def act(self, view: oboro.View) -> str:
            if view.ply < 5:
                return view.actions[0]
            raise LookupError("no move")

    vec = oboro.vec("geister", 3, agents=[None, Falls], seed=1)
    with pytest.raises(oboro.AgentError, match="no move") as caught:
        for _ in range(9):
            vec.step(vec.sample())
    assert isinstance(caught.value.__cause__, LookupError)
    with pytest.raises(oboro.SpecError, match="reset the games"):
        vec.step(vec.sample())
    vec.reset(3)
    vec.step(vec.sample())
    with pytest.raises(TypeError, match="is no agent"):
        oboro.vec("geister", 2, agents=[None, 3])

    class Slow:
        def act(self, view: oboro.View) -> str:
            signal.raise_signal(signal.SIGINT)
            return view.actions[0]

    vec = oboro.vec("geister", 2, agents=[None, Slow], seed=1)
    with pytest.raises(KeyboardInterrupt):
        vec.step(vec.sample())
