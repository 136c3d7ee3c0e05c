// Saboteur: a mine that grows to any side, hands, broken tools, roles, and the three goals.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SaboteurAction, SaboteurEvent, SaboteurScene } from "../scenes";
import type { ActionReport, EventReport } from "../types";
import { player, say, type Word } from "../words";
import { believed, bestActions, pressable, drawn, emblem, useEscape, type BoardProps, type GameLook } from "../boards/board";
import { useDrag } from "../boards/drag";

type Action = ActionReport<SaboteurAction>;
type Goal = SaboteurScene["goals"][number];
type Point = SaboteurScene["start"];
type Path = SaboteurScene["mine"][number];
type Round = SaboteurScene["past"][number];
type Event = EventReport<SaboteurEvent>;
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

/** The part of the mine that is drawn: what lies there and the places beside it, so that a choice or a hint does not move it. */
function frameOf({ mine, goals }: Pick<SaboteurScene, "mine" | "goals">) {
  const laid: Point[] = [{ x: 0, y: 0 }, ...mine, ...goals.filter((goal) => goal.open)];
  const beside = laid.flatMap(({ x, y }) => [{ x: x - 1, y }, { x: x + 1, y }, { x, y: y - 1 }, { x, y: y + 1 }]);
  const points = [...goals, ...beside];
  const [xs, ys] = [points.map((one) => one.x), points.map((one) => one.y)];
  const [left, right, top, low] = [Math.min(...xs) - 0.6, Math.max(...xs) + 0.6, Math.min(...ys) - 0.6, Math.max(...ys) + 0.6];
  return { left, right, top, low, box: `${left * WIDTH} ${top * HEIGHT} ${(right - left + 1) * WIDTH} ${(low - top + 1) * HEIGHT}` };
}

const place = (point: Point) => `translate(${point.x * WIDTH} ${point.y * HEIGHT})`;

/** The frame of the mine with its coordinates and the start. */
function Mine({ scene, label, children }: { scene: Pick<SaboteurScene, "mine" | "goals">; label: string; children: ComponentChildren }) {
  const { left, right, top, low, box } = frameOf(scene);
  return (
    <svg viewBox={box} class="board wide" role="group" aria-label={label}>
      {between(Math.ceil(left), Math.floor(right)).map((x) => <text key={`x${x}`} x={(x + 0.5) * WIDTH} y={top * HEIGHT + 12} class="coordinate" aria-hidden="true">{x}</text>)}
      {between(Math.ceil(top), Math.floor(low)).map((y) => <text key={`y${y}`} x={left * WIDTH + 12} y={(y + 0.5) * HEIGHT + 4} class="coordinate" aria-hidden="true">{y}</text>)}
      <g transform={place({ x: 0, y: 0 })}>
        <PathCard path={{ open: ["left", "up", "right", "down"], blocked: false }} kind="start" />
        <path d={`M${WIDTH / 2 - 7} ${HEIGHT / 2 + 14}v-26h14v26M${WIDTH / 2 - 7} ${HEIGHT / 2 - 2}h14M${WIDTH / 2 - 7} ${HEIGHT / 2 + 7}h14`} class="ladder" />
      </g>
      {children}
    </svg>
  );
}

/** How a round ended, in a sentence. */
function roundText(round: Round, number: number, viewer: number | null): string {
  const name = (seat: number) => (seat === viewer ? say("you") : player(seat));
  const names = (seats: number[]) => seats.map(name).join(say("comma")) || say("nobody");
  const reached = round["reached-by"];
  const gold = round.gold.map(({ seat, nuggets }) => `${name(seat)} ${nuggets ?? "?"}`).join(say("comma"));
  const parts = [say(reached === null ? "roundLost" : "roundWon", number, reached === null ? "" : name(reached)), say("roundSaboteurs", names(round.saboteurs))];
  return [...parts, ...(gold ? [say("roundGold", gold)] : [])].join(say("sentenceSpace"));
}

/** The mine as it lay after some more actions, with everything that they turned up. */
function after(scene: SaboteurScene, events: Event[]) {
  const mine = new Map(scene.mine.map((path) => [`${path.x},${path.y}`, path]));
  for (const { parts } of events) {
    if (parts.kind === "dig") mine.set(`${parts.at.x},${parts.at.y}`, { ...parts.at, open: parts.open, blocked: parts.blocked, joined: true });
    if (parts.kind === "rock-fall") mine.delete(`${parts.at.x},${parts.at.y}`);
  }
  const shown = events.flatMap(({ parts }) => parts.shown);
  const goals = scene.goals.map((goal) => ({ ...goal, card: shown.find((one) => one.goal === goal.goal)?.card ?? goal.card }));
  return { mine: [...mine.values()], goals };
}

