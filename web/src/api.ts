// Questions that are asked without a socket.
import type { GameDetails, GameOutline, Opened, RecordEntry, Room } from "./types";
import { keepInvitations, keepKeys } from "./connection";
import { at, go } from "./router";

async function answer<T>(response: Response): Promise<T> {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error ?? response.statusText);
  return body as T;
}

export const games = async () => answer<GameOutline[]>(await fetch(at("/api/games")));
export const game = async (name: string) => answer<GameDetails>(await fetch(at(`/api/games/${name}`)));
export const records = async () => answer<RecordEntry[]>(await fetch(at("/api/records")));
export const rooms = async () => answer<Room[]>(await fetch(at("/api/rooms")));

/** Goes to a table that was opened, at one's own seat; the keys of other people's seats are kept to be handed on. */
export function sit(opened: Opened, own = -1) {
  const held = opened.keys.flatMap((key, seat) => (key === null ? [] : [{ seat, key }]));
  keepKeys(opened.table, held.filter(({ seat }) => seat === own).map(({ key }) => key));
  keepInvitations(opened.table, held.filter(({ seat }) => seat !== own));
  go(opened.address);
}

export type Sitter = { kind: "person"; name: string } | { kind: "agent"; spec: string } | { kind: "open" };

export async function openTable(wanted: { game: string; rules: Record<string, unknown>; seats: Sitter[]; seed?: string; room?: Record<string, unknown> }) {
  const headers = { "content-type": "application/json" };
  return answer<Opened>(await fetch(at("/api/tables"), { method: "POST", headers, body: JSON.stringify(wanted) }));
}

export const openRecord = async (text: string) => answer<Opened>(await fetch(at("/api/records"), { method: "POST", body: text }));
export const openListed = async (id: number) => answer<Opened>(await fetch(at(`/api/records/${id}`), { method: "POST" }));
