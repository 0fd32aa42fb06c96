// SPDX-License-Identifier: Apache-2.0
// The page in a real browser, against the double of the program (mock/). test/program.test.mjs does it against the program itself.
import assert from "node:assert/strict";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PNG } from "pngjs";
import * as model from "../mock/model.mjs";
import { MockServer } from "../mock/server.mjs";
import { open, launch } from "./chromium.mjs";
import { check, compare } from "./picture.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const SMALL = { width: 400, height: 260 };
let browser;
const servers = [];
const serve = async (options) => {
  const server = await new MockServer(options).start();
  servers.push(server);
  return server;
};
before(async () => (browser = await launch()));
afterEach(async () => {
  for (const context of browser.contexts()) await context.close(); // a page that is left behind goes on drawing
});
after(async () => {
  await browser?.close();
  for (const server of servers) await server.stop();
});

const until = (page, test_, argument) => page.waitForFunction(test_, argument, { timeout: 20_000 });
const shown = (page) => until(page, () => window.rilleApp?.stage?.pictures > 1 && rilleApp.runs[0].frame.bodies > 0);

test("the page loads and the robot moves", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url);
  await shown(page);
  const x = () => page.evaluate(() => [...rilleApp.runs[0].frame.position.subarray(0, 180)].join());
  const first = await x();
  await until(page, (old) => [...rilleApp.runs[0].frame.position.subarray(0, 180)].join() !== old, first);
  const bodies = await page.evaluate(() => rilleApp.runs[0].frame.bodies);
  assert.equal(bodies, 60);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("pause, step, speed, restart and gravity are asked for and shown", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url);
  await shown(page);
  await page.click("[data-test=pause]");
  await page.waitForSelector("[data-test=pause][aria-label=Run]");
  await until(page, () => rilleApp.paused());
  const time = server.runs[0].time;
  await page.click("[data-test=step]");
  await until(page, (t) => rilleApp.runs[0].frame.time > t, time);
  assert.ok(Math.abs(server.runs[0].time - time - 0.02) < 1e-9, "one step is one tick");
  await page.selectOption("[data-test=speed]", "5");
  await page.click("[data-test=gravity]");
  await until(page, () => rilleApp.runs[0].status.speed === 5 && !rilleApp.runs[0].status.gravity_on);
  await page.keyboard.press("r");
  await until(page, () => rilleApp.runs[0].status.time === 0);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  await until(page, () => !rilleApp.paused() && rilleApp.runs[0].time > 0);
  await page.context().close();
});

test("layers switch, and those without data say why", async () => {
  const server = await serve({ scene: "rover", paused: true });
  const page = await open(browser, server.url, { width: 1000, height: 700 });
  await shown(page);
  await page.click("[data-test=tabs] [data-value=layers]");
  const before_ = await page.evaluate(() => rilleApp.runs[0].frame.contacts);
  assert.equal(before_, 0, "contacts are sent only when they are shown");
  await page.check("[data-layer=contacts] >> visible=true");
  await until(page, () => rilleApp.runs[0].frame.contacts === 6);
  await page.check("[data-layer=grid] >> visible=true");
  assert.equal(await page.evaluate(() => rilleApp.stage.layersOf(rilleApp.stage.views[0]).grid), true);
  const tethers = page.locator("[data-layer=tethers] >> visible=true");
  assert.equal(await tethers.isDisabled(), true);
  assert.match(await tethers.locator("xpath=..").getAttribute("title"), /no springs/);
  await page.context().close();
});

/** Colour of the picture where places [x, y, z] of the world are. */
async function coloursAt(page, places) {
  const spots = await page.evaluate(async (list) => {
    const { stage, world } = rilleApp;
    stage.draw(0);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const [view] = stage.views;
    const box = view.pane.getBoundingClientRect();
    const { terrain } = world.runs[0];
    return list.map(([x, y]) => {
      const p = view.camera.position.clone().set(x, y, terrain.heightAt(x, y)).project(view.camera);
      return [Math.round(box.left + (box.width * (p.x + 1)) / 2), Math.round(box.top + (box.height * (1 - p.y)) / 2)];
    });
  }, places);
  const png = PNG.sync.read(await page.screenshot());
  return spots.map(([x, y]) => [...png.data.subarray(4 * (y * png.width + x), 4 * (y * png.width + x) + 3)]);
}

