"""Sevens: four suits on the table, with who laid each card, and how many cards and passes are left."""

from __future__ import annotations

from .pen import INK, QUIET, Scene, at, seat_colour, sheet, tag, text, whose_turn

_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RANKS = "A23456789TJQK"
_WIDTH, _HEIGHT = 40, 56


def _rank(card: str) -> str:
    return "10" if card[1] == "T" else card[1]


def _face(card: str, by: int | None) -> list[str]:
    """A card whose corner is the origin; the dot is of who laid it."""
    colour = "#a8322d" if card[0] in "HD" else "#23263a"
    parts = [
        tag("rect", width=_WIDTH, height=_HEIGHT, rx=5, fill="#fffdf7", stroke="#cfc7b2"),
        text(6, 17, _rank(card), size=15, colour=colour, anchor="start", bold=True),
        text(_WIDTH / 2, 44, _SYMBOLS[card[0]], size=22, colour=colour, bold=True),
    ]
    if by is not None:
        parts.append(tag("circle", cx=_WIDTH - 7, cy=8, r=3.5, fill=seat_colour(by)))
    return parts


def draw(scene: Scene) -> str:
    """The table, and every player's cards as far as they are known."""

    def put(card: str, shapes: list[str]) -> str:
        return at(6 + _RANKS.index(card[1]) * (_WIDTH + 4), 6 + "SHDC".index(card[0]) * (_HEIGHT + 6), *shapes)

    gap = tag("rect", width=_WIDTH, height=_HEIGHT, rx=5, fill="none", stroke=QUIET, stroke_dasharray="4 4", opacity=0.7)
    parts = [put(card, [gap]) for suit in scene["table"] for card in suit["playable"]]
    parts += [put(laid["card"], _face(laid["card"], laid["by"])) for suit in scene["table"] for laid in suit["laid"]]
    words = []
    for seat in scene["seats"]:
        line = f"seat {seat['seat']}: {seat['cards']} cards, {seat['passes-left']} passes left"
        if seat.get("hand"):
            line += ": " + " ".join(_SYMBOLS[card[0]] + _rank(card) for card in seat["hand"])
        words.append((line, seat_colour(seat["seat"])))
    words.append((whose_turn(scene), INK))
    return sheet((0, 0, 13 * (_WIDTH + 4) + 8, 4 * (_HEIGHT + 6) + 6), parts, words, scale=0.8)
