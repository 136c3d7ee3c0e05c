// What brings people in and back: a home that knows them, guided first games, puzzles.
import { check, checkAccess, checkWidth, heard, ownTurn, shot, until } from "./browser.mjs";

async function homeKnowsYou(visit) {
  const context = await visit.profile();
  const page = await visit.page("/?game=geister", context);
  await page.getByLabel("Your name").fill("Dora");
  await page.getByRole("radio", { name: /Hina.*Easy/ }).check();
  await checkAccess(page, "opponents as persons");
  await shot(page, "home-persons");
  await page.getByRole("button", { name: "Start game" }).click();
  await page.locator(".seat", { hasText: "Hina" }).waitFor();
  check((await page.locator(".seat .face").count()) === 1, "the opponent has a face");
  check(!(await page.locator(".seats").innerText()).includes("mcts"), "the opponent is a person, not a spec");
  const table = page.url();
  await page.locator(".brand").click();
  await page.getByRole("heading", { name: "Continue" }).waitFor();
  await checkAccess(page, "the home of somebody who plays");
  await page.locator(".recent a", { hasText: "Hina" }).click();
  check(page.url() === table, "the game goes on");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  await page.locator(".result").waitFor();
  await page.locator(".brand").click();
  await page.getByRole("heading", { name: "Recent games" }).waitFor();
  await page.locator(".recent a", { hasText: "You lost" }).waitFor();
  check((await page.getByRole("heading", { name: "Continue" }).count()) === 0, "nothing goes on");
  await page.locator(".card").first().click();
  check((await page.getByLabel("Your name").inputValue()) === "Dora", "the name is kept");
  check(await page.getByRole("radio", { name: /Hina/ }).isChecked(), "the opponent is kept");
}

/** Any agent can be named in every game, and sits down. */
async function anyAgent(visit) {
  for (const { name, champion } of (await visit.games()).filter((game) => game.levels.length > 0)) {
    const page = await visit.page(`/?game=${name}`);
    await page.locator(".opponent input[value=custom]").first().check();
    await page.locator(".opponent .spec").fill("random");
    await page.keyboard.press("Tab");
    check(await page.locator(".opponent input[value=custom]").first().isChecked(), `${name}: the choice stays`);
    await page.getByRole("button", { name: "Start game" }).click();
    await until(page, () => true);
    const others = heard(page, "table").at(-1).seats.filter((seat) => seat.agent);
    check(others.length > 0 && others.every((seat) => seat.name === "random"), `${name}: ${champion} sits there instead`);
  }
}

/** What can be pressed on each board, the last step of an action first. */
export const LIT = [
  ".finished-round .primary",
  ".placing .primary",
  ".geister > .primary",
  ".square.active:has(.dot), .square.active:has(.take)",
  ".square.active",
  ".target.active",
  ".entry.active",
  ".saboteur svg [role='button']",
  ".saboteur .choices button",
  ".card-button.active",
  ".sevens > button",
  ".labyrinth button[aria-label='↻ 90°']",
];

/** Does what the screen shows and nothing else: presses the button of the panel, or what lights up on the board. */
async function followTheGuide(page) {
  const button = page.locator(".task .primary:enabled");
  for (let presses = 0; presses < 60; presses++) {
    await ownTurn(page, button);
    if (await page.locator(".task .with-face").isVisible()) return presses;
    if (await button.isVisible()) {
      const lesson = await page.locator(".task").innerText();
      await button.click();
      await page.waitForFunction((before) => document.querySelector(".task")?.innerText !== before, lesson);
      continue;
    }
    for (const lit of LIT) {
      const found = page.locator(`.guided ${lit.replaceAll(", ", ", .guided ")}`).first();
      if (!(await found.isVisible())) continue;
      await found.click();
      break;
    }
  }
  throw new Error(`the guide does not end: ${await page.locator(".task").innerText()}`);
}

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { locale: "ja-JP", viewport: { width: 360, height: 740 }, hasTouch: true };

