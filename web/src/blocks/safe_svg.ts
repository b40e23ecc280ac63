// SPDX-License-Identifier: Apache-2.0
// Lets through what our pictures are made of and nothing else: no scripts, no handlers, nothing fetched.

const elements = new Set([
  "svg",
  "g",
  "path",
  "line",
  "rect",
  "circle",
  "ellipse",
  "polyline",
  "polygon",
  "text",
  "tspan",
  "title",
  "desc",
  "defs",
  "marker",
  "style",
  "linearGradient",
  "radialGradient",
  "stop",
  "clipPath",
  "mask",
  "pattern",
  "symbol",
  "use",
]);

// A picture may point into itself, never outside.
function points_outside(value: string): boolean {
  return /url\(\s*["']?(?!#)/i.test(value) || /@import/i.test(value) || /javascript:/i.test(value);
}

function clean(node: Element): void {
  for (const attribute of [...node.attributes]) {
    const name = attribute.name.toLowerCase();
    const foreign_link = (name === "href" || name.endsWith(":href")) && !attribute.value.startsWith("#");
    if (name.startsWith("on") || foreign_link || points_outside(attribute.value)) node.removeAttribute(attribute.name);
  }
  if (node.localName === "style" && points_outside(node.textContent ?? "")) node.remove();
  for (const child of [...node.children]) {
    if (child.namespaceURI !== "http://www.w3.org/2000/svg" || !elements.has(child.localName)) child.remove();
    else clean(child);
  }
}

/** The drawing of an SVG text. Throws if the text is no SVG. */
export function safe_svg(text: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (
    parsed.querySelector("parsererror") ||
    root.localName !== "svg" ||
    root.namespaceURI !== "http://www.w3.org/2000/svg"
  )
    throw new Error("the picture is not well-formed");
  clean(root);
  return document.importNode(root, true) as unknown as SVGSVGElement;
}
