// Writes down which sources the built files come from, so that a forgotten rebuild is noticed without Node.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** All files that the build depends on, in a fixed order; server/tests/assets.rs makes the same list. */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? sources(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

const files = ["index.html", "package-lock.json", "vite.config.ts", ...sources("public"), ...sources("src")].sort();
const hash = createHash("sha256");
for (const file of files) {
  hash.update(file.replaceAll("\\", "/"));
  hash.update("\0");
  hash.update(readFileSync(file));
  hash.update("\0");
}
writeFileSync("dist/.source-hash", `${hash.digest("hex")}\n`);
