// What one sees and does at a table: the rhythm of others' moves, endings, captures, rounds, hints, ranks, dragging.
import { agents, check, checkAccess, checkWidth, heard, ownTurn, person, position, shot, shows, until } from "./browser.mjs";

const moving = { reducedMotion: "no-preference" };

const playFirst = async (page) => {
  await ownTurn(page);
  await page.locator(".actions li button").first().click();
};

/** Holds the clock of a page, where one was installed: nothing in it waits any longer by itself. */
const stopClock = async (page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);

/** Where several people play, everybody sees the moves of the others one after the other. */
async function rhythmAmongPeople(visit) {
  const opened = await visit.set({ game: "sevens", seats: [person, ...agents("rule", 2), person], seed: undefined });
  const at = (seat) => `${opened.address}#keys=${opened.keys[seat]}`;
  const context = await visit.profile(moving);
  await context.clock.install();
  const host = await visit.page(at(0), context);
  const guest = await visit.page(at(3), await visit.profile({ locale: "ja-JP" }));
  await ownTurn(host);
  await stopClock(host);
  await playFirst(host);
  await until(host, (update) => update.plies === 3, "the moves of the others");
  await shows(host, 1, 1);
  for (const ply of [2, 3]) {
    await host.clock.runFor(599);
    await shows(host, ply - 1, ply - 1);
    await host.clock.runFor(1);
    await shows(host, ply, ply);
  }
  await host.clock.resume();
  // Who sees no motion waits for nothing.
  await shows(guest, 3, 3);
  check((await guest.getByLabel("相手の手の間隔").inputValue()) === "0", "no pause without motion");
  // It can be changed here, too.
  await host.getByLabel("Opponents' moves").selectOption("250");
  await playFirst(guest);
  await shows(host, 4, 4);
}

/** Where nobody might ask an agent during the game, the card at the end leads into the analysis all the same. */
async function analysisAfterAGameWithoutHints(visit) {
  const opened = await visit.set({ game: "geister", rules: { placements: "random" }, seats: [person, person], seed: undefined });
  const at = (seat) => `${opened.address}#keys=${opened.keys[seat]}`;
  const host = await visit.page(at(0));
  const guest = await visit.page(at(1), await visit.profile({ locale: "ja-JP", viewport: { width: 360, height: 740 } }));
  for (let moves = 0; moves < 2; moves++) {
    await playFirst(host);
    await playFirst(guest);
  }
  await host.locator(".status.mine").waitFor();
  check((await host.getByRole("tab", { name: "Analysis" }).count()) === 0, "nobody is asked during the game");
  await guest.getByRole("button", { name: "投了" }).click();
  await guest.getByRole("button", { name: "本当に投了しますか？" }).click();
  for (const [page, name] of [[host, "Analysis"], [guest, "解析"]]) {
    await page.locator(".result .costliest button").click();
    await page.getByRole("tab", { name, selected: true }).waitFor();
    await page.locator(".position-value").waitFor();
    await page.locator(".position-value").scrollIntoViewIfNeeded();
  }
  await checkWidth(guest, "the analysis after a game on a phone");
  await checkAccess(host, "the analysis after a game");
  await shot(host, "ending-analysis");
  await shot(guest, "ending-analysis-phone");
}

/** A capture is told with its colour and its number: in the list of moves, to screen readers, and beside the board. */
async function capturesAreTold(visit) {
  const middle = "30 00B23R34R44R15B25B35B45R 22B31B99R11B40R*30R20R99B";
  for (const [locale, list, told, lost] of [
    ["en-US", "History", "takes A on c3 with B: their second blue", "Captured from Player 2: 1 red, 2 blue"],
    ["ja-JP", "経過", "Bでc3のAを取る（青、2体目）", "プレイヤー2の取られた駒：赤1、青2"],
  ]) {
    const page = await visit.table({ game: "geister", position: middle, seats: [person, ...agents("random", 1)] }, await visit.profile({ ...moving, locale }));
    await page.locator(".status.mine").waitFor();
    await page.locator("#find").fill("BN");
    await page.keyboard.press("Enter");
    await page.locator("[aria-live].sr-only", { hasText: told }).waitFor({ state: "attached" });
    await page.getByRole("group", { name: lost }).waitFor({ state: "attached" });
    await page.getByRole("tab", { name: list }).click();
    await page.locator(".story li", { hasText: told }).waitFor();
  }
}

