"""Saboteur: a mine that grows to any side, the goals, and who holds and shows what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .pen import ACCENT, GOOD, INK, MOON, SHEET, STEPS, Scene, at, mix, seat_colour, sheet, tag, text, whose_turn

_WIDTH, _HEIGHT = 46, 64
_ROCK, _DUG = "#8b7d68", "#f4ead2"


def _card(fill: str, **more: object) -> str:
    edge = {"stroke": mix(INK, 0.45, SHEET), **more}
    return tag("rect", x=1, y=1, width=_WIDTH - 2, height=_HEIGHT - 2, rx=5, fill=fill, **edge)


def _path(open: Sequence[str], blocked: bool, *, start: bool = False) -> list[str]:
    """A path card whose corner is the origin."""
    cx, cy = _WIDTH / 2, _HEIGHT / 2
    # A blocked centre leaves the ways short of each other.
    inner = 0.45 if blocked else 0.0
    ways = ((STEPS[side][0] * cx, STEPS[side][1] * cy) for side in open)
    arms = "".join(f"M{cx + dx * inner:g} {cy + dy * inner:g}L{cx + dx:g} {cy + dy:g}" for dx, dy in ways)
    fill = mix(GOOD, 0.35, _ROCK) if start else mix(MOON, 0.22, _ROCK)
    if blocked:
        cross = f"M{cx - 6:g} {cy - 6:g}l12 12M{cx + 6:g} {cy - 6:g}l-12 12"
        centre = tag("path", d=cross, stroke="#2a2118", stroke_width=3.5, stroke_linecap="round")
    else:
        centre = tag("circle", cx=cx, cy=cy, r=7, fill=_DUG)
    return [_card(fill), tag("path", d=arms, fill="none", stroke=_DUG, stroke_width=13), centre]


def _start() -> list[str]:
    x, y = _WIDTH // 2 - 7, _HEIGHT // 2
    ladder = f"M{x} {y + 14}v-26h14v26M{x} {y - 2}h14M{x} {y + 7}h14"
    return [*_path(tuple(STEPS), False, start=True), tag("path", d=ladder, fill="none", stroke="#5a3d1a", stroke_width=2.5)]


def _goal(goal: Mapping[str, Any]) -> list[str]:
    back = mix(ACCENT, 0.45, "#55607a")
    middle = _WIDTH // 2, _HEIGHT // 2
    if goal["card"] is None:
        return [_card(back, stroke=INK), text(middle[0], middle[1] + 7, "?", size=26, bold=True, colour="#ffffff")]
    base = _path(goal["open"], False) if goal["open"] else [_card(back, stroke=INK, stroke_dasharray="4 3")]
    if goal["card"] == "gold":
        nugget = f"M{middle[0]} {middle[1] - 12}l11 9-7 13h-9l-6-13z"
        return [*base, tag("path", tag("title", "gold"), d=nugget, fill=MOON, stroke=INK, stroke_width=1.5)]
    stone = tag("ellipse", tag("title", "stone"), cx=middle[0], cy=middle[1], rx=11, ry=9, fill="#8d8f96", stroke="#3d3f47", stroke_width=1.5)
    return [*base, stone]


def draw(scene: Scene) -> str:
    """The mine, and of every player the cards, the broken tools, and the role and hand if they are known."""
    start = scene["start"]
    places = [(card["x"], card["y"]) for card in [start, *scene["mine"], *scene["goals"]]]
    left, right = min(x for x, _ in places) - 1, max(x for x, _ in places) + 1
    top, low = min(y for _, y in places) - 0.6, max(y for _, y in places) + 0.6

    def put(card: Mapping[str, Any], shapes: Sequence[str]) -> str:
        return at(card["x"] * _WIDTH, card["y"] * _HEIGHT, *shapes)

    parts = [put(start, _start()), *(put(goal, _goal(goal)) for goal in scene["goals"])]
    parts += [put(card, _path(card["open"], card["blocked"])) for card in scene["mine"]]
    words = []
    for seat in scene["seats"]:
        line = f"seat {seat['seat']}: {seat['cards']} cards"
        if seat.get("role"):
            line += f", {seat['role']}"
        if seat["broken"]:
            line += ", broken: " + ", ".join(map(str, seat["broken"]))
        if seat.get("hand"):
            line += ", holds " + " ".join(map(str, seat["hand"]))
        words.append((line, seat_colour(seat["seat"])))
    words.append((f"{scene['deck-left']} cards in the deck, {whose_turn(scene)}", INK))
    box = (left * _WIDTH, top * _HEIGHT, (right - left + 1) * _WIDTH, (low - top + 1) * _HEIGHT)
    return sheet(box, parts, words)
