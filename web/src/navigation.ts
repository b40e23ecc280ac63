// SPDX-License-Identifier: Apache-2.0
import type { Page } from "./document";
import { button, fresh_id, h } from "./dom";

/**
 * The list of pages, in groups of one kind, with the sections of the page that is shown. On narrow screens a button
 * opens it.
 */
export class Navigation {
  readonly element: HTMLElement;
  readonly toggle: HTMLButtonElement;
  private links = new Map<string, HTMLAnchorElement>();

  constructor(private pages: Page[]) {
    const id = fresh_id();
    this.element = h("nav", { class: "pages", "aria-label": "Pages of this report", id });
    this.toggle = button("Contents", () => this.open(!this.element.classList.contains("open")), {
      class: "quiet menu",
      "aria-controls": id,
      "aria-expanded": "false",
    });
    let group: HTMLUListElement | null = null;
    let kind: string | null = null;
    for (const page of pages) {
      if (!group || page.kind !== kind) {
        if (page.kind) this.element.append(h("p", { class: "kind" }, page.kind));
        group = h("ul");
        kind = page.kind;
        this.element.append(group);
      }
      const link = h("a", { href: `#${page.id}` }, page.title);
      link.addEventListener("click", () => this.open(false));
      this.links.set(page.id, link);
      group.append(h("li", {}, link));
    }
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.element.classList.contains("open")) return;
      this.open(false);
      this.toggle.focus();
    });
  }

  /** Shows which page the reader is on. */
  mark(id: string): void {
    for (const list of this.element.querySelectorAll("ul.sections")) list.remove();
    for (const [other, link] of this.links) {
      if (other !== id) {
        link.removeAttribute("aria-current");
        continue;
      }
      link.setAttribute("aria-current", "page");
      const page = this.pages.find((candidate) => candidate.id === id);
      if (page && page.sections.length > 1) link.after(this.sections(page));
    }
  }

  private sections(page: Page): HTMLUListElement {
    const list = h("ul", { class: "sections" });
    page.sections.forEach((section, i) => {
      if (!section.title) return;
      const link = h("a", { href: `#${page.id}/${i}` }, section.title);
      link.addEventListener("click", () => {
        this.open(false);
        // The same address twice is no change, and the reader may have scrolled away.
        if (location.hash === `#${page.id}/${i}`) dispatchEvent(new HashChangeEvent("hashchange"));
      });
      list.append(h("li", {}, link));
    });
    return list;
  }

  private open(open: boolean): void {
    this.element.classList.toggle("open", open);
    this.toggle.setAttribute("aria-expanded", String(open));
  }
}
