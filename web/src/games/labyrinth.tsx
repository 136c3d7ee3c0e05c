// Labyrinth: seven by seven tiles, the tile at the edge that is turned and pushed, and the walk afterwards.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LabyrinthScene } from "../scenes";
import type { Insight } from "../types";
import { player, say } from "../words";
import { bestActions, pressable, drawn, emblem, useEscape, type BoardProps, type GameLook } from "../boards/board";
import { useDrag } from "../boards/drag";
import { Treasure, treasureName } from "../boards/treasures";

type Tile = LabyrinthScene["tiles"][number];
type Entry = LabyrinthScene["entries"][number];
type Seat = LabyrinthScene["seats"][number];
type Point = Entry["cell"];
type Side = Entry["towards"];

const SIZE = 44;
/** The frame around the maze, which carries the names of columns and rows. */
const EDGE = 11;
const SIDES: Side[] = ["up", "right", "down", "left"];
const STEP: Record<Side, Point> = { up: { x: 0, y: -1 }, right: { x: 1, y: 0 }, down: { x: 0, y: 1 }, left: { x: -1, y: 0 } };
const SHAPES: Record<Tile["shape"], Side[]> = { straight: ["up", "down"], corner: ["up", "right"], tee: ["up", "right", "down"] };

const turned = (shape: Tile["shape"], rotation: number): Side[] => SHAPES[shape].map((side) => SIDES[(SIDES.indexOf(side) + rotation / 90) % 4]!);
const center = (point: Point) => ({ x: point.x * SIZE + SIZE / 2, y: point.y * SIZE + SIZE / 2 });

/** The board after a push, and the tile that falls out. */
function pushed(tiles: Tile[], extra: Tile, entry: Entry): Tile[] {
  const step = STEP[entry.towards];
  const inLine = (tile: Point) => (step.x === 0 ? tile.x === entry.cell.x : tile.y === entry.cell.y);
  const moved = tiles.map((tile) => (inLine(tile) ? { ...tile, x: tile.x + step.x, y: tile.y + step.y } : tile));
  const inside = moved.filter((tile) => tile.x >= 0 && tile.x < 7 && tile.y >= 0 && tile.y < 7);
  return [...inside, { ...extra, ...entry.cell }];
}

/** Where a pawn stands after a push: it travels with its tile, and one that falls off comes back. */
function riding(pawn: Point, entry: Entry): Point {
  const step = STEP[entry.towards];
  const inLine = step.x === 0 ? pawn.x === entry.cell.x : pawn.y === entry.cell.y;
  if (!inLine) return pawn;
  const to = { x: pawn.x + step.x, y: pawn.y + step.y };
  return to.x < 0 || to.x > 6 || to.y < 0 || to.y > 6 ? entry.cell : to;
}

