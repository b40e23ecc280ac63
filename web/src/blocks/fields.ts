// SPDX-License-Identifier: Apache-2.0
import type { Fields } from "../document";
import { h } from "../dom";

export function fields_element(fields: Fields): HTMLElement {
  return h(
    "dl",
    { class: "block fields" },
    ...fields.rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}
