// SPDX-License-Identifier: Apache-2.0
// What stands around the pages: the band of a private report, the header, the list of pages; and which page is shown.
import { Arrays } from "./arrays";
import { Context } from "./context";
import type { ReportDocument } from "./document";
import { button, fresh_id, h } from "./dom";
import { logo, moon, sun } from "./icons";
import { Navigation } from "./navigation";
import { page_element, section_id } from "./page";
import { show_all_in_print } from "./print";
import { choose_theme, theme } from "./theme";

function private_band(): HTMLElement {
  return h(
    "div",
    { class: "private-band", role: "note", "aria-label": "Private report" },
    h("strong", {}, "PRIVATE"),
    " – contains values of the private data, do not pass on",
  );
}

function theme_switch(): HTMLButtonElement {
  const node = button("", () => choose_theme(theme.value === "dark" ? "light" : "dark"), {
    class: "quiet theme-switch",
  });
  const show = () => {
    const dark = theme.value === "dark";
    node.replaceChildren(dark ? sun() : moon(), h("span", {}, dark ? "Light" : "Dark"));
    node.setAttribute("aria-label", dark ? "Switch to light colours" : "Switch to dark colours");
  };
  show();
  theme.watch(show);
  return node;
}

function header(report: ReportDocument, menu: HTMLElement): HTMLElement {
  return h(
    "header",
    { class: "top" },
    menu,
    h("div", { class: "brand" }, logo(), h("span", { class: "report-title" }, report.title)),
    h("span", { class: "version" }, `Fogline ${report.version}`),
    theme_switch(),
  );
}

/** The licences of the libraries that this page is made of. */
function footer(report: ReportDocument): HTMLElement {
  const notices = document.getElementById("notices")?.textContent?.trim() ?? "";
  return h(
    "footer",
    {},
    h(
      "p",
      {},
      `Written by Fogline ${report.version}. All of this report is in this file; nothing is loaded from elsewhere.`,
    ),
    notices
      ? h(
          "details",
          {},
          h("summary", {}, "Licences of the libraries in this page"),
          h("pre", { tabindex: "0", role: "region", "aria-label": "Licences" }, notices),
        )
      : null,
  );
}

/** Page id and section number of an address such as "#home/2". */
function route(hash: string): { id: string; section: number } {
  const [id, section] = hash.replace(/^#/, "").split("/");
  return { id, section: section === undefined ? -1 : Number(section) };
}

export function start(report: ReportDocument): void {
  const arrays = new Arrays(report.arrays);
  const main = h("main", { id: fresh_id(), tabindex: "-1" });
  const navigation = new Navigation(report.pages);
  const skip = h("a", { class: "skip", href: `#${main.id}` }, "Skip to the report");
  // A fragment would name a page, so the link moves the focus by hand.
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });

  let context: Context | null = null;
  let shown_id: string | null = null;
  const show = (first: boolean) => {
    const { id, section } = route(location.hash);
    const page = report.pages.find((candidate) => candidate.id === id) ?? report.pages[0];
    if (!page) {
      main.replaceChildren(h("p", {}, "This report has no pages."));
      return;
    }
    if (page.id !== shown_id) {
      context?.end();
      arrays.forget();
      context = new Context(report, arrays);
      shown_id = page.id;
      main.replaceChildren(page_element(page, context));
      document.title = `${report.curator ? "PRIVATE: " : ""}${page.title} – ${report.title}`;
      navigation.mark(page.id);
      if (!first) {
        scrollTo(0, 0);
        main.querySelector("h1")?.focus({ preventScroll: true });
      }
    }
    const target = section >= 0 ? document.getElementById(section_id(page, section)) : null;
    if (target) {
      target.scrollIntoView();
      target.querySelector("h2")?.focus({ preventScroll: true });
    }
  };
  addEventListener("hashchange", () => show(false));

  const head = h("div", { class: "head" }, report.curator ? private_band() : null, header(report, navigation.toggle));
  // What sticks below the head must know how high it is, and a long title or a narrow screen makes it higher.
  new ResizeObserver(() => document.documentElement.style.setProperty("--head", `${head.offsetHeight}px`)).observe(
    head,
  );
  document.body.classList.toggle("curator", report.curator);
  const sole = report.pages.length < 2 && (report.pages[0]?.sections.length ?? 0) < 2;
  document.body.append(
    skip,
    head,
    h(
      "div",
      { class: sole ? "frame sole" : "frame" },
      navigation.element,
      h("div", { class: "column" }, main, footer(report)),
    ),
  );
  show(true);
  show_all_in_print(report, main, () => shown_id);
}
