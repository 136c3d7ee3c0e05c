// A table with a task: a chapter of a guided game, or a puzzle. The task stands above the board of the table it belongs to.
import { useEffect, useState } from "preact/hooks";
import { openTable, sit } from "./api";
import { catalog, gameName, playerCounts, usualPlayers } from "./catalog";
import type { Connection } from "./connection";
import { guides, keepLearned, type Chapter } from "./guides";
import { Face, personName } from "./persons";
import { keepSolved, startPuzzle, streak, taskText } from "./puzzles";
import { read, write } from "./kept";
import { at } from "./router";
import type { ActionReport, EventReport, Update } from "./types";
import { ownName, phrase, say, trouble } from "./words";

export type Task =
  | { kind: "guide"; game: string; chapter: number; read: number }
  | { kind: "puzzle"; game: string; number: number; day: number | null; moves: number; solution: string; first: string | null };

const named = (table: string) => `task-${table}`;

/** The task of a table, kept in this browser; none for most tables. */
export const taskOf = (table: string): Task | null => read<Task | null>(named(table), null);
export const keepTask = (table: string, task: Task) => write(named(table), task);

/** Sets the table of a chapter of a guided game. */
export async function startChapter(game: string, chapter: number) {
  const { rules, seed, position, others } = guides[game]![chapter]!;
  const agents = others.map((spec) => ({ kind: "agent" as const, spec }));
  const opened = await openTable({ game, rules, seats: [{ kind: "person", name: "" }, ...agents], seed, ...(position ? { position } : {}) });
  keepTask(opened.table, { kind: "guide", game, chapter, read: 0 });
  sit(opened, 0);
}

/** Sets a table against the easiest opponents. */
async function startEasy(game: string) {
  const spec = catalog.value.find((one) => one.name === game)!.levels[0]!.agent;
  const players = usualPlayers(game);
  const agents = Array.from({ length: players - 1 }, () => ({ kind: "agent" as const, spec }));
  const rules = playerCounts(game).length > 1 ? { players } : {};
  sit(await openTable({ game, rules, seats: [{ kind: "person", name: ownName() }, ...agents] }), 0);
}

/** The number of the step that comes next: steps with actions are over once such an action was played, the others once they are read. */
function nextStep(chapter: Chapter, done: EventReport[], seen: number): number {
  let left = seen;
  const played = [...done];
  const isOver = ({ allow }: Chapter["steps"][number]) => {
    if (!allow) return left-- > 0;
    const found = played.findIndex((event) => allow(event.parts as Record<string, unknown>));
    if (found >= 0) played.splice(0, found + 1);
    return found >= 0;
  };
  const open = chapter.steps.findIndex((step) => !isOver(step));
  return open < 0 ? chapter.steps.length : open;
}

/** What a task allows of the actions, what it says, and how it hears of an action; nothing changes without a task. */
export function useTask(connection: Connection, table: string, update: Update) {
  const [task, setTask] = useState(() => taskOf(table));
  const own = connection.story.value.filter((event) => event.seat === 0);
  const keep = (next: Task) => {
    keepTask(table, next);
    setTask(next);
  };
  if (!task) return { actions: update.actions, panel: null, guided: false, hear: () => {} };
  if (task.kind === "puzzle") {
    const hear = (action: string) => own.length === 0 && keep({ ...task, first: action });
    return { actions: update.actions, panel: <PuzzlePanel task={task} update={update} own={own.length} />, guided: false, hear };
  }
  const chapter = guides[task.game]![task.chapter]!;
  const number = nextStep(chapter, own, task.read);
  const allow = chapter.steps[number]?.allow;
  const actions = allow ? (update.actions?.filter((action: ActionReport) => allow(action.parts as Record<string, unknown>)) ?? null) : null;
  return { actions, panel: <GuidePanel task={task} step={number} next={() => keep({ ...task, read: task.read + 1 })} />, guided: true, hear: () => {} };
}

