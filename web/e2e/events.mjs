// Events: set up by the host, entered on a phone, played at tables, and watched live.
import { check, checkAccess, checkWidth, shot, until } from "./browser.mjs";

const phone = { viewport: { width: 360, height: 740 } };

async function eventLive(visit) {
  const host = await visit.page(`/events#host=${process.env.OBORO_HOST}`, await visit.profile());
  await host.getByLabel("Name of the event").fill("Moon cup");
  check(!host.url().includes("host="), "the host's secret is taken out of the address");
  // However slowly the server speaks of a game, no agents of another one can be ticked.
  await host.route("**/api/games/sevens", (route) => setTimeout(() => route.continue(), 700));
  await host.getByLabel(/^Game/).selectOption("sevens");
  await host.getByLabel(/^Players at a table/).selectOption("3");
  await host.getByLabel("Rounds").fill("2");
  await host.getByLabel(/· Easy/).check();
  await host.getByLabel(/· Medium/).check();
  await host.getByLabel(/· Hard/).check();
  await checkAccess(host, "the form of an event");
  await shot(host, "events-host");
  await host.getByRole("button", { name: "Set up" }).click();
  await host.waitForURL((url) => url.pathname.startsWith("/e/"));
  const address = new URL(host.url()).pathname;

  const guest = await visit.page("/events", await visit.profile({ ...phone, locale: "ja-JP", colorScheme: "dark" }));
  await guest.getByText("Moon cup").click();
  await guest.getByLabel("お名前").fill("あき");
  await guest.getByRole("button", { name: "参加する" }).click();
  await guest.getByText("「あき」として参加しています").waitFor();
  await checkWidth(guest, "an event on a phone");
  await checkAccess(guest, "an event on a phone");
  await shot(guest, "event-gathering-phone");
  // The own link opens the same place elsewhere.
  await guest.locator("summary", { hasText: "あき" }).click();
  const link = await guest.getByLabel(/自分専用のリンク/).inputValue();
  const elsewhere = await visit.page(link, await visit.profile());
  await elsewhere.getByText("You take part as あき").waitFor();
  check(!elsewhere.url().includes("key="), "the secret is taken out of the address");

  await host.getByText("あき").first().waitFor();
  await host.getByRole("button", { name: "Start the event" }).click();
  await guest.getByText("対局が始まりました").waitFor();
  await shot(guest, "event-call-phone");
  const watcher = await visit.page(address, await visit.profile());
  await watcher.getByRole("heading", { name: "Round 1" }).waitFor();
  check((await watcher.getByRole("button", { name: "Start the event" }).count()) === 0, "only the host begins");
  await guest.getByRole("link", { name: "卓へ" }).click();
  await until(guest, (update) => update.eyes.seat !== undefined, "the own seat");
  check((await guest.getByRole("button", { name: "ヒント" }).count()) === 0, "no advice in an event");
  // The rest is played by an agent; the next round calls again.
  await guest.getByRole("button", { name: "エージェントに任せる" }).click();
  await guest.locator(".controls a.primary", { hasText: "大会のページへ" }).click();
  await guest.getByText("対局が始まりました").waitFor();
  await guest.getByRole("link", { name: "卓へ" }).click();
  await guest.getByRole("button", { name: "エージェントに任せる" }).click();
  await watcher.getByText("Over", { exact: true }).waitFor();
  await checkAccess(watcher, "an event that is over");
  await shot(watcher, "event-over-wide");
  await guest.locator(".controls a.primary", { hasText: "大会のページへ" }).click();
  await guest.getByText("終了").first().waitFor();
  await checkWidth(guest, "an event that is over, on a phone");
  await checkAccess(guest, "an event that is over, on a phone");
  await shot(guest, "event-over-phone");
  check((await watcher.locator(".standings tbody tr").count()) >= 4, "everybody stands in the table");
}

export const events = { eventLive };
