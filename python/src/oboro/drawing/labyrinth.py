"""Labyrinth: seven by seven tiles with their treasures, the entries, the pawns and the extra tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .pen import ACCENT, INK, LINE, MOON, PAPER, SHEET, STEPS, Scene, at, mix, seat_colour, sheet, tag, text, whose_turn
from .treasures import DRAWINGS

_SIZE = 44
_SHAPES = {"straight": ("up", "down"), "corner": ("up", "right"), "tee": ("up", "right", "down")}
_PAWN = "M-6 9q0-7 3-9a4.5 4.5 0 1 1 6 0q3 2 3 9z"
_ANGLES = {"up": 0, "right": 90, "down": 180, "left": 270}


def _tile(open: Sequence[str], treasure: str | None, *, fixed: bool, sought: bool) -> list[str]:
    """A tile whose corner is the origin."""
    half = _SIZE // 2
    arms = "".join(f"M{half} {half}l{STEPS[side][0] * half} {STEPS[side][1] * half}" for side in open)
    edge = {"stroke": MOON, "stroke_width": 4} if sought else {"stroke": mix(INK, 0.35, SHEET)}
    fill = mix(MOON, 0.34 if fixed else 0.2, SHEET)
    parts = [
        tag("rect", x=0.5, y=0.5, width=_SIZE - 1, height=_SIZE - 1, rx=4, fill=fill, **edge),
        tag("path", d=arms, fill="none", stroke=SHEET, stroke_width=17),
        tag("circle", cx=half, cy=half, r=7.5, fill=SHEET),
    ]
    if treasure is not None:
        path = tag("path", d=DRAWINGS[treasure], fill="none", stroke=INK, stroke_width=1.7, stroke_linecap="round", stroke_linejoin="round")
        title = tag("title", treasure.replace("-", " "))
        parts.append(tag("g", title + path, transform=f"translate({half} {half}) scale(0.8) translate(-12 -12)"))
    return parts


def _entry(entry: Mapping[str, Any], forbidden: bool) -> str:
    """The arrow where a tile can be pushed in."""
    dx, dy = STEPS[entry["towards"]]
    x, y = (entry["cell"][axis] - 0.85 * step + 0.5 for axis, step in (("x", dx), ("y", dy)))
    paint = {"fill": "none", "stroke": LINE, "stroke_width": 2} if forbidden else {"fill": ACCENT}
    place = f"translate({x * _SIZE:g} {y * _SIZE:g}) rotate({_ANGLES[entry['towards']]})"
    return tag("path", d="M-9 6L0-6 9 6z", transform=place, **paint)


def draw(scene: Scene) -> str:
    """The board, and what each player has found and seeks, as far as it is known."""
    viewer = scene.get("viewer")
    sought = {seat.get("seeks") for seat in scene["seats"] if seat["seat"] == viewer}
    parts = [tag("rect", x=-6, y=-6, width=7 * _SIZE + 12, height=7 * _SIZE + 12, rx=8, fill=mix(INK, 0.2, PAPER))]
    parts += [_entry(entry, entry["entry"] == scene["forbidden-entry"]) for entry in scene["entries"]]
    for tile in scene["tiles"]:
        treasure = tile["treasure"]
        shapes = _tile(tile["open"], treasure, fixed=tile["fixed"], sought=treasure is not None and treasure in sought)
        parts.append(at(tile["x"] * _SIZE, tile["y"] * _SIZE, *shapes))
    words = []
    for seat in scene["seats"]:
        number, pawn = seat["seat"], seat["pawn"]
        # Pawns may share a tile.
        shift = (9 if number % 2 else -9, 9 if number > 1 else -9) if len(scene["seats"]) > 2 else (8 if number else -8, 0)
        shapes = [
            tag("path", d=_PAWN, fill=seat_colour(number), stroke=SHEET, stroke_width=1.5),
            text(0, 8, number, size=9, bold=True, colour="#ffffff"),
        ]
        parts.append(at((pawn["x"] + 0.5) * _SIZE + shift[0], (pawn["y"] + 0.5) * _SIZE + shift[1], *shapes))
        line = f"seat {number}: {len(seat['found'])} of {len(seat['found']) + seat['cards-left']} found"
        if seat.get("seeks"):
            line += f", seeks {str(seat['seeks']).replace('-', ' ')}"
        words.append((line, seat_colour(number)))
    words.append((whose_turn(scene), INK))
    extra = scene["extra"]
    parts.append(at(7.9 * _SIZE, 3 * _SIZE, *_tile(_SHAPES[extra["shape"]], extra["treasure"], fixed=False, sought=False)))
    return sheet((-0.75 * _SIZE, -0.75 * _SIZE, 9.9 * _SIZE, 8.5 * _SIZE), parts, words)