async function guidedGame(visit, game, screen) {
  const page = await visit.page(`/learn/${game}`, await visit.profile(screen));
  await page.locator(".page .primary").click();
  await page.locator(".task").waitFor();
  await checkAccess(page, `the guided game of ${game}`);
  await checkWidth(page, `the guided game of ${game}`);
  await shot(page, `guide-${game}-${screen.viewport.width}`);
  const presses = await followTheGuide(page);
  check(presses >= 4, `${game}: something was done`);
  await shot(page, `guide-${game}-${screen.viewport.width}-end`);
  await page.locator(".task .with-face").click();
  await page.locator(".task").waitFor({ state: "detached" });
  await page.locator(".seat .face").first().waitFor();
  return page;
}

const guidedOnAScreen = async (visit) => {
  for (const game of ["labyrinth", "saboteur", "sevens"]) await guidedGame(visit, game, WIDE);
};
const guidedOnAPhone = async (visit) => {
  for (const game of ["geister", "labyrinth", "saboteur", "sevens"]) await guidedGame(visit, game, PHONE);
};

/** Who has never seen a game learns it, and beats the easy opponents by asking for hints: all of it is read off the screen. */
async function fromTheGuideToAWin(visit, game = "geister", screen = WIDE) {
  const page = await guidedGame(visit, game, screen);
  const words = screen.locale === "ja-JP" ? { hint: "ヒント", said: "ヒント：", won: "あなたの勝ちです", again: "もう一局" } : { hint: "Hint", said: "Hint: ", won: "You won", again: "Play again" };
  for (let games = 0; games < 12; games++) {
    await page.locator(".status.mine, .result h2").first().waitFor();
    for (let moves = 0; moves < 300; moves++) {
      await page.locator(".status.mine, .result h2").first().waitFor();
      if (await page.locator(".result h2").isVisible()) break;
      const before = await page.locator(".count").textContent();
      if (await page.locator(".placing .primary").isVisible()) {
        await page.locator(".placing .primary").click();
      } else {
        await page.getByRole("button", { name: words.hint, exact: true }).click();
        await page.locator(".hint", { hasText: words.said }).waitFor();
        const advice = (await page.locator(".hint").innerText()).replace(words.said, "").trim();
        await page.locator("#find").fill(advice);
        await page.locator(".actions li button").filter({ has: page.getByText(advice, { exact: true }) }).first().click();
      }
      await page.waitForFunction((shown) => document.querySelector(".count").textContent !== shown, before);
    }
    if ((await page.locator(".result h2").innerText()) === words.won) {
      if (game === "geister") check(/^(You|あなた)/.test(await page.locator(".result p").first().innerText()), "the winner is told as such");
      await checkWidth(page, `the end of ${game}`);
      await checkAccess(page, `the end of ${game}`);
      await shot(page, `won-${game}-${screen.viewport.width}`);
      return console.log(`  ${game}, ${screen.locale ?? "en"}, ${screen.viewport.width} px: won game ${games + 1} against the easy opponents`);
    }
    await page.getByRole("button", { name: words.again, exact: true }).click();
    await page.locator(".result").waitFor({ state: "detached" });
  }
  throw new Error(`twelve games of ${game} against the easy opponents and no win`);
}

/** The same in all games and both languages: takes minutes, so only by its name. */
async function allFromTheGuideToAWin(visit) {
  for (const screen of [WIDE, PHONE]) for (const game of ["sevens", "labyrinth", "geister", "saboteur"]) await fromTheGuideToAWin(visit, game, screen);
}

/** Whether the only right first move of a puzzle of Geister leads onto an exit, so that the next one is to leave. */
function entersAnExit({ moves, solution, position: text }) {
  const own = text.split(" ")[1].match(/\d\d[RB]\*?/g)["ABCDEFGH".indexOf(solution[0])];
  const [dx, dy] = { N: [0, -1], S: [0, 1], E: [1, 0], W: [-1, 0] }[solution[1]];
  const [x, y] = [Number(own[0]) + dx, Number(own[1]) + dy];
  return moves === 2 && y === 0 && (x === 0 || x === 5) && own[2] === "B";
}

