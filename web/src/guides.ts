// The guided first games: short chapters on the real board, each of which teaches one thing by doing it.
import { read, write } from "./kept";
import type { Word } from "./words";

/** What an action or an event is made of; each game has its own shapes, and a step looks at a few keys only. */
type Parts = Record<string, any>;

export interface Step {
  text: Word;
  /** Which actions may be played now; a step without it is only read. */
  allow?: (action: Parts) => boolean;
}

export interface Chapter {
  rules: Record<string, unknown>;
  /** Where it begins: a deal, or a position. */
  seed: string;
  position?: string;
  /** Who sits at the other seats. */
  others: string[];
  steps: Step[];
}

const GEISTER = { rules: {}, seed: "1", others: ["random"] };
const LABYRINTH = { rules: { players: 2, cards: 1 }, seed: "1", others: ["random"] };
const SEVENS = { rules: { players: 4 }, seed: "1", others: ["rule", "rule", "rule"] };

/** All cards of Saboteur, and how many there are of each. */
const CARDS: Record<string, number> = {
  LR: 3, UD: 4, LU: 4, LD: 5, LUR: 5, LUD: 5, LURD: 5, xL: 1, xU: 1, xLU: 1, xLD: 1, xLR: 1, xUD: 1, xLUR: 1, xLUD: 1, xLURD: 1, rock: 3, map: 6,
  "break-pick": 3, "break-cart": 3, "break-lantern": 3, "mend-pick": 2, "mend-cart": 2, "mend-lantern": 2, "mend-lantern+pick": 1, "mend-lantern+cart": 1, "mend-pick+cart": 1,
};

/** A mine of three players: the own hand and what is laid are chosen, the others hold paths, the rest is the deck. */
function mine(hand: string, laid: string, broken = "-"): Omit<Chapter, "steps"> {
  const left = { ...CARDS };
  const take = (card: string) => (left[card]! -= 1);
  hand.split(",").forEach(take);
  if (laid !== "-") laid.split(";").forEach((path) => take(path.split("@")[0]!));
  if (broken !== "-") take(`break-${broken}`);
  const rest = Object.entries(left).flatMap(([card, count]) => Array<string>(count).fill(card));
  const hands = [hand, rest.slice(0, 6).join(","), rest.slice(6, 12).join(",")].join("/");
  const tools = broken === "-" ? "-" : `0:${broken}`;
  const position = `past=- turn=0 roles=dds goals=stone-down,gold,stone-up mine=${laid} hands=${hands} deck=${rest.slice(12).join(",")} pile=- used=- broken=${tools} looks=- chance=00c0ffee00c0ffee`;
  return { rules: { players: 3, rounds: 1 }, seed: "1", position, others: ["random", "random"] };
}

const digsAt = (x: number) => (action: Parts) => action.kind === "dig" && !action.blocked && action.at.x === x && action.at.y === 0;

export const guides: Record<string, Chapter[]> = {
  geister: [
    {
      ...GEISTER,
      steps: [
        { text: "geisterPlace", allow: ({ kind }) => kind === "place" },
        { text: "geisterMove", allow: ({ kind }) => kind === "move" },
      ],
    },
    {
      ...GEISTER,
      position: "10 14R24B34R44R15B25B35B22R 41B31B21R11B40R30R20R10B",
      steps: [{ text: "geisterTake", allow: ({ captures }) => typeof captures === "string" }, { text: "geisterTaken" }],
    },
    {
      ...GEISTER,
      position: "20 01B14R24R34R15B25B35B44R 52B42B32B41B53R43R33R31R",
      steps: [
        { text: "geisterExit", allow: ({ piece, to }) => piece === "0:A" && to?.x === 0 && to.y === 0 },
        { text: "geisterEscape", allow: ({ kind }) => kind === "escape" },
      ],
    },
  ],
  labyrinth: [
    { ...LABYRINTH, seed: "8", steps: [{ text: "labyrinthGoal" }, { text: "labyrinthPush", allow: ({ finds }) => finds !== null }] },
    { ...LABYRINTH, seed: "14", steps: [{ text: "labyrinthTurn", allow: ({ finds }) => finds !== null }] },
    {
      ...LABYRINTH,
      position: "┌┐┬└┬─┐/┤┘┘┐┐─┐/├│├│┬┘┤/└─┘─├└└/├├┴│┤┴┤/─┌─│─│└/└└┴┬┴├┘ C c2,d1,e2,b2,a4,+,f5,f7,e4,d7,b5,a2 last=6 ply=2 c3:D| g7:|I",
      steps: [{ text: "labyrinthHome", allow: ({ wins }) => wins === true }],
    },
  ],
  saboteur: [
    { ...mine("LR,LURD,LUD,xLU,rock,break-cart", "-"), steps: [{ text: "saboteurRole" }, { text: "saboteurDig", allow: digsAt(1) }] },
    { ...mine("map,xL,xLD,rock,break-cart,break-pick", "LURD@1,0;LR@2,0"), steps: [{ text: "saboteurMap", allow: ({ kind }) => kind === "look" }] },
    { ...mine("mend-lantern,LR,LUR,xLU,rock,break-cart", "LURD@1,0;LR@2,0", "lantern"), steps: [{ text: "saboteurMend", allow: ({ kind }) => kind === "mend" }] },
    { ...mine("LR,xLU,xLD,rock,break-cart,break-pick", "LURD@1,0;LR@2,0;LURD@3,0;LURD@4,0;LR@5,0;LURD@6,0"), steps: [{ text: "saboteurGold", allow: digsAt(7) }, { text: "saboteurEnd" }] },
  ],
  sevens: [
    {
      ...SEVENS,
      steps: [
        { text: "sevensLay", allow: ({ kind }) => kind === "lay" },
        { text: "sevensPass", allow: ({ kind }) => kind === "pass" },
      ],
    },
    {
      ...SEVENS,
      position: "turn=0 hands=HK/SQKDK/DAQCK/SAHACA passes=3/3/3/3 laid=S26TH48QD59C37J/S37JH59D26TC48Q/S48H26TD37JC59/S59H37JD48C26T ranks=-/-/-/- log=-",
      steps: [{ text: "sevensLast", allow: ({ kind }) => kind === "lay" }],
    },
  ],
};

export const hasGuide = (game: string): boolean => game in guides;

/** The games whose guided game was finished in this browser. */
const learned = (): string[] => read<string[]>("learned", []);
export const hasLearned = (game: string): boolean => learned().includes(game);
export const keepLearned = (game: string) => write("learned", [...new Set([...learned(), game])]);
