// Saboteur: a mine that grows to any side, hands, broken tools, roles, and the three goals.
import { useEffect, useState } from "preact/hooks";
import type { SaboteurAction, SaboteurScene } from "../scenes";
import type { ActionReport } from "../types";
import { player, say, type Word } from "../words";
import { believed, bestActions, pressable, drawn, emblem, useEscape, type BoardProps, type GameLook } from "../boards/board";

type Action = ActionReport<SaboteurAction>;
type Goal = SaboteurScene["goals"][number];
type Point = SaboteurScene["start"];
type Path = SaboteurScene["mine"][number];
type Side = Path["open"][number];

const [WIDTH, HEIGHT] = [46, 64];
const STEP: Record<Side, Point> = { up: { x: 0, y: -1 }, right: { x: 1, y: 0 }, down: { x: 0, y: 1 }, left: { x: -1, y: 0 } };
const OPPOSITE: Record<Side, Side> = { up: "down", down: "up", left: "right", right: "left" };
const LETTERS: Record<string, Side> = { L: "left", U: "up", R: "right", D: "down" };

/** A path card's sides and whether its centre is blocked; null for other cards. */
function pathOf(card: string): { open: Side[]; blocked: boolean } | null {
  const found = /^(x?)([LURD]+)$/.exec(card);
  return found ? { open: [...found[2]!].map((letter) => LETTERS[letter]!), blocked: found[1] === "x" } : null;
}

const sameSides = (a: Side[], b: Side[]) => a.length === b.length && a.every((side) => b.includes(side));

/** Whether a path card looks different when turned by half. */
const turns = (card: string) => {
  const open = pathOf(card)!.open;
  return !sameSides(open, open.map((side) => OPPOSITE[side]));
};

/** The actions of one kind. */
const ofKind = <K extends SaboteurAction["kind"]>(actions: Action[], kind: K) =>
  actions.filter((action): action is ActionReport<Extract<SaboteurAction, { kind: K }>> => action.parts.kind === kind);

/** Whether an action uses a card of the hand, turned by half or not where that matters. */
function uses({ parts }: Action, card: string, turned: boolean): boolean {
  const path = pathOf(card);
  switch (parts.kind) {
    case "dig": {
      if (!path || parts.blocked !== path.blocked) return false;
      return sameSides(parts.open, turned ? path.open.map((side) => OPPOSITE[side]) : path.open);
    }
    case "rock-fall":
      return card === "rock";
    case "look":
      return card === "map";
    case "break":
      return card === `break-${parts.tool}`;
    default:
      return parts.card === card;
  }
}

/** The whole numbers from one to another. */
const between = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const toolName = (tool: string) => (tool === "pick" || tool === "lantern" || tool === "cart" ? say(tool) : tool);

function cardName(card: string): string {
  if (card === "rock") return say("rockFall");
  if (card === "map") return say("map");
  const [verb, tools] = card.split("-") as [string, string | undefined];
  if (!tools) return say("path", card);
  const named = tools.split("+").map(toolName).join(say("or"));
  return say(verb === "break" ? "breakTool" : "mendTool", named);
}

