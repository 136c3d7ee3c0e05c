// What the coach says: values of actions, an agent's beliefs, and where a game was lost.
import { useEffect, useState } from "preact/hooks";
import { game as fetchGame } from "./api";
import { lookOf } from "./boards";
import type { Connection } from "./connection";
import type { Belief, Evaluation, Eyes, GameDetails, Insight, Point, TableReply, Update } from "./types";
import { measureName, phrase, player, remark, say } from "./words";

interface Props {
  connection: Connection;
  table: TableReply;
  update: Update;
  own: number[];
  look: (ply: number | null, eyes?: Eyes) => void;
  /** How often it was opened to show a decision: each time it begins by itself. */
  opened: number;
}

export function Analysis({ connection, table, update, own, look, opened }: Props) {
  const [details, setDetails] = useState<GameDetails | null>(null);
  const [agent, setAgent] = useState("");
  const [on, setOn] = useState(opened > 0);
  useEffect(() => {
    if (opened > 0) setOn(true);
  }, [opened]);
  useEffect(() => {
    fetchGame(table.game).then((found) => {
      setDetails(found);
      setAgent((chosen) => chosen || found.champion);
    });
  }, [table.game]);
  const over = table.study || update.outcome !== null;
  // Where only agents play, everybody may look from every seat.
  const open = over || table.seats.every((seat) => seat.agent);
  const eyes = typeof update.eyes === "object" ? update.eyes.seat : null;
  // From whose seat: the one looked through, else the one to move.
  const seat = eyes ?? (open ? (update["to-act"] ?? 0) : (own[0] ?? null));
  const allowed = seat !== null && update["to-act"] !== null && (open || own.includes(seat));
  useEffect(() => {
    if (on && agent && allowed) connection.send({ type: "consult", agent, seat, ply: update.ply });
  }, [on, agent, seat, update.ply, update.plies]);
  useEffect(() => () => connection.send({ type: "hush" }), []);
  const stop = () => {
    connection.send({ type: "hush" });
    connection.insight.value = null;
    setOn(false);
  };
  const insight = connection.insight.value;
  return (
    <div class="analysis">
      <div class="row analyst">
        <label>
          {say("analyst")}
          <input value={agent} list="analysts" onChange={(e) => setAgent(e.currentTarget.value.trim())} />
          <datalist id="analysts">{details?.agents.map((one) => <option key={one.name} value={one.name}>{one.about}</option>)}</datalist>
        </label>
        <button class={on ? "" : "primary"} disabled={!allowed} onClick={() => (on ? stop() : setOn(true))}>
          {on ? say("stop") : say("start")}
        </button>
      </div>
      {on && allowed && !insight && <p role="status" class="quiet">{say("thinking", agent)}</p>}
      {insight && (
        <>
          {insight.evaluation && <Values evaluation={insight.evaluation} insight={insight} update={update} />}
          <Beliefs game={table.game} title={say("believes", insight.agent.split(":")[0]!)} beliefs={insight.beliefs} baseline={insight.baseline} />
          <OwnRatings insight={insight} update={update} />
        </>
      )}
      {over && <Curve connection={connection} update={update} seats={own.length ? own : table.seats.map((one) => one.seat)} look={look} />}
    </div>
  );
}

const describe = (update: Update, action: string): string => {
  const known = update.actions?.find((one) => one.action === action);
  return known ? phrase(known.text) : action;
};

/** A value with as many digits as matter. */
export const figure = (value: number): string => value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2).replace(/^-(0(\.0+)?)$/, "$1");

/** A value with the half width of its 95 % interval. */
const within = (value: number, error: number) => (error < 0.0005 ? figure(value) : `${figure(value)} ± ${figure(1.96 * error)}`);

