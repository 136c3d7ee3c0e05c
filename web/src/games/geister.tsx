// Geister: six by six squares, ghosts, exits, and the placing of reds before the game.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { GeisterAction, GeisterScene } from "../scenes";
import type { ActionReport, Insight } from "../types";
import { player, say } from "../words";
import { believed, bestActions, pressable, drawn, emblem, useEscape, type BoardProps, type GameLook } from "../boards/board";

/** A ghost: blue ones are round with a wavy hem, red ones horned with a jagged hem, hidden ones plain. */
function ghostPath(colour: "red" | "blue" | null): string {
  if (colour === "red") return "M-15 17V-6l-4-13 10 6q9-6 18 0l10-6-4 13v23l-5-7-5 7-5-7-5 7-5-7z";
  if (colour === "blue") return "M-15 17V-3a15 15 0 0 1 30 0v20q-4-6-7.5 0-3.750 5-7.5 0-3.750-5-7.5 0-3.5 5-7.5 0z";
  return "M-15 17V-3a15 15 0 0 1 30 0v20z";
}


type Piece = GeisterScene["pieces"][number];
type Point = NonNullable<Piece["square"]>;
type Action = ActionReport<GeisterAction>;

const SIZE = 60;
const ARROWS: Record<string, Point> = { ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 }, ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 } };
const same = (a: Point | null | undefined, b: Point | null | undefined) => !!a && !!b && a.x === b.x && a.y === b.y;

function GeisterBoard({ scene, actions, play, bottom, last, insight }: BoardProps<"geister">) {
  const [selected, setSelected] = useState<string | null>(null);
  useLayoutEffect(() => setSelected(null), [scene]);
  useEscape(() => setSelected(null));
  const dragged = useRef<Point | null>(null);
  const placing = actions?.some((action) => action.parts.kind === "place") ? actions : null;
  // The board is drawn with the own home at the bottom.
  const at = (point: Point): Point => (bottom === 1 ? { x: 5 - point.x, y: 5 - point.y } : point);
  const corner = (point: Point) => ({ x: at(point).x * SIZE, y: at(point).y * SIZE });
  const pieces = scene.pieces;
  const chosen = pieces.find((piece) => piece.name === selected);
  const steps = (actions ?? []).filter((action) => action.parts.piece === selected);
  const movable = new Set((actions ?? []).map((action) => action.parts.piece));

  if (placing && play) return <Placing key={bottom} scene={scene} actions={placing} play={play} bottom={bottom} advice={bestActions(insight, 1)[0]?.action} />;

  const click = (square: Point) => {
    const step = steps.find((action) => action.parts.kind === "move" && same(action.parts.to, square));
    if (step && play) return play(step.action);
    const own = pieces.find((piece) => same(piece.square, square) && movable.has(piece.name));
    setSelected(own && own.name !== selected ? own.name : null);
  };
  /** With the keyboard, an arrow moves the ghost it is pressed on. */
  const arrow = (event: KeyboardEvent, square: Point) => {
    const way = ARROWS[event.key];
    const piece = pieces.find((one) => same(one.square, square));
    if (!way || !piece || !play) return;
    const from = at(square);
    const to = { x: from.x + way.x, y: from.y + way.y };
    const step = actions?.find((action) => action.parts.piece === piece.name && action.parts.to && same(at(action.parts.to), to));
    event.preventDefault();
    event.stopPropagation();
    if (step) play(step.action);
  };
  /** A ghost that is dragged to another square moves there. */
  const drop = (event: PointerEvent) => {
    const from = dragged.current;
    dragged.current = null;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGElement>("[data-square]")?.dataset.square;
    const to = under ? { x: Number(under[0]), y: Number(under[2]) } : null;
    const piece = pieces.find((one) => same(one.square, from));
    if (!from || !to || same(from, to) || !piece || !play) return;
    const step = actions?.find((action) => action.parts.kind === "move" && action.parts.piece === piece.name && same(action.parts.to, to));
    if (step) play(step.action);
  };
  const escape = steps.find((action) => action.parts.kind === "escape");
  const lastSquares = [last?.parts.from, last?.parts.to];

  return (
    <div class="geister">
      <p class="sr-only">{spoken(scene, bottom)}</p>
      <Prison pieces={pieces} owner={1 - bottom} />
      <svg viewBox={`-24 -34 ${6 * SIZE + 48} ${6 * SIZE + 68}`} class="board" role="group" aria-label="6 × 6" onPointerUp={drop}>
        <Coordinates at={at} />
        {scene.seats.map((seat) =>
          seat.exits.map((exit) => <Exit key={`${seat.seat}${exit.x}`} corner={corner(exit)} own={seat.seat === bottom} up={at(exit).y === 0} />),
        )}
        {Array.from({ length: 36 }, (_, i) => ({ x: i % 6, y: Math.floor(i / 6) })).map((square) => {
          const { x, y } = corner(square);
          const target = steps.find((action) => same(action.parts.to, square));
          const piece = pieces.find((one) => same(one.square, square));
          const active = !!play && (!!target || (!!piece && movable.has(piece.name)));
          return (
            <g
              key={`${square.x},${square.y}`}
              class={`square ${active ? "active" : ""}`}
              data-square={`${square.x},${square.y}`}
              onPointerDown={active ? () => (dragged.current = square) : undefined}
              {...(active ? pressable(() => click(square), squareLabel(square, piece, target), target ? undefined : piece?.name === selected) : {})}
              onKeyDownCapture={active ? (event: KeyboardEvent) => arrow(event, square) : undefined}
            >
              <rect
                x={x}
                y={y}
                width={SIZE}
                height={SIZE}
                class={`cell ${(square.x + square.y) % 2 ? "odd" : ""} ${lastSquares.some((one) => same(one, square)) ? "last" : ""} ${chosen && same(chosen.square, square) ? "selected" : ""}`}
              />
              {target && <circle cx={x + SIZE / 2} cy={y + SIZE / 2} r={piece ? 27 : 9} class={piece ? "take" : "dot"} />}
            </g>
          );
        })}
        {pieces.map((piece) => (
          <Ghost key={piece.name} piece={piece} corner={piece.square ? corner(piece.square) : null} own={piece.owner === bottom} red={believed(insight, piece.name, "red")} />
        ))}
        <Arrows insight={insight} actions={actions} corner={corner} />
      </svg>
      {escape && play && (
        <button class="primary" onClick={() => play(escape.action)}>
          {say("escape")}
        </button>
      )}
      <Prison pieces={pieces} owner={bottom} />
      {play && <p class="quiet help">{say("chooseGhost")}</p>}
    </div>
  );
}