/** The end of a round stays on the screen until one goes on, and can be read later. */
async function roundsStay(visit) {
  for (const [screen, round, next, earlier] of [
    [{ viewport: { width: 1280, height: 800 } }, "Round 1", "Next round", "Earlier rounds"],
    [{ viewport: { width: 360, height: 740 }, locale: "ja-JP" }, "ラウンド1", "次のラウンドへ", "これまでのラウンド"],
  ]) {
    const page = await visit.table({ game: "saboteur", rules: { players: 10, rounds: 2 }, seats: [person, ...agents("random", 9)] }, await visit.profile(screen));
    const over = page.locator(".finished-round");
    for (let turn = 0; turn < 60; turn++) {
      await page.locator(".status.mine, .finished-round").first().waitFor();
      if (await over.isVisible()) break;
      const before = await page.locator(".count").innerText();
      await page.locator(".actions li button").last().click();
      await page.waitForFunction((shown) => document.querySelector(".count").textContent !== shown, before);
    }
    await over.getByText(round).waitFor();
    check((await over.locator("svg.board").count()) === 1, "the mine of the round is shown");
    await checkWidth(page, "the end of a round");
    await checkAccess(page, "the end of a round");
    await shot(page, `round-${screen.viewport.width}`);
    await page.getByRole("button", { name: next }).click();
    await over.waitFor({ state: "detached" });
    await page.getByText(earlier).click();
    await page.locator(".earlier-rounds li", { hasText: round }).waitFor();
    await shot(page, `rounds-${screen.viewport.width}`);
  }
}

/** In Sevens everybody's last action can be read when the turn comes back. */
async function roundOfSevens(visit) {
  const page = await visit.table({ game: "sevens", seats: [person, ...agents("rule", 3)] });
  await playFirst(page);
  await shows(page, 4, 4);
  check((await page.locator(".deed").count()) === 4, "what everybody did is shown");
  const laid = (await page.locator(".deed").allInnerTexts()).slice(1).filter((text) => /[♠♥♦♣]/u.test(text)).length;
  check((await page.locator(".newest, .lately").count()) === laid, "the cards of the round are marked");
  await checkAccess(page, "a round of Sevens");
}

/** However long a hint is, it fits a small screen, and the board stays where it is. */
async function longHints(visit) {
  const tables = {
    labyrinth: { rules: { players: 2, cards: 1 }, seats: [person, ...agents("distance", 1)] },
    saboteur: { rules: { players: 7, rounds: 1 }, seats: [person, ...agents("random", 6)] },
  };
  for (const locale of ["en-US", "ja-JP"]) {
    for (const [game, wanted] of Object.entries(tables)) {
      const page = await visit.table({ game, ...wanted }, await visit.profile({ locale, viewport: { width: 360, height: 740 } }));
      await page.locator(".status.mine").waitFor();
      const place = () => page.locator("svg.board").evaluate((board) => {
        const { top, left, width, height } = board.getBoundingClientRect();
        return [top + scrollY, left, width, height, board.getAttribute("viewBox")].join();
      });
      const before = await place();
      await page.getByRole("button", { name: locale === "ja-JP" ? "ヒント" : "Hint", exact: true }).click();
      await page.locator(".hint", { hasText: locale === "ja-JP" ? "ヒント：" : "Hint: " }).waitFor();
      check((await place()) === before, `${game}: the hint moves the board`);
      // The longest that may be advised here.
      const texts = await page.locator(".actions li button span").allInnerTexts();
      const longest = texts.reduce((long, text) => (text.length > long.length ? text : long), "");
      await page.locator(".hint").evaluate((hint, text) => (hint.textContent = `Hint: ${text}`), longest);
      check((await place()) === before, `${game}: “${longest}” moves the board`);
      await checkWidth(page, `${game}: “${longest}”`);
      await shot(page, `hint-${game}-${locale.slice(0, 2)}`);
    }
  }
}

