// SPDX-License-Identifier: Apache-2.0
// Columns derived from the columns of the report.

const rings_known = new WeakMap<
  Float32Array,
  { starts: Uint32Array; made: { points: Float32Array; starts: Uint32Array } }
>();

/** The same rings with the first point again at the end of each that lacks it, as the graphics library wants them. */
export function closed_rings(points: Float32Array, starts: Uint32Array): { points: Float32Array; starts: Uint32Array } {
  const known = rings_known.get(points);
  if (known?.starts === starts) return known.made;
  const count = starts.length - 1;
  const out = new Float32Array(points.length + 2 * count);
  const out_starts = new Uint32Array(count + 1);
  let at = 0;
  for (let i = 0; i < count; ++i) {
    out_starts[i] = at / 2;
    const from = 2 * starts[i],
      to = 2 * starts[i + 1];
    if (to === from) continue;
    out.set(points.subarray(from, to), at);
    at += to - from;
    if (points[from] !== points[to - 2] || points[from + 1] !== points[to - 1]) {
      out[at] = points[from];
      out[at + 1] = points[from + 1];
      at += 2;
    }
  }
  out_starts[count] = at / 2;
  const made = { points: out.slice(0, at), starts: out_starts };
  rings_known.set(points, { starts, made });
  return made;
}

/** The straight pieces of all lines, from x, y to x, y, and the line that each belongs to. */
export function pieces(points: Float32Array, starts: Uint32Array): { ends: Float32Array; line: Uint32Array } {
  const lines = starts.length - 1;
  let count = 0;
  for (let i = 0; i < lines; ++i) count += Math.max(0, starts[i + 1] - starts[i] - 1);
  const ends = new Float32Array(4 * count),
    line = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < lines; ++i) {
    const begin = 2 * starts[i],
      end = 2 * starts[i + 1] - 2;
    for (let p = begin; p < end; p += 2, ++at) {
      ends[4 * at] = points[p];
      ends[4 * at + 1] = points[p + 1];
      ends[4 * at + 2] = points[p + 2];
      ends[4 * at + 3] = points[p + 3];
      line[at] = i;
    }
  }
  return { ends, line };
}

/** The last point of each line. */
export function arrow_tips(points: Float32Array, starts: Uint32Array): Float32Array {
  const tips = new Float32Array(2 * (starts.length - 1));
  for (let i = 0; i + 1 < starts.length; ++i) {
    const last = Math.max(starts[i], starts[i + 1] - 1);
    tips[2 * i] = points[2 * last];
    tips[2 * i + 1] = points[2 * last + 1];
  }
  return tips;
}

/** Where each line points at its end, degrees against the clock from east. */
export function arrow_angles(points: Float32Array, starts: Uint32Array): Float32Array {
  const angles = new Float32Array(starts.length - 1);
  for (let i = 0; i < angles.length; ++i) {
    const last = Math.max(starts[i], starts[i + 1] - 1);
    // Lines may end in the same point twice; the arrow takes the last point that differs.
    let before = last - 1;
    while (
      before > starts[i] &&
      points[2 * before] === points[2 * last] &&
      points[2 * before + 1] === points[2 * last + 1]
    )
      before -= 1;
    if (before < starts[i]) continue;
    angles[i] =
      (Math.atan2(points[2 * last + 1] - points[2 * before + 1], points[2 * last] - points[2 * before]) * 180) /
      Math.PI;
  }
  return angles;
}

let arrow: ImageData | null = null;

/** An arrow head that points east, white; the layer colours it. */
export function arrow_image(): ImageData {
  if (arrow) return arrow;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "white";
  pen.beginPath();
  pen.moveTo(62, 32);
  pen.lineTo(10, 8);
  pen.lineTo(22, 32);
  pen.lineTo(10, 56);
  pen.fill();
  return (arrow = pen.getImageData(0, 0, 64, 64));
}

/** The middle of a ring's box: where its name stands. */
export function ring_middle(points: Float32Array, from: number, to: number): [number, number] {
  let west = Infinity,
    south = Infinity,
    east = -Infinity,
    north = -Infinity;
  for (let i = from; i < to; ++i) {
    west = Math.min(west, points[2 * i]);
    east = Math.max(east, points[2 * i]);
    south = Math.min(south, points[2 * i + 1]);
    north = Math.max(north, points[2 * i + 1]);
  }
  return [(west + east) / 2, (south + north) / 2];
}
