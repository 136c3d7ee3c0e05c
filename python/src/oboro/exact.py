"""Exact answers for games small enough: exploitability, best responses and strategies that nobody can exploit.

A policy is the spec of an agent, a `Strategy`, a function of a view that gives probabilities, or a table of them by
`view.information_state`. Probabilities are a dict by the text or the number of actions, where those left out have 0, or a sequence
in the order of `view.actions`, or one by action number.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from oboro import _engine
from oboro._engine import Game, View
from oboro.errors import SpecError
from oboro.matches import Rule, _game, _whole
from oboro.own_games import AnyGame

__all__ = ["BestResponse", "Policy", "Strategy", "best_response", "exploitability", "solve"]

Probabilities: TypeAlias = Mapping[str, float] | Mapping[int, float] | Sequence[float]
Table = list[list[float]]


class Strategy:
    """A policy for every information state of a game: call it with a view."""

    def __init__(self, tree: _engine.Tree, table: Table) -> None:
        self._tree = tree
        self._table = table

    @functools.cached_property
    def table(self) -> dict[str, dict[str, float]]:
        """The probabilities of the legal actions by information state. Copy it to change it."""
        views = (self._tree.view(number) for number in range(self._tree.sets))
        pairs = zip(views, self._table, strict=True)
        return {seen.information_state: dict(zip(seen.actions, row, strict=True)) for seen, row in pairs}

    def __call__(self, view: View) -> dict[str, float]:
        """The probabilities of the legal actions, by their text."""
        return dict(_looked_up(self.table, view))

    def __deepcopy__(self, memo: object) -> Strategy:
        """Nothing in it changes: one serves all games."""
        return self

    def __len__(self) -> int:
        """How many information states it knows."""
        return len(self._table)

    def act(self, view: View) -> str:
        """Draws an action with `view.rng`: a strategy plays in matches."""
        policy = self(view)
        return view.rng.choices(list(policy), list(policy.values()))[0]


class SolvedStrategy(Strategy):
    """What `solve` finds."""

    def __init__(self, tree: _engine.Tree, table: Table, measured: dict[str, Any], text: str) -> None:
        super().__init__(tree, table)
        self.exploitability: float = measured["exploitability"]
        """How far it can be exploited."""
        self.payoffs: list[float] = measured["payoffs"]
        """What it is worth to each seat if all play by it."""
        self.text = text
        """The strategy as a file, for the agent `table:FILE`."""

    def __repr__(self) -> str:
        return f"<oboro.exact.SolvedStrategy, exploitability {self.exploitability:.6f}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that the agent `table:FILE` plays by."""
        Path(path).write_text(self.text, encoding="utf-8")


@dataclass(frozen=True)
class BestResponse:
    """The best answer of one seat."""

    value: float
    """What it is worth to the seat."""
    policy: Strategy
    """The policy that was answered, with the best response at the seat."""


Policy: TypeAlias = str | Strategy | Callable[[View], Probabilities] | Mapping[str, Probabilities]
"""How somebody plays: the spec of an agent, a strategy, a function of a view, or a table by `view.information_state`. Probabilities
are a dict by action, or a sequence in the order of `view.actions` or by action index."""
_T = TypeVar("_T")


def _looked_up(table: Mapping[str, _T], view: View) -> _T:
    try:
        return table[view.information_state]
    except KeyError:
        raise SpecError(f"the table has no information state {view.information_state}: is it of another game?") from None


_last_tree: tuple[Game, _engine.Tree] | None = None


def _tree(game: AnyGame, rules: Mapping[str, Rule] | None) -> _engine.Tree:
    """The tree of a game; that of the last one is kept."""
    global _last_tree
    chosen = _game(game, rules)
    if _last_tree is not None:
        last, tree = _last_tree
        if (last.name, last.changed) == (chosen.name, chosen.changed) and last.source is chosen.source:
            return tree
    tree = _engine.Tree(chosen)
    _last_tree = (chosen, tree)
    return tree


def _row(view: View, given: Probabilities) -> list[float]:
    """The probabilities of the legal actions, in their order."""
    actions = view.actions
    if isinstance(given, Mapping):
        by_text = {view.action(key) if not isinstance(key, str) else key: float(share) for key, share in given.items()}
        if unknown := by_text.keys() - set(actions):
            raise SpecError(f"`{min(unknown)}` is no legal action; there are {', '.join(actions)}")
        return [by_text.get(action, 0.0) for action in actions]
    row = [float(share) for share in given]
    if len(row) == len(actions):
        return row
    if len(row) == len(view.mask):
        return [row[view.number(action)] for action in actions]
    raise SpecError(f"{len(row)} probabilities for {len(actions)} legal actions: {', '.join(actions)}")


def _table(tree: _engine.Tree, policy: Strategy | Callable[[View], Probabilities] | Mapping[str, Probabilities]) -> Table:
    if isinstance(policy, Strategy) and policy._tree is tree:
        return policy._table
    views = (tree.view(number) for number in range(tree.sets))
    ask = policy if callable(policy) else functools.partial(_looked_up, policy)
    return [_row(view, ask(view)) for view in views]


def exploitability(
    game: AnyGame,
    policy: Policy,
    *,
    rules: Mapping[str, Rule] | None = None,
    samples: int = 1000,
    seed: int | str = 1,
) -> float:
    """What the best possible opponents win on average above what is fair: NashConv divided by the number of seats, as in
    OpenSpiel. An agent that does not know its probabilities is asked `samples` times at each information state."""
    tree = _tree(game, rules)
    if isinstance(policy, str):
        measured = tree.measure_agent(policy, _whole("samples", samples, 1, 2**32 - 1), seed)
    else:
        measured = tree.measure(_table(tree, policy))
    return float(measured["exploitability"])


def best_response(
    game: AnyGame,
    policy: Strategy | Callable[[View], Probabilities] | Mapping[str, Probabilities],
    seat: int,
    *,
    rules: Mapping[str, Rule] | None = None,
) -> BestResponse:
    """The best answer of a seat to others who play by a policy."""
    tree = _tree(game, rules)
    value, table = tree.best_response(_table(tree, policy), seat)
    return BestResponse(value, Strategy(tree, table))


def solve(
    game: AnyGame,
    method: str = "cfr+",
    iterations: int = 1000,
    *,
    rules: Mapping[str, Rule] | None = None,
    last: bool = False,
    seed: int | str = 1,
) -> SolvedStrategy:
    """Minimises regrets by `cfr`, `cfr+`, `dcfr` or `mccfr`, as `oboro solve` does. `last` takes the strategy of the last
    iteration, not the average of all, which `mccfr` alone has not; only `mccfr` draws from the seed."""
    tree = _tree(game, rules)
    table, measured, text = tree.solve(method, _whole("iterations", iterations, 1, 2**32 - 1), last, seed)
    return SolvedStrategy(tree, table, measured, text)
