"""Oboro: a laboratory for games in which nobody sees everything.

>>> import oboro
>>> "sevens" in oboro.games()
True
>>> live = oboro.game("sevens", players=3).new_game(["eval", "rule", None], seed=7)
>>> live.run()[0]
(0, 'H8')
"""

from __future__ import annotations

from oboro import stats
from oboro._engine import VERSION as __version__
from oboro._engine import Game, Live, View, game, games, open_record
from oboro.agents import Agent, BatchedAgent, EngineAgent, agent
from oboro.batch import EncodingLayout, Vec, layout, vec
from oboro.errors import (
    AgentError,
    EngineError,
    ExperimentError,
    FolderError,
    GameOver,
    IllegalAction,
    OboroError,
    OutOfMemory,
    PositionError,
    RecordError,
    SeatError,
    SpecError,
    TurnError,
)
from oboro.exact import BestResponse, Strategy, best_response, exploitability, solve
from oboro.matches import experiment, experiments, league, match
from oboro.own_games import AnyGame, OwnGame
from oboro.results import LeagueResult, MatchResult
from oboro.searches import SearchResult, search

__all__ = [
    "Agent",
    "AgentError",
    "AnyGame",
    "BatchedAgent",
    "BestResponse",
    "EngineAgent",
    "EngineError",
    "ExperimentError",
    "FolderError",
    "Game",
    "GameOver",
    "IllegalAction",
    "LeagueResult",
    "Live",
    "MatchResult",
    "EncodingLayout",
    "OboroError",
    "OutOfMemory",
    "OwnGame",
    "PositionError",
    "RecordError",
    "SearchResult",
    "SeatError",
    "SpecError",
    "Strategy",
    "TurnError",
    "Vec",
    "View",
    "__version__",
    "agent",
    "best_response",
    "experiment",
    "experiments",
    "exploitability",
    "game",
    "games",
    "league",
    "match",
    "layout",
    "open_record",
    "search",
    "solve",
    "stats",
    "vec",
]


def _make_game(name: object, rules: dict[str, str]) -> Game:
    """For pickles."""
    return game(name, **rules)
