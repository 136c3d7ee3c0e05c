// Sevens: four suits on the table, the own hand as a fan, and how many cards and passes the others have.
import type { Insight } from "../types";
import { language, player, say } from "../words";
import { bestActions, type BoardProps } from "./board";

const SYMBOLS: Record<string, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };
const RANKS = "A23456789TJQK";
const [WIDTH, HEIGHT] = [40, 56];

const suitOf = (card: string) => card[0]!;
const rankOf = (card: string) => (card[1] === "T" ? "10" : card[1]!);
const isRed = (card: string) => suitOf(card) === "H" || suitOf(card) === "D";
export const cardName = (card: string) => `${SYMBOLS[suitOf(card)]}${rankOf(card)}`;

export function Face({ card, by }: { card: string; by?: number | undefined }) {
  return (
    <>
      <rect x="0" y="0" width={WIDTH} height={HEIGHT} rx="5" class="paper" />
      <text x="6" y="17" class={`rank ${isRed(card) ? "red" : ""}`}>{rankOf(card)}</text>
      <text x={WIDTH / 2} y="44" class={`suit ${isRed(card) ? "red" : ""}`}>{SYMBOLS[suitOf(card)]}</text>
      {by !== undefined && <circle cx={WIDTH - 7} cy="8" r="3.5" class={`token-dot p${by}`} />}
    </>
  );
}

export function SevensBoard({ scene, actions, play, bottom, last, insight }: BoardProps<"sevens">) {
  const own = scene.seats.find((seat) => seat.seat === bottom);
  const hand: string[] = own?.hand ?? [];
  const pass = actions?.find((action) => action.parts.kind !== "lay");
  const advised = bestActions(insight, 1)[0]?.action;
  const newest: string[] = last?.parts.kind === "lay" ? [last.parts.card] : (last?.parts.cards ?? []);
  const column = (card: string) => 6 + RANKS.indexOf(card[1]!) * (WIDTH + 4);
  const row = (card: string) => 6 + "SHDC".indexOf(suitOf(card)) * (HEIGHT + 6);
  const laid: { card: string; by: number }[] = scene.table.flatMap((suit) => suit.laid);
  const playable: string[] = scene.table.flatMap((suit) => suit.playable);
  return (
    <div class="sevens">
      <svg viewBox={`0 0 ${13 * (WIDTH + 4) + 8} ${4 * (HEIGHT + 6) + 6}`} class="board" role="img" aria-label={laid.map(({ card }) => cardName(card)).join(" ")}>
        {playable.map((card) => (
          <g key={card} transform={`translate(${column(card)} ${row(card)})`}>
            <rect width={WIDTH} height={HEIGHT} rx="5" class="gap" />
            <Owner insight={insight} card={card} />
          </g>
        ))}
        {laid.map(({ card, by }) => (
          <g key={card} transform={`translate(${column(card)} ${row(card)})`} class={newest.includes(card) ? "newest" : ""}>
            <g class={newest.includes(card) ? "drop" : ""}>
              <Face card={card} by={by} />
            </g>
          </g>
        ))}
      </svg>
      <ul class="rivals">
        {scene.seats.map((seat) => (
          <li key={seat.seat} class={`p${seat.seat} ${scene["to-act"] === seat.seat ? "turn" : ""}`}>
            <i class="token" aria-hidden="true" />
            <span>{seat.seat === bottom && scene.viewer === bottom ? say("you") : player(seat.seat)}</span>
            <span class="backs" role="img" aria-label={language.value === "ja" ? `${seat.cards}枚` : `${seat.cards} cards`}>
              {seat.hand && seat.seat !== bottom ? seat.hand.map(cardName).join(" ") : `${seat.cards}`}
            </span>
            <span class="passes" role="img" aria-label={language.value === "ja" ? `パス残り${seat["passes-left"]}` : `${seat["passes-left"]} passes left`}>
              {"●".repeat(seat["passes-left"])}
              {seat.rank !== null && <b>{language.value === "ja" ? `${seat.rank}位` : `#${seat.rank}`}</b>}
            </span>
          </li>
        ))}
      </ul>
      {own?.hand && (
        <div class="hand">
          {hand.map((card, i) => {
            const action = actions?.find((one) => one.parts.card === card);
            const active = !!action && !!play;
            const tilt = hand.length > 1 ? (i / (hand.length - 1) - 0.5) * 16 : 0;
            return (
              <button
                key={card}
                class={`card-button ${active ? "active" : ""} ${action && action.action === advised ? "advised" : ""}`}
                style={{ transform: `rotate(${tilt}deg) translateY(${Math.abs(tilt) * 0.8}px)` }}
                disabled={!active}
                aria-label={cardName(card)}
                onClick={() => action && play?.(action.action)}
              >
                <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="48" height="67" aria-hidden="true">
                  <Face card={card} />
                </svg>
              </button>
            );
          })}
        </div>
      )}
      {pass && play && (
        <button class={pass.action === advised ? "advised" : ""} onClick={() => play(pass.action)}>
          {pass.parts.kind === "pass" ? (language.value === "ja" ? `パス（残り${pass.parts.left}）` : `Pass (${pass.parts.left} left)`) : language.value === "ja" ? "脱落する" : "Retire"}
        </button>
      )}
    </div>
  );
}

/** Who probably holds a card, as the analysis believes. */
function Owner({ insight, card }: { insight: Insight | null; card: string }) {
  const belief = insight?.beliefs.find((one) => one.subject === card);
  const best = [...(belief?.values ?? [])].sort((a, b) => b.probability - a.probability)[0];
  if (!best) return null;
  return (
    <g class="belief">
      <circle cx={WIDTH / 2} cy="20" r="9" class={`token-dot p${best.value}`} style={{ opacity: 0.25 + 0.75 * best.probability }} />
      <text x={WIDTH / 2} y="44" class="percent">{Math.round(100 * best.probability)}%</text>
    </g>
  );
}
