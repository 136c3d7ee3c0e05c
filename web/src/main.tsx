import { render, type ComponentType } from "preact";
import { catalog, gameName, loadCatalog } from "./catalog";
import { EventPage, Events } from "./events";
import { hasGuide } from "./guides";
import { Home } from "./home";
import { Puzzles } from "./puzzles";
import { read, write } from "./kept";
import { RecordPage, Records } from "./records";
import { Rooms } from "./rooms";
import { at, path } from "./router";
import { RulesPage } from "./rules";
import { loadOutside } from "./share";
import { sound, switchSound } from "./sound";
import { TablePage } from "./table";
import { Learn } from "./task";
import { language, say, speak, type Word } from "./words";
import "./style.css";

function Theme() {
  const turn = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const shown = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
    const next = shown === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    write("theme", next);
  };
  return (
    <button class="plain" onClick={turn} aria-label={`${say("light")} / ${say("dark")}`} title={`${say("light")} / ${say("dark")}`}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path d="M10 2a8 8 0 1 0 0 16z" fill="currentColor" />
        <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" stroke-width="1.5" />
      </svg>
    </button>
  );
}

function Sound() {
  return (
    <button class="plain" onClick={switchSound} aria-pressed={sound.value} aria-label={say("sound")} title={say("sound")}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path d="M3 7.500h3l4-3.500v12l-4-3.500H3z" fill="currentColor" />
        {sound.value ? <path d="M12.500 7a4 4 0 0 1 0 6M14.500 4.500a7.500 7.500 0 0 1 0 11" fill="none" stroke="currentColor" stroke-width="1.5" /> : <path d="M13 7.500l5 5M18 7.500l-5 5" stroke="currentColor" stroke-width="1.5" />}
      </svg>
    </button>
  );
}

/** Pages that the header names. */
const PAGES: Record<string, { title: Word; Page: ComponentType }> = {
  "/puzzles": { title: "puzzles", Page: Puzzles },
  "/rooms": { title: "rooms", Page: Rooms },
  "/events": { title: "events", Page: Events },
  "/records": { title: "records", Page: Records },
};

function NotFound() {
  return (
    <div class="page">
      <h1>{say("notFound")}</h1>
      <a class="button primary" href={at("/")}>{say("home")}</a>
    </div>
  );
}

function App() {
  const where = path.value;
  const table = /^\/t\/([a-z0-9]+)$/.exec(where)?.[1];
  const event = /^\/e\/([a-z0-9]+)$/.exec(where)?.[1];
  const rules = /^\/rules\/([a-z0-9-]+)$/.exec(where)?.[1];
  const learn = /^\/learn\/([a-z0-9-]+)$/.exec(where)?.[1];
  const record = /^\/r\/(.+)$/.exec(where)?.[1];
  const page = PAGES[where];
  const known = (name: string) => catalog.value.length === 0 || (catalog.value.some((game) => game.name === name) && (!learn || hasGuide(name)));
  const game = rules ?? learn;
  // Tables, records and events say themselves what they are called.
  const title = game ? (known(game) ? gameName(game) : say("notFound")) : page ? say(page.title) : where === "/" ? "" : event ? say("events") : table || record ? null : say("notFound");
  if (title !== null) document.title = title ? `${title} · Oboro 朧` : "Oboro 朧";
  return (
    <>
      <header class="top">
        <a href={at("/")} class="brand">
          <img src={at("/icon.svg")} width="28" height="28" alt="" />
          <span>
            Oboro <b>朧</b>
          </span>
        </a>
        <nav>
          {Object.entries(PAGES).map(([address, { title }]) => <a key={address} href={at(address)} aria-current={where === address ? "page" : undefined}>{say(title)}</a>)}
        </nav>
        <div class="switches">
          <button class="plain" lang={language.value === "ja" ? "en" : "ja"} onClick={() => speak(language.value === "ja" ? "en" : "ja")}>
            {language.value === "ja" ? "English" : "日本語"}
          </button>
          <Sound />
          <Theme />
        </div>
      </header>
      <main>
        {table ? <TablePage key={table} name={table} /> : record ? <RecordPage key={record} path={decodeURIComponent(record)} /> : rules && known(rules) ? <RulesPage game={rules} /> : learn && known(learn) ? <Learn game={learn} /> : event ? <EventPage key={event} name={event} /> : where === "/" ? <Home /> : page ? <page.Page /> : <NotFound />}
      </main>
    </>
  );
}

const theme = read("theme", "");
if (theme) document.documentElement.dataset.theme = theme;
document.documentElement.lang = language.value;
loadCatalog();
loadOutside();
render(<App />, document.getElementById("app")!);