/** Results of Sevens are ranks. */
async function ranksInRecords(visit) {
  for (const [locale, wanted] of [["en-US", /^#[1-4]( · #[1-4]){3}$/], ["ja-JP", /^[1-4]位( · [1-4]位){3}$/]]) {
    const page = await visit.page("/records", await visit.profile({ locale }));
    const told = await page.locator(".list tbody tr td:nth-child(3)").first().innerText();
    check(wanted.test(told), `a result of Sevens reads ${told}`);
  }
}

const middleOf = async (found) => {
  await found.scrollIntoViewIfNeeded();
  const box = await found.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

/** A card is dragged into the mine, and a tile to an arrow. */
async function draggingCardsAndTiles(visit) {
  const page = await visit.table({ game: "saboteur", rules: { players: 3, rounds: 1 }, seats: [person, ...agents("random", 2)] }, await visit.profile({ viewport: { width: 1280, height: 800 } }));
  await page.locator(".status.mine").waitFor();
  const cards = page.locator(".hand .card-button.active");
  let played = false;
  for (let i = 0; i < (await cards.count()) && !played; i++) {
    const [x, y] = await middleOf(cards.nth(i));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 40, { steps: 4 });
    await page.locator(".carried").waitFor();
    const spot = page.locator(".saboteur .ghostly").first();
    if (await spot.isVisible()) {
      await page.mouse.move(...(await middleOf(spot)), { steps: 6 });
      await shot(page, "dragging-card");
      played = true;
    }
    await page.mouse.up();
    if (!played) await page.keyboard.press("Escape");
  }
  check(played, "no card can be laid");
  await until(page, (update) => update.plies > 0, "the card");

  const maze = await visit.table({ game: "labyrinth", rules: { players: 2, cards: 1 }, seats: [person, ...agents("distance", 1)] }, await visit.profile({ viewport: { width: 1280, height: 800 } }));
  await maze.locator(".status.mine").waitFor();
  await maze.mouse.move(...(await middleOf(maze.locator(".extra svg.draggable"))));
  await maze.mouse.down();
  await maze.mouse.move(...(await middleOf(maze.locator(".entry.active").first())), { steps: 6 });
  await maze.mouse.up();
  await maze.locator(".target.active").last().click();
  await until(maze, (update) => update.plies > 0, "the turn");
}

/** In Sevens a card that fits is dragged onto the table, wherever it is let go there. */
async function draggingInSevens(visit) {
  const page = await visit.table({ game: "sevens", seats: [person, ...agents("rule", 3)] });
  await ownTurn(page);
  const card = page.locator(".hand .card-button.active").first();
  const name = await card.getAttribute("aria-label");
  await page.mouse.move(...(await middleOf(card)));
  await page.mouse.down();
  await page.mouse.move(...(await middleOf(page.locator("svg.board"))), { steps: 6 });
  await page.locator(".carried").waitFor();
  check((await page.locator(".gap.wanted").count()) === 1, "the place of the card lights up");
  await page.mouse.up();
  await until(page, () => heard(page, "update").some(({ events }) => events[0]?.text.en.includes(name)), `${name} on the table`);
}

/** By finger a card is dragged after a moment; a swipe over it scrolls as everywhere. */
async function draggingByTouch(visit) {
  const context = await visit.profile({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await context.clock.install();
  const page = await visit.table({ game: "saboteur", rules: { players: 3, rounds: 1 }, seats: [person, ...agents("random", 2)] }, context);
  await ownTurn(page);
  // However slow the machine is, the finger rests as long as is said here.
  await stopClock(page);
  const client = await context.newCDPSession(page);
  const cards = page.locator(".hand .card-button.active");
  const point = (x, y) => [{ x: Math.round(x), y: Math.round(y) }];
  const touch = (type, touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
  const [x, y] = await middleOf(cards.first());
  const before = await page.evaluate(() => scrollY);
  const way = before > 100 ? 1 : -1;
  await touch("touchStart", point(x, y));
  for (let far = 10; far <= 120; far += 10) await touch("touchMove", point(x, y + way * far));
  await touch("touchEnd", []);
  await page.waitForFunction((before) => scrollY !== before, before);
  check(position(page).plies === 0 && (await page.locator(".card-button.chosen").count()) === 0, "a swipe chooses nothing");
  let played = false;
  for (let i = 0; i < (await cards.count()) && !played; i++) {
    await page.locator("svg.board").evaluate((board) => board.scrollIntoView({ block: "start" }));
    const card = await cards.nth(i).boundingBox();
    const [left, top] = [card.x + card.width / 2, card.y + card.height / 2];
    await touch("touchStart", point(left, top));
    await page.clock.runFor(300);
    await page.locator(".carried").waitFor();
    const stays = await page.evaluate(() => scrollY);
    const spot = page.locator(".saboteur .ghostly").first();
    if (await spot.isVisible()) {
      const box = await spot.boundingBox();
      for (let step = 1; step <= 5; step++) {
        const part = step / 5;
        await touch("touchMove", point(left + part * (box.x + box.width / 2 - left), top + part * (box.y + box.height / 2 - top)));
      }
      check((await page.evaluate(() => scrollY)) === stays, "the page stays while a card is dragged");
      played = true;
    }
    await touch("touchEnd", []);
    if (!played) await page.keyboard.press("Escape");
  }
  check(played, "no card can be laid");
  await page.clock.resume();
  await until(page, (update) => update.plies > 0, "the card");
  check(heard(page, "error").length === 0, "nothing was refused");
}

export const play = { rhythmAmongPeople, analysisAfterAGameWithoutHints, capturesAreTold, roundsStay, roundOfSevens, longHints, ranksInRecords, draggingCardsAndTiles, draggingInSevens, draggingByTouch };
