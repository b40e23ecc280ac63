// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom";
import { read_document } from "./read_document";
import { start } from "./shell";

try {
  start(read_document());
} catch (error) {
  document.body.append(
    h(
      "main",
      { class: "failure" },
      h("h1", {}, "This report cannot be shown"),
      h("p", {}, error instanceof Error ? error.message : String(error)),
    ),
  );
}
