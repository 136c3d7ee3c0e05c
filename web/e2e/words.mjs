// Words that need no browser: every refusal has a Japanese sentence of its own.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { transformWithOxc } from "vite";
import { check } from "./browser.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A module of the app that imports nothing. */
async function load(path) {
  const { code } = await transformWithOxc(readFileSync(join(ROOT, "web/src", path), "utf8"), path);
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

const rustFiles = (folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? rustFiles(path) : path.endsWith(".rs") ? [path] : [];
  });

/** What the server may refuse, read from its sources: constants, and the texts of errors with their places filled in. */
function refusals() {
  const found = new Set();
  const filled = (text) => text.replace(/\{[^}]*\}/g, "7").replaceAll('\\"', '"');
  for (const file of rustFiles("server/src")) {
    const text = readFileSync(join(ROOT, file), "utf8");
    for (const [, said] of text.matchAll(/Refusal::(?:NotNow|Full)\(\s*"([^"]+)"/g)) found.add(said);
  }
  for (const file of ["server/src/error.rs", "core/src/live.rs", "core/src/game.rs", "catalog/src/error.rs"]) {
    const text = readFileSync(join(ROOT, file), "utf8");
    // What only passes another text on says nothing by itself.
    for (const [, said] of text.matchAll(/#\[error\(\s*"((?:[^"\\]|\\.)+)"/g)) if (!/^\{[^}]*\}(: [^a-z]|:? ?\{|$)/.test(said)) found.add(filled(said));
  }
  return [...found].filter((text) => !/^(7: try again later|(seat|game) 7: 7)$/.test(text));
}

/** No refusal is shown in English in the Japanese app. */
async function refusalsAreTranslated() {
  const { troubleStrings } = await load("strings.ts");
  const all = refusals();
  check(all.length > 50, `only ${all.length} refusals were found`);
  const unknown = all.filter((text) => {
    const at = troubleStrings.findIndex(([pattern]) => pattern.test(text));
    return at < 0 || at === troubleStrings.length - 1;
  });
  check(unknown.length === 0, `without a Japanese sentence: ${unknown.join(" | ")}`);
}

/** What the numbers of an analysis count is said in both languages. */
async function measuresAreTranslated() {
  const { measureStrings } = await load("strings.ts");
  const text = ["games", "player", "search"].flatMap(rustFiles).map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n");
  const named = (name) => new RegExp(`const ${name}: &str = "([^"]+)"`).exec(text)[1];
  const all = new Set([...text.matchAll(/\bmeasure: (?:"([^"]+)"|([A-Z_]{2,}))/g)].map(([, said, name]) => said ?? named(name)));
  check(all.size > 8, `only ${all.size} measures were found`);
  const unknown = [...all].filter((measure) => !(measure in measureStrings));
  check(unknown.length === 0, `without words of their own: ${unknown.join(", ")}`);
}

/** Both languages say the same places, in every string. */
async function stringsFit() {
  const { strings } = await load("strings.ts");
  const places = (text) => [...text.matchAll(/\{\d\}/g)].map(String).sort().join();
  const odd = Object.entries(strings).filter(([, [en, ja]]) => places(en) !== places(ja));
  check(odd.length === 0, `places differ: ${odd.map(([key]) => key).join(", ")}`);
}

export const words = { refusalsAreTranslated, measuresAreTranslated, stringsFit };
