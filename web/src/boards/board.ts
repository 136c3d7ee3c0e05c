// What every board is given, and what a game may bring of its own.
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Games } from "../scenes";
import type { ActionReport, EventReport, Insight } from "../types";

export interface BoardProps<Game extends keyof Games> {
  /** The position, in the shape of the game's scenes. */
  scene: Games[Game]["scene"];
  /** What may be done here by whoever looks; null if nothing. */
  actions: ActionReport<Games[Game]["action"]>[] | null;
  /** Plays an action; undefined where one may only look. */
  play: ((action: string) => void) | undefined;
  /** The seat at the bottom of the board. */
  bottom: number;
  /** What happened last, to be shown as motion. */
  last: EventReport<Games[Game]["event"]> | null;
  /** The last actions of the table, as many as it has seats, the latest last. */
  recent: EventReport<Games[Game]["event"]>[];
  /** Whether the game goes on and this is its present position. */
  live: boolean;
  /** What an agent thinks, to be drawn onto the board. */
  insight: Insight | null;
}

/** What a game may bring besides its rules: games/NAME.tsx has it as its default export, and is found by its name. */
export interface GameLook<Game extends keyof Games> {
  Board: ComponentType<BoardProps<Game>>;
  /** A small picture of the game. */
  Emblem?: ComponentType;
  /** A picture for its rules. */
  Figure?: ComponentType;
  /** What a belief is about, in words. */
  subject?: (subject: string) => string;
  /** What it may be, in words. */
  value?: (value: string) => string;
}

/** What an emblem and the figure of rules are drawn with. */
export const emblem = { viewBox: "0 0 96 64", class: "emblem", "aria-hidden": "true" as const };
export const drawn = { class: "figure", preserveAspectRatio: "xMinYMid", "aria-hidden": "true" as const };

/** How likely a hidden thing is `value`, as the analysis on show believes. */
export function believed(insight: Insight | null, subject: string, value: string): number | null {
  const belief = insight?.beliefs.find((belief) => belief.subject === subject);
  return belief ? (belief.values.find((one) => one.value === value)?.probability ?? 0) : null;
}

/** The best actions by their expected results, best first, each with a weight from 0 to 1 among those shown. */
export function bestActions(insight: Insight | null, count: number): { action: string; weight: number }[] {
  const shown = insight?.evaluation?.values.slice(0, count) ?? [];
  const [high, low] = [shown[0]?.value ?? 0, shown.at(-1)?.value ?? 0];
  return shown.map(({ action, value }) => ({ action, weight: high === low ? 1 : 0.25 + (0.75 * (value - low)) / (high - low) }));
}

/** What makes a part of a drawing a button: for the mouse, for fingers and for the keyboard. */
export function pressable(run: () => void, label: string, pressed?: boolean) {
  return {
    role: "button" as const,
    // In lower case, as SVG wants it: otherwise the keyboard does not get there.
    tabindex: 0,
    "aria-label": label,
    "aria-pressed": pressed,
    onClick: run,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      run();
    },
  };
}

/** Gives a selection up when Esc is pressed. */
export function useEscape(run: () => void) {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => event.key === "Escape" && run();
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, []);
}