/** The round that has just ended stays on show until one goes on: its mine, everything that was turned up, and its result. */
function useFinished(scene: SaboteurScene, recent: Event[], live: boolean) {
  const before = useRef({ scene, ply: recent.at(-1)?.ply ?? 0 });
  const [finished, setFinished] = useState<(ReturnType<typeof after> & { number: number }) | null>(null);
  useLayoutEffect(() => {
    const earlier = before.current;
    const ply = recent.at(-1)?.ply ?? 0;
    before.current = { scene, ply };
    const news = recent.filter((event) => event.ply > earlier.ply);
    const end = news.findIndex((event) => event.parts["round-end"]);
    if (!live || ply < earlier.ply) setFinished(null);
    else if (end >= 0 && news[0]!.ply === earlier.ply + 1 && scene.past.length < scene.rounds) setFinished({ ...after(earlier.scene, news.slice(0, end + 1)), number: scene.past.length });
    else if (news.some((event) => event.seat === scene.viewer)) setFinished(null);
  }, [scene]);
  // Whoever only looks on is not asked to go on.
  const looksOn = scene.viewer === null;
  useEffect(() => {
    if (!finished || !looksOn) return;
    const timer = setTimeout(() => setFinished(null), 5000);
    return () => clearTimeout(timer);
  }, [finished]);
  return { finished: finished?.number === scene.past.length ? finished : null, goOn: () => setFinished(null) };
}

/** The mine as it lay when a round ended. */
function FinishedRound({ mine, goals, number, round, viewer, goOn }: ReturnType<typeof after> & { number: number; round: Round; viewer: number | null; goOn: () => void }) {
  return (
    <section class="finished-round" aria-label={say("roundOver", number)}>
      <Mine scene={{ mine, goals }} label={say("roundOver", number)}>
        {goals.map((goal) => <g key={goal.goal} transform={place(goal)}><GoalDrawing goal={goal} /></g>)}
        {mine.map((path) => <g key={`${path.x},${path.y}`} transform={place(path)}><PathCard path={path} kind="laid" /></g>)}
      </Mine>
      <p role="status">{roundText(round, number, viewer)}</p>
      <button class="primary" onClick={goOn}>{say("nextRound")}</button>
    </section>
  );
}

