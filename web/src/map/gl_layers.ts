// SPDX-License-Identifier: Apache-2.0
// A shape as layers of deck.gl. Positions go to the graphics memory as they are and stay there; only colours are
// written anew when the place or the theme changes.
import type { Layer } from "@deck.gl/core";
import { BitmapLayer, IconLayer, LineLayer, PathLayer, ScatterplotLayer, SolidPolygonLayer } from "@deck.gl/layers";
import type { Scale } from "../document";
import { arrow_angles, arrow_image, arrow_tips, closed_rings, pieces } from "./geometry";
import { grid_image } from "./grid_image";
import { crowd, paint_of, plain_colour, type Look, type Paint } from "./paint";
import type { Shape } from "./shape";
import { ThinLines } from "./thin_lines";

type Rgba = [number, number, number, number];
type Asked = { index: number; target: number[] };

/** Rounded joints of more points than this cost much time and show nothing, so such lines are drawn as plain pieces. */
const most_rounded = 30_000;

const flat = { depthCompare: "always", depthWriteEnabled: false } as const;

// deck.gl's own types know data of objects only; it takes columns as well.
const columns = (length: number, attributes: object, starts?: Uint32Array) =>
  ({ length, ...(starts ? { startIndices: starts } : {}), attributes }) as unknown as [];

/** `item_of`: the item that each drawn instance is part of, where they are not the same. */
function accessor(
  paint: Paint,
  opacity = 1,
  item_of?: (instance: number) => number,
): Rgba | ((_: unknown, asked: Asked) => Rgba) {
  const rgba = new Uint8ClampedArray(4);
  const colour = (i: number): Rgba => {
    paint.write(i, rgba, 0);
    return [rgba[0], rgba[1], rgba[2], rgba[3] * opacity];
  };
  if (paint.same) return colour(0);
  return (_, { index, target }) => {
    paint.write(item_of ? item_of(index) : index, rgba, 0);
    target[0] = rgba[0];
    target[1] = rgba[1];
    target[2] = rgba[2];
    target[3] = rgba[3] * opacity;
    return target as Rgba;
  };
}

/** Makes the layers of one shape, again and again, from the same columns. */
export class ShapeLayers {
  private data: Record<string, []> = {};
  private pieces: ReturnType<typeof pieces> | null = null;
  private image: { key: string; pixels: ImageData } | null = null;

  /** `software`: graphics are computed without hardware. */
  constructor(
    readonly shape: Shape,
    private scales: Scale[],
    private software: boolean,
  ) {}

  private once(name: string, make: () => []): [] {
    return (this.data[name] ??= make());
  }

  layers(look: Look): Layer[] {
    const { shape } = this;
    const paint = paint_of(shape, this.scales, look);
    // Colours are written anew only where they differ.
    const key = paint.same ? look.theme : `${look.theme} ${look.place}`;
    const common = { visible: !look.off.has(shape.layer.name), parameters: flat, pickable: false };
    switch (shape.layer.type) {
      case "lines":
        return this.lines(paint, key, common);
      case "points":
        return this.points(paint, key, common, look);
      case "areas":
        return this.areas(paint, key, common, look);
      case "grid":
        return [this.grid(paint, key, common)];
    }
  }

  private lines(paint: Paint, key: string, common: object): Layer[] {
    const shape = this.shape as Extract<Shape, { widths: unknown }>;
    const { layer, points, starts, widths } = shape;
    const colour = { getColor: accessor(paint), updateTriggers: { getColor: key } };
    const paths =
      points.length / 2 > most_rounded
        ? this.many_lines(paint, key, common)
        : new PathLayer({
            ...common,
            ...colour,
            id: shape.id,
            data: this.once("path", () => columns(shape.count, { getPath: { value: points, size: 2 } }, starts)),
            _pathType: "open",
            positionFormat: "XY",
            widthUnits: "pixels",
            jointRounded: true,
            capRounded: true,
            getWidth: widths ? (_: unknown, { index }: Asked) => layer.width * widths[index] : layer.width,
          });
    if (!layer.arrows) return [paths];
    const size = 9 + 2.2 * layer.width;
    return [
      paths,
      new IconLayer({
        ...common,
        ...colour,
        id: `${shape.id}-arrows`,
        data: this.once("arrows", () =>
          columns(shape.count, {
            getPosition: { value: arrow_tips(points, starts), size: 2 },
            getAngle: { value: arrow_angles(points, starts), size: 1 },
          }),
        ),
        positionFormat: "XY",
        iconAtlas: arrow_image() as unknown as string,
        getIcon: () => "arrow",
        getSize: size,
        sizeUnits: "pixels",
        iconMapping: { arrow: { x: 0, y: 0, width: 64, height: 64, anchorX: 60, anchorY: 32, mask: true } },
      }),
    ];
  }

