// What one does at a table besides playing: coming back, taking back, asking, looking back, watching.
import { readFileSync } from "node:fs";
import { agents, check, checkAccess, heard, person, playOn, position, shot, shows, until } from "./browser.mjs";

const sevens = { game: "sevens", seats: [person, ...agents("rule", 3)] };
/** Agents among themselves, for so long that it can be halted in time. */
const show = { game: "saboteur", rules: { players: 5 }, seats: agents("random", 5) };
const first = (page) => async () => page.locator(".actions li button").first().click();

async function reloadAndTakeOver(visit) {
  const context = await visit.profile();
  const page = await visit.table(sevens, context);
  await playOn(page, first(page), 2);
  const before = await until(page, (update) => update.actions !== null);
  page.frames_heard.length = 0;
  await page.reload();
  const after = await until(page, () => true);
  check(after.plies === before.plies && after.eyes.seat === 0, "the game goes on after a reload");
  check(!page.url().includes("keys"), "the key is left in the address");

  const second = await visit.page(page.url(), context);
  await page.getByText("played in another window").waitFor();
  await second.locator(".status.mine").waitFor();
  await page.getByRole("button", { name: "Take over again" }).click();
  await second.getByText("played in another window").waitFor();
  await page.locator(".status.mine").waitFor();
}

async function hintTakeBackResignAgain(visit) {
  const page = await visit.table(sevens);
  await until(page, (update) => update.actions !== null);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".hint", { hasText: "Hint: " }).waitFor();
  check((await page.locator(".advised").count()) === 1, "the hint is shown on the hand");
  await playOn(page, first(page), 1);
  await until(page, (update) => update.actions !== null);
  await page.getByRole("button", { name: "Take back" }).click();
  await until(page, (update) => update.plies === 0 && update.actions !== null, "the move taken back");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  await page.locator(".result h2", { hasText: "You lost" }).waitFor();
  await page.getByText("You resigned.").first().waitFor();
  await page.getByRole("tab", { name: "History" }).click();
  await page.locator(".story .ending", { hasText: "You resigned." }).waitFor();
  const table = page.url();
  await page.getByRole("button", { name: "Play again, seats changed" }).click();
  await page.waitForURL((url) => url.href !== table && url.pathname.startsWith("/t/"));
  const next = await until(page, (update) => update.outcome === null, "the new game");
  check(next.eyes.seat === 1, "the seats are changed");
}

async function analysis(visit) {
  const page = await visit.table({ game: "geister", rules: { placements: "random" }, seats: [person, ...agents("random", 1)] });
  const update = await until(page, (found) => found.actions !== null);
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.getByLabel("Analyst").fill("pimc:playouts=40");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".values li").first().waitFor();
  const shown = await page.locator(".values li").count();
  check(shown > 1 && shown <= Math.min(12, update.actions.length), "actions have values");
  await page.locator(".position-value").waitFor();
  check((await page.locator(".arrow").count()) > 0, "the best actions are drawn onto the board");
  const told = heard(page, "insight");
  check(told.every((insight) => insight.seat === 0), "only the own seat is analysed");
}

async function replayAndExport(visit) {
  const page = await visit.table({ ...sevens, rules: { players: 6 }, seats: [person, ...agents("rule", 5)] });
  const end = await playOn(page, first(page));
  check(end.outcome !== null, "the game ends");
  await page.locator(".payoff").first().waitFor();
  await until(page, (update) => update.eyes === "everything", "everything is shown");
  await page.keyboard.press("Home");
  await shows(page, 0, end.plies);
  await page.keyboard.press("ArrowRight");
  await shows(page, 1, end.plies);
  check(new URL(page.url()).hash === "#ply=1&seat=all", `the address tells what is shown: ${page.url()}`);
  await page.keyboard.press("End");
  await shows(page, end.plies, end.plies);

  const shared = await visit.page(`${new URL(page.url()).pathname}#ply=2&seat=all`);
  const shown = await until(shared, (update) => update.ply === 2, "the position of the address");
  check(shown.eyes === "everything" && shown.scene.seats.every((seat) => seat.hand), "everything is shown after the end");

  const download = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".controls").getByText(name, { exact: true }).click()]);
    return file.path();
  };
  const record = await download("Record");
  const drawing = readFileSync(await download("Animation"), "utf8");
  check(drawing.startsWith("<svg") && drawing.split("<animate ").length === end.plies + 2, "the animation shows every position");
  check(/fill="rgb/.test(drawing), "the animation has its colours");

  const records = await visit.page("/records");
  await records.locator("input[type=file]").setInputFiles({ name: "game.txt", mimeType: "text/plain", buffer: readFileSync(record) });
  const study = await until(records, (update) => update.outcome !== null, "the study");
  check(study.plies === end.plies, "the record is that of the game");
  await records.getByRole("tab", { name: "Analysis" }).click();
  await records.getByLabel("Analyst").fill("eval");
  await records.keyboard.press("Enter");
  await records.locator(".curve button").first().click();
  await records.locator(".curve .line").waitFor();
}

