// The games of this server: their names, taglines and numbers of players, as the server tells them.
import { signal } from "@preact/signals";
import { games } from "./api";
import type { GameOutline } from "./types";
import { phrase, trouble } from "./words";

export const catalog = signal<GameOutline[]>([]);
export const catalogProblem = signal("");

/** Asks once for all games, those with opponents of measured strengths first. */
export function loadCatalog() {
  games().then(
    (list) => {
      catalog.value = [...list].sort((a, b) => Number(b.levels.length > 0) - Number(a.levels.length > 0));
    },
    (error: Error) => {
      catalogProblem.value = trouble(error.message);
    },
  );
}

const outline = (game: string) => catalog.value.find((one) => one.name === game);

export const gameName = (game: string): string => {
  const text = outline(game)?.text;
  return text ? phrase(text.title) : game;
};

/** The numbers of players that a game can have. */
export function playerCounts(game: string): number[] {
  const { least, most } = outline(game)?.players ?? { least: 2, most: 2 };
  return Array.from({ length: most - least + 1 }, (_, i) => least + i);
}

/** How many usually play it. */
export const usualPlayers = (game: string): number => outline(game)?.players.usual ?? 2;