function SaboteurBoard({ scene, actions, play, bottom, last, insight }: BoardProps<"saboteur">) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [turned, setTurned] = useState(false);
  useEffect(() => {
    setChosen(null);
    setTurned(false);
  }, [scene]);
  useEscape(() => setChosen(null));
  // Where everything is shown, the hand is that of the player to move: the advice and the next action are about it.
  const holder = scene.viewer ?? scene["to-act"] ?? bottom;
  const hand: string[] | null = scene.seats.find((seat) => seat.seat === holder)?.hand ?? null;
  const card = chosen === null ? null : hand![chosen]!;
  const fitting = card ? (actions ?? []).filter((action) => uses(action, card, turned)) : [];
  const digs = ofKind(fitting, "dig");
  const falls = ofKind(fitting, "rock-fall");
  const looks = ofKind(fitting, "look");
  const discard = fitting.find((action) => action.parts.kind === "discard");
  const best = bestActions(insight, 1)[0]?.action;
  const advised = actions?.find((action) => action.action === best);
  const advice = advised?.parts;

  const points: Point[] = [{ x: 0, y: 0 }, ...scene.goals, ...scene.mine, ...digs.map((action) => action.parts.at), ...(advice?.at ? [advice.at] : [])];
  const [left, right] = [Math.min(...points.map((p) => p.x)) - 1, Math.max(...points.map((p) => p.x)) + 1];
  const [top, low] = [Math.min(...points.map((p) => p.y)) - 0.6, Math.max(...points.map((p) => p.y)) + 0.6];
  const box = `${left * WIDTH} ${top * HEIGHT} ${(right - left + 1) * WIDTH} ${(low - top + 1) * HEIGHT}`;
  const place = (point: Point) => `translate(${point.x * WIDTH} ${point.y * HEIGHT})`;

  return (
    <div class="saboteur">
      <p class="sr-only">{spoken(scene)}</p>
      <svg viewBox={box} class="board wide" role="group" aria-label={say("mine")}>
        {between(left + 1, right).map((x) => <text key={`x${x}`} x={(x + 0.5) * WIDTH} y={top * HEIGHT + 12} class="coordinate" aria-hidden="true">{x}</text>)}
        {between(Math.ceil(top), Math.floor(low)).map((y) => <text key={`y${y}`} x={left * WIDTH + 12} y={(y + 0.5) * HEIGHT + 4} class="coordinate" aria-hidden="true">{y}</text>)}
        <g transform={place({ x: 0, y: 0 })}>
          <PathCard path={{ open: ["left", "up", "right", "down"], blocked: false }} kind="start" />
          <path d={`M${WIDTH / 2 - 7} ${HEIGHT / 2 + 14}v-26h14v26M${WIDTH / 2 - 7} ${HEIGHT / 2 - 2}h14M${WIDTH / 2 - 7} ${HEIGHT / 2 + 7}h14`} class="ladder" />
        </g>
        {scene.goals.map((goal) => {
          const look = looks.find((action) => action.parts.goal === goal.goal);
          const gold = believed(insight, `goal:${goal.goal}`, "gold");
          return (
            <g key={goal.goal} transform={place(goal)} class={look && play ? "active" : ""} {...(look && play ? pressable(() => play(look.action), say("lookAt", goal.goal)) : {})}>
              <GoalDrawing goal={goal} />
              {look && play && <rect width={WIDTH} height={HEIGHT} rx="5" class="spot" />}
              {gold !== null && goal.card === null && <text x={WIDTH / 2} y="14" class="percent">{Math.round(100 * gold)}%</text>}
            </g>
          );
        })}
        {scene.mine.map((path: Path) => {
          const fall = falls.find((action) => action.parts.at.x === path.x && action.parts.at.y === path.y);
          const fresh = last?.parts.kind === "dig" && last.parts.at.x === path.x && last.parts.at.y === path.y;
          return (
            <g key={`${path.x},${path.y}`} transform={place(path)} class={fall && play ? "active" : ""} {...(fall && play ? pressable(() => play(fall.action), say("rocksOn", `${path.x},${path.y}`)) : {})}>
              <g class={fresh ? "drop" : ""}>
                <PathCard path={path} kind={fresh ? "fresh" : "laid"} />
              </g>
              {fall && play && <rect width={WIDTH} height={HEIGHT} rx="5" class="spot danger" />}
            </g>
          );
        })}
        {play &&
          digs.map((action) => (
            <g key={action.action} transform={place(action.parts.at)} class="active ghostly" {...pressable(() => play(action.action), say("digAt", `${action.parts.at.x},${action.parts.at.y}`))}>
              <PathCard path={action.parts} kind="laid" />
              <rect width={WIDTH} height={HEIGHT} rx="5" class="spot" />
            </g>
          ))}
        {advice?.at && <rect x={advice.at.x * WIDTH} y={advice.at.y * HEIGHT} width={WIDTH} height={HEIGHT} rx="5" class="advice" />}
      </svg>

      {hand && scene.viewer === null && <p class="quiet">{say("handOf", player(holder))}</p>}
      {hand && (
        <div class="hand" role="group" aria-label={scene.viewer === null ? player(holder) : say("yourHand")}>
          {hand.map((one, i) => {
            const usable = (actions ?? []).some((action) => uses(action, one, false) || uses(action, one, true));
            return (
              <button key={i} class={`card-button ${usable && play ? "active" : ""} ${i === chosen ? "chosen" : ""} ${advised && (uses(advised, one, false) || uses(advised, one, true)) ? "advised" : ""}`} disabled={!usable || !play} aria-pressed={i === chosen} aria-label={cardName(one)} title={cardName(one)} onClick={() => setChosen(i === chosen ? null : i)}>
                <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="52" height="72" aria-hidden="true">
                  <HandCard card={one} turned={i === chosen && turned} />
                </svg>
              </button>
            );
          })}
        </div>
      )}
      {play && <p class="quiet help">{say(card ? "chooseSpot" : "chooseCard")}</p>}
      {card && play && (
        <div class="row choices">
          {pathOf(card) && turns(card) && <button onClick={() => setTurned(!turned)}>↻ 180°</button>}
          {[...ofKind(fitting, "break"), ...ofKind(fitting, "mend")].map((action) => (
            <button key={action.action} class={action.action === best ? "advised" : ""} onClick={() => play(action.action)}>
              {action.parts.whose === scene.viewer ? say("you") : player(action.parts.whose)} · {toolName(action.parts.tool)}
            </button>
          ))}
          {discard && <button onClick={() => play(discard.action)}>{say("discard")}</button>}
        </div>
      )}
      <ul class="rivals">
        {scene.seats.map((seat) => {
          const suspicion = believed(insight, `role:${seat.seat}`, "saboteur");
          return (
            <li key={seat.seat} class={`p${seat.seat} ${scene["to-act"] === seat.seat ? "turn" : ""}`}>
              <i class="token" aria-hidden="true" />
              <span>{seat.seat === scene.viewer ? say("you") : player(seat.seat)}</span>
              {seat.role && <b class={`role ${seat.role}`}>{say(seat.role === "saboteur" ? "saboteur" : "digger")}</b>}
              <span class="backs">{seat.cards}</span>
              {seat.broken.map((tool: string) => <span key={tool} class="broken">✗ {toolName(tool)}</span>)}
              {suspicion !== null && <span class="chance">{say("saboteur")} <b>{Math.round(100 * suspicion)} %</b></span>}
            </li>
          );
        })}
      </ul>
      <p class="quiet">
        {say("deckAndRound", scene["deck-left"], Math.min(scene.past.length + 1, scene.rounds), scene.rounds)}
      </p>
    </div>
  );
}

