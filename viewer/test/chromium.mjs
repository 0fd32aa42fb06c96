// SPDX-License-Identifier: Apache-2.0
// Chromium as it is installed, without a display and without a graphics processor.
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

export function findChromium() {
  if (process.env.RILLE_CHROMIUM) return process.env.RILLE_CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // the next one
    }
  }
  return null;
}

export const launch = () =>
  chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-device-scale-factor=1"],
  });

/** A page of its own (storage and all). `problems` collects what the browser complains about. */
export async function open(browser, url, viewport = { width: 760, height: 440 }, script = null) {
  const context = await browser.newContext({ viewport, colorScheme: "dark", reducedMotion: "reduce" });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  if (script) await page.addInitScript(script);
  await page.goto(url);
  return page;
}
