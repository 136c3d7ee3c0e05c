"""Games written in Python: exact answers, matches, environments, and what is said of faults."""

from __future__ import annotations

import pickle
import random
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oboro

EXAMPLE = runpy.run_path(str(Path(__file__).parent.parent / "examples" / "kuhn.py"))
Kuhn, Cautious = EXAMPLE["Kuhn"], EXAMPLE["Cautious"]


class Guess:
    """Seat 0 hides a number below `top`, seat 1 guesses it; too many deals to be listed, so that `deal` draws them."""

    seats = 2
    actions = [str(number) for number in range(10)]
    payoff_sum = 1.0

    def __init__(self, top: int = 10) -> None:
        self.top = top

    def deal(self, rng: random.Random) -> tuple[Any, ...]:
        return (rng.randrange(1000),)

    def to_act(self, state: tuple[Any, ...]) -> int | None:
        return len(state) - 1 if len(state) < 3 else None

    def legal(self, state: tuple[Any, ...]) -> list[str]:
        return self.actions[: self.top]

    def apply(self, state: tuple[Any, ...], action: str) -> tuple[Any, ...]:
        return (*state, action)

    def view(self, state: tuple[Any, ...], seat: int) -> tuple[Any, ...]:
        return len(state), state if len(state) == 3 or seat == 0 else state[:1]

    def payoff(self, state: tuple[Any, ...], seat: int) -> float:
        return float((state[1] == state[2]) == (seat == 1))


class WithImagine(Guess):
    def imagine(self, view: tuple[Any, ...], seat: int, rng: random.Random) -> tuple[Any, ...]:
        moves, shown = view
        return (*shown, rng.choice(self.legal(shown))) if moves == 2 and seat == 1 else shown


def uniform(view: oboro.View) -> list[float]:
    return [1 / len(view.actions)] * len(view.actions)


def evaluate(views: list[oboro.View]) -> tuple[list[list[float]], list[list[float]]]:
    """All actions alike, and everything even."""
    return [uniform(view) for view in views], [[0.0, 0.0] for _ in views]


def test_exact_answers_are_those_of_the_engine() -> None:
    for policy in (uniform, "random", lambda view: [0.25, 0.75]):
        ours, engine = (oboro.exploitability(game, policy) for game in (Kuhn, "kuhn"))
        assert ours == pytest.approx(engine, abs=1e-12)
    for seat in (0, 1):
        ours, engine = (oboro.best_response(game, uniform, seat).value for game in (Kuhn, "kuhn"))
        assert ours == pytest.approx(engine, abs=1e-12)
    strategy = oboro.solve(Kuhn, "cfr+", 500)
    assert strategy.exploitability == pytest.approx(oboro.solve("kuhn", "cfr+", 500).exploitability, abs=1e-12)
    assert len(strategy) == 12 and oboro.solve(Kuhn, "mccfr", 200, seed=3).exploitability < 0.5
    # An object of the class and the game itself are the same game.
    for game in (Kuhn(), oboro.game(Kuhn)):
        assert oboro.exploitability(game, uniform) == pytest.approx(0.4583333333333333, abs=1e-9)


def test_the_example_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    strategy, result = EXAMPLE["main"](games=200)
    assert strategy.exploitability < 1e-3 and strategy.payoffs[0] == pytest.approx(-1 / 18, abs=1e-3)
    assert "uniform play: 0.458333" in capsys.readouterr().out and result.summary["games"] == 200


def test_agents_of_every_kind_play_matches(tmp_path: Path) -> None:
    agents = [["mc:20", Cautious], ["uct:20", "pimc:20"], ["ismcts:20", "oos:20"], [Cautious, "random"]]
    for pair in agents:
        one, two = (oboro.match(Kuhn, pair, games=8, seed=5, threads=threads) for threads in (1, 3))
        assert one.to_dict() == two.to_dict(), pair
    oboro.match(Kuhn, ["ismcts:20", Cautious], games=4, seed=5, out=tmp_path / "m", records=True)
    record = (tmp_path / "m" / "records" / "000001.txt").read_text()
    live = oboro.open_record(record, oboro.game(Kuhn))
    assert live.is_over and "game=Kuhn" in record and live.at(0).actions == ["pass", "bet"]
    # Searches understand it: a jack folds to a bet, a king does not.
    for deal, wanted in [(4, "pass"), (1, "bet")]:
        live = oboro.game(Kuhn).new_game(position=f"deal {deal}: bet")
        assert oboro.agent("ismcts:200").act(live.view(1)) == wanted
        for method in ("tree", "player"):
            assert oboro.search(live, evaluate, 200, method=method, seed=1).best == wanted
    league = oboro.league(Kuhn, ["random", Cautious, "mc:10"], games=8)
    assert sorted(league.to_dict()["agent"]) == ["Cautious", "mc:playouts=10", "random"]


def test_views_hide_and_imagined_games_agree() -> None:
    game = oboro.game(Kuhn)
    for seed in range(6):
        live = game.new_game(seed=seed)
        live.play("pass")
        for seat in (0, 1):
            view = live.view(seat)
            others = set()
            for draw in range(30):
                imagined = view.imagine(draw)
                assert imagined.view(seat).information_state == view.information_state
                others.add(str(imagined.view(1 - seat)))
            assert len(others) == 2, "the other holds one of two cards"
    live = game.new_game(seed=1)
    assert live.clone().actions == ["pass", "bet"] and live.game == "python"
    with pytest.raises(oboro.RecordError, match="open_record"):
        pickle.dumps(live)