async function watching(visit) {
  const page = await visit.table(show);
  await until(page, (update) => update.plies > 0);
  check(heard(page, "update").every((update) => update.scene.seats.every((seat) => seat.hand === null)), "a spectator sees a hand");
  await page.getByLabel("Speed").selectOption("halt");
  await until(page, () => heard(page, "table").at(-1).pace === null, "the halt");
  await page.getByLabel("Speed").selectOption("0");
  await until(page, (update) => update.outcome !== null, "the end");
  check(position(page).eyes === "spectator", "a spectator stays one");
}

/** Who watches agents may look from their seats, and ask what they think. */
async function lookingIntoTheirMinds(visit) {
  const page = await visit.table(show);
  await until(page, (update) => update.plies > 0);
  await page.getByLabel("Speed").selectOption("halt");
  await until(page, () => heard(page, "table").at(-1).pace === null, "the halt");
  const halted = position(page).plies;
  await page.getByLabel("Seen by").selectOption("1");
  const seen = await until(page, (update) => update.eyes.seat === 1, "the eyes of the second player");
  check(seen.scene.seats[1].hand !== null, "the hand is shown");
  await page.getByLabel("Seen by").selectOption("0");
  await page.getByRole("tab", { name: "Analysis" }).click();
  // A move that was on its way when the game was halted waits.
  const { plies, "to-act": up } = await until(page, (update) => update.thinking === null, "the halt");
  check(plies === halted, "nothing is played after the halt");
  await page.getByLabel("Seen by").selectOption(String(up));
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".position-value").waitFor();
  check(position(page).plies === halted, "nothing is played during the halt");
}

/** A hint is the best action by value, the same whenever it is asked for, and the board stays where it is. */
async function hintsAreStable(visit) {
  const page = await visit.table({ game: "geister", rules: { placements: "random" }, seats: [person, ...agents("random", 1)] });
  await until(page, (update) => update.actions !== null);
  const top = () => page.locator("svg.board").evaluate((board) => board.getBoundingClientRect().top);
  const before = await top();
  const ask = async () => {
    const count = heard(page, "advice").length;
    await page.getByRole("button", { name: "Hint" }).click();
    await until(page, () => heard(page, "advice").length > count, "the advice");
    return heard(page, "advice").at(-1).evaluation;
  };
  const first = await ask();
  await page.locator(".hint", { hasText: "Hint: " }).waitFor();
  check((await top()) === before, "the board does not move");
  for (let again = 0; again < 3; again++) check(JSON.stringify(await ask()) === JSON.stringify(first), "the same hint again");
  check(first.values[0].action === first.best && first.values.every((one) => one.value <= first.value), "the best by value");
  check(first.values.length > 5 && first.error > 0, "actions have values with their uncertainty");
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".beliefs").waitFor();
  await ask();
  await page.locator(".hint", { hasText: "Hint: " }).waitFor();
  check((await page.locator(".beliefs").count()) === 1 && (await page.locator("svg .belief").count()) > 0, "beliefs stay after a hint");
}

