"""How far a net can be exploited, where the whole game fits into memory."""

from __future__ import annotations

from typing import Any

import numpy as np

import oboro
from oboro import _engine

from .config import Config
from .player import Reading, probabilities

#: Information sets evaluated at a time.
AT_ONCE = 4096


class Exact:
    """A game as a tree, and what is seen at each of its information sets."""

    def __init__(self, config: Config, reading: Reading) -> None:
        self.reading = reading
        self.tree = _engine.Tree(oboro.game(config.game, **config.rules))
        views = [self.tree.view(number) for number in range(self.tree.sets)]
        self.legal = [[view.number(action) for action in view.actions] for view in views]
        seen = [(view.planes, view.features, view.mask) for view in views]
        self.seen = [np.stack(arrays) for arrays in zip(*seen, strict=True)]

    def exploitability(self, params: Any) -> float:
        """NashConv divided by the number of seats, in payoffs of the game."""
        count = len(self.legal)
        rows: list[list[float]] = []
        for start in range(0, count, AT_ONCE):
            part = [array[start : start + AT_ONCE] for array in self.seen]
            missing = min(AT_ONCE, count) - len(part[0])
            part = [np.concatenate([x, np.repeat(x[:1], missing, 0)]) for x in part] if missing else part
            found = np.asarray(probabilities(self.reading, params, *part), np.float64)
            for row, legal in zip(found, self.legal[start : start + AT_ONCE], strict=False):
                shares = row[legal]
                rows.append((shares / shares.sum()).tolist())
        return float(self.tree.measure(rows)["exploitability"])