  private many_lines(paint: Paint, key: string, common: object): Layer {
    const { id, layer, points, starts, widths } = this.shape as Extract<Shape, { widths: unknown }>;
    this.pieces ??= pieces(points, starts);
    const { ends, line } = this.pieces;
    if (this.software)
      return new ThinLines({
        ...common,
        id,
        // Drawn several times, what is half transparent would come out darker.
        width: "number" in layer.colour && this.shape.count >= crowd ? 1 : layer.width,
        data: this.once("ends", () => columns(2 * line.length, { getPosition: { value: ends, size: 2 } })),
        getColor: accessor(paint, 1, (i) => line[i >> 1]),
        updateTriggers: { getColor: key },
      });
    return new LineLayer({
      ...common,
      id,
      widthUnits: "pixels",
      positionFormat: "XY",
      data: this.once("pieces", () =>
        columns(line.length, {
          getSourcePosition: { value: ends, size: 2, stride: 16, offset: 0 },
          getTargetPosition: { value: ends, size: 2, stride: 16, offset: 8 },
        }),
      ),
      getColor: accessor(paint, 1, (i) => line[i]),
      updateTriggers: { getColor: key },
      getWidth: widths ? (_: unknown, { index }: Asked) => layer.width * widths[line[index]] : layer.width,
    });
  }

  private points(paint: Paint, key: string, common: object, look: Look): Layer[] {
    const shape = this.shape as Extract<Shape, { layer: { type: "points" } }>;
    const { layer, points } = shape;
    const data = this.once("points", () => columns(shape.count, { getPosition: { value: points, size: 2 } }));
    const triggers = { updateTriggers: { getFillColor: key, getLineColor: key } };
    const dots = new ScatterplotLayer({
      ...common,
      ...triggers,
      id: shape.id,
      data,
      positionFormat: "XY",
      radiusUnits: "pixels",
      getRadius: layer.radius,
      getFillColor: accessor(paint),
      stroked: shape.count < 2000,
      lineWidthUnits: "pixels",
      getLineWidth: 1,
      getLineColor: paint.same ? (look.theme === "dark" ? [20, 25, 32, 255] : [255, 255, 255, 255]) : accessor(paint),
    });
    if (layer.halo_m <= 0) return [dots];
    return [
      new ScatterplotLayer({
        ...common,
        ...triggers,
        id: `${shape.id}-halo`,
        data,
        positionFormat: "XY",
        radiusUnits: "common",
        getRadius: layer.halo_m,
        getFillColor: accessor(paint, 0.13),
        stroked: true,
        lineWidthUnits: "pixels",
        getLineWidth: 1.25,
        getLineColor: accessor(paint, 0.75),
      }),
      dots,
    ];
  }

  private areas(paint: Paint, key: string, common: object, look: Look): Layer[] {
    const shape = this.shape as Extract<Shape, { layer: { type: "areas" } }>;
    const { layer } = shape;
    const is_ground = "ground" in layer.colour;
    const scaled = "scale" in layer.colour;
    const rings = closed_rings(shape.points, shape.starts);
    const [red, green, blue] = plain_colour(shape, look.theme);
    const made: Layer[] = [];
    if (!layer.outline_only)
      made.push(
        new SolidPolygonLayer({
          ...common,
          id: shape.id,
          data: this.once("fill", () =>
            columns(shape.count, { getPolygon: { value: rings.points, size: 2 } }, rings.starts),
          ),
          positionFormat: "XY",
          _normalize: false,
          filled: true,
          extruded: false,
          getFillColor: accessor(paint, is_ground ? 1 : scaled ? 0.88 : 0.28),
          updateTriggers: { getFillColor: key },
        }),
      );
    if (!is_ground || layer.outline_only)
      made.push(
        new PathLayer({
          ...common,
          id: `${shape.id}-outline`,
          data: this.once("outline", () =>
            columns(shape.count, { getPath: { value: rings.points, size: 2 } }, rings.starts),
          ),
          _pathType: "open",
          positionFormat: "XY",
          widthUnits: "pixels",
          capRounded: true,
          jointRounded: true,
          getWidth: layer.outline_only ? 2 : 1.25,
          getColor: scaled && !layer.outline_only ? [red, green, blue, 160] : accessor(paint),
          updateTriggers: { getColor: key },
        }),
      );
    return made;
  }

  private grid(paint: Paint, key: string, common: object): Layer {
    const shape = this.shape as Extract<Shape, { layer: { type: "grid" } }>;
    if (this.image?.key !== key) this.image = { key, pixels: grid_image(shape, paint) };
    return new BitmapLayer({
      ...common,
      id: shape.id,
      bounds: [...shape.layer.box],
      image: this.image.pixels as unknown as ImageBitmap,
      textureParameters: { minFilter: "nearest", magFilter: "nearest", mipmapFilter: "none" },
    });
  }
}
