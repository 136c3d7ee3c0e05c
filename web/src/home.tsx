// Setting a table: which game, who sits where, by which rules.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { game as fetchGame, games as fetchGames, openTable, sit, type Sitter } from "./api";
import { Emblem } from "./emblems";
import { at } from "./router";
import type { GameDetails, GameOutline, Level, Schema } from "./types";
import { choiceName, gameName, player, ruleAbout, ruleName, say, tagline, trouble } from "./words";

export function Home() {
  const [list, setList] = useState<GameOutline[]>([]);
  const [problem, setProblem] = useState("");
  const [chosen, setChosen] = useState(() => new URLSearchParams(location.search).get("game") ?? "");
  useEffect(() => {
    fetchGames().then(setList, (error: Error) => setProblem(trouble(error.message)));
  }, []);
  return (
    <div class="page">
      <h1>{say("newGame")}</h1>
      <p class="intro quiet">{say("intro")}</p>
      {problem && <p role="alert" class="problem">{problem}</p>}
      <div class="games" role="list">
        {list.map((game) => (
          <div role="listitem" key={game.name}>
            <button class="card" aria-pressed={chosen === game.name} onClick={() => setChosen(game.name)}>
              <Emblem game={game.name} />
              <strong>{gameName(game.name)}</strong>
              <span>{tagline(game.name)}</span>
            </button>
          </div>
        ))}
      </div>
      {list.some((game) => game.name === chosen) && <Setup key={chosen} game={chosen} />}
    </div>
  );
}

/** The players a game can have, by its rules' schema; two where it has no such option. */
export function playerCounts(game: string): number[] {
  const counts: Record<string, [number, number]> = { labyrinth: [2, 4], saboteur: [3, 10], sevens: [3, 6] };
  const [least, most] = counts[game] ?? [2, 2];
  return Array.from({ length: most - least + 1 }, (_, i) => least + i);
}

/** How many usually play it. */
export const usualPlayers = (game: string): number => (game === "saboteur" ? 5 : game === "sevens" ? 4 : 2);

function Setup({ game }: { game: string }) {
  const [details, setDetails] = useState<GameDetails | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const counts = useMemo(() => playerCounts(game), [game]);
  const [players, setPlayers] = useState(usualPlayers(game));
  const [seat, setSeat] = useState(0);
  const [opponents, setOpponents] = useState<string[]>([]);
  const [rules, setRules] = useState<Record<string, unknown>>({});
  const [seed, setSeed] = useState("");
  const [name, setName] = useState("");
  useEffect(() => {
    fetchGame(game).then(setDetails, (error: Error) => setProblem(trouble(error.message)));
  }, [game]);
  // On a small screen the form opens below what is in sight.
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.scrollIntoView({ block: "nearest" }), [details]);
  if (!details) return <p role="status">{problem || say("connecting")}</p>;
  const fallback = details.levels[1]?.agent ?? details.champion;

  const begin = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const seats: Sitter[] = Array.from({ length: players }, (_, at) => {
      if (at === seat) return { kind: "person", name };
      const spec = opponents[at] ?? fallback;
      return spec === "person" ? { kind: "person", name: "" } : { kind: "agent", spec };
    });
    const chosen = counts.length > 1 ? { players, ...rules } : rules;
    try {
      sit(await openTable({ game, rules: chosen, seats, ...(seed.trim() ? { seed: seed.trim() } : {}) }), seat);
    } catch (error) {
      setProblem(trouble((error as Error).message));
      setBusy(false);
    }
  };

  return (
    <form class="setup" onSubmit={begin} ref={form}>
      <h2>
        {gameName(game)} <a class="small" href={at(`/rules/${game}`)}>{say("short")}</a>
      </h2>
      <div class="fields">
        {counts.length > 1 && (
          <label>
            {say("players")}
            <select value={players} onChange={(e) => setPlayers(Number(e.currentTarget.value))}>
              {counts.map((count) => <option key={count} value={count}>{count}</option>)}
            </select>
          </label>
        )}
        <label>
          {say("yourSeat")}
          <select value={seat} onChange={(e) => setSeat(Number(e.currentTarget.value))}>
            {Array.from({ length: players }, (_, at) => (
              <option key={at} value={at}>{`${player(at)}${at === 0 ? ` (${say("first")})` : ""}`}</option>
            ))}
            <option value={-1}>{say("watchOnly")}</option>
          </select>
        </label>
        {seat >= 0 && (
          <label>
            {say("name")}
            <input value={name} maxLength={40} autocomplete="nickname" onInput={(e) => setName(e.currentTarget.value)} />
          </label>
        )}
      </div>
      <fieldset>
        <legend>{players > 2 ? say("opponents") : say("opponent")}</legend>
        <div class="opponents">
          {Array.from({ length: players }, (_, at) => at).filter((at) => at !== seat).map((at) => (
            <Opponent
              key={at}
              seat={at}
              details={details}
              value={opponents[at] ?? fallback}
              onChange={(spec) => setOpponents(Object.assign([...opponents], { [at]: spec }))}
            />
          ))}
        </div>
      </fieldset>
      <details>
        <summary>{say("options")}</summary>
        <div class="fields">
          <RuleFields schema={details.schemas.rules} hide={counts.length > 1 ? ["players"] : []} rules={rules} onChange={setRules} />
          <label>
            {say("seed")}
            <input value={seed} inputMode="numeric" placeholder={say("seedHint")} onInput={(e) => setSeed(e.currentTarget.value)} />
          </label>
        </div>
      </details>
      {problem && <p role="alert" class="problem">{problem}</p>}
      <button class="primary" disabled={busy}>{seat < 0 ? say("watch") : say("sit")}</button>
    </form>
  );
}

