// SPDX-License-Identifier: Apache-2.0
// A double of the program for tests of the page: speaks docs/viewer-protocol.md, HTTP and WebSocket, with made-up runs.
//
//   node mock/server.mjs [--scene rover|snake|tube] [--replay] [--ab] [--port N] [--token T] [--dist FOLDER] [--paused]
import http from "node:http";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import * as model from "./model.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8" };
const CSP = "default-src 'none'; img-src 'self' data:; script-src 'self'; font-src 'self'; style-src 'self'; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
const TICK = 0.02;
const END = 60;
const TILES = new Map(); // the same ground for all servers of a process

class MockRun {
  constructor(index, options) {
    const Model = { rover: model.Rover, snake: model.Snake, tube: model.Tube }[options.scene];
    this.index = index;
    this.make = () => new Model({ speed: index === 0 ? 0.6 : 0.75 });
    this.replay = options.replay;
    this.paused = options.paused;
    this.speed = 1;
    this.gravity = true;
    this.ruts = new model.Ruts();
    this.restart();
  }
  restart() {
    this.model = this.make();
    Object.assign(this, { time: 0, distance: 0, steps: 0, seq: this.seq ?? 0, times: [], samples: {}, events: [], lift: 0 });
    this.names = Object.keys(this.model.values(0, 0));
    for (const name of this.names) this.samples[name] = [];
    this.ruts = new model.Ruts();
    this.record();
    if (this.replay) this.computeAll();
  }
  computeAll() {
    while (this.time < END - 1e-9) this.step();
    this.events = [
      { time: 12, kind: "command", text: "drive.speed = 0.6 m/s" },
      { time: 31, kind: "validity", text: "wheel_fl.sinkage: beyond half the wheel's radius" },
      { time: 48, kind: "checkpoint", text: "checkpoint at 48 s" },
    ];
    this.seek(0);
  }
  seek(time) {
    this.time = Math.min(Math.max(time, 0), END);
    this.distance = this.model.speed * this.time;
  }
  record() {
    this.times.push(this.time);
    const values = this.model.values(this.time, this.distance);
    for (const name of this.names) this.samples[name].push(values[name]);
    if (this.model.name !== "rover") return;
    for (const w of this.model.wheels(this.distance)) this.ruts.press(w.x, w.y, w.sink, w.slip, 0.16);
  }
  step() {
    this.steps++;
    this.time = Math.round((this.time + TICK) / TICK) * TICK;
    this.distance += this.model.speed * TICK;
    if (!this.replay || this.times.length <= END / TICK) this.record();
  }
  status(dropped = 0) {
    const { time, paused, speed, steps } = this;
    return { op: "status", run: this.index, time, wall: 0, paused, speed, rtf: paused ? 0 : speed, steps, stopped: null, gravity_on: this.gravity, clients: 1, dropped };
  }
  frame(contacts) {
    const moment = this.model.moment(this.time, this.distance);
    if (!contacts) moment.contacts = [];
    return model.frameMessage(this.index, ++this.seq, moment);
  }
  note(kind, text) {
    this.events.push({ time: this.time, kind, text });
    return { op: "events", run: this.index, events: [this.events.at(-1)] };
  }
}

