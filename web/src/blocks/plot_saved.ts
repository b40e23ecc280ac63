// SPDX-License-Identifier: Apache-2.0
// A plot as a file of its own: with title, legend and ground, which the page otherwise gives it.
import { category } from "../colours";
import type { Plot } from "../document";
import { s } from "../dom";
import { theme } from "../theme";
import { sample } from "./series_look";

const margin = 16,
  letter_px = 6.6,
  row_px = 20;

export function saved_plot(plot: Plot, drawing: SVGSVGElement): SVGSVGElement {
  const style = getComputedStyle(document.body);
  const [ink, card] = ["--ink", "--card"].map((name) => style.getPropertyValue(name).trim());
  const width = Number(drawing.getAttribute("width")),
    height = Number(drawing.getAttribute("height"));
  const outer = s(
    "svg",
    { width: width + 2 * margin, fill: ink, color: ink, "font-family": style.fontFamily },
    s("title", {}, plot.title),
  );
  const ground = s("rect", { width: "100%", height: "100%", fill: card });
  outer.append(ground);
  let y = margin;
  if (plot.title)
    (outer.append(s("text", { x: margin, y: (y += 12), "font-size": 15, "font-weight": 600 }, plot.title)), (y += 14));
  if (plot.series.length > 1 || plot.series[0]?.name) {
    let x = margin;
    plot.series.forEach((series, i) => {
      const room = 34 + series.name.length * letter_px + 18;
      if (x > margin && x + room > width + margin) ((x = margin), (y += row_px));
      const swatch = sample(i, category(i, theme.value), plot.mark);
      swatch.setAttribute("x", String(x));
      swatch.setAttribute("y", String(y));
      outer.append(swatch, s("text", { x: x + 34, y: y + 11, "font-size": 12 }, series.name));
      x += room;
    });
    y += row_px + 6;
  }
  const inner = drawing.cloneNode(true) as SVGSVGElement;
  inner.setAttribute("x", String(margin));
  inner.setAttribute("y", String(y));
  outer.append(inner);
  const whole = y + height + margin;
  outer.setAttribute("height", String(whole));
  outer.setAttribute("viewBox", `0 0 ${width + 2 * margin} ${whole}`);
  return outer;
}
