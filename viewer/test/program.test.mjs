// SPDX-License-Identifier: Apache-2.0
// The page and the program together: RILLE_PROGRAM names the command.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import http from "node:http";
import { after, before, test } from "node:test";
import { launch, open } from "./chromium.mjs";

const program = process.env.RILLE_PROGRAM;
const skip = program ? false : "RILLE_PROGRAM is not set";
let browser;
const children = [];
before(async () => {
  if (program) browser = await launch();
});
after(async () => {
  for (const child of children) child.kill("SIGINT");
  await browser?.close();
});

/** Starts `rille view ...` and gives the address it prints. */
function view(...args) {
  const child = spawn(program, ["view", "--no-open", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const match = /http:\/\/\S+/.exec(text);
      if (match) resolve(match[0]);
    });
    child.on("exit", (code) => reject(new Error(`rille view ended with ${code}`)));
  });
}
const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: 20_000 });
const shown = (page) => until(page, () => window.rilleApp?.stage?.pictures > 1 && rilleApp.runs[0].frame.bodies > 0);

test("a scene runs in the page, is paused, stepped, set, plotted, and survives a reload", { skip }, async () => {
  const page = await open(browser, await view("rover_suspension", "--paused"));
  await shown(page);
  await page.evaluate(() => rilleApp.plots.add("base.roll"));
  await until(page, () => rilleApp.paused());
  const time = await page.evaluate(() => rilleApp.runs[0].frame.time);
  await page.click("[data-test=step]");
  await until(page, (t) => rilleApp.runs[0].frame.time > t, time);
  const stepped = await page.evaluate(() => rilleApp.runs[0].frame.time);
  assert.ok(Math.abs(stepped - time - 0.002) < 1e-9, `one tick: ${stepped - time}`);
  await page.click("[data-test=tabs] [data-value=values]");
  const name = await page.evaluate(() => rilleApp.allValues().find((v) => v.writable && /stiffness$/.test(v.name)).name);
  await page.fill("[data-test=value-search]", `${name} = 1234`);
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-test=set-reply].ok");
  const answer = await page.evaluate((n) => rilleApp.link.request({ op: "get", run: 0, name: n }), name);
  assert.equal(answer.value, 1234);
  await page.fill("[data-test=value-search]", "no.such.value = 1");
  await page.keyboard.press("Enter");
  await until(page, () => /no\.such\.value/.test(document.querySelector("[data-test=set-reply].bad")?.textContent ?? ""));
  await page.click("[data-test=pause]");
  await until(page, (t) => rilleApp.runs[0].frame.time > t + 0.2, stepped);
  await page.click("[data-test=tabs] [data-value=plots]");
  await until(page, () => rilleApp.plots.samples[0] > 10);
  await page.reload();
  await shown(page);
  await until(page, () => rilleApp.plots.samples[0] > 10 && rilleApp.runs[0].frame.time > 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a robot that was put down finds its hold by placement; the centre of mass is the robot's", { skip }, async () => {
  const page = await open(browser, await view("sidewind", "--paused"));
  await shown(page);
  const { answer, pulled } = await page.evaluate(async () => {
    let pulled = 0;
    const { frame } = rilleApp.runs[0];
    const seen = setInterval(() => (pulled += frame.pulls ? 1 : 0), 2);
    const [x, y, z] = frame.position;
    const position = [x + 1, y + 1, z + 0.2];
    const answer = await rilleApp.link.request({ op: "move", run: 0, position, quaternion: [1, 0, 0, 0], settle: true });
    clearInterval(seen);
    return { answer, pulled };
  });
  assert.equal(answer.ok, true, answer.text);
  assert.match(answer.text, /modules touch/);
  assert.ok(pulled > 0, "the pulls were shown");
  await page.evaluate(() => {
    rilleApp.state.layers.com = true;
    rilleApp.stage.touch();
  });
  await until(page, () => rilleApp.world.runs[0].com !== null);
  const [com, box] = await page.evaluate(() => {
    const { com, run } = rilleApp.world.runs[0];
    const xs = [...run.frame.position.subarray(0, 3 * run.frame.bodies)].filter((_, k) => k % 3 === 0);
    return [com.x, [Math.min(...xs), Math.max(...xs)]];
  });
  assert.ok(com > box[0] && com < box[1], `${com} in ${box}`);
  await page.context().close();
});

test("the program refuses a wrong token", { skip }, async () => {
  const url = new URL(await view("snake_servo", "--paused"));
  const status = (address) => new Promise((resolve) => http.get(address, (a) => resolve(a.resume().statusCode)));
  assert.equal(await status(url), 200);
  url.searchParams.set("token", "0123456789abcdef");
  assert.equal(await status(url), 403);
});

test("two scenes are shown side by side", { skip }, async () => {
  const page = await open(browser, await view("rover_suspension", "rover_suspension"));
  await shown(page);
  await page.evaluate(() => rilleApp.plots.add("base.pitch"));
  await until(page, () => rilleApp.runs.length === 2 && rilleApp.runs[1].frame.bodies > 0 && rilleApp.plots.samples[0] > 20);
  assert.equal(await page.evaluate(() => rilleApp.stage.views.length), 2);
  await page.context().close();
});

test("a page shows what cameras and lidars of a live run see", { skip }, async () => {
  const page = await open(browser, await view("figure9_snake_sensors", "--paused"), { width: 1100, height: 640 });
  await shown(page);
  await until(page, () => rilleApp.world.runs[0].sensed.has("lidar"));
  const colours = await page.evaluate(() => rilleApp.world.runs[0].sensed.points.children[0].geometry.getAttribute("color")?.count ?? 0);
  assert.ok(colours > 1000, `${colours} points coloured by range`);
  await page.click("[data-test=tabs] [data-value=layers]");
  await page.locator("[data-layer=sights] >> visible=true").check();
  await until(page, () => rilleApp.world.runs[0].sensed.has("sights"));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
