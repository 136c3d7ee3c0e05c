// Recorded games: from a file, or from the folder that `oboro view` was given.
import { useEffect, useState } from "preact/hooks";
import { openListed, openRecord, records as fetchRecords, sit } from "./api";
import { gameName } from "./catalog";
import { at } from "./router";
import { TablePage } from "./table";
import type { RecordEntry } from "./types";
import { say, trouble } from "./words";
import { worth } from "./worth";

/** What a recorded game was worth to each seat; what is no number stays as it is written. */
function resultOf({ result }: RecordEntry): string {
  const payoffs = result.map(Number);
  const told = result.every((text) => text.trim() !== "") && payoffs.every(Number.isFinite);
  return result.map((text, seat) => (told ? worth(payoffs, seat) : text)).join(" · ");
}

export function Records() {
  const [list, setList] = useState<RecordEntry[] | null>(null);
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState("");
  const complain = (error: Error) => setProblem(trouble(error.message));
  useEffect(() => {
    fetchRecords().then(setList, complain);
  }, []);
  const open = async (file: File | undefined) => {
    if (file) await openRecord(await file.text()).then((opened) => sit(opened), complain);
  };
  const fits = (entry: RecordEntry) => `${entry.path} ${entry.game} ${gameName(entry.game)} ${entry.agents.join(" ")}`.toLowerCase().includes(words.toLowerCase());
  const shown = (list ?? []).filter(fits);
  return (
    <div class="page">
      <h1>{say("records")}</h1>
      <label class="file">
        <strong>{say("openRecord")}</strong>
        <span class="quiet">{say("recordFile")}</span>
        <input type="file" accept=".txt,text/plain" onChange={(e) => open(e.currentTarget.files?.[0])} />
      </label>
      {problem && <p role="alert" class="problem">{problem}</p>}
      {list?.length === 0 && <p class="quiet">{say("noRecords")}</p>}
      {list && list.length > 0 && (
        <>
          <label class="list-filter">
            {say("filter")} <input type="search" value={words} onInput={(e) => setWords(e.currentTarget.value)} />
          </label>
          <div class="scroll" tabIndex={0}>
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">{say("game")}</th>
                  <th scope="col">{say("who")}</th>
                  <th scope="col">{say("result")}</th>
                  <th scope="col">{say("plies")}</th>
                </tr>
              </thead>
              <tbody>
                {shown.slice(0, 500).map((entry) => (
                  <tr key={entry.path}>
                    <td>
                      <a href={at(`/r/${entry.path.split("/").map(encodeURIComponent).join("/")}`)}>
                        {gameName(entry.game)} <small>{entry.path}</small>
                      </a>
                    </td>
                    <td>{entry.agents.join(" · ")}</td>
                    <td>{resultOf(entry)}</td>
                    <td>{entry.plies}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  );
}

/** A record of the folder, under an address that is still right after a restart of the server. */
export function RecordPage({ path }: { path: string }) {
  const [table, setTable] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => {
    openListed(path).then((opened) => setTable(opened.table), (error: Error) => setProblem(trouble(error.message)));
  }, [path]);
  useEffect(() => {
    if (problem) document.title = `${say("notFound")} · Oboro 朧`;
  }, [problem]);
  if (table) return <TablePage name={table} />;
  return <p class="page" role={problem ? "alert" : "status"}>{problem || say("connecting")}</p>;
}
