// SPDX-License-Identifier: Apache-2.0
// A block of maps: its controls, its stage with one or more views, its legends.
import type { Context } from "../context";
import type { MapBlock } from "../document";
import { button, h } from "../dom";
import { private_mark } from "../private_mark";
import { save_canvas } from "../save";
import { Signal } from "../signal";
import { theme } from "../theme";
import { control_element, layer_switches } from "./controls";
import { legend_element } from "./legend";
import { MapStage } from "./stage";

function zoom_buttons(stage: MapStage, title: string): HTMLElement {
  const about = title ? `: ${title}` : "";
  return h(
    "div",
    { class: "zooms", role: "group", "aria-label": `Zoom${about}` },
    button("+", () => stage.zoom(1), { "aria-label": `Zoom in${about}`, title: "Zoom in" }),
    button("−", () => stage.zoom(-1), { "aria-label": `Zoom out${about}`, title: "Zoom out" }),
    button("⤢", () => stage.reset(), { "aria-label": `Show all${about}`, title: "Show all" }),
  );
}

export function map_element(block: MapBlock, context: Context): HTMLElement {
  const place = block.control ? context.place(block.control.id) : new Signal(0);
  const stage = new MapStage(block, place, context);
  const legends = h("div", { class: "scales" });
  const show_legends = () =>
    legends.replaceChildren(...block.scales.map((scale) => legend_element(scale, theme.value)));
  show_legends();
  context.at_end(theme.watch(show_legends));

  stage.element.append(
    ...block.views.map((view) =>
      h(
        "div",
        { class: "map-view" },
        view.title || view.private
          ? h("p", { class: "view-title" }, view.title, view.private && " ", view.private && private_mark())
          : null,
        h("div", { class: "map-frame" }),
      ),
    ),
    zoom_buttons(stage, block.title),
  );
  const save = button(
    "Save as PNG",
    () => {
      const picture = stage.picture();
      if (picture) save_canvas(picture, block.title);
    },
    { class: "quiet", "aria-label": `Save as PNG${block.title ? `: ${block.title}` : ""}` },
  );

  const bar = h(
    "div",
    { class: "map-bar" },
    block.control && control_element(block.control, place, context),
    layer_switches(block, context, (off) => stage.switch_off(off)),
  );
  return h(
    "figure",
    { class: "block map" },
    block.title ? h("h3", {}, block.title) : null,
    bar.childElementCount ? bar : null,
    stage.element,
    legends,
    block.note ? h("figcaption", { class: "note" }, block.note) : null,
    h(
      "div",
      { class: "tools" },
      h(
        "details",
        { class: "numbers" },
        h("summary", {}, "Description"),
        h("p", {}, block.description),
        h("p", { class: "note" }, "With the map in focus, the arrow keys move it, + and − zoom, 0 shows all."),
      ),
      h("div", { class: "saves" }, save),
    ),
  );
}
