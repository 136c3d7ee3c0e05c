"""Matches, leagues and experiments, with agents of the engine and of one's own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

import oboro
from oboro import View

OBORO = os.environ.get("OBORO_BIN")


class Careless:
    """Plays at random, from the stream it is handed."""

    def act(self, view: View) -> str:
        return view.rng.choice(view.actions)


class Sulky:
    """Does not play."""

    def act(self, view: View) -> str:
        raise ValueError("no bets today")


class Counting:
    """Remembers what it saw, in a game of its own."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def begin(self, opening: dict[str, Any]) -> None:
        assert not self.seen and opening["game"] == "sevens" and opening["seats"] == 4
        self.seat = opening["seat"]
        assert opening["scene"]["viewer"] == self.seat

    def observe(self, event: dict[str, Any]) -> None:
        self.seen.append(event["ply"])

    def act(self, view: View) -> str:
        assert self.seen == list(range(1, view.ply + 1)) and view.seat == self.seat
        return view.actions[0]

    def end(self, ending: dict[str, Any]) -> None:
        assert len(ending["payoffs"]) == 4 and ending["forfeit"] is None


class Together:
    """Asked for many games at once; numbers instead of text."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def act_batch(self, views: list[View]) -> list[int]:
        self.sizes.append(len(views))
        return [view.rng.choice(view.mask.nonzero()[0].tolist()) for view in views]


def test_a_match_of_named_agents() -> None:
    result = oboro.match("sevens", ["eval", "rule", "rule", "eval"], games=80, seed=1, progress=False)
    assert len(result) == 80 and result.entrants == ["eval", "rule"]
    assert result.payoff("eval") > result.payoff("rule") and "eval" in str(result)
    columns = result.to_dict()
    assert len(columns["payoff"]) == 320 and len({len(column) for column in columns.values()}) == 1
    frame = pytest.importorskip("pandas").DataFrame(columns)
    assert frame.groupby("agent").payoff.mean()["eval"] == pytest.approx(result.payoff("eval"))


def test_results_do_not_depend_on_threads_or_on_how_python_is_asked() -> None:
    def play(agent: Any, **options: Any) -> list[dict[str, Any]]:
        agents = [agent, "rule", "random", "rule"]
        return oboro.match("sevens", agents, games=24, seed=5, progress=False, **options).games

    assert play(Careless, threads=1) == play(Careless, threads=3) == play(Careless()) == play(lambda: Careless())
    together = Together()
    assert play(together, threads=1) == play(together, threads=16)
    assert max(together.sizes) > 1


def test_an_agent_is_told_what_its_seat_sees_in_order() -> None:
    oboro.match("sevens", [Counting(), Counting, "rule", "random"], games=12, seed=2, progress=False)


@pytest.mark.parametrize("name", oboro.games())
def test_python_agents_play_every_game(name: str) -> None:
    seats = oboro.game(name).seats
    result = oboro.match(name, [Careless, Together()] + ["random"] * (seats - 2), games=seats, seed=1, progress=False)
    assert result.entrants[:2] == ["Careless", "Together"]


def test_an_exception_names_the_game_the_ply_and_the_record() -> None:
    class Broken(Careless):
        def act(self, view: View) -> str:
            if view.rng.random() < 0.02:
                raise ZeroDivisionError("a bug of mine")
            return super().act(view)

    first = None
    for threads in (1, 4):
        with pytest.raises(oboro.AgentError, match="Broken failed in game .* a bug of mine") as raised:
            oboro.match("sevens", [Broken, "rule", "rule", "rule"], games=200, seed=1, threads=threads, progress=False)
        error = raised.value
        assert isinstance(error.__cause__, ZeroDivisionError)
        assert error.record is not None and error.ply is not None
        replayed = oboro.open_record(error.record)
        assert replayed.plies == error.ply and replayed.is_over
        first = first or (error.game, error.ply)
        assert (error.game, error.ply) == first, "the same failure on any number of threads"
    lost = oboro.match("sevens", [Broken, "rule", "rule", "rule"], games=200, seed=1, forfeits=True, progress=False)
    assert [game["n"] for game in lost.games if "forfeit" in game][0] == first[0]


@pytest.mark.parametrize(
    ("answer", "message"),
    [("S99", "no legal action"), (10**6, "action 1000000 is not legal for seat 0"), (None, "TypeError"), (True, "TypeError")],
)
def test_wrong_answers_are_named(answer: Any, message: str) -> None:
    class Wrong:
        def act(self, view: View) -> Any:
            return answer

    class WrongTogether:
        def act_batch(self, views: list[View]) -> Any:
            return [answer for _ in views]

    for agent in (Wrong(), WrongTogether()):
        with pytest.raises(oboro.AgentError, match=message):
            oboro.match("sevens", [agent, "rule", "rule", "rule"], games=4, seed=1, progress=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": -1}, "games: expected at least 1, found -1"),
        ({"games": 2**70}, "games: expected at most"),
        ({"threads": 0}, "threads: expected at least 1, found 0"),
        ({"processes": -1}, "processes: expected at least 1, found -1"),
    ],
)
def test_numbers_that_make_no_match_are_named(options: dict[str, int], message: str) -> None:
    agents = ["random", "random"]
    with pytest.raises(oboro.SpecError, match=message):
        oboro.match("geister", agents, **options)
    if "processes" not in options:
        with pytest.raises(oboro.SpecError, match=message):
            oboro.league("geister", agents, **options)


def test_who_is_no_agent_is_told_so() -> None:
    class Random:
        name = "random"

        def act(self, view: View) -> str:
            return view.actions[0]

    for agent, error, message in [(3, TypeError, "is no agent"), (object, TypeError, "is no agent"), (Random, oboro.SpecError, "another name")]:
        with pytest.raises(error, match=message):
            oboro.match("sevens", [agent, "rule", "rule", "rule"], games=4, progress=False)
    with pytest.raises(TypeError, match="expected a list"):
        oboro._engine.play_match(  # type: ignore[call-arg]
            oboro.game("sevens"), "rule", games=1, seed=1, span=None, seats="rotate", threads=1, out=None, records=False, sprt=None,
            allow_oracles=False, beliefs=False, any_commit=False, forfeits=False, progress=None,
        )
    with pytest.raises(oboro.SpecError, match="4 seats"):
        oboro.match("sevens", [Careless], games=4, progress=False)


def test_a_folder_is_resumed_and_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    agents = [Careless, "rule", "rule", "rule"]
    straight = oboro.match("sevens", agents, games=40, seed=3, out=tmp_path / "straight", progress=False)
    shown: list[int] = []

    def watch(done: int, total: int) -> None:
        shown.append(done)
        if done >= 5:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        oboro.match("sevens", agents, games=4000, seed=3, out=tmp_path / "killed", progress=watch)
    lines = (tmp_path / "killed" / "games.jsonl").read_text().count("\n")
    assert 5 <= lines < 4000
    resumed = oboro.match("sevens", agents, games=40, seed=3, out=tmp_path / "killed", progress=False)
    assert resumed.games == straight.games
    with pytest.raises(oboro.FolderError, match="made with seed 3, not 4"):
        oboro.match("sevens", agents, games=40, seed=4, out=tmp_path / "killed", progress=False)


def test_several_processes_play_the_same_games(tmp_path: Path) -> None:
    agents = [Careless, "rule", "random", "rule"]
    one = oboro.match("sevens", agents, games=30, seed=8, out=tmp_path / "one", progress=False)
    oboro.match("sevens", agents, games=7, seed=8, out=tmp_path / "two", progress=False)
    two = oboro.match("sevens", agents, games=30, seed=8, out=tmp_path / "two", processes=2, progress=False)
    assert two.games == one.games and two.summary == one.summary
    for name in ("manifest.json", "games.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    with pytest.raises(oboro.AgentError, match="no bets today"):
        oboro.match("sevens", [Sulky, "rule", "rule", "rule"], games=8, seed=8, processes=2, progress=False)
    with pytest.raises(ValueError, match="one process"):
        oboro.match("sevens", agents, games=8, processes=2, sprt=(0, 5), progress=False)


def test_a_watcher_that_raises_ends_the_match() -> None:
    def watch(done: int, total: int) -> None:
        raise LookupError("no screen")

    with pytest.raises(LookupError, match="no screen"):
        oboro.match("sevens", ["rule"] * 4, games=4000, progress=watch)


def test_sequential_tests_and_beliefs() -> None:
    result = oboro.match("sevens", ["eval", "random", "eval", "random"], games=4000, sprt=(0, 50), progress=False)
    assert result.sprt is not None and result.sprt["decision"] == "accept-h1" and len(result) < 4000
    with pytest.raises(oboro.SpecError, match="two different agents"):
        oboro.match("sevens", ["rule"] * 4, games=4, sprt=(0, 50), progress=False)
    with pytest.raises(ValueError, match="games: expected at least 1, found 0"):
        oboro.match("sevens", ["rule"] * 4, games=0, progress=False)


def test_beliefs_of_python_agents_are_scored() -> None:
    class Counts:
        """Believes what the rules say, or that the first of its values is certain."""

        certain = False

        def act(self, view: oboro.View) -> str:
            return view.actions[0]

        def beliefs(self, view: oboro.View) -> dict[str, dict[str, float]]:
            said = {}
            for belief in view.secrets():
                likely = {value["value"]: value["probability"] for value in belief["values"]}
                said[belief["subject"]] = {next(iter(likely)): 1.0} if self.certain else likely
            return said

    class Certain(Counts):
        certain = True

    result = oboro.match("geister", [Counts, Certain], games=6, beliefs=True, progress=False)
    scores = {score["agent"]: score for score in result.beliefs}
    assert scores["Counts"]["beliefs"] > 50 and scores["Certain"]["beliefs"] > 50
    assert scores["Counts"]["brier"] == pytest.approx(scores["Counts"]["brier-by-counting"])
    assert scores["Certain"]["brier"] > scores["Certain"]["brier-by-counting"]
    for said, wrong in [("none of the secrets", {"x": {"red": 1.0}}), ("add up to", None)]:

        class Wrong(Counts):
            def beliefs(self, view: oboro.View) -> dict[str, dict[str, float]]:
                half = {secret["subject"]: {secret["values"][0]["value"]: 0.5} for secret in view.secrets()}
                return wrong or half

        with pytest.raises(oboro.SpecError, match=said):
            oboro.match("geister", [Wrong, "random"], games=2, beliefs=True, progress=False)


def test_leagues(tmp_path: Path) -> None:
    result = oboro.league("sevens", ["random", "rule", "eval", Careless], games=40, seed=1, out=tmp_path / "l", progress=False)
    table = result.to_dict()
    assert table["agent"][0] == "eval" and table["elo"] == sorted(table["elo"], reverse=True)
    assert len(result.meetings_to_dict()["agent"]) == 12 and "eval" in str(result)


def test_experiments(tmp_path: Path) -> None:
    assert "sevens-2018" in oboro.experiments()
    report = oboro.experiment("sevens-2018", out=tmp_path / "e", at_most=4, progress=False)
    assert report["id"] == "sevens-2018" and report["tables"]
    with pytest.raises(oboro.ExperimentError, match="there is no paper"):
        oboro.experiment("sevens-1918", out=tmp_path / "f")
    for options, message in (({"threads": -1}, "threads: expected at least 1"), ({"at_most": -1}, "at_most: expected at least 0")):
        with pytest.raises(oboro.SpecError, match=message):
            oboro.experiment("sevens-2018", out=tmp_path / "g", **options)


def test_statistics() -> None:
    rate = oboro.stats.rate(60, 100)
    assert rate["interval"]["low"] < 0.6 < rate["interval"]["high"]
    assert oboro.stats.elo(60, 0, 40)["difference"] == pytest.approx(70.4, abs=0.1)
    assert oboro.stats.sprt(300, 0, 100, 0, 20)["decision"] == "accept-h1"
    assert oboro.stats.mean([1.0, 2.0, 3.0])["mean"] == 2
    assert oboro.stats.paired([1.0, 2.0, 4.0], [0.0, 1.5, 3.0])["difference"] > 0
    assert oboro.stats.compare([1.0, 2.0], [5.0, 6.0])["difference"] == -4
    assert oboro.stats.holm([0.01, 0.04])[0] == 0.02
    with pytest.raises(ValueError, match="successes"):
        oboro.stats.rate(3, 2)
    with pytest.raises(ValueError, match="successes: expected at least 0, found -1"):
        oboro.stats.rate(-1, 2)
    with pytest.raises(ValueError, match="draws: expected at least 0, found -2"):
        oboro.stats.elo(1, -2, 3)
    with pytest.raises(ValueError, match=f"losses: {2**64} is too large"):
        oboro.stats.sprt(1, 2, 2**64, 0, 20)
    with pytest.raises(ValueError, match="confidence"):
        oboro.stats.rate(1, 2, 1.5)


@pytest.mark.skipif(OBORO is None, reason="OBORO_BIN names no program to compare with")
@pytest.mark.parametrize(
    ("name", "agents"),
    [("sevens", ["eval", "rule", "rule", "random"]), ("geister", ["random", "random"]), ("labyrinth", ["random", "random"])],
)
def test_the_same_seed_gives_the_same_bytes_as_the_command_line(tmp_path: Path, name: str, agents: list[str]) -> None:
    ours, theirs = tmp_path / "python", tmp_path / "command"
    result = oboro.match(name, agents, games=12, seed=9, out=ours, records=True, progress=False)
    assert OBORO is not None
    command = [OBORO, "match", name, *agents, "--games", "12", "--seed", "9", "--out", str(theirs), "--records", "--json"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    summary = json.loads(printed)
    assert {key: result.summary[key] for key in summary} == summary
    files = sorted(file.relative_to(theirs) for file in theirs.rglob("*") if file.is_file())
    assert len(files) == 14, "manifest, games and twelve records"
    for file in files:
        assert (ours / file).read_bytes() == (theirs / file).read_bytes(), file


def test_ctrl_c_ends_a_match_whose_agents_think_without_end() -> None:
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        oboro.match("sevens", ["mc:100000000"] * 4, games=8, progress=False)
