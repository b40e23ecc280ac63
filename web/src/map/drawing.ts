// SPDX-License-Identifier: Apache-2.0
import type { Camera } from "./camera";
import type { Look } from "./paint";

/** A view's place in the stage, in pixels. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Something that draws the shapes of a map into its canvas: with graphics hardware, or without. */
export interface Drawing {
  readonly canvas: HTMLCanvasElement;
  on_drawn: () => void;
  /** Draws soon, and calls `on_drawn` then. */
  show(frames: Frame[], camera: Camera, look: Look): void;
  /** Draws now, so that the canvas can be copied. */
  finish(): void;
  end(): void;
}