test("ruts have the colour of the slip that made them, and a legend", async () => {
  const server = await serve({ scene: "rover", paused: true });
  const page = await open(browser, server.url, { width: 700, height: 460 });
  await shown(page);
  const places = [-0.9, 0, 0.9].map((slip, k) => ({ slip, x: 2.5, y: -3.5 + k }));
  const { ruts, index } = server.runs[0];
  for (const { slip, x, y } of places) ruts.press(x, y, 0.02, slip, 0.3);
  for (const key of ruts.changed) server.broadcast(ruts.message(index, key));
  await until(page, () => rilleApp.ground.length === 0 && rilleApp.world.runs[0].terrain.hasRuts);
  await page.click("[data-test=tabs] [data-value=layers]");
  await page.evaluate(() => {
    Object.assign(rilleApp.state.view[0], { camera: "plan", distance: 8 });
    Object.assign(rilleApp.state.layers, { rutColour: "slip", shadows: false });
    rilleApp.stage.hold = true;
    rilleApp.stage.update();
  });
  assert.match(await page.textContent(".legend"), /Slip.*−1.*1/);
  const [skids, rolls, spins] = await coloursAt(page, places.map(({ x, y }) => [x, y]));
  assert.ok(skids[2] > skids[0] + 30, `skidding is blue: ${skids}`);
  assert.ok(spins[0] > spins[2] + 30, `spinning is red: ${spins}`);
  assert.ok(Math.min(rolls[0], rolls[1]) > Math.max(skids[0], spins[1]) + 40, `rolling is pale: ${rolls}`);
  await page.click("[data-value=natural] >> visible=true >> nth=1");
  const plain = await coloursAt(page, places.map(({ x, y }) => [x, y]));
  assert.ok(Math.abs(plain[0][2] - plain[2][2]) < 25, `without the layer all are alike: ${plain.join(" ")}`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the planned path lies on the ground, its goal stands out, and the layer switches it", async () => {
  const server = await serve({ scene: "rover", paused: true });
  const page = await open(browser, server.url, { width: 700, height: 460 });
  await shown(page);
  await page.click("[data-test=tabs] [data-value=layers]");
  const box = page.locator("[data-layer=plan] >> visible=true");
  assert.equal(await box.isDisabled(), true);
  assert.match(await box.locator("xpath=..").getAttribute("title"), /told where to drive/);
  server.broadcast({ op: "plan", run: 0, rovers: [{ driving: true, goal: 1, motion: [0, -4.5, 2, -4.5], waypoints: [2, -4.5, 2, 1] }] });
  await until(page, () => rilleApp.runs[0].plan.length === 1 && rilleApp.ground.length === 0);
  await page.evaluate(() => {
    Object.assign(rilleApp.state.view[0], { camera: "plan", distance: 9 });
    Object.assign(rilleApp.state.layers, { shadows: false });
    rilleApp.stage.hold = true;
    rilleApp.stage.update();
  });
  const places = [[1, -4.5], [2, 1], [2, -4.33], [3, -2]];
  const yellowGreen = ([r, g, b]) => g > 180 && g > r + 20 && g > b + 80;
  const drawn = await coloursAt(page, places);
  assert.deepEqual(drawn.map(yellowGreen), [true, true, true, false], drawn.join(" "));
  const lifted = await page.evaluate(() => {
    const { planned, terrain } = rilleApp.world.runs[0];
    const p = planned.group.children[1].geometry.getAttribute("position");
    return [...Array(p.count).keys()].map((k) => p.getZ(k) - terrain.heightAt(p.getX(k), p.getY(k)));
  });
  assert.ok(lifted.length > 10 && lifted.every((z) => z > 0 && z < 0.05), `just above the ground: ${lifted.slice(0, 4)}`);
  await until(page, () => !document.querySelector("[data-layer=plan]").disabled);
  await page.uncheck("[data-layer=plan] >> visible=true");
  assert.deepEqual((await coloursAt(page, places)).map(yellowGreen), [false, false, false, false]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the driven path of a replay is there without having been watched, up to the moment shown", async () => {
  const server = await serve({ scene: "rover", replay: true, paused: true });
  const page = await open(browser, server.url, { width: 700, height: 460 });
  await shown(page);
  await page.evaluate(() => {
    Object.assign(rilleApp.state.view[0], { camera: "plan", distance: 11 });
    Object.assign(rilleApp.state.layers, { path: true, shadows: false, robot: false });
    rilleApp.stage.hold = true;
    rilleApp.layersChanged();
  });
  await until(page, () => rilleApp.world.runs[0].driven.places === 301 && rilleApp.ground.length === 0);
  await page.evaluate(() => rilleApp.seek(20));
  await until(page, () => Math.abs(rilleApp.runs[0].frame.time - 20) < 1e-6);
  const { samples, times } = server.runs[0];
  const place = (t) => [samples["base.x"], samples["base.y"]].map((list) => list[times.findIndex((x) => x >= t)]);
  const blue = ([r, , b]) => b > r + 35;
  const colours = await coloursAt(page, [place(15), place(18), place(23)]);
  assert.deepEqual(colours.map(blue), [true, true, false], colours.join(" "));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("maps of hazards and points of a lidar are drawn when a program sends them", async () => {
  const server = await serve({ scene: "rover", paused: true });
  const page = await open(browser, server.url, { width: 700, height: 460 });
  await shown(page);
  await page.click("[data-test=tabs] [data-value=layers]");
  const hazards = page.locator("[data-layer=hazards] >> visible=true");
  const lidar = page.locator("[data-layer=lidar] >> visible=true");
  assert.deepEqual([await hazards.isDisabled(), await lidar.isDisabled()], [true, true]);
  assert.match(await lidar.locator("xpath=..").getAttribute("title"), /scans of a lidar/);
  server.broadcast(model.mapMessage(0, 0, 1, -4, 1, 2, [0, 254, 255, 254])); // bad ground in the east, nothing known in the north-west
  server.broadcast(model.pointsMessage(0, "front", [...Array(900).keys()].map((k) => [-3 + 0.02 * (k % 30), -4 + 0.02 * Math.floor(k / 30), 3])));
  await until(page, () => ["hazards", "lidar"].every((l) => rilleApp.world.runs[0].sensed.has(l)) && rilleApp.ground.length === 0);
  await page.evaluate(() => {
    Object.assign(rilleApp.state.view[0], { camera: "plan", distance: 9 });
    Object.assign(rilleApp.state.layers, { shadows: false, robot: false });
    rilleApp.stage.hold = true;
    rilleApp.stage.update();
  });
  const red = ([r, g]) => r > 2.2 * g;
  const green = ([r, g]) => g > r;
  const cyan = ([r, g, b]) => b > r + 60 && g > r + 40;
  const places = [[2.5, -3.5], [1.5, -3.5], [1.5, -2.5], [-2.7, -3.7]];
  const [bad, good, unknown, seen] = await coloursAt(page, places);
  assert.ok(red(bad) && !red(unknown), `hazard ${bad}, none ${unknown}`);
  assert.ok(good[1] > unknown[1] - unknown[0] + good[0], `good ground is greener: ${good} ${unknown}`);
  assert.ok(cyan(seen), `points: ${seen}`);
  await until(page, () => !document.querySelector("[data-layer=hazards]").disabled);
  await hazards.uncheck();
  await lidar.uncheck();
  const off = await coloursAt(page, places);
  assert.ok(!red(off[0]) && !green(off[1]) && !cyan(off[3]), off.join(" "));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a newcomer finds the chase camera, a plot of slip and the pause button", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url, { width: 900, height: 560 });
  await shown(page);
  for (const words of [/^Pause$/, /^Chase$/, /slip/]) {
    const found = page.getByRole("button", { name: words }).first();
    await found.waitFor({ timeout: 20_000 });
    const box = await found.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 560 && box.x >= 0 && box.x + box.width <= 900, `${words} is on the screen`);
  }
  await page.getByRole("button", { name: "Chase" }).first().click();
  assert.equal(await page.evaluate(() => rilleApp.stage.views[0].kind), "chase");
  await page.getByRole("button", { name: /slip/ }).first().click();
  await page.waitForSelector("[data-test=plot]");
  await page.getByRole("button", { name: "Pause" }).first().click();
  await until(page, () => rilleApp.paused());
  await page.context().close();
});

test("a value is found by search, plotted, and the plot fills", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url);
  await shown(page);
  await page.fill("[data-test=plot-search]", "fl slip");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-test=plot]");
  await until(page, () => rilleApp.plots.samples[0] > 20);
  await until(page, () => {
    // the curve is drawn with the next frame of the page
    const canvas = document.querySelector("[data-test=plot] canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let blue = 0;
    for (let k = 0; k < data.length; k += 4) if (data[k + 2] > 200 && data[k] < 110 && data[k + 3] > 200) blue++;
    return blue > 20;
  });
  await page.context().close();
});

test("a value is set, with the program's answer, good or bad", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url);
  await shown(page);
  await page.click("[data-test=tabs] [data-value=values]");
  await page.fill("[data-test=value-search]", "drive.speed = 3.6 km/h");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-test=set-reply].ok");
  assert.equal(server.runs[0].model.speed, 1);
  await page.fill("[data-test=value-search]", "base.x = 3");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-test=set-reply].bad");
  assert.match(await page.textContent("[data-test=set-reply]"), /cannot be set/);
  await page.context().close();
});

