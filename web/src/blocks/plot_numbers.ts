// SPDX-License-Identifier: Apache-2.0
// A plot's numbers as a table, for those who do not see the plot and those who want to copy them.
import type { Plot } from "../document";
import { h } from "../dom";
import { counted } from "../numbers";
import { table_of } from "./table";

const most_rows = 2000;

type Row = (string | number | null)[];

function same_places(plot: Plot): boolean {
  const [first] = plot.series;
  return plot.series.every(
    (series) =>
      series.size.length === 0 &&
      series.x.length === first.x.length &&
      series.x.every((x, i) => x === first.x[i]) &&
      series.x2.every((x, i) => x === first.x2[i]),
  );
}

/** With common x, a column for each series; otherwise a row for each dot. */
export function numbers_of(plot: Plot): { columns: string[]; rows: Row[] } {
  if (plot.series.length === 0) return { columns: [plot.x.label, plot.y.label], rows: [] };
  const spread = plot.series.some((series) => series.x2.length > 0);
  const x = spread ? [`${plot.x.label}, from`, "to"] : [plot.x.label];
  if (same_places(plot)) {
    const [first] = plot.series;
    return {
      columns: [...x, ...plot.series.map((series) => series.name || plot.y.label)],
      rows: first.x.map((from, i) => [
        ...(spread ? [from, first.x2[i]] : [from]),
        ...plot.series.map((series) => series.y[i] ?? null),
      ]),
    };
  }
  const sized = plot.series.some((series) => series.size.length > 0);
  return {
    columns: ["series", ...x, plot.y.label, ...(sized ? ["size"] : [])],
    rows: plot.series.flatMap((series) =>
      series.x.map(
        (from, i): Row => [
          series.name,
          ...(spread ? [from, series.x2[i] ?? null] : [from]),
          series.y[i] ?? null,
          ...(sized ? [series.size[i] ?? null] : []),
        ],
      ),
    ),
  };
}

/** Made when opened: most readers never do. */
export function numbers_element(plot: Plot): HTMLElement {
  const node = h("details", { class: "numbers" }, h("summary", {}, "Numbers"));
  node.addEventListener("toggle", () => {
    if (!node.open || node.childElementCount > 1) return;
    const { columns, rows } = numbers_of(plot);
    node.append(table_of(plot.title, columns, rows.slice(0, most_rows)));
    if (rows.length > most_rows)
      node.append(h("p", { class: "note" }, `The first ${counted(most_rows)} of ${counted(rows.length)} rows.`));
  });
  return node;
}
