// A room before its game: its code, who is there, and the free seats.
import { useState } from "preact/hooks";
import { Chat } from "./chat";
import { gameName } from "./catalog";
import type { Connection } from "./connection";
import { calledAt } from "./persons";
import { Invitation, shared } from "./share";
import type { TableReply } from "./types";
import { keepName, ownName, player, say, trouble } from "./words";

export function Waiting({ connection, table }: { connection: Connection; table: TableReply }) {
  const [name, setName] = useState(ownName());
  const room = table.room!;
  const own = table.seats.find((seat) => seat.you);
  const free = table.seats.filter((seat) => seat.open).length;
  const take = (seat: number) => {
    keepName(name);
    connection.sit(seat, name);
  };
  return (
    <div class="page waiting">
      <h1>{gameName(table.game)}</h1>
      <p>{say("codeIs")}{say("sentenceSpace")}<strong class="code">{table.table}</strong></p>
      <Invitation label={say("inviteAll")} address={shared(`/t/${table.table}`)} code />
      <Chat connection={connection} table={table} seat={own?.seat} nameOf={(seat) => table.seats[seat]?.name ?? player(seat)} />
      {!own && (
        <label class="own-name">
          {say("name")}
          <input value={name} maxLength={40} autocomplete="nickname" onInput={(e) => setName(e.currentTarget.value)} />
        </label>
      )}
      <ol class="chairs">
        {table.seats.map((seat) => (
          <li key={seat.seat} class={`p${seat.seat} ${seat.you ? "own" : ""}`}>
            <i class="token" aria-hidden="true" />
            <span>{seat.open ? player(seat.seat) : seat.name === "person" ? player(seat.seat) : calledAt(table.game, seat.name)}</span>
            {seat.you ? (
              <button onClick={() => connection.send({ type: "leave", seat: seat.seat })}>{say("standUp")}</button>
            ) : seat.open ? (
              own ? <small class="quiet">{say("free")}</small> : <button disabled={!name.trim()} aria-label={`${say("sitDown")}${say("colon")}${player(seat.seat)}`} onClick={() => take(seat.seat)}>{say("sitDown")}</button>
            ) : (
              <small class="quiet">{seat.agent ? say("agent") : seat.here ? "" : say("away")}</small>
            )}
          </li>
        ))}
      </ol>
      {connection.error.value && <p class="problem" role="alert">{trouble(connection.error.value)}</p>}
      <p role="status" class="quiet">{connection.status.value === "lost" ? say("lostConnection") : room.host ? say("beginHint", calledAt(table.game, room["stand-in"])) : own ? say("waitHint") : say("sitHint")}</p>
      {table.commitment && <p class="quiet" title={say("commitmentHint")}>{say("commitment")}{say("sentenceSpace")}<code>{table.commitment.slice(0, 16)}…</code></p>}
      {room.host && <button class="primary" onClick={() => connection.send({ type: "begin" })}>{free === 1 ? say("beginWithOne") : free > 1 ? say("beginWith", free) : say("begin")}</button>}
    </div>
  );
}
