// SPDX-License-Identifier: Apache-2.0
// Reads a table that `rille campaign export` wrote as Parquet with hyparquet, and compares it with the CSV of the same store, number by number.
import { readFileSync } from "node:fs";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";

const [parquet, csv] = process.argv.slice(2);
const rows = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) });
const lines = readFileSync(csv, "utf8").trim().split("\n").map((line) => line.split(","));
const names = lines.shift();

function expect(condition, what) {
  if (!condition) {
    console.error(`check.mjs: ${what}`);
    process.exit(1);
  }
}

expect(rows.length === lines.length && rows.length > 0, "as many rows as the CSV");
expect(Object.keys(rows[0]).join() === names.join(), "the columns of the CSV");
for (const [k, line] of lines.entries())
  for (const [i, name] of names.entries()) {
    const value = rows[k][name];
    const same = typeof value === "string" ? value === line[i] : Number(value) === Number(line[i]);
    expect(same, `row ${k}, ${name}: ${value} is not ${line[i]}`);
  }
console.log(`${rows.length} rows, ${names.length} columns`);
