"""Matches of Python agents in several processes: each plays a part of the games, and the parts are put together."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from oboro import _engine
from oboro._engine import Game

__all__ = ["play"]

_JOURNAL = "games.jsonl"


def _part(game: Game, agents: Sequence[object], span: tuple[int, int], folder: Path, options: dict[str, Any]) -> Path:
    """Plays some games of a match into a folder of their own; this is what another process does."""
    _engine.play_match(game, agents, span=span, out=folder, progress=None, **options)
    return folder / _JOURNAL


def play(
    game: Game,
    agents: Sequence[object],
    processes: int,
    out: Path | None,
    progress: Callable[[int, int], object] | None,
    options: dict[str, Any],
) -> dict[str, Any]:
    """The same games as in one process, and the same bytes in `out`."""
    if options["sprt"] is not None or options["records"]:
        raise ValueError("processes: a sequential test looks at every game as it ends, and so do records: use one process")
    games: int = options["games"]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "match" if out is None else out
        # Checks everything and starts the folder, without playing.
        _engine.play_match(game, agents, span=(0, 0), out=folder, progress=None, **options)
        journal = folder / _JOURNAL
        done = len(journal.read_bytes().splitlines()) if journal.exists() else 0
        # Small parts, so that no process waits long for the others, and little is lost when one is stopped.
        size = max(1, -(-(games - done) // (4 * processes)))
        spans = [(start, min(start + size, games)) for start in range(done, games, size)]
        with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
            parts = [
                pool.submit(_part, game, agents, span, Path(scratch) / f"part-{span[0]}", options) for span in spans
            ]
            try:
                for part, (_, end) in zip(parts, spans, strict=True):
                    text = part.result().read_bytes()
                    with journal.open("ab") as file:
                        file.write(text)
                    if progress is not None:
                        progress(end, games)
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        # Every game is there: this reads them in order and sums them up.
        return _engine.play_match(game, agents, span=None, out=folder, progress=None, **options)
