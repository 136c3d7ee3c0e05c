"""Every game at every number of players."""

from __future__ import annotations

import os
import signal

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait for each other

import oboro  # noqa: E402


def _rules(name: str) -> list[dict[str, int]]:
    """The rules of a game at every number of players that it allows."""
    if "players" not in oboro.game(name).schemas["rules"].get("properties", {}):
        return [{}]
    allowed = []
    for players in range(1, 20):
        try:
            oboro.game(name, players=players)
        except oboro.SpecError:
            continue
        allowed.append({"players": players})
    return allowed


TABLES = [(name, rules) for name in oboro.games() for rules in _rules(name)]

# A shell that starts something in the background has it ignore Ctrl-C; the tests are about not ignoring it.
signal.signal(signal.SIGINT, signal.default_int_handler)
