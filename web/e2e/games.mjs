// People play whole games by clicks on the board and by the list.
import { agents, check, checkAccess, checkWidth, heard, person, playOn, position, until } from "./browser.mjs";

const squareName = ({ x, y }) => `${"abcdef"[x]}${y + 1}`;

/** Runs for the exits with a blue ghost. */
function nextMove({ actions, scene }) {
  const exits = scene.seats[0].exits;
  const blue = new Set(scene.pieces.filter((piece) => piece.colour === "blue").map((piece) => piece.name));
  const far = (square) => Math.min(...exits.map((exit) => Math.abs(exit.x - square.x) + Math.abs(exit.y - square.y)));
  const cost = ({ parts }) => (parts.kind === "escape" ? -1 : far(parts.to) + (blue.has(parts.piece) ? 0 : 100));
  return [...actions].sort((a, b) => cost(a) - cost(b))[0];
}

async function geisterByClicks(visit) {
  const page = await visit.table({ game: "geister", rules: { plies: 60 }, seats: [person, ...agents("random", 1)] });
  await page.locator(".placing").waitFor();
  await page.getByRole("button", { name: "Another placement" }).click();
  // One ghost more or less, and the game cannot start.
  const ghost = page.locator(".ghost-button").first();
  await ghost.click();
  check(await page.locator(".placing .primary").isDisabled(), "five or three red ghosts are accepted");
  await ghost.click();
  await page.locator(".placing .primary").click();
  await until(page, (update) => update.plies >= 2, "both placements");
  await playOn(page, async (update, turn) => {
    const move = nextMove(update);
    if (turn % 3 === 2) return page.locator(".actions li button", { hasText: move.text.en }).first().click();
    const piece = update.scene.pieces.find((one) => one.name === move.parts.piece);
    await page.locator(`.square[aria-label^="${squareName(piece.square)}"]`).click();
    if (move.parts.kind === "escape") return page.locator(".geister > .primary").click();
    await page.locator(`.square[aria-label^="${squareName(move.parts.to)}"]`).click();
  });
  const before = heard(page, "update").filter((update) => update.outcome === null);
  check(before.length > 4, "nothing was told during the game");
  for (const { scene } of before) {
    const enemy = scene.pieces.filter((piece) => piece.owner === 1 && piece.square);
    check(enemy.length > 0 && enemy.every((piece) => piece.colour === null), "the page was told a hidden colour");
  }
  await page.locator(".status").getByText(/You won|You lost|A draw/).waitFor();
}

/** With one card each a whole game is short. */
const labyrinth = { game: "labyrinth", rules: { players: 2, cards: 1 }, seats: [person, ...agents("distance", 1)] };

async function labyrinthByClicks(visit) {
  const page = await visit.table(labyrinth);
  await playOn(page, async (update, turn) => {
    await page.getByRole("button", { name: "↻ 90°" }).click();
    const entries = page.locator(".entry.active");
    await entries.nth(turn % (await entries.count())).click();
    await page.locator(".target.active").last().click();
  });
  await page.locator(".status").getByText(/You won|You lost|A draw/).waitFor();
  const largest = Math.max(...page.frames_heard.map((text) => text.length));
  check(largest < 400_000, `a message of ${largest} bytes`);
}

async function saboteurByClicks(visit) {
  const page = await visit.table({ game: "saboteur", rules: { players: 7, rounds: 1 }, seats: [person, ...agents("random", 6)] });
  await playOn(page, async (update, turn) => {
    if (turn % 4 === 3) return page.locator(".actions li button").first().click();
    const cards = page.locator(".hand .card-button.active");
    for (let i = Math.min(2, (await cards.count()) - 1); i >= 0; i--) {
      await cards.nth(i).click();
      const spot = page.locator(".saboteur svg [role='button']").first();
      if (await spot.count()) return spot.click();
    }
    await page.locator(".choices button").last().click();
  });
  await page.locator(".status").getByText(/You won|You lost|A draw/).waitFor();

  const afterwards = await visit.page(`${new URL(page.url()).pathname}#ply=2&seat=all`);
  const shown = await until(afterwards, (update) => update.ply === 2, "the position of the address");
  const up = shown["to-act"];
  const cards = afterwards.getByRole("group", { name: `Player ${up + 1}` }).locator(".card-button");
  await cards.first().waitFor();
  check((await cards.count()) === shown.scene.seats[up].hand.length, "where everything is shown, the hand is that of whoever is up");
}

