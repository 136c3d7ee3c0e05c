import { signal } from "@preact/signals";

export const path = signal(location.pathname);

/** Goes to another page of the app. */
export function go(address: string) {
  history.pushState(null, "", address);
  path.value = location.pathname;
  scrollTo(0, 0);
}

addEventListener("popstate", () => {
  path.value = location.pathname;
});

// Links within the app do not load it again.
addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.("a[href^='/']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.hasAttribute("download")) return;
  event.preventDefault();
  go(link.getAttribute("href")!);
});
