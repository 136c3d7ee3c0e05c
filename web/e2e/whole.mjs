// Whole games of all four, by touch and by the keyboard, on a telephone and on a laptop, in both languages. Only the
// setting of the table is asked of the server: everything else is read off the screen.
import { agents, check, checkAccess, checkWidth, ownTurn, person, shot } from "./browser.mjs";
import { LIT } from "./tasks.mjs";

/** Settings with which a game is short. */
const SHORT = {
  geister: { rules: { plies: 16 }, seats: [person, ...agents("random", 1)] },
  labyrinth: { rules: { players: 2, cards: 2 }, seats: [person, ...agents("distance", 1)] },
  saboteur: { rules: { players: 7, rounds: 1 }, seats: [person, ...agents("random", 6)] },
  sevens: { rules: { players: 6 }, seats: [person, ...agents("rule", 5)] },
};

const PHONE = { viewport: { width: 360, height: 740 } };
const LAPTOP = { viewport: { width: 1280, height: 800 } };
const ENDED = { "en-US": /won|lost|A draw/, "ja-JP": /勝ち|負け|引き分け/ };

/** What lights up on the board, the last step of an action first; the one button that always plays comes last. */
const lit = LIT.map((selector) => (selector === ".saboteur .choices button" ? `${selector}:last-child` : selector));

/** The first kind of thing that lights up. */
async function lightsUp(page) {
  for (const selector of lit) if (await page.locator(selector).first().isVisible()) return selector;
  throw new Error("nothing lights up in one's own turn");
}

/** Touches one of the things that light up, another one each time. */
async function touch(page, number) {
  const found = page.locator(await lightsUp(page));
  await found.nth(number % (await found.count())).tap();
}

const focused = (page, selector) => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);

/** Presses what lights up without a pointer. */
async function pressOnBoard(page) {
  const selector = await lightsUp(page);
  for (let tabs = 0; tabs < 200; tabs++) {
    if (await focused(page, selector)) return page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not get to ${selector}`);
}

/** Plays the first rounds of the table on the board and the others from the list, which a key finds. */
async function type(page, number, round) {
  if (round < 2) return pressOnBoard(page);
  if (!(await focused(page, "#find"))) {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("/");
    await page.locator("#find:focus").waitFor();
  }
  const moves = await page.locator(".actions li button").count();
  for (let down = 0; down <= Math.min(number % 3, moves - 1); down++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

async function wholeGame(visit, game, by, screen, locale) {
  const what = `${game}, ${by.name}, ${screen.viewport.width} px, ${locale}`;
  const { seats } = SHORT[game];
  const page = await visit.table({ game, ...SHORT[game] }, await visit.profile({ ...screen, locale, hasTouch: by === touch }));
  const result = page.locator(".result h2");
  const moves = async () => Number((await page.locator(".count").innerText()).split("/")[1]);
  for (let number = 0; ; number++) {
    check(number < 300, `${what}: the game does not end`);
    await ownTurn(page, result);
    if (await result.isVisible()) break;
    // A press may also only choose something: the number of moves then stays as it is.
    await by(page, number, Math.floor((await moves()) / seats.length));
  }
  check((await moves()) > seats.length, `${what}: only ${await moves()} moves`);
  check(ENDED[locale].test(await result.innerText()), `${what}: the end is told`);
  await checkWidth(page, what);
  await checkAccess(page, what);
  await shot(page, `whole-${game}-${by.name}-${screen.viewport.width}-${locale.slice(0, 2)}`);
  await page.close();
}

/** Every way of playing on every screen; the languages take turns, so that each is met with both. */
async function inEveryWay(visit, game, odd) {
  const [one, other] = odd ? ["ja-JP", "en-US"] : ["en-US", "ja-JP"];
  await wholeGame(visit, game, touch, PHONE, one);
  await wholeGame(visit, game, touch, LAPTOP, other);
  await wholeGame(visit, game, type, { ...PHONE, colorScheme: "dark" }, other);
  await wholeGame(visit, game, type, LAPTOP, one);
}

export const whole = {
  wholeGeister: (visit) => inEveryWay(visit, "geister", false),
  wholeLabyrinth: (visit) => inEveryWay(visit, "labyrinth", true),
  wholeSaboteur: (visit) => inEveryWay(visit, "saboteur", false),
  wholeSevens: (visit) => inEveryWay(visit, "sevens", true),
};