const play = async (page, action) => {
  await page.locator("#find").fill(action);
  await page.keyboard.press("Enter");
};

async function puzzles(visit) {
  const context = await visit.profile({ viewport: { width: 360, height: 740 } });
  const page = await visit.page("/puzzles", context);
  const books = {};
  for (const game of ["geister", "labyrinth"]) books[game] = await (await fetch(new URL(`/api/games/${game}/puzzles`, visit.base))).json();
  await page.clock.setFixedTime(new Date("2026-11-18T12:00:00"));
  await page.reload();
  await page.locator(".daily").nth(1).waitFor();
  await checkAccess(page, "the puzzles");
  await checkWidth(page, "the puzzles");
  await shot(page, "puzzles-phone");
  check((await page.locator(".streak").innerText()).endsWith(": 0"), "no day yet");
  const daily = async (day) => {
    const number = Math.floor(Date.UTC(2026, 10, day) / 86_400_000) % books.labyrinth.puzzles.length;
    await page.locator(".daily", { hasText: "Labyrinth" }).getByRole("button").click();
    await page.locator(".task").waitFor();
    return books.labyrinth.puzzles[number];
  };
  const today = await daily(18);
  await checkAccess(page, "a puzzle");
  check((await page.getByRole("button", { name: "Hint", exact: true }).isDisabled()) && (await page.getByRole("tab", { name: "Analysis" }).count()) === 0, "no agent helps with a puzzle");
  const { actions } = await until(page, (update) => update.actions !== null);
  check(actions.some(({ action }) => action === today.solution), "it is the puzzle of the day");
  await play(page, actions.find(({ action }) => action !== today.solution).action);
  await page.getByText("This move does not force the win.").waitFor();
  page.frames_heard.length = 0;
  await page.getByRole("button", { name: "Try again" }).click();
  await until(page, (update) => update.plies === 0 && update.actions !== null, "the puzzle again");
  await page.getByRole("button", { name: "Show the first move" }).click();
  const told = await page.locator(".solution").innerText();
  await play(page, told);
  await page.getByText("Solved! Days in a row: 1").waitFor();
  // The next day, the next puzzle, and a streak of two.
  await page.getByRole("link", { name: "More puzzles" }).click();
  await page.clock.setFixedTime(new Date("2026-11-19T08:00:00"));
  await page.reload();
  page.frames_heard.length = 0;
  const tomorrow = await daily(19);
  check(tomorrow.position !== today.position, "every day another puzzle");
  await until(page, (update) => update.actions !== null);
  await play(page, tomorrow.solution);
  await page.getByText("Solved! Days in a row: 2").waitFor();
  // A day without one ends it.
  await page.clock.setFixedTime(new Date("2026-11-21T08:00:00"));
  await page.getByRole("link", { name: "More puzzles" }).click();
  check((await page.locator(".streak").innerText()).endsWith(": 0"), "the streak is broken");
  const number = books.geister.puzzles.findIndex(entersAnExit);
  const puzzle = books.geister.puzzles[number];
  await page.locator("details", { hasText: "All puzzles of Geister" }).locator("summary").click();
  page.frames_heard.length = 0;
  await page.getByRole("button", { name: `Geister ${number + 1}`, exact: true }).click();
  await until(page, (update) => update.actions !== null && update.plies === 0);
  await page.getByText("Win within 2 moves").waitFor();
  await play(page, puzzle.solution);
  await page.getByText("Right. Moves left: 1.").waitFor();
  const next = await until(page, (update) => update.actions !== null && update.plies === 2, "the defence");
  await play(page, next.actions.find(({ parts }) => parts.kind === "escape").action);
  await page.getByText("Solved!").waitFor();
}

export const tasks = { homeKnowsYou, anyAgent, guidedOnAScreen, guidedOnAPhone, fromTheGuideToAWin: (visit) => fromTheGuideToAWin(visit), puzzles };

export const longTasks = { allFromTheGuideToAWin };
