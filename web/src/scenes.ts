// The shapes of scenes, actions and events, game by game. Made from the games' JSON schemas by catalog/tests/web_types.rs
// (`cargo xtask bless` writes it anew); not to be edited. Those of games with a file of their own in games/ are here.
// Every key is there: what is unknown is null.
// Of a union every member lists the keys of the others as absent, so that each key can be asked for.

export type GeisterScene = {
  /** Whose view it is; null for a spectator's, and for the whole truth. */
  "viewer": number | null;
  /** The players, in order of their seats. */
  "seats": Array<{
    /** Its seat. */
    "seat": number;
    /** Whether it has chosen its red pieces, which is its first action. */
    "placed": boolean;
    /** How many of its red pieces are on the board. It wins when none is left. */
    "reds-left": number;
    /** How many of its blue pieces are on the board. It loses when none is left. */
    "blues-left": number;
    /** The squares from which its blue pieces can leave the board. */
    "exits": Array<{
      /** The column, from 0 at the left. */
      "x": number;
      /** The row, from 0 at the top. */
      "y": number;
    }>;
  }>;
  /** Whose turn it is; null when the game is over. */
  "to-act": number | null;
  /** The pieces of seat 0 from A to H, then those of seat 1. */
  "pieces": Array<{
    /** Its name: the owner's seat and a letter from A to H by where it started, such as `1:E`. */
    "name": string;
    /** Whose it is. */
    "owner": number;
    /** Its colour; null where the viewer does not know it, and before the placement. */
    "colour": "blue" | "red" | null;
    /** Where it stands; null when it was captured or has left the board. */
    "square": {
      /** The column, from 0 at the left. */
      "x": number;
      /** The row, from 0 at the top. */
      "y": number;
    } | null;
    /** Whether it was captured. */
    "captured": boolean;
    /** Whether it stood on an exit when its owner was to move, and stayed: hardly a blue piece. */
    "stayed": boolean;
  }>;
  /** How many moves have been played by both together; placements do not count. */
  "ply": number;
  /** The game is drawn after this many moves. */
  "ply-limit": number;
  /** How the game ended; null while it goes on. */
  "ending": {
    /** What ended it. */
    "how": "escape" | "blues-captured" | "reds-captured" | "draw";
    /** Who won; null in a draw. */
    "winner": number | null;
  } | null;
};

export type GeisterAction = {
  "kind": "place";
  /** The names of the four red pieces; null where the observer does not see them. */
  "reds": Array<string> | null;
  "captures"?: undefined;
  "from"?: undefined;
  "piece"?: undefined;
  "to"?: undefined;
} | {
  "kind": "move";
  /** The name of the piece. */
  "piece": string;
  /** Where it stands. */
  "from": {
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  };
  /** Where it goes. */
  "to": {
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  };
  /** The name of the piece it captures there; null if none. */
  "captures": string | null;
  "reds"?: undefined;
} | {
  "kind": "escape";
  /** The name of the piece. */
  "piece": string;
  /** The exit it stands on. */
  "from": {
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  };
  "captures"?: undefined;
  "reds"?: undefined;
  "to"?: undefined;
};

export type GeisterEvent = {
  /** Who acted. */
  "seat": number;
  /** The colour of the captured piece, which everybody then sees; null if none was captured. */
  "revealed": "blue" | "red" | null;
} & ({
  "kind": "place";
  /** The names of the four red pieces; null where the observer does not see them. */
  "reds": Array<string> | null;
  "captures"?: undefined;
  "from"?: undefined;
  "piece"?: undefined;
  "to"?: undefined;
} | {
  "kind": "move";
  /** The name of the piece. */
  "piece": string;
  /** Where it stands. */
  "from": {
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  };
  /** Where it goes. */
  "to": {
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  };
  /** The name of the piece it captures there; null if none. */
  "captures": string | null;
  "reds"?: undefined;
} | {
  "kind": "escape";
  /** The name of the piece. */
  "piece": string;
  /** The exit it stands on. */
  "from": {
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  };
  "captures"?: undefined;
  "reds"?: undefined;
  "to"?: undefined;
});

