"""Boards as SVG, for notebooks: the browser's drawings, made from scenes alone, so nothing can be seen in them that the scene does not say."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from .pen import Scene, page

__all__ = ["svg"]


def svg(game: str, scene: Scene) -> str:
    """The drawing of a scene: by the module here that is named like the game, or else the text that a terminal shows."""
    name = f"{__name__}.{game.replace('-', '_')}"
    return import_module(name).draw(scene) if find_spec(name) else page(scene)
