// Setting a table: which game, who sits where, by which rules.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { game as fetchGame, openTable, sit, type Sitter } from "./api";
import { lookOf } from "./boards";
import { GenericEmblem } from "./boards/generic";
import { catalog, catalogProblem, gameName, playerCounts, usualPlayers } from "./catalog";
import { hasGuide, hasLearned } from "./guides";
import { calledAt, Face, FaceOf, personAbout, personName } from "./persons";
import { forgetRecent, habitOf, keepHabit, recentGames } from "./recent";
import { at } from "./router";
import type { GameDetails, GameOutline, Schema } from "./types";
import { choiceName, keepName, ownName, phrase, player, ruleAbout, ruleName, say, trouble } from "./words";

/** Games that go on, and those that were played lately. */
function RecentGames() {
  const [list, setList] = useState(recentGames);
  // Tables that are gone are forgotten.
  useEffect(() => {
    for (const { table } of list) {
      void fetch(at(`/api/tables/${table}`)).then((answer) => {
        if (answer.status !== 404) return;
        forgetRecent(table);
        setList(recentGames());
      }, () => {});
    }
  }, []);
  const of = (over: boolean) => list.filter((one) => (one.result !== null) === over);
  const links = (games: typeof list) => (
    <ul class="recent">
      {games.map(({ table, game, others, result }) => (
        <li key={table}>
          <a class="button" href={at(`/t/${table}`)}>
            {others.slice(0, 3).map((name, i) => <FaceOf key={i} game={game} name={name} />)}
            <span>
              {gameName(game)} <small>{others.slice(0, 3).map((name, i) => (name === "person" ? player(i + 1) : calledAt(game, name))).join(" · ")}</small>
            </span>
            {result && <b>{say(result)}</b>}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {of(false).length > 0 && <section><h2>{say("goOn")}</h2>{links(of(false))}</section>}
      {of(true).length > 0 && <section><h2>{say("recent")}</h2>{links(of(true))}</section>}
    </>
  );
}

export function Home() {
  const [chosen, setChosen] = useState(() => new URLSearchParams(location.search).get("game") ?? "");
  const measured = catalog.value.filter((game) => game.levels.length > 0);
  const small = catalog.value.filter((game) => game.levels.length === 0);
  return (
    <div class="page">
      <RecentGames />
      <h1>{say("newGame")}</h1>
      <p class="intro quiet">{say("intro")}</p>
      {catalogProblem.value && <p role="alert" class="problem">{catalogProblem.value}</p>}
      <Cards games={measured} chosen={chosen} choose={setChosen} />
      {measured.some((game) => game.name === chosen) && <Setup key={chosen} game={chosen} />}
      {small.length > 0 && <h2 class="small-games">{say("smallGames")}</h2>}
      <Cards games={small} chosen={chosen} choose={setChosen} />
      {small.some((game) => game.name === chosen) && <Setup key={chosen} game={chosen} />}
    </div>
  );
}

function Cards({ games, chosen, choose }: { games: GameOutline[]; chosen: string; choose: (game: string) => void }) {
  return (
    <div class="games" role="list">
      {games.map((game) => {
        const Emblem = lookOf(game.name).Emblem ?? GenericEmblem;
        return (
          <div role="listitem" key={game.name}>
            <button class="card" aria-pressed={chosen === game.name} onClick={() => choose(game.name)}>
              <Emblem />
              <strong>{phrase(game.text.title)}</strong>
              <span>{phrase(game.text.tagline)}</span>
            </button>
          </div>
        );
      })}
    </div>
  );
}

function Setup({ game }: { game: string }) {
  const [details, setDetails] = useState<GameDetails | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const counts = playerCounts(game);
  const habit = habitOf(game);
  const [players, setPlayers] = useState(habit.players !== undefined && counts.includes(habit.players) ? habit.players : usualPlayers(game));
  const [seat, setSeat] = useState(Math.min(habit.seat ?? 0, players - 1));
  const [chosenForAll, setAll] = useState(habit.opponent ?? "");
  const [each, setEach] = useState(false);
  const [opponents, setOpponents] = useState<string[]>([]);
  const [rules, setRules] = useState<Record<string, unknown>>({});
  const [seed, setSeed] = useState("");
  const [name, setName] = useState(ownName());
  useEffect(() => {
    fetchGame(game).then(setDetails, (error: Error) => setProblem(trouble(error.message)));
  }, [game]);
  // On a small screen the form opens below what is in sight.
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.scrollIntoView({ block: "nearest" }), [details]);
  if (!details) return <p role="status">{problem || say("connecting")}</p>;
  const all = chosenForAll || (details.levels[1]?.agent ?? details.champion);

  const begin = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    if (seat >= 0) keepName(name);
    keepHabit(game, { players, seat, opponent: players === 2 ? (opponents[1 - seat] ?? all) : all });
    const seats: Sitter[] = Array.from({ length: players }, (_, at) => {
      if (at === seat) return { kind: "person", name };
      const spec = players > 2 && !each ? all : (opponents[at] ?? all);
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
      {hasGuide(game) && <p><a class="button" href={at(`/learn/${game}`)}>{say(hasLearned(game) ? "learnAgain" : "learn")}</a></p>}
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
              <option key={at} value={at}>{at === 0 ? say("first", player(at)) : player(at)}</option>
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
        {players > 2 && (
          <label class="check">
            <input type="checkbox" checked={each} onChange={(e) => setEach(e.currentTarget.checked)} /> {say("eachOpponent")}
          </label>
        )}
        <div class="opponents">
          {players > 2 && !each ? (
            <Opponent label={say("allOpponents")} details={details} value={all} onChange={setAll} />
          ) : (
            Array.from({ length: players }, (_, at) => at).filter((at) => at !== seat).map((at) => (
              <Opponent key={at} label={player(at)} details={details} value={opponents[at] ?? all} onChange={(spec) => setOpponents(Object.assign([...opponents], { [at]: spec }))} />
            ))
          )}
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
  label: string;
  details: GameDetails;
  value: string;
  onChange: (spec: string) => void;
}

/** Who plays there: one of three persons, somebody else, or any agent. */
function Opponent({ label, details, value, onChange }: OpponentProps) {
  // Any agent may be typed, those of the levels among them.
  const [typed, setTyped] = useState(!details.levels.some((level) => level.agent === value) && value !== "person");
  const group = useId();
  const choose = (spec: string) => {
    setTyped(spec === "custom");
    onChange(spec === "custom" ? details.champion : spec);
  };
  const choice = (name: string, spec: string, body: ComponentChildren, about?: string) => (
    <label class="choice" key={name} title={about}>
      <input type="radio" name={group} value={name} checked={spec === "custom" ? typed : !typed && value === spec} onChange={() => choose(spec)} />
      {body}
    </label>
  );
  return (
    <div class="opponent" role="radiogroup" aria-label={label}>
      <span class="opponent-label" aria-hidden="true">{label}</span>
      <div class="persons">
        {details.levels.map((level) =>
          choice(level.name, level.agent, <><Face level={level.name} /><b>{personName(level.name)}</b> <small>{say(level.name)} · {say("rating", level.elo)}</small> <small>{personAbout(level.name)}</small></>, level.agent))}
        {choice("person", "person", <b>{say("person2")}</b>)}
        {choice("custom", "custom", <b>{say("custom")}</b>)}
      </div>
      {typed && (
        <label>
          {say("custom")}
          <input class="spec" value={value} list={`agents-${details.name}`} onChange={(e) => onChange(e.currentTarget.value.trim())} />
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
