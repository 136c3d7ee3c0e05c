// The language of the interface, and what it says in it; the strings are in strings.ts.
import { signal } from "@preact/signals";
import { read, write } from "./kept";
import { choiceStrings, measureStrings, remarkStrings, ruleStrings, strings, troubleStrings } from "./strings";
import type { Phrase } from "./types";

export type Language = "en" | "ja";

export const language = signal(read<Language>("language", navigator.language.startsWith("ja") ? "ja" : "en"));

export function speak(next: Language) {
  language.value = next;
  document.documentElement.lang = next;
  write("language", next);
}

/** The name this browser last sat down with. */
export const ownName = (): string => read("name", "");
export const keepName = (name: string) => write("name", name.trim());

export const phrase = (text: Phrase): string => text[language.value];

export type Word = keyof typeof strings;

const one = (): 0 | 1 => (language.value === "ja" ? 1 : 0);

/** What the interface says, with `{0}` and so on filled in. */
export function say(word: Word, ...values: (string | number)[]): string {
  const text: string = strings[word][one()];
  return values.reduce<string>((sentence, value, i) => sentence.replace(`{${i}}`, String(value)), text);
}

/** What people call a player. */
export const player = (seat: number): string => (language.value === "ja" ? `プレイヤー${seat + 1}` : `Player ${seat + 1}`);

const spaced = (key: string) => key.replaceAll("-", " ");
export const ruleName = (key: string): string => (language.value === "ja" ? (ruleStrings[key]?.[0] ?? key) : spaced(key));
export const ruleAbout = (key: string, about: string): string => (language.value === "ja" ? (ruleStrings[key]?.[1] ?? about) : about.replaceAll("`", ""));
export const choiceName = (choice: string): string => (language.value === "ja" ? (choiceStrings[choice] ?? choice) : spaced(choice));

/** What the numbers of an analysis count. */
export const measureName = (measure: string): string => measureStrings[measure]?.[one()] ?? measure;

/** What an agent writes about a position. */
export const remark = (text: string): string =>
  language.value === "ja" ? remarkStrings.reduce((said, [pattern, words]) => said.replace(pattern, words), text) : text;

export function trouble(message: string): string {
  if (language.value !== "ja") return message;
  const found = troubleStrings.find(([pattern]) => pattern.test(message))!;
  const said = found[0].exec(message)!;
  return found[1].replace("$1", said[1] ?? "").replace("$&", message);
}
