// SPDX-License-Identifier: Apache-2.0
import { ramp } from "../colours";
import type { Scale } from "../document";
import { h } from "../dom";
import { shown } from "../numbers";
import { legend_ends, legend_ticks, position } from "../scale";
import type { Theme } from "../theme";

/** The bar of a scale's colours, one pixel high. */
export function legend_image(scale: Scale, theme: Theme): HTMLCanvasElement {
  const table = ramp(scale.kind, theme, 256);
  const canvas = h("canvas", { width: 256, height: 1, role: "img", "aria-label": `Colours of ${scale.label}` });
  const image = new ImageData(256, 1);
  for (let i = 0; i < 256; ++i) image.data.set([table[3 * i], table[3 * i + 1], table[3 * i + 2], 255], 4 * i);
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  return canvas;
}

/** Ticks with their place on the bar, from 0 to 1. */
export function legend_places(scale: Scale): { at: number; words: string }[] {
  const ends = { ...scale, low: legend_ends(scale)[0], high: legend_ends(scale)[1] };
  return legend_ticks(scale).map((value) => ({ at: position(ends, value), words: shown(value) }));
}

export function legend_element(scale: Scale, theme: Theme): HTMLElement {
  const ticks = h("div", { class: "ticks" });
  for (const { at, words } of legend_places(scale)) {
    const tick = h("span", {}, words);
    tick.style.left = `${100 * at}%`;
    ticks.append(tick);
  }
  return h("div", { class: "scale" }, h("p", {}, scale.label), legend_image(scale, theme), ticks);
}
