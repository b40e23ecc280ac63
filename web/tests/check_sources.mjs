// SPDX-License-Identifier: Apache-2.0
// The cheap rules of this folder: a licence line first, no line over 120 columns, no file over 300 lines, no stray
// blanks, and no address of a registry in the lock file.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const found = [];

function files(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (["node_modules", "dist"].includes(entry.name)) return [];
    return entry.isDirectory() ? files(name) : /\.(ts|mjs|css)$/.test(name) ? [name] : [];
  });
}

for (const name of files(".")) {
  const lines = readFileSync(path.join(root, name), "utf8").split("\n");
  if (!/SPDX-License-Identifier: Apache-2\.0/.test(lines[0])) found.push(`${name}:1: no licence line`);
  if (lines.length > 301) found.push(`${name}: ${lines.length - 1} lines`);
  lines.forEach((line, i) => {
    if ([...line].length > 120) found.push(`${name}:${i + 1}: ${[...line].length} columns`);
    if (/\s$|\t/.test(line)) found.push(`${name}:${i + 1}: stray blank`);
  });
}
const lock = readFileSync(path.join(root, "package-lock.json"), "utf8");
if (lock.includes('"resolved"') || /https?:\/\//.test(lock)) found.push("package-lock.json: holds an address");

for (const line of found) console.error(line);
process.exitCode = found.length ? 1 : 0;
