// SPDX-License-Identifier: Apache-2.0
import type { Context } from "../context";
import type { Picture } from "../document";
import { h } from "../dom";
import { save_buttons } from "../save";
import { theme, type Theme } from "../theme";
import { safe_svg } from "./safe_svg";

// Our pictures ask the system whether it is dark. The reader's switch decides instead, so the question gets its
// answer here.
function answer_theme(style: string, value: Theme): string {
  return style.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/g, (_, asked) =>
    asked === value ? "all" : "not all",
  );
}

/** A finished drawing. It lives in a tree of its own, so that its styles and the page's do not mix. */
export function picture_element(picture: Picture, context: Context): HTMLElement {
  const drawing = safe_svg(picture.svg);
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", [picture.title, picture.description].filter(Boolean).join(": "));
  const styles = [...drawing.querySelectorAll("style")].map((node) => ({ node, text: node.textContent ?? "" }));
  const show = () => {
    for (const { node, text } of styles) node.textContent = answer_theme(text, theme.value);
  };
  show();
  context.at_end(theme.watch(show));
  const host = h("div", { class: "picture-host" });
  const root = host.attachShadow({ mode: "open" });
  const own = document.createElement("style");
  own.textContent = ":host{display:block}svg{display:block;margin:auto;height:auto;max-height:none}";
  root.append(own, drawing);
  return h(
    "figure",
    { class: "block picture" },
    picture.title ? h("h3", {}, picture.title) : null,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Picture: ${picture.title}` }, host),
    picture.note ? h("figcaption", { class: "note" }, picture.note) : null,
    h(
      "div",
      { class: "tools" },
      picture.description
        ? h("details", { class: "numbers" }, h("summary", {}, "Description"), h("p", {}, picture.description))
        : null,
      save_buttons(picture.title, () => drawing.cloneNode(true) as SVGSVGElement),
    ),
  );
}
