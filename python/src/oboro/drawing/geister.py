"""Geister: six by six squares, ghosts and exits; the viewer's home is at the bottom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .pen import COOL, GOOD, INK, LINE, MIST, SHEET, WARM, Scene, at, mix, seat_colour, sheet, tag, text, whose_turn

_SIZE = 60
_GHOSTS = {
    "red": "M-15 17V-6l-4-13 10 6q9-6 18 0l10-6-4 13v23l-5-7-5 7-5-7-5 7-5-7z",
    "blue": "M-15 17V-3a15 15 0 0 1 30 0v20q-4-6-7.5 0-3.750 5-7.5 0-3.750-5-7.5 0-3.5 5-7.5 0z",
    None: "M-15 17V-3a15 15 0 0 1 30 0v20z",
}
_BROW = "M-9-5l7 3M9-5l-7 3"


def _ghost(piece: Mapping[str, Any], own: bool) -> list[str]:
    """A ghost around the origin."""
    colour = piece["colour"]
    shares = {"red": (WARM, 0.82 if own else 0.5), "blue": (COOL, 0.78 if own else 0.45)}
    fill = mix(*shares[colour], SHEET) if colour else MIST
    dashes = None if own and colour else "3 2"
    body = tag("path", d=_GHOSTS[colour], fill=fill, stroke=INK, stroke_width=1.5, stroke_linejoin="round", stroke_dasharray=dashes)
    if colour == "red":
        face = [tag("path", d=_BROW, fill="none", stroke=SHEET, stroke_width=2.6, stroke_linecap="round")]
    else:
        face = [tag("circle", cx=x, cy=-3, r=2.6, fill=SHEET, stroke=INK, stroke_width=1.2) for x in (-5.5, 5.5)]
    letter = text(0, 12, str(piece["name"])[2:], size=11, bold=True, colour="#1b1e2e" if colour is None else "#ffffff")
    return [body, *face, letter]


def draw(scene: Scene) -> str:
    """The board, and what each side has lost."""
    bottom = scene.get("viewer") or 0

    def corner(square: Mapping[str, int]) -> tuple[int, int]:
        x, y = square["x"], square["y"]
        return ((5 - x) * _SIZE, (5 - y) * _SIZE) if bottom == 1 else (x * _SIZE, y * _SIZE)

    parts = []
    for seat in scene["seats"]:
        fill = GOOD if seat["seat"] == bottom else LINE
        for exit in seat["exits"]:
            x, y = corner(exit)
            x, up = x + _SIZE // 2, y == 0
            path = f"M{x - 12} {y - 10}l12-14 12 14z" if up else f"M{x - 12} {y + _SIZE + 10}l12 14 12-14z"
            parts.append(tag("path", d=path, fill=fill))
    for x in range(6):
        for y in range(6):
            fill = mix(MIST, 0.55, SHEET) if (x + y) % 2 else SHEET
            parts.append(tag("rect", x=x * _SIZE, y=y * _SIZE, width=_SIZE, height=_SIZE, fill=fill, stroke=LINE))
    words = []
    for seat in scene["seats"]:
        pieces = [piece for piece in scene["pieces"] if piece["owner"] == seat["seat"]]
        for piece in pieces:
            if piece["square"] is not None:
                x, y = corner(piece["square"])
                parts.append(at(x + _SIZE / 2, y + _SIZE / 2, *_ghost(piece, seat["seat"] == bottom)))
        lost = [f"{piece['name'][2:]} ({piece['colour']})" for piece in pieces if piece["captured"]]
        words.append((f"seat {seat['seat']} lost {', '.join(lost) or 'nothing'}", seat_colour(seat["seat"])))
    words.append((f"ply {scene['ply']}, {whose_turn(scene)}", INK))
    return sheet((-24, -34, 6 * _SIZE + 48, 6 * _SIZE + 68), parts, words, scale=0.75)
