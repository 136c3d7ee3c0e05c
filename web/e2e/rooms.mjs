// Rooms: opened by one, joined by others on their phones, played together, left and come back to.
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
  await host.getByLabel(/^Clock/).selectOption({ label: "20 s per move" });
  await openRoom(host, 3, "Cleo");
  await host.getByRole("button", { name: /^Start/ }).click();
  await host.locator(".status.mine").waitFor();
  const shown = await host.locator(".clock").first().innerText();
  check(/^0:(20|1\d)$/.test(shown), `the clock shows ${shown}`);
}

export const rooms = { roomByCode, roomClock };
