// SPDX-License-Identifier: Apache-2.0
// The page in a real browser: texts, themes, keys, files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { MapBlock, Plot } from "../src/document";
// @ts-expect-error the harness is plain JavaScript
import { nameless, opened, settled } from "./browser.mjs";
// @ts-expect-error the harness is plain JavaScript
import { check_report } from "./check_report.mjs";
import { folder, on, shared } from "./harness";
import { packed } from "./pack";
import { report_html } from "./report_file";
import { sample_document } from "./sample_document";
import { hostile_svg } from "./sample_picture";

test("every page is sound in both themes", async () => {
  assert.deepEqual(await check_report(shared.browser, shared.sample), []);
});

test("the template is one file with its marks once, the same each time", async () => {
  const html = await report_html(sample_document({ curator: false }));
  assert.equal(html, await report_html(sample_document({ curator: false })));
  assert.ok(!html.includes("<!--FOGLINE"));
  assert.ok(!/\s(src|href)\s*=\s*["']?https?:/i.test(html.replace(/<script[^]*?<\/script>/g, "")));
  assert.match(html, /Copyright[^\n]*vis\.gl|deck\.gl contributors/i);
});

test("a curator's report says so on every page; others do not", async () => {
  await on(shared.curator, async (page) => {
    assert.match(await page.title(), /^PRIVATE: /);
    for (const id of ["summary", "traffic", "plots"]) {
      await page.evaluate((hash) => (location.hash = hash), id);
      await page.waitForTimeout(100);
      assert.match(
        await page.locator(".private-band").innerText(),
        /PRIVATE – contains values of the private data, do not pass on/,
      );
      assert.match(await page.title(), /^PRIVATE: /);
    }
    await page.evaluate(() => (location.hash = "traffic"));
    await page.locator("section.private").waitFor();
    assert.equal(await page.locator("section.private h2 .private-mark").count(), 1);
    assert.equal(await page.locator(".view-title .private-mark").count(), 1);
  });
  await on(shared.sample, async (page) => {
    assert.equal(await page.locator(".private-band, .private-mark").count(), 0);
    assert.doesNotMatch(await page.title(), /PRIVATE/);
  });
});

test("texts of the report stay texts", async () => {
  const hostile = '</script><img src=x onerror="window.broken=true"><script>window.broken=true</script>';
  const report = sample_document({ curator: true, hostile });
  const address = await folder.add("hostile", report);
  assert.deepEqual(await check_report(shared.browser, address), []);
  await on(address, async (page) => {
    for (const id of report.pages.map((one) => one.id)) {
      await page.evaluate((hash) => (location.hash = hash), id);
      await settled(page);
      for (const details of await page.locator("main details").all())
        await details.evaluate((node: HTMLDetailsElement) => (node.open = true));
      await page.waitForTimeout(50);
      assert.equal(await page.evaluate(() => "broken" in window), false);
      assert.equal(await page.locator("body img, main script").count(), 0);
    }
  });
});

test("a picture's scripts and handlers do not come in", async () => {
  const report = sample_document({ curator: false });
  const [picture] = report.pages.find((page) => page.id === "picture")!.sections[0].blocks;
  if (picture.type === "picture") picture.svg = hostile_svg;
  const { page, context } = await opened(shared.browser, `${await folder.add("picture", report)}#picture`);
  await page.locator(".picture-host").click();
  const inside = await page.locator(".picture-host").evaluate((host: Element) => {
    const root = host.shadowRoot!;
    return [
      root.querySelectorAll("circle").length,
      root.querySelectorAll("script, image, [onclick], [onerror]").length,
    ];
  });
  assert.deepEqual(inside, [6, 0]);
  assert.equal(await page.evaluate(() => "broken" in window), false);
  await context.close();
});

test("the keyboard reaches every page and the report", async () => {
  await on(shared.sample, async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to the report");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "MAIN");
    await page.locator("nav a[href='#plots']").focus();
    await page.keyboard.press("Enter");
    await page.locator("h1", { hasText: "What it costs" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.locator("nav a[href='#plots/1']").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => scrollY > 100);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Trips");
    await page.goBack();
    await page.goBack();
    await page.locator("h1", { hasText: "A place in the town" }).waitFor();
  });
});

test("the theme follows the system until the reader chooses, and the choice is kept", async () => {
  await on(
    shared.sample,
    async (page) => {
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
      const dark = await ground();
      await page.emulateMedia({ colorScheme: "light" });
      await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
      assert.notEqual(await ground(), dark);
      await page.getByRole("button", { name: "Switch to dark colours" }).click();
      assert.equal(await ground(), dark);
      await page.reload();
      assert.equal(await ground(), dark);
    },
    { colorScheme: "dark" },
  );
});

test("a picture takes the reader's theme, not the system's", async () => {
  await on(`${shared.sample}#picture`, async (page) => {
    const colour = () =>
      page
        .locator(".picture-host")
        .evaluate((host) => getComputedStyle(host.shadowRoot!.querySelector(".ground")!).fill);
    const light = await colour();
    await page.getByRole("button", { name: "Switch to dark colours" }).click();
    assert.notEqual(await colour(), light);
  });
});

test("plots, pictures and maps can be saved", async () => {
  const saved = async (page: Page, name: RegExp): Promise<Buffer> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name }).first().click(),
    ]);
    return readFileSync((await download.path())!);
  };
  const is_png = (file: Buffer) => file.subarray(1, 4).toString() === "PNG" && file.length > 3000;
  await on(`${shared.sample}#plots`, async (page) => {
    const svg = (await saved(page, /^Save as SVG: Error by epsilon/)).toString();
    assert.match(svg, /^<svg[^]*published[^]*mean error[^]*<\/svg>$/);
    assert.doesNotMatch(svg, /var\(--ink/);
    assert.ok(is_png(await saved(page, /^Save as PNG: Error by epsilon/)));
  });
  await on(`${shared.sample}#picture`, async (page) => {
    assert.match((await saved(page, /^Save as SVG/)).toString(), /<circle/);
    assert.ok(is_png(await saved(page, /^Save as PNG/)));
  });
  await on(`${shared.sample}#walk`, async (page) => assert.ok(is_png(await saved(page, /^Save as PNG/))));
});

