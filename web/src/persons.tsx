// The opponents of three strengths as persons: a name and a face each, the same in every game.
import { catalog } from "./catalog";
import type { Level } from "./types";
import { say, type Word } from "./words";

const NAMES: Record<Level["name"], Word> = { easy: "hina", medium: "kon", hard: "fuku" };
const ABOUT: Record<Level["name"], Word> = { easy: "aboutHina", medium: "aboutKon", hard: "aboutFuku" };

export const personName = (level: Level["name"]): string => say(NAMES[level]);
export const personAbout = (level: Level["name"]): string => say(ABOUT[level]);

/** The level that an agent plays at in a game; none for all other agents. */
const levelOf = (game: string, spec: string): Level | undefined =>
  catalog.value.find((one) => one.name === game)?.levels.find((level) => level.agent === spec);

/** What whoever sits at a table is called: agents of a level by their names, all others as they are. */
export function calledAt(game: string, name: string): string {
  const level = levelOf(game, name);
  return level ? personName(level.name) : name;
}

/** Easy is a chick, medium a fox, hard an owl. */
export function Face({ level }: { level: Level["name"] }) {
  return (
    <svg viewBox="-16 -16 32 32" width="32" height="32" class="face" aria-hidden="true">
      {level === "easy" ? (
        <>
          <path d="M-1-12q-4-4-1-4 2 0 2 3 1-3 3-2 2 2-2 4" fill="#e0a51b" />
          <circle r="13" cy="2" fill="#f6cf4a" />
          <circle cx="-5" cy="0" r="1.9" fill="#222" />
          <circle cx="5" cy="0" r="1.9" fill="#222" />
          <path d="M-4 4h8l-4 5z" fill="#d9691e" />
          <circle cx="-8.5" cy="5" r="2" fill="#f2a65a" />
          <circle cx="8.5" cy="5" r="2" fill="#f2a65a" />
        </>
      ) : level === "medium" ? (
        <>
          <path d="M-13-14l9 6h8l9-6v14q-2 12-13 15Q-11 12-13 0z" fill="#d9762b" />
          <path d="M-11-10l4 3-4 4zM11-10L7-7l4 4z" fill="#5a2f14" />
          <path d="M-12 2q6-1 9 5l3 8Q-10 12-12 2zM12 2Q6 1 3 7l-3 8Q10 12 12 2z" fill="#fff6ea" />
          <circle cx="-5" cy="0" r="1.8" fill="#222" />
          <circle cx="5" cy="0" r="1.8" fill="#222" />
          <circle cy="12" r="2.2" fill="#222" />
        </>
      ) : (
        <>
          <path d="M-13-14l7 4h12l7-4-1 12a13 14 0 1 1-24 0z" fill="#6d5a8c" />
          <circle cx="-5.5" cy="-1" r="6" fill="#fff6dc" />
          <circle cx="5.5" cy="-1" r="6" fill="#fff6dc" />
          <circle cx="-5.5" cy="-1" r="3" fill="#222" />
          <circle cx="5.5" cy="-1" r="3" fill="#222" />
          <path d="M-2 4h4l-2 5z" fill="#e0a51b" />
        </>
      )}
    </svg>
  );
}

/** The face of an agent of a level; nothing for anybody else. */
export function FaceOf({ game, name }: { game: string; name: string }) {
  const level = levelOf(game, name);
  return level ? <Face level={level.name} /> : null;
}
