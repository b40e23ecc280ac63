// SPDX-License-Identifier: Apache-2.0
import { gzipSync } from "node:zlib";
import type { PackedArray } from "../src/document";

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** What the program does with a column of numbers. */
export function packed(numbers: Numbers): PackedArray {
  const type =
    numbers instanceof Uint8Array
      ? "u8"
      : numbers instanceof Uint16Array
        ? "u16"
        : numbers instanceof Uint32Array
          ? "u32"
          : "f32";
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return { type, length: numbers.length, gzip: gzipSync(bytes, { level: 1 }).toString("base64") };
}

/** Repeatable numbers from 0 to 1, good enough to look like a town. */
export function random_numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}