async function sevensByClicks(visit) {
  const page = await visit.table({ game: "sevens", rules: { players: 6 }, seats: [person, ...agents("rule", 5)] });
  await playOn(page, async (update, turn) => {
    const cards = page.locator(".hand .card-button.active");
    if (turn % 4 === 3) return page.locator(".actions li button").first().click();
    if (await cards.count()) return cards.first().click();
    await page.locator(".sevens > button").click();
  });
  await page.locator(".payoff").first().waitFor();
}

async function geisterByArrows(visit) {
  const page = await visit.table({ game: "geister", seats: [person, ...agents("random", 1)] });
  await page.locator(".placing").waitFor();
  const tabTo = async (selector) => {
    for (let i = 0; i < 60; i++) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`the keyboard does not get to ${selector}`);
  };
  await tabTo(".placing .primary");
  await page.keyboard.press("Enter");
  await until(page, (update) => update.plies >= 2, "both placements");
  await playOn(page, async (update) => {
    await page.locator(".square.active").first().waitFor();
    await tabTo(".square.active");
    await page.keyboard.press("ArrowUp");
  }, 1);
  const moved = position(page).scene.pieces.filter((piece) => piece.owner === 0 && piece.square?.y === 3);
  check(moved.length === 1, "an arrow moves a ghost forward");
}

/** Every game without a board of its own: set up by the form, then played by the buttons, by the board and by the list. */
async function everyOtherGame(visit) {
  const others = (await visit.games()).filter((game) => game.levels.length === 0);
  check(others.length >= 7, "the small games are there");
  for (const [i, { name }] of others.entries()) {
    const context = await visit.profile(i % 2 ? { locale: "ja-JP", viewport: { width: 360, height: 740 }, hasTouch: true } : {});
    const page = await visit.page(`/?game=${name}`, context);
    await page.locator(".opponent input[value=custom]").check();
    await page.locator(".opponent .spec").fill("random");
    await page.locator(".setup .primary").click();
    await page.locator(".generic").waitFor();
    const end = await playOn(page, async (update, turn) => {
      const button = page.locator(".generic .choices button, .generic .square.active").nth(0);
      if (turn % 3 !== 2) return button.click();
      await page.locator("#find").fill(update.actions.at(-1).action);
      await page.keyboard.press("Enter");
    });
    check(end.outcome !== null, `a whole game of ${name}`);
    await page.locator(".payoff").first().waitFor();
    await checkWidth(page, `a finished game of ${name}`);
  }
}

/** The own card is in sight, the other's is told to nobody before the end. */
async function leducShowsTheOwnCard(visit) {
  const page = await visit.table({ game: "leduc", seats: [person, ...agents("random", 1)], seed: "3" });
  const start = await until(page, (update) => update.actions !== null);
  const own = start.scene.sight.secret;
  await page.locator(".labels dd", { hasText: own }).first().waitFor();
  await checkAccess(page, "a table of Leduc hold'em");
  await playOn(page, () => page.locator(".generic .choices button").filter({ hasText: "Call" }).click());
  const before = heard(page, "update").filter((update) => update.outcome === null);
  check(before.every(({ scene }) => scene.position === null && scene.sight.secret === own), "the page was told the other's card");
}

export const games = { everyOtherGame, leducShowsTheOwnCard, geisterByClicks, labyrinthByClicks, saboteurByClicks, sevensByClicks, geisterByArrows };
