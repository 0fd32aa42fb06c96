// SPDX-License-Identifier: Apache-2.0
// What needs no browser: decoders of the protocol, series, decimation, search, settings.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import * as model from "../mock/model.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), "rille-page-"));
after(() => rmSync(work, { recursive: true, force: true }));

async function load(name) {
  const outfile = path.join(work, `${name}.mjs`);
  await esbuild.build({ entryPoints: [path.join(here, `../src/${name}.ts`)], outfile, bundle: true, format: "esm", logLevel: "error", loader: { ".css": "empty" } });
  return import(pathToFileURL(outfile).href);
}
const P = await load("protocol");
const R = await load("run");
const plots = await load("plots");
const search = await load("search");
const settings = await load("settings");
const overlays = await load("overlays");

const view = (buffer) => new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
const moment = {
  time: 1.25,
  bodies: [[1, 2, 3, [1, 0, 0, 0]], [-4, 5, 6, [Math.SQRT1_2, 0, 0, Math.SQRT1_2]]],
  contacts: [[0.1, 0.2, 0.3, 10, 20, 30]],
  springs: [[0, 0, 0, 1, 1, 1, 7]],
};

test("a frame is decoded as it was written", () => {
  const frame = new P.Frame();
  frame.decode(view(model.frameMessage(1, 42, moment)));
  assert.equal(frame.seq, 42);
  assert.equal(frame.time, 1.25);
  assert.deepEqual([frame.bodies, frame.contacts, frame.springs], [2, 1, 1]);
  assert.deepEqual([...frame.position.subarray(3, 6)], [-4, 5, 6]);
  const q = frame.quaternion.subarray(4, 8);
  assert.ok(Math.abs(q[2] - Math.SQRT1_2) < 3e-5 && Math.abs(q[3] - Math.SQRT1_2) < 3e-5);
  assert.ok(Math.abs(Math.hypot(...q) - 1) < 1e-6, "quaternions have unit length");
  assert.deepEqual([...frame.contact.subarray(3, 6)], [10, 20, 30]);
  assert.equal(frame.spring[6], 7);
});

test("a second frame of the same size allocates nothing", () => {
  const frame = new P.Frame();
  const data = view(model.frameMessage(0, 1, moment));
  frame.decode(data);
  const arrays = [frame.position, frame.quaternion, frame.contact, frame.spring];
  frame.decode(data);
  assert.deepEqual([frame.position, frame.quaternion, frame.contact, frame.spring].map((a, k) => a === arrays[k]), [true, true, true, true]);
});

