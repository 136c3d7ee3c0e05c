"""The shape of scenes: what `live.scene(...)` and `view.scene` give, game by game.

Made from the engine's JSON schemas (`oboro.game(NAME).schemas`) by tools/scene_types.py; not to be edited.

    scene: GeisterScene = live.scene(0)
    mine = [piece for piece in scene["pieces"] if piece["owner"] == 0]
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

__all__ = ["GeisterScene", "LabyrinthScene", "SaboteurScene", "SevensScene"]

GeisterSceneSeatsExits = TypedDict(
    "GeisterSceneSeatsExits",
    {
        # The column, from 0 at the left.
        "x": int,
        # The row, from 0 at the top.
        "y": int,
    },
)
"""A square: x from 0 at the left and y from 0 at the top, as seat 0 sees the board."""

GeisterSceneSeats = TypedDict(
    "GeisterSceneSeats",
    {
        # Its seat.
        "seat": int,
        # Whether it has chosen its red pieces, which is its first action.
        "placed": bool,
        # How many of its red pieces are on the board. It wins when none is left.
        "reds-left": int,
        # How many of its blue pieces are on the board. It loses when none is left.
        "blues-left": int,
        # The squares from which its blue pieces can leave the board.
        "exits": list[GeisterSceneSeatsExits],
    },
)
"""A player, and what everybody knows of it."""

GeisterScenePiecesSquare = TypedDict(
    "GeisterScenePiecesSquare",
    {
        # The column, from 0 at the left.
        "x": int,
        # The row, from 0 at the top.
        "y": int,
    },
)
"""Where it stands; null when it was captured or has left the board."""

GeisterScenePieces = TypedDict(
    "GeisterScenePieces",
    {
        # Its name: the owner's seat and a letter from A to H by where it started, such as `1:E`.
        "name": str,
        # Whose it is.
        "owner": int,
        # Its colour; null where the viewer does not know it, and before the placement.
        "colour": Literal["blue", "red"] | None,
        # Where it stands; null when it was captured or has left the board.
        "square": GeisterScenePiecesSquare | None,
        # Whether it was captured.
        "captured": bool,
        # Whether it stood on an exit when its owner was to move, and stayed: hardly a blue piece.
        "stayed": bool,
    },
)
"""A piece."""

GeisterSceneEnding = TypedDict(
    "GeisterSceneEnding",
    {
        # What ended it.
        "how": Literal["escape", "blues-captured", "reds-captured", "draw"],
        # Who won; null in a draw.
        "winner": int | None,
    },
)
"""How the game ended; null while it goes on."""

GeisterScene = TypedDict(
    "GeisterScene",
    {
        # Whose view it is; null for a spectator's, and for the whole truth.
        "viewer": int | None,
        # The players, in order of their seats.
        "seats": list[GeisterSceneSeats],
        # Whose turn it is; null when the game is over.
        "to-act": int | None,
        # The pieces of seat 0 from A to H, then those of seat 1.
        "pieces": list[GeisterScenePieces],
        # How many moves have been played by both together; placements do not count.
        "ply": int,
        # The game is drawn after this many moves.
        "ply-limit": int,
        # How the game ended; null while it goes on.
        "ending": GeisterSceneEnding | None,
    },
)
"""A position: the board of 6 × 6 squares with its sixteen pieces."""

LabyrinthSceneSeatsPawn = TypedDict(
    "LabyrinthSceneSeatsPawn",
    {
        # The column, from 0 at the left.
        "x": int,
        # The row, from 0 at the top.
        "y": int,
    },
)
"""Where its pawn stands."""

LabyrinthSceneSeatsHome = TypedDict(
    "LabyrinthSceneSeatsHome",
    {
        # The column, from 0 at the left.
        "x": int,
        # The row, from 0 at the top.
        "y": int,
    },
)
"""Its home corner, where it has to go after its last card."""

LabyrinthSceneSeats = TypedDict(
    "LabyrinthSceneSeats",
    {
        # Its seat.
        "seat": int,
        # Where its pawn stands.
        "pawn": LabyrinthSceneSeatsPawn,
        # Its home corner, where it has to go after its last card.
        "home": LabyrinthSceneSeatsHome,
        # The treasures it has found, the first one first.
        "found": list[Literal["helmet", "candles", "sword", "gem", "chest", "ring", "skull", "keys", "crown", "map", "gold-bag", "book", "beetle", "moth", "owl", "rat", "salamander", "spider", "bat", "dragon", "fairy", "genie", "ghost", "troll"]],
        # How many cards it has still to find; with none left it goes home or, with `finish=last-card`, has won.
        "cards-left": int,
        # The treasure it looks for, the top card of its pile; null where the viewer does not know it, and when it
        "seeks": Literal["helmet", "candles", "sword", "gem", "chest", "ring", "skull", "keys", "crown", "map", "gold-bag", "book", "beetle", "moth", "owl", "rat", "salamander", "spider", "bat", "dragon", "fairy", "genie", "ghost", "troll", None],
        # The cards below the top one, in order. Null in every view: nobody knows them, not even their owner.
        "later": list[Literal["helmet", "candles", "sword", "gem", "chest", "ring", "skull", "keys", "crown", "map", "gold-bag", "book", "beetle", "moth", "owl", "rat", "salamander", "spider", "bat", "dragon", "fairy", "genie", "ghost", "troll"]] | None,
        # Treasures it is known not to look for now: it ended a turn on them and turned no card over.
        "refused": list[Literal["helmet", "candles", "sword", "gem", "chest", "ring", "skull", "keys", "crown", "map", "gold-bag", "book", "beetle", "moth", "owl", "rat", "salamander", "spider", "bat", "dragon", "fairy", "genie", "ghost", "troll"]],
    },
)
"""A player, and what the viewer knows of it."""

LabyrinthSceneTiles = TypedDict(
    "LabyrinthSceneTiles",
    {
        # Its column, from 0 at the left.
        "x": int,
        # Its row, from 0 at the top.
        "y": int,
        # The way through it.
        "shape": Literal["straight", "corner", "tee"],
        # By how many degrees it is turned clockwise: 0, 90, 180 or 270, for a straight 0 or 90.
        "rotation": int,
        # Its open sides, clockwise from the top.
        "open": list[Literal["up", "right", "down", "left"]],
        # The treasure on it; null if there is none.
        "treasure": Literal["helmet", "candles", "sword", "gem", "chest", "ring", "skull", "keys", "crown", "map", "gold-bag", "book", "beetle", "moth", "owl", "rat", "salamander", "spider", "bat", "dragon", "fairy", "genie", "ghost", "troll", None],
        # Whether it is fixed; the others can be pushed.
        "fixed": bool,
    },
)
"""A tile on the board."""

LabyrinthSceneExtra = TypedDict(
    "LabyrinthSceneExtra",
    {
        # The way through it.
        "shape": Literal["straight", "corner", "tee"],
        # The treasure on it; null if there is none.
        "treasure": Literal["helmet", "candles", "sword", "gem", "chest", "ring", "skull", "keys", "crown", "map", "gold-bag", "book", "beetle", "moth", "owl", "rat", "salamander", "spider", "bat", "dragon", "fairy", "genie", "ghost", "troll", None],
    },
)
"""The tile that is pushed in next."""

LabyrinthSceneEntriesCell = TypedDict(
    "LabyrinthSceneEntriesCell",
    {
        # The column, from 0 at the left.
        "x": int,
        # The row, from 0 at the top.
        "y": int,
    },
)
"""The cell on which the tile comes to lie."""

LabyrinthSceneEntries = TypedDict(
    "LabyrinthSceneEntries",
    {
        # Its number, from 0 to 11.
        "entry": int,
        # The cell on which the tile comes to lie.
        "cell": LabyrinthSceneEntriesCell,
        # Which way the tiles of the row or column go.
        "towards": Literal["up", "right", "down", "left"],
    },
)
"""A place where the extra tile can be pushed in."""

LabyrinthScene = TypedDict(
    "LabyrinthScene",
    {
        # Whose view it is; null for a spectator's, and for the whole truth.
        "viewer": int | None,
        # The players, in order of their seats.
        "seats": list[LabyrinthSceneSeats],
        # Whose turn it is; null when the game is over.
        "to-act": int | None,
        # The 49 tiles, row by row from the top left.
        "tiles": list[LabyrinthSceneTiles],
        # The tile that is pushed in next.
        "extra": LabyrinthSceneExtra,
        # The twelve places where it can be pushed in, clockwise from the top left.
        "entries": list[LabyrinthSceneEntries],
        # The number of the entry that would undo the last push and may not be used; null before the first push.
        "forbidden-entry": int | None,
        # How many turns have been played, by all together.
        "turns-played": int,
        # The game is a draw after this many turns of all together.
        "turn-limit": int,
        # Who has won: got home with all cards found or, where the rules say `finish=last-card`, found the last one;
        # null while the game goes on, and in a draw.
        "winner": int | None,
    },
)
"""A position: the maze of 7 × 7 tiles, the extra tile, the pawns, and how far everybody is."""

SaboteurSceneSeats = TypedDict(
    "SaboteurSceneSeats",
    {
        # Its seat.
        "seat": int,
        # Its role in this round; null where the viewer does not know it. After the last round everybody does.
        "role": Literal["digger", "saboteur"] | None,
        # How many cards it holds.
        "cards": int,
        # Its cards in the order in which they were drawn; null where the viewer does not see them.
        "hand": list[str] | None,
        # Its broken tools; with any of them it cannot lay path cards.
        "broken": list[Literal["lantern", "pick", "cart"]],
    },
)
"""A player, and what the viewer knows of it."""

SaboteurSceneStart = TypedDict(
    "SaboteurSceneStart",
    {
        # The column, counted from the start to the right.
        "x": int,
        # The row, counted from the start downwards.
        "y": int,
    },
)
"""The start, from which ways lead out on all four sides."""

SaboteurSceneMine = TypedDict(
    "SaboteurSceneMine",
    {
        # Its column, counted from the start to the right.
        "x": int,
        # Its row, counted from the start downwards.
        "y": int,
        # Its open sides as it lies.
        "open": list[Literal["left", "up", "right", "down"]],
        # Whether its centre is blocked, so that no way leads through it.
        "blocked": bool,
        # Whether an unbroken way from the start leads through it.
        "joined": bool,
    },
)
"""A path card in the mine."""

SaboteurSceneGoals = TypedDict(
    "SaboteurSceneGoals",
    {
        # Which of the three.
        "goal": Literal["upper", "middle", "lower"],
        # Its column, counted from the start to the right.
        "x": int,
        # Its row, counted from the start downwards.
        "y": int,
        # Its card; null where the viewer does not know it.
        "card": Literal["gold", "stone-up", "stone-down"] | None,
        # Its open sides as it lies once it is turned up; null while it lies face down.
        "open": list[Literal["left", "up", "right", "down"]] | None,
        # Who has looked at it with a map in this round.
        "looked-at-by": list[int],
    },
)
"""A goal."""

SaboteurSceneDiscards = TypedDict(
    "SaboteurSceneDiscards",
    {
        # Who put it away.
        "by": int,
        # Which it is; null where the viewer does not know it.
        "card": str | None,
    },
)
"""A card that was put away face down."""

SaboteurScenePastGold = TypedDict(
    "SaboteurScenePastGold",
    {
        # Who won it.
        "seat": int,
        # How many nuggets; null where the viewer did not see the gold card.
        "nuggets": int | None,
    },
)
"""Gold that somebody won."""

SaboteurScenePast = TypedDict(
    "SaboteurScenePast",
    {
        # Who joined the gold to the start; null if nobody did and the saboteurs won.
        "reached-by": int | None,
        # Who was a saboteur.
        "saboteurs": list[int],
        # Who won what. Diggers take one gold card after the other, the most valuable first.
        "gold": list[SaboteurScenePastGold],
    },
)
"""A finished round."""

SaboteurScene = TypedDict(
    "SaboteurScene",
    {
        # Whose view it is; null for a spectator's, and for the whole truth.
        "viewer": int | None,
        # The players, in order of their seats.
        "seats": list[SaboteurSceneSeats],
        # Whose turn it is; null when the game is over.
        "to-act": int | None,
        # The start, from which ways lead out on all four sides.
        "start": SaboteurSceneStart,
        # The path cards in the mine, row by row from the top left.
        "mine": list[SaboteurSceneMine],
        # The three goals, from the top.
        "goals": list[SaboteurSceneGoals],
        # How many cards can still be drawn.
        "deck-left": int,
        # These cards, the next one first. Null in every view: nobody knows them.
        "deck": list[str] | None,
        # The cards that were put away face down in this round, the oldest first.
        "discards": list[SaboteurSceneDiscards],
        # The cards that were used up openly in this round: action cards, and path cards under rocks.
        "used": list[str],
        # The finished rounds.
        "past": list[SaboteurScenePast],
        # How many rounds the game has.
        "rounds": int,
    },
)
"""A position: the mine with its goals, the players, and where the other cards are."""

SevensSceneSeats = TypedDict(
    "SevensSceneSeats",
    {
        # Its seat.
        "seat": int,
        # How many cards it holds.
        "cards": int,
        # Its cards, suit by suit; null where the viewer does not see them.
        "hand": list[str] | None,
        # How often it may still pass before a pass retires it.
        "passes-left": int,
        # Its final rank, 1 the best; null while it is in the game.
        "rank": int | None,
    },
)
"""A player, and what the viewer knows of it."""

SevensSceneTableLaid = TypedDict(
    "SevensSceneTableLaid",
    {
        # The card.
        "card": str,
        # Who laid it. A 7 lies there from the start, laid by whom it was dealt to.
        "by": int,
    },
)
"""A card on the table."""

SevensSceneTable = TypedDict(
    "SevensSceneTable",
    {
        # The suit.
        "suit": Literal["spades", "hearts", "diamonds", "clubs"],
        # Its cards on the table, from the ace.
        "laid": list[SevensSceneTableLaid],
        # Its cards that may be laid next, whoever holds them.
        "playable": list[str],
    },
)
"""One suit on the table."""

SevensSceneLogLay = TypedDict(
    "SevensSceneLogLay",
    {
        "kind": Literal["lay"],
        # By whom.
        "seat": int,
        # Which.
        "card": str,
    },
)
"""A card was laid."""

SevensSceneLogPass = TypedDict(
    "SevensSceneLogPass",
    {
        "kind": Literal["pass"],
        # Who.
        "seat": int,
    },
)
"""Somebody passed."""

SevensSceneLogRetire = TypedDict(
    "SevensSceneLogRetire",
    {
        "kind": Literal["retire"],
        # Who.
        "seat": int,
    },
)
"""Somebody passed with no pass left, and laid all cards on the table."""

SevensScene = TypedDict(
    "SevensScene",
    {
        # Whose view it is; null for a spectator's, and for the whole truth.
        "viewer": int | None,
        # The players, in order of their seats.
        "seats": list[SevensSceneSeats],
        # Whose turn it is; null when the game is over.
        "to-act": int | None,
        # The cards on the table, by suit.
        "table": list[SevensSceneTable],
        # What happened, the oldest first.
        "log": list[SevensSceneLogLay | SevensSceneLogPass | SevensSceneLogRetire],
    },
)
"""A position: the table suit by suit, the hands, and what happened so far."""
