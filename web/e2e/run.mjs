// Tests of the app in Chromium against a running server: node e2e/run.mjs http://127.0.0.1:8765 [name …]
import { Visit, launch } from "./browser.mjs";
import { events } from "./events.mjs";
import { games } from "./games.mjs";
import { pages } from "./pages.mjs";
import { play } from "./play.mjs";
import { rooms } from "./rooms.mjs";
import { tables } from "./tables.mjs";
import { longTasks, tasks } from "./tasks.mjs";
import { whole } from "./whole.mjs";
import { words } from "./words.mjs";

const [base, ...wanted] = process.argv.slice(2);
if (!base) throw new Error("usage: node e2e/run.mjs URL [name …]");
const usual = { ...words, ...whole, ...play, ...pages, ...games, ...tables, ...tasks, ...rooms, ...events };
const all = wanted.length === 0 ? Object.entries(usual) : Object.entries({ ...usual, ...longTasks }).filter(([name]) => wanted.includes(name));
const browser = await launch(process.env.OBORO_CHROMIUM ?? "/usr/bin/chromium");
const failures = [];

/** Most of a test is waiting, so a few of them go on side by side. */
async function work(queue) {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, test] = next;
    const visit = new Visit(browser, base);
    const started = performance.now();
    try {
      await test(visit);
      await visit.leave();
      console.log(`ok ${name} ${((performance.now() - started) / 1000).toFixed(1)} s`);
    } catch (error) {
      failures.push(name);
      console.log(`FAILED ${name}: ${error.stack ?? error}`);
      await visit.leave().catch((trouble) => console.log(`  ${trouble.message}`));
    }
  }
}

const queue = [...all];
await Promise.all(Array.from({ length: 3 }, () => work(queue)));
await browser.close();
console.log(failures.length ? `failed: ${failures.join(", ")}` : `all ${all.length} passed`);
process.exitCode = failures.length || all.length === 0 ? 1 : 0;
