// Rooms for people on many machines: those that are open, and a form to open one.
import { useEffect, useState } from "preact/hooks";
import { game as fetchGame, openTable, rooms as fetchRooms, sit, type Sitter } from "./api";
import { catalog, gameName, playerCounts, usualPlayers } from "./catalog";
import { personName } from "./persons";
import { at, go } from "./router";
import type { GameDetails, Room } from "./types";
import { keepName, ownName, say, trouble } from "./words";

/** How often the list is asked for. */
const PAUSE = 4000;

export function Rooms() {
  const [list, setList] = useState<Room[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let timer = 0;
    const ask = async () => {
      await fetchRooms().then((found) => (setList(found), setProblem("")), (error: Error) => setProblem(trouble(error.message)));
      timer = window.setTimeout(ask, PAUSE);
    };
    void ask();
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="page">
      <h1>{say("rooms")}</h1>
      <p class="intro quiet">{say("roomsIntro")}</p>
      <Code />
      <h2>{say("openRooms")}</h2>
      {problem && <p role="alert" class="problem">{problem}</p>}
      {list?.length === 0 && <p class="quiet">{say("noRooms")}</p>}
      <ul class="rooms">
        {list?.map((room) => <Entry key={room.table} room={room} />)}
      </ul>
      {catalog.value.length > 0 && <NewRoom />}
    </div>
  );
}

function Entry({ room }: { room: Room }) {
  const free = room.seats.filter((seat) => seat.open).length;
  const people = room.seats.filter((seat) => !seat.agent && !seat.open).map((seat) => seat.name);
  return (
    <li>
      <a href={at(`/t/${room.table}`)} class="room">
        <strong>{gameName(room.game)}</strong>
        <span>{people.join(" · ")}</span>
        <span class="quiet">{room.gathering ? (free === 1 ? say("freeSeat") : say("freeSeats", free)) : say("playing", room.plies)}</span>
        <b>{room.gathering ? say("join") : say("watch")}</b>
      </a>
    </li>
  );
}

function Code() {
  const [code, setCode] = useState("");
  const wanted = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return (
    <form
      class="code-form"
      onSubmit={(e) => {
        e.preventDefault();
        if (wanted) go(`/t/${wanted}`);
      }}
    >
      <label>
        {say("code")}
        <input value={code} maxLength={12} autocomplete="off" autocapitalize="none" spellcheck={false} onInput={(e) => setCode(e.currentTarget.value)} />
      </label>
      <button disabled={wanted.length < 4}>{say("join")}</button>
    </form>
  );
}

/** Clocks to choose from: seconds for a move, seconds for a game. */
export const CLOCKS: [number | null, number | null][] = [[null, null], [20, null], [60, null], [180, null], [null, 300], [null, 900], [null, 1800]];

export const clockName = ([move, all]: [number | null, number | null]) =>
  move !== null ? say("perMove", move) : all !== null ? say("perGame", all / 60) : say("noClock");

interface GameFieldsProps {
  game: string;
  players: number;
  /** What the number of players is called. */
  label: string;
  choose: (game: string, players: number) => void;
}

/** Which game, and how many play it. */
export function GameFields({ game, players, label, choose }: GameFieldsProps) {
  const counts = playerCounts(game);
  return (
    <>
      <label>
        {say("game")}
        <select value={game} onChange={(e) => choose(e.currentTarget.value, usualPlayers(e.currentTarget.value))}>
          {catalog.value.map((one) => <option key={one.name} value={one.name}>{gameName(one.name)}</option>)}
        </select>
      </label>
      {counts.length > 1 && (
        <label>
          {label}
          <select value={players} onChange={(e) => choose(game, Number(e.currentTarget.value))}>
            {counts.map((count) => <option key={count} value={count}>{count}</option>)}
          </select>
        </label>
      )}
    </>
  );
}

/** What the server says of a game: null until it has spoken of this one, whatever was chosen before. */
export function useDetails(game: string, complain: (error: Error) => void): GameDetails | null {
  const [details, setDetails] = useState<GameDetails | null>(null);
  useEffect(() => {
    fetchGame(game).then(setDetails, complain);
  }, [game]);
  return details?.name === game ? details : null;
}

function NewRoom() {
  const [game, setGame] = useState(catalog.value[0]!.name);
  const [players, setPlayers] = useState(usualPlayers(game));
  const [name, setName] = useState(ownName());
  const [listed, setListed] = useState(true);
  const [clock, setClock] = useState(0);
  const [lose, setLose] = useState(false);
  const [hints, setHints] = useState(false);
  const [spec, setSpec] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const complain = (error: Error) => setProblem(trouble(error.message));
  const details = useDetails(game, complain);
  const choose = (next: string, count: number) => {
    if (next !== game) setSpec("");
    setGame(next);
    setPlayers(count);
  };
  const counts = playerCounts(game);
  const begin = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    keepName(name);
    const seats: Sitter[] = Array.from({ length: players }, (_, seat) => (seat === 0 ? { kind: "person", name } : { kind: "open" }));
    const [move, all] = CLOCKS[clock]!;
    const room = { listed, "move-seconds": move, "game-seconds": all, "lose-on-time": clock > 0 && lose, hints, ...(spec ? { "stand-in": spec } : {}) };
    try {
      sit(await openTable({ game, rules: counts.length > 1 ? { players } : {}, seats, room }), 0);
    } catch (error) {
      complain(error as Error);
      setBusy(false);
    }
  };
  return (
    <form class="setup" onSubmit={begin}>
      <h2>{say("openRoom")}</h2>
      <div class="fields">
        <GameFields game={game} players={players} label={say("players")} choose={choose} />
        <label>
          {say("name")}
          <input value={name} required maxLength={40} autocomplete="nickname" onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        <label>
          {say("clock")}
          <select value={clock} onChange={(e) => setClock(Number(e.currentTarget.value))}>
            {CLOCKS.map((one, i) => <option key={i} value={i}>{clockName(one)}</option>)}
          </select>
        </label>
        {clock > 0 && (
          <label>
            {say("timeUp")}
            <select value={lose ? "lose" : "agent"} onChange={(e) => setLose(e.currentTarget.value === "lose")}>
              <option value="agent">{say("timeUpAgent")}</option>
              <option value="lose">{say("timeUpLose")}</option>
            </select>
          </label>
        )}
        <label>
          {say("standIn")}
          <select value={spec} onChange={(e) => setSpec(e.currentTarget.value)}>
            {details?.levels.map((level) => (
              <option key={level.agent} value={level.name === "medium" ? "" : level.agent}>{`${personName(level.name)} · ${say(level.name)}`}</option>
            ))}
          </select>
        </label>
      </div>
      <label class="check">
        <input type="checkbox" checked={listed} onChange={(e) => setListed(e.currentTarget.checked)} /> {say("listed")}
      </label>
      <label class="check">
        <input type="checkbox" checked={hints} onChange={(e) => setHints(e.currentTarget.checked)} /> {say("allowHints")}
      </label>
      {problem && <p role="alert" class="problem">{problem}</p>}
      <button class="primary" disabled={busy}>{say("openRoom")}</button>
    </form>
  );
}
