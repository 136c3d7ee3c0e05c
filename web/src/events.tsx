// Events: those there are, one of them live, and a form with which the host sets one up.
import { useEffect, useState } from "preact/hooks";
import { event as fetchEvent, events as fetchEvents, isHost, openEvent, tellEvent, type EventAnswer } from "./api";
import { freshKey, keepKeys } from "./connection";
import { catalog, gameName, playerCounts, usualPlayers } from "./catalog";
import { read, write } from "./kept";
import { calledAt, personName } from "./persons";
import { CLOCKS, GameFields, clockName, useDetails } from "./rooms";
import { at, go } from "./router";
import type { EventBoard, EventKind, EventOverview, EventStanding, ListedEvent } from "./types";
import { keepName, measureName, ownName, say, trouble } from "./words";

/** How often is asked how things stand. */
const PAUSE = 2500;

/** A secret that came with the address is kept, and taken out of it before anybody can copy it. */
function secret(part: string, stored: string): string {
  const given = new URLSearchParams(location.hash.slice(1)).get(part);
  if (given) {
    write(stored, given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? read(stored, "");
}

const hostKey = () => secret("host", "host");
const eventKey = (name: string) => secret("key", `event-${name}`);

/** Asks again and again until the page is left. */
function useAsking(ask: () => Promise<void>, of: unknown[]) {
  useEffect(() => {
    let timer = 0;
    let left = false;
    const again = async () => {
      await ask();
      if (!left) timer = window.setTimeout(again, PAUSE);
    };
    void again();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, of);
}

const kindName = (kind: EventKind) => say(kind === "swiss" ? "swiss" : "roundRobin");
const stageName = (stage: string, round: number, rounds: number | null) =>
  stage === "gathering" ? say("gathering") : stage === "over" ? say("eventOver") : say("runningRound", Math.max(round, 1), rounds ?? "?");

export function Events() {
  const [list, setList] = useState<ListedEvent[] | null>(null);
  const [problem, setProblem] = useState("");
  const [key] = useState(hostKey);
  const [host, setHost] = useState(false);
  useEffect(() => {
    if (key) isHost(key).then(setHost, () => setHost(false));
  }, [key]);
  useAsking(() => fetchEvents().then((found) => (setList(found), setProblem("")), (error: Error) => setProblem(trouble(error.message))), []);
  return (
    <div class="page">
      <h1>{say("events")}</h1>
      <p class="intro quiet">{say("eventsIntro")}</p>
      {problem && <p role="alert" class="problem">{problem}</p>}
      {list?.length === 0 && <p class="quiet">{say("noEvents")}</p>}
      <ul class="rooms">
        {list?.map((one) => (
          <li key={one.event}>
            <a href={at(`/e/${one.event}`)} class="room">
              <strong>{one.name}</strong>
              <span>{`${one.games.map(gameName).join(" · ")} · ${kindName(one.kind)}`}</span>
              <span class="quiet">{say("entrants", one.entrants)}</span>
              <b>{stageName(one.stage, one.round, one.rounds)}</b>
            </a>
          </li>
        ))}
      </ul>
      {host ? catalog.value.length > 0 && <NewEvent host={key} /> : <p class="quiet">{say("hostOnly")}</p>}
    </div>
  );
}

export function EventPage({ name }: { name: string }) {
  const [answer, setAnswer] = useState<EventAnswer | null>(null);
  const [problem, setProblem] = useState("");
  const [key, setKey] = useState(() => eventKey(name));
  const [host] = useState(hostKey);
  const [soon, setSoon] = useState(0);
  useAsking(async () => {
    try {
      const next = await fetchEvent(name, key, answer?.tag ?? "");
      if (next) setAnswer(next);
      setProblem("");
    } catch (error) {
      setProblem(trouble((error as Error).message));
    }
  }, [name, key, answer?.tag, soon]);
  if (!answer) return <p class="page" role="status">{problem || say("connecting")}</p>;
  const { report, you } = answer;
  const act = async (path: string, body: object, as = "") => {
    try {
      await tellEvent(`/${name}${path}`, body, as);
      setProblem("");
    } catch (error) {
      setProblem(trouble((error as Error).message));
    }
    setSoon((n) => n + 1);
  };
  const enter = async (own: string) => {
    const fresh = key || freshKey();
    keepName(own);
    write(`event-${name}`, fresh);
    await act("/enter", { name: own, key: fresh });
    setKey(fresh);
  };
  const { plan } = report;
  return (
    <div class="page event">
      <h1>{plan.name}</h1>
      <p class="intro">
        <strong>{stageName(report.stage, report.rounds.length, report["rounds-planned"])}</strong>
        {` · ${kindName(plan.kind)} · ${plan.game.map(({ name: game }, i) => `${gameName(game)}${say("inBrackets", report.seats[i]!)}`).join(" · ")}`}
      </p>
      {problem && <p role="alert" class="problem">{problem}</p>}
      <Own name={name} report={report} you={you} secret={key} enter={enter} leave={() => act("/leave", { key })} />
      {host && <HostDesk report={report} act={(path, body) => act(path, body, host)} />}
      <Standings report={report} you={you} />
      {report.rounds.map((_, i) => report.rounds.length - 1 - i).map((number) => <Round key={number} report={report} number={number} you={you} />)}
      <p class="quiet">
        {[...(report.counts === "payoffs" ? [] : [say("pointsHint")]), say(plan.absent === "forfeit" && report.seats.includes(2) ? "comeOrLose" : "comeIn", plan["come-seconds"]), say("outAfterTwo")].join(say("sentenceSpace"))}
      </p>
    </div>
  );
}

/** The games of an entrant that go on. */
const openGames = (report: EventOverview, you: number) =>
  report.rounds.flatMap((round) => round.boards.flatMap((board) => board.games)).filter((game) => game.payoffs === null && game.seats.includes(you));

interface OwnProps {
  name: string;
  report: EventOverview;
  you: number | null;
  secret: string;
  enter: (name: string) => void;
  leave: () => void;
}

/** What concerns whoever looks: to enter, to go to the own table, to withdraw. */
function Own({ name, report, you, secret: key, enter, leave }: OwnProps) {
  const [own, setOwn] = useState(ownName());
  const [sure, setSure] = useState(false);
  const games = you === null || report.stage !== "running" ? [] : openGames(report, you);
  // The same secret opens the seats at all tables of the event.
  games.forEach((game) => keepKeys(game.table, [key]));
  const [game] = games;
  const ready = game !== undefined;
  useEffect(() => {
    const title = document.title;
    if (ready) document.title = `● ${say("gameReady")}`;
    return () => {
      document.title = title;
    };
  }, [ready]);
  if (you === null) {
    if (report.stage !== "gathering" || report.plan.people === 0) return null;
    return (
      <form
        class="code-form"
        onSubmit={(e) => {
          e.preventDefault();
          enter(own);
        }}
      >
        <label>
          {say("name")}
          <input value={own} required maxLength={40} autocomplete="nickname" onInput={(e) => setOwn(e.currentTarget.value)} />
        </label>
        <button class="primary" disabled={!own.trim()}>{say("enterEvent")}</button>
      </form>
    );
  }
  if (report.stage === "over" || report.entrants[you]!.left) return null;
  return (
    <section class="own-place">
      {game ? (
        <p role="alert" class="call">
          <strong>{say("gameReady")}</strong> <a class="button primary" href={at(`/t/${game.table}`)}>{say("toTable")}</a>
        </p>
      ) : (
        <p role="status">{report.stage === "running" && report.rounds.length ? say("waitRound") : say("entered", report.entrants[you]!.name)}</p>
      )}
      <details>
        <summary>{report.entrants[you]!.name}</summary>
        <div class="invitation">
          <label>
            {say("ownLink")}
            <input readOnly value={`${location.origin}${at(`/e/${name}`)}#key=${key}`} onFocus={(e) => e.currentTarget.select()} />
          </label>
        </div>
        <button onClick={() => (sure ? leave() : setSure(true))}>{say(sure ? "sureWithdraw" : "withdraw")}</button>
      </details>
    </section>
  );
}

/** What the host may do. */
function HostDesk({ report, act }: { report: EventOverview; act: (path: string, body: object) => void }) {
  const [sure, setSure] = useState(false);
  if (report.stage === "over") return null;
  return (
    <section class="host-desk row">
      {report.stage === "gathering" && <button class="primary" disabled={report.entrants.length < 2} onClick={() => act("/begin", {})}>{say("beginEvent")}</button>}
      <button onClick={() => (sure ? act("/end", {}) : setSure(true))}>{say(sure ? "sureEnd" : "endEvent")}</button>
      {report.entrants.map((one, entrant) =>
        one.agent || one.left ? null : <button key={entrant} onClick={() => act("/remove", { entrant, name: one.name })}>{`${say("remove")}${say("colon")}${one.name}`}</button>,
      )}
    </section>
  );
}

const short = (points: number) => String(Math.round(points * 100) / 100);
const signed = (elo: number) => `${Math.round(elo) < 0 ? "−" : "+"}${Math.abs(Math.round(elo))}`;
const signedPayoff = (payoff: number) => `${payoff < 0 ? "−" : "+"}${Math.abs(payoff).toFixed(2)}`;

/** The rating of an entrant with its interval. */
function Rating({ of: { elo, payoff, interval } }: { of: EventStanding }) {
  const value = elo ?? payoff;
  if (value === undefined) return null;
  const text = elo === undefined ? signedPayoff : signed;
  return <>{text(value)} {interval && <small class="quiet">{`${text(interval.low)} … ${text(interval.high)}`}</small>}</>;
}

/** The displayed name of a player: agents of a level have names of their own. Null, and any number beyond the entrants, is the house. */
function nameOf({ entrants, plan }: EventOverview, player: number | null): string {
  const entrant = player === null ? undefined : entrants[player];
  if (!entrant) return say("house");
  return entrant.agent === entrant.name && plan.game.length === 1 ? calledAt(plan.game[0]!.name, entrant.name) : entrant.name;
}

function Standings({ report, you }: { report: EventOverview; you: number | null }) {
  const scoring = report.counts;
  const paid = scoring === "payoffs";
  const line = (one: EventStanding, rank: number) => {
    const entrant = report.entrants[one.entrant];
    const called = nameOf(report, one.entrant);
    return (
      <tr key={one.entrant} class={one.entrant === you ? "own" : undefined}>
        <td>{entrant ? rank + 1 : ""}</td>
        <th scope="row">
          {called}
          {entrant?.agent && entrant.agent !== called && <small class="quiet"> {entrant.agent}</small>}
          {!entrant && <small class="quiet"> {[...new Set(report.house)].join(say("comma"))}</small>}
          {entrant?.left && <small class="quiet"> {say("hasLeft")}</small>}
        </th>
        <td><b>{short(one.points)}</b></td>
        <td>{one.games}</td>
        {!paid && <td class="wide-only">{`${one.won}–${one.drawn}–${one.lost}`}</td>}
        <td class="wide-only">{one.faults || ""}</td>
        {scoring !== "mixed" && <td>{one.games ? <Rating of={one} /> : ""}</td>}
      </tr>
    );
  };
  return (
    <section>
      <h2>{say("standings")}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={say("standings")}>
        <table class="standings">
          <thead>
            <tr>
              <th scope="col"><abbr title={say("rank")}>#</abbr></th>
              <th scope="col">{say("who")}</th>
              <th scope="col">{say("pointsOf")}</th>
              <th scope="col">{say("gamesOf")}</th>
              {!paid && <th scope="col" class="wide-only">{say("wonDrawnLost")}</th>}
              <th scope="col" class="wide-only">{say("faults")}</th>
              {scoring !== "mixed" && <th scope="col">{paid ? `${measureName("mean payoff")}${say("inBrackets", "95 %")}` : say("ratingOf")}</th>}
            </tr>
          </thead>
          <tbody>{report.standings.map(line)}</tbody>
        </table>
      </div>
      {report.rounds.length > 0 && !report.identifiable && <p class="quiet small">{say("notIdentifiable")}</p>}
    </section>
  );
}

function Round({ report, number, you }: { report: EventOverview; number: number; you: number | null }) {
  const round = report.rounds[number]!;
  const current = number === report.rounds.length - 1;
  const boards = (
    <ol class="boards">
      {round.boards.map((board, i) => <BoardLine key={i} report={report} board={board} number={i} you={you} />)}
    </ol>
  );
  const title = report.plan.game.length > 1 ? `${say("roundNumber", number + 1)} · ${gameName(report.plan.game[round.game]!.name)}` : say("roundNumber", number + 1);
  if (current) return <section><h2>{title}</h2>{boards}</section>;
  return <details class="round"><summary>{title}</summary>{boards}</details>;
}

function BoardLine({ report, board, number, you }: { report: EventOverview; board: EventBoard; number: number; you: number | null }) {
  const played = board.games.some((game) => game.payoffs !== null);
  return (
    <li class={you !== null && board.players.includes(you) ? "own" : undefined}>
      <span class="quiet small">{say("tableNumber", number + 1)}</span>
      <ul class="players">
        {board.players.map((player, i) => (
          <li key={i}>
            <span>{nameOf(report, player)}</span>
            {played && <b>{short(board.points[i]!)}</b>}
          </li>
        ))}
      </ul>
      <span class="links">
        {board.games.map((game, i) => (
          <a key={game.table} class={game.payoffs === null ? "button" : undefined} href={at(`/t/${game.table}`)}>
            {game.payoffs === null ? `${say("watch")} ${board.of > 1 ? `${i + 1}/${board.of}` : ""}` : `${say("download")} ${board.of > 1 ? i + 1 : ""}`}
            {game.forfeit && <small class="quiet"> {game.forfeit}</small>}
          </a>
        ))}
      </span>
    </li>
  );
}

/** The form with which the host sets up an event of one game; events of several are set up by a file. */
function NewEvent({ host }: { host: string }) {
  const [game, setGame] = useState(catalog.value[0]!.name);
  const [name, setName] = useState("");
  const [kind, setKind] = useState<EventKind>("swiss");
  const [rounds, setRounds] = useState(4);
  const [players, setPlayers] = useState(usualPlayers(game));
  const [people, setPeople] = useState(16);
  const [agents, setAgents] = useState<string[]>([]);
  const [clock, setClock] = useState(0);
  const [absent, setAbsent] = useState<"agent" | "forfeit">("agent");
  const [problem, setProblem] = useState("");
  const complain = (error: Error) => setProblem(trouble(error.message));
  const details = useDetails(game, complain);
  const choose = (next: string, count: number) => {
    if (next !== game) setAgents([]);
    setGame(next);
    setPlayers(count);
  };
  const toggle = (spec: string) => setAgents((now) => (now.includes(spec) ? now.filter((one) => one !== spec) : [...now, spec]));
  const open = async (submitted: Event) => {
    submitted.preventDefault();
    const [move, all] = CLOCKS[clock]!;
    try {
      const { address } = await openEvent(
        {
          name: name.trim(), kind, rounds: kind === "swiss" ? rounds : null, people, listed: true, "move-seconds": move, "game-seconds": all, "come-seconds": 120, absent,
          game: [{ name: game, rules: playerCounts(game).length > 1 ? { players } : {} }], agent: agents.map((spec) => ({ spec })),
        },
        host,
      );
      go(address);
    } catch (error) {
      complain(error as Error);
    }
  };
  return (
    <form class="setup" onSubmit={open}>
      <h2>{say("newEvent")}</h2>
      <div class="fields">
        <label>
          {say("eventName")}
          <input value={name} required maxLength={40} onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        <GameFields game={game} players={players} label={say("perTable")} choose={choose} />
        <label>
          {say("kind")}
          <select value={kind} onChange={(e) => setKind(e.currentTarget.value as EventKind)}>
            <option value="swiss">{say("swiss")}</option>
            <option value="round-robin">{say("roundRobin")}</option>
          </select>
        </label>
        {kind === "swiss" && (
          <label>
            {say("rounds")}
            <input type="number" min="1" max="100" value={rounds} onInput={(e) => setRounds(Number(e.currentTarget.value))} />
          </label>
        )}
        <label>
          {say("places")}
          <input type="number" min="0" max="128" value={people} onInput={(e) => setPeople(Number(e.currentTarget.value))} />
        </label>
        <label>
          {say("clock")}
          <select value={clock} onChange={(e) => setClock(Number(e.currentTarget.value))}>
            {CLOCKS.map((one, i) => <option key={i} value={i}>{clockName(one)}</option>)}
          </select>
        </label>
        {players === 2 && (
          <label>
            {say("absentIs")}
            <select value={absent} onChange={(e) => setAbsent(e.currentTarget.value as "agent" | "forfeit")}>
              <option value="agent">{say("absentAgent")}</option>
              <option value="forfeit">{say("absentForfeit")}</option>
            </select>
          </label>
        )}
      </div>
      <fieldset>
        <legend>{say("agentsIn")}</legend>
        {details?.levels.map((level) => (
          <label class="check" key={level.agent}>
            <input type="checkbox" checked={agents.includes(level.agent)} onChange={() => toggle(level.agent)} /> {`${personName(level.name)} · ${say(level.name)}`}
          </label>
        ))}
      </fieldset>
      {problem && <p role="alert" class="problem">{problem}</p>}
      <button class="primary">{say("openEvent")}</button>
    </form>
  );
}