/** Where everything stands, for those who hear the board. */
function spoken(scene: GeisterScene, bottom: number): string {
  const told = (piece: Piece) => `${piece.name.slice(2)} ${piece.square ? squareName(piece.square) : say("captured")} ${say(piece.colour ?? "unknown")}`;
  const of = (owner: number) => scene.pieces.filter((piece) => piece.owner === owner).map(told).join(say("comma"));
  const exits = scene.seats.find((seat) => seat.seat === bottom)?.exits.map(squareName).join(say("comma")) ?? "";
  return [say("yourGhosts", of(bottom)), say("theirGhosts", of(1 - bottom)), say("yourExits", exits)].join(say("sentenceSpace"));
}

/** Letters of columns and numbers of rows, turned with the board. */
function Coordinates({ at }: { at: (point: Point) => Point }) {
  return (
    <g aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((i) => (
        <g key={i}>
          <text x={at({ x: i, y: 0 }).x * SIZE + SIZE / 2} y={6 * SIZE + 12} class="coordinate">{"abcdef"[i]}</text>
          <text x="-12" y={at({ x: 0, y: i }).y * SIZE + SIZE / 2 + 4} class="coordinate">{i + 1}</text>
        </g>
      ))}
    </g>
  );
}

const squareName = (square: Point) => `${"abcdef"[square.x]}${square.y + 1}`;

function squareLabel(square: Point, piece: Piece | undefined, target: Action | undefined): string {
  const what = piece ? ` ${piece.name.slice(2)}${piece.colour ? say("inBrackets", say(piece.colour)) : ""}` : "";
  return `${squareName(square)}${what}${target ? " ←" : ""}`;
}

