// QR codes of addresses: bytes, error correction of level M, versions 1 to 6 (up to 106 bytes), mask by the standard's penalties.

/** Per version: data codewords and codewords of error correction in each block, and how many blocks. */
const BLOCKS: [data: number, correction: number, blocks: number][] = [[16, 10, 1], [28, 16, 1], [44, 26, 1], [32, 18, 2], [43, 24, 2], [27, 16, 4]];

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The product in the field of 256 elements that the codes are over. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The remainder of data by the generator of so many codewords. */
function correction(data: number[], count: number): number[] {
  let generator = [1];
  for (let i = 0, root = 1; i < count; i++, root = times(root, 2)) {
    generator = [...generator, 0].map((one, at) => one ^ times(generator[at - 1] ?? 0, root));
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i]!;
    generator.forEach((one, at) => (rest[i + at]! ^= times(one, factor)));
  }
  return rest.slice(data.length);
}

/** The codewords of a text, blocks interleaved; null if it is too long. */
function codewords(text: string): { version: number; words: number[] } | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version = 1 + BLOCKS.findIndex(([data, , blocks]) => bytes.length + 2 <= data * blocks);
  if (version === 0) return null;
  const [size, extra, blocks] = BLOCKS[version - 1]!;
  // Mode 4 (bytes), the length, the bytes and an end: all shifted by half a byte.
  const half = [4, bytes.length >> 4, bytes.length & 15, ...bytes.flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = Array.from({ length: half.length / 2 }, (_, i) => (half[2 * i]! << 4) | half[2 * i + 1]!);
  for (let pad = 0xec; data.length < size * blocks; pad ^= 0xec ^ 0x11) data.push(pad);
  const parts = Array.from({ length: blocks }, (_, i) => data.slice(i * size, (i + 1) * size));
  const checks = parts.map((part) => correction(part, extra));
  const interleave = (lists: number[][]) => lists[0]!.flatMap((_, i) => lists.map((list) => list[i]!));
  return { version, words: [...interleave(parts), ...interleave(checks)] };
}

/** The modules of a QR code, row by row, dark ones true; null for a text that is too long. */
export function qrModules(text: string): boolean[][] | null {
  const found = codewords(text);
  if (!found) return null;
  const size = 17 + 4 * found.version;
  const fixed: (boolean | null)[][] = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (x: number, y: number, dark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) fixed[y]![x] = dark;
  };
  const square = (cx: number, cy: number, radius: number, dark: (ring: number) => boolean) => {
    for (let y = -radius; y <= radius; y++) for (let x = -radius; x <= radius; x++) set(cx + x, cy + y, dark(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let i = 8; i < size - 8; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  if (found.version > 1) square(size - 7, size - 7, 2, (ring) => ring !== 1);
  // The level and the mask, twice, with a code of their own.
  const format = (mask: number) => {
    let rest = mask;
    for (let i = 0; i < 10; i++) rest = (rest << 1) ^ (rest >> 9 ? 0x537 : 0);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    for (let i = 0; i < 15; i++) {
      const dark = ((bits >> i) & 1) === 1;
      set(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, dark);
      set(i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, 8, dark);
    }
    set(8, size - 8, true);
  };
  format(0);
  const bits = found.words.flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => ((word >> bit) & 1) === 1));
  const free: [number, number][] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++) for (const x of [right, right - 1]) {
      const y = up ? size - 1 - i : i;
      if (fixed[y]![x] === null) free.push([x, y]);
    }
  }
  const candidates = MASKS.map((mask, number) => {
    format(number);
    const rows = fixed.map((row) => row.map((dark) => dark === true));
    free.forEach(([x, y], i) => (rows[y]![x] = (bits[i] ?? false) !== mask(x, y)));
    return rows;
  });
  return candidates.reduce((best, rows) => (penalty(rows) < penalty(best) ? rows : best));
}

/** How hard a code is to read: runs, blocks, look-alikes of the corners, and too much of one shade. */
function penalty(rows: boolean[][]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x]!));
  const lines = [...rows, ...columns].map((line) => line.map((dark) => (dark ? "1" : "0")).join(""));
  let total = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) total += run.length - 2;
    total += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  rows.forEach((row, y) => row.forEach((dark, x) => {
    if (x && y && row[x - 1] === dark && rows[y - 1]![x] === dark && rows[y - 1]![x - 1] === dark) total += 3;
  }));
  const share = rows.flat().filter(Boolean).length / rows.length ** 2;
  return total + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}

/** A QR code as a picture, dark on light in every theme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qrModules(text);
  if (!rows) return null;
  const size = rows.length + 8;
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width="168" height="168" class="qr" role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
