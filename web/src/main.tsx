import { render } from "preact";
import { gameName, loadCatalog } from "./catalog";
import { EventPage, Events } from "./events";
import { Home } from "./home";
import { Records } from "./records";
import { Rooms } from "./rooms";
import { at, path } from "./router";
import { RulesPage } from "./rules";
import { sound, switchSound } from "./sound";
import { TablePage } from "./table";
import { language, say, speak, type Word } from "./words";
import "./style.css";

function Theme() {
  const turn = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const shown = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
    const next = shown === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("oboro-theme", next);
    } catch {
      // Not kept, then.
    }
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
  const table = /^\/t\/([a-z0-9]+)/.exec(where)?.[1];
  const event = /^\/e\/([a-z0-9]+)/.exec(where)?.[1];
  const rules = /^\/rules\/([a-z0-9-]+)/.exec(where)?.[1];
  const pages: Record<string, Word> = { "/rooms": "rooms", "/events": "events", "/records": "records" };
  const title = rules ? gameName(rules) : event ? say("events") : table || where === "/" ? "" : say(pages[where] ?? "notFound");
  document.title = title ? `${title} · Oboro 朧` : "Oboro 朧";
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
          <a href={at("/rooms")} aria-current={where === "/rooms" ? "page" : undefined}>
            {say("rooms")}
          </a>
          <a href={at("/events")} aria-current={where === "/events" ? "page" : undefined}>
            {say("events")}
          </a>
          <a href={at("/records")} aria-current={where === "/records" ? "page" : undefined}>
            {say("records")}
          </a>
          <button class="plain" lang={language.value === "ja" ? "en" : "ja"} onClick={() => speak(language.value === "ja" ? "en" : "ja")}>
            {language.value === "ja" ? "English" : "日本語"}
          </button>
          <Sound />
          <Theme />
        </nav>
      </header>
      <main>
        {table ? <TablePage key={table} name={table} /> : rules ? <RulesPage game={rules} /> : where === "/records" ? <Records /> : where === "/rooms" ? <Rooms /> : where === "/events" ? <Events /> : event ? <EventPage key={event} name={event} /> : where === "/" ? <Home /> : <NotFound />}
      </main>
    </>
  );
}

try {
  const theme = localStorage.getItem("oboro-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // The system's choice, then.
}
document.documentElement.lang = language.value;
loadCatalog();
render(<App />, document.getElementById("app")!);