test("messages of every wrong length are refused", () => {
  const makers = [
    [model.frameMessage(0, 1, moment), (d) => new P.Frame().decode(d)],
    [model.tileMessage(0, 0, 0, 0, 3, 3, 0, 0, 1), P.decodeTile],
    [model.meshBytes([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), (d) => P.decodeMesh(d, 0)],
  ];
  for (const [bytes, decode] of makers) {
    decode(view(bytes));
    for (let n = 0; n < bytes.length; n++) assert.throws(() => decode(view(bytes.subarray(0, n))), P.ProtocolError);
    assert.throws(() => decode(view(Buffer.concat([bytes, Buffer.alloc(1)]))), P.ProtocolError);
  }
});

test("counts that promise more than there is are refused before anything is allocated", () => {
  const mesh = Buffer.alloc(8);
  mesh.writeUInt32LE(0xffffffff, 0);
  mesh.writeUInt32LE(0xffffffff, 4);
  assert.throws(() => P.decodeMesh(view(mesh), 0), P.ProtocolError);
  const tile = Buffer.alloc(44);
  tile.writeUInt16LE(65535, 16);
  tile.writeUInt16LE(65535, 18);
  assert.throws(() => P.decodeTile(view(tile)), P.ProtocolError);
});

test("a mesh with an index beyond its points is refused", () => {
  assert.throws(() => P.decodeMesh(view(model.meshBytes([[0, 0, 0]], [[0, 0, 1]])), 0), /index 1 of 1/);
});

test("a tile keeps heights to half a step, and gaps as NaN", () => {
  const bytes = model.tileMessage(0, 2, -3, 4, 5, 4, -10, 20, 0.5);
  bytes.writeUInt16LE(65535, 44 + 2 * 7);
  const tile = P.decodeTile(view(bytes));
  assert.deepEqual([tile.level, tile.tileX, tile.tileY, tile.nx, tile.ny], [2, -3, 4, 5, 4]);
  tile.height.forEach((z, k) => {
    const [x, y] = [-10 + 0.5 * (k % 5), 20 + 0.5 * Math.floor(k / 5)];
    if (k === 7) assert.ok(Number.isNaN(z));
    else assert.ok(Math.abs(z - model.groundHeight(x, y)) < 0.0003);
  });
});

test("pieces of a way are read, and bad ones refused", () => {
  const piece = P.decodeWay(view(model.wayMessage(0, 3, [[1, 2, 3, 4], [5, 6, 7, 8]])));
  assert.equal(piece.piece, 3);
  assert.deepEqual([...piece.places], [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(P.decodeWay(view(model.wayMessage(0, 0, []))).places.length, 0);
  assert.throws(() => P.decodeWay(view(model.wayMessage(0, 0, [[1, 2, 3, 4]]).subarray(0, 20))), P.ProtocolError);
  assert.throws(() => P.decodeWay(view(model.wayMessage(0, 5000, []))), P.ProtocolError);
});

test("ranged points go from red to blue, and sights know which of their border lies on the ground", async () => {
  const cloud = P.decodePoints(view(model.pointsMessage(0, "mid", [[1, 2, 3], [4, 5, 6]], [0.5, 20])));
  assert.deepEqual([...cloud.range], [0.5, 20]);
  assert.throws(() => P.decodePoints(view(model.pointsMessage(0, "mid", [[1, 2, 3]], [1]).subarray(0, 30))), P.ProtocolError);
  const sensed = await load("sensed");
  const [near, far] = [sensed.rangeColour(0), sensed.rangeColour(1)];
  assert.deepEqual([near, far], [[1, 0, 0], [0, 0, 1]]);
  const rays = [[1, 1, 0, 1], [1, -1, 0, 1], [9, -1, 5, 0], [9, 1, 5, -1]];
  const sight = P.decodeSight(view(model.sightMessage(0, "hazcam", [0, 0, 1], rays)));
  assert.deepEqual([sight.name, ...sight.eye], ["hazcam", 0, 0, 1]);
  assert.deepEqual(sensed.footprint(sight), [[1, 1, 0, 1, -1, 0]]);
  assert.equal(sensed.frustum(sight, 2).length, 5); // three corners have a ray, two pairs of them are neighbours
  for (const edge of sensed.frustum(sight, 2).filter((e) => e[0] === 0)) assert.ok(Math.hypot(edge[3], edge[4], edge[5] - 1) < 2 + 1e-6);
  for (const bad of [model.sightMessage(0, "a", [0, 0, 0], rays.slice(1)), model.sightMessage(0, "a", [0, 0, 0], rays).subarray(0, 40)]) {
    assert.throws(() => P.decodeSight(view(bad)), P.ProtocolError);
  }
});

test("points and maps are read, and bad ones refused", async () => {
  const cloud = P.decodePoints(view(model.pointsMessage(0, "front", [[1, 2, 3], [4, 5, 6]])));
  assert.equal(cloud.name, "front");
  assert.deepEqual([...cloud.position], [1, 2, 3, 4, 5, 6]);
  assert.throws(() => P.decodePoints(view(model.pointsMessage(0, "a", [[1, 2, 3]]).subarray(0, 20))), P.ProtocolError);
  const map = P.decodeMap(view(model.mapMessage(0, 1, -1, -2, 0.5, 3, [0, 127, 254, 255, 1, 2])));
  assert.deepEqual([map.what, map.x0, map.y0, map.cell, map.nx, map.ny], [1, -1, -2, 0.5, 3, 2]);
  assert.deepEqual([...map.value], [0, 127, 254, 255, 1, 2]);
  for (const bad of [model.mapMessage(0, 6, 0, 0, 1, 1, [0]), model.mapMessage(0, 0, 0, 0, -1, 1, [0]), model.mapMessage(0, 0, Number.NaN, 0, 1, 1, [0]), model.mapMessage(0, 0, 0, 0, 1, 2, [0, 0]).subarray(0, 25)]) {
    assert.throws(() => P.decodeMap(view(bad)), P.ProtocolError);
  }
  assert.equal(P.MAP_KINDS[P.decodeMap(view(model.mapMessage(0, 5, 0, 0, 1, 1, [0]))).what], "mapRisk");
  const { mapColour } = await load("sensed");
  assert.deepEqual(mapColour(0, true).slice(0, 3), mapColour(1, false).slice(0, 3), "no hazard looks like good ground");
  assert.ok(mapColour(1, true)[3] > mapColour(0, true)[3]);
});

test("ruts are in metres, positive downwards", () => {
  const ruts = new model.Ruts(0.05, 16);
  ruts.press(0.4, 0.4, 0.0321, 0.5, 0.1);
  const tile = P.decodeRut(view(ruts.message(0, "0 0")));
  assert.ok(Math.abs(Math.max(...tile.depth) - 0.0321) < 1e-6);
  assert.ok(Math.min(...tile.depth) < 0, "the berm stands above the ground");
  assert.equal(Math.max(...tile.slip), 192);
});

test("angles are plotted in degrees, everything else as it comes", () => {
  assert.deepEqual(plots.shownUnit("m"), { unit: "m", scale: 1 });
  assert.deepEqual(plots.shownUnit("rad"), { unit: "deg", scale: 180 / Math.PI });
  assert.equal(plots.shownUnit("rad/s").unit, "deg/s");
  assert.equal(plots.shownUnit("N*m/rad").scale, 1);
  const store = new plots.SignalStore({ ask: () => 7, drop: () => {}, unit: () => "rad" });
  const signal = store.use(0, "base.pitch");
  store.receive(7, [0, 1, 2], [0, Math.PI / 2, null], false, "rad");
  assert.equal(signal.series.unit, "deg");
  assert.ok(Math.abs(signal.series.values[1] - 90) < 1e-4);
  assert.ok(Number.isNaN(signal.series.values[2]));
});

test("a frame that says the same again asks for no new picture", () => {
  const run = new R.Run(0, "a", "b");
  run.take(view(model.frameMessage(0, 1, moment)), true, null);
  assert.equal(run.fresh, true);
  run.fresh = false;
  run.take(view(model.frameMessage(0, 2, moment)), true, null);
  assert.equal(run.fresh, false);
  run.take(view(model.frameMessage(0, 3, { ...moment, bodies: [moment.bodies[1], moment.bodies[0]] })), true, null);
  assert.equal(run.fresh, true, "moved while the time stands");
});

test("the history answers with the frame at or before a time, and thins itself", () => {
  const history = new R.History(10_000);
  for (let k = 0; k < 1000; k++) history.push(k * 0.1, new DataView(new ArrayBuffer(100)));
  assert.ok(history.length <= 101, String(history.length));
  assert.equal(history.first, 0);
  assert.ok(Math.abs(history.last - 99.9) < 1e-9);
  history.push(5, new DataView(new ArrayBuffer(100)));
  assert.equal(history.length, 1, "a run that starts over forgets");
});

test("a series grows, interpolates, and drops what a restart makes untrue", () => {
  const s = new R.Series();
  s.append(Array.from({ length: 1000 }, (_, k) => k), Array.from({ length: 1000 }, (_, k) => 2 * k));
  assert.equal(s.interpolate(10.25), 20.5);
  assert.ok(Number.isNaN(s.interpolate(-1)) && Number.isNaN(s.interpolate(1000)));
  assert.equal(s.nearest(10.6), 22);
  s.append([500], [7]);
  assert.equal(s.length, 501);
  s.append([501, 502], [null, 1]);
  assert.ok(Number.isNaN(s.values[501]), "null is a gap");
});

test("decimation loses no peak, whatever the number of columns", () => {
  const s = new R.Series();
  const n = 20_000;
  const values = Array.from({ length: n }, (_, k) => Math.sin(k * 0.01));
  values[7777] = 50;
  values[12345] = -40;
  s.append(Array.from({ length: n }, (_, k) => k), values);
  for (const columns of [50, 97, 300]) {
    const y = [];
    plots.decimate(s, 0, n, columns, y);
    const seen = y.filter((v) => v !== null);
    assert.equal(seen.length, 2 * columns);
    assert.equal(Math.max(...seen), 50);
    assert.equal(Math.min(...seen), -40);
  }
});

test("the difference of two runs with other sample times is that of the lines", () => {
  const [a, b, d] = [new R.Series(), new R.Series(), new R.Series()];
  a.append([0, 1, 2, 3], [0, 2, 4, 6]);
  b.append([0.5, 2.5], [0.5, 2.5]);
  plots.difference(a, b, d);
  assert.deepEqual([...d.times.subarray(0, d.length)], [1, 2]);
  assert.deepEqual([...d.values.subarray(0, d.length)], [1, 2]);
});

test("search finds words in any order, globs, and prefers starts of words", () => {
  const values = ["wheel_fl.slip", "wheel_fl.sinkage", "base.slipway", "energy.total"].map((name, i) => ({ i, name, doc: "", unit: "", kind: "", writable: false }));
  assert.equal(search.find(values, "slip fl", 5).hits[0].name, "wheel_fl.slip");
  assert.deepEqual(search.find(values, "wheel*sink", 5).hits.map((v) => v.name), ["wheel_fl.sinkage"]);
  assert.equal(search.find(values, "nothing", 5).total, 0);
  assert.equal(search.find(values, "(.*[", 5).total, 0, "text is not a pattern");
});

test("settings from outside are adopted only where they fit", () => {
  const s = settings.restore(1, { views: 3, theme: 7, panel: false, plots: [{ signals: [{ run: 0, name: "a" }, { run: "x" }, 5], difference: true }, null], layers: { grid: true, contacts: "yes" } });
  assert.equal(s.views, 1);
  assert.equal(s.theme, "auto");
  assert.equal(s.panel, false);
  assert.deepEqual(s.plots[0], { difference: true, signals: [{ run: 0, name: "a" }] });
  assert.equal(s.layers.grid, true);
  assert.equal(s.layers.contacts, false);
  for (const odd of [null, 5, "x", [], { view: 3 }, { view: [{ layers: 1 }] }]) assert.equal(settings.restore(2, odd).view.length, 4);
});

test("a page that nobody has arranged begins with the scene's camera, layers and plots", () => {
  const view = { kind: "plan", azimuth: 1, elevation: 0.2, distance: 5, target: [1, 2, 3], follow: false, layers: "slope,contacts,slip,nonsense" };
  const scene = { run: 0, view, plots: [{ title: "a", values: ["x", "y"] }, { title: "nothing", values: [] }] };
  const s = settings.defaultSettings(1);
  settings.takeScene(s, scene);
  assert.equal(s.view[0].camera, "plan");
  assert.equal(s.view[0].distance, 5);
  assert.equal(s.view[0].free, true);
  assert.deepEqual(s.view[0].offset, [1, 2, 3]);
  assert.equal(s.layers.surface, "slope");
  assert.equal(s.layers.rutColour, "slip");
  assert.equal(s.layers.contacts, true);
  assert.deepEqual(s.plots, [{ difference: false, signals: [{ run: 0, name: "x" }, { run: 0, name: "y" }] }]);
  settings.takeScene(s, { ...scene, plots: [{ title: "b", values: ["z"] }] });
  assert.equal(s.plots.length, 1); // plots that are there stay
});

test("the sun goes along its track, the short way round", async () => {
  const { sunAt } = await load("look");
  const track = [[0, 6.2, 0.1], [60, 0.1, 0.3]];
  assert.equal(sunAt({ azimuth: 1, elevation: 2 }, 5).azimuth, 1);
  const half = sunAt({ azimuth: 0, elevation: 0, track }, 30);
  assert.ok(Math.abs(half.azimuth - (6.2 + (0.1 + 2 * Math.PI - 6.2) / 2)) < 1e-12 && Math.abs(half.elevation - 0.2) < 1e-12);
  assert.equal(sunAt({ azimuth: 0, elevation: 0, track }, 1e9).elevation, 0.3);
});

test("ground looks like what it is made of", async () => {
  const { stuffOf } = await load("look");
  assert.equal(stuffOf({ name: "glacier_ice" }), "ice");
  assert.equal(stuffOf({ name: "ground", soil: "mars_dune_sand_reece" }), "sand");
  assert.equal(stuffOf({ name: "bedrock" }), "rock");
  assert.equal(stuffOf({ name: "anything" }), "ground");
});

test("a planned way keeps its corners, and goes on from the motion through the waypoints left", async () => {
  const plan = await load("plan");
  const way = plan.resample([[0, 0], [1, 0], [1, 2]], 0.3);
  assert.equal(way.length, 4 + 7 + 1);
  assert.ok(way.some(([x, y]) => x === 1 && y === 0) && way.at(-1)[1] === 2);
  for (let k = 1; k < way.length; k++) assert.ok(Math.hypot(way[k][0] - way[k - 1][0], way[k][1] - way[k - 1][1]) <= 0.3 + 1e-12);
  assert.ok(plan.resample([[0, 0], [1e9, 0]], 0.1).length < 1000, "a way to the end of the world has few pieces");
  assert.deepEqual(plan.resample([], 1), []);
  const rover = { driving: true, goal: 2, motion: [0, 0, 3, 3], waypoints: [1, 1, 4, 4, 5, 5] };
  assert.deepEqual(plan.rest(rover), [[3, 3], [5, 5]]);
  assert.deepEqual(plan.rest({ ...rover, driving: false, goal: 0 }), [[1, 1], [4, 4], [5, 5]]);
  assert.deepEqual(plan.rest({ ...rover, motion: [] }), [[4, 4], [5, 5]]);
});

test("the hull of a square with inner points is its corners", () => {
  const points = [[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.2, 0.9]].map(([x, y]) => ({ x, y }));
  assert.equal(overlays.convexHull(points).length, 4);
});
