// SPDX-License-Identifier: Apache-2.0
// On paper all pages stand one after another. The page that is shown prints as it is; of the others, maps print as
// their descriptions, since a browser holds only a few of them at a time.
import { Arrays } from "./arrays";
import { Context } from "./context";
import type { Block, Page, ReportDocument } from "./document";
import { h } from "./dom";
import { page_element } from "./page";

function without_maps(page: Page): Page {
  const flat = (block: Block): Block =>
    block.type !== "map"
      ? block
      : {
          type: "words",
          tone: "plain",
          list: false,
          paragraphs: [`Map: ${block.title}. ${block.description}`, "Open this page on its own to print the map."],
        };
  return { ...page, sections: page.sections.map((section) => ({ ...section, blocks: section.blocks.map(flat) })) };
}

export function show_all_in_print(report: ReportDocument, main: HTMLElement, shown_id: () => string | null): void {
  let context: Context | null = null;
  let added: HTMLElement[] = [];
  addEventListener("beforeprint", () => {
    context = new Context(report, new Arrays({}), true);
    for (const page of report.pages) {
      if (page.id === shown_id()) continue;
      // The ids of a printed page are not those of the page when it is shown.
      const node = h(
        "div",
        { class: "print-only" },
        page_element({ ...without_maps(page), id: `print_${page.id}` }, context),
      );
      added.push(node);
      main.append(node);
    }
  });
  addEventListener("afterprint", () => {
    context?.end();
    context = null;
    for (const node of added) node.remove();
    added = [];
  });
}
