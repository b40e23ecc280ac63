// SPDX-License-Identifier: Apache-2.0
import type { Context } from "../context";
import type { Block } from "../document";
import { h } from "../dom";
import { map_element } from "../map/map";
import { budget_element } from "./budget";
import { fields_element } from "./fields";
import { picture_element } from "./picture";
import { plot_element } from "./plot";
import { table_element } from "./table";
import { words_element } from "./words";

function made(block: Block, context: Context): HTMLElement {
  switch (block.type) {
    case "words":
      return words_element(block);
    case "fields":
      return fields_element(block);
    case "table":
      return table_element(block);
    case "budget":
      return budget_element(block);
    case "plot":
      return plot_element(block, context);
    case "map":
      return map_element(block, context);
    case "picture":
      return picture_element(block, context);
    default:
      throw new Error(`this page knows no block of type "${String((block as { type: unknown }).type)}"`);
  }
}

/** One block. A block that cannot be shown says so and leaves the others alone. */
export function block_element(block: Block, context: Context): HTMLElement {
  try {
    return made(block, context);
  } catch (error) {
    return h(
      "p",
      { class: "failure", role: "alert" },
      `This part cannot be shown: ${error instanceof Error ? error.message : error}`,
    );
  }
}
