// SPDX-License-Identifier: Apache-2.0
// Compares a picture with its reference by tolerance: small shifts of colour (other drivers, other versions of the browser) pass, missing or wrong
// things do not. Both are averaged over blocks of 4 x 4 pixels first. RILLE_NEW_PICTURES=1 writes the references instead.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { PNG } from "pngjs";

const BLOCK = 4;

function blocks(png) {
  const [w, h] = [Math.floor(png.width / BLOCK), Math.floor(png.height / BLOCK)];
  const out = new Float64Array(w * h * 3);
  for (let y = 0; y < h * BLOCK; y++) {
    for (let x = 0; x < w * BLOCK; x++) {
      const to = 3 * (Math.floor(y / BLOCK) * w + Math.floor(x / BLOCK));
      for (let c = 0; c < 3; c++) out[to + c] += png.data[4 * (y * png.width + x) + c] / (BLOCK * BLOCK);
    }
  }
  return out;
}

/** Mean difference of a channel [0..255], and the part of blocks that differ by more than 24. */
export function compare(a, b) {
  if (a.width !== b.width || a.height !== b.height) return { mean: 255, far: 1 };
  const [p, q] = [blocks(a), blocks(b)];
  let sum = 0;
  let far = 0;
  for (let k = 0; k < p.length; k += 3) {
    const d = [0, 1, 2].map((c) => Math.abs(p[k + c] - q[k + c]));
    sum += d[0] + d[1] + d[2];
    if (Math.max(...d) > 24) far++;
  }
  return { mean: sum / p.length, far: far / (p.length / 3) };
}

export function check(bytes, reference, failed) {
  if (process.env.RILLE_NEW_PICTURES) {
    writeFileSync(reference, bytes);
    return { mean: 0, far: 0 };
  }
  if (!existsSync(reference)) throw new Error(`no reference ${reference}`);
  const result = compare(PNG.sync.read(bytes), PNG.sync.read(readFileSync(reference)));
  if (result.mean > 4 || result.far > 0.02) writeFileSync(failed, bytes);
  return result;
}