test("a reload keeps viewports, cameras, layers and plots; the run goes on", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url);
  await shown(page);
  await page.evaluate(() => {
    rilleApp.plots.add("base.z");
    rilleApp.setViews(2);
  });
  await page.click(".pane:nth-child(2) [data-test=cameras] [data-value=plan]");
  await page.keyboard.press("a");
  await until(page, () => Object.values(localStorage).some((kept) => kept.includes('"plan"') && kept.includes('"frames":true')));
  const time = server.runs[0].time;
  await page.reload();
  await shown(page);
  const state = await page.evaluate(() => ({ views: rilleApp.stage.views.length, camera: rilleApp.state.view[1].camera, frames: rilleApp.state.layers.frames, plots: rilleApp.state.plots.map((p) => p.signals[0].name) }));
  assert.deepEqual(state, { views: 2, camera: "plan", frames: true, plots: ["base.z"] });
  await until(page, (t) => rilleApp.runs[0].time > t && rilleApp.plots.samples[0] > 10, time);
  await page.context().close();
});

test("a lost connection is told and comes back; a wrong token is told", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url);
  await shown(page);
  const { port } = server;
  await server.stop();
  await page.waitForSelector(".banner:not([hidden])");
  assert.match(await page.textContent(".banner"), /Connection lost/);
  await serve({ scene: "snake", port });
  await page.waitForSelector(".banner[hidden]", { state: "attached", timeout: 20_000 });
  await servers.at(-1).stop();
  await serve({ scene: "snake", port, token: "another" });
  await until(page, () => /token is not accepted/.test(document.querySelector(".banner").textContent));
  await page.context().close();
});

