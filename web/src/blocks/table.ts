// SPDX-License-Identifier: Apache-2.0
import type { Table } from "../document";
import { h } from "../dom";
import { shown } from "../numbers";

type Cell = string | number | null;

// Readers compare down a column, so a column of numbers stands right, head included.
function numeric(rows: Cell[][], column: number): boolean {
  return rows.some((row) => typeof row[column] === "number") && rows.every((row) => typeof row[column] !== "string");
}

function cell_element(value: Cell, first: boolean): HTMLTableCellElement {
  if (typeof value === "number")
    return h(
      "td",
      { class: "number", title: String(value) },
      Number.isInteger(value) ? value.toLocaleString("en") : shown(value),
    );
  return first && value !== null ? h("th", { scope: "row" }, value) : h("td", {}, value ?? "");
}

/** A table that scrolls sideways in its own frame when it is wide. */
export function table_of(caption: string, columns: string[], rows: Cell[][]): HTMLElement {
  const head = h(
    "tr",
    {},
    ...columns.map((name, i) => h("th", { scope: "col", class: numeric(rows, i) ? "number" : null }, name)),
  );
  const body = h(
    "tbody",
    {},
    ...rows.map((row) => h("tr", {}, ...row.map((value, i) => cell_element(value, i === 0)))),
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption || "Table" },
    h("table", {}, caption ? h("caption", {}, caption) : null, h("thead", {}, head), body),
  );
}

export function table_element(table: Table): HTMLElement {
  const node = table_of(table.caption, table.columns, table.rows);
  node.classList.add("block");
  return node;
}
