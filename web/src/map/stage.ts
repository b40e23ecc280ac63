// SPDX-License-Identifier: Apache-2.0
import type { Context } from "../context";
import type { MapBlock } from "../document";
import { h } from "../dom";
import type { Signal } from "../signal";
import { theme } from "../theme";
import { fitted, zoomed, type Camera, type Size } from "./camera";
import type { Drawing, Frame } from "./drawing";
import { listen } from "./gestures";
import { GlDrawing, graphics } from "./gl_drawing";
import { started, stopped, type Live } from "./live";
import { Overlay } from "./overlay";
import type { Look } from "./paint";
import { PlainDrawing } from "./plain_drawing";
import { saved_map } from "./saved_map";
import { shapes_of } from "./shape";

/** The views of a map and what is drawn in them. It starts when it comes into view and ends with the page. */
export class MapStage implements Live {
  readonly element: HTMLElement;
  private drawing: Drawing | null = null;
  private overlay: Overlay | null = null;
  private frames: Frame[] = [];
  private camera: Camera | null = null;
  private home: Camera | null = null;
  private look: Look;
  private near = false;
  private starting = false;
  private ended = false;
  private pending = 0;
  private hint = h(
    "p",
    { class: "map-hint", "aria-hidden": "true" },
    "Click the map, or hold Ctrl, to zoom with the wheel",
  );
  private hint_timer = 0;

  constructor(
    private block: MapBlock,
    private place: Signal<number>,
    context: Context,
  ) {
    this.look = { theme: theme.value, place: place.value, off: new Set() };
    this.element = h(
      "div",
      {
        class: `map-stage views-${Math.min(3, block.views.length)}`,
        tabindex: "0",
        role: "application",
        "aria-roledescription": "map",
        "aria-label": `${block.title || "Map"}. Arrow keys move it, plus and minus zoom, 0 shows all.`,
      },
      this.hint,
    );
    context.at_end(theme.watch((value) => this.relook({ theme: value })));
    context.at_end(place.watch((value) => this.relook({ place: value })));
    const size = new ResizeObserver(() => this.measure());
    size.observe(this.element);
    const near = new IntersectionObserver(
      ([entry]) => {
        this.near = entry.isIntersecting;
        if (this.near) void this.start(context);
      },
      { rootMargin: "400px" },
    );
    near.observe(this.element);
    context.at_end(() => {
      this.ended = true;
      size.disconnect();
      near.disconnect();
      this.stop();
    });
    listen(this.element, {
      camera: () => this.camera ?? { x: 0, y: 0, zoom: 0 },
      set_camera: (camera) => this.set_camera(camera),
      reset: () => this.reset(),
      least_zoom: () => this.least_zoom(),
      middle_at: (x, y) => this.middle_at(x, y),
      view_size: () => this.view_size(),
      refused_wheel: () => this.show_hint(),
    });
  }

  in_view(): boolean {
    return this.near;
  }

  zoom(steps: number): void {
    if (this.camera) this.set_camera(zoomed(this.camera, steps, this.least_zoom()));
  }

  reset(): void {
    if (this.home) this.set_camera(this.home);
  }

  switch_off(off: Set<string>): void {
    this.relook({ off });
  }

  /** A copy of what is shown, with title and legends. */
  picture(): HTMLCanvasElement | null {
    if (!this.drawing || !this.overlay) return null;
    this.drawing.finish();
    const name = this.block.control?.places[this.place.value] ?? "";
    return saved_map(this.block, name, this.element, this.frames, [this.drawing.canvas, this.overlay.canvas]);
  }

  stop(): void {
    stopped(this);
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.drawing?.end();
    this.overlay?.canvas.remove();
    this.drawing = this.overlay = null;
  }

  private async start(context: Context): Promise<void> {
    if (this.drawing || this.starting) return;
    this.starting = true;
    this.element.setAttribute("aria-busy", "true");
    try {
      const shapes = await shapes_of(this.block, context.arrays);
      if (this.ended) return;
      this.drawing =
        graphics() !== "none"
          ? new GlDrawing(shapes, this.block.scales, (error) => this.fail(error))
          : this.plain(shapes);
      this.overlay = new Overlay(shapes, this.block.metres);
      const { canvas } = this.drawing;
      // For tests: they wait for it.
      this.drawing.on_drawn = () => (this.element.dataset.drawn = "");
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", [this.block.title, this.block.description].filter(Boolean).join(": "));
      this.element.prepend(canvas, this.overlay.canvas);
      started(this);
      this.measure();
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.starting = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  private plain(shapes: ConstructorParameters<typeof PlainDrawing>[0]): Drawing {
    this.element.after(
      h(
        "p",
        { class: "note" },
        "This browser has no WebGL 2, so the map is drawn without it: the same picture, more slowly.",
      ),
    );
    return new PlainDrawing(shapes, this.block.scales);
  }

  private fail(error: Error): void {
    this.stop();
    this.element.replaceChildren(
      h(
        "p",
        { class: "failure", role: "alert" },
        `This map cannot be drawn (${error.message}). What it shows: ${this.block.description}`,
      ),
    );
  }

  private relook(change: Partial<Look>): void {
    this.look = { ...this.look, ...change };
    this.redraw();
  }

  private set_camera(camera: Camera): void {
    this.camera = camera;
    this.redraw();
  }

  private least_zoom(): number {
    return (this.home?.zoom ?? 0) - 3;
  }

  private view_size(): Size {
    return this.frames[0] ?? { width: 1, height: 1 };
  }

  private middle_at(x: number, y: number): [number, number] {
    const frame =
      this.frames.find((f) => x >= f.x && x <= f.x + f.width && y >= f.y && y <= f.y + f.height) ?? this.frames[0];
    return frame ? [frame.x + frame.width / 2, frame.y + frame.height / 2] : [x, y];
  }

  /** Where the views are now; the camera keeps what it shows, and shows all if the reader has not moved it. */
  private measure(): void {
    const outer = this.element.getBoundingClientRect();
    const frames = [...this.element.querySelectorAll(".map-frame")].map((node): Frame => {
      const box = node.getBoundingClientRect();
      return {
        x: box.left - outer.left - this.element.clientLeft,
        y: box.top - outer.top - this.element.clientTop,
        width: box.width,
        height: box.height,
      };
    });
    if (frames.length === 0 || frames[0].width < 2) return;
    if (JSON.stringify(frames) === JSON.stringify(this.frames)) return this.redraw();
    this.frames = frames;
    const home = fitted(this.block.box, frames[0]);
    if (!this.camera || !this.home || this.camera === this.home) this.camera = home;
    this.home = home;
    this.redraw();
  }

  private redraw(): void {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      if (!this.drawing || !this.camera || this.frames.length === 0) return;
      this.drawing.show(this.frames, this.camera, this.look);
      this.overlay?.show(this.frames, this.camera, this.look);
    });
  }

  private show_hint(): void {
    this.hint.classList.add("seen");
    clearTimeout(this.hint_timer);
    this.hint_timer = setTimeout(() => this.hint.classList.remove("seen"), 1200) as unknown as number;
  }
}
