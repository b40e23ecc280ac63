// SPDX-License-Identifier: Apache-2.0
// The colours of a shape at one place of the control.
import { category, ground, rgb, type Rgb } from "../colours";
import type { Scale } from "../document";
import { Colouring } from "../scale";
import type { Theme } from "../theme";
import type { Shape } from "./shape";

/** What the reader has chosen. */
export interface Look {
  readonly theme: Theme;
  readonly place: number;
  /** names of layers that are switched off */
  readonly off: ReadonlySet<string>;
}

/** From this many lines or points on, those of one colour are half transparent. */
export const crowd = 500;

/** Opacity so that thousands of lines over each other show where they are dense. */
function crowd_opacity(count: number): number {
  return count < crowd ? 1 : Math.max(0.04, (crowd / count) ** 0.5);
}

/** The one colour of a shape that has one, and the outline of one that has a scale. */
export function plain_colour(shape: Shape, theme: Theme): Rgb {
  const { colour, type } = shape.layer;
  if ("number" in colour) return rgb(category(colour.number, theme));
  return rgb(ground(type === "grid" ? "areas" : type, theme));
}

/** Writes the colour of item i, opacity 0 where it is not drawn. `same`: all have one colour, that of item 0. */
export interface Paint {
  readonly same: boolean;
  write(i: number, out: Uint8Array | Uint8ClampedArray, at: number): void;
}

/** The items of the place, for layers that change with the control without changing colour. */
function shown_at(shape: Shape, place: number): ((i: number) => boolean) | null {
  const { layer } = shape;
  if (layer.type === "lines" && layer.until_place) return (i) => i <= place;
  if (layer.type === "points" && layer.at_place) return (i) => i === place;
  return null;
}

export function paint_of(shape: Shape, scales: Scale[], look: Look): Paint {
  const { colour } = shape.layer;
  const shown = shown_at(shape, look.place);
  if ("scale" in colour) {
    const scale = scales.find((candidate) => candidate.id === colour.scale);
    if (!scale) throw new Error(`a map names the scale "${colour.scale}", which it does not have`);
    const colouring = new Colouring(scale, look.theme);
    const values = shape.values!;
    const frame = Math.max(0, Math.min(look.place, colour.frames - 1));
    const first = frame * shape.count;
    return {
      same: false,
      write(i, out, at) {
        colouring.write(shown && !shown(i) ? NaN : values[first + i], out, at);
      },
    };
  }
  const [red, green, blue] = plain_colour(shape, look.theme);
  const crowded = "number" in colour && !shown && (shape.layer.type === "lines" || shape.layer.type === "points");
  const opacity = Math.round(255 * (crowded ? crowd_opacity(shape.count) : 1));
  return {
    same: !shown,
    write(i, out, at) {
      out[at] = red;
      out[at + 1] = green;
      out[at + 2] = blue;
      out[at + 3] = shown && !shown(i) ? 0 : opacity;
    },
  };
}
