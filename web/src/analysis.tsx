// What an agent thinks: values as bars, beliefs, and where a game was lost.
import { useEffect, useState } from "preact/hooks";
import { game as fetchGame } from "./api";
import type { Connection } from "./connection";
import type { Belief, Eyes, GameDetails, Point, TableReply, Update } from "./types";
import { lookOf } from "./boards";
import { measureName, phrase, player, say } from "./words";

interface Props {
  connection: Connection;
  table: TableReply;
  update: Update;
  own: number[];
  look: (ply: number | null, eyes?: Eyes) => void;
}

export function Analysis({ connection, table, update, own, look }: Props) {
  const [details, setDetails] = useState<GameDetails | null>(null);
  const [agent, setAgent] = useState("");
  const [on, setOn] = useState(false);
  useEffect(() => {
    fetchGame(table.game).then((found) => {
      setDetails(found);
      setAgent((chosen) => chosen || found.champion);
    });
  }, [table.game]);
  const open = table.study || update.outcome !== null;
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
          {insight.values?.length ? <Values connection={connection} update={update} /> : insight.choice && <p>{describe(update, insight.choice)}</p>}
          <Beliefs game={table.game} title={say("believes", insight.agent.split(":")[0]!)} beliefs={insight.beliefs} baseline={insight.baseline} />
          {insight.drawing && <pre>{insight.drawing}</pre>}
        </>
      )}
      {open && <Curve connection={connection} update={update} seats={own.length ? own : table.seats.map((one) => one.seat)} agent={agent} look={look} />}
    </div>
  );
}

const describe = (update: Update, action: string): string => {
  const known = update.actions?.find((one) => one.action === action);
  return known ? phrase(known.text) : action;
};

/** A value with as many digits as matter. */
const figure = (value: number): string => value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3).replace(/^-(0(\.0+)?)$/, "$1");

function Values({ connection, update }: { connection: Connection; update: Update }) {
  const insight = connection.insight.value!;
  const values = insight.values!.filter((v): v is typeof v & { value: number } => typeof v.value === "number");
  const [high, low] = [Math.max(...values.map((v) => v.value)), Math.min(...values.map((v) => v.value))];
  const width = (value: number) => (high === low ? 100 : 8 + (92 * (value - low)) / (high - low));
  const playouts = values.reduce((sum, v) => sum + (v.visits ?? 0), 0);
  return (
    <div class="values">
      <p class="quiet">
        {measureName(insight.measure ?? "")}
        {playouts > 0 && ` · ${say("playouts", playouts.toLocaleString())}`}
        {!insight.final && " …"}
      </p>
      <ol>
        {values.slice(0, 12).map((v) => (
          <li key={v.action} class={v.action === insight.choice ? "choice" : ""}>
            <span class="bar" style={{ width: `${width(v.value)}%` }} aria-hidden="true" />
            <span class="label">{describe(update, v.action)}</span>
            <span class="number">{figure(v.value)}</span>
          </li>
        ))}
      </ol>
    </div>
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
                      <span key={one.value} class="chance" title={before === undefined ? "" : `${say("byCounting")}: ${Math.round(100 * before)} %`}>
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

interface CurveProps {
  connection: Connection;
  update: Update;
  seats: number[];
  agent: string;
  look: (ply: number | null, eyes?: Eyes) => void;
}

const loss = (point: Point) => (point.value === null || point.played === null ? 0 : point.value - point.played);

/** The value of every decision of a seat over the game, the most expensive ones marked. */
function Curve({ connection, update, seats, agent, look }: CurveProps) {
  const [seat, setSeat] = useState(seats[0] ?? 0);
  const [asked, setAsked] = useState(false);
  const ask = () => {
    connection.curve.value = [];
    connection.send({ type: "curve", agent, seat });
    setAsked(true);
  };
  const points = connection.curve.value.filter((point) => point.seat === seat && point.value !== null);
  const all = points.flatMap((point) => [point.value!, point.played ?? point.value!]);
  const [high, low] = [Math.max(...all), Math.min(...all)];
  const x = (point: Point) => 10 + (280 * point.ply) / Math.max(1, update.plies);
  const y = (value: number) => (high === low ? 50 : 90 - (80 * (value - low)) / (high - low));
  const worst = [...points].filter((point) => loss(point) > 0).sort((a, b) => loss(b) - loss(a)).slice(0, 3);
  const progress = connection.curve.value.at(-1);
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
        {asked && (!progress || progress.done < progress.of) && <progress aria-label={say("curve")} {...(progress ? { value: progress.done, max: progress.of } : {})} />}
      </div>
      {points.length > 1 && (
        <>
          <p class="quiet">{say("curveHint")}</p>
          <svg viewBox="0 0 300 100" role="img" aria-label={say("curve")}>
            <polyline points={points.map((point) => `${x(point)},${y(point.value!)}`).join(" ")} class="line" />
            <line x1={10 + (280 * update.ply) / Math.max(1, update.plies)} x2={10 + (280 * update.ply) / Math.max(1, update.plies)} y1="4" y2="96" class="now" />
            {worst.map((point) => <circle key={point.ply} cx={x(point)} cy={y(point.played!)} r="4" class="mark" />)}
          </svg>
          <ul class="worst" aria-label={say("worst")}>
            {worst.map((point) => (
              <li key={point.ply}>
                <button onClick={() => look(point.ply, { seat })}>
                  {point.ply + 1}. {say("insteadOf", point.choice, point.action)} <b>−{figure(loss(point))}</b>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