export type LabyrinthScene = {
  /** Whose view it is; null for a spectator's, and for the whole truth. */
  "viewer": number | null;
  /** The players, in order of their seats. */
  "seats": Array<{
    /** Its seat. */
    "seat": number;
    /** Where its pawn stands. */
    "pawn": {
      /** The column, from 0 at the left. */
      "x": number;
      /** The row, from 0 at the top. */
      "y": number;
    };
    /** Its home corner, where it has to go after its last card. */
    "home": {
      /** The column, from 0 at the left. */
      "x": number;
      /** The row, from 0 at the top. */
      "y": number;
    };
    /** The treasures it has found, the first one first. */
    "found": Array<"helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll">;
    /** How many cards it has still to find; with none left it goes home or, with `finish=last-card`, has won. */
    "cards-left": number;
    /** The treasure it looks for, the top card of its pile; null where the viewer does not know it, and when it */
    "seeks": "helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll" | null;
    /** The cards below the top one, in order. Null in every view: nobody knows them, not even their owner. */
    "later": Array<"helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll"> | null;
    /** Treasures it is known not to look for now: it ended a turn on them and turned no card over. */
    "refused": Array<"helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll">;
  }>;
  /** Whose turn it is; null when the game is over. */
  "to-act": number | null;
  /** The 49 tiles, row by row from the top left. */
  "tiles": Array<{
    /** Its column, from 0 at the left. */
    "x": number;
    /** Its row, from 0 at the top. */
    "y": number;
    /** The way through it. */
    "shape": "straight" | "corner" | "tee";
    /** By how many degrees it is turned clockwise: 0, 90, 180 or 270, for a straight 0 or 90. */
    "rotation": number;
    /** Its open sides, clockwise from the top. */
    "open": Array<"up" | "right" | "down" | "left">;
    /** The treasure on it; null if there is none. */
    "treasure": "helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll" | null;
    /** Whether it is fixed; the others can be pushed. */
    "fixed": boolean;
  }>;
  /** The tile that is pushed in next. */
  "extra": {
    /** The way through it. */
    "shape": "straight" | "corner" | "tee";
    /** The treasure on it; null if there is none. */
    "treasure": "helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll" | null;
  };
  /** The twelve places where it can be pushed in, clockwise from the top left. */
  "entries": Array<{
    /** Its number, from 0 to 11. */
    "entry": number;
    /** The cell on which the tile comes to lie. */
    "cell": {
      /** The column, from 0 at the left. */
      "x": number;
      /** The row, from 0 at the top. */
      "y": number;
    };
    /** Which way the tiles of the row or column go. */
    "towards": "up" | "right" | "down" | "left";
  }>;
  /** The number of the entry that would undo the last push and may not be used; null before the first push. */
  "forbidden-entry": number | null;
  /** How many turns have been played, by all together. */
  "turns-played": number;
  /** The game is a draw after this many turns of all together. */
  "turn-limit": number;
  /** Who has won: got home with all cards found or, where the rules say `finish=last-card`, found the last one; null while the game goes on, and in a draw. */
  "winner": number | null;
};

export type LabyrinthAction = {
  "kind": "turn";
  /** The number of the entry where the tile is pushed in. */
  "entry": number;
  /** By how many degrees the tile is turned clockwise. */
  "rotation": number;
  /** Where the pawn ends its turn. */
  "to": {
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  };
  /** A shortest way there: the cells from where the pawn stands after the push. */
  "walk": Array<{
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  }>;
  /** The treasure that is looked for and found there; null if none is. */
  "finds": "helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll" | null;
  /** Whether this wins: the pawn gets home with all cards found or, with `finish=last-card`, finds the last one. */
  "wins": boolean;
};

