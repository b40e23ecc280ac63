// SPDX-License-Identifier: Apache-2.0
// The few drawings of the page itself. All are decoration: the words beside them say the same.
import { s } from "./dom";

function icon(box: string, ...children: SVGElement[]): SVGSVGElement {
  return s("svg", { viewBox: box, class: "icon", "aria-hidden": "true", focusable: "false" }, ...children);
}

const stroked = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 2,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
};

/** The line at the edge of a road, fading into fog. */
export function logo(): SVGSVGElement {
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 3, "stroke-linecap": "round" };
  return icon(
    "0 0 32 32",
    s("path", { ...line, d: "M6 27 C10 19 12 16 15 12" }),
    s("path", { ...line, d: "M17 9.4 C18 8.2 19 7 20.4 5.6", opacity: 0.55 }),
    s("path", { ...line, d: "M14 27h12", opacity: 0.35 }),
    s("path", { ...line, d: "M18.5 20h8.5", opacity: 0.35 }),
    s("path", { ...line, d: "M22 13h5", opacity: 0.35 }),
  );
}

export function moon(): SVGSVGElement {
  return icon("0 0 24 24", s("path", { ...stroked, d: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z" }));
}

export function sun(): SVGSVGElement {
  return icon(
    "0 0 24 24",
    s("circle", { ...stroked, cx: 12, cy: 12, r: 4 }),
    s("path", {
      ...stroked,
      d: "M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
    }),
  );
}

export function check_mark(): SVGSVGElement {
  return icon(
    "0 0 24 24",
    s("circle", { ...stroked, cx: 12, cy: 12, r: 9.5 }),
    s("path", { ...stroked, d: "M7.5 12.5l3 3 6-6.5" }),
  );
}

export function warning_mark(): SVGSVGElement {
  return icon(
    "0 0 24 24",
    s("path", { ...stroked, d: "M12 3.5 22 20.5H2z" }),
    s("path", { ...stroked, d: "M12 10v4.5M12 17.4v.1" }),
  );
}

export function play_mark(): SVGSVGElement {
  return icon("0 0 24 24", s("path", { fill: "currentColor", d: "M7 4.5v15l12.5-7.5z" }));
}

export function pause_mark(): SVGSVGElement {
  return icon("0 0 24 24", s("path", { fill: "currentColor", d: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z" }));
}