/** The mine, the goals and broken tools, for those who hear the board: columns to the right of the start, rows below it. */
function spoken(scene: SaboteurScene): string {
  const at = ({ x, y }: Point) => `${x},${y}`;
  const way = (path: Path) => `${at(path)} ${path.open.map((side) => side[0]!.toUpperCase()).join("")}${path.blocked ? "×" : ""}`;
  const goals = scene.goals.map((goal) => `${say(GOALS[goal.goal]!)} ${at(goal)}: ${goal.card === null ? say("unknown") : say(goal.card === "gold" ? "gold" : "stone")}`);
  const broken = scene.seats.filter((seat) => seat.broken.length > 0).map((seat) => `${player(seat.seat)}: ${seat.broken.map((tool) => `✗ ${toolName(tool)}`).join(", ")}`);
  return [`${say("mine")}: ${scene.mine.map(way).join(", ") || "–"}.`, ...goals, ...broken].join(" ");
}

function PathCard({ path, kind }: { path: { open: Side[]; blocked: boolean }; kind: "start" | "laid" | "fresh" | "hand" }) {
  const [cx, cy] = [WIDTH / 2, HEIGHT / 2];
  // A blocked centre leaves the ways short of each other.
  const inner = path.blocked ? 0.45 : 0;
  const arms = path.open.map((side) => `M${cx + STEP[side].x * cx * inner} ${cy + STEP[side].y * cy * inner}L${cx + STEP[side].x * cx} ${cy + STEP[side].y * cy}`).join("");
  return (
    <>
      <rect x="1" y="1" width={WIDTH - 2} height={HEIGHT - 2} rx="5" class={`rock-card ${kind}`} />
      <path d={arms} class="dug" />
      {path.blocked ? <path d={`M${cx - 6} ${cy - 6}l12 12M${cx + 6} ${cy - 6}l-12 12`} class="block" /> : <circle cx={cx} cy={cy} r="7" class="dug-hub" />}
    </>
  );
}

