// How long agents wait between their moves where a person plays with them.
import { signal } from "@preact/signals";
import { read, write } from "./kept";

/** So long that a move can be followed; none for those who switch motion off. */
const usual = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 600);

/** Milliseconds between the moves of agents. */
export const pause = signal(read("pause", usual()));

export function keepPause(next: number) {
  pause.value = next;
  write("pause", next);
}
