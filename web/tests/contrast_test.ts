// SPDX-License-Identifier: Apache-2.0
// Text can be read and data can be seen in both themes, by the measure of WCAG 2.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { category, rgb } from "../src/colours";

const sheet = readFileSync(new URL("../../src/styles/colours.css", import.meta.url), "utf8");

function colours(theme: "light" | "dark"): Map<string, string> {
  const [light, dark] = sheet.split(':root[data-theme="dark"]');
  return new Map(
    [...(theme === "light" ? light : dark).matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1], m[2]]),
  );
}

function luminance(hex: string): number {
  const [red, green, blue] = rgb(hex).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const texts: [ink: string, grounds: string[]][] = [
  ["ink", ["page", "card", "map", "promise", "warning", "accent-soft"]],
  ["soft", ["page", "card"]],
  ["accent", ["page", "card", "accent-soft"]],
  ["on-accent", ["accent"]],
  ["promise-ink", ["promise"]],
  ["warning-ink", ["warning"]],
];

for (const theme of ["light", "dark"] as const) {
  test(`text has a contrast of 4.5 on ${theme} ground`, () => {
    const known = colours(theme);
    for (const [ink, grounds] of texts)
      for (const ground of grounds)
        assert.ok(contrast(known.get(ink)!, known.get(ground)!) >= 4.5, `${ink} on ${ground}`);
    for (const ground of ["private", "private-dark"]) assert.ok(contrast("#ffffff", known.get(ground)!) >= 4.5, ground);
  });

  test(`the six colours have a contrast of 3 on ${theme} ground`, () => {
    for (let number = 0; number < 6; ++number)
      for (const ground of ["card", "map"])
        assert.ok(contrast(category(number, theme), colours(theme).get(ground)!) >= 3, `${number} on ${ground}`);
  });
}