function LabyrinthBoard({ scene, actions, play, bottom, last, insight }: BoardProps<"labyrinth">) {
  const [rotation, setRotation] = useState(0);
  const [chosen, setChosen] = useState<number | null>(null);
  useLayoutEffect(() => setChosen(null), [scene]);
  useEscape(() => setChosen(null));
  // The tile is dragged to an arrow, which pushes it in.
  const { draggable, carried } = useDrag<"tile">({ take: () => setChosen(null), drop: (_, number) => setChosen(Number(number)) });
  const entries = scene.entries;
  const entry = entries.find((one) => one.entry === chosen) ?? null;
  const extra: Tile = { x: 0, y: 0, shape: scene.extra.shape, rotation, open: turned(scene.extra.shape, rotation), treasure: scene.extra.treasure, fixed: false };
  const tiles: Tile[] = entry ? pushed(scene.tiles, extra, entry) : scene.tiles;
  const targets = entry ? (actions ?? []).filter((action) => action.parts.entry === chosen && action.parts.rotation === rotation) : [];
  // Where everything is shown, the treasure to look for is that of whoever is up.
  const eyes = scene.viewer ?? scene["to-act"] ?? bottom;
  const own = scene.seats.find((seat) => seat.seat === eyes);
  const best = bestActions(insight, 1)[0];
  const advice = best && actions?.find((action) => action.action === best.action)?.parts;
  // The tile is turned as advised, so that only the entry is left to press.
  useEffect(() => {
    if (advice && !entry) setRotation(advice.rotation);
  }, [best?.action]);

  return (
    <div class="labyrinth">
      <p class="sr-only">{spoken(scene, bottom)}</p>
      <svg viewBox={`${-SIZE * 0.95} ${-SIZE * 0.95} ${SIZE * 8.9} ${SIZE * 8.9}`} class="board" role="group" aria-label="7 × 7">
        <rect x={-EDGE} y={-EDGE} width={7 * SIZE + 2 * EDGE} height={7 * SIZE + 2 * EDGE} rx="8" class="frame" />
        {entries.map((one) => {
          const step = STEP[one.towards];
          const at = center({ x: one.cell.x - step.x * 0.95, y: one.cell.y - step.y * 0.95 });
          const free = !!play && (actions ?? []).some((action) => action.parts.entry === one.entry && action.parts.rotation === rotation);
          const angle = SIDES.indexOf(one.towards) * 90;
          return (
            <g
              key={one.entry}
              transform={`translate(${at.x} ${at.y}) rotate(${angle})`}
              class={`entry ${free ? "active" : ""} ${one.entry === scene["forbidden-entry"] ? "forbidden" : ""} ${one.entry === chosen ? "chosen" : ""} ${advice?.entry === one.entry ? "advised" : ""}`}
              data-drop={free ? one.entry : undefined}
              {...(free ? pressable(() => setChosen(one.entry === chosen ? null : one.entry), say("entry", one.entry), one.entry === chosen) : {})}
            >
              <rect x={-SIZE / 2} y="-14" width={SIZE} height="28" class="touch" />
              <path d="M-9 6L0-6 9 6z" />
              <text transform={`translate(0 14) rotate(${-angle})`} y="3" class="entry-number" aria-hidden="true">{one.entry}</text>
            </g>
          );
        })}
        <Tiles tiles={tiles} last={entry ? null : last} seeks={own?.seeks ?? null} entries={entries} />
        <g aria-hidden="true">
          {[0, 1, 2, 3, 4, 5, 6].map((i) => (
            <g key={i}>
              <text x={(i + 0.5) * SIZE} y={7 * SIZE + EDGE - 2} class="cell-name">{"abcdefg"[i]}</text>
              <text x={-EDGE / 2} y={(i + 0.5) * SIZE + 3} class="cell-name">{i + 1}</text>
            </g>
          ))}
        </g>
        {scene.seats.map((seat) => <rect key={seat.seat} x={seat.home.x * SIZE + 3} y={seat.home.y * SIZE + 3} width={SIZE - 6} height={SIZE - 6} rx="6" class={`home-mark p${seat.seat}`} />)}
        {targets.map((action) => {
          const at = center(action.parts.to);
          const find = action.parts.finds || action.parts.wins;
          const label = `${"abcdefg"[action.parts.to.x]}${action.parts.to.y + 1}${action.parts.finds ? ` ${treasureName(action.parts.finds)}` : ""}`;
          return (
            <g
              key={action.action}
              class={`target active ${find ? "find" : ""}`}
              {...pressable(() => play?.(action.action), label)}
            >
              <rect x={at.x - SIZE / 2 + 2} y={at.y - SIZE / 2 + 2} width={SIZE - 4} height={SIZE - 4} rx="5" />
            </g>
          );
        })}
        {advice && !entry && (
          <polyline class="arrow best" points={advice.walk.map((point: Point) => `${center(point).x},${center(point).y}`).join(" ")} />
        )}
        {scene.seats.map((seat) => (
          <Pawn key={seat.seat} seat={seat.seat} at={entry ? riding(seat.pawn, entry) : seat.pawn} among={scene.seats.length} last={entry ? null : last} own={seat.seat === bottom} />
        ))}
      </svg>
      <div class="beside">
        <div class="extra">
          <svg viewBox="0 0 44 44" width="72" height="72" class={play ? "draggable" : ""} role="img" aria-label={say("extraTile")} {...(play ? draggable("tile") : {})}>
            <TileDrawing tile={extra} />
          </svg>
          {carried(<svg viewBox="0 0 44 44" width="60" height="60"><TileDrawing tile={extra} /></svg>)}
          {play && (
            <div class="row">
              <button aria-label="↺ 90°" onClick={() => setRotation((rotation + 270) % 360)}>↺</button>
              <button aria-label="↻ 90°" onClick={() => setRotation((rotation + 90) % 360)}>↻</button>
            </div>
          )}
        </div>
        <ul class="goals">
          {scene.seats.map((seat) => <Goal key={seat.seat} seat={seat} own={seat.seat === scene.viewer} insight={insight} />)}
        </ul>
      </div>
      {play && <p class="quiet help">{say(entry ? "chooseWalk" : "chooseEntry")}</p>}
    </div>
  );
}