export type LabyrinthEvent = {
  /** Whose turn it was. */
  "seat": number;
  /** The pawns that travelled with the pushed tiles, before any walk. */
  "carried": Array<{
    /** Whose pawn. */
    "seat": number;
    /** Where it stood. */
    "from": {
      /** The column, from 0 at the left. */
      "x": number;
      /** The row, from 0 at the top. */
      "y": number;
    };
    /** Where it then stood; a pawn that falls off comes back at the entry. */
    "to": {
      /** The column, from 0 at the left. */
      "x": number;
      /** The row, from 0 at the top. */
      "y": number;
    };
  }>;
  /** What the observer looks for next, if it found a treasure in its own turn; null otherwise. */
  "next": "helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll" | null;
} & ({
  "kind": "turn";
  /** The number of the entry where the tile is pushed in. */
  "entry": number;
  /** By how many degrees the tile is turned clockwise. */
  "rotation": number;
  /** Where the pawn ends its turn. */
  "to": {
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  };
  /** A shortest way there: the cells from where the pawn stands after the push. */
  "walk": Array<{
    /** The column, from 0 at the left. */
    "x": number;
    /** The row, from 0 at the top. */
    "y": number;
  }>;
  /** The treasure that is looked for and found there; null if none is. */
  "finds": "helmet" | "candles" | "sword" | "gem" | "chest" | "ring" | "skull" | "keys" | "crown" | "map" | "gold-bag" | "book" | "beetle" | "moth" | "owl" | "rat" | "salamander" | "spider" | "bat" | "dragon" | "fairy" | "genie" | "ghost" | "troll" | null;
  /** Whether this wins: the pawn gets home with all cards found or, with `finish=last-card`, finds the last one. */
  "wins": boolean;
});

export type SaboteurScene = {
  /** Whose view it is; null for a spectator's, and for the whole truth. */
  "viewer": number | null;
  /** The players, in order of their seats. */
  "seats": Array<{
    /** Its seat. */
    "seat": number;
    /** Its role in this round; null where the viewer does not know it. After the last round everybody does. */
    "role": "digger" | "saboteur" | null;
    /** How many cards it holds. */
    "cards": number;
    /** Its cards in the order in which they were drawn; null where the viewer does not see them. */
    "hand": Array<string> | null;
    /** Its broken tools; with any of them it cannot lay path cards. */
    "broken": Array<"lantern" | "pick" | "cart">;
  }>;
  /** Whose turn it is; null when the game is over. */
  "to-act": number | null;
  /** The start, from which ways lead out on all four sides. */
  "start": {
    /** The column, counted from the start to the right. */
    "x": number;
    /** The row, counted from the start downwards. */
    "y": number;
  };
  /** The path cards in the mine, row by row from the top left. */
  "mine": Array<{
    /** Its column, counted from the start to the right. */
    "x": number;
    /** Its row, counted from the start downwards. */
    "y": number;
    /** Its open sides as it lies. */
    "open": Array<"left" | "up" | "right" | "down">;
    /** Whether its centre is blocked, so that no way leads through it. */
    "blocked": boolean;
    /** Whether an unbroken way from the start leads through it. */
    "joined": boolean;
  }>;
  /** The three goals, from the top. */
  "goals": Array<{
    /** Which of the three. */
    "goal": "upper" | "middle" | "lower";
    /** Its column, counted from the start to the right. */
    "x": number;
    /** Its row, counted from the start downwards. */
    "y": number;
    /** Its card; null where the viewer does not know it. */
    "card": "gold" | "stone-up" | "stone-down" | null;
    /** Its open sides as it lies once it is turned up; null while it lies face down. */
    "open": Array<"left" | "up" | "right" | "down"> | null;
    /** Who has looked at it with a map in this round. */
    "looked-at-by": Array<number>;
  }>;
  /** How many cards can still be drawn. */
  "deck-left": number;
  /** These cards, the next one first. Null in every view: nobody knows them. */
  "deck": Array<string> | null;
  /** The cards that were put away face down in this round, the oldest first. */
  "discards": Array<{
    /** Who put it away. */
    "by": number;
    /** Which it is; null where the viewer does not know it. */
    "card": string | null;
  }>;
  /** The cards that were used up openly in this round: action cards, and path cards under rocks. */
  "used": Array<string>;
  /** The finished rounds. */
  "past": Array<{
    /** Who joined the gold to the start; null if nobody did and the saboteurs won. */
    "reached-by": number | null;
    /** Who was a saboteur. */
    "saboteurs": Array<number>;
    /** Who won what. Diggers take one gold card after the other, the most valuable first. */
    "gold": Array<{
      /** Who won it. */
      "seat": number;
      /** How many nuggets; null where the viewer did not see the gold card. */
      "nuggets": number | null;
    }>;
  }>;
  /** How many rounds the game has. */
  "rounds": number;
};

