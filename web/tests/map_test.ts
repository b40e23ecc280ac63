// SPDX-License-Identifier: Apache-2.0
// The maps in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Browser } from "playwright-core";
// @ts-expect-error the harness is plain JavaScript
import { colours_of, launch, opened, settled } from "./browser.mjs";
import { comes_to_look, folder, looks, on, shared } from "./harness";
import { large_document } from "./large_document";

test("a slider changes what is drawn, and the plot follows", async () => {
  await on(`${shared.sample}#traffic`, async (page) => {
    const map = page.locator(".map-stage").first();
    const slider = page.getByRole("slider", { name: "Hour" });
    const first = await looks(page, map);
    const rule = () => page.locator(".moving-rule").getAttribute("x1");
    const at_first = await rule();
    await slider.focus();
    for (let i = 0; i < 6; ++i) await page.keyboard.press("ArrowRight");
    assert.equal(await slider.getAttribute("aria-valuetext"), "06:00");
    await comes_to_look(page, map, (look) => look !== first);
    assert.notEqual(await rule(), at_first);
    await page.getByRole("button", { name: "Play: Hour" }).click();
    await page.waitForFunction(() => Number(document.querySelector<HTMLInputElement>("input[type=range]")!.value) > 6);
    await page.getByRole("button", { name: "Pause: Hour" }).click();
  });
});

test("a choice changes the frame, the walk and the point", async () => {
  await on(`${shared.sample}#walk`, async (page) => {
    const map = page.locator(".map-stage");
    const first = await looks(page, map);
    await page.getByLabel("Step").selectOption({ label: "step 12" });
    await comes_to_look(page, map, (look) => look !== first);
  });
});

test("layers can be switched off and on", async () => {
  await on(`${shared.sample}#walk`, async (page) => {
    const map = page.locator(".map-stage");
    const all = await looks(page, map);
    const seen = new Set([all]);
    for (const name of ["belief", "districts", "limits", "homes", "now"]) {
      const box = page.getByRole("checkbox", { name, exact: true });
      await box.uncheck();
      seen.add(await looks(page, map));
      await box.check();
    }
    assert.equal(seen.size, 6);
    await comes_to_look(page, map, (look) => look === all);
  });
});

test("a map moves by keys, buttons, mouse and wheel, all its views together", async () => {
  await on(`${shared.sample}#walk`, async (page) => {
    const map = page.locator(".map-stage");
    const home = await looks(page, map);
    const changes = async (step: () => Promise<void>) => {
      const before = await looks(page, map);
      await step();
      await comes_to_look(page, map, (look) => look !== before);
    };
    await map.focus();
    for (const key of ["+", "ArrowLeft", "ArrowUp", "-"]) await changes(() => page.keyboard.press(key));
    await page.keyboard.press("0");
    await map.blur();
    await comes_to_look(page, map, (look) => look === home);
    await changes(() => page.getByRole("button", { name: /^Zoom in/ }).click());
    await changes(() => page.getByRole("button", { name: /^Zoom out/ }).click());
    const box = (await map.boundingBox())!;
    await page.mouse.move(box.x + 150, box.y + 200);
    await changes(async () => {
      await page.mouse.down();
      await page.mouse.move(box.x + 220, box.y + 250, { steps: 3 });
      await page.mouse.up();
    });
    await changes(() => page.mouse.wheel(0, -300));
    await page.getByRole("button", { name: /^Show all/ }).click();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.mouse.move(0, 0);
    await comes_to_look(page, map, (look) => look === home);
  });
});

test("leaving a page gives its maps back", async () => {
  await on(shared.sample, async (page) => {
    for (let i = 0; i < 12; ++i)
      for (const id of ["traffic", "walk"]) {
        await page.evaluate((hash) => (location.hash = hash), id);
        await page.waitForTimeout(60);
      }
    await settled(page);
    assert.ok((await colours_of(page, page.locator(".map-frame").first())) > 20);
  });
});

test("without WebGL the maps are drawn all the same", async () => {
  const plain: Browser = await launch({ graphics: false });
  const { page, wrong } = await opened(plain, `${shared.sample}#walk`);
  await settled(page);
  assert.equal(await page.evaluate(() => document.createElement("canvas").getContext("webgl2")), null);
  assert.match(await page.locator("figure.map").innerText(), /no WebGL 2/);
  for (const frame of await page.locator(".map-frame").all()) assert.ok((await colours_of(page, frame)) > 20);
  assert.deepEqual(wrong, []);
  await plain.close();
});

test("many lines are drawn by hardware too", async () => {
  const address = await folder.add("many", large_document(110, 2500));
  const { page, context, wrong } = await opened(shared.browser, "about:blank");
  // Only the name of the renderer tells the page that there is no hardware.
  await page.addInitScript(() => {
    const asked = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function (name: number) {
      const value = asked.call(this, name);
      return typeof value === "string" && /swiftshader/i.test(value) ? "a graphics card" : value;
    };
  });
  await page.goto(address);
  await settled(page);
  for (const frame of await page.locator(".map-frame").all()) assert.ok((await colours_of(page, frame)) > 20);
  const map = page.locator(".map-stage");
  const first = await looks(page, map);
  await page.getByRole("slider").focus();
  await page.keyboard.press("ArrowRight");
  await comes_to_look(page, map, (look) => look !== first);
  assert.deepEqual(
    wrong.filter((words: string) => !words.startsWith("request: file:")),
    [],
  );
  await context.close();
});

test("300,000 streets and 100,000 trips", async () => {
  const address = await folder.add("large", large_document());
  const begin = Date.now();
  const { page, context, wrong } = await opened(shared.browser, address);
  await settled(page);
  for (const frame of await page.locator(".map-frame").all()) assert.ok((await colours_of(page, frame)) > 20);
  const loaded = Date.now() - begin;
  const map = page.locator(".map-stage");
  const first = await looks(page, map);
  const turned = Date.now();
  await page.getByRole("slider").focus();
  await page.keyboard.press("ArrowRight");
  await comes_to_look(page, map, (look) => look !== first);
  console.log(`large report: drawn after ${loaded} ms, another place after ${Date.now() - turned} ms`);
  assert.ok(loaded < 60_000);
  assert.deepEqual(wrong, []);
  await context.close();
});
