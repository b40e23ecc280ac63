// SPDX-License-Identifier: Apache-2.0
// A town of bent streets around the origin, and people who walk in it.
import { random_numbers } from "./pack";

export interface Town {
  /** of two points each */
  points: Float32Array;
  starts: Uint32Array;
  /** metres from the middle, by street */
  far: Float32Array;
  half_width: number;
  corner(column: number, row: number): [number, number];
  side: number;
}

export function town(side: number, block_m: number, seed: number): Town {
  const random = random_numbers(seed);
  const middle = (side - 1) / 2;
  const corners = new Float32Array(2 * side * side);
  for (let row = 0; row < side; ++row)
    for (let column = 0; column < side; ++column) {
      const x = (column - middle) * block_m,
        y = (row - middle) * block_m;
      const at = 2 * (row * side + column);
      corners[at] =
        x + 0.22 * block_m * (random() - 0.5) + 0.06 * block_m * middle * Math.sin((3 * y) / (middle * block_m));
      corners[at + 1] =
        y + 0.22 * block_m * (random() - 0.5) + 0.05 * block_m * middle * Math.cos((2.3 * x) / (middle * block_m));
    }
  const corner = (column: number, row: number): [number, number] => {
    const at = 2 * (row * side + column);
    return [corners[at], corners[at + 1]];
  };
  const streets: number[] = [],
    far: number[] = [];
  const street = (from: [number, number], to: [number, number]) => {
    if (random() < 0.12) return;
    streets.push(...from, ...to);
    far.push(Math.hypot((from[0] + to[0]) / 2, (from[1] + to[1]) / 2));
  };
  for (let row = 0; row < side; ++row)
    for (let column = 0; column < side; ++column) {
      if (column + 1 < side) street(corner(column, row), corner(column + 1, row));
      if (row + 1 < side) street(corner(column, row), corner(column, row + 1));
    }
  const starts = new Uint32Array(far.length + 1).map((_, i) => 2 * i);
  return {
    points: Float32Array.from(streets),
    starts,
    far: Float32Array.from(far),
    half_width: middle * block_m * 1.1,
    corner,
    side,
  };
}

/** Walks from corner to corner, each of `length` points. */
export function walks(
  place: Town,
  count: number,
  length: number,
  seed: number,
): { points: Float32Array; starts: Uint32Array } {
  const random = random_numbers(seed);
  const points = new Float32Array(2 * count * length);
  for (let walk = 0; walk < count; ++walk) {
    let column = Math.floor((0.2 + 0.6 * random()) * place.side),
      row = Math.floor((0.2 + 0.6 * random()) * place.side);
    const east = random() < 0.5 ? 1 : -1,
      north = random() < 0.5 ? 1 : -1;
    for (let i = 0; i < length; ++i) {
      const at = 2 * (walk * length + i);
      [points[at], points[at + 1]] = place.corner(column, row);
      if (random() < 0.5) column = Math.min(place.side - 1, Math.max(0, column + east));
      else row = Math.min(place.side - 1, Math.max(0, row + north));
    }
  }
  return { points, starts: new Uint32Array(count + 1).map((_, i) => i * length) };
}
