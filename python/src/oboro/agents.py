"""What an agent of your own looks like.

A class with `act` is enough; none of these needs to be inherited from. An agent is handed the view of its seat and never the
world. It may also have

- `begin(opening)`: how the game begins: game, rules, seat, seats, and the scene at the start;
- `observe(event)`: what its seat saw of an action, its own included, in order of play: ply, seat, parts, text;
- `beliefs(view)`: what it thinks of hidden things, a dict by subject of probabilities by value, in the words of `view.secrets()`;
- `end(ending)`: payoffs, and who gave the game up and why, if somebody did;
- `name`: what it is called in results, instead of the name of its class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol, TypeAlias, runtime_checkable

from oboro._engine import View

__all__ = ["Agent", "AnyAgent", "BatchedAgent", "EngineAgent", "agent"]


@runtime_checkable
class Agent(Protocol):
    """Plays one seat of one game: every game gets a new one, or a deep copy of the object given."""

    def act(self, view: View) -> str | int:
        """One of the legal actions of the view, as its text or its number."""
        ...


@runtime_checkable
class BatchedAgent(Protocol):
    """Plays many games at once, so that a net evaluates them together. There is one for all games; what it remembers of one
    it keeps under `view.player`."""

    def act_batch(self, views: list[View]) -> Sequence[str | int]:
        """One action for each view. The answer to a view must not depend on the views beside it: how many wait depends on
        the machine."""
        ...


class EngineAgent:
    """An agent of the engine in a loop of your own. It is shown each view alone, as if the game began there; an agent that
    is to follow a game from its start belongs at a seat of `new_game` or `match`."""

    def __init__(self, spec: str, seed: int = 1) -> None:
        self.spec = spec
        self.name = f"{spec}-by-view"
        self._rng = Random(seed)

    def act(self, view: View) -> str:
        """The action that it chooses; Ctrl-C interrupts it."""
        return view._choose(self.spec, self._rng.getrandbits(64))

    def __repr__(self) -> str:
        return f"<oboro.agent {self.spec}>"


def agent(spec: str, *, seed: int = 1) -> EngineAgent:
    """An agent of the engine, by its spec: `oboro.agent("eval").act(view)`. Equal seeds make equal choices."""
    return EngineAgent(spec, seed)


AnyAgent: TypeAlias = Agent | BatchedAgent | Callable[[], Agent]
"""An agent, or a class or function that makes one."""
