// Questions that are asked without a socket.
import type { PuzzleBook, EventPlan, EventOverview, GameDetails, GameOutline, ListedEvent, Opened, RecordEntry, Room } from "./types";
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
export const puzzles = async (name: string) => answer<PuzzleBook>(await fetch(at(`/api/games/${name}/puzzles`)));
export const reachable = async () => (await answer<{ address: string | null }>(await fetch(at("/api/site")))).address;
export const rooms = async () => answer<Room[]>(await fetch(at("/api/rooms")));

/** Goes to a table that was opened, at one's own seat; the keys of other people's seats are kept to be handed on. */
export function sit(opened: Opened, own = -1) {
  const held = opened.keys.flatMap((key, seat) => (key === null ? [] : [{ seat, key }]));
  keepKeys(opened.table, held.filter(({ seat }) => seat === own).map(({ key }) => key));
  keepInvitations(opened.table, held.filter(({ seat }) => seat !== own));
  go(opened.address);
}

export type Sitter = { kind: "person"; name: string } | { kind: "agent"; spec: string } | { kind: "open" };

export async function openTable(wanted: { game: string; rules: Record<string, unknown>; seats: Sitter[]; seed?: string; position?: string; room?: Record<string, unknown> }) {
  const headers = { "content-type": "application/json" };
  return answer<Opened>(await fetch(at("/api/tables"), { method: "POST", headers, body: JSON.stringify(wanted) }));
}

export const openRecord = async (text: string) => answer<Opened>(await fetch(at("/api/records"), { method: "POST", body: text }));
export const openListed = async (path: string) => answer<Opened>(await fetch(at(`/api/records/${path.split("/").map(encodeURIComponent).join("/")}`), { method: "POST" }));

export const events = async () => answer<ListedEvent[]>(await fetch(at("/api/events")));

export type EventAnswer = { you: number | null; report: EventOverview; tag: string };

/** How an event stands for the holder of a secret; null if it stands as it did when it had that tag. */
export async function event(name: string, key: string, tag: string): Promise<EventAnswer | null> {
  const response = await fetch(at(`/api/events/${name}`), { headers: { ...(key && { "x-oboro-key": key }), ...(tag && { "if-none-match": tag }) } });
  if (response.status === 304) return null;
  return { ...(await answer<Omit<EventAnswer, "tag">>(response)), tag: response.headers.get("etag") ?? "" };
}

/** Asks something of an event: as the host with that secret, or as anybody. */
export async function tellEvent<T>(path: string, body: object, host = ""): Promise<T> {
  const headers = { "content-type": "application/json", ...(host && { authorization: `Bearer ${host}` }) };
  return answer<T>(await fetch(at(`/api/events${path}`), { method: "POST", headers, body: JSON.stringify(body) }));
}

export const openEvent = (plan: EventPlan, host: string) => tellEvent<{ event: string; address: string }>("", plan, host);
export const isHost = async (host: string) => (await fetch(at("/api/host"), { headers: { authorization: `Bearer ${host}` } })).ok;
