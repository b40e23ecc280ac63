// SPDX-License-Identifier: Apache-2.0
// node tests/load_time.mjs REPORT.html [PAGE ...]: seconds from opening a report at each page until its first
// picture is drawn.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, opened, settled } from "./browser.mjs";

const [report, ...pages] = process.argv.slice(2);
if (!report) {
  console.error("usage: node tests/load_time.mjs REPORT.html [PAGE ...]");
  process.exit(2);
}
const address = pathToFileURL(path.resolve(report)).href;
const browser = await launch();
try {
  for (const id of pages.length ? pages : [""]) {
    const begin = performance.now();
    const { page, context } = await opened(browser, id ? `${address}#${id}` : address);
    // The first picture of the page, wherever it stands.
    await page.locator("main :is(.map-frame, .plot-frame, .picture-host)").first().scrollIntoViewIfNeeded();
    await settled(page);
    console.log(`${id} ${((performance.now() - begin) / 1000).toFixed(2)}`);
    await context.close();
  }
} finally {
  await browser.close();
}
