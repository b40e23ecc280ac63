// SPDX-License-Identifier: Apache-2.0
// A real browser, watched: whatever it complains of or asks for is noted.
import { chromium } from "playwright-core";

const executablePath = process.env.FOGLINE_CHROMIUM || "/usr/bin/chromium";

/** Chromium without a screen draws WebGL in software; without `graphics` it has no WebGL at all. */
export function launch({ graphics = true } = {}) {
  const drawing = graphics
    ? ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    : ["--disable-gpu", "--disable-3d-apis"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...drawing] });
}

/** A page at an address, with what went wrong on it. */
export async function opened(browser, address, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
    colorScheme: "light",
    ...options,
  });
  const page = await context.newPage();
  const wrong = [];
  const file = address.split("#")[0];
  page.on("console", (message) => {
    // The software driver's remarks on its own speed are not ours.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text()))
      wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const asked = request.url().split("#")[0];
    if (asked !== file && !/^(data|blob):/.test(asked)) wrong.push(`request: ${asked}`);
  });
  await page.goto(address);
  return { page, context, wrong };
}

/** Waits until every map near the view is drawn and the drawing has come to rest. */
export async function settled(page) {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll(".map-stage")].every((stage) => {
        const box = stage.getBoundingClientRect();
        const far = box.top > innerHeight + 300 || box.bottom < -300;
        return far || stage.querySelector(".failure") || ("drawn" in stage.dataset && !stage.hasAttribute("aria-busy"));
      }),
    undefined,
    { timeout: 120_000 },
  );
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      ),
  );
  await page.waitForTimeout(150);
}

/** How many colours an element shows on the screen, counted by the browser itself. */
export async function colours_of(page, element) {
  await element.scrollIntoViewIfNeeded();
  await settled(page);
  const picture = (await element.screenshot()).toString("base64");
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, picture);
}

/** Parts of the page that a reader with a screen reader or a keyboard could not name. */
export function nameless(page) {
  return page.evaluate(() => {
    const name = (node) =>
      node.getAttribute("aria-label") ||
      node.textContent?.trim() ||
      [...(node.labels ?? [])]
        .map((label) => label.textContent)
        .join("")
        .trim();
    const missing = [];
    for (const node of document.querySelectorAll("button, a, input, select, summary"))
      if (!name(node)) missing.push(node.outerHTML.slice(0, 120));
    for (const node of document.querySelectorAll("svg, canvas")) {
      if (node.closest("[aria-hidden=true]") || node.parentElement.closest("svg")) continue;
      if (node.getAttribute("role") !== "img" || !node.getAttribute("aria-label"))
        missing.push(node.outerHTML.slice(0, 120));
    }
    for (const table of document.querySelectorAll("table"))
      if (table.querySelector("th:not([scope])")) missing.push("a table head without scope");
    let level = 0;
    for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
      const next = Number(heading.tagName[1]);
      if (next > level + 1) missing.push(`${heading.tagName} after H${level}: ${heading.textContent}`);
      level = next;
    }
    return missing;
  });
}
