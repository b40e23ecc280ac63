// SPDX-License-Identifier: Apache-2.0
// How series are told apart: by colour, by dash and by the shape of their dots, so that no reader needs the colour.
import { s } from "../dom";

type Pen = { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void; closePath(): void };

/** Corners of each shape, about the same area at size 1. */
const shapes: [number, number][][] = [
  Array.from({ length: 24 }, (_, i) => [Math.cos((i * Math.PI) / 12), Math.sin((i * Math.PI) / 12)]),
  [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  [
    [0, -1.25],
    [1.2, 0.85],
    [-1.2, 0.85],
  ],
  [
    [0, -1.3],
    [1.15, 0],
    [0, 1.3],
    [-1.15, 0],
  ],
  [
    [0, 1.25],
    [1.2, -0.85],
    [-1.2, -0.85],
  ],
  [
    [-0.45, -1.2],
    [0.45, -1.2],
    [0.45, -0.45],
    [1.2, -0.45],
    [1.2, 0.45],
    [0.45, 0.45],
    [0.45, 1.2],
    [-0.45, 1.2],
    [-0.45, 0.45],
    [-1.2, 0.45],
    [-1.2, -0.45],
    [-0.45, -0.45],
  ],
];

const dashes = ["", "7 3", "2 3", "10 3 2 3", "5 5", "1 4"];

export function shape_of(series: number): { draw(pen: Pen, area: number): void } {
  const corners = shapes[series % shapes.length];
  return {
    draw(pen, area) {
      const radius = Math.sqrt(area / Math.PI);
      corners.forEach(([x, y], i) => (i ? pen.lineTo(x * radius, y * radius) : pen.moveTo(x * radius, y * radius)));
      pen.closePath();
    },
  };
}

/** Past six series the colours come again, with other dashes. */
export function dash_of(series: number): string {
  return dashes[(series + Math.floor(series / 6)) % dashes.length];
}

function shape_path(series: number, radius: number): string {
  const corners = shapes[series % shapes.length];
  return `M${corners.map(([x, y]) => `${(x * radius).toFixed(2)} ${(y * radius).toFixed(2)}`).join("L")}Z`;
}

/** The sample beside a series' name, 28 by 14. */
export function sample(series: number, colour: string, mark: "line" | "bars" | "steps" | "dots"): SVGSVGElement {
  const node = s("svg", { width: 28, height: 14, viewBox: "0 0 28 14", class: "sample", "aria-hidden": "true" });
  if (mark === "bars")
    node.append(s("rect", { x: 4, y: 1, width: 20, height: 12, fill: colour, "fill-opacity": 0.75, stroke: colour }));
  if (mark === "line" || mark === "steps")
    node.append(
      s("path", { d: "M0 7H28", stroke: colour, "stroke-width": 2, "stroke-dasharray": dash_of(series) || null }),
    );
  if (mark === "line" || mark === "dots")
    node.append(s("path", { d: shape_path(series, 3.6), transform: "translate(14 7)", fill: colour }));
  return node;
}
