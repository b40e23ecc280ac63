// SPDX-License-Identifier: Apache-2.0
import type { ReportDocument } from "./document";

/**
 * The report that the program put into this page. Throws, in words for the reader, where there is none that this page
 * can show.
 */
export function read_document(): ReportDocument {
  const text = document.getElementById("document")?.textContent;
  if (!text) throw new Error("This page holds no report. It is the empty form that the program fills.");
  const report = JSON.parse(text) as ReportDocument;
  if (report.format !== "fogline report") throw new Error("What this page holds is not a Fogline report.");
  if (report.format_version !== 1)
    throw new Error(`This page reads reports of format 1; this one has format ${String(report.format_version)}.`);
  return report;
}
