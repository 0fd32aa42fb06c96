// SPDX-License-Identifier: Apache-2.0
// Bundles the page into dist/ (or the folder given): index.html, app.js, app.css. The same input gives the same bytes.
import * as esbuild from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, "dist"));
mkdirSync(out, { recursive: true });
const result = await esbuild.build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  banner: {
    js: "/* Rille viewer, Apache-2.0. Contains three.js (MIT, three.js authors) and uPlot (MIT, Leon Sorokin). */",
  },
  logLevel: "warning",
});
if (result.warnings.length > 0) process.exit(1);
copyFileSync(path.join(here, "src/index.html"), path.join(out, "index.html"));
let total = 0;
for (const name of ["index.html", "app.js", "app.css"]) {
  const file = path.join(out, name);
  const packed = gzipSync(readFileSync(file), { level: 9 }).length;
  total += packed;
  console.log(`${name.padEnd(12)} ${statSync(file).size} bytes, ${packed} compressed`);
}
console.log(`total        ${total} compressed`);
if (total > 1_500_000) {
  console.error("the bundle is larger than 1.5 MB compressed");
  process.exit(1);
}
