// Quick chat: a few phrases, which everybody reads in their own language.
import { useState } from "preact/hooks";
import type { Connection } from "./connection";
import type { QuickPhrase, TableReply } from "./types";
import { say, type Word } from "./words";

const PHRASES: Record<QuickPhrase, Word> = {
  hello: "sayHello", "good-luck": "sayGoodLuck", "good-move": "sayGoodMove", oops: "sayOops",
  "one-moment": "sayOneMoment", "your-turn": "sayYourTurn", "well-played": "sayWellPlayed", thanks: "sayThanks",
};

/** What was said, and what may be said from the own seat. */
export function Chat({ connection, table, seat, nameOf }: { connection: Connection; table: TableReply; seat: number | undefined; nameOf: (seat: number) => string }) {
  const [open, setOpen] = useState(false);
  if (!table.talk) return null;
  const said = connection.said.value;
  const speak = (phrase: QuickPhrase) => {
    connection.send({ type: "say", seat, phrase });
    setOpen(false);
  };
  return (
    <section class="chat" aria-label={say("chat")}>
      <div role="log" aria-live="polite"><ul>
        {said.slice(-3).map((one) => <li key={one.number} class={`p${one.seat}`}><i class="token" aria-hidden="true" /> <b>{nameOf(one.seat)}</b> {say(PHRASES[one.phrase])}</li>)}
      </ul></div>
      {seat !== undefined && <button aria-expanded={open} onClick={() => setOpen(!open)}>{say("chat")}</button>}
      {open && seat !== undefined && (
        <div class="row phrases">
          {(Object.keys(PHRASES) as QuickPhrase[]).map((phrase) => <button key={phrase} onClick={() => speak(phrase)}>{say(PHRASES[phrase])}</button>)}
        </div>
      )}
    </section>
  );
}
