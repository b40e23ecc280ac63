// SPDX-License-Identifier: Apache-2.0
import type { Budget } from "../document";
import { h } from "../dom";
import { shown } from "../numbers";

function part(kind: string, share: number): HTMLElement {
  const node = h("span", { class: `part ${kind}` });
  node.style.width = `${100 * share}%`;
  return node;
}

function key(kind: string, name: string, value: string): HTMLElement {
  return h(
    "div",
    {},
    h("dt", {}, h("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), name),
    h("dd", {}, value),
  );
}

/** What was spent before, what this release spent, and what is left. */
export function budget_element(budget: Budget): HTMLElement {
  const here = Math.min(budget.this_release_number, budget.spent_number);
  // What rounding leaves of a difference is nothing.
  const rest = (amount: number) => (amount > 1e-9 * budget.spent_number ? amount : 0);
  const before = rest(budget.spent_number - here);
  const cap = budget.cap_number;
  const whole = Math.max(cap ?? 0, budget.spent_number);
  const share = (amount: number) => (whole > 0 ? amount / whole : 0);
  const unit = budget.measure ? ` ${budget.measure}` : "";
  const left = cap === null ? 0 : rest(cap - budget.spent_number);
  const sentence =
    budget.cap === null
      ? `ε = ${budget.spent}${unit} is spent; no cap is set.`
      : `ε = ${budget.spent}${unit} of ${budget.cap} is spent.`;
  const words = `Budget of ${budget.dataset}: ${sentence} This release spent ${shown(here)}.`;
  const bar = h(
    "div",
    { class: cap === null ? "bar open" : "bar", role: "img", "aria-label": words },
    part("before", share(before)),
    part("here", share(here)),
    cap === null ? null : part("left", share(left)),
  );
  return h(
    "div",
    { class: "block budget" },
    h("p", { class: "budget-head" }, h("span", { class: "name" }, budget.dataset), h("span", {}, sentence)),
    bar,
    h(
      "dl",
      { class: "keys" },
      key("before", "spent before", shown(before)),
      key("here", "by this release", shown(here)),
      key("left", "left", cap === null ? "no cap is set" : shown(left)),
    ),
  );
}
