// A table for every game that brings no board of its own: what its scene tells, and its actions as buttons.
import type { ActionReport, EventReport, Insight, Phrase } from "../types";
import { phrase, say } from "../words";
import { bestActions, emblem, pressable } from "./board";

/** What a scene may have that is shown; every scene is an object. */
interface Scene {
  /** What to see at a glance, such as the own card. */
  labels?: { name: Phrase; value: string }[];
  /** A board as text, row by row. */
  board?: string;
  text?: string | null;
  [key: string]: unknown;
}

interface Props {
  scene: Scene;
  actions: ActionReport[] | null;
  play: ((action: string) => void) | undefined;
  last: EventReport | null;
  insight: Insight | null;
}

/** More actions than this are only in the list. */
const MOST_BUTTONS = 24;

export function GenericBoard({ scene, actions, play, last, insight }: Props) {
  const grid = readGrid(scene.board ?? "");
  const cells = new Set(grid?.cells.map((cell) => cell.name));
  const others = (actions ?? []).filter((action) => !cells.has(action.action));
  const advised = bestActions(insight, 1)[0]?.action;
  const told = scene.labels !== undefined || scene.board !== undefined;
  return (
    <div class="generic">
      {scene.labels && scene.labels.length > 0 && (
        <dl class="labels">
          {scene.labels.map((label) => (
            <div key={label.name.en}>
              <dt>{phrase(label.name)}</dt>
              <dd>{label.value}</dd>
            </div>
          ))}
        </dl>
      )}
      {grid ? <GridBoard grid={grid} actions={actions} play={play} advised={advised} /> : scene.board ? <pre class="drawing" tabIndex={0}>{scene.board}</pre> : null}
      {!told && (scene.text ? <pre class="drawing" tabIndex={0}>{scene.text}</pre> : <Facts value={scene} />)}
      {last && <p class="told">{phrase(last.text)}</p>}
      {play && others.length > 0 && others.length <= MOST_BUTTONS && (
        <div class="row choices">
          {others.map((action) => (
            <button key={action.action} class={action.action === advised ? "advised" : ""} onClick={() => play(action.action)}>{phrase(action.text)}</button>
          ))}
        </div>
      )}
      {play && others.length > MOST_BUTTONS && <p class="quiet">{say("chooseFromList")}</p>}
    </div>
  );
}

interface Grid {
  columns: number;
  rows: number;
  cells: { name: string; x: number; y: number; mark: string }[];
}

/** A board whose first row names columns by letters and whose other rows begin with their number. */
function readGrid(text: string): Grid | null {
  const [head, ...rows] = text.split("\n").map((line) => line.trim().split(/\s+/)).filter((line) => line[0] !== "");
  if (!head || rows.length === 0 || !head.every((name) => /^[a-z]$/.test(name))) return null;
  const sound = rows.every((row) => row.length === head.length + 1 && /^\d+$/.test(row[0]!));
  if (!sound) return null;
  const cells = rows.flatMap((row, y) => head.map((name, x) => ({ name: `${name}${row[0]}`, x, y, mark: row[x + 1]! })));
  return { columns: head.length, rows: rows.length, cells };
}

const SIZE = 60;

function GridBoard({ grid, actions, play, advised }: { grid: Grid; actions: ActionReport[] | null; play: Props["play"]; advised: string | undefined }) {
  const legal = new Set(play ? actions?.map((action) => action.action) : []);
  return (
    <svg viewBox={`-22 -22 ${grid.columns * SIZE + 24} ${grid.rows * SIZE + 24}`} class="board" role="group" aria-label={`${grid.columns} × ${grid.rows}`}>
      {grid.cells.filter((cell) => cell.y === 0).map((cell) => <text key={cell.name} x={cell.x * SIZE + SIZE / 2} y="-7" class="coordinate">{cell.name[0]}</text>)}
      {grid.cells.filter((cell) => cell.x === 0).map((cell) => <text key={cell.name} x="-11" y={cell.y * SIZE + SIZE / 2 + 4} class="coordinate">{cell.name.slice(1)}</text>)}
      {grid.cells.map((cell) => {
        const active = legal.has(cell.name);
        const label = cell.mark === "." ? cell.name : `${cell.name} ${cell.mark}`;
        return (
          <g key={cell.name} class={`square ${active ? "active" : ""}`} {...(active ? pressable(() => play?.(cell.name), label) : { role: "img" as const, "aria-label": label })}>
            <rect x={cell.x * SIZE} y={cell.y * SIZE} width={SIZE} height={SIZE} class={`cell ${(cell.x + cell.y) % 2 ? "odd" : ""} ${cell.name === advised ? "selected" : ""}`} />
            {cell.mark !== "." && <text x={cell.x * SIZE + SIZE / 2} y={cell.y * SIZE + SIZE / 2 + 9} class="mark">{cell.mark}</text>}
          </g>
        );
      })}
    </svg>
  );
}

/** Any data as a list, for a game that says nothing else. */
function Facts({ value }: { value: unknown }) {
  if (value === null || typeof value !== "object") return <>{value === null ? "–" : String(value)}</>;
  if (Array.isArray(value)) return value.length ? <>{value.map((one, i) => <span key={i} class="fact"><Facts value={one} /> </span>)}</> : <>–</>;
  return (
    <dl class="facts">
      {Object.entries(value).map(([key, one]) => (
        <div key={key}>
          <dt>{key.replaceAll("-", " ")}</dt>
          <dd><Facts value={one} /></dd>
        </div>
      ))}
    </dl>
  );
}

/** A moon behind a card: a game that brings no picture of its own. */
export function GenericEmblem() {
  return (
    <svg {...emblem}>
      <circle cx="56" cy="26" r="18" class="moon" />
      <rect x="26" y="16" width="28" height="40" rx="4" class="paper" />
      <text x="40" y="43" class="suit">?</text>
    </svg>
  );
}