test("a page that connects again has the new sun", async () => {
  const server = await serve({ scene: "rover", paused: true });
  const page = await open(browser, server.url, SMALL);
  await shown(page);
  const light = () => page.evaluate(() => rilleApp.world.sky.sun.position.clone().sub(rilleApp.world.sky.sun.target.position).normalize().toArray());
  const [, , high] = await light();
  assert.ok(Math.abs(high - Math.sin(0.55)) < 0.01, `${high}`);
  const { port } = server;
  await server.stop();
  await page.waitForSelector(".banner:not([hidden])");
  const again = new MockServer({ scene: "rover", paused: true, port });
  const { model } = again.runs[0];
  const scene = model.scene();
  model.scene = () => ({ ...scene, sun: { azimuth: 1, elevation: 0.2 } });
  servers.push(await again.start());
  await page.waitForSelector(".banner[hidden]", { state: "attached", timeout: 20_000 });
  await until(page, (z) => {
    const { sun } = rilleApp.world.sky;
    return Math.abs((sun.position.z - sun.target.position.z) / sun.position.distanceTo(sun.target.position) - z) < 0.01;
  }, Math.sin(0.2));
  await page.context().close();
});

test("token and origin are enforced", async () => {
  const server = await serve({ scene: "snake" });
  const status = (url, headers = {}) => new Promise((resolve) => http.get(url, { headers }, (a) => resolve(a.resume().statusCode)));
  assert.equal(await status(`http://127.0.0.1:${server.port}/`), 403);
  assert.equal(await status(`http://127.0.0.1:${server.port}/?token=guess`), 403);
  const page = await open(browser, "about:blank");
  const closed = await page.evaluate((url) => new Promise((resolve) => {
    const socket = new WebSocket(url, "rille.view.1");
    socket.onopen = () => resolve("open");
    socket.onclose = () => resolve("closed");
  }), `${server.url.replace("http", "ws").replace("/?", "/ws?")}`);
  assert.equal(closed, "closed", "a page of another origin");
  await page.context().close();
});

test("a replay is scrubbed by the timeline", async () => {
  const server = await serve({ scene: "snake", replay: true, paused: true });
  const page = await open(browser, server.url);
  await shown(page);
  const box = await page.locator("[data-test=timeline]").boundingBox();
  await page.mouse.move(box.x + 10, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 12, { steps: 4 });
  await page.mouse.up();
  await until(page, () => Math.abs(rilleApp.runs[0].frame.time - 45) < 0.3);
  assert.equal(await page.locator(".markers .marker").count(), 3);
  await page.context().close();
});