/** At the end: who won and why, everything shown, and the costliest move. */
async function endingIsExplained(visit) {
  const context = await visit.profile({ locale: "ja-JP" });
  const page = await visit.table({ game: "sevens", seats: [person, ...agents("rule", 3)], seed: "4" }, context);
  await playOn(page, first(page));
  await page.locator(".result h2").waitFor();
  await page.locator(".result p", { hasText: "1位" }).first().waitFor();
  await until(page, (update) => update.eyes === "everything", "everything is shown");
  const told = () => heard(page, "point");
  await until(page, () => told().length > 0 && told().at(-1).done === told().at(-1).of, "the judgement of all decisions");
  check(told().every((point) => point.error >= 0 && (point.played === null || point.played <= point.value)), "what was played is worth no more than the best");
  await page.getByRole("tab", { name: "解析" }).click();
  await page.locator(".curve .line").waitFor();
  await checkAccess(page, "the end of a game");
  await shot(page, "ending-sevens-ja");
}

/** Opponents' moves come one after the other, as slowly as one likes. */
async function rhythm(visit) {
  const page = await visit.table({ game: "sevens", seats: [person, ...agents("rule", 3)] }, await visit.profile({ reducedMotion: "no-preference" }));
  await until(page, (update) => update.actions !== null);
  await until(page, () => heard(page, "table").at(-1).pace === 600, "the pace");
  const began = Date.now();
  await playOn(page, first(page), 1);
  await until(page, (update) => update.actions !== null && update.plies >= 4, "the own turn again");
  check(Date.now() - began > 1500, "three moves take their time");
  const plies = new Set(heard(page, "update").map((update) => update.plies));
  check([1, 2, 3, 4].every((ply) => plies.has(ply)), "every move is shown by itself");
  await page.getByLabel("Opponents' moves").selectOption("0");
  await until(page, () => heard(page, "table").at(-1).pace === 0, "no pause");
}

/** Two people at one screen: a curtain keeps their secrets from each other. */
async function hotSeat(visit) {
  const page = await visit.page("/?game=geister");
  await page.locator(".opponent input[value=person]").check();
  await page.getByRole("button", { name: "Start game" }).click();
  await page.getByRole("button", { name: "Play Player 2 here too" }).click();
  await page.locator(".placing .primary").click();
  await page.locator(".curtain").waitFor();
  check((await page.locator("svg.board").count()) === 0, "nothing is to be seen behind the curtain");
  await page.getByRole("button", { name: "Show the board" }).click();
  await page.locator(".placing .primary").click();
  await page.getByRole("button", { name: "Show the board" }).click();
  await page.locator(".square.active").first().click();
  check((await page.locator(".dot, .take").count()) > 0, "a ghost is chosen");
  await page.keyboard.press("Escape");
  check((await page.locator(".dot, .take").count()) === 0, "Esc gives it up");
}

/** A ghost is dragged to its square. */
async function dragging(visit) {
  const page = await visit.table({ game: "geister", rules: { placements: "random" }, seats: [person, ...agents("random", 1)] });
  const { actions, scene } = await until(page, (update) => update.actions !== null);
  const { parts } = actions.find((action) => action.parts.kind === "move");
  const middle = async ({ x, y }) => {
    const box = await page.locator(`[data-square="${x},${y}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await middle(scene.pieces.find((piece) => piece.name === parts.piece).square)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(parts.to)), { steps: 4 });
  await page.mouse.up();
  await until(page, (update) => update.plies > 0, "the move");
}

async function twoPeople(visit) {
  const context = await visit.profile();
  const page = await visit.page("/?game=geister", context);
  await page.locator(".opponent input[value=person]").check();
  await page.getByRole("button", { name: "Start game" }).click();
  const invitation = await page.locator(".invitation input").inputValue();
  const guest = await visit.page(invitation);
  const seen = await until(guest, () => true);
  check(seen.eyes.seat === 1, "the invitation is for the other seat");
  await page.locator(".placing .primary").click();
  await guest.locator(".placing .primary").click();
  await page.locator(".status.mine").waitFor();
  check((await page.locator(".invitation").count()) === 0, "the seat is taken");
}

export const tables = { reloadAndTakeOver, hintTakeBackResignAgain, analysis, replayAndExport, watching, twoPeople, lookingIntoTheirMinds, hintsAreStable, endingIsExplained, rhythm, hotSeat, dragging };
