// Addresses for other people: one that they can reach, to be copied, selected or scanned.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { reachable } from "./api";
import { QrCode } from "./qr";
import { at } from "./router";
import { say } from "./words";

/** Where others find this server; null if nobody else can, undefined until the server has said. */
const outside = signal<string | null | undefined>(undefined);

const isOwnMachine = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

/** Asks the server where it can be reached, if the address of this page is for this machine alone. */
export function loadOutside() {
  if (isOwnMachine) reachable().then((address) => (outside.value = address), () => (outside.value = null));
}

/** An address of this server as others have to write it. */
export const shared = (address: string): string => (isOwnMachine && outside.value ? `${outside.value}${address}` : `${location.origin}${at(address)}`);

/** Whether nobody else can follow addresses of this server. */
export const isAlone = (): boolean => isOwnMachine && outside.value === null;

/** A button that copies an address; on plain HTTP, where browsers have no clipboard, the address is shown and selected. */
export function CopyLink({ address }: { address: string }) {
  const [state, setState] = useState<"idle" | "copied" | "shown">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setState("copied");
      setTimeout(() => setState("idle"), 1500);
    } catch {
      setState("shown");
    }
  };
  if (state === "shown") {
    return <input class="shown-link" aria-label={say("link")} readOnly value={address} ref={(field) => field?.select()} onFocus={(e) => e.currentTarget.select()} />;
  }
  return <button onClick={copy}>{say(state === "copied" ? "copied" : "link")}</button>;
}

/** An address to be handed on: as text, by a button, and as a code for telephones. */
export function Invitation({ label, address, code }: { label: string; address: string; code: boolean }) {
  return (
    <div class="invitation">
      <label>
        {label}
        <input readOnly value={address} onFocus={(e) => e.currentTarget.select()} />
      </label>
      <CopyLink address={address} />
      {isAlone() ? <p class="quiet">{say("alone")}</p> : code && <details><summary>{say("qrCode")}</summary><QrCode text={address} label={say("qrCode")} /></details>}
    </div>
  );
}