function Exit({ corner, own, up }: { corner: Point; own: boolean; up: boolean }) {
  const [x, y] = [corner.x + SIZE / 2, up ? corner.y - 10 : corner.y + SIZE + 16];
  return <path d={up ? `M${x - 12} ${y}l12-14 12 14z` : `M${x - 12} ${y}l12 14 12-14z`} class={`exit ${own ? "own" : "theirs"}`} />;
}

interface GhostProps {
  piece: Piece;
  corner: Point | null;
  own: boolean;
  red: number | null;
}

/** A ghost; those that left the board fade away where they stood. */
function Ghost({ piece, corner, own, red }: GhostProps) {
  const [place, setPlace] = useState(corner);
  useEffect(() => {
    if (corner) setPlace(corner);
  }, [corner?.x, corner?.y]);
  const shown = corner ?? place;
  if (!shown) return null;
  const style = { transform: `translate(${shown.x + SIZE / 2}px, ${shown.y + SIZE / 2}px)`, opacity: corner ? 1 : 0 };
  return (
    <g class={`piece ${own ? "own" : "theirs"}`} style={style} aria-hidden="true">
      <g>
        <path d={ghostPath(piece.colour)} class={`ghost ${piece.colour ?? "hidden"}`} />
        {piece.colour === "red" ? (
          <path d="M-9-5l7 3M9-5l-7 3" class="brow" />
        ) : (
          <>
            <circle cx="-5.5" cy="-3" r="2.6" class="eye" />
            <circle cx="5.5" cy="-3" r="2.6" class="eye" />
          </>
        )}
        <text y="12" class="letter">{piece.name.slice(2)}</text>
      </g>
      {red !== null && corner && (
        <g class="belief">
          <rect x="-22" y="20" width="44" height="6" rx="3" class="scale" />
          <rect x="-22" y="20" width={44 * red} height="6" rx="3" class="share" />
          <text x="0" y="-20.5" class="percent">{Math.round(100 * red)}%</text>
        </g>
      )}
    </g>
  );
}

function Arrows({ insight, actions, corner }: { insight: Insight | null; actions: Action[] | null; corner: (point: Point) => Point }) {
  const middle = (point: Point) => ({ x: corner(point).x + SIZE / 2, y: corner(point).y + SIZE / 2 });
  return (
    <g aria-hidden="true">
      {bestActions(insight, 4).map(({ action, weight }, rank) => {
        const parts = actions?.find((one) => one.action === action)?.parts;
        if (!parts?.from || !parts.to) return null;
        const [from, to] = [middle(parts.from), middle(parts.to)];
        const [dx, dy] = [(to.x - from.x) / SIZE, (to.y - from.y) / SIZE];
        return (
          <path
            key={action}
            class={`arrow ${rank === 0 ? "best" : ""}`}
            style={{ opacity: weight }}
            d={`M${from.x + dx * 14} ${from.y + dy * 14}L${to.x - dx * 12} ${to.y - dy * 12}m${-dx * 8 - dy * 7} ${-dy * 8 - dx * 7}l${dx * 8 + dy * 7} ${dy * 8 + dx * 7}l${-dx * 8 + dy * 7} ${-dy * 8 + dx * 7}`}
          />
        );
      })}
    </g>
  );
}

/** The pieces a side has lost, with the colours they showed. */
function Prison({ pieces, owner }: { pieces: Piece[]; owner: number }) {
  const lost = pieces.filter((piece) => piece.owner === owner && piece.captured);
  const count = (colour: "red" | "blue") => lost.filter((piece) => piece.colour === colour).length;
  return (
    <div class="prison" role="group" aria-label={say("capturedOf", player(owner), count("red"), count("blue"))}>
      {lost.map((piece) => (
        <svg key={piece.name} viewBox="-20 -22 40 44" width="26" height="28" role="img" aria-label={say(piece.colour ?? "blue")}>
          <path d={ghostPath(piece.colour)} class={`ghost ${piece.colour}`} />
        </svg>
      ))}
    </div>
  );
}

