// SPDX-License-Identifier: Apache-2.0
// From a plot of the report to the marks of the plotting library.
import * as Plotting from "@observablehq/plot";
import { category } from "../colours";
import type { Axis, Plot, Series } from "../document";
import { linear_ticks, log_ticks, rounded_ends, shown } from "../numbers";
import type { Theme } from "../theme";
import { dash_of, shape_of } from "./series_look";

/** Joined dots of a long line hide it, so only some of them get a shape. */
const most_shapes = 40;

interface Dot {
  x: number;
  x2: number;
  y: number;
  size: number;
  series: string;
}

const drawable = (value: number | null | undefined, axis: Axis): boolean =>
  value !== null && value !== undefined && Number.isFinite(value) && (!axis.log || value > 0);

/** The ends of an axis: all that is drawn, and 0 where the plot asks for it. */
export function ends(axis: Axis, values: (number | null)[]): [number, number] {
  let low = Infinity,
    high = -Infinity;
  for (const value of values) {
    if (!drawable(value, axis)) continue;
    low = Math.min(low, value as number);
    high = Math.max(high, value as number);
  }
  if (low > high) return axis.log ? [1, 10] : [0, 1];
  if (axis.log) return low === high ? [low / 2, high * 2] : [low, high];
  if (axis.from_zero) ((low = Math.min(0, low)), (high = Math.max(0, high)));
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
  return [low, high];
}

function dots(series: Series, plot: Plot): Dot[] {
  return series.x.map((x, i) => ({
    x: drawable(x, plot.x) ? x : NaN,
    x2: series.x2[i] ?? x,
    y: drawable(series.y[i], plot.y) ? (series.y[i] as number) : NaN,
    size: series.size[i] ?? 1,
    series: series.name,
  }));
}

/** The outline of a histogram: up, along and down. */
function outline(bars: Dot[], base: number): { x: number; y: number }[] {
  const corners: { x: number; y: number }[] = [];
  let end = NaN;
  for (const bar of bars) {
    if (Number.isNaN(bar.y)) continue;
    if (bar.x !== end) corners.push({ x: end, y: base }, { x: NaN, y: NaN }, { x: bar.x, y: base });
    corners.push({ x: bar.x, y: bar.y }, { x: bar.x2, y: bar.y });
    end = bar.x2;
  }
  corners.push({ x: end, y: base });
  return corners;
}

function series_marks(series: Series, number: number, plot: Plot, base: number, theme: Theme): Plotting.Markish[] {
  const colour = category(number, theme);
  const data = dots(series, plot);
  const dash = dash_of(number).replaceAll(" ", ",") || undefined;
  switch (plot.mark) {
    case "line": {
      const every = Math.max(1, Math.ceil(data.length / most_shapes));
      return [
        Plotting.line(data, {
          x: "x",
          y: "y",
          stroke: colour,
          strokeWidth: 2,
          strokeDasharray: dash,
          strokeLinejoin: "round",
        }),
        Plotting.dot(
          data.filter((_, i) => i % every === 0),
          { x: "x", y: "y", fill: colour, r: 3.4, symbol: shape_of(number) },
        ),
      ];
    }
    case "dots":
      return [
        Plotting.dot(data, {
          x: "x",
          y: "y",
          r: series.size.length ? "size" : 4,
          fill: colour,
          fillOpacity: 0.7,
          stroke: colour,
          symbol: shape_of(number),
        }),
      ];
    case "bars":
      return [
        Plotting.rect(data, {
          x1: "x",
          x2: "x2",
          y1: () => base,
          y2: "y",
          fill: colour,
          fillOpacity: plot.series.length > 1 ? 0.45 : 0.8,
          stroke: colour,
          strokeWidth: 1,
          insetLeft: 0.5,
          insetRight: 0.5,
        }),
      ];
    case "steps":
      return [
        Plotting.line(outline(data, base), { x: "x", y: "y", stroke: colour, strokeWidth: 2, strokeDasharray: dash }),
      ];
  }
}

/** The nearest value beside the pointer. */
function tip(plot: Plot): Plotting.Markish {
  const spread = plot.mark === "bars" || plot.mark === "steps";
  const all = plot.series.flatMap((series) => dots(series, plot));
  const words = (dot: Dot) =>
    [
      dot.series,
      `${plot.x.label}: ${shown(dot.x)}${spread ? ` to ${shown(dot.x2)}` : ""}`,
      `${plot.y.label}: ${shown(dot.y)}`,
    ]
      .filter(Boolean)
      .join("\n");
  const middle = (dot: Dot) => (!spread ? dot.x : plot.x.log ? Math.sqrt(dot.x * dot.x2) : (dot.x + dot.x2) / 2);
  return Plotting.tip(all, Plotting.pointer({ x: middle, y: "y", title: words }));
}

/** The drawing, `width` pixels wide, without title and legend. `top`: room above the frame. */
export function drawn(
  plot: Plot,
  width: number,
  top: number,
  places: number,
  theme: Theme,
): SVGSVGElement & Plotting.Plot {
  const spread = plot.mark === "bars" || plot.mark === "steps";
  const xs = plot.series.flatMap((series) => (spread ? [...series.x, ...series.x2] : series.x));
  const x = ends(plot.x, [...xs, ...plot.marks.map((mark) => mark.x), ...(places > 0 ? [0, places - 1] : [])]);
  const y_ends = ends(plot.y, plot.series.flatMap((series) => series.y).concat(spread && !plot.y.log ? [0] : []));
  const y = plot.y.log ? y_ends : rounded_ends(...y_ends, 5);
  const base = plot.y.log ? y[0] : 0;
  const axis = (ends: [number, number], of: Axis, count: number) => ({
    type: (of.log ? "log" : "linear") as "log" | "linear",
    domain: ends,
    ticks: of.log ? log_ticks(...ends, count) : linear_ticks(...ends, count),
    tickFormat: (value: number) => shown(value),
    label: of.label,
    labelArrow: "none" as const,
  });
  const y_axis = axis(y, plot.y, 5);
  const widest = Math.max(0, ...y_axis.ticks.map((tick) => shown(tick).length));
  return Plotting.plot({
    width,
    height: Math.round(Math.min(380, Math.max(240, width * 0.45))) + top,
    marginTop: 30 + top,
    marginLeft: 24 + 7.2 * Math.max(2, widest),
    marginRight: 24,
    marginBottom: 46,
    style: { fontFamily: "inherit", fontSize: "12px", background: "transparent", overflow: "visible" },
    x: { ...axis(x, plot.x, width < 500 ? 5 : 8), labelAnchor: "center" },
    y: { ...y_axis, grid: true },
    // Large dots at the ends of an axis stay within the frame.
    inset: plot.mark === "dots" ? 8 : 0,
    r: { range: [1.5, 11] },
    marks: [
      ...plot.series.flatMap((series, i) => series_marks(series, i, plot, base, theme)),
      spread || y[0] === 0 ? Plotting.ruleY([base], { stroke: "currentColor", strokeOpacity: 0.4 }) : null,
      tip(plot),
    ],
  }) as SVGSVGElement & Plotting.Plot;
}
