// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom";

/** The mark of what only the curator may see. */
export function private_mark(): HTMLElement {
  return h("span", { class: "private-mark" }, "private");
}
