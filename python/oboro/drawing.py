"""Boards as SVG, for notebooks: drawn from scenes alone, so nothing can be seen in them that the scene does not say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

__all__ = ["svg"]

Scene = Mapping[str, Any]

_SEATS = ("#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f", "#334155", "#a16207")
_CELL = 40


def svg(game: str, scene: Scene) -> str:
    """The drawing of a scene."""
    return _GAMES[game](scene)


def _document(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif">'
        f'<rect width="{width:g}" height="{height:g}" fill="#fafaf7"/>' + "".join(parts) + "</svg>"
    )


def _text(x: float, y: float, text: object, *, size: float = 14, colour: str = "#222", anchor: str = "middle") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}" '
        f'dominant-baseline="central">{escape(str(text))}</text>'
    )


def _rect(x: float, y: float, width: float, height: float, fill: str, stroke: str = "#888") -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{fill}" stroke="{stroke}"/>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> str:
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" stroke-width="{width:g}" '
        'stroke-linecap="round"/>'
    )


def _seat(seat: int) -> str:
    return _SEATS[seat % len(_SEATS)]


def _turn(scene: Scene) -> str:
    seat = scene.get("to-act")
    return "over" if seat is None else f"seat {seat} to move"


def _geister(scene: Scene) -> str:
    parts = [
        _rect(10 + x * _CELL, 10 + y * _CELL, _CELL, _CELL, "#eef" if (x + y) % 2 else "#fff")
        for x in range(6)
        for y in range(6)
    ]
    for seat in scene["seats"]:
        for exit in seat["exits"]:
            x, y = 10 + exit["x"] * _CELL, 10 + exit["y"] * _CELL
            parts.append(_text(x + _CELL / 2, y + _CELL / 2, "⇱", size=18, colour=_seat(seat["seat"])))
    colours = {"red": "#ef4444", "blue": "#3b82f6", None: "#d4d4d4"}
    taken: dict[int, list[str]] = {0: [], 1: []}
    for piece in scene["pieces"]:
        square = piece["square"]
        if square is None or piece["captured"]:
            taken[piece["owner"]].append(str(piece["name"]) + (f" {piece['colour']}" if piece["colour"] else ""))
            continue
        x, y = 10 + (square["x"] + 0.5) * _CELL, 10 + (square["y"] + 0.5) * _CELL
        up = -1 if piece["owner"] == 0 else 1
        points = f"{x - 13:g},{y - 12 * up:g} {x + 13:g},{y - 12 * up:g} {x:g},{y + 14 * up:g}"
        outline = _seat(piece["owner"])
        parts.append(f'<polygon points="{points}" fill="{colours[piece["colour"]]}" stroke="{outline}" stroke-width="2"/>')
        parts.append(_text(x, y - 3 * up, str(piece["name"])[-1], size=11))
    width = 20 + 6 * _CELL
    for seat, pieces in taken.items():
        lost = ", ".join(pieces) or "nothing"
        parts.append(_text(10, 268 + 16 * seat, f"seat {seat} lost {lost}", size=11, anchor="start", colour=_seat(seat)))
    parts.append(_text(10, 300, f"ply {scene['ply']}, {_turn(scene)}", size=11, anchor="start"))
    return _document(max(width, 330), 315, parts)


_WAYS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}


def _paths(x: float, y: float, ways: Sequence[str], *, half: float, colour: str, width: float) -> list[str]:
    return [_line(x, y, x + _WAYS[way][0] * half, y + _WAYS[way][1] * half, colour, width) for way in ways]


def _labyrinth(scene: Scene) -> str:
    cell, parts = 48, []
    tiles = list(scene["tiles"])
    for tile in tiles:
        x, y = 10 + tile["x"] * cell, 10 + tile["y"] * cell
        parts.append(_rect(x, y, cell, cell, "#e7d9b8" if tile["fixed"] else "#f3ead3"))
        parts += _paths(x + cell / 2, y + cell / 2, tile["open"], half=cell / 2, colour="#fff", width=14)
        if tile["treasure"]:
            parts.append(_text(x + cell / 2, y + cell / 2, tile["treasure"], size=9, colour="#7c2d12"))
    size = 1 + max(tile["x"] for tile in tiles)
    for seat in scene["seats"]:
        pawn = seat["pawn"]
        offset = (seat["seat"] % 2 * 2 - 1) * 8
        x, y = 10 + (pawn["x"] + 0.5) * cell + offset, 10 + (pawn["y"] + 0.5) * cell + (seat["seat"] // 2 * 2 - 1) * 8
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="7" fill="{_seat(seat["seat"])}" stroke="#fff"/>')
        line = f"seat {seat['seat']}: found {len(seat['found'])}, {seat['cards-left']} left"
        if seat.get("seeks"):
            line += f", seeks {seat['seeks']}"
        parts.append(
            _text(10, 26 + size * cell + 16 * seat["seat"], line, size=11, anchor="start", colour=_seat(seat["seat"]))
        )
    below = 26 + size * cell + 16 * len(scene["seats"])
    parts.append(_text(10, below, _turn(scene), size=11, anchor="start"))
    return _document(20 + size * cell, below + 15, parts)


def _saboteur(scene: Scene) -> str:
    width, height = 34, 46
    start = {**scene["start"], "open": ["left", "up", "right", "down"], "blocked": False}
    cards = [start, *scene["mine"]]
    places = [(card["x"], card["y"]) for card in [*cards, *scene["goals"]]]
    left, top = min(x for x, _ in places), min(y for _, y in places)
    right, bottom = max(x for x, _ in places), max(y for _, y in places)

    def corner(x: int, y: int) -> tuple[float, float]:
        return 10 + (x - left) * width, 10 + (y - top) * height

    parts = []
    for card in cards:
        px, py = corner(card["x"], card["y"])
        parts.append(_rect(px, py, width, height, "#c7b299" if card is start else "#a8957a"))
        for way in card["open"]:
            dx, dy = _WAYS[way]
            gap = 0.35 if card["blocked"] else 0.0
            cx, cy = px + width / 2, py + height / 2
            parts.append(
                _line(cx + dx * width / 2 * gap, cy + dy * height / 2 * gap, cx + dx * width / 2, cy + dy * height / 2, "#f5f0e6", 7)
            )
    for goal in scene["goals"]:
        px, py = corner(goal["x"], goal["y"])
        card = goal["card"]
        gold = card == "gold"
        parts.append(_rect(px, py, width, height, "#facc15" if gold else "#9ca3af" if card else "#57534e"))
        parts.append(_text(px + width / 2, py + height / 2, "$" if gold else "●" if card else "?", colour="#fff"))
    below = 30 + (bottom - top + 1) * height
    for seat in scene["seats"]:
        line = f"seat {seat['seat']}: {seat['cards']} cards"
        if seat.get("role"):
            line += f", {seat['role']}"
        if seat["broken"]:
            line += ", broken: " + ", ".join(map(str, seat["broken"]))
        if seat.get("hand"):
            line += ", " + " ".join(map(str, seat["hand"]))
        parts.append(_text(10, below, line, size=11, anchor="start", colour=_seat(seat["seat"])))
        below += 16
    parts.append(_text(10, below, f"{scene['deck-left']} cards in the deck, {_turn(scene)}", size=11, anchor="start"))
    return _document(max(20 + (right - left + 1) * width, 420), below + 15, parts)


_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def _sevens(scene: Scene) -> str:
    width, height, parts = 30, 38, []
    ranks = "A23456789TJQK"
    for row, suit in enumerate(scene["table"]):
        mark = suit["suit"][0].upper()
        laid = {entry["card"]: entry["by"] for entry in suit["laid"]}
        for column, rank in enumerate(ranks):
            card = mark + rank
            x, y = 10 + column * width, 10 + row * height
            there = card in laid
            parts.append(_rect(x, y, width - 2, height - 2, "#fff" if there else "#ececec", "#888" if there else "#ddd"))
            if there:
                colour = "#c00" if mark in "HD" else "#222"
                parts.append(_text(x + width / 2 - 1, y + 13, _SUITS[mark] + rank, size=12, colour=colour))
                by = laid[card]
                if by is not None:
                    parts.append(_text(x + width / 2 - 1, y + 28, by, size=9, colour=_seat(by)))
    below = 26 + 4 * height
    for seat in scene["seats"]:
        line = f"seat {seat['seat']}: {seat['cards']} cards, {seat['passes-left']} passes left"
        if seat.get("hand"):
            line += ": " + " ".join(_SUITS[card[0]] + card[1:] for card in seat["hand"])
        parts.append(_text(10, below, line, size=11, anchor="start", colour=_seat(seat["seat"])))
        below += 16
    parts.append(_text(10, below, _turn(scene), size=11, anchor="start"))
    return _document(max(20 + 13 * width, 460), below + 15, parts)


_GAMES: dict[str, Callable[[Scene], str]] = {
    "geister": _geister,
    "labyrinth": _labyrinth,
    "saboteur": _saboteur,
    "sevens": _sevens,
}