interface OpponentProps {
  seat: number;
  details: GameDetails;
  value: string;
  onChange: (spec: string) => void;
}

function Opponent({ seat, details, value, onChange }: OpponentProps) {
  const level = (level: Level) => `${say(level.name)} · ${level.agent} · ${say("rating", level.elo)}`;
  const known = value === "person" || details.levels.some((level) => level.agent === value);
  return (
    <div class="opponent">
      <label>
        {player(seat)}
        <select value={known ? value : "custom"} onChange={(e) => onChange(e.currentTarget.value === "custom" ? details.champion : e.currentTarget.value)}>
          {details.levels.map((entry) => <option key={entry.agent} value={entry.agent}>{level(entry)}</option>)}
          <option value="person">{say("person2")}</option>
          <option value="custom">{say("custom")}</option>
        </select>
      </label>
      {!known && (
        <label>
          {say("custom")}
          <input value={value} list={`agents-${details.name}`} onChange={(e) => onChange(e.currentTarget.value.trim())} />
          <datalist id={`agents-${details.name}`}>
            {details.agents.map((agent) => <option key={agent.name} value={agent.name}>{agent.about}</option>)}
          </datalist>
        </label>
      )}
    </div>
  );
}

interface RuleFieldsProps {
  schema: Schema;
  hide: string[];
  rules: Record<string, unknown>;
  onChange: (rules: Record<string, unknown>) => void;
}

/** A form from the JSON schema of a game's rules. */
function RuleFields({ schema, hide, rules, onChange }: RuleFieldsProps) {
  const fields = Object.entries(schema.properties ?? {}).filter(([key]) => !hide.includes(key));
  const set = (key: string, value: unknown, fallback: unknown) => {
    const next = { ...rules };
    if (value === fallback || value === "") delete next[key];
    else next[key] = value;
    onChange(next);
  };
  return (
    <>
      {fields.map(([key, field]) => {
        const choices = field.enum ?? field.oneOf?.flatMap((one) => one.const ?? []);
        const shown = rules[key] ?? field.default;
        const id = `rule-${key}`;
        return (
          <div class="field" key={key}>
            <label for={id}>{ruleName(key)}</label>
            {field.type === "boolean" ? (
              <input id={id} type="checkbox" checked={Boolean(shown)} onChange={(e) => set(key, e.currentTarget.checked, field.default)} />
            ) : choices ? (
              <select id={id} value={String(shown)} onChange={(e) => set(key, e.currentTarget.value, field.default)}>
                {choices.map((choice) => <option key={choice} value={choice}>{choiceName(choice)}</option>)}
              </select>
            ) : [field.type].flat().some((type) => type === "integer" || type === "number") ? (
              <input id={id} type="number" min="0" value={shown == null ? "" : String(shown)} onChange={(e) => set(key, e.currentTarget.value === "" ? "" : Number(e.currentTarget.value), field.default)} />
            ) : (
              <input id={id} value={String(shown ?? "")} onChange={(e) => set(key, e.currentTarget.value, field.default)} />
            )}
            <small>{ruleAbout(key, field.description ?? "")}</small>
          </div>
        );
      })}
    </>
  );
}

