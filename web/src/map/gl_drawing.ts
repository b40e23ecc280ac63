// SPDX-License-Identifier: Apache-2.0
import { Deck, OrthographicView, type Layer } from "@deck.gl/core";
import type { Scale } from "../document";
import { h } from "../dom";
import type { Camera } from "./camera";
import type { Drawing, Frame } from "./drawing";
import { ShapeLayers } from "./gl_layers";
import type { Look } from "./paint";
import type { Shape } from "./shape";

/** What this browser draws with WebGL 2 by: hardware, software, or nothing. */
function asked_graphics(): "hardware" | "software" | "none" {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "none";
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer) ? "software" : "hardware";
}

let known: ReturnType<typeof asked_graphics> | null = null;

export function graphics(): ReturnType<typeof asked_graphics> {
  return (known ??= asked_graphics());
}

/** All views of a map in one canvas, since a browser has only a few contexts to give. */
export class GlDrawing implements Drawing {
  readonly canvas = h("canvas", { class: "map-canvas" });
  on_drawn = () => {};
  private deck: Deck<OrthographicView[]> | null = null;
  private parts: ShapeLayers[];
  private layers: Layer[] = [];
  private look: Look | null = null;
  private frames: Frame[] = [];
  private views: OrthographicView[] = [];

  constructor(
    private shapes: Shape[],
    scales: Scale[],
    private on_error: (error: Error) => void,
  ) {
    this.parts = shapes.map((shape) => new ShapeLayers(shape, scales, graphics() === "software"));
  }

  show(frames: Frame[], camera: Camera, look: Look): void {
    if (look !== this.look) {
      this.look = look;
      this.layers = this.parts.flatMap((part) => part.layers(look));
    }
    if (frames !== this.frames) {
      this.frames = frames;
      this.views = frames.map(
        (frame, i) => new OrthographicView({ id: `view-${i}`, flipY: false, near: -1, far: 1, ...frame }),
      );
    }
    const props = {
      views: this.views,
      layers: this.layers,
      viewState: { target: [camera.x, camera.y, 0] as [number, number, number], zoom: camera.zoom },
    };
    if (this.deck) this.deck.setProps(props as object);
    else this.deck = this.made(props);
  }

  private made(props: object): Deck<OrthographicView[]> {
    const views_of = new Map(this.shapes.map((shape) => [shape.id, shape.views]));
    return new Deck<OrthographicView[]>({
      ...props,
      canvas: this.canvas,
      width: "100%",
      height: "100%",
      controller: false,
      useDevicePixels: true,
      style: { touchAction: "" },
      // Copies of the canvas are taken after it was drawn.
      deviceProps: { type: "webgl", webgl: { preserveDrawingBuffer: true, antialias: true } },
      layerFilter: ({ layer, viewport }) => {
        const [, number] = /^(shape-\d+)/.exec(layer.id) ?? [];
        return views_of.get(number)?.has(Number(viewport.id.slice("view-".length))) ?? false;
      },
      onAfterRender: () => this.on_drawn(),
      onError: (error) => this.on_error(error),
    });
  }

  finish(): void {
    this.deck?.redraw("copy");
  }

  end(): void {
    this.deck?.finalize();
    this.deck = null;
    this.canvas.remove();
  }
}
