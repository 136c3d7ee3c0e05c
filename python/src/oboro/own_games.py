"""What a game of your own looks like.

A class with these members is enough; nothing needs to be inherited from. The class, or an object of it, stands wherever the name
of a game does: in matches and leagues with the agents that every game has, in exact answers, and in environments.

States are values that never change: `apply` gives the next one. All chance is in the deal. It may also have

- `deals()`: all starts as pairs of a probability and a state, for exact answers and for drawing consistent states; or, for a
  game that has too many, `deal(rng)`: a start drawn with a `random.Random`;
- `imagine(view, seat, rng)`: a state drawn from those that agree with a view. Without it a game that lists its deals is walked
  once, up to 200 000 histories, and a draw is by chance alone;
- `observation` and `encode(view, seat)`: names of numbers with their largest values (at most 255), and the numbers of a view in
  that order; environments and `oboro.vec` need them;
- `payoff_sum`: what the payoffs of a game add up to, if that is fixed;
- `payoff_range`: the difference between the best and the worst payoff, 1 unless said; searches scale exploration by it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeAlias

from oboro._engine import Game

__all__ = ["AnyGame", "OwnGame"]


class OwnGame(Protocol):
    """The rules of a game written in Python."""

    @property
    def seats(self) -> int:
        """How many seats there are."""
        ...

    @property
    def actions(self) -> Sequence[str]:
        """All actions of the game, as words; their order gives their indices."""
        ...

    def to_act(self, state: Any) -> int | None:
        """The seat whose turn it is; None when the game is over."""
        ...

    def legal(self, state: Any) -> Sequence[str]:
        """The legal actions of the seat to move."""
        ...

    def apply(self, state: Any, action: str) -> Any:
        """The state after a legal action."""
        ...

    def view(self, state: Any, seat: int) -> Hashable:
        """All that a seat knows, as a text or a value whose `repr` tells it apart from others. For exact answers it has to
        tell everything that the seat ever knew and did (perfect recall)."""
        ...

    def payoff(self, state: Any, seat: int) -> float:
        """What a finished game is worth to a seat."""
        ...


AnyGame: TypeAlias = str | Game | OwnGame | type[Any]
"""The name of a game, a game with its rules chosen, or one of your own: a class, or an object of it."""
