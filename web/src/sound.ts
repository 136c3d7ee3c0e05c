// A soft knock for each move, which can be switched off.
import { signal } from "@preact/signals";
import { read, write } from "./kept";

export const sound = signal(read("sound", true));

export function switchSound() {
  sound.value = !sound.value;
  write("sound", sound.value);
}

let context: AudioContext | null = null;

/** A knock; higher for one's own turn. Before anybody has touched the page browsers keep silent. */
export function knock(own: boolean) {
  if (!sound.value || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const [tone, volume, now] = [context.createOscillator(), context.createGain(), context.currentTime];
  tone.type = "sine";
  tone.frequency.setValueAtTime(own ? 440 : 330, now);
  tone.frequency.exponentialRampToValueAtTime(own ? 300 : 200, now + 0.08);
  volume.gain.setValueAtTime(0.06, now);
  volume.gain.exponentialRampToValueAtTime(0.0005, now + 0.14);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.15);
}
