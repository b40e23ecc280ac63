// SPDX-License-Identifier: Apache-2.0
import { ramp } from "./colours";
import type { Scale } from "./document";
import { linear_ticks, log_ticks } from "./numbers";
import type { Theme } from "./theme";

const steps = 256;

/** Where a value lies on its scale, from 0 to 1, ends included; NaN where it is not to be drawn. */
export function position(scale: Scale, value: number): number {
  if (Number.isNaN(value)) return NaN;
  let at: number;
  switch (scale.kind) {
    case "linear":
      at = (value - scale.low) / (scale.high - scale.low);
      break;
    case "log":
      if (!(value >= scale.low) || !(value > 0)) return NaN;
      at = Math.log(value / scale.low) / Math.log(scale.high / scale.low);
      break;
    case "signed":
      // Zero is the neutral middle, whatever the ends are.
      at = 0.5 + (0.5 * value) / Math.max(Math.abs(scale.low), Math.abs(scale.high));
      break;
  }
  // A scale whose ends meet has one colour.
  return Number.isNaN(at) ? 1 : Math.min(1, Math.max(0, at));
}

/** Turns values into colours for one theme, without an object for each. */
export class Colouring {
  private table: Uint8Array;

  constructor(
    readonly scale: Scale,
    theme: Theme,
  ) {
    this.table = ramp(scale.kind, theme, steps);
  }

  /** Writes red, green, blue and opacity at `out[at]`; opacity 0 where there is nothing to draw. */
  write(value: number, out: Uint8Array | Uint8ClampedArray, at: number): void {
    const place = position(this.scale, value);
    if (Number.isNaN(place)) {
      out[at] = out[at + 1] = out[at + 2] = out[at + 3] = 0;
      return;
    }
    const from = 3 * Math.round(place * (steps - 1));
    out[at] = this.table[from];
    out[at + 1] = this.table[from + 1];
    out[at + 2] = this.table[from + 2];
    out[at + 3] = 255;
  }
}

/** The ends of the legend's bar: those of the scale, made even about 0 where it is signed. */
export function legend_ends(scale: Scale): [number, number] {
  if (scale.kind !== "signed") return [scale.low, scale.high];
  const most = Math.max(Math.abs(scale.low), Math.abs(scale.high));
  return [-most, most];
}

/** Round values for the legend. */
export function legend_ticks(scale: Scale): number[] {
  const [low, high] = legend_ends(scale);
  return scale.kind === "log" ? log_ticks(low, high, 5) : linear_ticks(low, high, 4);
}
