// One socket to one table: it comes back by itself, and keeps the story that was told.
import { batch, signal } from "@preact/signals";
import { read, write } from "./kept";
import { pause } from "./pace";
import { at } from "./router";
import type { Advice, EventReport, Eyes, Insight, Point, Reply, Said, TableReply, Update } from "./types";

export type Status = "connecting" | "open" | "lost" | "taken-over" | "closed";

/** Keys that came with the address are kept, and taken out of it before anybody can copy it. */
export function takeKeys(table: string) {
  const given = new URLSearchParams(location.hash.slice(1)).get("keys");
  if (!given) return;
  keepKeys(table, [...new Set([...keysOf(table), ...given.split(",")])]);
  history.replaceState(null, "", location.pathname);
}

/** The keys of the seats this browser holds at a table. */
export const keysOf = (table: string): string[] => read(`keys-${table}`, []);
export const keepKeys = (table: string, keys: string[]) => write(`keys-${table}`, keys);

/** Keys of seats that were set for other people: whoever set the table hands them on. */
export type Invitation = { seat: number; key: string };

export const invitationsOf = (table: string): Invitation[] => read(`invitations-${table}`, []);
export const keepInvitations = (table: string, invitations: Invitation[]) => write(`invitations-${table}`, invitations);

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A secret that nobody guesses. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => "abcdefghijkmnpqrstuvwxyz23456789"[byte % 32]).join("");
}