class Client {
  constructor(server, socket) {
    Object.assign(this, { server, socket, plots: new Map(), contacts: false, lastFrame: 0, rate: 60, sentStatus: 0 });
    const { runs, options } = server;
    this.send({
      op: "hello", protocol: 1, version: "mock", mode: options.replay ? "replay" : "live", start: 0, end: END, light: "auto",
      runs: runs.map((r) => ({ run: r.index, name: runs.length > 1 ? `${r.model.name} ${"AB"[r.index]}` : r.model.name, scene: `${r.model.name}.yaml` })),
    });
    for (const run of runs) this.introduce(run);
    socket.on("message", (data) => this.receive(String(data)));
  }
  send(message) {
    this.socket.send(Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }
  introduce(run) {
    this.send({ op: "scene", run: run.index, ...run.model.scene() });
    this.send({ op: "values", run: run.index, values: run.names.map((name, i) => ({ i, name, ...model.Rover.info(name) })) });
    this.send(run.status());
    this.send(run.frame(false));
    this.send({ op: "events", run: run.index, events: run.events });
    if (run.model.name === "rover") for (const tile of this.server.terrain(run.index)) this.send(tile);
    if (run.model.name === "tube") this.send(model.tubeMessage(run.index));
    for (const key of run.ruts.tiles.keys()) this.send(run.ruts.message(run.index, key));
  }
  receive(text) {
    const m = JSON.parse(text);
    this.server.log.push(m);
    const run = this.server.runs[m.run ?? 0];
    const [ok, say, value] = this.act(m, run);
    if (m.id !== undefined) this.send({ op: "answer", to: m.id, ok, text: say, ...(value === undefined ? {} : { value }) });
    this.server.broadcastState();
  }
  act(m, run) {
    const { server } = this;
    switch (m.op) {
      case "pause": for (const r of server.runs) r.paused = true; return [true, ""];
      case "resume": for (const r of server.runs) r.paused = false; return [true, ""];
      case "restart": for (const r of server.runs) r.restart(); for (const c of server.clients) c.replot(); return [true, ""];
      case "checkpoint": server.broadcast(run.note("checkpoint", `checkpoint at ${run.time.toFixed(2)} s`)); return [true, "checkpoint-1.bin written"];
      case "step": for (const r of server.runs) { r.paused = true; for (let k = 0; k < (m.count ?? 1); k++) r.step(); } return [true, ""];
      case "speed": for (const r of server.runs) r.speed = m.factor; return [true, ""];
      case "seek": for (const r of server.runs) r.seek(m.time); return [true, ""];
      case "gravity": run.gravity = m.on; return [true, `gravity is ${m.on ? "on" : "off"}`];
      case "set": return this.set(m, run);
      case "get": return run.names.includes(m.name) ? [true, "", run.samples[m.name].at(-1)] : [false, `no value '${m.name}'`];
      case "move": { const p = run.model.pose(run.distance); run.model.offset[0] += m.position[0] - p.x; run.model.offset[1] += m.position[1] - p.y; return [true, "placed"]; }
      case "plot": return this.plot(m, run);
      case "unplot": this.plots.delete(m.id); return [true, ""];
      case "layer":
        if (m.name === "contacts") this.contacts = m.on;
        if (m.name === "path" && m.on && !this.way) this.sendWay();
        return [true, ""];
      case "rate": this.rate = m.frames; return [true, ""];
      default: return [false, `unknown op '${m.op}'`];
    }
  }
  /** The way so far, in pieces as the program has them. */
  sendWay() {
    this.way = true;
    for (const run of this.server.runs) {
      const { times, samples } = run;
      const places = times.map((t, k) => [t, samples["base.x"]?.[k] ?? 0, samples["base.y"]?.[k] ?? 0, samples["base.z"]?.[k] ?? 0]).filter((_, k) => k % 10 === 0);
      for (let k = 0; 256 * k < places.length; k++) this.send(model.wayMessage(run.index, k, places.slice(256 * k, 256 * k + 256)));
    }
  }
  set(m, run) {
    if (!run.names.includes(m.name)) return [false, `no value '${m.name}'`];
    if (m.name !== "drive.speed") return [false, `'${m.name}' is an output and cannot be set`];
    const match = /^(-?[\d.]+)\s*(m\/s|km\/h)?$/.exec(m.text);
    if (!match) return [false, `'${m.text}' is not a speed: write a number and m/s or km/h`];
    run.model.speed = Number(match[1]) / (match[2] === "km/h" ? 3.6 : 1);
    this.server.broadcast(run.note("command", `${m.name} = ${m.text}`));
    return [true, `${m.name} = ${run.model.speed} m/s`];
  }
  plot(m, run) {
    if (!run.names.includes(m.name)) return [false, `no value '${m.name}'`];
    this.plots.set(m.id, { run, name: m.name, sent: 0, first: true });
    this.pushSeries();
    return [true, ""];
  }
  replot() {
    for (const p of this.plots.values()) Object.assign(p, { sent: 0, first: true });
  }
  pushSeries() {
    for (const [id, p] of this.plots) {
      const n = p.run.times.length;
      if (n === p.sent && !p.first) continue;
      const { unit } = model.Rover.info(p.name);
      this.send({ op: "series", id, run: p.run.index, name: p.name, unit, times: p.run.times.slice(p.sent), values: p.run.samples[p.name].slice(p.sent), append: !p.first });
      p.sent = n;
      p.first = false;
    }
  }
  tick(now) {
    if (now - this.lastFrame < 1000 / this.rate - 4) return;
    this.lastFrame = now;
    for (const run of this.server.runs) this.send(run.frame(this.contacts));
    if (now - this.sentStatus < 100) return;
    this.sentStatus = now;
    for (const run of this.server.runs) this.send(run.status());
    this.pushSeries();
  }
}

export class MockServer {
  constructor(options = {}) {
    this.options = { scene: "rover", replay: false, ab: false, port: 0, token: "test-token", dist: path.join(here, "../dist"), paused: false, ...options };
    this.runs = [new MockRun(0, this.options)];
    if (this.options.ab) this.runs.push(new MockRun(1, this.options));
    this.clients = new Set();
    this.log = [];
  }
  terrain(run) {
    if (!TILES.has(run)) TILES.set(run, model.terrainMessages(run));
    return TILES.get(run);
  }
  async start() {
    if (this.options.scene === "rover") for (const run of this.runs) this.terrain(run.index);
    this.http = http.createServer((q, a) => this.answer(q, a));
    this.ws = new WebSocketServer({ noServer: true, handleProtocols: () => "rille.view.1" });
    this.http.on("upgrade", (q, socket, head) => {
      if (!this.allowed(q)) return void socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
      this.ws.handleUpgrade(q, socket, head, (ws) => this.join(ws));
    });
    await new Promise((resolve) => this.http.listen(this.options.port, "127.0.0.1", resolve));
    this.port = this.http.address().port;
    this.last = performance.now();
    this.timer = setInterval(() => this.tick(), 8);
    return this;
  }
  get url() {
    return `http://127.0.0.1:${this.port}/?token=${this.options.token}`;
  }
  join(ws) {
    const client = new Client(this, ws);
    this.clients.add(client);
    ws.on("close", () => this.clients.delete(client));
  }
  allowed(q) {
    const url = new URL(q.url, "http://x");
    const { origin } = q.headers;
    return url.searchParams.get("token") === this.options.token && (!origin || origin === `http://127.0.0.1:${this.port}`);
  }
  answer(q, a) {
    const { pathname } = new URL(q.url, "http://x");
    const say = (code, text) => a.writeHead(code, { "Content-Type": "text/plain" }).end(text);
    if (pathname === "/" || pathname.startsWith("/mesh/")) {
      if (!this.allowed(q)) return say(403, "The token is missing or wrong.\n");
      if (pathname !== "/") return pathname === "/mesh/0" ? a.writeHead(200).end(model.dish()) : say(404, "no such mesh\n");
    }
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    if (!["index.html", "app.js", "app.css"].includes(name)) return say(404, "not here\n");
    a.writeHead(200, { "Content-Type": TYPES[path.extname(name)], "Content-Security-Policy": CSP, "Cache-Control": "no-store" });
    return a.end(readFileSync(path.join(this.options.dist, name)));
  }
  broadcast(message) {
    for (const client of this.clients) client.send(message);
  }
  broadcastState() {
    for (const client of this.clients) client.sentStatus = 0;
  }
  tick() {
    const now = performance.now();
    const dt = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    for (const run of this.runs) this.advance(run, dt);
    for (const client of this.clients) client.tick(now);
  }
  advance(run, dt) {
    if (run.paused) return;
    if (run.replay) return run.seek(run.time + dt * run.speed);
    run.debt = (run.debt ?? 0) + dt * (run.speed || 20);
    for (; run.debt >= TICK; run.debt -= TICK) run.step();
    for (const key of run.ruts.changed) this.broadcast(run.ruts.message(run.index, key));
    run.ruts.changed.clear();
  }
  async stop() {
    clearInterval(this.timer);
    for (const client of this.clients) client.socket.terminate();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flag = (name) => process.argv.includes(`--${name}`);
  const option = (name, otherwise) => (flag(name) ? process.argv[process.argv.indexOf(`--${name}`) + 1] : otherwise);
  const server = await new MockServer({
    scene: option("scene", "rover"), replay: flag("replay"), ab: flag("ab"), paused: flag("paused"), port: Number(option("port", 0)),
    token: option("token", "test-token"), dist: option("dist", path.join(here, "../dist")),
  }).start();
  console.log(server.url);
}