const cellName = ({ x, y }: Point) => `${"abcdefg"[x]}${y + 1}`;

/** Where everybody stands and what is sought, for those who hear the board. */
function spoken(scene: LabyrinthScene, bottom: number): string {
  const name = (seat: Seat) => (seat.seat === bottom && scene.viewer === bottom ? say("you") : player(seat.seat));
  const pawns = scene.seats.map((seat) => say("pawnAt", name(seat), cellName(seat.pawn), cellName(seat.home)));
  const sought = scene.seats.flatMap((seat) => {
    const tile = seat.seeks && scene.tiles.find((one) => one.treasure === seat.seeks);
    return seat.seeks ? [say("soughtAt", name(seat), treasureName(seat.seeks), tile ? cellName(tile) : say("extraTile"))] : [];
  });
  return [...pawns, ...sought].join(" ");
}

function Goal({ seat, own, insight }: { seat: Seat; own: boolean; insight: Insight | null }) {
  const belief = own ? undefined : insight?.beliefs.find((one) => one.subject === `seeks:${seat.seat}`);
  const likely = [...(belief?.values ?? [])].sort((a, b) => b.probability - a.probability).slice(0, 3);
  return (
    <li class={`p${seat.seat}`}>
      <i class="token" aria-hidden="true" />
      <span>{own ? say("you") : player(seat.seat)}</span>
      {seat["cards-left"] === 0 ? (
        <b>⌂</b>
      ) : seat.seeks ? (
        <span class="seeks">
          <svg viewBox="-13 -13 26 26" width="26" height="26" aria-hidden="true"><Treasure treasure={seat.seeks} /></svg>
          {treasureName(seat.seeks)}
        </span>
      ) : (
        <span class="quiet">?</span>
      )}
      <span class="quiet">{seat.found.length} / {seat.found.length + seat["cards-left"]}</span>
      {likely.map((one) => <span key={one.value} class="chance">{treasureName(one.value)} <b>{Math.round(100 * one.probability)} %</b></span>)}
    </li>
  );
}

function TileDrawing({ tile }: { tile: Pick<Tile, "open" | "fixed" | "treasure"> }) {
  const half = SIZE / 2;
  const arms = tile.open.map((side) => `M${half} ${half}l${STEP[side].x * half} ${STEP[side].y * half}`).join("");
  return (
    <>
      <rect x="0.5" y="0.5" width={SIZE - 1} height={SIZE - 1} rx="4" class={`tile ${tile.fixed ? "fixed" : ""}`} />
      <path d={arms} class="way" />
      <circle cx={half} cy={half} r="7.5" class="hub" />
      {tile.treasure && <g transform={`translate(${half} ${half})`}><Treasure treasure={tile.treasure} scale={0.8} /></g>}
    </>
  );
}

interface TilesProps {
  tiles: Tile[];
  last: BoardProps<"labyrinth">["last"];
  seeks: string | null;
  entries: Entry[];
}

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.dataset.still === "yes";

