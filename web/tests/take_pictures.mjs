// SPDX-License-Identifier: Apache-2.0
// node tests/take_pictures.mjs REPORT.html PAGE SECTION THEME OUT.png [PAGE SECTION THEME OUT.png ...]: pictures of a
// report from the heading of a section on, as a reader sees it.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, opened, settled } from "./browser.mjs";

const [report, ...wanted] = process.argv.slice(2);
if (!report || wanted.length === 0 || wanted.length % 4 !== 0) {
  console.error("usage: node tests/take_pictures.mjs REPORT.html PAGE SECTION THEME OUT.png ...");
  process.exit(2);
}
const address = pathToFileURL(path.resolve(report)).href;
const browser = await launch();
try {
  for (let i = 0; i < wanted.length; i += 4) {
    const [id, section, theme, out] = wanted.slice(i, i + 4);
    const { page, context } = await opened(browser, `${address}#${id}`, { colorScheme: theme });
    await settled(page);
    // Where there is something to play, its end shows the most.
    for (const slider of await page.locator("main input[type=range]").all()) await slider.press("End");
    const heading = page.locator("main :is(h2, h3)", { hasText: section }).first();
    await heading.evaluate((node) => scrollTo(0, node.getBoundingClientRect().top + scrollY - 90));
    await settled(page);
    await page.screenshot({ path: out });
    await context.close();
  }
} finally {
  await browser.close();
}
