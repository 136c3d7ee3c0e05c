// Puzzles: one a day for each game that has some, a streak of days, and all the others.
import { useEffect, useState } from "preact/hooks";
import { openTable, puzzles as fetchPuzzles, sit } from "./api";
import { lookOf } from "./boards";
import { GenericEmblem } from "./boards/generic";
import { catalog, gameName } from "./catalog";
import { read, write } from "./kept";
import { keepTask } from "./task";
import type { PuzzleBook } from "./types";
import { say, trouble } from "./words";

/** The day on this browser's calendar, as a number that grows by one each day. */
export function today(): number {
  const now = new Date();
  return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
}

const solvedOf = (game: string): number[] => read<number[]>(`solved-${game}`, []);
const days = (): number[] => read<number[]>("puzzle-days", []);

/** Notes that a puzzle was solved; that of the day counts for the streak. */
export function keepSolved(game: string, number: number, day: number | null) {
  write(`solved-${game}`, [...new Set([...solvedOf(game), number])]);
  if (day === today()) write("puzzle-days", [...new Set([...days(), day])].slice(-1000));
}

/** How many days in a row a puzzle of the day was solved, up to today or yesterday. */
export function streak(): number {
  const solved = new Set(days());
  let day = solved.has(today()) ? today() : today() - 1;
  let count = 0;
  for (; solved.has(day); day--) count++;
  return count;
}

/** Sets the table of a puzzle: the first seat is to win, against an agent that resists. */
export async function startPuzzle(game: string, number: number, day: number | null) {
  const book = await fetchPuzzles(game);
  const { moves, solution, position } = book.puzzles[number]!;
  const spec = catalog.value.find((one) => one.name === game)?.levels[1]?.agent ?? "random";
  const opened = await openTable({ game, rules: book.rules, seats: [{ kind: "person", name: "" }, { kind: "agent", spec }], seed: "1", position });
  keepTask(opened.table, { kind: "puzzle", game, number, day, moves, solution, first: null });
  sit(opened, 0);
}

export function Puzzles() {
  const [problem, setProblem] = useState("");
  const games = catalog.value.filter((game) => game.puzzles > 0);
  const start = (game: string, number: number, day: number | null) => startPuzzle(game, number, day).catch((error: Error) => setProblem(trouble(error.message)));
  return (
    <div class="page puzzles">
      <h1>{say("puzzles")}</h1>
      <p class="intro quiet">{say("puzzlesIntro")}</p>
      <p><strong class="streak">{say("streak", streak())}</strong></p>
      {problem && <p role="alert" class="problem">{problem}</p>}
      <div class="games">
        {games.map(({ name, puzzles }) => <Daily key={name} game={name} number={today() % puzzles} start={start} />)}
      </div>
      {games.map(({ name, puzzles }) => (
        <details key={name}>
          <summary>{say("allPuzzles", gameName(name), solvedOf(name).length, puzzles)}</summary>
          <div class="numbers">
            {Array.from({ length: puzzles }, (_, number) => {
              const solved = solvedOf(name).includes(number);
              return <button key={number} class={solved ? "solved" : ""} aria-label={`${gameName(name)} ${number + 1}${solved ? ` ${say("solved")}` : ""}`} onClick={() => start(name, number, null)}>{number + 1}</button>;
            })}
          </div>
        </details>
      ))}
    </div>
  );
}

function Daily({ game, number, start }: { game: string; number: number; start: (game: string, number: number, day: number | null) => void }) {
  const [book, setBook] = useState<PuzzleBook | null>(null);
  useEffect(() => {
    fetchPuzzles(game).then(setBook, () => {});
  }, [game]);
  const Emblem = lookOf(game).Emblem ?? GenericEmblem;
  const puzzle = book?.puzzles[number];
  return (
    <section class="daily" aria-label={gameName(game)}>
      <Emblem />
      <h2>{gameName(game)}</h2>
      <p>{puzzle ? taskText(game, puzzle.moves) : say("connecting")}</p>
      <button class="primary" onClick={() => start(game, number, today())}>{say(solvedOf(game).includes(number) ? "solvedAgain" : "solveToday")}</button>
    </section>
  );
}

/** What is to be done. */
export const taskText = (game: string, moves: number): string =>
  game === "labyrinth" ? say(moves === 1 ? "findNow" : "findIn", moves) : say("winWithin", moves);
