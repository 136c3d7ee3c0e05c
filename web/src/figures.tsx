// One picture for the rules of each game, drawn with the pieces of its board.
import { TileDrawing } from "./boards/labyrinth";
import { GoalDrawing, PathCard } from "./boards/saboteur";
import { Face } from "./boards/sevens";
import { ghostPath } from "./emblems";

const common = { class: "figure", preserveAspectRatio: "xMinYMid", "aria-hidden": "true" as const };

/** A ghost before the exit: where it may go, whom it may take. */
function Ghosts() {
  const cells = Array.from({ length: 15 }, (_, i) => ({ x: (i % 5) * 60, y: Math.floor(i / 5) * 60 }));
  const ghost = (x: number, y: number, colour: "red" | "blue" | null) => (
    <g transform={`translate(${x * 60 + 30} ${y * 60 + 30})`}>
      <path d={ghostPath(colour)} class={`ghost ${colour ?? "hidden"}`} />
      {colour === "red" ? <path d="M-9-5l7 3M9-5l-7 3" class="brow" /> : <path d="M-6-3h1M5-3h1" class="eyes" />}
    </g>
  );
  return (
    <svg viewBox="-4 -30 308 214" {...common}>
      <path d="M18-8l12-14 12 14z" class="exit own" />
      {cells.map(({ x, y }) => <rect key={`${x},${y}`} x={x} y={y} width="60" height="60" class={`cell ${(x + y) % 120 ? "odd" : ""}`} />)}
      {ghost(1, 1, "blue")}
      {ghost(2, 1, null)}
      {ghost(3, 2, "red")}
      {ghost(4, 0, null)}
      <circle cx="150" cy="90" r="27" class="take" />
      {[[90, 30], [30, 90], [90, 150]].map(([x, y]) => <circle key={`${x},${y}`} cx={x} cy={y} r="9" class="dot" />)}
    </svg>
  );
}

/** A tile is pushed in from the left, and the pawn walks on to a treasure. */
function Push() {
  const tiles = [
    { open: ["left", "right"], treasure: null },
    { open: ["left", "down", "right"], treasure: null },
    { open: ["left", "right"], treasure: null },
    { open: ["left", "down"], treasure: "gem" },
  ] as const;
  return (
    <svg viewBox="-66 -14 262 72" {...common}>
      <rect x="-6" y="-6" width="188" height="56" rx="8" class="frame" />
      <g transform="translate(-62 0)"><TileDrawing tile={{ open: ["right", "down"], treasure: null, fixed: false }} /></g>
      <path d="M-14 16l8 6-8 6z" class="exit own" />
      {tiles.map((tile, i) => <g key={i} transform={`translate(${i * 44} 0)`}><TileDrawing tile={{ open: [...tile.open], treasure: tile.treasure, fixed: false }} /></g>)}
      <path d="M34 22H140M132 15l8 7-8 7" class="arrow best" />
      <g transform="translate(22 22)"><path d="M-6 9q0-7 3-9a4.5 4.5 0 1 1 6 0q3 2 3 9z" class="pawn p0" /></g>
    </svg>
  );
}

/** From the start towards a goal that nobody has seen. */
function Mine() {
  const paths = [
    { open: ["left", "right"], blocked: false },
    { open: ["left", "right", "down"], blocked: false },
    { open: ["left", "up", "right"], blocked: true },
  ] as const;
  return (
    <svg viewBox="-4 -4 242 136" {...common}>
      <PathCard path={{ open: ["left", "up", "right", "down"], blocked: false }} kind="start" />
      {paths.map((path, i) => <g key={i} transform={`translate(${(i + 1) * 46} 0)`}><PathCard path={{ open: [...path.open], blocked: path.blocked }} kind="laid" /></g>)}
      <g transform="translate(92 64)"><PathCard path={{ open: ["up", "right"], blocked: false }} kind="fresh" /></g>
      <rect x="138" y="64" width="46" height="64" rx="5" class="advice" />
      <g transform="translate(184 64)"><GoalDrawing goal={{ card: null }} /></g>
    </svg>
  );
}

/** A row from the six to the nine, and what may be laid next. */
function Row() {
  return (
    <svg viewBox="-4 -4 322 80" {...common}>
      {["S5", "ST"].map((card, i) => <rect key={card} x={i * 220} width="40" height="56" rx="5" class="gap" />)}
      {["S6", "S7", "S8", "S9"].map((card, i) => <g key={card} transform={`translate(${44 + i * 44} 0)`}><Face card={card} /></g>)}
      <g transform="translate(266 8) rotate(8)" class="newest"><Face card="ST" /></g>
    </svg>
  );
}

const figures: Record<string, () => preact.JSX.Element> = { geister: Ghosts, labyrinth: Push, saboteur: Mine, sevens: Row };

export function Figure({ game }: { game: string }) {
  const Drawing = figures[game];
  return Drawing ? <Drawing /> : null;
}
