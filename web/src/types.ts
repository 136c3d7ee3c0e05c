// What the server says and is told. The shapes of scenes are in scenes.ts.

export interface Phrase {
  en: string;
  ja: string;
}

export interface ActionReport<Parts = unknown> {
  action: string;
  parts: Parts;
  text: Phrase;
}

export interface EventReport<Parts = unknown> {
  ply: number;
  seat: number;
  parts: Parts;
  text: Phrase;
}

export interface SeatState {
  seat: number;
  name: string;
  agent: boolean;
  open: boolean;
  "stand-in": boolean;
  you: boolean;
  here: boolean;
}

export type Eyes = { seat: number } | "spectator" | "everything";

export interface TableReply {
  type: "table";
  table: string;
  game: string;
  rules: Record<string, unknown>;
  seats: SeatState[];
  study: boolean;
  room: RoomState | null;
  /** The table at which the same people go on. */
  next: string | null;
  /** The event whose table it is. */
  event: string | null;
  "take-back": boolean;
  pace: number | null;
  /** Whether agents may be asked now. */
  hints: boolean;
  /** How many look on. */
  watchers: number;
  /** Whether people may talk here. */
  talk: boolean;
  /** The SHA-256 of the seed of the deal. */
  commitment: string | null;
}

/** What people may say to each other. */
export type QuickPhrase = "hello" | "good-luck" | "good-move" | "oops" | "one-moment" | "your-turn" | "well-played" | "thanks";

/** Something that was said. */
export interface Said {
  type: "said";
  number: number;
  seat: number;
  phrase: QuickPhrase;
}

/** Puzzles of a game, and the rules they are played by. */
export interface PuzzleBook {
  rules: Record<string, string>;
  puzzles: { moves: number; solution: string; position: string }[];
}

/** A room: how people come, go and use up time. */
export interface RoomState {
  gathering: boolean;
  host: boolean;
  listed: boolean;
  "move-seconds": number | null;
  "game-seconds": number | null;
  "stand-in": string;
  "away-seconds": number | null;
  "lose-on-time": boolean;
  "lose-when-away": boolean;
  hints: boolean | null;
}

/** Milliseconds left at the moment of the message. */
export interface Clock {
  seats: (number | null)[];
  running: number | null;
  "for-move": number | null;
}

/** A room in the list. */
export interface Room {
  table: string;
  game: string;
  gathering: boolean;
  seats: SeatState[];
  watchers: number;
  plies: number;
}

export interface Outcome {
  payoffs: number[];
  plies: number;
  facts: Record<string, number | number[]>;
}

export interface Update {
  type: "update";
  ply: number;
  plies: number;
  eyes: Eyes;
  "to-act": number | null;
  thinking: number | null;
  scene: unknown;
  events: EventReport[];
  "events-from": number;
  actions: ActionReport[] | null;
  outcome: Outcome | null;
  ending: Ending | null;
  clock: Clock | null;
}

export interface Belief {
  subject: string;
  values: { value: string; probability: number }[];
}

export interface ActionValue {
  action: string;
  value: number | string;
  visits?: number;
  note?: string;
}

/** What the actions of a position are expected to be worth, the advised one first. */
export interface Evaluation {
  agent: string;
  best: string;
  value: number;
  error: number;
  values: { action: string; value: number; error: number }[];
}

export interface Advice {
  type: "advice";
  "for-ply": number;
  seat: number;
  evaluation: Evaluation;
}

/** Why a game ended as it did. */
export interface Ending {
  reasons: Phrase[];
  forfeit: { seat: number; reason: string } | null;
}

export interface Insight {
  type: "insight";
  "for-ply": number;
  depth: number;
  final: boolean;
  agent: string;
  seat: number;
  choice?: string;
  measure?: string;
  values?: ActionValue[];
  drawing?: string;
  evaluation?: Evaluation;
  beliefs: Belief[];
  baseline: Belief[];
}

export interface Point {
  type: "point";
  agent: string;
  seat: number;
  ply: number;
  value: number;
  error: number;
  played: number | null;
  best: Phrase;
  action: Phrase;
  done: number;
  of: number;
}

export type Reply =
  | TableReply
  | Update
  | Insight
  | Advice
  | Said
  | Point
  | { type: "moved"; table: string; keys: string[] }
  | { type: "error"; message: string }
  | { type: "taken-over" }
  | { type: "closed"; message: string };

export interface Level {
  name: "easy" | "medium" | "hard";
  agent: string;
  elo: number;
}

/** A JSON schema, as far as forms read it. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: string;
  enum?: string[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  minimum?: number;
  maximum?: number;
}

export interface GameOutline {
  name: string;
  text: { title: Phrase; tagline: Phrase; rules: Phrase[] };
  players: { least: number; most: number; usual: number };
  champion: string;
  levels: Level[];
  /** How many puzzles it has. */
  puzzles: number;
}

export interface AgentInfo {
  name: string;
  about: string;
  source: string;
  positional: string[];
  schema: Schema;
}

export interface GameDetails extends GameOutline {
  schemas: { rules: Schema; scene: Schema; action: Schema; event: Schema };
  agents: AgentInfo[];
}

export interface RecordEntry {
  path: string;
  game: string;
  agents: string[];
  result: string[];
  plies: number;
}

export interface Opened {
  table: string;
  keys: (string | null)[];
  address: string;
}

export type Stage = "gathering" | "running" | "over";
export type EventKind = "swiss" | "round-robin";

/** An event in the list. */
export interface ListedEvent {
  event: string;
  name: string;
  kind: EventKind;
  stage: Stage;
  games: string[];
  entrants: number;
  round: number;
  rounds: number | null;
}

/** What an event is to be. */
export interface EventPlan {
  name: string;
  kind: EventKind;
  rounds?: number | null;
  "games-per-meeting"?: number | null;
  people: number;
  "begin-with"?: number | null;
  listed: boolean;
  "move-seconds"?: number | null;
  "game-seconds"?: number | null;
  "come-seconds": number;
  absent: "agent" | "forfeit";
  house?: string | null;
  pace?: number;
  game: { name: string; rules: Record<string, unknown> }[];
  agent: { name?: string | null; spec: string }[];
}

export interface EventStanding {
  entrant: number;
  points: number;
  games: number;
  won: number;
  drawn: number;
  lost: number;
  faults: number;
  elo?: number;
  /** The mean payoff a game. */
  payoff?: number;
  interval?: { low: number; high: number };
}

/** Those who meet, and their games; null is the house. */
export interface EventBoard {
  players: (number | null)[];
  games: { table: string; seats: (number | null)[]; payoffs: number[] | null; forfeit: string | null; absent: boolean[] }[];
  of: number;
  points: number[];
}

/** Everything that everybody may know of an event. */
export interface EventOverview {
  event: string;
  stage: Stage;
  plan: EventPlan;
  seats: number[];
  house: string[];
  entrants: { name: string; agent: string | null; left: boolean }[];
  /** What decides: games won, payoffs, or games won without ratings. */
  counts: "outcomes" | "payoffs" | "mixed";
  standings: EventStanding[];
  identifiable: boolean;
  "rounds-planned": number | null;
  rounds: { game: number; boards: EventBoard[] }[];
}
