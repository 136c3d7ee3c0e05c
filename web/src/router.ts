import { signal } from "@preact/signals";

/** The path below which the server stands: the app lies at its root. In development there is none. */
export const base = import.meta.env.DEV ? "" : new URL(".", import.meta.url).pathname.replace(/\/$/, "");

/** The address of something on this server. */
export const at = (address: string): string => base + address;

const here = () => location.pathname.slice(base.length) || "/";

export const path = signal(here());

/** Goes to another page of the app. */
export function go(address: string) {
  history.pushState(null, "", at(address));
  path.value = here();
  scrollTo(0, 0);
}

addEventListener("popstate", () => {
  path.value = here();
});

// Links within the app do not load it again.
addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.(`a[href^='${base}/']`);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.hasAttribute("download") || link.hasAttribute("target")) return;
  event.preventDefault();
  go(link.getAttribute("href")!.slice(base.length));
});
