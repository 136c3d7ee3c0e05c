// What an agent believes of hidden things, in words.
import { cardName } from "./boards/sevens";
import { treasureName } from "./boards/treasures";
import { language, player, say } from "./words";

const GOALS: Record<string, [string, string]> = { upper: ["upper goal", "上のゴール"], middle: ["middle goal", "中央のゴール"], lower: ["lower goal", "下のゴール"] };
const VALUES: Record<string, [string, string]> = { gold: ["gold", "金塊"], stone: ["stone", "石"], saboteur: ["saboteur", "お邪魔者"], digger: ["digger", "金鉱掘り"] };

const own = (seat: string, thing: [string, string]) => (language.value === "ja" ? `${player(Number(seat))}の${thing[1]}` : `${player(Number(seat))}'s ${thing[0]}`);
const pick = (words: [string, string] | undefined, otherwise: string) => words?.[language.value === "ja" ? 1 : 0] ?? otherwise;

/** What a belief is about: `1:B`, `role:2`, `goal:upper`, `seeks:1`, `S8`. */
export function subjectName(game: string, subject: string): string {
  const [kind, name] = subject.split(":") as [string, string | undefined];
  if (game === "sevens") return name === undefined && /^[SHDC]/.test(kind) ? cardName(kind) : subject;
  if (name === undefined) return subject;
  if (kind === "role") return player(Number(name));
  if (kind === "goal") return pick(GOALS[name], name);
  if (kind === "seeks") return own(name, ["treasure", "宝"]);
  return /^\d$/.test(kind) ? own(kind, [name, name]) : subject;
}

/** What it may be. */
export function valueName(game: string, value: string): string {
  if (value === "red" || value === "blue") return say(value);
  if (game === "sevens" && /^\d$/.test(value)) return player(Number(value));
  if (game === "labyrinth") return treasureName(value);
  return pick(VALUES[value], value);
}
