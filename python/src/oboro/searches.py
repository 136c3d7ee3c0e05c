"""Tree search with an evaluator of your own: a net, a heuristic, anything that says how good positions are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from oboro._engine import View
from oboro.errors import SpecError
from oboro.exact import Probabilities, _row
from oboro.matches import _whole

__all__ = ["Evaluator", "SearchResult", "search"]

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Evaluator: TypeAlias = Callable[[list[View]], tuple[Sequence[Probabilities] | Rows, Sequence[Sequence[float]] | Rows]]


@dataclass(frozen=True)
class SearchResult:
    """What a search found out of the actions that it tried."""

    visits: dict[str, int]
    """How many playouts began with an action."""
    values: dict[str, float]
    """The mean payoff of those playouts to the searching seat."""

    @property
    def best(self) -> str:
        """The action with most visits."""
        return max(self.visits, key=lambda action: self.visits[action])

    @property
    def policy(self) -> dict[str, float]:
        """The share of the visits that each action had: what a net learns from."""
        total = sum(self.visits.values())
        return {action: visits / total for action, visits in self.visits.items()}


def search(
    view: View,
    evaluate: Evaluator,
    playouts: int = 200,
    *,
    batch: int = 16,
    c: float = 1.0,
    seed: int | None = None,
) -> SearchResult:
    """Searches for the seat of a view, whose turn it is, as AlphaZero does: every playout goes through a freshly imagined
    world to the first position that was not evaluated yet.

    `evaluate` is called with up to `batch` views, each of the seat that is to move, and returns two lists as long: policies
    (a dict by action, or a sequence in the order of `view.actions` or by action index) and the expected payoffs of all seats.
    `c` is the weight of exploration, in payoffs. Without a seed the search draws one from `view.rng`."""

    def rows(views: list[View]) -> list[tuple[list[float], list[float]]]:
        policies, values = evaluate(views)
        if not len(policies) == len(values) == len(views):
            raise SpecError(f"the evaluator gave {len(policies)} policies and {len(values)} values for {len(views)} views")
        return [
            (_row(one, policy), [float(payoff) for payoff in payoffs])
            for one, policy, payoffs in zip(views, policies, values, strict=True)
        ]

    drawn = view.rng.getrandbits(63) if seed is None else _whole("seed", seed, 0)
    budget = _whole("playouts", playouts, 1, 2**32 - 1), _whole("batch", batch, 1, 2**32 - 1)
    found = view._search(rows, budget, c, drawn)
    return SearchResult({action: visits for action, visits, _ in found}, {action: mean for action, _, mean in found})
