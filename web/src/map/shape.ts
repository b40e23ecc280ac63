// SPDX-License-Identifier: Apache-2.0
// A layer of the report with its numbers unpacked. Layers that several views have alike are one shape, held once.
import type { Arrays, Numbers } from "../arrays";
import type { Grid, Lines, MapBlock, MapLayer, Points, Areas } from "../document";

interface ShapeBase {
  readonly id: string;
  /** numbers of the views that show it */
  readonly views: Set<number>;
  /** lines, points, rings or cells */
  readonly count: number;
  readonly values: Numbers | null;
}

export type Shape = ShapeBase &
  (
    | { layer: Lines; points: Float32Array; starts: Uint32Array; widths: Numbers | null }
    | { layer: Points; points: Float32Array }
    | { layer: Areas; points: Float32Array; starts: Uint32Array }
    | { layer: Grid }
  );

/** The layers of all views in an order that keeps the order of each, and which views show each. */
export function merged(block: MapBlock): { layer: MapLayer; views: Set<number> }[] {
  const known = new Map<string, { layer: MapLayer; views: Set<number> }>();
  const order: { layer: MapLayer; views: Set<number> }[] = [];
  block.views.forEach((view, number) => {
    let at = 0;
    for (const layer of view.layers) {
      const key = JSON.stringify(layer);
      let entry = known.get(key);
      if (entry && order.indexOf(entry) >= at) {
        entry.views.add(number);
        at = order.indexOf(entry) + 1;
        continue;
      }
      entry = { layer, views: new Set([number]) };
      known.set(key, entry);
      order.splice(at, 0, entry);
      at += 1;
    }
  });
  return order;
}

function floats(numbers: Numbers): Float32Array {
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
}

function starts_of(numbers: Numbers, points: Float32Array): Uint32Array {
  const starts = numbers instanceof Uint32Array ? numbers : Uint32Array.from(numbers);
  if (starts.length === 0 || starts[starts.length - 1] * 2 > points.length)
    throw new Error("a map's lines end beyond its points");
  return starts;
}

async function loaded(layer: MapLayer, views: Set<number>, id: string, arrays: Arrays): Promise<Shape> {
  const values = "scale" in layer.colour ? await arrays.get(layer.colour.values) : null;
  if (layer.type === "grid") return { layer, views, id, count: layer.columns * layer.rows, values };
  const points = floats(await arrays.get(layer.points));
  if (layer.type === "points") return { layer, views, id, count: points.length / 2, values, points };
  const starts = starts_of(await arrays.get(layer.starts), points);
  const count = starts.length - 1;
  if (layer.type === "areas") return { layer, views, id, count, values, points, starts };
  return {
    layer,
    views,
    id,
    count,
    values,
    points,
    starts,
    widths: layer.widths ? await arrays.get(layer.widths) : null,
  };
}

export function shapes_of(block: MapBlock, arrays: Arrays): Promise<Shape[]> {
  return Promise.all(merged(block).map(({ layer, views }, i) => loaded(layer, views, `shape-${i}`, arrays)));
}
