// SPDX-License-Identifier: Apache-2.0
// What the tests in the browser share: a browser, sample reports, and looks at the screen.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
// @ts-expect-error the harness is plain JavaScript
import { launch, opened, settled } from "./browser.mjs";
import { ReportFolder } from "./report_file";
import { sample_document } from "./sample_document";

export const folder = new ReportFolder();
export const shared = {} as { browser: Browser; sample: string; curator: string };

before(async () => {
  shared.browser = await launch();
  shared.sample = await folder.add("sample", sample_document({ curator: false }));
  shared.curator = await folder.add("curator", sample_document({ curator: true }));
});

after(async () => {
  await shared.browser.close();
  folder.remove();
});

/** Runs `steps` on a page and fails if the browser complained or asked for anything. */
export async function on(address: string, steps: (page: Page) => Promise<void>, options: object = {}): Promise<void> {
  const { page, context, wrong } = await opened(shared.browser, address, options);
  await settled(page);
  await steps(page);
  assert.deepEqual(wrong, []);
  await context.close();
}

/** A short name for what an element looks like now. */
export async function looks(page: Page, element: Locator): Promise<string> {
  await settled(page);
  return createHash("sha256")
    .update(await element.screenshot())
    .digest("hex")
    .slice(0, 12);
}

/** Waits until an element looks right: drawing in software takes its time. */
export async function comes_to_look(page: Page, element: Locator, right: (look: string) => boolean): Promise<void> {
  let look = "";
  for (let i = 0; i < 12; ++i) if (right((look = await looks(page, element)))) return;
  assert.fail(`the element never looked right, last ${look}`);
}
