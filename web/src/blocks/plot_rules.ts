// SPDX-License-Identifier: Apache-2.0
// The named vertical lines of a plot, and the one that follows a map's control.
import { s } from "../dom";

interface Label {
  x: number;
  words: string;
  row: number;
  anchor: "start" | "middle" | "end";
}

const letter_px = 6.4,
  row_px = 15;

/** Names in rows, so that none lies on another. `x` is in pixels. */
export function in_rows(marks: { x: number; words: string }[], left: number, right: number): Label[] {
  const ends: number[] = [];
  return [...marks]
    .sort((a, b) => a.x - b.x)
    .map(({ x, words }) => {
      const half = (words.length * letter_px) / 2;
      const anchor = x - half < left ? "start" : x + half > right ? "end" : "middle";
      const from = anchor === "start" ? x : anchor === "end" ? x - 2 * half : x - half;
      let row = ends.findIndex((end) => end < from);
      if (row < 0) row = ends.length;
      ends[row] = from + 2 * half + 10;
      return { x, words, row, anchor };
    });
}

export function rows_height(labels: Label[]): number {
  return labels.length ? row_px * (1 + Math.max(...labels.map((label) => label.row))) : 0;
}

/** Lines from their names down to the x axis. */
export function rules(labels: Label[], top: number, bottom: number): SVGGElement {
  const group = s("g", { "aria-hidden": "true" });
  for (const label of labels) {
    const y = top - 6 - label.row * row_px;
    group.append(
      s("line", {
        x1: label.x,
        x2: label.x,
        y1: y + 4,
        y2: bottom,
        stroke: "currentColor",
        "stroke-opacity": 0.65,
        "stroke-dasharray": "3 3",
      }),
      s("text", { x: label.x, y, "text-anchor": label.anchor, fill: "currentColor", "font-size": 12 }, label.words),
    );
  }
  return group;
}

/** The line that moves with a control. */
export function moving_rule(top: number, bottom: number): SVGLineElement {
  return s("line", { y1: top, y2: bottom, stroke: "currentColor", "stroke-width": 2, class: "moving-rule" });
}
