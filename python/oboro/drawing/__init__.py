"""Boards as SVG, for notebooks: the browser's drawings, made from scenes alone, so nothing can be seen in them that the scene does not say."""

from __future__ import annotations

from collections.abc import Callable

from . import geister, labyrinth, saboteur, sevens
from .pen import Scene

__all__ = ["svg"]

_GAMES: dict[str, Callable[[Scene], str]] = {
    "geister": geister.draw,
    "labyrinth": labyrinth.draw,
    "saboteur": saboteur.draw,
    "sevens": sevens.draw,
}


def svg(game: str, scene: Scene) -> str:
    """The drawing of a scene."""
    return _GAMES[game](scene)
