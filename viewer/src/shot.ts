// SPDX-License-Identifier: Apache-2.0
// Pictures for reports: `?shot=1&camera=NAME&at=TIME[&layers=grid,contacts][&views=2]` hides the
// panels, waits until the picture of that moment stands, then sets `window.rilleReady` and the
// title `rille: ready`. `window.rilleSeek(time)` makes the next picture of a video.
import type { App } from "./app";
import { defaultSettings, setLayer, takeScene } from "./settings";

declare global {
  interface Window {
    rilleReady: boolean;
    rilleSeek: (time: number) => Promise<void>;
    rilleApp: App;
  }
}

const SETTLED = 250; // [ms] without new ground
const PATIENCE = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(test: () => boolean): Promise<boolean> {
  const end = performance.now() + PATIENCE;
  while (!test()) {
    if (performance.now() > end) return false;
    await pause(15);
  }
  return true;
}

export async function shoot(app: App, query: URLSearchParams): Promise<void> {
  window.rilleReady = false;
  document.title = "rille: waiting";
  window.rilleSeek = (time) => standAt(app, time);
  await until(() => app.runs.length > 0 && app.runs.every((r) => r.scene !== null && r.frame.bodies > 0));
  arrange(app, query);
  await Promise.all((app.world?.runs ?? []).map((v) => v.robot.ready));
  await until(() => app.ground.length === 0 && performance.now() - app.lastTerrain > SETTLED);
  const at = query.get("at");
  await standAt(app, at === null ? Number.NaN : Number(at));
  window.rilleReady = true;
  document.title = "rille: ready";
}

function arrange(app: App, query: URLSearchParams): void {
  const state = defaultSettings(app.runs.length);
  const scene = app.runs[0]?.scene;
  if (scene) takeScene(state, scene);
  const theme = query.get("theme");
  if (theme === "dark" || theme === "light") state.theme = theme;
  if (query.get("views") === "2") state.views = 2;
  else if (query.get("views") === "4") state.views = 4;
  else state.views = 1;
  for (const name of (query.get("layers") ?? "").split(",")) setLayer(state.layers, name);
  const camera = query.get("camera");
  const known = app.runs[0]?.scene?.cameras.some((c) => c.name === camera);
  if (camera) state.view[0].camera = known ? `name:${camera}` : camera;
  if (!known && camera && !["orbit", "chase", "plan", "onboard", "fixed"].includes(camera)) state.view[0].camera = "orbit";
  app.adoptSettings(state);
  app.lastTerrain = performance.now(); // what these layers need is on its way
  if (app.stage) app.stage.hold = true;
}

/** Brings every run to a moment and draws it. NaN: the moment that is shown. */
async function standAt(app: App, time: number): Promise<void> {
  if (!Number.isNaN(time)) await reach(app, time);
  for (const view of app.world?.runs ?? []) view.run.fresh = true;
  app.stage?.update(); // scales know what has come since
  for (let k = 0; k < 2; k++) {
    app.stage?.draw(0);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

async function reach(app: App, time: number): Promise<void> {
  if (app.replay) {
    const before = app.runs.map((r) => r.received);
    await app.link.request({ op: "pause", run: 0 });
    await app.link.request({ op: "seek", time });
    await until(() => app.runs.every((r, k) => r.received > before[k] && Math.abs(r.frame.time - time) < 0.25));
    await pause(30);
    return;
  }
  await until(() => app.runs.every((r) => r.history.last >= time - 1e-9 || r.status?.stopped != null));
  app.seek(time);
}
