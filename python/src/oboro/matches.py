"""Matches, leagues and experiments."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from oboro import _engine
from oboro._engine import Game
from oboro.agents import AnyAgent
from oboro.errors import SpecError
from oboro.own_games import AnyGame
from oboro.processes import play as _play_in_processes
from oboro.results import LeagueResult, MatchResult

__all__ = ["experiment", "experiments", "league", "match"]

Rule = str | int | float | bool
Watcher = Callable[[int, int], object]


def _game(game: AnyGame, rules: Mapping[str, Rule] | None) -> Game:
    if isinstance(game, Game):
        if rules:
            raise ValueError("rules: the game has its rules already")
        return game
    return _engine.game(game, **dict(rules or {}))


def _whole(name: str, value: int, least: int, most: int = 2**63 - 1) -> int:
    """A whole number that is neither too small nor too large."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected a whole number, found {type(value).__name__}")
    if (number := value.__index__()) < least:
        raise SpecError(f"{name}: expected at least {least}, found {number}")
    if number > most:
        raise SpecError(f"{name}: expected at most {most}, found {number}")
    return number


def _bar(label: str) -> Watcher:
    """A bar on standard error."""

    def show(done: int, total: int) -> None:
        filled = 30 * done // max(total, 1)
        end = "\n" if done >= total else ""
        print(f"\r{label} {'█' * filled}{'·' * (30 - filled)} {done}/{total} games", end=end, file=sys.stderr, flush=True)

    return show


def _watcher(progress: bool | Watcher | None, label: str) -> Watcher | None:
    if callable(progress):
        return progress
    if progress is None:
        progress = sys.stderr.isatty()
    return _bar(label) if progress else None


def match(
    game: AnyGame,
    agents: Sequence[str | AnyAgent],
    *,
    games: int = 1000,
    seed: int | str = 1,
    rules: Mapping[str, Rule] | None = None,
    seats: Literal["fixed", "rotate", "random"] = "rotate",
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
    records: bool = False,
    sprt: tuple[float, float] | None = None,
    allow_oracles: bool = False,
    beliefs: bool = False,
    any_commit: bool = False,
    forfeits: bool = False,
    processes: int | None = None,
    progress: bool | Watcher | None = None,
) -> MatchResult:
    """Plays a match and sums it up: one agent a seat, as specs or as agents of your own.

    The same seed gives the same games whatever the number of threads, and the same as `oboro match` gives. With `out` every
    game is written down as it ends; the same call again resumes where the last one stopped, also after Ctrl-C. `sprt`
    stops as soon as a sequential test tells Elo below the first from Elo above the second.

    Agents of your own are classes, functions that make one, or objects with `act(view)`, which are copied for every game; or
    objects with `act_batch(views)`, asked for many games at once. An exception in one ends the match with `AgentError`,
    unless `forfeits` lets it lose that game and go on. `threads` is how many games are played at the same time.
    Python runs in one thread; `processes` plays parts of the match in so many processes instead, with the same results. What
    they are handed has to be picklable, and a script needs its `if __name__ == "__main__":`.
    """
    table = _game(game, rules)
    folder = None if out is None else Path(out)
    watcher = _watcher(progress, "match")
    options: dict[str, Any] = {
        "games": _whole("games", games, 1),
        "seed": seed,
        "seats": seats,
        "threads": None if threads is None else _whole("threads", threads, 1),
        "records": records,
        "sprt": sprt,
        "allow_oracles": allow_oracles,
        "beliefs": beliefs,
        "any_commit": any_commit,
        "forfeits": forfeits,
    }
    if processes is not None:
        count = _whole("processes", processes, 1)
        return MatchResult(_play_in_processes(table, list(agents), count, folder, watcher, options))
    return MatchResult(_engine.play_match(table, list(agents), span=None, out=folder, progress=watcher, **options))


def league(
    game: AnyGame,
    agents: Sequence[str | AnyAgent],
    *,
    games: int = 200,
    seed: int | str = 1,
    rules: Mapping[str, Rule] | None = None,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
    any_commit: bool = False,
    forfeits: bool = False,
    progress: bool | Watcher | None = None,
) -> LeagueResult:
    """Plays a round robin of `games` games a pairing and rates the agents, as `oboro league` does."""
    raw = _engine.play_league(
        _game(game, rules),
        list(agents),
        games=_whole("games", games, 1),
        seed=seed,
        threads=None if threads is None else _whole("threads", threads, 1),
        out=None if out is None else Path(out),
        any_commit=any_commit,
        forfeits=forfeits,
        progress=_watcher(progress, "league"),
    )
    return LeagueResult(raw)


def experiments() -> dict[str, str]:
    """The experiments of the papers that come with the program, with their titles."""
    return dict(_engine.experiments())


def experiment(
    name: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str],
    scale: Literal["quick", "paper", "full"] = "quick",
    seed: int | str | None = None,
    threads: int | None = None,
    at_most: int | None = None,
    only: Iterable[str] = (),
    any_commit: bool = False,
    progress: bool | Watcher | None = None,
) -> dict[str, Any]:
    """Runs an experiment, by the name of its paper or as a TOML file, and fills its tables, the paper's numbers beside ours.

    The games are in `out`; the same call resumes them. What comes back is what `oboro experiment --json` prints.
    """
    text = Path(name).read_text(encoding="utf-8") if os.path.exists(name) else None
    report: dict[str, Any] = _engine.play_experiment(
        os.fspath(name),
        text,
        scale=scale,
        seed=seed,
        threads=None if threads is None else _whole("threads", threads, 1),
        out=Path(out),
        at_most=None if at_most is None else _whole("at_most", at_most, 0),
        only=list(only),
        any_commit=any_commit,
        progress=_watcher(progress, "experiment"),
    )
    return report
