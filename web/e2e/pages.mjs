// Every page, in both languages, light and dark, wide and narrow.
import { gzipSync } from "node:zlib";
import { agents, check, checkAccess, checkWidth, person, shot, until } from "./browser.mjs";

async function everyPage(visit, locale, colorScheme, width) {
  const context = await visit.profile({ locale, colorScheme, viewport: { width, height: 760 } });
  const page = await visit.page("/", context);
  const look = async (what) => {
    await checkWidth(page, `${what} (${locale}, ${width} px)`);
    await checkAccess(page, `${what} (${locale}, ${colorScheme})`);
  };
  await page.locator(".card").first().waitFor();
  const games = await visit.games();
  check((await page.locator(".card").count()) === games.length, "every game is offered");
  await page.locator(".card").first().click();
  await page.locator(".setup details summary").click();
  await look("the first page");
  for (const { name: game, players: { least, most, usual } } of games) {
    await page.goto(new URL(`/?game=${game}`, visit.base).href);
    await page.locator(".setup details summary").click();
    await checkWidth(page, `setting a table of ${game} (${locale}, ${width} px)`);
    const rules = least === most ? {} : { players: usual };
    const opened = await visit.set({ game, rules, seats: [person, ...agents("random", usual - 1)] });
    page.frames_heard.length = 0;
    await page.goto(new URL(`${opened.address}#keys=${opened.keys[0]}`, visit.base).href);
    await until(page, (update) => update.actions !== null);
    await page.locator(".status.mine").waitFor();
    await look(`a table of ${game}`);
    await shot(page, `table-${game}-${locale}-${width}`);
    await page.goto(new URL(`/rules/${game}`, visit.base).href);
    await page.locator(".rules ol li").nth(2).waitFor();
    if (game === "labyrinth" || game === "leduc") await look(`the rules of ${game}`);
  }
  await page.goto(new URL("/nowhere", visit.base).href);
  await look("no page");
  await page.goto(new URL("/records", visit.base).href);
  await page.locator(".list tbody tr, .file ~ .quiet").first().waitFor();
  await look("the records");
  await page.goto(new URL("/puzzles", visit.base).href);
  await page.locator(".daily .primary").first().waitFor();
  await page.locator("details summary").first().click();
  await look("the puzzles");
  await page.goto(new URL("/learn/geister", visit.base).href);
  await page.locator(".page .primary").waitFor();
  await look("the start of a guided game");
}

const lightAndWide = (visit) => everyPage(visit, "en-US", "light", 1200);
const darkAndNarrow = (visit) => everyPage(visit, "ja-JP", "dark", 360);

async function languages(visit) {
  const context = await visit.profile({ locale: "ja-JP" });
  const page = await visit.page("/", context);
  await page.getByRole("heading", { name: "新しい対局" }).waitFor();
  check((await page.locator("html").getAttribute("lang")) === "ja", "the page says that it is Japanese");
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { name: "New game" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "New game" }).waitFor();
}

async function recordsOfAFolder(visit) {
  const page = await visit.page("/records");
  await page.locator(".list tbody a").first().click();
  await until(page, (update) => update.outcome !== null, "the study");
  check((await page.locator("tr").count()) === 0, "the list gives way to the table");
  // The address names the record, not a table that is gone after a restart.
  check(new URL(page.url()).pathname === "/r/000000.txt", `the address is ${page.url()}`);
  const shared = await visit.page(`${page.url()}#ply=3&seat=1`);
  const shown = await until(shared, (update) => update.ply === 3, "the position of the address");
  check(shown.eyes.seat === 1, "from the seat of the address");
}

/** Every page says in its title what it is, and so do addresses of nothing. */
async function titles(visit) {
  const page = await visit.page("/");
  for (const [address, title] of [
    ["/", "Oboro 朧"], ["/rooms", "Rooms · Oboro 朧"], ["/puzzles", "Puzzles · Oboro 朧"], ["/rules/geister", "Geister · Oboro 朧"], ["/learn/sevens", "Sevens · Oboro 朧"],
    ["/nowhere", "There is no such page. · Oboro 朧"], ["/rules/chess", "There is no such page. · Oboro 朧"], ["/learn/kuhn", "There is no such page. · Oboro 朧"],
    ["/t/nosuchtable", "There is no such table any more. · Oboro 朧"], ["/e/nosuchevent", "Events · Oboro 朧"], ["/r/nosuch.txt", "There is no such page. · Oboro 朧"],
  ]) {
    await page.goto(new URL(address, visit.base).href);
    await page.waitForFunction((wanted) => document.title === wanted, title).catch(async () => check(false, `${address} is titled ${await page.title()}`));
  }
  // What is not there is asked for, and the console tells so.
  visit.troubles = visit.troubles.filter((trouble) => !trouble.includes("404"));
}

async function small(visit) {
  const sizes = await Promise.all(["/", "/app.js", "/app.css", "/icon.svg"].map(async (path) => {
    const answer = await fetch(new URL(path, visit.base));
    check(answer.ok, `${path} is missing`);
    return gzipSync(Buffer.from(await answer.arrayBuffer())).length;
  }));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  check(total < 120_000, `the app takes ${total} bytes`);
}

export const pages = { lightAndWide, darkAndNarrow, languages, recordsOfAFolder, titles, small };
