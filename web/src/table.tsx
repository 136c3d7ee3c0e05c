// A table: the board, what may be done, what happened, and what an agent thinks of it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Analysis, askCurve, costSentence, costliest } from "./analysis";
import { lookOf } from "./boards";
import { Chat } from "./chat";
import { catalog, gameName } from "./catalog";
import { Connection, invitationsOf, takeKeys } from "./connection";
import { exportAnimation, exportPicture } from "./export";
import { keepPause, pause } from "./pace";
import { calledAt, FaceOf } from "./persons";
import { keepRecent } from "./recent";
import { at, go, path } from "./router";
import { CopyLink, Invitation, shared } from "./share";
import { knock } from "./sound";
import { useTask } from "./task";
import { worth } from "./worth";
import type { ActionReport, Clock, Ending, Eyes, Insight, TableReply, Update } from "./types";
import { Waiting } from "./waiting";
import { language, phrase, player, say, trouble } from "./words";

/** What an address asks to be shown: `#ply=37&seat=1`. */
function askedFor(): { ply: number | null; eyes: Eyes | null } {
  const asked = new URLSearchParams(location.hash.slice(1));
  const [ply, seat] = [asked.get("ply"), asked.get("seat")];
  const eyes: Eyes | null = seat === "all" ? "everything" : seat === "none" ? "spectator" : seat !== null && /^\d$/.test(seat) ? { seat: Number(seat) } : null;
  return { ply: ply !== null && /^\d+$/.test(ply) ? Number(ply) : null, eyes };
}

export function TablePage({ name }: { name: string }) {
  const connection = useMemo(() => {
    takeKeys(name);
    return new Connection(name);
  }, [name]);
  useEffect(() => () => connection.close(), [connection]);
  const { status, table, update, moved } = connection;
  useEffect(() => {
    if (moved.value) go(`/t/${moved.value}`);
  }, [moved.value]);
  // What the address asks for is asked of the server once there is a table.
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current || !update.value) return;
    asked.current = true;
    const { ply, eyes } = askedFor();
    if (ply !== null || eyes) connection.look(ply, eyes ?? undefined);
  }, [update.value]);

  const game = table.value?.game;
  const gone = status.value === "closed";
  useEffect(() => {
    document.title = gone ? `${say("noTable")} · Oboro 朧` : game ? `${gameName(game)} · Oboro 朧` : "Oboro 朧";
  }, [game, gone, language.value, catalog.value]);

  if (status.value === "closed") {
    return (
      <div class="page" role="alert">
        <p>{connection.error.value ? say("closed", trouble(connection.error.value)) : say("noTable")}</p>
        <a class="button primary" href={at("/")}>{say("newGame")}</a>
      </div>
    );
  }
  if (status.value === "taken-over") {
    return (
      <div class="page" role="alert">
        <p>{say("takenOver")}</p>
        <button class="primary" onClick={() => connection.reclaim()}>{say("takeOver")}</button>
      </div>
    );
  }
  if (table.value?.room?.gathering) return <Waiting connection={connection} table={table.value} />;
  if (!table.value || !update.value) return <p class="page" role="status">{say("connecting")}</p>;
  return <Seated connection={connection} table={table.value} update={update.value} />;
}

const TABS = ["actions", "story", "analysis"] as const;
/** Below this width the panels are under the board. */
const NARROW = "(max-width: 52rem)";

/** The advice of the game's best agent: the action of the highest expected result, drawn onto the board. */
function useHint(connection: Connection, update: Update, own: number[]) {
  const [asking, setAsking] = useState(false);
  const advice = connection.advice.value?.["for-ply"] === update.ply && update.actions ? connection.advice.value : null;
  useEffect(() => setAsking(false), [update.plies, advice]);
  const ask = () => {
    setAsking(true);
    connection.send({ type: "hint", seat: update["to-act"] ?? own[0], ply: update.ply });
  };
  const evaluation = advice?.evaluation;
  const advised = evaluation && update.actions?.find((action) => action.action === evaluation.best);
  const insight = connection.insight.value;
  // Beliefs that are on show stay; of the values only the best is drawn.
  const shown: Insight | null = evaluation
    ? { ...(insight ?? { type: "insight", "for-ply": update.ply, depth: 0, final: true, agent: evaluation.agent, seat: advice!.seat, beliefs: [], baseline: [] }), evaluation: { ...evaluation, values: evaluation.values.slice(0, 1) } }
    : insight;
  return { ask, shown, text: asking ? say("asking") : advised ? say("hinted", phrase(advised.text)) : "" };
}

