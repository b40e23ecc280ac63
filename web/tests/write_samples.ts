// SPDX-License-Identifier: Apache-2.0
// Writes the sample reports into a folder, to look at them.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { large_document } from "./large_document";
import { report_html } from "./report_file";
import { sample_document } from "./sample_document";

const folder = process.argv[2] ?? "dist";
mkdirSync(folder, { recursive: true });
const samples = {
  sample: sample_document({ curator: false }),
  curator: sample_document({ curator: true }),
  large: large_document(),
};
for (const [name, report] of Object.entries(samples))
  writeFileSync(path.join(folder, `${name}.html`), await report_html(report));