test("a plot's numbers stand in a table", async () => {
  await on(`${shared.sample}#plots`, async (page) => {
    const details = page.locator("figure.plot details").first();
    await details.locator("summary").click();
    await details.locator("table").waitFor();
    assert.equal(await details.locator("tbody tr").count(), 7);
    assert.deepEqual(await details.locator("thead th").allTextContents(), [
      "epsilon per metre",
      "published",
      "tight",
      "optimal",
    ]);
    assert.deepEqual(await nameless(page), []);
  });
});

test("on a narrow screen nothing sticks out and the list of pages opens", async () => {
  await on(
    `${shared.curator}#traffic`,
    async (page) => {
      for (const id of ["traffic", "summary", "plots", "walk", "picture"]) {
        await page.getByRole("button", { name: "Contents" }).click();
        await page.locator(`nav a[href="#${id}"]`).click();
        await settled(page);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), id);
      }
    },
    { viewport: { width: 380, height: 760 } },
  );
});

test("printing shows all pages", async () => {
  await on(shared.sample, async (page) => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("h1:visible").count(), 5);
    assert.ok((await page.locator(".print-only .plot-frame > svg").count()) >= 4);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator("h1").count(), 1);
  });
});

test("what cannot be shown says so and leaves the rest alone", async () => {
  const report = sample_document({ curator: false });
  report.arrays["homes"].length += 1;
  report.pages[0].sections[0].blocks.push({ type: "dance" } as never);
  const address = await folder.add("broken", report);
  await on(address, async (page) => {
    assert.match(await page.locator("main .failure").innerText(), /knows no block of type "dance"/);
    assert.equal(await page.locator("h2").count(), 2);
    await page.evaluate(() => (location.hash = "walk"));
    await page.locator(".map-stage .failure").waitFor();
    assert.match(await page.locator(".map-stage .failure").innerText(), /numbers expected[^]*The belief moves east/);
  });
});

test("what is empty is shown as empty", async () => {
  const report = sample_document({ curator: false });
  report.arrays = {
    none: packed(new Float32Array(0)),
    start: packed(new Uint32Array([0])),
    "one.points": packed(new Float32Array([5, 5])),
    "one.starts": packed(new Uint32Array([0, 0, 1])),
  };
  const axis = { label: "x", log: false, from_zero: false };
  const plot: Plot = {
    ...{ type: "plot", title: "Nothing", note: "", mark: "line", x: axis, y: { ...axis, log: true } },
    ...{ series: [], marks: [{ x: 3, label: "three" }], follows: "" },
  };
  const unknown = { name: "unknown", x: [1, 2], x2: [2, 3], y: [null, null], size: [] };
  const look = { name: "none", colour: { number: 0 as const }, points: "none" };
  const lines = { width: 2, widths: "", until_place: true, arrows: true };
  const map: MapBlock = {
    ...{
      type: "map",
      title: "Empty",
      description: "Nothing.",
      metres: true,
      note: "",
      box: [0, 0, 10, 10],
      control: null,
      scales: [],
    },
    views: [
      {
        ...{ title: "", private: false },
        layers: [
          { type: "lines", ...look, starts: "start", ...lines },
          { type: "lines", ...look, points: "one.points", starts: "one.starts", ...lines },
          { type: "areas", ...look, starts: "start", labels: [], outline_only: false },
          { type: "points", ...look, radius: 3, halo_m: 5, labels: [], at_place: false },
        ],
      },
    ],
  };
  const budget = { spent: "0", spent_number: 0, cap: null, cap_number: null, this_release_number: 0 };
  report.pages = [
    {
      ...{ id: "empty", kind: "", title: "Empty", lead: "" },
      sections: [
        {
          ...{ title: "", note: "", private: false },
          blocks: [
            { type: "words", tone: "plain", list: true, paragraphs: [] },
            { type: "fields", rows: [] },
            { type: "table", caption: "", columns: ["a"], rows: [] },
            { type: "budget", dataset: "none", measure: "", ...budget },
            ...[
              plot,
              { ...plot, mark: "bars" as const, series: [unknown] },
              { ...plot, mark: "steps" as const, series: [unknown] },
            ],
            map,
          ],
        },
      ],
    },
  ];
  await on(await folder.add("empty", report), async (page) => {
    assert.equal(await page.locator(".failure").count(), 0);
    assert.equal(await page.locator(".plot-frame > svg[role=img]").count(), 3);
    await page.locator(".map-stage").scrollIntoViewIfNeeded();
    await settled(page);
    assert.equal(await page.locator(".failure").count(), 0);
  });
});
