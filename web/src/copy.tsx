// A button that copies an address, also where the browser has no clipboard: on plain HTTP.
import { useState } from "preact/hooks";
import { say } from "./words";

export function CopyLink({ address }: { address: string }) {
  const [state, setState] = useState<"idle" | "copied" | "shown">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setState("copied");
      setTimeout(() => setState("idle"), 1500);
    } catch {
      // No clipboard here: the address is shown, ready to be copied by hand.
      setState("shown");
    }
  };
  if (state === "shown") {
    return <input class="shown-link" aria-label={say("link")} readOnly value={address} ref={(field) => field?.select()} onFocus={(e) => e.currentTarget.select()} />;
  }
  return <button onClick={copy}>{say(state === "copied" ? "copied" : "link")}</button>;
}
