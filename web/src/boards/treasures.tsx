// The 24 treasures as small drawings on a field of 24 × 24.
import { language } from "../words";
import { treasureNames } from "./treasure-names";

const drawings: Record<string, string> = {
  helmet: "M5 14a7 7 0 0 1 14 0v3H5zM12 7v10M5 17h14",
  candles: "M7 20v-9h3v9M14 20v-12h3v12M8.5 9V6M15.5 6V3M5 20h14",
  sword: "M5 19l2-2M5 15l4 4M7 17L18 6l1-3-3 1L5 15",
  gem: "M4 10l4-5h8l4 5-8 10zM4 10h16M8 5l4 15 4-15",
  chest: "M4 11q0-5 5-5h6q5 0 5 5v8H4zM4 12h16M11 11h2v4h-2z",
  ring: "M12 10a5.5 5.5 0 1 0 .1 0zM9 4h6l-3 5z",
  skull: "M6 11a6 6 0 0 1 12 0q0 4-2.5 5v3h-7v-3Q6 15 6 11zM9.5 11v1M14.5 11v1M12 14v1",
  keys: "M8 5a3.5 3.5 0 1 0 .1 0zM10.5 10.5L19 19M16 16l2-2M13.5 13.5l2-2",
  crown: "M4 17V8l4 4 4-7 4 7 4-4v9zM4 20h16",
  map: "M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14",
  "gold-bag": "M9 7l-2-3h10l-2 3M9 7h6q5 5 4 10-1 3-7 3t-7-3q-1-5 4-10zM12 10v6",
  book: "M12 6q-4-2-8-1v13q4-1 8 1 4-2 8-1V5q-4-1-8 1zM12 6v13",
  beetle: "M12 7a5 6 0 1 1-.1 0zM12 7v12M9 6l-2-2M15 6l2-2M7 11H4M17 11h3M7 15l-3 2M17 15l3 2",
  moth: "M12 6v12M12 9Q6 3 3 7t9 6M12 9q6-6 9-2t-9 6M12 13q-6 3-4 6 3 1 4-4M12 13q6 3 4 6-3 1-4-4",
  owl: "M7 6q0 13 5 14 5-1 5-14l-3 2h-4zM9.5 11v.5M14.5 11v.5M12 13l-1 2h2z",
  rat: "M4 16q2-8 9-7l4-3 1 4 2 3q-2 4-8 4zM4 16q-1 4 4 3M16 11v.5",
  salamander: "M5 18q6 2 6-4t6-6M17 8a2 2 0 1 0-.1-3M9 17l-2-3M11 12l-4-1M13 10l3 3",
  spider: "M12 9a4 4 0 1 1-.1 0zM12 4v5M8 11L4 8M8 13H3M8 15l-4 4M16 11l4-3M16 13h5M16 15l4 4",
  bat: "M12 9l-2-3-1 3Q5 6 3 9q4 0 5 5 2-2 4 3 2-5 4-3 1-5 5-5-2-3-6 0l-1-3z",
  dragon: "M4 18q6 3 8-3t-2-8l4-3-1 3q6 0 6 5l-4-1q0 8-6 8M13 9v.5",
  fairy: "M12 5a2 2 0 1 1-.1 0zM12 10v6M9 20l3-4 3 4M12 11q-7-5-8 0 1 4 8 2M12 11q7-5 8 0-1 4-8 2",
  genie: "M12 4a3 3 0 1 1-.1 0zM7 14q0-4 5-4t5 4q-2 1-3-1 0 5-5 5-3 0-3 3 6 0 8-4",
  ghost: "M6 20V11a6 6 0 0 1 12 0v9l-2-2-2 2-2-2-2 2-2-2zM10 11v1M14 11v1",
  troll: "M6 12a6 6 0 0 1 12 0q1 6-6 8-7-2-6-8zM6 11L3 9M18 11l3-2M10 12v1M14 12v1M9 16h6M10 16v1.5M14 16v1.5",
};

/** What the game's own texts call a treasure. */
export const treasureName = (treasure: string): string => treasureNames[treasure]?.[language.value === "ja" ? 1 : 0] ?? treasure;

/** A treasure, 24 units wide, its middle at the origin. */
export function Treasure({ treasure, scale = 1 }: { treasure: string; scale?: number }) {
  return (
    <g class="treasure" transform={`scale(${scale}) translate(-12 -12)`}>
      <title>{treasureName(treasure)}</title>
      <path d={drawings[treasure] ?? "M4 4h16v16H4z"} />
    </g>
  );
}