/** The expected result of the position and of each action; how often the agent would choose it is said as such. */
function Values({ evaluation, insight, update }: { evaluation: Evaluation; insight: Insight; update: Update }) {
  const shown = evaluation.values.slice(0, 12);
  const [high, low] = [shown[0]!.value, shown.at(-1)!.value];
  const width = (value: number) => (high === low ? 100 : 8 + (92 * (value - low)) / (high - low));
  const chosen = insight.measure === "probability" ? new Map(insight.values?.map((one) => [one.action, one.value])) : null;
  return (
    <div class="values">
      <p>
        {say("worth")}{say("sentenceSpace")}<b class="position-value">{within(evaluation.value, evaluation.error)}</b>
        {!insight.final && " …"}
      </p>
      <p class="quiet">{say("valuesHint", evaluation.agent.split(":")[0]!)}</p>
      <ol>
        {shown.map((one) => {
          const share = chosen?.get(one.action);
          return (
            <li key={one.action} class={one.action === evaluation.best ? "choice" : ""}>
              <span class="bar" style={{ width: `${width(one.value)}%` }} aria-hidden="true" />
              <span class="label">
                {describe(update, one.action)}
                {typeof share === "number" && <small class="quiet"> {say("chosen", Math.round(100 * share))}</small>}
              </span>
              <span class="number">{within(one.value, one.error)}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** What an agent counts by itself, where that is no expected result. */
function OwnRatings({ insight, update }: { insight: Insight; update: Update }) {
  const values = (insight.values ?? []).filter((v): v is typeof v & { value: number } => typeof v.value === "number");
  if (!insight.drawing && (values.length === 0 || insight.measure === "probability")) return null;
  return (
    <details class="own-ratings">
      <summary>{say("ownRatings", insight.agent.split(":")[0]!)}</summary>
      {insight.measure !== "probability" && values.length > 0 && (
        <>
          <p class="quiet">{measureName(insight.measure ?? "")}</p>
          <ol class="plain-list">
            {values.slice(0, 12).map((one) => <li key={one.action}><span>{describe(update, one.action)}</span> <span>{figure(one.value)}</span></li>)}
          </ol>
        </>
      )}
      {insight.drawing && <pre>{remark(insight.drawing)}</pre>}
    </details>
  );
}

function Beliefs({ game, title, beliefs, baseline }: { game: string; title: string; beliefs: Belief[]; baseline: Belief[] }) {
  if (!beliefs.length) return null;
  const { subject, value } = lookOf(game);
  return (
    <details class="beliefs" open>
      <summary>{title}</summary>
      <table>
        <tbody>
          {beliefs.map((belief) => {
            const counted = baseline.find((one) => one.subject === belief.subject);
            const best = [...belief.values].sort((a, b) => b.probability - a.probability).slice(0, 3);
            return (
              <tr key={belief.subject}>
                <th scope="row">{subject?.(belief.subject) ?? belief.subject}</th>
                <td>
                  {best.map((one) => {
                    const before = counted?.values.find((other) => other.value === one.value)?.probability;
                    return (
                      <span key={one.value} class="chance" title={before === undefined ? "" : say("byCounting", Math.round(100 * before))}>
                        {value?.(one.value) ?? one.value} <b>{Math.round(100 * one.probability)} %</b>
                      </span>
                    );
                  })}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}

/** What a decision cost: the expected result that was given away. */
const cost = (point: Point) => (point.played === null ? 0 : point.value - point.played);

/** The costliest decisions of a seat that were judged so far, those first that are beyond doubt. */
export const costliest = (points: Point[], seat: number, count: number): Point[] =>
  points.filter((point) => point.seat === seat && cost(point) > 1.96 * point.error && cost(point) >= 0.01).sort((a, b) => cost(b) - cost(a)).slice(0, count);

/** A costly decision in a sentence: what happened, what it cost, and what would have been better. */
export function costSentence(connection: Connection, point: Point): string {
  const told = connection.story.value[point.ply];
  return say("costs", point.ply + 1, told ? phrase(told.text) : phrase(point.action), figure(cost(point)), phrase(point.best), figure(point.value));
}

/** Asks for the values of all decisions of a seat, by the game's best agent. */
export async function askCurve(connection: Connection, game: string, seat: number) {
  connection.curve.value = [];
  const agent = (await fetchGame(game)).champion;
  connection.send({ type: "curve", agent, seat });
}

interface CurveProps {
  connection: Connection;
  update: Update;
  seats: number[];
  look: (ply: number | null, eyes?: Eyes) => void;
}

/** The expected result at every decision of a seat over the game, with its uncertainty; the costliest ones are marked. */
function Curve({ connection, update, seats, look }: CurveProps) {
  const [seat, setSeat] = useState(seats[0] ?? 0);
  const [asked, setAsked] = useState(false);
  const ask = () => {
    void askCurve(connection, connection.table.value!.game, seat);
    setAsked(true);
  };
  const points = connection.curve.value.filter((point) => point.seat === seat);
  const ends = points.flatMap((point) => [point.value + 1.96 * point.error, point.value - 1.96 * point.error, point.played ?? point.value]);
  const [high, low] = [Math.max(...ends), Math.min(...ends)];
  const across = (ply: number) => 24 + (270 * ply) / Math.max(1, update.plies);
  const y = (value: number) => (high === low ? 50 : 92 - (84 * (value - low)) / (high - low));
  const worst = costliest(points, seat, 3);
  const progress = connection.curve.value.at(-1);
  const band = [...points.map((p) => `${across(p.ply)},${y(p.value + 1.96 * p.error)}`), ...[...points].reverse().map((p) => `${across(p.ply)},${y(p.value - 1.96 * p.error)}`)];
  return (
    <section class="curve">
      <h3>{say("curve")}</h3>
      <div class="row">
        {seats.length > 1 && (
          <select aria-label={say("seat")} value={seat} onChange={(e) => setSeat(Number(e.currentTarget.value))}>
            {seats.map((one) => <option key={one} value={one}>{player(one)}</option>)}
          </select>
        )}
        <button onClick={ask}>{say("start")}</button>
        {(asked || progress) && (!progress || progress.done < progress.of) && <progress aria-label={say("curve")} {...(progress ? { value: progress.done, max: progress.of } : {})} />}
      </div>
      {points.length > 1 && (
        <>
          <p class="quiet">{say("curveHint")}</p>
          <svg viewBox="0 0 300 100" role="img" aria-label={say("curve")}>
            <text x="2" y={y(high) + 4} class="tick">{figure(high)}</text>
            <text x="2" y={y(low) + 1} class="tick">{figure(low)}</text>
            <polygon points={band.join(" ")} class="band" />
            <polyline points={points.map((point) => `${across(point.ply)},${y(point.value)}`).join(" ")} class="line" />
            <line x1={across(update.ply)} x2={across(update.ply)} y1="4" y2="96" class="now" />
            {worst.map((point) => <circle key={point.ply} cx={across(point.ply)} cy={y(point.played!)} r="4" class="mark-point" />)}
          </svg>
          <ul class="worst" aria-label={say("worst")}>
            {worst.map((point) => (
              <li key={point.ply}>
                <button onClick={() => look(point.ply, { seat })}>{costSentence(connection, point)}</button>
              </li>
            ))}
            {worst.length === 0 && progress?.done === progress?.of && <li class="quiet">{say("noCost")}</li>}
          </ul>
        </>
      )}
    </section>
  );
}
