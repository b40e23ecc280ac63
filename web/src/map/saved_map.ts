// SPDX-License-Identifier: Apache-2.0
// A map as a picture file: title, views with their names, place of the control, legends.
import type { MapBlock } from "../document";
import { h } from "../dom";
import { theme } from "../theme";
import type { Frame } from "./drawing";
import { legend_image, legend_places } from "./legend";

const margin = 20;

export function saved_map(
  block: MapBlock,
  place_name: string,
  stage: HTMLElement,
  frames: Frame[],
  canvases: HTMLCanvasElement[],
): HTMLCanvasElement {
  const ratio = Math.max(1, devicePixelRatio);
  const style = getComputedStyle(stage);
  const family = style.fontFamily;
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const width = stage.clientWidth,
    height = stage.clientHeight;
  const top = margin + 26 + (place_name ? 22 : 0);
  const whole = top + height + (block.scales.length ? 74 : 0) + margin;
  const canvas = h("canvas", { width: Math.round((width + 2 * margin) * ratio), height: Math.round(whole * ratio) });
  const pen = canvas.getContext("2d")!;
  pen.scale(ratio, ratio);
  pen.fillStyle = colour("--card");
  pen.fillRect(0, 0, width + 2 * margin, whole);
  pen.fillStyle = colour("--ink");
  pen.font = `600 16px ${family}`;
  pen.fillText(block.title, margin, margin + 12);
  pen.font = `12px ${family}`;
  if (place_name) pen.fillText(`${block.control?.label ?? ""} ${place_name}`.trim(), margin, margin + 34);
  frames.forEach((frame, i) => {
    pen.fillStyle = colour("--map");
    pen.fillRect(margin + frame.x, top + frame.y, frame.width, frame.height);
    pen.fillStyle = colour("--ink");
    pen.font = `600 13px ${family}`;
    pen.fillText(
      block.views[i].title + (block.views[i].private ? " (PRIVATE)" : ""),
      margin + frame.x,
      top + frame.y - 9,
    );
  });
  for (const source of canvases) pen.drawImage(source, margin, top, width, height);
  pen.font = `12px ${family}`;
  block.scales.forEach((scale, i) => {
    const x = margin + i * 260,
      y = top + height + 24;
    pen.fillStyle = colour("--ink");
    pen.textAlign = "left";
    pen.fillText(scale.label, x, y);
    pen.drawImage(legend_image(scale, theme.value), x, y + 8, 220, 10);
    pen.textAlign = "center";
    for (const tick of legend_places(scale)) pen.fillText(tick.words, x + 220 * tick.at, y + 34);
  });
  return canvas;
}
