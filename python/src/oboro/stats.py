"""Numbers with their uncertainty, as matches use them."""

from oboro._engine import compare, elo, holm, mean, paired, rate, sprt

__all__ = ["compare", "elo", "holm", "mean", "paired", "rate", "sprt"]