export class Connection {
  readonly status = signal<Status>("connecting");
  readonly table = signal<TableReply | null>(null);
  readonly update = signal<Update | null>(null);
  readonly story = signal<EventReport[]>([]);
  readonly insight = signal<Insight | null>(null);
  readonly advice = signal<Advice | null>(null);
  readonly curve = signal<Point[]>([]);
  readonly said = signal<Said[]>([]);
  readonly error = signal<string>("");
  readonly moved = signal<string>("");
  /** What was played and has not been shown yet: said again after a lost connection, and never played twice. */
  readonly unsettled = signal<{ seat: unknown; action: unknown; ply: number } | null>(null);
  private socket: WebSocket | null = null;
  private wait = 300;
  private done = false;
  /** What to look at again after the connection was lost. */
  private looking: object | null = null;
  /** Whose eyes were asked for, until they are looked through. */
  private wished: Eyes | null = null;
  private lost = false;
  /** What came while the move before was still to be seen. */
  private waiting: Reply[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** When a move was last shown. */
  private shownAt = 0;

  constructor(readonly name: string) {
    this.open();
  }

  private open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${at(`/api/tables/${this.name}/socket`)}`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 300;
      socket.send(JSON.stringify({ type: "hello", keys: keysOf(this.name) }));
      if (this.looking) socket.send(JSON.stringify(this.looking));
    };
    this.drop();
    socket.onmessage = (message) => this.receive(JSON.parse(message.data as string) as Reply);
    socket.onclose = () => {
      if (this.done || this.socket !== socket) return;
      this.status.value = "lost";
      this.lost = true;
      void this.retry();
    };
  }

  private async retry() {
    await new Promise((resolve) => setTimeout(resolve, this.wait));
    this.wait = Math.min(this.wait * 2, 5000);
    if (this.done) return;
    // A table that is gone answers no socket: ask, so as not to try for ever.
    const answer = await fetch(at(`/api/tables/${this.name}`)).catch(() => null);
    if (answer?.status === 404) {
      this.error.value = "";
      this.status.value = "closed";
      return;
    }
    if (!this.done) this.open();
  }

  /** How long a message has to wait: moves of others are seen one after the other, wherever people play. */
  private delay(reply: Reply): number {
    const [table, before] = [this.table.value, this.update.value];
    if (reply.type !== "update" || !table || !before || table.study || table.seats.every((seat) => seat.agent)) return 0;
    const follows = before.ply === before.plies && reply.ply === reply.plies && reply.plies === before.plies + 1;
    const by = reply.events.at(-1)?.seat;
    if (!follows || by === undefined || table.seats[by]?.you) return 0;
    return Math.max(0, this.shownAt + pause.value - performance.now());
  }

  /** What belongs to a position waits with it; everything else is heard at once. */
  private receive(reply: Reply) {
    const inOrder = reply.type === "update" || reply.type === "insight" || reply.type === "advice" || reply.type === "point";
    if (!inOrder) return this.hear(reply);
    this.waiting.push(reply);
    if (this.timer === undefined) this.show();
  }

  /** Shows what waits, up to the next move that has to wait. */
  private show = () => {
    this.timer = undefined;
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      const delay = this.delay(next);
      if (delay > 0) {
        this.timer = setTimeout(this.show, delay);
        return;
      }
      this.waiting.shift();
      if (next.type === "update" && next.plies !== this.update.value?.plies) this.shownAt = performance.now();
      this.hear(next);
    }
  };

  private drop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
  }

  private hear(reply: Reply) {
    batch(() => {
      switch (reply.type) {
        case "table":
          this.table.value = reply;
          // A seat that was given up is free again, and so is its key.
          if (reply.room?.gathering) this.error.value = "";
          this.status.value = "open";
          break;
        case "update":
          this.story.value = [...this.story.value.slice(0, reply["events-from"]), ...reply.events];
          // What was thought of a game that goes on is not what is asked after its end.
          if (reply.outcome && !this.update.value?.outcome) this.insight.value = null;
          this.update.value = this.settled(reply);
          if (same(reply.eyes, this.wished)) this.wished = null;
          if (reply.plies !== this.unsettled.value?.ply) this.unsettled.value = null;
          else if (this.lost) this.socket?.send(JSON.stringify({ type: "play", ...this.unsettled.value }));
          this.lost = false;
          this.error.value = "";
          if (this.insight.value && this.insight.value["for-ply"] !== reply.ply) this.insight.value = null;
          break;
        case "insight":
          if (this.update.value && reply["for-ply"] === this.update.value.ply) this.insight.value = reply;
          break;
        case "advice":
          this.advice.value = reply;
          break;
        case "said":
          this.said.value = [...this.said.value, reply].slice(-16);
          break;
        case "point":
          this.curve.value = [...(reply.done === 1 ? [] : this.curve.value), reply];
          break;
        case "moved":
          keepKeys(reply.table, reply.keys);
          this.moved.value = reply.table;
          break;
        case "error":
          this.unsettled.value = this.wished = null;
          this.error.value = reply.message;
          break;
        case "taken-over":
          this.done = true;
          this.status.value = "taken-over";
          break;
        case "closed":
          this.done = true;
          this.error.value = reply.message;
          this.status.value = "closed";
          break;
      }
    });
  }

  /** The same position again keeps its data: somebody's arrival does not clear what is chosen or typed. */
  private settled(reply: Update): Update {
    const before = this.update.value;
    if (!before || before.plies !== reply.plies || before.ply !== reply.ply || !same(before.eyes, reply.eyes)) return reply;
    return { ...reply, scene: same(before.scene, reply.scene) ? before.scene : reply.scene, actions: same(before.actions, reply.actions) ? before.actions : reply.actions };
  }

  send(request: { type: string } & Record<string, unknown>) {
    if (request.type === "play") {
      this.unsettled.value = { seat: request.seat, action: request.action, ply: this.update.value?.plies ?? 0 };
      request = { type: "play", ...this.unsettled.value };
    }
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  /** The eyes that were asked for last. They are kept if another step is taken before the answer arrives. */
  get eyes(): Eyes {
    return this.wished ?? this.update.value!.eyes;
  }

  /** Asks for a position, the latest one where no `ply` is given. */
  look(ply: number | null, eyes = this.eyes) {
    this.wished = eyes;
    this.looking = { type: "look", ply, eyes };
    this.send({ type: "look", ply, eyes });
  }

  /** Sits down at one more seat in this window. */
  join(key: string) {
    keepKeys(this.name, [...new Set([...keysOf(this.name), key])]);
    this.socket?.close();
  }

  /** Takes a free seat of a room, with a secret that only this browser knows. */
  sit(seat: number, name: string) {
    const key = freshKey();
    keepKeys(this.name, [...keysOf(this.name), key].slice(-8));
    this.send({ type: "sit", seat, name, key });
  }

  /** Goes on at the next table of the same people: the same keys open its seats. */
  follow(next: string) {
    keepKeys(next, [...new Set([...keysOf(next), ...keysOf(this.name)])].slice(-8));
  }

  /** Takes the seat back from another window. */
  reclaim() {
    this.done = false;
    this.status.value = "connecting";
    this.open();
  }

  close() {
    this.done = true;
    this.drop();
    this.socket?.close();
  }
}