/** What went wrong when a table was set, whether one is being set, and how to set one. */
function useStart(): [string, boolean, (work: () => Promise<void>) => void] {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const start = (work: () => Promise<void>) => {
    setBusy(true);
    work().catch((error: Error) => {
      setProblem(trouble(error.message));
      setBusy(false);
    });
  };
  return [problem, busy, start];
}

function GuidePanel({ task, step, next }: { task: Task & { kind: "guide" }; step: number; next: () => void }) {
  const [problem, busy, start] = useStart();
  const chapters = guides[task.game]!;
  const chapter = chapters[task.chapter]!;
  const over = step === chapter.steps.length;
  const last = task.chapter === chapters.length - 1;
  useEffect(() => {
    if (over && last) keepLearned(task.game);
  }, [over && last]);
  return (
    <section class="task" aria-label={say("guide")}>
      <p class="quiet">{say("guideStep", gameName(task.game), task.chapter + 1, chapters.length)}</p>
      <p class="task-text" role="status">{over ? say(last ? "guideEnd" : "guideDone") : say(chapter.steps[step]!.text)}</p>
      {problem && <p role="alert" class="problem">{problem}</p>}
      {over && !last && <button class="primary" disabled={busy} onClick={() => start(() => startChapter(task.game, task.chapter + 1))}>{say("guideNext")}</button>}
      {over && last && (
        <button class="primary with-face" disabled={busy} onClick={() => start(() => startEasy(task.game))}>
          <Face level="easy" /> {say("playAgainst", personName("easy"))}
        </button>
      )}
      {!over && !chapter.steps[step]!.allow && <button class="primary" onClick={next}>{say("guideNext")}</button>}
    </section>
  );
}

function PuzzlePanel({ task, update, own }: { task: Task & { kind: "puzzle" }; update: Update; own: number }) {
  const [problem, busy, start] = useStart();
  const [shown, setShown] = useState(false);
  const { game, number, day, moves, solution, first } = task;
  const won = first === solution && update.outcome !== null && update.outcome.payoffs[0] === Math.max(...update.outcome.payoffs) && own <= moves;
  const wrong = !won && own > 0 && (first !== solution || own >= moves || update.outcome !== null);
  const [days, setDays] = useState(streak);
  useEffect(() => {
    if (!won) return;
    keepSolved(game, number, day);
    setDays(streak());
  }, [won]);
  const told = update.actions?.find((action) => action.action === solution);
  return (
    <section class="task" aria-label={say("puzzle")}>
      <p class="quiet">{say("puzzleOf", gameName(game), number + 1)}</p>
      <p class="task-text" role="status">{won ? `${say("puzzleSolved")} ${say("streak", days)}` : wrong ? say(first === solution ? "puzzleSlow" : "puzzleWrong") : own > 0 ? say("puzzleGoOn", moves - own) : taskText(game, moves)}</p>
      {problem && <p role="alert" class="problem">{problem}</p>}
      <div class="row">
        {wrong && <button class="primary" disabled={busy} onClick={() => start(() => startPuzzle(game, number, day))}>{say("tryAgain")}</button>}
        {won && <a class="button primary" href={at("/puzzles")}>{say("morePuzzles")}</a>}
        {!won && !wrong && own === 0 && told && (shown ? <p class="solution">{phrase(told.text)}</p> : <button onClick={() => setShown(true)}>{say("showSolution")}</button>)}
      </div>
    </section>
  );
}

/** The page that starts a guided game. */
export function Learn({ game }: { game: string }) {
  const [problem, busy, start] = useStart();
  return (
    <div class="page">
      <h1>{gameName(game)}</h1>
      <p class="intro quiet">{say("learnIntro")}</p>
      {problem && <p role="alert" class="problem">{problem}</p>}
      <button class="primary" disabled={busy} onClick={() => start(() => startChapter(game, 0))}>{say("learnStart")}</button>
    </div>
  );
}