/** Seats that other people are to take: their addresses, and the choice to play them here. */
function Invitations({ connection, table }: { connection: Connection; table: TableReply }) {
  const open = invitationsOf(table.table).filter(({ seat }) => !table.seats[seat]?.here);
  return (
    <>
      {open.map(({ seat, key }) => (
        <div class="invited" key={seat}>
          <Invitation label={say("inviteHint", player(seat))} address={`${shared(`/t/${table.table}`)}#keys=${key}`} code />
          <button onClick={() => connection.join(key)}>{say("playToo", player(seat))}</button>
        </div>
      ))}
    </>
  );
}

function Seated({ connection, table, update }: { connection: Connection; table: TableReply; update: Update }) {
  const [chosen, setTab] = useState<(typeof TABS)[number]>("actions");
  // Between people no agent is asked before the end, unless they chose so.
  const task = useTask(connection, table.table, update);
  const assisted = table.hints && (!task.panel || update.outcome !== null);
  const tabs = TABS.filter((name) => name !== "analysis" || assisted);
  const tab = tabs.includes(chosen) ? chosen : "actions";
  const stage = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  // How often the analysis was opened from the card at the end: it then begins by itself.
  const [opened, setOpened] = useState(0);
  const { Board } = lookOf(table.game);
  const own = table.seats.filter((seat) => seat.you).map((seat) => seat.seat);
  const seen = typeof update.eyes === "object" ? update.eyes.seat : null;
  const following = update.ply === update.plies;
  const myTurn = following && update["to-act"] !== null && own.includes(update["to-act"]);
  // Whoever plays with the keyboard goes on where it was.
  const focused = useRef("");
  const play = myTurn
    ? (action: string) => {
        const at = document.activeElement;
        focused.current = at?.closest(".canvas") ? ".canvas [tabindex='0'], .canvas button:not(:disabled)" : at?.closest(".actions") ? "#find" : "";
        task.hear(action);
        connection.send({ type: "play", seat: update["to-act"], action });
      }
    : undefined;
  useLayoutEffect(() => {
    if (!myTurn || !focused.current || (document.activeElement !== document.body && document.activeElement !== null)) return;
    document.querySelector<HTMLElement>(focused.current)?.focus({ preventScroll: true });
  }, [myTurn, update.plies]);
  // Who plays several seats in one window sees with the eyes of the one whose turn it is.
  useEffect(() => {
    const turn = update["to-act"];
    if (myTurn && own.length > 1 && turn !== null && seen !== turn) connection.look(null, { seat: turn });
  }, [update]);
  // At the end everything that was hidden is shown.
  const wasOver = useRef(update.outcome !== null);
  useEffect(() => {
    if (update.outcome && !wasOver.current && own.length > 0) connection.look(update.plies, "everything");
    wasOver.current = update.outcome !== null;
  }, [update.outcome !== null]);
  // The game is found again on the first page.
  useEffect(() => {
    if (own.length === 0 || table.study || task.panel) return;
    const others = table.seats.filter((seat) => !seat.you).map((seat) => seat.name);
    keepRecent({ table: table.table, game: table.game, others, result: update.outcome && verdict(update.outcome.payoffs, own[0]!) });
  }, [table.table, update.outcome !== null]);
  // With one person at the table, agents move as slowly as that person likes.
  const alone = own.length === 1 && !table.event && table.seats.every((seat) => seat.agent || seat.you);
  useEffect(() => {
    if (alone && !update.outcome && (table.pace ?? 0) !== pause.value) connection.send({ type: "pace", pause: pause.value });
  }, [alone, pause.value]);
  const heard = useRef(update.plies);
  useEffect(() => {
    if (following && update.plies > heard.current) knock(myTurn);
    heard.current = update.plies;
  }, [update.plies]);
  const hint = useHint(connection, update, own);
  const last = connection.story.value[update.ply - 1] ?? null;
  // What happened since everybody else moved: a round of the table, as far as it goes.
  const recent = connection.story.value.slice(Math.max(0, update.ply - table.seats.length), update.ply);
  const look = (ply: number | null, eyes: Eyes = connection.eyes) => {
    connection.look(ply !== null && ply >= update.plies && !update.outcome && !table.study ? null : ply, eyes);
    const seat = eyes === "everything" ? "all" : eyes === "spectator" ? "none" : eyes.seat;
    history.replaceState(null, "", ply === null ? location.pathname : `#ply=${ply}&seat=${seat}`);
  };

  /** Goes to a decision and shows what the analysis thinks of it. */
  const analyse = (ply: number, seat: number | null) => {
    look(ply, seat === null ? update.eyes : { seat });
    setTab("analysis");
    setOpened((count) => count + 1);
    if (matchMedia(NARROW).matches) setTimeout(() => panel.current?.scrollIntoView({ block: "nearest" }));
  };

  useLayoutEffect(() => {
    const step = (event: KeyboardEvent) => {
      if ((event.target as Element).closest?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const target: Record<string, number> = { ArrowLeft: update.ply - 1, ArrowRight: update.ply + 1, Home: 0, End: update.plies };
      const ply = target[event.key];
      if (ply !== undefined) {
        event.preventDefault();
        look(Math.max(0, Math.min(update.plies, ply)));
      } else if (event.key === "a" && assisted) setTab("analysis");
      else if (event.key === "/") {
        event.preventDefault();
        setTab("actions");
        setTimeout(() => document.getElementById("find")?.focus());
      }
    };
    addEventListener("keydown", step);
    return () => removeEventListener("keydown", step);
  });

  // Two people at one screen do not see each other's secrets: a curtain falls before each of them moves.
  const [uncovered, setUncovered] = useState<number | null>(own[0] ?? null);
  const next = update["to-act"];
  if (own.length > 1 && myTurn && next !== null && uncovered !== next) {
    return (
      <div class="page curtain">
        <h1>{say("theirTurn", player(next))}</h1>
        <p>{say("handOver", player(next))}</p>
        <button class="primary" onClick={() => setUncovered(next)}>{say("uncover")}</button>
      </div>
    );
  }

  return (
    <div class={`table game-${table.game}`}>
      <section class="stage" aria-label={gameName(table.game)}>
        <h1 class="sr-only">{gameName(table.game)}</h1>
        <Seats table={table} update={update} />
        <Status connection={connection} table={table} update={update} own={own} myTurn={myTurn} hint={hint.text} />
        {task.panel}
        <Invitations connection={connection} table={table} />
        <p class="sr-only" aria-live="polite">{last && following ? phrase(last.text) : ""}</p>
        <div class={`canvas ${task.guided ? "guided" : ""}`} ref={stage} aria-busy={connection.unsettled.value !== null}>
          <Board scene={update.scene} actions={task.actions} play={play} bottom={seen ?? own[0] ?? 0} last={last} recent={recent} live={following && update.outcome === null} insight={hint.shown} />
        </div>
        <Controls connection={connection} table={table} update={update} own={own} look={look} stage={stage} ask={myTurn && assisted ? hint.ask : undefined} />
        <Chat connection={connection} table={table} seat={own[0]} nameOf={(seat) => nameOf(table, seat, own)} />
      </section>
      <aside class="side">
        {update.outcome && <Result connection={connection} table={table} update={update} own={own} analyse={assisted ? analyse : undefined} />}
        <div
          role="tablist"
          class="tabs"
          aria-label={gameName(table.game)}
          onKeyDown={(event) => {
            const step = { ArrowLeft: 2, ArrowRight: 1 }[event.key];
            if (!step) return;
            event.preventDefault();
            event.stopPropagation();
            const next = tabs[(tabs.indexOf(tab) + step) % tabs.length]!;
            setTab(next);
            document.getElementById(`tab-${next}`)?.focus();
          }}
        >
          {tabs.map((name) => (
            <button key={name} role="tab" id={`tab-${name}`} aria-selected={tab === name} tabIndex={tab === name ? 0 : -1} aria-controls="panel" onClick={() => setTab(name)}>
              {say(name)}
            </button>
          ))}
        </div>
        <div role="tabpanel" id="panel" ref={panel} aria-labelledby={`tab-${tab}`} class="panel" tabIndex={0}>
          {tab === "actions" && !(task.guided && myTurn && !task.actions) && <ActionList actions={play ? task.actions : null} play={play} over={update.outcome !== null} />}
          {tab === "story" && <Story connection={connection} update={update} look={look} ending={forfeitText(table, update.ending, own)} />}
          {tab === "analysis" && <Analysis connection={connection} table={table} update={update} own={own} look={look} opened={opened} />}
        </div>
      </aside>
    </div>
  );
}

function Seats({ table, update }: { table: TableReply; update: Update }) {
  return (
    <ul class="seats">
      {table.seats.map((seat) => (
        <li key={seat.seat} class={`seat p${seat.seat} ${update["to-act"] === seat.seat ? "turn" : ""}`} aria-current={update["to-act"] === seat.seat ? "true" : undefined}>
          <i class="token" aria-hidden="true" />
          <FaceOf game={table.game} name={seat.name} />
          <span class="who">{seat.you ? say("you") : player(seat.seat)}</span>
          {seat.name !== "person" && <span class="name" title={seat.name}>{calledAt(table.game, seat.name)}</span>}
          {seat["stand-in"] && <span class="name">{say("standsIn")}</span>}
          {!table.study && !seat.agent && !seat.open && !seat.you && <span class={`name presence ${seat.here ? "here" : ""}`}>{say(seat.here ? "here" : "away")}</span>}
          {update.clock && <Time clock={update.clock} seat={seat.seat} />}
          {update.outcome && <b class="payoff">{worth(update.outcome.payoffs, seat.seat)}</b>}
        </li>
      ))}
      {table.watchers > 0 && !table.study && table.talk && <li class="watchers">{say(table.watchers === 1 ? "oneWatcher" : "watcherCount", table.watchers)}</li>}
    </ul>
  );
}

/** What is left of a seat's time, counted on from what the server said. */
function Time({ clock, seat }: { clock: Clock; seat: number }) {
  const said = useRef({ clock, at: performance.now() });
  if (said.current.clock !== clock) said.current = { clock, at: performance.now() };
  const [, beat] = useState(0);
  const running = clock.running === seat;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => beat((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [running]);
  const left = running && clock["for-move"] !== null ? Math.min(clock["for-move"], clock.seats[seat] ?? Infinity) : clock.seats[seat];
  if (left == null) return null;
  const seconds = Math.max(0, Math.ceil((left - (running ? performance.now() - said.current.at : 0)) / 1000));
  return <time class={`clock ${running && seconds <= 10 ? "short" : ""}`}>{`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}</time>;
}

/** In a room: an agent plays on for whoever leaves, and the same people go on together. */
function RoomControls({ connection, table, update, own }: { connection: Connection; table: TableReply; update: Update; own: number[] }) {
  const seat = own[0];
  const next = table.next;
  if (table.event) {
    const back = <a class={`button ${update.outcome ? "primary" : ""}`} href={at(`/e/${table.event}`)}>{say("backToEvent")}</a>;
    const leaves = !update.outcome && seat !== undefined && !table.room?.["lose-when-away"];
    return <>{back}{leaves && <Deputy connection={connection} table={table} seat={seat} />}</>;
  }
  if (next) return <a class="button primary" href={at(`/t/${next}`)} onClick={() => connection.follow(next)}>{say("nextTable")}</a>;
  if (!table.room || update.outcome || seat === undefined) return null;
  return <Deputy connection={connection} table={table} seat={seat} />;
}

/** Leaves the own seat to an agent, or takes it back. */
function Deputy({ connection, table, seat }: { connection: Connection; table: TableReply; seat: number }) {
  return table.seats[seat]!["stand-in"] ? (
    <button class="primary" onClick={() => connection.send({ type: "return", seat })}>{say("comeBack")}</button>
  ) : (
    <button onClick={() => connection.send({ type: "leave", seat })}>{say("letAgentPlay")}</button>
  );
}

/** What a seat is called in a sentence; several of one name are told apart by their seats. */
function nameOf(table: TableReply, seat: number, own: number[]): string {
  if (own.length === 1 && own[0] === seat) return say("you");
  const name = table.seats[seat]?.name ?? "person";
  if (name === "person") return player(seat);
  const called = calledAt(table.game, name);
  return table.seats.some((other) => other.seat !== seat && other.name === name) ? player(seat) + say("inBrackets", called) : called;
}

/** What a game came to for a seat. */
function verdict(payoffs: number[], seat: number): "won" | "lost" | "drawn" {
  const best = Math.max(...payoffs);
  return payoffs[seat] !== best ? "lost" : payoffs.every((payoff) => payoff === best) ? "drawn" : "won";
}

/** Who won, from the seat of whoever looks. */
function resultOf(table: TableReply, update: Update, own: number[]): string {
  const payoffs = update.outcome!.payoffs;
  if (own.length === 1) return say(verdict(payoffs, own[0]!));
  const winners = payoffs.flatMap((_, seat) => (verdict(payoffs, seat) === "won" ? [seat] : []));
  if (winners.length === 0) return say("drawn");
  if (winners.length > 1) return say("several", winners.map((seat) => player(seat)).join(say("comma")));
  return say("someoneWon", nameOf(table, winners[0]!, own));
}

/** Who gave the game up, and why; nothing if nobody did. */
function forfeitText(table: TableReply, ending: Ending | null, own: number[]): string {
  if (!ending?.forfeit) return "";
  const { seat, reason } = ending.forfeit;
  const who = nameOf(table, seat, own);
  const known = { resigned: "resigned", "out of time": "outOfTime", away: "wasAway" } as const;
  return reason in known ? say(known[reason as keyof typeof known], who) : say("forfeited", who, trouble(reason));
}

/** The card at the end: who won and why, the costliest move, and another game. */
function Result({ connection, table, update, own, analyse }: { connection: Connection; table: TableReply; update: Update; own: number[]; analyse: ((ply: number, seat: number | null) => void) | undefined }) {
  const seat = own.length === 1 ? own[0]! : null;
  // One's own decisions are judged as soon as the game is over, also where nobody might ask an agent before.
  const judged = seat !== null && table.hints && !table.study && !!analyse;
  useEffect(() => {
    if (judged && connection.curve.value.length === 0) void askCurve(connection, table.game, seat);
  }, [judged]);
  const outcome = update.outcome!;
  const ending = update.ending;
  const forfeit = forfeitText(table, ending, own);
  const ranked = outcome.payoffs.map((_, at) => at).sort((a, b) => outcome.payoffs[b]! - outcome.payoffs[a]!);
  const progress = connection.curve.value.at(-1);
  const worst = seat === null ? undefined : costliest(connection.curve.value, seat, 1)[0];
  const judging = seat !== null && progress && progress.done < progress.of;
  return (
    <section class="result" aria-label={say("resultTitle")}>
      <h2>{resultOf(table, update, own)}</h2>
      {forfeit && <p>{forfeit}</p>}
      {ending?.reasons.map((reason) => <p key={reason.en}>{phrase(reason)}</p>)}
      <ol class="ranking">
        {ranked.map((at) => (
          <li key={at} class={`p${at}`}>
            <i class="token" aria-hidden="true" />
            <span>{nameOf(table, at, own)}</span> <b>{worth(outcome.payoffs, at)}</b>
          </li>
        ))}
      </ol>
      {judging && <p class="quiet">{say("judging", progress.done, progress.of)}</p>}
      {worst && !judging && (
        <div class="costliest">
          <h3>{say("costliest")}</h3>
          <p>{costSentence(connection, worst)}</p>
          <button onClick={() => analyse?.(worst.ply, seat)}>{say("showMove")}</button>
        </div>
      )}
      {analyse && !worst && !judging && (
        <div class="costliest">
          {judged && progress && <p class="quiet">{say("noCost")}</p>}
          <button onClick={() => analyse(Math.max(0, update.plies - 1), null)}>{say("openAnalysis")}</button>
        </div>
      )}
      {own.length > 0 && !table.event && (
        <div class="row">
          <button class="primary" onClick={() => connection.send({ type: "again", swap: false })}>{say("again")}</button>
          <button onClick={() => connection.send({ type: "again", swap: true })}>{say("swapped")}</button>
        </div>
      )}
    </section>
  );
}

interface StatusProps {
  connection: Connection;
  table: TableReply;
  update: Update;
  own: number[];
  myTurn: boolean;
  hint: string;
}

function Status({ connection, table, update, own, myTurn, hint }: StatusProps) {
  // Nobody is called "you" here: an agent may play for the own seat.
  const who = (seat: number) => nameOf(table, seat, []);
  // Why it ended stands here, too, unless there is much to say: on a telephone the card is below the board.
  const reasons = update.ending?.reasons ?? [];
  const why = reasons.length === 1 ? phrase(reasons[0]!) : "";
  const result = () => [resultOf(table, update, own), forfeitText(table, update.ending, own), why].filter(Boolean).join(" · ");
  // Of an earlier position it is told whose turn it was.
  const text = update.outcome && update.ply === update.plies
    ? result()
    : myTurn
      ? update.actions?.length === 1
        ? say("forced", phrase(update.actions[0]!.text))
        : say("yourTurn")
      : update.thinking !== null
        ? say("thinking", who(update.thinking))
        : update["to-act"] !== null
          ? own.includes(update["to-act"]) ? say("yourTurn") : say("theirTurn", who(update["to-act"]))
          : "";
  return (
    <p class={`status ${myTurn ? "mine" : ""}`} role="status" aria-live="polite">
      {connection.status.value === "lost" ? say("lostConnection") : text}
      <span class="hint">{hint}</span>
      {connection.error.value && <span class="problem" role="alert">{trouble(connection.error.value)}</span>}
    </p>
  );
}

interface ControlsProps {
  connection: Connection;
  table: TableReply;
  update: Update;
  own: number[];
  look: (ply: number | null, eyes?: Eyes) => void;
  stage: { current: HTMLDivElement | null };
  /** Asks for a hint; undefined where there is nothing to decide. */
  ask: (() => void) | undefined;
}

const ICONS = { first: "M4 3v10M13 3L6 8l7 5z", back: "M11 3L5 8l6 5z", forward: "M5 3l6 5-6 5z", last: "M12 3v10M3 3l7 5-7 5z" };

function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" class="icon" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

const PACES = [2000, 800, 250, 0];

function Controls({ connection, table, update, own, look, stage, ask }: ControlsProps) {
  const [sure, setSure] = useState(false);
  useEffect(() => setSure(false), [update.plies]);
  const open = table.study || update.outcome !== null;
  // Where only agents play, everybody may look from every seat.
  const watching = !table.study && !table.event && table.seats.every((seat) => seat.agent);
  const eyesValue = typeof update.eyes === "object" ? String(update.eyes.seat) : update.eyes;
  const readEyes = (value: string): Eyes => (value === "spectator" || value === "everything" ? value : { seat: Number(value) });
  const seatName = typeof update.eyes === "object" ? update.eyes.seat : update.eyes === "everything" ? "all" : "none";
  const onlyAgents = !table.study && table.seats.every((seat) => seat.agent);
  return (
    <div class="controls">
      <div class="row steps">
        <button aria-label={say("firstPly")} title={say("firstPly")} disabled={update.ply === 0} onClick={() => look(0)}><Icon name="first" /></button>
        <button aria-label={say("previous")} title={say("previous")} disabled={update.ply === 0} onClick={() => look(update.ply - 1)}><Icon name="back" /></button>
        <span class="count" aria-live="off">{update.ply} / {update.plies}</span>
        <button aria-label={say("next")} title={say("next")} disabled={update.ply >= update.plies} onClick={() => look(update.ply + 1)}><Icon name="forward" /></button>
        <button aria-label={open ? say("lastPly") : say("live")} title={open ? say("lastPly") : say("live")} disabled={update.ply >= update.plies} onClick={() => look(open ? update.plies : null)}><Icon name="last" /></button>
      </div>
      <div class="row">
        <RoomControls connection={connection} table={table} update={update} own={own} />
        <a class="button" href={at(`/rules/${table.game}`)} target="_blank" rel="noreferrer">{say("short")}</a>
        {own.length > 0 && !update.outcome && (
          <>
            {!table.event && <button disabled={!ask} onClick={ask}>{say("hint")}</button>}
            {table["take-back"] && <button disabled={update.plies === 0} onClick={() => connection.send({ type: "take-back" })}>{say("takeBack")}</button>}
            {(!table.event || table.seats.length === 2) && <button onClick={() => (sure ? connection.send({ type: "resign", seat: own.find((seat) => seat === update["to-act"]) ?? own[0] }) : setSure(true))}>{say(sure ? "sure" : "resign")}</button>}
          </>
        )}
        {!onlyAgents && !table.study && !update.outcome && (
          <label class="inline">
            {say("paceOf")}
            <select value={String(pause.value)} onChange={(e) => keepPause(Number(e.currentTarget.value))}>
              {[...new Set([1500, 600, 250, 0, pause.value])].sort((a, b) => b - a).map((one) => <option key={one} value={one}>{one ? say("seconds", one / 1000) : say("fastest")}</option>)}
            </select>
          </label>
        )}
        {onlyAgents && !update.outcome && !table.event && (
          <label class="inline">
            {say("speed")}
            <select value={table.pace === null ? "halt" : String(table.pace)} onChange={(e) => connection.send({ type: "pace", pause: e.currentTarget.value === "halt" ? null : Number(e.currentTarget.value) })}>
              <option value="halt">{say("pause")}</option>
              {PACES.map((pace) => <option key={pace} value={pace}>{pace ? say("seconds", pace / 1000) : say("fastest")}</option>)}
            </select>
          </label>
        )}
        {(open || watching) && (
          <>
            <label class="inline">
              {say("eyes")}
              <select value={eyesValue} onChange={(e) => look(open ? update.ply : null, readEyes(e.currentTarget.value))}>
                {table.seats.map((seat) => <option key={seat.seat} value={seat.seat}>{player(seat.seat)}</option>)}
                <option value="spectator">{say("spectator")}</option>
                <option value="everything">{say("everything")}</option>
              </select>
            </label>
          </>
        )}
        {open && (
          <>
            <a class="button" href={at(`/api/tables/${table.table}/record`)} download={`${table.game}-${table.table}.txt`}>{say("download")}</a>
            <button onClick={() => stage.current && exportPicture(stage.current, `${table.game}-${update.ply}`)}>{say("picture")}</button>
            <button onClick={() => stage.current && exportAnimation(connection, stage.current, table.game)}>{say("animation")}</button>
            <CopyLink address={`${shared(path.value)}#ply=${update.ply}&seat=${seatName}`} />
          </>
        )}
      </div>
    </div>
  );
}

