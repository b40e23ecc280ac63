// SPDX-License-Identifier: Apache-2.0
// What part of the plane a map shows. All views of a map share one camera.

export type Box = readonly [west: number, south: number, east: number, north: number];

/** The middle of the view, in metres, and 2^zoom pixels to the metre. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A twentieth of a metre to the pixel; nothing we draw is finer. */
const most_zoom = Math.log2(20);

/** The camera that shows all of a box, with a little room around it. */
export function fitted(box: Box, view: Size): Camera {
  const width = Math.max(box[2] - box[0], 1),
    height = Math.max(box[3] - box[1], 1);
  const scale = Math.min(view.width / width, view.height / height) * 0.94;
  return { x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2, zoom: Math.min(most_zoom, Math.log2(scale)) };
}

export function pixels_per_metre(camera: Camera): number {
  return 2 ** camera.zoom;
}

/** Moved by pixels of the screen, right and down. */
export function moved(camera: Camera, right_px: number, down_px: number): Camera {
  const scale = pixels_per_metre(camera);
  return { ...camera, x: camera.x + right_px / scale, y: camera.y - down_px / scale };
}

/** Closer by `steps` doublings, with the point that many pixels right of and below the middle staying where it is. */
export function zoomed(camera: Camera, steps: number, least_zoom: number, right_px = 0, down_px = 0): Camera {
  const zoom = Math.min(most_zoom, Math.max(least_zoom, camera.zoom + steps));
  const before = pixels_per_metre(camera),
    after = 2 ** zoom;
  return { x: camera.x + right_px * (1 / before - 1 / after), y: camera.y - down_px * (1 / before - 1 / after), zoom };
}

/** Where a point of the plane lies in the view, in pixels from its upper left corner. */
export function projected(camera: Camera, view: Size, x: number, y: number): [number, number] {
  const scale = pixels_per_metre(camera);
  return [view.width / 2 + (x - camera.x) * scale, view.height / 2 - (y - camera.y) * scale];
}
