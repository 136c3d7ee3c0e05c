"""What can go wrong, each also of the built-in kind that fits. The message is the engine's: it names the place and what would be right."""

from __future__ import annotations

__all__ = [
    "AgentError",
    "EngineError",
    "ExperimentError",
    "FolderError",
    "GameOver",
    "IllegalAction",
    "OboroError",
    "OutOfMemory",
    "PositionError",
    "RecordError",
    "SeatError",
    "SpecError",
    "TurnError",
]


class OboroError(Exception):
    """Whatever this package raises of its own."""


class SpecError(OboroError, ValueError):
    """No such game, rule option, agent or parameter, or a value it does not take."""


class PositionError(OboroError, ValueError):
    """The text of a position cannot be read."""


class IllegalAction(OboroError, ValueError):
    """The text or number is no action, or the rules do not allow it here."""


class RecordError(OboroError, ValueError):
    """The text is no record, or the record is no game by its rules."""


class ExperimentError(OboroError, ValueError):
    """An experiment's file cannot be read, or its tables cannot be filled."""


class SeatError(OboroError, IndexError):
    """The game has no such seat."""


class TurnError(OboroError, RuntimeError):
    """It is somebody else's turn, or the seat is held by somebody else."""


class GameOver(TurnError):
    """The game is over."""


class FolderError(OboroError, OSError):
    """A folder of results cannot be used."""


class AgentError(OboroError, RuntimeError):
    """An agent failed in the middle of a game. What it raised itself is the `__cause__`."""

    game: int | None = None
    """The number of the game in its match."""
    ply: int | None = None
    """How many actions had been played."""
    record: str | None = None
    """The game written down up to there, to be looked at with `oboro.open_record`."""


class OutOfMemory(OboroError, MemoryError):
    """So many games do not fit into memory."""


class EngineError(OboroError, RuntimeError):
    """A broken promise of the engine itself: please report it."""
