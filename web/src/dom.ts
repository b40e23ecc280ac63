// SPDX-License-Identifier: Apache-2.0
// Elements from code. Whatever the report says becomes text nodes and attributes, never markup: names in it may come
// from foreign files.

type Child = Node | string | null | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

const svg_namespace = "http://www.w3.org/2000/svg";

function fill(node: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== false) node.append(child);
}

/** An HTML element: `h("p", { class: "note" }, "words")`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(svg_namespace, tag);
  fill(node, attributes, children);
  return node;
}

/** A button that says what it does. */
export function button(label: string, on_click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const node = h("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", on_click);
  return node;
}

let last_id = 0;

/** An id that no other element of the page has. Page ids never hold an underscore, so these never meet them. */
export function fresh_id(): string {
  last_id += 1;
  return `_${last_id}`;
}
