// Rooms: opened by one, joined by others on their phones, played together, left and come back to.
import { readQrOf } from "./qr.mjs";
import { check, checkAccess, checkWidth, heard, shot, until } from "./browser.mjs";

const phone = { viewport: { width: 360, height: 740 } };

/** Opens a room for sevens on the page for it, and says its code. */
async function openRoom(page, players, name) {
  await page.getByLabel(/^Game/).selectOption("sevens");
  await page.getByLabel(/^Players/).selectOption(String(players));
  await page.getByLabel(/^Your name/).fill(name);
  await page.getByRole("button", { name: "Open a room" }).click();
  await page.locator(".waiting").waitFor();
  return page.locator(".code").innerText();
}

async function roomByCode(visit) {
  const host = await visit.page("/rooms", await visit.profile());
  await shot(host, "rooms-wide");
  const code = await openRoom(host, 4, "Dora");
  check(/^[a-z0-9]{6}$/.test(code), `a short code: ${code}`);
  await checkAccess(host, "a room that waits");
  const guest = await visit.page("/rooms", await visit.profile({ ...phone, locale: "ja-JP", colorScheme: "dark" }));
  await guest.getByText("Dora").first().waitFor();
  await checkWidth(guest, "the rooms on a phone");
  await checkAccess(guest, "the rooms");
  await shot(guest, "rooms-phone");
  await guest.getByLabel("部屋コード").fill(code.toUpperCase());
  await guest.getByRole("button", { name: "入る" }).click();
  await guest.getByLabel("お名前").fill("べん");
  await guest.getByRole("button", { name: /着席する.*3/ }).click();
  await guest.getByRole("button", { name: "席を立つ" }).waitFor();
  await checkWidth(guest, "a room on a phone");
  await checkAccess(guest, "a room on a phone");
  await shot(guest, "waiting-phone");
  await host.getByText("べん").waitFor();
  check(heard(guest, "update").length === 0 && heard(host, "update").length === 0, "nothing of the game is shown before it begins");
  await shot(host, "waiting-wide");
  await host.getByRole("button", { name: "Start with 2 agents" }).click();
  await until(guest, (update) => update.eyes.seat === 2, "the game");
  const watcher = await visit.page(`/t/${code}`);
  await until(watcher, (update) => update.scene.seats.every((seat) => seat.hand === null), "what everybody knows");
  await host.locator(".status.mine").waitFor();
  await host.locator(".actions li button").first().click();
  await guest.locator(".status.mine").waitFor();
  // A lost page comes back to its seat; an agent plays on for whoever asks it to.
  await guest.reload();
  await guest.locator(".status.mine").waitFor();
  await shot(guest, "playing-phone");
  await guest.getByRole("button", { name: "エージェントに任せる" }).click();
  await guest.getByRole("button", { name: "自分で続ける" }).waitFor();
  await until(guest, (update) => update.plies > 2, "the agent's move");
  await guest.getByRole("button", { name: "自分で続ける" }).click();
  await guest.getByRole("button", { name: "エージェントに任せる" }).waitFor();
  // Who resigns among several looks on, and the others play on; when the last person does, the game is over.
  await host.getByRole("button", { name: "Resign" }).click();
  await host.getByRole("button", { name: "Really resign?" }).click();
  await until(host, (update) => update.eyes === "spectator" && update.outcome === null, "a game that goes on without the host");
  await guest.getByRole("button", { name: "投了" }).click();
  await guest.getByRole("button", { name: "本当に投了しますか？" }).click();
  await guest.getByRole("button", { name: "もう一局", exact: true }).click();
  await guest.waitForURL((url) => url.pathname.startsWith("/t/") && !url.pathname.endsWith(code));
  host.frames_heard.length = 0;
  await host.getByRole("link", { name: "On to the next game" }).click();
  await host.waitForURL((url) => !url.pathname.endsWith(code));
  // What the table before still had to say does not count: its game is over.
  const fresh = (seat) => (update) => update.eyes.seat === seat && update.outcome === null && update.plies < 4;
  await until(guest, fresh(2), "a new game, from the same seat");
  await until(host, fresh(0), "a new game for the host, too");
}

async function roomClock(visit) {
  const host = await visit.page("/rooms");
  await host.getByLabel(/^Clock/).selectOption({ label: "180 s per move" });
  await openRoom(host, 3, "Cleo");
  await host.getByRole("button", { name: /^Start/ }).click();
  await host.locator(".status.mine").waitFor();
  const shown = await host.locator(".clock").first().innerText();
  check(/^(3:00|[012]:\d\d)$/.test(shown), `the clock shows ${shown}`);
}

/** Others are told an address that they can reach, also as a code; where the browser has no clipboard it is shown. */
async function addressesForOthers(visit) {
  const context = await visit.profile();
  await context.route("**/api/site", (route) => route.fulfill({ json: { address: "http://192.0.2.7:8080/oboro" } }));
  // Plain HTTP: there is no clipboard.
  await context.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const host = await visit.page("/rooms", context);
  const code = await openRoom(host, 4, "Dora");
  const address = `http://192.0.2.7:8080/oboro/t/${code}`;
  check((await host.locator(".invitation input").inputValue()) === address, "the address is one for this machine alone");
  await host.getByText("QR code").first().click();
  check((await readQrOf(host.locator(".qr"))) === address, "the code is that of the address");
  await shot(host, "waiting-code");
  await checkAccess(host, "a room with its code");
  await host.getByRole("button", { name: "Link" }).click();
  const shown = host.locator(".shown-link");
  await shown.waitFor();
  check(await shown.evaluate((field) => field.selectionEnd - field.selectionStart === field.value.length), "the address is selected");
  // A server that only this machine reaches says so.
  const alone = await visit.page("/rooms");
  await openRoom(alone, 4, "Cleo");
  await alone.getByText("Only this machine reaches this server.").waitFor();
}

/** Phrases reach the others in their language; everybody sees who is there. */
async function talkAndPresence(visit) {
  const host = await visit.page("/rooms");
  const code = await openRoom(host, 3, "Dora");
  const guest = await visit.page(`/t/${code}`, await visit.profile({ ...phone, locale: "ja-JP" }));
  await guest.getByLabel("お名前").fill("べん");
  await guest.getByRole("button", { name: /着席する.*2/ }).click();
  await host.getByRole("button", { name: "Start with 1 agent" }).click();
  await until(guest, (update) => update.eyes.seat === 1, "the game");
  await host.locator(".seat", { hasText: "べん" }).getByText("here").waitFor();
  await host.getByRole("button", { name: "Say something" }).click();
  await checkAccess(host, "what can be said");
  await host.getByRole("button", { name: "Good luck!" }).click();
  await guest.locator(".chat", { hasText: "Dora" }).getByText("よろしくお願いします！").waitFor();
  await guest.getByRole("button", { name: "ひとこと" }).click();
  await checkWidth(guest, "what can be said, on a phone");
  await shot(guest, "chat-phone");
  await guest.getByRole("button", { name: "こんにちは！" }).click();
  await host.locator(".chat", { hasText: "べん" }).getByText("Hello!").waitFor();
  const watcher = await visit.page(`/t/${code}`);
  await host.getByText("1 person is watching").waitFor();
  check((await watcher.getByRole("button", { name: "Say something" }).count()) === 0, "whoever looks on is silent");
  check(heard(watcher, "said").length === 0, "what was said before is not told again");
  await guest.close();
  await host.locator(".seat", { hasText: "べん" }).getByText("away").waitFor();
}

export const rooms = { roomByCode, roomClock, addressesForOthers, talkAndPresence };
