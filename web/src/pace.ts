// How long agents wait between their moves where a person plays with them.
import { signal } from "@preact/signals";

/** So long that a move can be followed; none for those who switch motion off. */
const usual = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 600);

function kept(): number | null {
  try {
    const value = localStorage.getItem("oboro-pause");
    return value === null ? null : Number(value);
  } catch {
    return null;
  }
}

/** Milliseconds between the moves of agents. */
export const pause = signal(kept() ?? usual());

export function keepPause(next: number) {
  pause.value = next;
  try {
    localStorage.setItem("oboro-pause", String(next));
  } catch {
    // As long as the page lasts, then.
  }
}
