// A browser for the tests: pages that note what they receive and what goes wrong in them.
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** The machine may be busy with everything else that is tested. */
const PATIENCE = 120_000;

export const launch = (executablePath) => chromium.launch({ executablePath, args: ARGS });

export function check(holds, message) {
  if (!holds) throw new Error(message);
}

/** The picture of a page, where somebody wants to see it: OBORO_SHOTS names the folder. */
export const shot = (page, name) => (process.env.OBORO_SHOTS ? page.screenshot({ path: `${process.env.OBORO_SHOTS}/${name}.png`, fullPage: true }) : undefined);

/** One test's windows onto the server. */
export class Visit {
  constructor(browser, base) {
    this.browser = browser;
    this.base = base;
    this.contexts = [];
    this.troubles = [];
  }

  /** A fresh browser profile. */
  async profile(options = {}) {
    const wanted = { locale: "en-US", viewport: { width: 1200, height: 800 }, reducedMotion: "reduce", acceptDownloads: true, ...options };
    const context = await this.browser.newContext(wanted);
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript({ path: AXE });
    this.contexts.push(context);
    return context;
  }

  /** A page at an address, which may be one of several in a profile. */
  async page(address, context) {
    context ??= await this.profile();
    const page = await context.newPage();
    page.frames_heard = [];
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => page.frames_heard.push(String(payload))));
    // A table that is gone is told apart from a lost connection by a 404.
    page.on("console", (message) => message.type() === "error" && this.troubles.push(message.text()));
    page.on("pageerror", (error) => this.troubles.push(error.message));
    await page.goto(new URL(address, this.base).href);
    return page;
  }

  /** Sets a table and sits down at it. */
  async table(wanted, context) {
    const opened = await this.set(wanted);
    return this.page(addressOf(opened), context);
  }

  async set(wanted) {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(new URL("/api/tables", this.base), { method: "POST", headers, body: JSON.stringify({ seed: "1", ...wanted }) });
    const opened = await answer.json();
    check(answer.ok, `the table is not set: ${JSON.stringify(opened)}`);
    return opened;
  }

  /** The games of the server, as it tells them. */
  async games() {
    return (await fetch(new URL("/api/games", this.base))).json();
  }

  async leave() {
    await Promise.all(this.contexts.map((context) => context.close()));
    check(this.troubles.length === 0, `the page complains: ${this.troubles.join(" | ")}`);
  }
}

const addressOf = (opened) => `${opened.address}#keys=${opened.keys.filter(Boolean).join(",")}`;

export const person = { kind: "person", name: "" };
export const agents = (spec, count) => Array.from({ length: count }, () => ({ kind: "agent", spec }));

/** Everything a page was told so far. */
export const heard = (page, type) => page.frames_heard.map((text) => JSON.parse(text)).filter((frame) => frame.type === type);

/** The last position a page was told. */
export function position(page) {
  const last = page.frames_heard.findLast((text) => text.startsWith('{"type":"update"'));
  return last ? JSON.parse(last) : null;
}

/** Waits until something holds of the last position. */
export async function until(page, holds, what = "the position") {
  for (let waited = 0; waited < PATIENCE; waited += 20) {
    const update = position(page);
    if (update && holds(update)) return update;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain for ${what}`);
}

/** Waits until a position is on the screen. */
export const shows = (page, ply, plies) => page.locator(".count").filter({ hasText: new RegExp(`^${ply} / ${plies}$`) }).waitFor();

const TURN = '.stage:has(.status.mine) .canvas[aria-busy="false"]';

/** Waits until it is one's own turn on the screen and nothing that was played is still on its way, or for something else. */
export const ownTurn = (page, other) => (other ? page.locator(TURN).or(other) : page.locator(TURN)).first().waitFor();

const mayAct = (update) => update.outcome !== null || (update.actions !== null && update.thinking === null);

/** Plays a game to its end, or for some turns: `choose` does something with the page that plays an action. */
export async function playOn(page, choose, turns = Infinity) {
  for (let turn = 0; turn < turns; turn++) {
    const update = await until(page, mayAct, "the own turn");
    if (update.outcome) return update;
    await ownTurn(page);
    await choose(update, turn);
    await until(page, (next) => next.plies > update.plies, "the answer to an action");
  }
  return position(page);
}

export async function checkAccess(page, what) {
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const told = found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" ; ")}`);
  check(told.length === 0, `${what} is hard to use for some: ${told.join(" | ")}`);
}

export async function checkWidth(page, what) {
  const [needed, given] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
  check(needed <= given, `${what} is cut off: ${needed} of ${given} px`);
}
