"""What all drawings are made with: the colours of the browser's light page, and a few shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

Scene = Mapping[str, Any]

PAPER, SHEET, INK, QUIET, LINE = "#f7f4ec", "#fffdf7", "#23263a", "#5d6076", "#d8d2c2"
ACCENT, WARM, COOL, MOON, MIST, GOOD = "#35528f", "#a8322d", "#2c5fa8", "#c79a2b", "#e9e4d6", "#2f7a4d"
SEATS = ("#35528f", "#a8322d", "#2f7a4d", "#8a5a12", "#6b3f91", "#0f6f7d", "#8c2f63", "#545a16", "#44506b", "#7a4a35")
STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}

# The words below a board.
_WORDS = 13.0
_LEADING = 18.0


def mix(colour: str, share: float, other: str) -> str:
    """So much of one colour, the rest of another."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def seat_colour(seat: int) -> str:
    """The colour of a seat."""
    return SEATS[seat % len(SEATS)]


def tag(name: str, inside: str = "", /, **attributes: object) -> str:
    """An element; `font_size` stands for `font-size`, and what is None is left out."""
    shown = "".join(
        f' {key.replace("_", "-")}="{escape(f"{value:g}" if isinstance(value, float) else str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{shown}>{inside}</{name}>" if inside else f"<{name}{shown}/>"


def at(x: float, y: float, *parts: str) -> str:
    """Shapes moved to a place."""
    return tag("g", "".join(parts), transform=f"translate({x:g} {y:g})")


def text(x: float, y: float, words: object, *, size: float, colour: str = INK, anchor: str = "middle", bold: bool = False) -> str:
    """Words whose base line is at a place."""
    weight = "bold" if bold else None
    return tag("text", escape(str(words)), x=x, y=y, font_size=size, fill=colour, text_anchor=anchor, font_weight=weight)


def whose_turn(scene: Scene) -> str:
    """Who is to move."""
    seat = scene.get("to-act")
    return "the game is over" if seat is None else f"seat {seat} to move"


def page(scene: Scene) -> str:
    """The text that a terminal shows of a scene, for a game that has no drawing of its own."""
    lines = (scene.get("text") or "").splitlines() or [whose_turn(scene)]
    return sheet((0, 0, 8 * _WORDS, 4), [], [(line, INK) for line in lines])


def sheet(box: tuple[float, float, float, float], parts: Sequence[str], words: Sequence[tuple[str, str]], *, scale: float = 1.0) -> str:
    """A picture of the field `box` (left, top, width, height), with lines of words in their colours below it."""
    left, top, width, height = box
    below = top + height
    width = max(width, *(0.56 * _WORDS * len(line) + 16 for line, _ in words))
    for line, colour in words:
        below += _LEADING
        parts = [*parts, text(left + 8, below - 5, line, size=_WORDS, colour=colour, anchor="start")]
    height = below - top + 4
    background = tag("rect", x=left, y=top, width=width, height=height, fill=PAPER)
    shapes = background + "".join(parts)
    return tag(
        "svg",
        shapes,
        xmlns="http://www.w3.org/2000/svg",
        width=width * scale,
        height=height * scale,
        viewBox=f"{left:g} {top:g} {width:g} {height:g}",
        font_family="system-ui, sans-serif",
    )
