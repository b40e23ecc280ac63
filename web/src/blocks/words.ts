// SPDX-License-Identifier: Apache-2.0
import type { Words } from "../document";
import { h } from "../dom";
import { check_mark, warning_mark } from "../icons";

/** Paragraphs or points; a promise and a warning stand in a card with a sign. */
export function words_element(words: Words): HTMLElement {
  const text = words.list
    ? h("ul", {}, ...words.paragraphs.map((point) => h("li", {}, point)))
    : h("div", {}, ...words.paragraphs.map((paragraph) => h("p", {}, paragraph)));
  if (words.tone === "plain") return h("div", { class: "block words" }, text);
  const promise = words.tone === "promise";
  return h(
    "div",
    {
      class: `block words card ${promise ? "promise" : "warning"}`,
      role: "note",
      "aria-label": promise ? "Promise" : "Warning",
    },
    promise ? check_mark() : warning_mark(),
    text,
  );
}
