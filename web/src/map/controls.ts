// SPDX-License-Identifier: Apache-2.0
// What the reader turns: the place of the control, and which layers are shown.
import { category, css, ground, ramp } from "../colours";
import type { Context } from "../context";
import type { Control, MapBlock, MapLayer, Scale } from "../document";
import { button, fresh_id, h, s } from "../dom";
import { pause_mark, play_mark } from "../icons";
import type { Signal } from "../signal";
import { theme, type Theme } from "../theme";

/** A whole run takes about this long, within reason. */
const run_ms = 15_000;

function slider(control: Control, place: Signal<number>, context: Context): HTMLElement {
  const last = control.places.length - 1;
  const id = fresh_id();
  const input = h("input", { type: "range", id, min: 0, max: last, step: 1, value: place.value });
  const words = h("output", { for: id, class: "place-name" });
  const play = button("", () => (timer ? stop() : start()), { class: "play" });
  let timer = 0;
  const show_play = () => {
    play.replaceChildren(timer ? pause_mark() : play_mark());
    play.setAttribute("aria-label", `${timer ? "Pause" : "Play"}: ${control.label}`);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    show_play();
  };
  const start = () => {
    if (place.value >= last) place.set(0);
    timer = setInterval(
      () => {
        place.set(place.value + 1);
        if (place.value >= last) stop();
      },
      Math.max(60, Math.min(700, run_ms / (last + 1))),
    ) as unknown as number;
    show_play();
  };
  const show = () => {
    input.value = String(place.value);
    const name = control.places[place.value] ?? "";
    input.setAttribute("aria-valuetext", name);
    words.textContent = name;
  };
  input.addEventListener("input", () => {
    if (timer) stop();
    place.set(Number(input.value));
  });
  show();
  show_play();
  context.at_end(place.watch(show));
  context.at_end(stop);
  return h("div", { class: "control" }, play, h("label", { for: id }, control.label), input, words);
}

function choice(control: Control, place: Signal<number>, context: Context): HTMLElement {
  const id = fresh_id();
  const select = h("select", { id }, ...control.places.map((name, i) => h("option", { value: i }, name)));
  select.addEventListener("change", () => place.set(Number(select.value)));
  const show = () => (select.value = String(place.value));
  show();
  context.at_end(place.watch(show));
  return h("div", { class: "control" }, h("label", { for: id }, control.label), select);
}

export function control_element(control: Control, place: Signal<number>, context: Context): HTMLElement {
  return control.kind === "slider" ? slider(control, place, context) : choice(control, place, context);
}

/** A small drawing of what a layer looks like. */
function swatch(layer: MapLayer, scales: Scale[], value: Theme): SVGSVGElement {
  const id = fresh_id();
  const node = s("svg", { viewBox: "0 0 22 14", class: "swatch", "aria-hidden": "true" });
  const kind = layer.type === "grid" ? "areas" : layer.type;
  let colour: string;
  if ("scale" in layer.colour) {
    const name = layer.colour.scale;
    const table = ramp(scales.find((scale) => scale.id === name)?.kind ?? "linear", value, 5);
    node.append(
      s(
        "linearGradient",
        { id },
        ...[0, 1, 2, 3, 4].map((i) =>
          s("stop", { offset: i / 4, "stop-color": css([table[3 * i], table[3 * i + 1], table[3 * i + 2]]) }),
        ),
      ),
    );
    colour = `url(#${id})`;
  } else colour = "number" in layer.colour ? category(layer.colour.number, value) : ground(kind, value);
  // A level line has no height and so no gradient; a thin box does.
  if (layer.type === "lines")
    node.append(
      s("rect", {
        x: 1,
        y: 7 - Math.min(4, Math.max(2, layer.width)) / 2,
        width: 20,
        height: Math.min(4, Math.max(2, layer.width)),
        rx: 1,
        fill: colour,
      }),
    );
  else if (layer.type === "points")
    node.append(s("circle", { cx: 11, cy: 7, r: Math.min(6, Math.max(3, layer.radius)), fill: colour }));
  else
    node.append(
      s("rect", {
        x: 2,
        y: 1,
        width: 18,
        height: 12,
        rx: 2,
        fill: colour,
        stroke: colour,
        "stroke-width": 1.5,
        "fill-opacity": layer.type === "areas" ? (layer.outline_only ? 0 : 0.35) : 1,
      }),
    );
  return node;
}

/** A check box for each name; layers of one name in several views are switched together. */
export function layer_switches(
  block: MapBlock,
  context: Context,
  on_change: (off: Set<string>) => void,
): HTMLElement | null {
  const off = new Set<string>();
  const named = new Map<string, MapLayer>();
  for (const view of block.views)
    for (const layer of view.layers) if (layer.name && !named.has(layer.name)) named.set(layer.name, layer);
  if (named.size === 0) return null;
  const list = h("fieldset", { class: "layers" }, h("legend", {}, "Shown"));
  for (const [name, layer] of named) {
    const box = h("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", () => {
      if (box.checked) off.delete(name);
      else off.add(name);
      on_change(new Set(off));
    });
    let sign = swatch(layer, block.scales, theme.value);
    context.at_end(
      theme.watch((value) => {
        const next = swatch(layer, block.scales, value);
        sign.replaceWith(next);
        sign = next;
      }),
    );
    list.append(h("label", {}, box, sign, h("span", {}, name)));
  }
  return list;
}
