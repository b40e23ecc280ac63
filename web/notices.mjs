// SPDX-License-Identifier: Apache-2.0
// The licences of the libraries that the page is bundled from: each text once, with the names and holders it is for.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

/** The package that a bundled file belongs to, such as "@deck.gl/core", with its folder. */
function package_of(input) {
  const match = /^(.*node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(input);
  return match ? { name: match[2], folder: match[1] + match[2] } : null;
}

function licence_text(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  if (!file) throw new Error(`${folder} has no licence file, so it cannot be shipped`);
  return readFileSync(path.join(folder, file), "utf8").replaceAll("\r", "");
}

/** Same terms laid out otherwise are the same terms. */
function plain(text) {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

export function notices(root, inputs) {
  const packages = new Map();
  for (const input of inputs) {
    const found = package_of(input);
    if (found) packages.set(found.folder, found);
  }
  const groups = new Map();
  for (const { name, folder } of [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { version, license } = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
    const lines = licence_text(path.join(root, folder)).split("\n");
    const holders = lines.filter((line) => /^\s*copyright/i.test(line)).map((line) => line.trim());
    const terms = lines
      .filter((line) => !/^\s*copyright/i.test(line))
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
    const key = plain(terms);
    if (!groups.has(key)) groups.set(key, { terms, users: [] });
    groups.get(key).users.push([`${name} ${version} (${license})`, ...holders].join("; "));
  }
  const parts = [...groups.values()].map(({ terms, users }) => `${users.join("\n")}\n\n${terms}`);
  return `This page holds code of the following libraries.\n\n${parts.join(`\n\n${"-".repeat(40)}\n\n`)}`
    .replaceAll("<", "\u2039")
    .replaceAll("-->", "- >");
}
