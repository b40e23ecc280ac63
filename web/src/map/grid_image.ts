// SPDX-License-Identifier: Apache-2.0
import type { Shape } from "./shape";
import type { Paint } from "./paint";

/** One pixel for each cell of a grid. Cells run from the south, pixels from the top. */
export function grid_image(shape: Shape, paint: Paint): ImageData {
  if (shape.layer.type !== "grid") throw new Error("not a grid");
  const { columns, rows } = shape.layer;
  const image = new ImageData(columns, rows);
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column)
      paint.write(row * columns + column, image.data, 4 * ((rows - 1 - row) * columns + column));
  return image;
}
