// SPDX-License-Identifier: Apache-2.0
// node build.mjs OUTFILE: the page as one HTML file, with marks where the program puts the title and the report.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { notices } from "./notices.mjs";

const folder = path.dirname(fileURLToPath(import.meta.url));
export const document_mark = "<!--FOGLINE-DOCUMENT-->";
export const title_mark = "<!--FOGLINE-TITLE-->";

async function bundled(entry, options) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    legalComments: "none",
    charset: "utf8",
    target: ["chrome111", "firefox115", "safari16.4"],
    ...options,
  });
  return { text: result.outputFiles[0].text.trim(), inputs: Object.keys(result.metafile.inputs) };
}

/** The page without a report. */
export async function page() {
  const script = await bundled("src/main.ts", { format: "iife", define: { "process.env.NODE_ENV": '"production"' } });
  const style = await bundled("src/styles/main.css", {});
  const licences = notices(folder, script.inputs);
  for (const text of [script.text, style.text, licences])
    if (/<\/(script|style)/i.test(text) || text.includes("<!--"))
      throw new Error("the bundle holds a sequence that would end it early");
  // Only this very script runs; nothing is loaded from anywhere.
  const hash = createHash("sha256").update(script.text, "utf8").digest("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title_mark}</title>
<style>${style.text}</style>
</head>
<body>
<noscript>This report needs JavaScript. It is all in this file; nothing is loaded from elsewhere.</noscript>
${document_mark}
<script type="text/plain" id="notices">
${licences}
</script>
<script>${script.text}</script>
</body>
</html>
`;
  for (const mark of [document_mark, title_mark])
    if (html.split(mark).length !== 2) throw new Error(`${mark} does not stand in the page exactly once`);
  return html;
}

if (process.argv[1] && import.meta.url === pathToFileURL(path.resolve(process.argv[1])).href) {
  if (process.argv.length !== 3) {
    console.error("usage: node build.mjs OUTFILE");
    process.exit(2);
  }
  const out = path.resolve(process.argv[2]);
  mkdirSync(path.dirname(out), { recursive: true });
  writeFileSync(out, await page());
}
