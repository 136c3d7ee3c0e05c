// What this browser played lately, and how it likes its tables set up; nothing of it is kept on the server.
import { read, write } from "./kept";

const GAMES = "recent";
const MOST = 8;

export interface Recent {
  table: string;
  game: string;
  /** Who else played, as the table names them. */
  others: string[];
  /** What came of it; null while the game goes on. */
  result: "won" | "lost" | "drawn" | null;
}

/** The tables at which this browser sat, the latest first. */
export const recentGames = (): Recent[] => read<Recent[]>(GAMES, []).filter((one) => Array.isArray(one.others));

export function keepRecent(recent: Recent) {
  write(GAMES, [recent, ...recentGames().filter((one) => one.table !== recent.table)].slice(0, MOST));
}

export const forgetRecent = (table: string) => write(GAMES, recentGames().filter((one) => one.table !== table));

/** How a game was set up last. */
export interface Habit {
  players: number;
  seat: number;
  opponent: string;
}

export const habitOf = (game: string): Partial<Habit> => read<Partial<Habit>>(`setup-${game}`, {});
export const keepHabit = (game: string, habit: Habit) => write(`setup-${game}`, habit);
