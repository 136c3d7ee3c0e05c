// Reads QR codes, written from the standard and not from the app: versions 1 to 6, level M, one segment of bytes.

const EXP = [];
const LOG = [];
for (let i = 0, value = 1; i < 255; i++) {
  [EXP[i], LOG[value]] = [value, i];
  value = value >= 128 ? (value * 2) ^ 285 : value * 2;
}

/** Total codewords, blocks, and codewords of error correction in a block, by version. */
const VERSIONS = { 1: [26, 1, 10], 2: [44, 1, 16], 3: [70, 1, 26], 4: [100, 2, 18], 5: [134, 2, 24], 6: [172, 4, 16] };

/** The text of a code: `dark[row][column]`; throws where something does not fit. */
export function readQr(dark) {
  const size = dark.length;
  const version = (size - 17) / 4;
  const [total, blocks, extra] = VERSIONS[version];
  // The format stands around the top left corner: 15 bits, the highest first.
  const places = [[8, 0], [8, 1], [8, 2], [8, 3], [8, 4], [8, 5], [8, 7], [8, 8], [7, 8], [5, 8], [4, 8], [3, 8], [2, 8], [1, 8], [0, 8]];
  const format = places.reduce((bits, [y, x]) => bits * 2 + Number(dark[y][x]), 0) ^ 0b101010000010010;
  let rest = format;
  for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0b10100110111 << (bit - 10);
  if (rest !== 0) throw new Error("the format is damaged");
  if (format >> 13 !== 0) throw new Error("another level of error correction");
  const mask = (format >> 10) & 7;
  const flips = [
    (i, j) => (i + j) % 2, (i) => i % 2, (i, j) => j % 3, (i, j) => (i + j) % 3,
    (i, j) => ((i >> 1) + Math.trunc(j / 3)) % 2, (i, j) => ((i * j) % 2) + ((i * j) % 3),
    (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2, (i, j) => (((i * j) % 3) + ((i + j) % 2)) % 2,
  ][mask];
  const isFunction = (i, j) =>
    (i < 9 && j < 9) || (i < 9 && j >= size - 8) || (i >= size - 8 && j < 9) || i === 6 || j === 6 ||
    (version > 1 && Math.abs(i - (size - 7)) <= 2 && Math.abs(j - (size - 7)) <= 2);
  const bits = [];
  let upwards = true;
  for (let column = size - 1; column > 0; column -= 2) {
    if (column === 6) column--;
    const rows = [...Array(size).keys()];
    for (const i of upwards ? rows.reverse() : rows) for (const j of [column, column - 1]) {
      if (!isFunction(i, j)) bits.push(Number(dark[i][j]) ^ Number(flips(i, j) === 0));
    }
    upwards = !upwards;
  }
  const words = Array.from({ length: total }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).join(""), 2));
  const each = total / blocks - extra;
  const data = [];
  for (let block = 0; block < blocks; block++) {
    const own = Array.from({ length: each }, (_, i) => words[i * blocks + block]);
    const checks = Array.from({ length: extra }, (_, i) => words[each * blocks + i * blocks + block]);
    for (let root = 0; root < extra; root++) {
      const value = [...own, ...checks].reduce((sum, word) => (sum === 0 ? 0 : EXP[(LOG[sum] + root) % 255]) ^ word, 0);
      if (value !== 0) throw new Error("the error correction does not fit");
    }
    data.push(...own);
  }
  const stream = data.map((word) => word.toString(2).padStart(8, "0")).join("");
  if (stream.slice(0, 4) !== "0100") throw new Error("no segment of bytes");
  const length = parseInt(stream.slice(4, 12), 2);
  const bytes = Array.from({ length }, (_, i) => parseInt(stream.slice(12 + 8 * i, 20 + 8 * i), 2));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** The text of a code on a page, whose modules are drawn one by one. */
export async function readQrOf(picture) {
  const [box, path] = await picture.evaluate((svg) => [svg.getAttribute("viewBox"), svg.querySelector("path").getAttribute("d")]);
  const size = Number(box.split(" ")[2]) - 8;
  const dark = Array.from({ length: size }, () => Array(size).fill(false));
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) dark[y - 4][x - 4] = true;
  return readQr(dark);
}
