// SPDX-License-Identifier: Apache-2.0
// The report's columns of numbers, unpacked when first asked for.
import type { PackedArray } from "./document";

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

const makers = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array } as const;

function bytes_of_base64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/**
 * The numbers of a packed array. Throws if they are not as many as it says. Needs a little-endian machine, as all are
 * that run browsers.
 */
export async function unpacked(packed: PackedArray): Promise<Numbers> {
  const maker = makers[packed.type];
  if (!maker) throw new Error(`numbers of the unknown type ${packed.type}`);
  const stream = new Blob([bytes_of_base64(packed.gzip)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  if (buffer.byteLength !== packed.length * maker.BYTES_PER_ELEMENT)
    throw new Error(`${packed.length} numbers expected, ${buffer.byteLength / maker.BYTES_PER_ELEMENT} found`);
  return new maker(buffer);
}

/** Unpacks each array once, however many maps show it, until it is told to forget. */
export class Arrays {
  private known = new Map<string, Promise<Numbers>>();

  constructor(private packed: Record<string, PackedArray>) {}

  get(name: string): Promise<Numbers> {
    let numbers = this.known.get(name);
    if (!numbers) {
      const packed = Object.hasOwn(this.packed, name) ? this.packed[name] : undefined;
      numbers = packed ? unpacked(packed) : Promise.reject(new Error(`the report has no array "${name}"`));
      this.known.set(name, numbers);
    }
    return numbers;
  }

  /** Gives the memory back, when the page that needed it is left. */
  forget(): void {
    this.known.clear();
  }
}
