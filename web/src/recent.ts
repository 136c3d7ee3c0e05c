// What this browser played lately, and how it likes its tables set up; nothing of it is kept on the server.
const GAMES = "oboro-recent";
const MOST = 8;

export interface Recent {
  table: string;
  game: string;
  /** Who else played, as the table names them. */
  others: string[];
  /** What came of it; null while the game goes on. */
  result: "won" | "lost" | "drawn" | null;
}

/** Something that this browser keeps. */
export function read<T>(name: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(name) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function write(name: string, value: unknown) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Then it is asked again next time.
  }
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

export const habitOf = (game: string): Partial<Habit> => read<Partial<Habit>>(`oboro-setup-${game}`, {});
export const keepHabit = (game: string, habit: Habit) => write(`oboro-setup-${game}`, habit);