export type SaboteurAction = {
  "kind": "dig";
  /** Where. */
  "at": {
    /** The column, counted from the start to the right. */
    "x": number;
    /** The row, counted from the start downwards. */
    "y": number;
  };
  /** Its open sides as it is to lie. */
  "open": Array<"left" | "up" | "right" | "down">;
  /** Whether its centre is blocked. */
  "blocked": boolean;
  "card"?: undefined;
  "goal"?: undefined;
  "tool"?: undefined;
  "whose"?: undefined;
} | {
  "kind": "rock-fall";
  /** Where. */
  "at": {
    /** The column, counted from the start to the right. */
    "x": number;
    /** The row, counted from the start downwards. */
    "y": number;
  };
  "blocked"?: undefined;
  "card"?: undefined;
  "goal"?: undefined;
  "open"?: undefined;
  "tool"?: undefined;
  "whose"?: undefined;
} | {
  "kind": "look";
  /** Which. */
  "goal": "upper" | "middle" | "lower";
  "at"?: undefined;
  "blocked"?: undefined;
  "card"?: undefined;
  "open"?: undefined;
  "tool"?: undefined;
  "whose"?: undefined;
} | {
  "kind": "break";
  /** Which tool. */
  "tool": "lantern" | "pick" | "cart";
  /** Whose. */
  "whose": number;
  "at"?: undefined;
  "blocked"?: undefined;
  "card"?: undefined;
  "goal"?: undefined;
  "open"?: undefined;
} | {
  "kind": "mend";
  /** Which tool. */
  "tool": "lantern" | "pick" | "cart";
  /** Whose. */
  "whose": number;
  /** The card used, which may be for either of two tools. */
  "card": string;
  "at"?: undefined;
  "blocked"?: undefined;
  "goal"?: undefined;
  "open"?: undefined;
} | {
  "kind": "discard";
  /** Which; null where the observer does not see it. */
  "card": string | null;
  "at"?: undefined;
  "blocked"?: undefined;
  "goal"?: undefined;
  "open"?: undefined;
  "tool"?: undefined;
  "whose"?: undefined;
};

export type SaboteurEvent = {
  /** Who acted. */
  "seat": number;
  /** The card that the observer itself drew then; null otherwise. */
  "drawn": string | null;
  /** The goal cards that the observer was shown: turned up for all, or by a map. */
  "shown": Array<{
    /** Which goal. */
    "goal": "upper" | "middle" | "lower";
    /** What it is. */
    "card": "gold" | "stone-up" | "stone-down";
  }>;
  /** How the round ended; null while it goes on. */
  "round-end": {
    /** Who joined the gold to the start; null if nobody did and the saboteurs won. */
    "reached-by": number | null;
    /** Who was a saboteur. */
    "saboteurs": Array<number>;
    /** Who won what. Diggers take one gold card after the other, the most valuable first. */
    "gold": Array<{
      /** Who won it. */
      "seat": number;
      /** How many nuggets; null where the viewer did not see the gold card. */
      "nuggets": number | null;
    }>;
    /** What the observer is dealt for the next round; null after the last round, and for a spectator. */
    "next": {
      /** Its role. */
      "role": "digger" | "saboteur";
      /** Its cards. */
      "hand": Array<string>;
    } | null;
  } | null;
} & ({
  "kind": "dig";
  /** Where. */
  "at": {
    /** The column, counted from the start to the right. */
    "x": number;
    /** The row, counted from the start downwards. */
    "y": number;
  };
  /** Its open sides as it is to lie. */
  "open": Array<"left" | "up" | "right" | "down">;
  /** Whether its centre is blocked. */
  "blocked": boolean;
  "card"?: undefined;
  "goal"?: undefined;
  "tool"?: undefined;
  "whose"?: undefined;
} | {
  "kind": "rock-fall";
  /** Where. */
  "at": {
    /** The column, counted from the start to the right. */
    "x": number;
    /** The row, counted from the start downwards. */
    "y": number;
  };
  "blocked"?: undefined;
  "card"?: undefined;
  "goal"?: undefined;
  "open"?: undefined;
  "tool"?: undefined;
  "whose"?: undefined;
} | {
  "kind": "look";
  /** Which. */
  "goal": "upper" | "middle" | "lower";
  "at"?: undefined;
  "blocked"?: undefined;
  "card"?: undefined;
  "open"?: undefined;
  "tool"?: undefined;
  "whose"?: undefined;
} | {
  "kind": "break";
  /** Which tool. */
  "tool": "lantern" | "pick" | "cart";
  /** Whose. */
  "whose": number;
  "at"?: undefined;
  "blocked"?: undefined;
  "card"?: undefined;
  "goal"?: undefined;
  "open"?: undefined;
} | {
  "kind": "mend";
  /** Which tool. */
  "tool": "lantern" | "pick" | "cart";
  /** Whose. */
  "whose": number;
  /** The card used, which may be for either of two tools. */
  "card": string;
  "at"?: undefined;
  "blocked"?: undefined;
  "goal"?: undefined;
  "open"?: undefined;
} | {
  "kind": "discard";
  /** Which; null where the observer does not see it. */
  "card": string | null;
  "at"?: undefined;
  "blocked"?: undefined;
  "goal"?: undefined;
  "open"?: undefined;
  "tool"?: undefined;
  "whose"?: undefined;
});