test("a live run is looked at in its past while it goes on", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url);
  await until(page, () => window.rilleApp?.runs[0]?.history.length > 20);
  const [at, wanted] = await page.evaluate(() => {
    const { history, frame } = rilleApp.runs[0];
    const moment = (history.first + history.last) / 2;
    rilleApp.seek(moment);
    return [frame.time, moment];
  });
  assert.ok(at <= wanted && wanted - at < 0.5, `${at} for ${wanted}`);
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => rilleApp.runs[0].frame.time), at);
  await page.keyboard.press("l");
  await until(page, (t) => rilleApp.lookAt === null && rilleApp.runs[0].frame.time > t, at);
  await page.context().close();
});

test("two runs stand side by side with one time and a difference plot", async () => {
  const server = await serve({ scene: "snake", ab: true });
  const page = await open(browser, server.url);
  await shown(page);
  await page.evaluate(() => rilleApp.plots.add("base.x"));
  await until(page, () => Number.parseFloat(document.querySelector("[data-test=difference-value]")?.textContent.replace("−", "-")) < 0);
  const state = await page.evaluate(() => ({ views: rilleApp.stage.views.length, runs: rilleApp.stage.views.map((v) => v.state.run) }));
  assert.deepEqual(state, { views: 2, runs: ["a", "b"] });
  await page.keyboard.press("Space");
  await until(page, () => rilleApp.paused() && rilleApp.runs[0].frame.time === rilleApp.runs[1].frame.time);
  await page.context().close();
});

test("the robot is placed by dragging it", async () => {
  const server = await serve({ scene: "rover", paused: true });
  const page = await open(browser, server.url, { width: 800, height: 500 });
  await shown(page);
  await page.click("[data-test=place]");
  const box = await page.locator(".pane").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 10, { steps: 3 });
  await page.mouse.up();
  await until(page, () => Math.hypot(rilleApp.runs[0].frame.position[0], rilleApp.runs[0].frame.position[1] + 2) > 0.3);
  assert.equal(server.log.filter((m) => m.op === "move").length, 1);
  await page.context().close();
});

test("without WebGL the page says so and the rest works", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url, undefined, () => {
    HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
      apply: (f, self, args) => (String(args[0]).startsWith("webgl") ? null : f.apply(self, args)),
    });
  });
  await page.waitForSelector(".notice");
  await page.evaluate(() => rilleApp.plots.add("base.x"));
  await until(page, () => rilleApp.plots.samples[0] > 5);
  await page.context().close();
});

test("keys open the sheet of keys and change the camera", async () => {
  const server = await serve({ scene: "snake" });
  const page = await open(browser, server.url);
  await shown(page);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help[open]");
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  assert.equal(await page.getAttribute("[data-test=cameras] [data-value=chase]", "aria-pressed"), "true");
  await page.context().close();
});

for (const [name, options, query] of [
  ["rover_orbit", { scene: "rover" }, "camera=orbit&at=6&layers=contacts"],
  ["rover_plan_slope", { scene: "rover" }, "camera=plan&at=6&layers=slope,grid"],
  ["snake_orbit", { scene: "snake" }, "camera=orbit&at=2&theme=light"],
  ["tube_chase", { scene: "tube" }, "camera=chase&at=4"],
]) {
  test(`the picture ${name} looks as it should`, async () => {
    const server = await serve({ ...options, replay: true, paused: true });
    const page = await open(browser, `${server.url}&shot=1&${query}`, SMALL);
    await page.waitForFunction(() => window.rilleReady === true, null, { timeout: 40_000 });
    assert.equal(await page.title(), "rille: ready");
    const bytes = await page.screenshot();
    const result = check(bytes, path.join(here, "reference", `${name}.png`), path.join(os.tmpdir(), `rille-${name}.png`));
    assert.ok(result.mean < 4 && result.far < 0.02, `${name}: mean ${result.mean.toFixed(2)}, blocks that differ ${(100 * result.far).toFixed(2)} %`);
    if (name === "snake_orbit") {
      await page.evaluate(() => window.rilleSeek(3.1));
      const later = compare(PNG.sync.read(await page.screenshot()), PNG.sync.read(bytes));
      assert.ok(later.far > 0.02, "another moment is another picture: the comparison can fail");
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
