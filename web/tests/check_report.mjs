// SPDX-License-Identifier: Apache-2.0
// node tests/check_report.mjs REPORT.html [--screenshots FOLDER]: opens a report in a browser and walks through all
// its pages in both themes. Fails on any complaint of the browser, any request, and any map, plot or picture that is
// blank or failed.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { colours_of, launch, nameless, opened, settled } from "./browser.mjs";

const drawings = ".map-frame, .plot-frame, .picture-host";

/** Fewer colours than this is an empty frame. */
const least_colours = 4;

async function check_page(page, id, theme, folder) {
  const found = [];
  await page.evaluate((hash) => (location.hash = hash), id);
  await page.waitForFunction(
    (hash) => document.querySelector(`nav a[href="#${hash}"]`)?.getAttribute("aria-current") === "page",
    id,
  );
  await settled(page);
  for (const element of await page.locator(`main :is(${drawings})`).all())
    if ((await colours_of(page, element)) < least_colours) {
      const title = await element.evaluate((node) => node.closest("figure").querySelector("h3")?.textContent);
      found.push(`blank: ${title ?? "a drawing without a title"}`);
    }
  for (const words of await page.locator("main .failure").allTextContents()) found.push(`failed: ${words}`);
  for (const part of await nameless(page)) found.push(`without a name: ${part}`);
  if (folder) {
    await page.evaluate(() => scrollTo(0, 0));
    await settled(page);
    await page.screenshot({ path: path.join(folder, `${id}-${theme}.png`) });
  }
  return found.map((words) => `${id}, ${theme}: ${words}`);
}

/** What is wrong with a report; an empty list if nothing is. */
export async function check_report(browser, address, folder) {
  const found = [];
  if (folder) mkdirSync(folder, { recursive: true });
  for (const theme of ["light", "dark"]) {
    const { page, context, wrong } = await opened(browser, address, { colorScheme: theme });
    const ids = await page
      .locator("nav.pages > ul > li > a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href").slice(1)));
    if (ids.length === 0) found.push("the report has no pages");
    for (const id of ids) found.push(...(await check_page(page, id, theme, folder)));
    found.push(...wrong.map((words) => `${theme}: ${words}`));
    await context.close();
  }
  return found;
}

async function main() {
  const words = process.argv.slice(2);
  const at = words.indexOf("--screenshots");
  const folder = at >= 0 ? words.splice(at, 2)[1] : null;
  if (words.length !== 1 || (at >= 0 && !folder)) {
    console.error("usage: node tests/check_report.mjs REPORT.html [--screenshots FOLDER]");
    process.exit(2);
  }
  const browser = await launch();
  try {
    const found = await check_report(browser, pathToFileURL(path.resolve(words[0])).href, folder);
    for (const line of found) console.error(line);
    if (found.length) process.exitCode = 1;
    else console.log(`${words[0]}: every page is sound`);
  } finally {
    await browser.close();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(path.resolve(process.argv[1])).href) await main();