/** The tiles; after a push its row or column slides in. */
function Tiles({ tiles, last, seeks, entries }: TilesProps) {
  const group = useRef<SVGGElement>(null);
  const pushedAt = entries.find((one) => one.entry === last?.parts.entry);
  useLayoutEffect(() => {
    if (!pushedAt || !group.current || still()) return;
    const step = STEP[pushedAt.towards];
    for (const tile of group.current.querySelectorAll<SVGGElement>("[data-cell]")) {
      const [x, y] = tile.dataset.cell!.split(",").map(Number) as [number, number];
      const inLine = step.x === 0 ? x === pushedAt.cell.x : y === pushedAt.cell.y;
      if (!inLine) continue;
      const from = `translate(${(x - step.x) * SIZE}px, ${(y - step.y) * SIZE}px)`;
      tile.animate([{ transform: from }, { transform: `translate(${x * SIZE}px, ${y * SIZE}px)` }], { duration: 450, easing: "ease-in-out" });
    }
  }, [last?.ply]);
  return (
    <g ref={group}>
      {[...tiles].sort((a, b) => a.y - b.y || a.x - b.x).map((tile) => (
        <g key={`${tile.x},${tile.y}`} data-cell={`${tile.x},${tile.y}`} style={{ transform: `translate(${tile.x * SIZE}px, ${tile.y * SIZE}px)` }} class={tile.treasure !== null && tile.treasure === seeks ? "sought" : ""}>
          <TileDrawing tile={tile} />
        </g>
      ))}
    </g>
  );
}

interface PawnProps {
  seat: number;
  at: Point;
  among: number;
  last: BoardProps<"labyrinth">["last"];
  own: boolean;
}

function Pawn({ seat, at, among, last, own }: PawnProps) {
  const pawn = useRef<SVGGElement>(null);
  const place = (point: Point) => {
    const middle = center(point);
    // Pawns may share a tile.
    const shift = among > 2 ? { x: seat % 2 ? 9 : -9, y: seat > 1 ? 9 : -9 } : { x: seat ? 8 : -8, y: 0 };
    return `translate(${middle.x + shift.x}px, ${middle.y + shift.y}px)`;
  };
  useLayoutEffect(() => {
    if (!last || !pawn.current || still()) return;
    const ride = last.parts.carried.find((one) => one.seat === seat);
    const walk: Point[] = last.seat === seat ? last.parts.walk : [];
    const way = [...(ride ? [ride.from] : walk.length ? [walk[0]!] : []), ...(walk.length ? walk : ride ? [ride.to] : [])];
    if (way.length < 2) return;
    const slide = 450;
    const total = slide + 130 * Math.max(0, walk.length - 1);
    const frames: Keyframe[] = [
      { transform: place(way[0]!), offset: 0 },
      { transform: place(walk[0] ?? ride?.to ?? at), offset: slide / total },
      ...walk.slice(1).map((point, i) => ({ transform: place(point), offset: Math.min(1, (slide + 130 * (i + 1)) / total) })),
    ];
    pawn.current.animate(frames, { duration: total, easing: "linear" });
  }, [last?.ply]);
  return (
    <g ref={pawn} class={`pawn-piece p${seat} ${own ? "own" : ""}`} style={{ transform: place(at) }} aria-hidden="true">
      <path d="M-8 12q0-9 4-12a6 6 0 1 1 8 0q4 3 4 12z" class={`pawn p${seat}`} />
      <text y="10" class="letter">{seat + 1}</text>
    </g>
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
    <svg viewBox="-66 -14 262 72" {...drawn}>
      <rect x="-6" y="-6" width="188" height="56" rx="8" class="frame" />
      <g transform="translate(-62 0)"><TileDrawing tile={{ open: ["right", "down"], treasure: null, fixed: false }} /></g>
      <path d="M-14 16l8 6-8 6z" class="exit own" />
      {tiles.map((tile, i) => <g key={i} transform={`translate(${i * 44} 0)`}><TileDrawing tile={{ open: [...tile.open], treasure: tile.treasure, fixed: false }} /></g>)}
      <path d="M34 22H140M132 15l8 7-8 7" class="arrow best" />
      <g transform="translate(22 22)"><path d="M-6 9q0-7 3-9a4.5 4.5 0 1 1 6 0q3 2 3 9z" class="pawn p0" /></g>
    </svg>
  );
}

export default {
  Board: LabyrinthBoard,
  Emblem: () => (
    <svg {...emblem}>
      <path d="M18 12h60v40H18zM38 12v20h20M58 52V32M18 32h10M78 32H68" class="maze" />
      <circle cx="48" cy="42" r="5" class="pawn p0" />
    </svg>
  ),
  Figure: Push,
  subject: (subject) => say("treasureOf", player(Number(subject.replace("seeks:", "")))),
  value: treasureName,
} satisfies GameLook<"labyrinth">;
