// What a game was worth, as people say it.
import { say } from "./words";

/** The rank where several share in fractions, the number otherwise. */
export function worth(payoffs: number[], seat: number): string {
  const payoff = payoffs[seat]!;
  if (payoffs.length > 2 && payoffs.some((one) => !Number.isInteger(one))) return say("place1", 1 + payoffs.filter((other) => other > payoff + 1e-9).length);
  return payoff === 0.5 ? "½" : String(Math.round(payoff * 100) / 100);
}
