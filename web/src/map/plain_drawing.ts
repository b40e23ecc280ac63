// SPDX-License-Identifier: Apache-2.0
// The same maps without graphics hardware: slower, and no less true.
import { css } from "../colours";
import type { Scale } from "../document";
import { h } from "../dom";
import { pixels_per_metre, projected, type Camera } from "./camera";
import type { Drawing, Frame } from "./drawing";
import { arrow_angles, arrow_tips } from "./geometry";
import { grid_image } from "./grid_image";
import { paint_of, type Look, type Paint } from "./paint";
import type { Shape } from "./shape";

type Pen = CanvasRenderingContext2D;

function colour_of(paint: Paint, i: number, rgba: Uint8ClampedArray, opacity = 1): string | null {
  paint.write(paint.same ? 0 : i, rgba, 0);
  return rgba[3] === 0 ? null : css([rgba[0], rgba[1], rgba[2]], (rgba[3] / 255) * opacity);
}

export class PlainDrawing implements Drawing {
  readonly canvas = h("canvas", { class: "map-canvas" });
  on_drawn = () => {};
  private pending = 0;
  private wanted: [Frame[], Camera, Look] | null = null;
  private rgba = new Uint8ClampedArray(4);

  constructor(
    private shapes: Shape[],
    private scales: Scale[],
  ) {}

  show(frames: Frame[], camera: Camera, look: Look): void {
    this.wanted = [frames, camera, look];
    if (!this.pending) this.pending = requestAnimationFrame(() => this.finish());
  }

  finish(): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    if (!this.wanted) return;
    const [frames, camera, look] = this.wanted;
    const ratio = devicePixelRatio;
    this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
    this.canvas.height = Math.round(this.canvas.clientHeight * ratio);
    const pen = this.canvas.getContext("2d")!;
    frames.forEach((frame, number) => {
      pen.setTransform(ratio, 0, 0, ratio, frame.x * ratio, frame.y * ratio);
      pen.save();
      pen.beginPath();
      pen.rect(0, 0, frame.width, frame.height);
      pen.clip();
      for (const shape of this.shapes)
        if (shape.views.has(number) && !look.off.has(shape.layer.name)) this.draw(pen, shape, frame, camera, look);
      pen.restore();
    });
    this.on_drawn();
  }

  private draw(pen: Pen, shape: Shape, frame: Frame, camera: Camera, look: Look): void {
    const paint = paint_of(shape, this.scales, look);
    const at = (x: number, y: number) => projected(camera, frame, x, y);
    if (shape.layer.type === "grid") this.grid(pen, shape, paint, at);
    else if (shape.layer.type === "points")
      this.points(pen, shape as Extract<Shape, { layer: { type: "points" } }>, paint, at, camera);
    else this.paths(pen, shape as Extract<Shape, { starts: unknown }>, paint, at);
  }

  private grid(pen: Pen, shape: Shape, paint: Paint, at: (x: number, y: number) => [number, number]): void {
    if (shape.layer.type !== "grid") return;
    const image = grid_image(shape, paint);
    const cells = h("canvas", { width: image.width, height: image.height });
    cells.getContext("2d")!.putImageData(image, 0, 0);
    const [west, south, east, north] = shape.layer.box;
    const [left, top] = at(west, north),
      [right, bottom] = at(east, south);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(cells, left, top, right - left, bottom - top);
  }

  private points(
    pen: Pen,
    shape: Extract<Shape, { layer: { type: "points" } }>,
    paint: Paint,
    at: (x: number, y: number) => [number, number],
    camera: Camera,
  ): void {
    const circle = (i: number, radius: number, opacity: number) => {
      const colour = colour_of(paint, i, this.rgba, opacity);
      if (!colour) return;
      const [x, y] = at(shape.points[2 * i], shape.points[2 * i + 1]);
      pen.fillStyle = pen.strokeStyle = colour;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 7);
      pen.fill();
      if (opacity < 1) pen.stroke();
    };
    for (let i = 0; i < shape.count; ++i) {
      if (shape.layer.halo_m > 0) circle(i, shape.layer.halo_m * pixels_per_metre(camera), 0.15);
      circle(i, shape.layer.radius, 1);
    }
  }

  private paths(
    pen: Pen,
    shape: Extract<Shape, { starts: unknown }>,
    paint: Paint,
    at: (x: number, y: number) => [number, number],
  ): void {
    const { points, starts, layer } = shape;
    pen.lineJoin = pen.lineCap = "round";
    const tips = layer.type === "lines" && layer.arrows ? arrow_tips(points, starts) : null;
    const angles = tips ? arrow_angles(points, starts) : null;
    for (let i = 0; i < shape.count; ++i) {
      const colour = colour_of(paint, i, this.rgba);
      if (!colour) continue;
      pen.strokeStyle = pen.fillStyle = colour;
      pen.lineWidth =
        layer.type === "areas" ? 1.5 : layer.width * ("widths" in shape && shape.widths ? shape.widths[i] : 1);
      pen.beginPath();
      for (let p = starts[i]; p < starts[i + 1]; ++p) pen.lineTo(...at(points[2 * p], points[2 * p + 1]));
      if (layer.type === "areas") {
        pen.closePath();
        pen.globalAlpha = "ground" in layer.colour ? 1 : "scale" in layer.colour ? 0.88 : 0.28;
        if (!layer.outline_only) pen.fill();
        pen.globalAlpha = 1;
        if ("ground" in layer.colour && !layer.outline_only) continue;
      }
      pen.stroke();
      if (tips && angles) this.arrow(pen, at(tips[2 * i], tips[2 * i + 1]), angles[i], 5 + 1.2 * pen.lineWidth);
    }
  }

  private arrow(pen: Pen, [x, y]: [number, number], degrees: number, size: number): void {
    const angle = (degrees * Math.PI) / 180;
    pen.beginPath();
    pen.moveTo(x, y);
    for (const turn of [2.7, -2.7])
      pen.lineTo(x + size * 2 * Math.cos(angle + turn), y - size * 2 * Math.sin(angle + turn));
    pen.fill();
  }

  end(): void {
    cancelAnimationFrame(this.pending);
    this.canvas.remove();
  }
}
