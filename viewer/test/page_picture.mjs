// SPDX-License-Identifier: Apache-2.0
// The picture of the page in the documentation: node viewer/test/page_picture.mjs build/rille FILE.png (after `make page`). A rover on sand,
// seen in two viewports, when it has driven for 25 s.
import { spawn } from "node:child_process";
import { launch, open } from "./chromium.mjs";

const [program, file] = process.argv.slice(2);
const rille = spawn(program, ["view", "mer_sand", "--no-open", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
try {
  const address = await new Promise((resolve, reject) => {
    let said = "";
    rille.stdout.on("data", (part) => {
      said += part;
      const found = /http:\S+/.exec(said);
      if (found) resolve(found[0]);
    });
    rille.on("exit", () => reject(new Error("rille ended")));
  });
  const browser = await launch();
  const page = await open(browser, address, { width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: "light" });
  page.setDefaultTimeout(180000); // drawn on the processor
  await page.waitForSelector("canvas");
  await page.keyboard.press("2");
  await page.evaluate(() => [...document.querySelectorAll('button[data-value="plan"]')].at(-1).click());
  const clock = () => page.evaluate(() => parseFloat(/([\d.]+) s/.exec(document.body.innerText)?.[1] ?? "0"));
  for (let k = 0; k < 240 && (await clock()) < 25; k++) await page.waitForTimeout(500);
  await page.evaluate(() => [...document.querySelectorAll("button")].find((b) => b.innerText.includes("Pause"))?.click());
  await page.waitForTimeout(8000);
  await page.screenshot({ path: file });
  await browser.close();
} finally {
  rille.kill();
}
