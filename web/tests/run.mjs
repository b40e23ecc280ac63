// SPDX-License-Identifier: Apache-2.0
// node tests/run.mjs [NAME...]: bundles the tests and runs them all, or those whose file name holds NAME.
// node tests/run.mjs --samples FOLDER: writes the sample reports instead.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const samples = process.argv[2] === "--samples";
const names = samples ? ["write_samples"] : process.argv.slice(2);
const wanted = (file) =>
  samples
    ? file === "write_samples.ts"
    : file.endsWith("_test.ts") && (!names.length || names.some((name) => file.includes(name)));
const entries = readdirSync(here).filter(wanted).sort();
if (entries.length === 0) {
  console.error("no such test");
  process.exit(2);
}
// Beside the sources, so that the bundles find the libraries and the build.
const out = path.join(here, samples ? "../dist/samples" : "../dist/tests");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  entryPoints: entries.map((file) => path.join(here, file)),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node18",
  logLevel: "warning",
  // The build and the browser stay as they are; the bundles reach them from their own folder.
  plugins: [
    {
      name: "ours",
      setup(bundling) {
        bundling.onResolve({ filter: /\.mjs$/ }, (asked) => ({
          path: path.relative(out, path.resolve(asked.resolveDir, asked.path)),
          external: true,
        }));
        bundling.onResolve({ filter: /^(playwright-core|esbuild)$/ }, (asked) => ({
          path: asked.path,
          external: true,
        }));
      },
    },
  ],
});
const bundles = entries.map((file) => path.join(out, file.replace(/\.ts$/, ".mjs")));
const run = (words) => spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;
// One after the other: each keeps a browser busy.
if (samples) process.exitCode = run([...bundles, path.resolve(process.argv[3] ?? "dist")]);
else process.exitCode = Math.max(...bundles.map((bundle) => run(["--test", bundle])));
