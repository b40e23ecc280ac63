// SPDX-License-Identifier: Apache-2.0
// Names and the scale bar, drawn over the map. Plain canvas text serves all scripts of the world and needs no font
// atlas.
import { h } from "../dom";
import { length_words, round_below } from "../numbers";
import { pixels_per_metre, projected, type Camera } from "./camera";
import type { Frame } from "./drawing";
import { ring_middle } from "./geometry";
import type { Look } from "./paint";
import type { Shape } from "./shape";

interface Name {
  words: string;
  x: number;
  y: number;
  beside_px: number;
  layer: string;
  views: Set<number>;
  place: number | null;
}

const bar_px = 110;

function names_of(shape: Shape): Name[] {
  if (!("labels" in shape.layer) || !("points" in shape)) return [];
  const { layer } = shape;
  return layer.labels.slice(0, shape.count).flatMap((words, i): Name[] => {
    if (!words) return [];
    const common = { words, layer: layer.name, views: shape.views };
    if (layer.type === "points")
      return [
        {
          ...common,
          x: shape.points[2 * i],
          y: shape.points[2 * i + 1],
          beside_px: layer.radius + 4,
          place: layer.at_place ? i : null,
        },
      ];
    if (!("starts" in shape)) return [];
    const [x, y] = ring_middle(shape.points, shape.starts[i], shape.starts[i + 1]);
    return [{ ...common, x, y, beside_px: 0, place: null }];
  });
}

export class Overlay {
  readonly canvas = h("canvas", { class: "map-overlay", "aria-hidden": "true" });
  private names: Name[];

  constructor(
    shapes: Shape[],
    private readonly metres: boolean,
  ) {
    this.names = shapes.flatMap(names_of);
  }

  show(frames: Frame[], camera: Camera, look: Look): void {
    const ratio = devicePixelRatio;
    const width = Math.round(this.canvas.clientWidth * ratio),
      height = Math.round(this.canvas.clientHeight * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height)
      ((this.canvas.width = width), (this.canvas.height = height));
    const pen = this.canvas.getContext("2d")!;
    const style = getComputedStyle(this.canvas);
    const ink = style.getPropertyValue("--ink").trim(),
      paper = style.getPropertyValue("--map").trim();
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = `500 12.5px ${style.fontFamily}`;
    pen.lineJoin = "round";
    frames.forEach((frame, number) => {
      pen.save();
      pen.setTransform(ratio, 0, 0, ratio, frame.x * ratio, frame.y * ratio);
      pen.beginPath();
      pen.rect(0, 0, frame.width, frame.height);
      pen.clip();
      this.draw_names(pen, number, frame, camera, look, ink, paper);
      if (number === 0 && this.metres) draw_bar(pen, frame, camera, ink, paper);
      pen.restore();
    });
  }

  /** Names in the order of the layers; one that would lie on another is left out until the reader comes closer. */
  private draw_names(
    pen: CanvasRenderingContext2D,
    view: number,
    frame: Frame,
    camera: Camera,
    look: Look,
    ink: string,
    paper: string,
  ): void {
    const taken: [number, number, number, number][] = [[0, frame.height - 34, bar_px + 30, frame.height]];
    pen.textBaseline = "middle";
    for (const name of this.names) {
      if (!name.views.has(view) || look.off.has(name.layer) || (name.place !== null && name.place !== look.place))
        continue;
      const [x, y] = projected(camera, frame, name.x, name.y);
      if (x < -50 || y < -20 || x > frame.width + 50 || y > frame.height + 20) continue;
      const wide = pen.measureText(name.words).width;
      // On the left of its point where the right edge is too near.
      const left =
        name.beside_px === 0
          ? x - wide / 2
          : x + name.beside_px + wide > frame.width - 4
            ? x - name.beside_px - wide
            : x + name.beside_px;
      const box: [number, number, number, number] = [left - 2, y - 8, left + wide + 2, y + 8];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]))
        continue;
      taken.push(box);
      haloed(pen, name.words, left, y, ink, paper);
    }
  }
}

function haloed(pen: CanvasRenderingContext2D, words: string, x: number, y: number, ink: string, paper: string): void {
  pen.lineWidth = 4;
  pen.strokeStyle = paper;
  pen.strokeText(words, x, y);
  pen.fillStyle = ink;
  pen.fillText(words, x, y);
}

function draw_bar(pen: CanvasRenderingContext2D, frame: Frame, camera: Camera, ink: string, paper: string): void {
  const metres = round_below(bar_px / pixels_per_metre(camera));
  const length = metres * pixels_per_metre(camera);
  const x = 14,
    y = frame.height - 14;
  for (const [colour, width] of [
    [paper, 6],
    [ink, 2],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(x, y - 5);
    pen.lineTo(x, y);
    pen.lineTo(x + length, y);
    pen.lineTo(x + length, y - 5);
    pen.stroke();
  }
  pen.textBaseline = "alphabetic";
  haloed(pen, length_words(metres), x + 6, y - 6, ink, paper);
}
