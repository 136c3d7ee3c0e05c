// A small picture of each game.

/** A ghost: blue ones are round with a wavy hem, red ones horned with a jagged hem, hidden ones plain. */
export function ghostPath(colour: "red" | "blue" | null): string {
  if (colour === "red") return "M-15 17V-6l-4-13 10 6q9-6 18 0l10-6-4 13v23l-5-7-5 7-5-7-5 7-5-7z";
  if (colour === "blue") return "M-15 17V-3a15 15 0 0 1 30 0v20q-4-6-7.5 0-3.750 5-7.5 0-3.750-5-7.5 0-3.5 5-7.5 0z";
  return "M-15 17V-3a15 15 0 0 1 30 0v20z";
}

export function Emblem({ game }: { game: string }) {
  const common = { viewBox: "0 0 96 64", class: "emblem", "aria-hidden": "true" as const };
  switch (game) {
    case "geister":
      return (
        <svg {...common}>
          <g transform="translate(30 34)"><path d={ghostPath("blue")} class="ghost blue" /><circle cx="-5" cy="-3" r="2.5" class="eye" /><circle cx="6" cy="-3" r="2.5" class="eye" /></g>
          <g transform="translate(66 34)"><path d={ghostPath("red")} class="ghost red" /><path d="M-9-5l7 3M9-5l-7 3" class="brow" /></g>
        </svg>
      );
    case "labyrinth":
      return (
        <svg {...common}>
          <path d="M18 12h60v40H18zM38 12v20h20M58 52V32M18 32h10M78 32H68" class="maze" />
          <circle cx="48" cy="42" r="5" class="pawn p0" />
        </svg>
      );
    case "saboteur":
      return (
        <svg {...common}>
          <path d="M14 50Q40 44 44 32T84 16" class="tunnel" />
          <path d="M72 8l6 8-8 6-6-8z" class="gold" />
          <path d="M18 20q10-10 22-6M28 14l16 22" class="pick" />
        </svg>
      );
    default:
      return (
        <svg {...common}>
          {["♠", "♥", "♦", "♣"].map((suit, i) => (
            <g key={suit} transform={`translate(${18 + i * 20} 34) rotate(${i * 8 - 12})`}>
              <rect x="-11" y="-18" width="22" height="34" rx="3" class="paper" />
              <text y="-2" class={`rank ${i === 1 || i === 2 ? "red" : ""}`}>7</text>
              <text y="12" class={`suit ${i === 1 || i === 2 ? "red" : ""}`}>{suit}</text>
            </g>
          ))}
        </svg>
      );
  }
}