def test_games_that_draw_their_deals() -> None:
    plain = oboro.game(Guess, top=4)
    assert oboro.match(plain, ["random", "random"], games=20, seed=2).summary["games"] == 20
    with pytest.raises(oboro.SpecError, match="does not list its deals"):
        oboro.exploitability(plain, uniform)
    with pytest.raises(ValueError, match=r"Guess\.imagine: missing"):
        oboro.match(plain, ["ismcts:10", "random"], games=2)
    drawn = oboro.game(WithImagine, top=4)
    assert oboro.match(drawn, ["ismcts:40", "mc:10"], games=4, seed=2).summary["games"] == 4
    live = drawn.new_game(seed=9)
    live.play("2")
    assert len({str(live.view(1).imagine(seed).view(0)) for seed in range(60)}) == 4
    found = oboro.search(live, lambda views: ([uniform(view) for view in views], None), 40, method="player", seed=1)
    assert set(found.policy) == {"0", "1", "2", "3"}


def test_environments_and_vec() -> None:
    envs = pytest.importorskip("oboro.envs")
    vec = oboro.vec(Kuhn, 32, seed=1)
    ended = 0
    for _ in range(20):
        vec.step(vec.sample())
        over = vec.done == 1
        ended += int(over.sum())
        assert (vec.rewards[over].sum(axis=1) == 0).all() and (np.abs(vec.rewards[over]) >= 1).all()
    assert ended > 100 and vec.features.shape == (32, 3) and vec.features.max() == 2
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test

    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(envs.aec(Kuhn, flat=True), num_cycles=40)
        check_env(envs.gym(Kuhn, opponents=Cautious, flat=True), skip_render_check=True)
    env = envs.gym(Kuhn, opponents="ismcts:10", seat=1, render_mode="ansi")
    env.reset(seed=1)
    assert "seat 1" in env.render()


class Broken(Kuhn):
    fault = ""

    def to_act(self, state: Any) -> int | None:
        return -1 if self.fault == "seat" else super().to_act(state)

    def apply(self, state: Any, action: str) -> Any:
        if self.fault == "apply":
            raise ZeroDivisionError("in apply")
        return None if self.fault == "none" else super().apply(state, action)

    def legal(self, state: Any) -> Any:
        return {"legal": ["pass", "raise"], "empty": []}.get(self.fault, self.actions)

    def view(self, state: Any, seat: int) -> Any:
        # The seat forgets what it did.
        return (state[0][seat], ()) if self.fault == "view" else super().view(state, seat)

    def encode(self, view: Any, seat: int) -> list[int]:
        return {"few": [0], "large": [0, 0, 9]}.get(self.fault, [0] * (4 if self.fault == "many" else 3))


def broken(fault: str) -> Any:
    return type("Faulty", (Broken,), {"fault": fault})


@pytest.mark.parametrize("threads", [1, 3])
def test_what_a_game_raises_reaches_whoever_called(threads: int) -> None:
    for agents in (["random", "random"], [Cautious, "ismcts:5"]):
        with pytest.raises(ZeroDivisionError, match="in apply"):
            oboro.match(broken("apply"), agents, games=20, threads=threads)
    live = oboro.game(broken("apply")).new_game(seed=1)
    with pytest.raises(ZeroDivisionError):
        live.play("bet")
    for again in (lambda: live.to_act, lambda: live.view(0), lambda: live.play("bet")):
        with pytest.raises(oboro.EngineError, match="broke in an earlier call"):
            again()
    with pytest.raises(ZeroDivisionError):
        oboro.solve(broken("apply"))
    for method in ("tree", "player"):
        with pytest.raises(ZeroDivisionError):
            oboro.search(oboro.game(broken("apply")).new_game(seed=1), evaluate, 10, method=method)
    vec = oboro.vec(broken("faultless"), 4, threads=threads)
    vec.step(vec.sample())
    with pytest.raises(ZeroDivisionError):
        vec = oboro.vec(broken("apply"), 4, threads=threads)
        vec.step(vec.sample())


def test_faulty_games_are_explained() -> None:
    for fault, said in [
        ("legal", r"Faulty\.legal: `raise`: expected some of `actions`"),
        ("empty", r"Faulty\.legal: expected an action"),
        ("none", r"Faulty\.apply: expected the next state, found None"),
        ("seat", r"Faulty\.to_act: seat -1: seats go from 0 to 1"),
    ]:
        with pytest.raises(ValueError, match=said):
            oboro.match(broken(fault), ["random", "random"], games=2)
    for fault, said in [("few", "no number for first"), ("large", "second is 9: from 0 to 2"), ("many", "more than 3")]:
        with pytest.raises(ValueError, match=said):
            oboro.vec(broken(fault), 2)
    with pytest.raises(oboro.SpecError, match="perfect recall"):
        oboro.exploitability(broken("view"), uniform)
    for members, said in [
        ({"seats": None}, "seats"),
        ({"seats": -1}, "seats: -1: from 1 to 10"),
        ({"observation": {"x": 300}}, "the largest x is 300: from 0 to 255"),
        ({"actions": ["a b"]}, "expected words that differ"),
        ({"actions": ["a", "a"]}, "expected words that differ"),
        ({"observation": 3}, "expected a dict"),
        ({"deals": lambda self: [(0.5, 1)]}, "add up to 1"),
    ]:
        with pytest.raises((TypeError, ValueError), match=said):
            oboro.game(type("Faulty", (Kuhn,), members))
    with pytest.raises(TypeError, match="it has no to_act"):
        oboro.game(object())
    with pytest.raises(oboro.SpecError, match="observation"):
        oboro.vec(Guess, 2)
    with pytest.raises(oboro.RecordError, match="not of game=Guess"):
        oboro.open_record(oboro.game(Kuhn).new_game(seed=1).record(), oboro.game(Guess))
