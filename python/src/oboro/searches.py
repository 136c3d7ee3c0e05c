"""Searches with an evaluator of your own: a net, a heuristic, anything that says how good positions are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from oboro._engine import Live, View
from oboro.errors import SpecError
from oboro.exact import Probabilities, _row
from oboro.matches import _whole

__all__ = ["Evaluator", "SearchResult", "search"]

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Policies: TypeAlias = Sequence[Probabilities] | Rows
Values: TypeAlias = Sequence[Sequence[float]] | Rows
Beliefs: TypeAlias = Sequence[Rows | Sequence[float] | None]
Evaluator: TypeAlias = Callable[[list[View]], tuple[Policies, Values | None] | tuple[Policies, Values | None, Beliefs | None]]
"""Says of each view what to play, what the position is worth to all seats, and, if it likes, what may be hidden; see `search`."""


@dataclass(frozen=True)
class SearchResult:
    """What a search found out of the actions."""

    visits: dict[str, int]
    """How many playouts began with an action; without those that were not tried."""
    values: dict[str, float]
    """The mean payoff of those playouts to the searching seat."""
    policy: dict[str, float]
    """The probability of each action: what a net learns from. Of a tree it is the share of the visits."""

    @property
    def best(self) -> str:
        """The likeliest action."""
        return max(self.policy, key=lambda action: self.policy[action])


def _evaluations(views: list[View], answer: Any) -> list[tuple[list[float], list[float], list[float]]]:
    """What an evaluator gave, view by view: a policy, values and beliefs, the last two empty where it says nothing."""
    if not isinstance(answer, (tuple, list)) or len(answer) not in (2, 3):
        raise SpecError(f"the evaluator gave {type(answer).__name__}, not a pair of policies and values")
    policies, values, beliefs = answer if len(answer) == 3 else (*answer, None)
    values = [()] * len(views) if values is None else values
    beliefs = [None] * len(views) if beliefs is None else beliefs
    if not len(policies) == len(values) == len(beliefs) == len(views):
        counts = f"{len(policies)} policies and {len(values)} values"
        counts += "" if len(answer) == 2 else f" and {len(beliefs)} beliefs"
        raise SpecError(f"the evaluator gave {counts} for {len(views)} views")
    return [
        (
            _row(view, policy),
            [float(payoff) for payoff in payoffs],
            [] if belief is None else np.asarray(belief, dtype=np.float64).ravel().tolist(),
        )
        for view, policy, payoffs, belief in zip(views, policies, values, beliefs, strict=True)
    ]


def search(
    position: View | Live,
    evaluate: Evaluator,
    playouts: int = 200,
    *,
    method: str = "tree",
    batch: int = 16,
    c: float | None = None,
    candidates: int | None = None,
    temperature: float | None = None,
    seed: int | None = None,
) -> SearchResult:
    """Searches for the seat of a view, whose turn it is, or for the seat to move in a live game.

    `method="tree"` grows a tree as AlphaZero does: every playout goes through a freshly imagined world to the first position that
    was not evaluated yet. `c` is the weight of exploration, in payoffs (1).

    `method="player"` is the player of every game. It compares the likeliest actions by short rollouts in worlds that what the seat
    has seen makes likely; from a live game it has seen everything since the start. `candidates` is how many actions are compared
    (8), `temperature` that of the evaluator's policy (1).

    `evaluate` is called with up to `batch` views, each of the seat that is to move, and returns two lists as long: policies
    (a dict by action, or a sequence in the order of `view.actions` or by action index) and the expected payoffs of all seats.
    For the player the payoffs may be `None`: games are then played out by the policy. A third list may guess what is hidden: for
    each view `None`, or the log odds that each cell of the first plane of the privileged state is set.

    Without a seed the search draws one from `view.rng`."""

    if method not in ("tree", "player"):
        raise SpecError(f"method: expected 'tree' or 'player', found {method!r}")
    options = {"c": c} if method == "player" else {"candidates": candidates, "temperature": temperature}
    if unused := [name for name, value in options.items() if value is not None]:
        raise SpecError(f"{unused[0]}: method={method!r} has no such option")
    view = position._seen() if isinstance(position, Live) else position
    drawn = view.rng.getrandbits(63) if seed is None else _whole("seed", seed, 0)
    budget = _whole("playouts", playouts, 1, 2**32 - 1), _whole("batch", batch, 1, 2**32 - 1)

    def rows(views: list[View]) -> list[tuple[list[float], list[float], list[float]]]:
        return _evaluations(views, evaluate(views))

    if method == "tree":
        found = view._grow_tree(rows, budget, 1.0 if c is None else c, drawn)
    else:
        compared = _whole("candidates", 8 if candidates is None else candidates, 2, 1000)
        found = view._ask_player(rows, budget, compared, 1.0 if temperature is None else temperature, drawn)
    return SearchResult(
        visits={action: visits for action, visits, _, _ in found if visits},
        values={action: mean for action, _, mean, _ in found if mean is not None},
        policy={action: share for action, _, _, share in found},
    )