interface PlacingProps {
  scene: GeisterScene;
  actions: Action[];
  play: (action: string) => void;
  bottom: number;
  advice: string | undefined;
}

/** Before the game: four of the eight ghosts are made red. */
function Placing({ scene, actions, play, bottom, advice }: PlacingProps) {
  const draw = () => new Set(actions[Math.floor(Math.random() * actions.length)]!.parts.reds);
  const [reds, setReds] = useState(draw);
  useEffect(() => {
    const advised = actions.find((action) => action.action === advice);
    if (advised) setReds(new Set(advised.parts.reds));
  }, [advice]);
  const own = scene.pieces.filter((piece) => piece.owner === bottom);
  const fitting = actions.find(({ parts }) => parts.reds?.length === reds.size && parts.reds.every((name) => reds.has(name)));
  const turn = (name: string) => {
    const next = new Set(reds);
    if (!next.delete(name)) next.add(name);
    setReds(next);
  };
  // The board as it will be, the own home at the bottom.
  const at = (point: Point): Point => (bottom === 1 ? { x: 5 - point.x, y: 5 - point.y } : point);
  const exits = scene.seats.flatMap((seat) => seat.exits.map((exit) => ({ own: seat.seat === bottom, at: at(exit) })));
  return (
    <div class="placing">
      <p>{say("place")}</p>
      <svg viewBox={`-24 -34 ${6 * SIZE + 48} ${6 * SIZE + 68}`} class="board" role="group" aria-label="6 × 6">
        <Coordinates at={at} />
        {exits.map((exit) => <Exit key={`${exit.at.x}${exit.at.y}`} corner={{ x: exit.at.x * SIZE, y: exit.at.y * SIZE }} own={exit.own} up={exit.at.y === 0} />)}
        {Array.from({ length: 36 }, (_, i) => <rect key={i} x={(i % 6) * SIZE} y={Math.floor(i / 6) * SIZE} width={SIZE} height={SIZE} class={`cell ${((i % 6) + Math.floor(i / 6)) % 2 ? "odd" : ""}`} />)}
        {own.map((piece, i) => {
          const colour = reds.has(piece.name) ? "red" : "blue";
          const place = piece.square ? at(piece.square) : { x: 1 + (i % 4), y: i < 4 ? 4 : 5 };
          return (
            <g key={piece.name} class="ghost-button active" transform={`translate(${place.x * SIZE + SIZE / 2} ${place.y * SIZE + SIZE / 2})`} {...pressable(() => turn(piece.name), `${piece.name.slice(2)}${say("colon")}${say(colour)}`, colour === "red")}>
              <rect x={-SIZE / 2} y={-SIZE / 2} width={SIZE} height={SIZE} class="touch" />
              <path d={ghostPath(colour)} class={`ghost ${colour}`} />
              <text y="12" class="letter">{piece.name.slice(2)}</text>
            </g>
          );
        })}
      </svg>
      <div class="row">
        <button onClick={() => setReds(draw())}>{say("shuffle")}</button>
        <button class="primary" disabled={!fitting} onClick={() => fitting && play(fitting.action)}>
          {say("placed", reds.size)}
        </button>
      </div>
    </div>
  );
}

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
    <svg viewBox="-4 -30 308 214" {...drawn}>
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

export default {
  Board: GeisterBoard,
  Emblem: () => (
    <svg {...emblem}>
      <g transform="translate(30 34)"><path d={ghostPath("blue")} class="ghost blue" /><circle cx="-5" cy="-3" r="2.5" class="eye" /><circle cx="6" cy="-3" r="2.5" class="eye" /></g>
      <g transform="translate(66 34)"><path d={ghostPath("red")} class="ghost red" /><path d="M-9-5l7 3M9-5l-7 3" class="brow" /></g>
    </svg>
  ),
  Figure: Ghosts,
  subject: (subject) => (/^\d:/.test(subject) ? `${player(Number(subject[0]))} ${subject.slice(2)}` : subject),
  value: (value) => (value === "red" || value === "blue" ? say(value) : value),
} satisfies GameLook<"geister">;
