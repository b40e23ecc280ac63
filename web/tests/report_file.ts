// SPDX-License-Identifier: Apache-2.0
// Does what the program does: puts a document into the page.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ReportDocument } from "../src/document";
// @ts-expect-error the build is plain JavaScript
import { document_mark, page, title_mark } from "../build.mjs";

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

let template: Promise<string> | null = null;

export async function report_html(report: ReportDocument): Promise<string> {
  const html = await (template ??= page() as Promise<string>);
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  return html
    .replace(title_mark, () => escaped(report.title))
    .replace(document_mark, () => `<script type="application/json" id="document">${json}</script>`);
}

export class ReportFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), "fogline-page-"));

  /** Writes a report and says its address. */
  async add(name: string, report: ReportDocument): Promise<string> {
    const file = path.join(this.path, `${name}.html`);
    writeFileSync(file, await report_html(report));
    return `file://${file}`;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