function SaboteurBoard({ scene, actions, play, bottom, last, recent, live, insight }: BoardProps<"saboteur">) {
  const { finished, goOn } = useFinished(scene, recent, live);
  const [chosen, setChosen] = useState<number | null>(null);
  const [turned, setTurned] = useState(false);
  const { dragged, draggable, carried } = useDrag<number>({
    take: (i) => {
      if (i !== chosen) setTurned(false);
      setChosen(i);
    },
    drop: (_, action) => play?.(action),
  });
  useLayoutEffect(() => {
    setChosen(null);
    setTurned(false);
  }, [scene]);
  useEscape(() => setChosen(null));
  // Where everything is shown, the hand is that of the player to move: the advice and the next action are about it.
  const holder = scene.viewer ?? scene["to-act"] ?? bottom;
  const hand: string[] | null = scene.seats.find((seat) => seat.seat === holder)?.hand ?? null;
  const card = chosen === null ? null : hand![chosen]!;
  const fitting = card ? (actions ?? []).filter((action) => uses(action, card, turned)) : [];
  // A card that is dragged may also be laid the other way round where it does not fit as it is.
  const flipped = card && dragged !== null ? (actions ?? []).filter((action) => uses(action, card, !turned)) : [];
  const upright = ofKind(fitting, "dig");
  const digs = [...upright, ...ofKind(flipped, "dig").filter(({ parts }) => !upright.some((other) => other.parts.at.x === parts.at.x && other.parts.at.y === parts.at.y))];
  const falls = ofKind(fitting, "rock-fall");
  const looks = ofKind(fitting, "look");
  const discard = fitting.find((action) => action.parts.kind === "discard");
  const best = bestActions(insight, 1)[0]?.action;
  const advised = actions?.find((action) => action.action === best);
  const advice = advised?.parts;

  const tools = [...ofKind(fitting, "break"), ...ofKind(fitting, "mend")];
  if (finished) return <div class="saboteur"><FinishedRound {...finished} round={scene.past[finished.number - 1]!} viewer={scene.viewer} goOn={goOn} /></div>;

  return (
    <div class="saboteur">
      <p class="sr-only">{spoken(scene)}</p>
      <Mine scene={scene} label={say("mine")}>
        {scene.goals.map((goal) => {
          const look = looks.find((action) => action.parts.goal === goal.goal);
          const gold = believed(insight, `goal:${goal.goal}`, "gold");
          return (
            <g key={goal.goal} transform={place(goal)} class={look && play ? "active" : ""} data-drop={play && look?.action} {...(look && play ? pressable(() => play(look.action), say("lookAt", goal.goal)) : {})}>
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
            <g key={`${path.x},${path.y}`} transform={place(path)} class={fall && play ? "active" : ""} data-drop={play && fall?.action} {...(fall && play ? pressable(() => play(fall.action), say("rocksOn", `${path.x},${path.y}`)) : {})}>
              <g class={fresh ? "drop" : ""}>
                <PathCard path={path} kind={fresh ? "fresh" : "laid"} />
              </g>
              {fall && play && <rect width={WIDTH} height={HEIGHT} rx="5" class="spot danger" />}
            </g>
          );
        })}
        {play &&
          digs.map((action) => (
            <g key={action.action} transform={place(action.parts.at)} class="active ghostly" data-drop={action.action} {...pressable(() => play(action.action), say("digAt", `${action.parts.at.x},${action.parts.at.y}`))}>
              <PathCard path={action.parts} kind="laid" />
              <rect width={WIDTH} height={HEIGHT} rx="5" class="spot" />
            </g>
          ))}
        {advice?.at && <rect x={advice.at.x * WIDTH} y={advice.at.y * HEIGHT} width={WIDTH} height={HEIGHT} rx="5" class="advice" />}
      </Mine>

      {hand && hand.length > 0 && scene.viewer === null && <p class="quiet">{say("handOf", player(holder))}</p>}
      {hand && (
        <div class="hand" role="group" aria-label={scene.viewer === null ? player(holder) : say("yourHand")}>
          {hand.map((one, i) => {
            const usable = (actions ?? []).some((action) => uses(action, one, false) || uses(action, one, true));
            return (
              <button key={i} class={`card-button ${usable && play ? "active" : ""} ${i === chosen ? "chosen" : ""} ${advised && (uses(advised, one, false) || uses(advised, one, true)) ? "advised" : ""}`} disabled={!usable || !play} aria-pressed={i === chosen} aria-label={cardName(one)} title={cardName(one)} onClick={() => setChosen(i === chosen ? null : i)} {...(usable && play ? draggable(i) : {})}>
                <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="52" height="72" aria-hidden="true">
                  <HandCard card={one} turned={i === chosen && turned} />
                </svg>
              </button>
            );
          })}
        </div>
      )}
      {carried(hand && dragged !== null && hand[dragged] && <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="52" height="72"><HandCard card={hand[dragged]} turned={turned} /></svg>)}
      {play && <p class="quiet help">{say(card ? "chooseSpot" : "chooseCard")}</p>}
      {card && play && (
        <div class="row choices">
          {pathOf(card) && turns(card) && <button onClick={() => setTurned(!turned)}>↻ 180°</button>}
          {tools.map((action) => (
            <button key={action.action} class={action.action === best ? "advised" : ""} data-drop={action.action} onClick={() => play(action.action)}>
              {action.parts.whose === scene.viewer ? say("you") : player(action.parts.whose)} · {toolName(action.parts.tool)}
            </button>
          ))}
          {discard && <button data-drop={discard.action} onClick={() => play(discard.action)}>{say("discard")}</button>}
        </div>
      )}
      <ul class="rivals">
        {scene.seats.map((seat) => {
          const suspicion = believed(insight, `role:${seat.seat}`, "saboteur");
          return (
            <li key={seat.seat} class={`p${seat.seat} ${scene["to-act"] === seat.seat ? "turn" : ""}`} data-drop={play && tools.find((action) => action.parts.whose === seat.seat)?.action}>
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
      {scene.past.length > 0 && (
        <details class="earlier-rounds">
          <summary>{say("earlierRounds")}</summary>
          <ol>{scene.past.map((round, i) => <li key={i}>{roundText(round, i + 1, scene.viewer)}</li>)}</ol>
        </details>
      )}
    </div>
  );
}

/** The mine, the goals and broken tools, for those who hear the board: columns to the right of the start, rows below it. */
function spoken(scene: SaboteurScene): string {
  const at = ({ x, y }: Point) => `${x},${y}`;
  const way = (path: Path) => `${at(path)} ${path.open.map((side) => side[0]!.toUpperCase()).join("")}${path.blocked ? "×" : ""}`;
  const goals = scene.goals.map((goal) => `${say(GOALS[goal.goal]!)} ${at(goal)}${say("colon")}${goal.card === null ? say("unknown") : say(goal.card === "gold" ? "gold" : "stone")}`);
  const broken = scene.seats.filter((seat) => seat.broken.length > 0).map((seat) => `${player(seat.seat)}${say("colon")}${seat.broken.map((tool) => `✗ ${toolName(tool)}`).join(say("comma"))}`);
  return [`${say("mine")}${say("colon")}${scene.mine.map(way).join("; ") || "–"}`, ...goals, ...broken].join("; ");
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
function Figure() {
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
  Figure,
  subject: (subject) => {
    const [kind, name] = subject.split(":") as [string, string];
    return kind === "role" ? player(Number(name)) : name in GOALS ? say(GOALS[name]!) : subject;
  },
  value: (value) => (value in VALUES ? say(VALUES[value]!) : value),
} satisfies GameLook<"saboteur">;
