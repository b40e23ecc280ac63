// SPDX-License-Identifier: Apache-2.0
import { category } from "../colours";
import type { Context } from "../context";
import type { MapBlock, Plot } from "../document";
import { h } from "../dom";
import { save_buttons } from "../save";
import { theme } from "../theme";
import { drawn } from "./plot_marks";
import { numbers_element } from "./plot_numbers";
import { in_rows, moving_rule, rows_height, rules } from "./plot_rules";
import { saved_plot } from "./plot_saved";
import { sample } from "./series_look";

function places_of(context: Context, control: string): string[] {
  if (!control) return [];
  for (const page of context.report.pages)
    for (const section of page.sections)
      for (const block of section.blocks)
        if (block.type === "map" && (block as MapBlock).control?.id === control) return block.control!.places;
  return [];
}

const print_width = 640;

/** What the plot shows, in a sentence, for those who hear the page. */
function description(plot: Plot): string {
  const names = plot.series.map((series) => series.name).filter(Boolean);
  const marks = plot.marks.map((mark) => `${mark.label} at ${mark.x}`);
  return [
    `${plot.title || "Plot"}: ${plot.y.label} over ${plot.x.label}.`,
    names.length ? `Series: ${names.join(", ")}.` : "",
    marks.length ? `Marked: ${marks.join(", ")}.` : "",
    "The numbers stand in the table below.",
  ]
    .filter(Boolean)
    .join(" ");
}

function legend(plot: Plot): HTMLElement | null {
  if (plot.series.length < 2 && !plot.series[0]?.name) return null;
  return h(
    "ul",
    { class: "legend", "aria-label": "Series" },
    ...plot.series.map((series, i) =>
      h("li", {}, sample(i, category(i, theme.value), plot.mark), h("span", {}, series.name)),
    ),
  );
}

/** The drawing with its named lines; `follow` moves the line of the control. */
function drawing(plot: Plot, width: number, places: number): { svg: SVGSVGElement; follow: (place: number) => void } {
  const marks_in = (scale: (x: number) => number) =>
    plot.marks
      .filter((mark) => Number.isFinite(scale(mark.x)))
      .map((mark) => ({ x: scale(mark.x), words: mark.label }));
  // How many rows the names need is known only once the scale is; so it is drawn twice where there are names.
  let svg = drawn(plot, width, 0, places, theme.value);
  let x = svg.scale("x")!;
  const [left, right] = x.range as [number, number];
  const labels = in_rows(
    marks_in((value) => x.apply(value)),
    left,
    right,
  );
  const room = rows_height(labels);
  if (room > 0) {
    svg = drawn(plot, width, room, places, theme.value);
    x = svg.scale("x")!;
  }
  const [bottom, top] = svg.scale("y")!.range as [number, number];
  svg.append(rules(labels, top, bottom));
  const rule = places > 0 ? moving_rule(top, bottom) : null;
  if (rule) svg.append(rule);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", description(plot));
  return {
    svg,
    follow: (place) => {
      const at = String(x.apply(place));
      rule?.setAttribute("x1", at);
      rule?.setAttribute("x2", at);
    },
  };
}

export function plot_element(plot: Plot, context: Context): HTMLElement {
  const places = places_of(context, plot.follows);
  const frame = h("div", { class: "plot-frame" });
  const place_words = places.length ? h("p", { class: "note place" }) : null;
  const place = places.length ? context.place(plot.follows) : null;
  let current: ReturnType<typeof drawing> | null = null;

  const follow = () => {
    if (!place) return;
    current?.follow(place.value);
    place_words!.textContent = `The line stands at ${places[place.value] ?? place.value}.`;
  };
  const draw = () => {
    const width = context.printed ? print_width : Math.floor(frame.clientWidth);
    if (width < 50) return;
    current = drawing(plot, width, places.length);
    const key = legend(plot);
    frame.replaceChildren(...(key ? [key] : []), current.svg);
    follow();
  };
  if (context.printed) draw();
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (frame.clientWidth === width) return;
    width = frame.clientWidth;
    draw();
  });
  observer.observe(frame);
  context.at_end(() => observer.disconnect());
  context.at_end(theme.watch(draw));
  if (place) context.at_end(place.watch(follow));

  return h(
    "figure",
    { class: "block plot" },
    plot.title ? h("h3", {}, plot.title) : null,
    frame,
    place_words,
    plot.note ? h("figcaption", { class: "note" }, plot.note) : null,
    h(
      "div",
      { class: "tools" },
      numbers_element(plot),
      save_buttons(plot.title, () => current && saved_plot(plot, current.svg)),
    ),
  );
}