export type SevensScene = {
  /** Whose view it is; null for a spectator's, and for the whole truth. */
  "viewer": number | null;
  /** The players, in order of their seats. */
  "seats": Array<{
    /** Its seat. */
    "seat": number;
    /** How many cards it holds. */
    "cards": number;
    /** Its cards, suit by suit; null where the viewer does not see them. */
    "hand": Array<string> | null;
    /** How often it may still pass before a pass retires it. */
    "passes-left": number;
    /** Its final rank, 1 the best; null while it is in the game. */
    "rank": number | null;
  }>;
  /** Whose turn it is; null when the game is over. */
  "to-act": number | null;
  /** The cards on the table, by suit. */
  "table": Array<{
    /** The suit. */
    "suit": "spades" | "hearts" | "diamonds" | "clubs";
    /** Its cards on the table, from the ace. */
    "laid": Array<{
      /** The card. */
      "card": string;
      /** Who laid it. A 7 lies there from the start, laid by whom it was dealt to. */
      "by": number;
    }>;
    /** Its cards that may be laid next, whoever holds them. */
    "playable": Array<string>;
  }>;
  /** What happened, the oldest first. */
  "log": Array<{
    "kind": "lay";
    /** By whom. */
    "seat": number;
    /** Which. */
    "card": string;
  } | {
    "kind": "pass";
    /** Who. */
    "seat": number;
    "card"?: undefined;
  } | {
    "kind": "retire";
    /** Who. */
    "seat": number;
    "card"?: undefined;
  }>;
};

export type SevensAction = {
  "kind": "lay";
  /** The card. */
  "card": string;
  "cards"?: undefined;
  "left"?: undefined;
} | {
  "kind": "pass";
  /** How many passes are left after it. */
  "left": number;
  "card"?: undefined;
  "cards"?: undefined;
} | {
  "kind": "retire";
  /** All its cards, which go to the table. */
  "cards": Array<string>;
  "card"?: undefined;
  "left"?: undefined;
};

export type SevensEvent = {
  /** Who acted. */
  "seat": number;
  /** The rank it takes by that, 1 the best; null if it stays in the game. */
  "rank": number | null;
} & ({
  "kind": "lay";
  /** The card. */
  "card": string;
  "cards"?: undefined;
  "left"?: undefined;
} | {
  "kind": "pass";
  /** How many passes are left after it. */
  "left": number;
  "card"?: undefined;
  "cards"?: undefined;
} | {
  "kind": "retire";
  /** All its cards, which go to the table. */
  "cards": Array<string>;
  "card"?: undefined;
  "left"?: undefined;
});

/** The types of each game, by its name. */
export interface Games {
  "geister": { scene: GeisterScene; action: GeisterAction; event: GeisterEvent };
  "labyrinth": { scene: LabyrinthScene; action: LabyrinthAction; event: LabyrinthEvent };
  "saboteur": { scene: SaboteurScene; action: SaboteurAction; event: SaboteurEvent };
  "sevens": { scene: SevensScene; action: SevensAction; event: SevensEvent };
}