function HandCard({ card, turned }: { card: string; turned: boolean }) {
  const path = pathOf(card);
  if (path) return <PathCard path={{ ...path, open: turned ? path.open.map((side) => OPPOSITE[side]) : path.open }} kind="hand" />;
  const [verb, tools] = card.split("-") as [string, string | undefined];
  const lines = card === "rock" ? [say("rockFall")] : card === "map" ? [say("map")] : tools!.split("+").map(toolName);
  const mark = card === "rock" ? "M12 40l6-12 8 4 8-6 4 14z" : card === "map" ? "M10 24l9-3 9 3 9-3v18l-9 3-9-3-9 3zM19 21v18M28 24v18" : verb === "break" ? "M13 22l20 20M33 22L13 42" : "M12 33l8 9 15-20";
  return (
    <>
      <rect x="1" y="1" width={WIDTH - 2} height={HEIGHT - 2} rx="5" class={`tool-card ${verb}`} />
      <path d={mark} class="card-mark" />
      {lines.map((line, i) => <text key={line} x={WIDTH / 2} y={lines.length > 1 ? 50 + i * 9 : 56} class="caption">{line}</text>)}
    </>
  );
}

function GoalDrawing({ goal }: { goal: Pick<Goal, "card"> & Partial<Goal> }) {
  if (goal.card === null) {
    return (
      <>
        <rect x="1" y="1" width={WIDTH - 2} height={HEIGHT - 2} rx="5" class="goal-back" />
        <text x={WIDTH / 2} y={HEIGHT / 2 + 7} class="question">?</text>
      </>
    );
  }
  const gold = goal.card === "gold";
  return (
    <>
      {goal.open ? <PathCard path={{ open: goal.open, blocked: false }} kind="laid" /> : <rect x="1" y="1" width={WIDTH - 2} height={HEIGHT - 2} rx="5" class="goal-back known" />}
      {gold ? <path d={`M${WIDTH / 2} ${HEIGHT / 2 - 12}l11 9-7 13h-9l-6-13z`} class="gold" /> : <ellipse cx={WIDTH / 2} cy={HEIGHT / 2} rx="11" ry="9" class="stone" />}
      <title>{say(gold ? "gold" : "stone")}</title>
    </>
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
    <svg viewBox="-4 -4 242 136" {...drawn}>
      <PathCard path={{ open: ["left", "up", "right", "down"], blocked: false }} kind="start" />
      {paths.map((path, i) => <g key={i} transform={`translate(${(i + 1) * 46} 0)`}><PathCard path={{ open: [...path.open], blocked: path.blocked }} kind="laid" /></g>)}
      <g transform="translate(92 64)"><PathCard path={{ open: ["up", "right"], blocked: false }} kind="fresh" /></g>
      <rect x="138" y="64" width="46" height="64" rx="5" class="advice" />
      <g transform="translate(184 64)"><GoalDrawing goal={{ card: null }} /></g>
    </svg>
  );
}

const GOALS: Record<string, Word> = { upper: "goalUpper", middle: "goalMiddle", lower: "goalLower" };
const VALUES: Record<string, Word> = { gold: "gold", stone: "stone", saboteur: "saboteur", digger: "digger" };

export default {
  Board: SaboteurBoard,
  Emblem: () => (
    <svg {...emblem}>
      <path d="M14 50Q40 44 44 32T84 16" class="tunnel" />
      <path d="M72 8l6 8-8 6-6-8z" class="gold" />
      <path d="M18 20q10-10 22-6M28 14l16 22" class="pick" />
    </svg>
  ),
  Figure: Mine,
  subject: (subject) => {
    const [kind, name] = subject.split(":") as [string, string];
    return kind === "role" ? player(Number(name)) : name in GOALS ? say(GOALS[name]!) : subject;
  },
  value: (value) => (value in VALUES ? say(VALUES[value]!) : value),
} satisfies GameLook<"saboteur">;
