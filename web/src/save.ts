// SPDX-License-Identifier: Apache-2.0
// Drawings as files. All of it happens in the browser, so it works for a page opened from a file.
import { button, h } from "./dom";

function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  link.click();
  // The browser reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A file name of a title: letters and digits, the rest hyphens. What comes from a private report says so. */
function file_name(title: string, ending: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  const mark = document.body.classList.contains("curator") ? "PRIVATE-" : "";
  return `${mark}${name || "fogline"}.${ending}`;
}

/** An SVG with its outer size written out, as other programs want it. */
function svg_text(drawing: SVGSVGElement): string {
  drawing.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(drawing);
}

export function save_svg(drawing: SVGSVGElement, title: string): void {
  download(new Blob([svg_text(drawing)], { type: "image/svg+xml" }), file_name(title, "svg"));
}

export function save_canvas(canvas: HTMLCanvasElement, title: string): void {
  canvas.toBlob((blob) => {
    if (blob) download(blob, file_name(title, "png"));
  }, "image/png");
}

/** Draws an SVG at twice its size, for print and sharp screens. */
export async function save_svg_as_png(drawing: SVGSVGElement, title: string): Promise<void> {
  const width = Number(drawing.getAttribute("width")),
    height = Number(drawing.getAttribute("height"));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg_text(drawing))}`;
  await image.decode();
  // Browsers draw no canvas of more than some 16,000 pixels a side.
  const factor = Math.min(2, 16_000 / Math.max(width, height));
  const canvas = h("canvas", { width: Math.round(width * factor), height: Math.round(height * factor) });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  save_canvas(canvas, title);
}

/** The two buttons below a drawing. `drawing` makes a copy that needs nothing of this page. */
export function save_buttons(title: string, drawing: () => SVGSVGElement | null): HTMLElement {
  const about = title ? `: ${title}` : "";
  const with_drawing = (save: (copy: SVGSVGElement) => void) => () => {
    const copy = drawing();
    if (copy) save(copy);
  };
  return h(
    "div",
    { class: "saves" },
    button(
      "Save as SVG",
      with_drawing((copy) => save_svg(copy, title)),
      { class: "quiet", "aria-label": `Save as SVG${about}` },
    ),
    button(
      "Save as PNG",
      with_drawing((copy) => void save_svg_as_png(copy, title)),
      { class: "quiet", "aria-label": `Save as PNG${about}` },
    ),
  );
}