/** Every action as a list: to be clicked, walked through with the keys, or typed. */
function ActionList({ actions, play, over }: { actions: ActionReport[] | null; play: ((action: string) => void) | undefined; over: boolean }) {
  const [wanted, setWanted] = useState("");
  useLayoutEffect(() => setWanted(""), [actions]);
  if (!actions?.length) return <p class="quiet">{say(over ? "gameOverList" : "notYourTurn")}</p>;
  const words = wanted.toLowerCase().trim();
  const fits = (action: ActionReport) => `${action.action} ${phrase(action.text)}`.toLowerCase().includes(words);
  const fitting = actions.filter(fits);
  const exact = actions.find((action) => action.action.toLowerCase() === words);
  const choose = exact ?? (fitting.length === 1 ? fitting[0] : undefined);
  const walk = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const list = [...document.querySelectorAll<HTMLElement>(".actions button")];
    const at = list.indexOf(document.activeElement as HTMLElement);
    list[event.key === "ArrowDown" ? at + 1 : at - 1]?.focus();
  };
  return (
    <form
      class="actions"
      onKeyDown={walk}
      onSubmit={(e) => {
        e.preventDefault();
        if (choose && play) play(choose.action);
      }}
    >
      <input id="find" type="search" aria-label={say("find")} placeholder={say("find")} value={wanted} onInput={(e) => setWanted(e.currentTarget.value)} autocomplete="off" />
      <ul>
        {fitting.slice(0, 120).map((action) => (
          <li key={action.action}>
            <button type="button" disabled={!play} onClick={() => play?.(action.action)}>
              <span>{phrase(action.text)}</span> <code>{action.action}</code>
            </button>
          </li>
        ))}
        {fitting.length > 120 && <li class="quiet">… {fitting.length - 120}</li>}
      </ul>
    </form>
  );
}

function Story({ connection, update, look, ending }: { connection: Connection; update: Update; look: (ply: number) => void; ending: string }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [update.ply, language.value]);
  return (
    <ol class="story" ref={list}>
      {connection.story.value.map((event) => (
        <li key={event.ply} class={`p${event.seat}`} aria-current={event.ply === update.ply ? "step" : undefined}>
          <button onClick={() => look(event.ply)}>
            <span class="ply">{event.ply}</span> {phrase(event.text)}
          </button>
        </li>
      ))}
      {ending && <li class="ending">{ending}</li>}
    </ol>
  );
}
