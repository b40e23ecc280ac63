// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Arrays, unpacked } from "../src/arrays";
import { in_rows } from "../src/blocks/plot_rules";
import { ramp } from "../src/colours";
import type { MapBlock, MapLayer, Scale } from "../src/document";
import { fitted, moved, projected, zoomed } from "../src/map/camera";
import { arrow_angles, arrow_tips, closed_rings, pieces } from "../src/map/geometry";
import { merged } from "../src/map/shape";
import { length_words, linear_ticks, log_ticks, round_below, rounded_ends, shown } from "../src/numbers";
import { Colouring, legend_ends, position } from "../src/scale";
import { packed } from "./pack";

test("arrays come back as they were packed", async () => {
  for (const numbers of [
    new Uint8Array([0, 7, 255]),
    new Uint16Array([1, 65535]),
    new Uint32Array([4e9]),
    new Float32Array([-1.5, NaN, 3e7]),
    new Float32Array(0),
  ])
    assert.deepEqual(await unpacked(packed(numbers)), numbers);
});

test("an array of another length than it says is refused", async () => {
  await assert.rejects(unpacked({ ...packed(new Uint8Array([1, 2, 3])), length: 4 }), /4 numbers expected, 3 found/);
});

test("an array is unpacked once, and an unknown one is named", async () => {
  const arrays = new Arrays({ a: packed(new Uint8Array([1])) });
  assert.equal(await arrays.get("a"), await arrays.get("a"));
  await assert.rejects(arrays.get("constructor"), /no array "constructor"/);
});

test("numbers are short and keep their sign", () => {
  assert.deepEqual(
    [0, 0.1 + 0.2, -1234567, 0.00001234, 1e12, NaN, 112.004, 1156].map((value) => shown(value)),
    ["0", "0.3", "−1,234,567", "1.234e-5", "1e12", "–", "112", "1,156"],
  );
});

test("ticks are round and within", () => {
  assert.deepEqual(linear_ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(linear_ticks(-60, 60, 6), [-60, -40, -20, 0, 20, 40, 60]);
  assert.deepEqual(linear_ticks(3, 3, 5), [3]);
  assert.deepEqual(log_ticks(0.001, 100, 8), [0.001, 0.01, 0.1, 1, 10, 100]);
  assert.deepEqual(log_ticks(1, 10, 8), [1, 2, 5, 10]);
  assert.deepEqual(log_ticks(1e-9, 1, 4), [1e-9, 1e-6, 1e-3, 1]);
  assert.deepEqual(rounded_ends(0, 910, 5), [0, 1000]);
  assert.deepEqual(rounded_ends(-0.3, 0.3, 6), [-0.3, 0.3]);
});

test("scale bars are 1, 2 or 5 of a power of ten", () => {
  assert.deepEqual([7, 99, 100, 2500, 0.3].map(round_below), [5, 50, 100, 2000, 0.2]);
  assert.deepEqual([500, 2000].map(length_words), ["500 m", "2 km"]);
});

const scale = (kind: Scale["kind"], low: number, high: number): Scale => ({ id: "s", label: "", kind, low, high });

test("values find their place on a scale", () => {
  assert.equal(position(scale("linear", 0, 4), 1), 0.25);
  assert.equal(position(scale("linear", 0, 4), 9), 1);
  assert.equal(position(scale("log", 1, 100), 10), 0.5);
  assert.equal(position(scale("log", 1, 100), 0.5), NaN);
  assert.equal(position(scale("log", 1, 100), 0), NaN);
  assert.equal(position(scale("signed", -1, 4), 0), 0.5);
  assert.equal(position(scale("linear", 0, 4), NaN), NaN);
  assert.equal(position(scale("linear", 2, 2), 2), 1);
  assert.deepEqual(legend_ends(scale("signed", -1, 4)), [-4, 4]);
});

/** As a person sees it, roughly. */
const lightness = (table: Uint8Array, i: number) =>
  0.2126 * table[3 * i] + 0.7152 * table[3 * i + 1] + 0.0722 * table[3 * i + 2];

test("amounts run from light to dark on light ground and back on dark", () => {
  for (const [theme, sign] of [
    ["light", -1],
    ["dark", 1],
  ] as const) {
    const table = ramp("linear", theme, 64);
    for (let i = 1; i < 64; ++i)
      assert.ok(sign * (lightness(table, i) - lightness(table, i - 1)) > -0.5, `${theme} at ${i}`);
  }
});

test("what is not to be drawn is transparent", () => {
  const out = new Uint8Array(8).fill(9);
  const colouring = new Colouring(scale("log", 1, 10), "light");
  colouring.write(0.1, out, 0);
  colouring.write(1, out, 4);
  assert.deepEqual([...out.subarray(0, 4)], [0, 0, 0, 0]);
  assert.equal(out[7], 255);
});

test("the camera keeps the point below the pointer", () => {
  const view = { width: 400, height: 300 };
  const camera = fitted([0, 0, 1000, 500], view);
  assert.deepEqual(projected(camera, view, 500, 250), [200, 150]);
  const point = [600, 300] as const;
  const before = projected(camera, view, ...point);
  const after = projected(zoomed(camera, 1, -20, before[0] - 200, before[1] - 150), view, ...point);
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) < 1e-9);
  assert.ok(moved(camera, 10, 0).x > camera.x && moved(camera, 0, 10).y < camera.y);
});

test("lines fall into pieces, rings are closed, arrows point along", () => {
  const points = new Float32Array([0, 0, 1, 0, 1, 1, 5, 5, 7, 7]),
    starts = new Uint32Array([0, 3, 5]);
  assert.deepEqual([...pieces(points, starts).ends], [0, 0, 1, 0, 1, 0, 1, 1, 5, 5, 7, 7]);
  assert.deepEqual([...pieces(points, starts).line], [0, 0, 1]);
  assert.deepEqual([...arrow_tips(points, starts)], [1, 1, 7, 7]);
  assert.deepEqual([...arrow_angles(points, starts)], [90, 45]);
  const ring = closed_rings(new Float32Array([0, 0, 1, 0, 1, 1]), new Uint32Array([0, 3]));
  assert.deepEqual([...ring.points], [0, 0, 1, 0, 1, 1, 0, 0]);
  assert.deepEqual([...ring.starts], [0, 4]);
  assert.equal(closed_rings(ring.points, ring.starts).points.length, 8);
});

test("layers that views share are held once, in an order that suits each view", () => {
  const layer = (name: string) =>
    ({ type: "grid", name, colour: { ground: true }, box: [0, 0, 1, 1], columns: 1, rows: 1 }) as MapLayer;
  const view = (...names: string[]) => ({ title: "", private: false, layers: names.map(layer) });
  const order = merged({ views: [view("roads", "a"), view("water", "roads", "b")] } as MapBlock);
  const names = order.map((entry) => entry.layer.name);
  assert.ok(names.indexOf("roads") < names.indexOf("a"));
  assert.deepEqual(names.filter((name) => ["water", "roads", "b"].includes(name) && name !== "roads").length, 2);
  for (const [number, wanted] of [
    ["roads", "a"],
    ["water", "roads", "b"],
  ].entries())
    assert.deepEqual(
      order.filter((entry) => entry.views.has(number)).map((entry) => entry.layer.name),
      wanted,
    );
});

test("names of marks do not lie on each other", () => {
  const rows = in_rows(
    [
      { x: 100, words: "in use" },
      { x: 110, words: "asked for" },
      { x: 300, words: "far" },
    ],
    0,
    400,
  ).map((label) => label.row);
  assert.deepEqual(rows, [0, 1, 0]);
});
