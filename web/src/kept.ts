// What this browser keeps; nothing of it is on the server. Where it keeps nothing, everything is asked again.

/** Something that is kept. */
export function read<T>(name: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(`oboro-${name}`) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function write(name: string, value: unknown) {
  try {
    localStorage.setItem(`oboro-${name}`, JSON.stringify(value));
  } catch {
    // Then it lasts as long as the page.
  }
}
