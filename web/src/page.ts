// SPDX-License-Identifier: Apache-2.0
import { block_element } from "./blocks/block";
import type { Context } from "./context";
import type { Page, Section } from "./document";
import { h } from "./dom";
import { private_mark } from "./private_mark";

export function section_id(page: Page, index: number): string {
  return `${page.id}_section_${index}`;
}

function section_element(section: Section, id: string, context: Context): HTMLElement {
  const title_id = `${id}_title`;
  const node = h("section", {
    id,
    class: section.private ? "private" : null,
    "aria-labelledby": section.title ? title_id : null,
  });
  if (section.title) {
    node.append(
      h(
        "h2",
        { id: title_id, tabindex: "-1" },
        section.title,
        section.private && " ",
        section.private && private_mark(),
      ),
    );
  } else if (section.private) {
    node.append(private_mark());
  }
  if (section.note) node.append(h("p", { class: "section-note" }, section.note));
  for (const block of section.blocks) node.append(block_element(block, context));
  return node;
}

export function page_element(page: Page, context: Context): HTMLElement {
  const head = h(
    "div",
    { class: "page-head" },
    page.kind ? h("p", { class: "kind" }, page.kind) : null,
    h("h1", { tabindex: "-1" }, page.title),
    page.lead ? h("p", { class: "lead" }, page.lead) : null,
  );
  return h(
    "article",
    { class: "page" },
    head,
    ...page.sections.map((section, i) => section_element(section, section_id(page, i), context)),
  );
}
