// Sevens: four suits on the table, the own hand as a fan, and how many cards and passes the others have.
import type { SevensEvent } from "../scenes";
import type { EventReport, Insight } from "../types";
import { player, say } from "../words";
import { bestActions, drawn, emblem, type BoardProps, type GameLook } from "../boards/board";
import { useDrag } from "../boards/drag";

const SYMBOLS: Record<string, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };
const RANKS = "A23456789TJQK";
const [WIDTH, HEIGHT] = [40, 56];

const suitOf = (card: string) => card[0]!;
const rankOf = (card: string) => (card[1] === "T" ? "10" : card[1]!);
const isRed = (card: string) => suitOf(card) === "H" || suitOf(card) === "D";
const cardName = (card: string) => `${SYMBOLS[suitOf(card)]}${rankOf(card)}`;

function Face({ card, by }: { card: string; by?: number | undefined }) {
  return (
    <>
      <rect x="0" y="0" width={WIDTH} height={HEIGHT} rx="5" class="paper" />
      <text x="6" y="17" class={`rank ${isRed(card) ? "red" : ""}`}>{rankOf(card)}</text>
      <text x={WIDTH / 2} y="44" class={`suit ${isRed(card) ? "red" : ""}`}>{SYMBOLS[suitOf(card)]}</text>
      {by !== undefined && <circle cx={WIDTH - 7} cy="8" r="3.5" class={`token-dot p${by}`} />}
    </>
  );
}

/** What somebody did in this round of the table, in a word. */
function deed({ parts }: EventReport<SevensEvent>): string {
  return parts.kind === "lay" ? cardName(parts.card) : say(parts.kind === "pass" ? "passed" : "retired");
}

function SevensBoard({ scene, actions, play, bottom, last, recent, insight }: BoardProps<"sevens">) {
  const own = scene.seats.find((seat) => seat.seat === bottom);
  const hand: string[] = own?.hand ?? [];
  const pass = actions?.find((action) => action.parts.kind !== "lay");
  const advised = bestActions(insight, 1)[0]?.action;
  const newest: string[] = last?.parts.kind === "lay" ? [last.parts.card] : (last?.parts.cards ?? []);
  // Everything since one's own last action stays marked, so that a round can be read when the turn comes back.
  const round = recent.slice(1 + recent.findLastIndex((event) => event.seat === bottom));
  const lately = round.flatMap(({ parts }) => (parts.kind === "lay" ? [parts.card] : (parts.cards ?? [])));
  const actionOf = (card: string) => actions?.find((one) => one.parts.card === card);
  // A card has one place: it may be dropped anywhere on the table.
  const { dragged, draggable, carried } = useDrag<string>({ take: () => {}, drop: (card) => play?.(actionOf(card)!.action) });
  const column = (card: string) => 6 + RANKS.indexOf(card[1]!) * (WIDTH + 4);
  const row = (card: string) => 6 + "SHDC".indexOf(suitOf(card)) * (HEIGHT + 6);
  const laid: { card: string; by: number }[] = scene.table.flatMap((suit) => suit.laid);
  const playable: string[] = scene.table.flatMap((suit) => suit.playable);
  return (
    <div class="sevens">
      <svg viewBox={`0 0 ${13 * (WIDTH + 4) + 8} ${4 * (HEIGHT + 6) + 6}`} class="board" data-drop="table" role="img" aria-label={laid.map(({ card }) => cardName(card)).join(" ")}>
        {playable.map((card) => (
          <g key={card} transform={`translate(${column(card)} ${row(card)})`}>
            <rect width={WIDTH} height={HEIGHT} rx="5" class={`gap ${card === dragged ? "wanted" : ""}`} />
            <Owner insight={insight} card={card} />
          </g>
        ))}
        {laid.map(({ card, by }) => (
          <g key={card} transform={`translate(${column(card)} ${row(card)})`} class={newest.includes(card) ? "newest" : lately.includes(card) ? "lately" : ""}>
            <g class={newest.includes(card) ? "drop" : ""}>
              <Face card={card} by={by} />
            </g>
          </g>
        ))}
      </svg>
      <ul class="rivals">
        {scene.seats.map((seat) => {
          const done = recent.findLast((event) => event.seat === seat.seat);
          return (
            <li key={seat.seat} class={`p${seat.seat} ${scene["to-act"] === seat.seat ? "turn" : ""}`}>
              <i class="token" aria-hidden="true" />
              <span>{seat.seat === bottom && scene.viewer === bottom ? say("you") : player(seat.seat)}</span>
              <span class="backs" role="img" aria-label={say("cardCount", seat.cards)}>
                {seat.hand && seat.seat !== bottom ? seat.hand.map(cardName).join(" ") : `${seat.cards}`}
              </span>
              <span class="passes" role="img" aria-label={say("passesLeft", seat["passes-left"])}>
                {"●".repeat(seat["passes-left"])}
                {seat.rank !== null && <b>{say("rankOf", seat.rank)}</b>}
              </span>
              {done && <span class="deed">{deed(done)}</span>}
            </li>
          );
        })}
      </ul>
      {own?.hand && (
        <div class="hand">
          {hand.map((card, i) => {
            const action = actionOf(card);
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
                {...(active ? draggable(card) : {})}
              >
                <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="48" height="67" aria-hidden="true">
                  <Face card={card} />
                </svg>
              </button>
            );
          })}
        </div>
      )}
      {carried(dragged && <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="48" height="67"><Face card={dragged} /></svg>)}
      {pass && play && (
        <button class={pass.action === advised ? "advised" : ""} onClick={() => play(pass.action)}>
          {pass.parts.kind === "pass" ? say("pass", pass.parts.left) : say("retire")}
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

/** A row from the six to the nine, and what may be laid next. */
function Row() {
  return (
    <svg viewBox="-4 -4 322 80" {...drawn}>
      {["S5", "ST"].map((card, i) => <rect key={card} x={i * 220} width="40" height="56" rx="5" class="gap" />)}
      {["S6", "S7", "S8", "S9"].map((card, i) => <g key={card} transform={`translate(${44 + i * 44} 0)`}><Face card={card} /></g>)}
      <g transform="translate(266 8) rotate(8)" class="newest"><Face card="ST" /></g>
    </svg>
  );
}

export default {
  Board: SevensBoard,
  Emblem: () => (
    <svg {...emblem}>
      {["♠", "♥", "♦", "♣"].map((suit, i) => (
        <g key={suit} transform={`translate(${18 + i * 20} 34) rotate(${i * 8 - 12})`}>
          <rect x="-11" y="-18" width="22" height="34" rx="3" class="paper" />
          <text y="-2" class={`rank ${i === 1 || i === 2 ? "red" : ""}`}>7</text>
          <text y="12" class={`suit ${i === 1 || i === 2 ? "red" : ""}`}>{suit}</text>
        </g>
      ))}
    </svg>
  ),
  Figure: Row,
  subject: (subject) => (/^[SHDC]/.test(subject) ? cardName(subject) : subject),
  value: (value) => (/^\d$/.test(value) ? player(Number(value)) : value),
} satisfies GameLook<"sevens">;
