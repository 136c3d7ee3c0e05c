"""Oboro: a laboratory for games in which nobody sees everything.

>>> import oboro
>>> oboro.games()
['geister', 'labyrinth', 'saboteur', 'sevens']
>>> live = oboro.game("sevens", players=3).new_game(["eval", "rule", None], seed=7)
>>> live.run()[0]
(0, 'D8')
"""

from __future__ import annotations

from oboro._engine import VERSION as __version__
from oboro._engine import Game, Live, game, games, open_record
from oboro.errors import (
    AgentError,
    EngineError,
    ExperimentError,
    FolderError,
    GameOver,
    IllegalAction,
    OboroError,
    PositionError,
    RecordError,
    SeatError,
    SpecError,
    TurnError,
)

__all__ = [
    "AgentError",
    "EngineError",
    "ExperimentError",
    "FolderError",
    "Game",
    "GameOver",
    "IllegalAction",
    "Live",
    "OboroError",
    "PositionError",
    "RecordError",
    "SeatError",
    "SpecError",
    "TurnError",
    "__version__",
    "game",
    "games",
    "open_record",
]


def _make_game(name: str, rules: dict[str, str]) -> Game:
    """For pickles."""
    return game(name, **rules)
