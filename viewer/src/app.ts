// SPDX-License-Identifier: Apache-2.0
// The page: connects, keeps what the program says, and ties the parts together.
//
//   Link -> messages -> Run (frames, values, events) -> World -> Stage (viewports)
//                    -> SignalStore -> PlotPanel
//   Toolbar, Timeline, panels, keys -> requests -> Link
import * as THREE from "three";
import { Link, type LinkState } from "./connection";
import { button, clock, h, segmented } from "./dom";
import { LayerList } from "./layers_panel";
import { Banner, Help, Notes } from "./messages";
import { Placer } from "./place";
import { PlotPanel } from "./plots";
import * as P from "./protocol";
import { Run } from "./run";
import { SearchBox } from "./search";
import * as settings from "./settings";
import { openDrawing, Stage, type Drawing } from "./stage";
import { Timeline } from "./timeline";
import { SPEEDS, Toolbar } from "./toolbar";
import { ValuesPanel } from "./values_panel";
import { World, type RunView } from "./world";

export interface AppOptions {
  token: string;
  plain: boolean; // no panels: pictures for reports
}

const SEEK_EVERY = 40; // [ms] while scrubbing
const STATUS_EVERY = 100;
const VALUES_EVERY = 1000;
const GROUND_BUDGET = 12; // [ms] per picture for new ground: the first picture does not wait for all of it

export class App {
  readonly link: Link;
  readonly world: World | null;
  readonly stage: Stage | null = null;
  readonly notes = new Notes();
  private readonly banner = new Banner();
  private readonly help = new Help();
  private readonly toolbar: Toolbar;
  private readonly timeline: Timeline;
  private readonly valuesPanel: ValuesPanel;
  private readonly layerList: LayerList;
  readonly plots: PlotPanel;
  private untouched = false; // nobody has arranged this page yet: the scene's own camera and plots are taken
  private readonly placer: Placer;
  private readonly side = h("aside", { className: "side" });
  private readonly eventList = h("div", { className: "tab-body events" });
  private readonly images = h("div", { className: "images" });
  private plotSearch!: SearchBox;
  runs: Run[] = [];
  state: settings.Settings = settings.defaultSettings(1);
  hello: P.Hello | null = null;
  lookAt: number | null = null; // a moment of a live run's past
  seekWanted: number | null = null;
  private seekSent = 0;
  lastTerrain = 0; // when ground last arrived
  errors: string[] = [];
  private saveTimer = 0;
  private tabs!: { element: HTMLElement; update: () => void };

  constructor(readonly options: AppOptions) {
    this.link = new Link(options.token, {
      text: (message) => this.receive(message),
      binary: (data) => this.receiveBinary(data),
      state: (state, detail) => this.linkState(state, detail),
    });
    THREE.Object3D.DEFAULT_UP.set(0, 0, 1);
    this.placer = new Placer(() => this.stage, (run, position, quaternion, settle) => void this.ask({ op: "move", run, position, quaternion, settle }));
    const drawing = openDrawing(this.options.plain);
    this.world = drawing ? new World() : null;
    if (drawing && this.world) this.stage = this.makeStage(drawing, this.world);
    this.plots = new PlotPanel(this.signalSource(), this.state);
    this.plots.onChange = () => this.changed();
    this.toolbar = this.makeToolbar();
    this.timeline = new Timeline(this.timeSource());
    this.valuesPanel = new ValuesPanel(this.valuesSource());
    this.layerList = new LayerList({
      get: () => this.state.layers,
      changed: () => {
        this.layersChanged();
        this.changed();
      },
      missing: (key) => this.missing(key),
    });
    this.build();
    this.theme();
    setInterval(() => this.slowTick(), STATUS_EVERY);
    setInterval(() => this.state.tab === "values" && void this.valuesPanel.ask(), VALUES_EVERY);
    document.addEventListener("visibilitychange", () => this.sendRate());
    document.addEventListener("keydown", (e) => this.key(e));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme());
  }

  start(): void {
    this.link.open();
  }

  // ---- what is on the page ----

  private makeStage(drawing: Drawing, world: World): Stage {
    return new Stage(drawing, world, {
      settings: () => this.state,
      changed: () => {
        this.layersChanged();
        this.changed();
      },
      missing: (key) => this.missing(key),
      picked: (name) => {
        this.openTab("values");
        this.valuesPanel.search(name);
      },
      beforeFrame: (interval) => {
        this.sendSeek();
        this.takeGround(Math.max(GROUND_BUDGET, Math.min(interval / 2, 150)));
      },
    }, this.options.plain);
  }

  private build(): void {
    document.body.classList.toggle("plain", this.options.plain);
    this.tabs = segmented(
      [
        { value: "plots", label: "Plots" },
        { value: "values", label: "Values", title: "Look at and set any value (V)" },
        { value: "layers", label: "Layers", title: "What is drawn" },
        { value: "events", label: "Events" },
      ],
      () => this.state.tab,
      (tab) => this.openTab(tab),
      "tabs",
    );
    this.tabs.element.dataset.test = "tabs";
    this.side.append(this.tabs.element, this.plotsTab(), this.valuesPanel.element, h("div", { className: "tab-body" }, this.layerList.element), this.eventList);
    const stage = this.stage?.element ?? this.noWebgl();
    document.body.append(
      this.toolbar.element,
      h("div", { className: "middle" }, stage, this.side),
      this.timeline.element,
      this.banner.element,
      this.notes.element,
      this.images,
      this.help.element,
    );
    this.openTab(this.state.tab);
  }

  private noWebgl(): HTMLElement {
    return h(
      "main",
      { className: "stage empty" },
      h(
        "div",
        { className: "notice" },
        h("h2", {}, "This browser cannot draw in 3-D"),
        h("p", {}, "WebGL 2 is missing or switched off. Plots, values and control work nevertheless. In most browsers graphics acceleration in the settings brings it back."),
      ),
    );
  }

  private plotsTab(): HTMLElement {
    const note = h("p", { className: "hint" }, "Drag to zoom, double click for all");
    this.plotSearch = new SearchBox("Search a value to plot…", () => this.allValues(), (value) => this.plots.add(value.name), () => this.plots.cancelTarget());
    this.plotSearch.input.dataset.test = "plot-search";
    this.plots.onTarget = (name) => {
      this.plotSearch.input.placeholder = name ? `Add to the plot of ${name}…` : "Search a value to plot…";
      if (name) this.plotSearch.input.focus();
    };
    const span = h("select", { title: "How much of the run the plots show" });
    for (const [value, label] of [["0", "whole run"], ["5", "last 5 s"], ["20", "last 20 s"], ["60", "last minute"], ["600", "last 10 min"]]) {
      span.append(h("option", { value }, label));
    }
    span.onchange = () => {
      this.state.window = Number(span.value);
      this.plots.zoom(null);
      this.changed();
    };
    this.windowPick = span;
    const all = button("All", "Undo the zoom", () => this.plots.zoom(null), undefined, "quiet");
    this.suggestions = h("div", { className: "suggestions" });
    return h("div", { className: "tab-body plots-tab" }, this.plotSearch.element, this.suggestions, h("div", { className: "row" }, span, all, note), this.plots.list);
  }
  private windowPick!: HTMLSelectElement;
  private suggestions!: HTMLElement;

  /** A few values that a newcomer would like to see. */
  private suggest(): void {
    const patterns = [/slip$/, /sinkage$/, /^base\.(z|height)$/, /(^|\.)pitch$/, /(speed|velocity)$/, /^energy\.total$/, /position$/];
    const names = new Set<string>();
    for (const pattern of patterns) {
      const hit = this.allValues().find((v) => pattern.test(v.name));
      if (hit && names.size < 5) names.add(hit.name);
    }
    this.suggestions.replaceChildren(...[...names].map((name) => button(name, `Plot ${name}`, () => this.plots.add(name), "plus", "chip-button")));
  }

  openTab(tab: settings.Settings["tab"]): void {
    this.state.tab = tab;
    this.state.panel = true;
    this.showPanel();
    [...this.side.children].slice(1).forEach((body, k) => ((body as HTMLElement).hidden = ["plots", "values", "layers", "events"][k] !== tab));
    this.tabs.update();
    if (tab === "values") void this.valuesPanel.ask();
    if (tab === "layers") this.layerList.update();
    if (tab === "plots") this.plots.redraw();
    this.changed();
  }

  private showPanel(): void {
    document.body.classList.toggle("no-panel", !this.state.panel);
  }

  theme(): void {
    const dark = this.state.theme === "dark" || (this.state.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.world?.setDark(dark);
    this.plots.rebuild();
    this.stage?.touch();
  }

  // ---- the run as a whole ----

  get replay(): boolean {
    return this.hello?.mode === "replay";
  }
  get time(): number {
    return this.runs[0]?.time ?? 0;
  }

  span(): [number, number] {
    const start = this.hello?.start ?? 0;
    const newest = Math.max(...this.runs.map((r) => Math.max(r.status?.time ?? start, r.history.last || start)), start);
    return [start, Math.max(this.hello?.end ?? start, newest, start + 1e-6)];
  }

  allValues(): P.ValueInfo[] {
    return this.runs[0]?.values ?? [];
  }

  /** Why a layer has nothing to show, or "". */
  missing(key: keyof settings.Layers | "soil" | "slope" | "slip"): string {
    const views = this.world?.runs ?? [];
    const some = (test: (v: RunView) => boolean): boolean => views.some(test);
    const ground = some((v) => v.run.scene?.terrain != null);
    switch (key) {
      case "ornaments":
        return some((v) => v.robot.hasOrnaments) ? "" : "This scene has no ornaments";
      case "tethers":
        return some((v) => (v.run.scene?.springs.length ?? 0) > 0) ? "" : "This scene has no springs or tethers";
      case "com":
        return some((v) => v.robot.hasMass) ? "" : "The bodies have no masses";
      case "contacts":
      case "support":
      case "tracks":
        return ground ? "" : "This scene has no ground to touch";
      case "ruts":
      case "slip":
        return some((v) => v.terrain.hasRuts) ? "" : "No ruts in this run yet";
      case "soil":
        return some((v) => v.terrain.hasSoil) ? "" : "The ground has one material only";
      case "plan":
        return some((v) => v.run.plan.some((r) => r.motion.length + r.waypoints.length > 0)) ? "" : "No rover of this run has been told where to drive";
      case "hazards":
      case "goodness":
      case "mapCost":
      case "mapSlip":
      case "mapEnergy":
      case "mapRisk":
        return some((v) => v.sensed.has(key)) ? "" : "Comes with maps of the robot's navigation; this run has sent none";
      case "lidar":
        return some((v) => v.sensed.has(key) || this.sensors(v.run, "lidars") > 0) ? "" : "Comes with scans of a lidar; this run has sent none";
      case "pictures":
        return this.images.childElementCount > 0 || some((v) => this.sensors(v.run, "cameras") > 0) ? "" : "This run has no cameras that work";
      case "sights":
        return some((v) => v.sensed.has(key) || this.sensors(v.run, "cameras") > 0) ? "" : "This run has no cameras that work";
      case "slope":
      case "contours":
        return some((v) => v.terrain.hasHeights || v.terrain.hasMesh) ? "" : "The ground is flat or not there";
      default:
        return "";
    }
  }

  /** Sensors of a live run; logs have none that a page can ask. */
  private sensors(run: Run, what: "cameras" | "lidars"): number {
    return this.replay ? 0 : (run.scene?.sensors?.[what] ?? 0);
  }

  // ---- requests ----

  /** Asks and shows the answer if it is bad, or if it says something. */
  async ask(message: Record<string, unknown>, quiet = false): Promise<P.Answer> {
    const answer = await this.link.request(message);
    if (!answer.ok) this.notes.say(answer.text || "not done", true);
    else if (!quiet) this.notes.say(answer.text);
    return answer;
  }

  /** Pause, speed and the like act on all runs: they keep one time. */
  private all(message: Record<string, unknown>): void {
    void this.ask({ ...message, run: 0 }, true);
  }

  private eachRun(message: Record<string, unknown>, quiet = false): void {
    for (const run of this.runs) void this.ask({ ...message, run: run.index }, quiet);
  }

  paused(): boolean {
    return this.runs.length > 0 && this.runs.every((r) => r.status?.paused ?? false);
  }

  private stopped(): string | null {
    return this.runs.length > 0 && this.runs.every((r) => r.status?.stopped != null) ? (this.runs[0].status?.stopped ?? null) : null;
  }

  togglePause(): void {
    if (this.stopped() !== null && !this.replay) return this.all({ op: "restart" });
    this.all({ op: this.paused() ? "resume" : "pause" });
  }

  setSpeed(factor: number): void {
    this.all({ op: "speed", factor });
  }

  private changeSpeed(by: number): void {
    const now = this.runs[0]?.status?.speed ?? 1;
    const known = SPEEDS.filter((s) => s > 0);
    const k = known.reduce((best, s, i) => (Math.abs(s - now) < Math.abs(known[best] - now) ? i : best), 0);
    this.setSpeed(known[Math.min(Math.max(k + by, 0), known.length - 1)]);
  }

  /** Goes to a moment: a replay seeks, a live run is looked at in the page's memory. */
  seek(time: number): void {
    if (this.replay) {
      this.seekWanted = time;
      return;
    }
    const last = this.runs[0]?.history.last ?? 0;
    this.lookAt = time >= last - 1e-9 ? null : time;
    for (const run of this.runs) run.show(this.lookAt);
    this.stage?.touch();
  }

  /** While scrubbing only the last wish goes out, and not too often. */
  private sendSeek(): void {
    const now = performance.now();
    if (this.seekWanted === null || now - this.seekSent < SEEK_EVERY) return;
    this.link.send({ op: "seek", time: this.seekWanted });
    this.seekSent = now;
    this.seekWanted = null;
  }

  live(): void {
    this.seek(Infinity);
  }

  private sendRate(): void {
    this.link.send({ op: "rate", frames: document.hidden ? 1 : 60 });
  }

  private layersChanged(): void {
    const any = (key: keyof settings.Layers): boolean => this.stage?.any(key) ?? false;
    this.link.send({ op: "layer", name: "contacts", on: any("contacts") || any("support") || any("tracks") });
    this.link.send({ op: "layer", name: "ruts", on: any("ruts") });
    this.link.send({ op: "layer", name: "path", on: any("path") });
    const has = (what: "cameras" | "lidars"): boolean => this.runs.some((run) => this.sensors(run, what) > 0);
    this.link.send({ op: "layer", name: "pictures", on: has("cameras") && any("pictures") });
    this.link.send({ op: "layer", name: "clouds", on: has("lidars") && any("lidar") });
    this.link.send({ op: "layer", name: "sights", on: has("cameras") && any("sights") });
    this.images.hidden = !any("pictures");
    this.stage?.update();
    if (this.state.tab === "layers") this.layerList.update();
  }

  // ---- messages ----

  private linkState(state: LinkState, _detail: string): void {
    document.body.dataset.link = state;
    if (state === "open") {
      this.banner.hide();
      this.sendRate();
    } else if (state === "lost") {
      this.banner.show("Connection lost.", "The program has ended or the network is down. Trying again…");
    } else if (state === "refused") {
      this.banner.show("The token is not accepted.", "The program was started again: open the address that it printed last.", {
        label: "Try again",
        run: () => this.link.open(),
      });
    }
  }

  private receive(message: P.ServerMessage): void {
    switch (message.op) {
      case "hello":
        return this.onHello(message);
      case "scene":
        return this.onScene(message);
      case "status":
        return this.onStatus(message);
      case "values":
        return this.onValues(message);
      case "series":
        return this.plots.store.receive(message.id, message.times, message.values, message.append, message.unit);
      case "events":
        return this.onEvents(message);
      case "plan":
        return this.onPlan(message);
      case "answer":
        return this.onAnswer(message);
      case "lost":
        return this.notes.say(`${message.answers} answers were lost: too many requests at once`, true);
    }
  }

  /** Answers that nobody waits for: those of plots. */
  private onAnswer(answer: P.Answer): void {
    const signal = this.plots.store.byId(answer.to);
    if (answer.ok) return;
    if (signal) signal.series.error = "no data";
    this.notes.say(answer.text, true);
  }

  private onHello(hello: P.Hello): void {
    const sameRuns = JSON.stringify(this.hello?.runs) === JSON.stringify(hello.runs);
    const again = this.hello !== null && sameRuns;
    this.hello = hello;
    if (hello.protocol !== 1) this.banner.show("Another version.", `The program speaks protocol ${hello.protocol}, this page 1. Reload the page.`);
    this.ground.length = 0;
    this.runs = hello.runs.map((r) => new Run(r.run, r.name, r.scene));
    this.world?.clear();
    this.images.replaceChildren();
    for (const run of this.runs) this.world?.addRun(run, (mesh) => this.loadMesh(mesh));
    this.lookAt = null;
    if (!again) {
      this.untouched = !settings.arranged(this.sceneKey());
      this.adoptSettings(settings.load(this.sceneKey(), this.runs.length));
    } else {
      this.plots.store.askAgain();
      this.layersChanged();
    }
    this.stage?.arrange(this.placer);
  }

  private sceneKey(): string {
    return this.runs.map((r) => r.sceneName).join(" + ");
  }

  adoptSettings(state: settings.Settings): void {
    this.state = state;
    this.plots.restore(state);
    this.windowPick.value = String(state.window);
    this.theme();
    const panel = state.panel;
    this.openTab(state.tab);
    state.panel = panel;
    this.showPanel();
    this.stage?.arrange(this.placer);
    this.layersChanged();
  }

  private view(run: number): RunView | undefined {
    return this.world?.runs[run];
  }

  private onScene(scene: P.SceneMessage): void {
    const run = this.runs[scene.run];
    if (!run) return;
    run.scene = scene;
    const view = this.view(scene.run);
    if (view) this.world?.buildRun(view);
    if (this.untouched && scene.run === 0) {
      this.untouched = false;
      settings.takeScene(this.state, scene);
      this.adoptSettings(this.state);
    }
    this.stage?.setCameras();
    this.stage?.touch();
    this.layerList.update();
    if (scene.sensors) this.layersChanged();
  }

  private onStatus(status: P.Status): void {
    const run = this.runs[status.run];
    if (run) run.status = status;
  }

  private onValues(message: P.ValuesMessage): void {
    const run = this.runs[message.run];
    if (!run) return;
    run.values = message.values;
    this.valuesPanel.reset();
    if (message.run === 0) this.suggest();
    this.plots.rebuild();
  }

  private onPlan(message: P.PlanMessage): void {
    const run = this.runs[message.run];
    if (!run) return;
    run.plan = message.rovers;
    this.view(message.run)?.planChanged();
    this.stage?.touch();
  }

  private onEvents(message: P.EventsMessage): void {
    this.runs[message.run]?.addEvents(message.events);
    this.drawEvents();
  }

  private drawEvents(): void {
    const rows = this.events().map(({ run, event }) => {
      const row = h(
        "button",
        { type: "button", className: `event ${event.kind}`, title: "Go to this moment", onclick: () => this.seek(event.time) },
        h("i", { className: `marker ${event.kind}` }),
        h("b", {}, clock(event.time)),
        h("em", {}, this.runs.length > 1 ? (run === 0 ? "A" : "B") : ""),
        h("span", {}, event.text),
      );
      return row;
    });
    this.eventList.replaceChildren(...(rows.length > 0 ? rows : [h("p", { className: "hint" }, "Nothing has happened yet: commands, stops, checkpoints and validity warnings will be listed here.")]));
  }

  events(): { run: number; event: P.RunEvent }[] {
    return this.runs.flatMap((r) => r.events.map((event) => ({ run: r.index, event }))).sort((a, b) => a.event.time - b.event.time);
  }

  private receiveBinary(data: DataView): void {
    this.guard(() => this.dispatch(data));
  }

  /** A message that cannot be read is told once and does no harm. */
  private guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!this.errors.includes(text)) this.notes.say(`A message of the program could not be read: ${text}`, true);
      this.errors.push(text);
    }
  }

  private dispatch(data: DataView): void {
    const { kind, run } = P.decodeHead(data);
    const view = this.view(run);
    if (kind === P.Kind.Frame) return this.onFrame(data, run);
    if (!view) return;
    if (kind === P.Kind.Points) view.sensed.setPoints(P.decodePoints(data));
    else if (kind === P.Kind.Sight) view.sensed.setSight(P.decodeSight(data), 1.5 * view.robot.size, 0.01 * view.robot.size);
    else if (kind === P.Kind.Map) view.sensed.setMap(P.decodeMap(data));
    else if (kind === P.Kind.Way) this.onWay(view, P.decodeWay(data));
    else if (kind === P.Kind.Image) this.onImage(P.decodeImage(data), run);
    else if (kind >= P.Kind.Tile && kind <= P.Kind.Rut) this.ground.push(data);
    else throw new P.ProtocolError(`message of kind ${kind}`);
    if (kind === P.Kind.Points || kind === P.Kind.Map || kind === P.Kind.Sight) this.stage?.touch();
  }

  /** Builds waiting ground, oldest first, at least one piece. */
  takeGround(budget: number): void {
    const end = performance.now() + budget;
    let n = 0;
    while (n < this.ground.length && (n === 0 || performance.now() < end)) this.guard(() => this.addGround(this.ground[n++]));
    this.ground.splice(0, n);
  }
  readonly ground: DataView[] = [];

  private addGround(data: DataView): void {
    const { kind, run } = P.decodeHead(data);
    const view = this.view(run);
    if (!view) return;
    this.lastTerrain = performance.now();
    if (kind === P.Kind.Tile) view.terrain.addTile(P.decodeTile(data));
    else if (kind === P.Kind.Mesh) view.terrain.addMesh(P.decodeMesh(data, 4));
    else view.terrain.addRut(P.decodeRut(data));
    if (kind === P.Kind.Mesh) this.world?.applyLook();
    this.stage?.touch();
  }

  private onFrame(data: DataView, index: number): void {
    const run = this.runs[index];
    if (!run) return;
    const again = run.take(data, !this.replay, this.lookAt);
    const view = this.view(index);
    if (again) this.startedOver(view);
    if (view && this.lookAt === null) view.overlays.record(run.frame);
  }

  private startedOver(view: RunView | undefined): void {
    view?.overlays.forget();
    if (this.replay) return;
    this.ground.splice(0, this.ground.length, ...this.ground.filter((data) => P.decodeHead(data).kind !== P.Kind.Rut));
    view?.terrain.clearRuts();
    this.lookAt = null;
  }

  private onWay(view: RunView, piece: P.WayPiece): void {
    view.driven.set(piece);
    this.lastTerrain = performance.now();
    this.stage?.touch();
  }

  private onImage(image: P.CameraImage, run: number): void {
    const name = this.runs.length > 1 ? `${run === 0 ? "A" : "B"} ${image.camera}` : image.camera;
    let box = [...this.images.children].find((e) => (e as HTMLElement).dataset.camera === name);
    if (!box) {
      const wide = button("", "Large or small", () => box?.classList.toggle("large"), undefined, "quiet");
      wide.append(h("canvas"));
      box = h("figure", { data: { camera: name } }, wide, h("figcaption", {}, name));
      this.images.append(box);
      if (this.sensors(this.runs[run], "cameras") === 0) { // a program that was not asked
        this.state.layers.pictures = true;
        this.layersChanged();
      }
    }
    const canvas = box.querySelector("canvas");
    void createImageBitmap(new Blob([image.jpeg], { type: "image/jpeg" })).then((bitmap) => {
      if (!canvas) return;
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    });
  }

  private async loadMesh(mesh: number): Promise<ArrayBuffer> {
    const answer = await fetch(`/mesh/${mesh}?token=${encodeURIComponent(this.options.token)}`);
    if (!answer.ok) {
      this.notes.say(`Mesh ${mesh} could not be loaded (${answer.status})`, true);
      throw new Error(`mesh ${mesh}`);
    }
    return answer.arrayBuffer();
  }

  // ---- sources for the parts ----

  private signalSource(): ConstructorParameters<typeof PlotPanel>[0] {
    return {
      ask: (run, name) => {
        const id = this.link.freshId();
        const [from] = this.span();
        this.link.send({ op: "plot", id, run, name, from, to: 1e12 });
        return id;
      },
      drop: (id) => void this.link.send({ op: "unplot", id }),
      unit: (run, name) => this.runs[run]?.values.find((v) => v.name === name)?.unit ?? "",
      runs: () => Math.max(this.runs.length, 1),
      runName: (run) => this.runs[run]?.name ?? "",
      time: () => this.time,
      span: () => this.plotSpan(),
      seek: (time) => this.seek(time),
    };
  }

  /** A live run's plots end at the newest moment, not at the planned end. */
  private plotSpan(): [number, number] {
    const [start, end] = this.span();
    if (this.replay) return [start, end];
    const newest = Math.max(...this.runs.map((r) => r.history.last || 0), this.time, start);
    return [start, Math.max(newest, start + 0.1)];
  }

  private timeSource(): ConstructorParameters<typeof Timeline>[0] {
    return {
      span: () => this.span(),
      time: () => this.time,
      seen: () => (this.replay ? this.span() : [this.runs[0]?.history.first || 0, this.runs[0]?.history.last || 0]),
      seek: (time) => this.seek(time),
      events: () => this.events(),
    };
  }

  private valuesSource(): ConstructorParameters<typeof ValuesPanel>[0] {
    return {
      values: (run) => this.runs[run]?.values ?? [],
      runs: () => Math.max(this.runs.length, 1),
      get: (run, name) => this.link.request({ op: "get", run, name }),
      set: (run, name, text) => this.link.request({ op: "set", run, name, text }),
      plot: (name) => {
        this.plots.add(name);
        this.notes.say(`${name} is plotted`);
      },
    };
  }

  private makeToolbar(): Toolbar {
    const status = (): P.Status | null => this.runs[0]?.status ?? null;
    return new Toolbar({
      paused: () => this.paused(),
      replay: () => this.replay,
      speed: () => status()?.speed ?? 1,
      rtf: () => status()?.rtf ?? 0,
      time: () => this.time,
      past: () => this.lookAt !== null,
      gravityOn: () => status()?.gravity_on ?? true,
      stopped: () => this.stopped(),
      title: () => this.runs.map((r) => r.name || r.sceneName).join("  vs  "),
      clients: () => status()?.clients ?? 0,
      settings: () => this.state,
      togglePause: () => this.togglePause(),
      step: () => this.all({ op: "step", count: 1 }),
      restart: () => this.all({ op: "restart" }),
      setSpeed: (factor) => this.setSpeed(factor),
      live: () => this.live(),
      gravity: () => this.eachRun({ op: "gravity", on: !(status()?.gravity_on ?? true) }),
      checkpoint: () => this.eachRun({ op: "checkpoint" }),
      place: () => this.togglePlace(),
      placing: () => this.placer.active,
      setViews: (n) => this.setViews(n),
      copyLink: () => this.copyLink(),
      theme: () => this.switchTheme(),
      help: () => this.help.toggle(),
      panel: () => this.togglePanel(),
    });
  }

  private togglePlace(): void {
    this.placer.active = !this.placer.active;
    document.body.classList.toggle("placing", this.placer.active);
    if (this.placer.active) this.notes.say("Drag the robot. Wheel: turn it. Shift: lift it.");
  }

  setViews(n: 1 | 2 | 4): void {
    this.state.views = n;
    this.stage?.arrange(this.placer);
    this.layersChanged();
    this.changed();
  }

  private copyLink(): void {
    const address = settings.link(this.state);
    history.replaceState(null, "", address);
    const done = (): void => this.notes.say("The link is in the address bar" + (navigator.clipboard ? " and the clipboard" : ""));
    navigator.clipboard?.writeText(address).then(done, done) ?? done();
  }

  private switchTheme(): void {
    this.state.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    this.theme();
    this.changed();
  }

  private togglePanel(): void {
    this.state.panel = !this.state.panel;
    this.showPanel();
    this.changed();
  }

  /** Keeps the arrangement, a little later. */
  private changed(): void {
    if (this.options.plain || this.hello === null) return;
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => {
      settings.save(this.sceneKey(), this.state);
      if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    }, 150) as unknown as number;
  }

  private slowTick(): void {
    this.toolbar.update();
    this.timeline.update();
    if (this.state.panel && this.state.tab === "plots") this.plots.tick();
    if (this.state.tab === "layers") this.layerList.update();
  }

  // ---- keys ----

  private key(e: KeyboardEvent): void {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (e.key === " " && target.tagName === "BUTTON") return;
    const action = this.actions()[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }

  private toggleLayer(key: "grid" | "contacts" | "tracks" | "frames" | "labels"): void {
    const view = this.stage?.views[this.stage.focused];
    const layers = view && this.stage ? this.stage.layersOf(view) : this.state.layers;
    layers[key] = !layers[key];
    this.layersChanged();
    this.changed();
  }

  private nudge(by: number): void {
    const [t0, t1] = this.span();
    this.seek(Math.min(Math.max(this.time + by * Math.max((t1 - t0) / 200, 0.02), t0), t1));
  }

  private actions(): Record<string, () => void> {
    const camera = (name: string) => (): void => this.stage?.setCamera(name);
    return {
      " ": () => this.togglePause(),
      ".": () => this.all({ op: "step", count: 1 }),
      r: () => this.all({ op: "restart" }),
      l: () => this.live(),
      ArrowLeft: () => this.nudge(-1),
      ArrowRight: () => this.nudge(1),
      "+": () => this.changeSpeed(1),
      "=": () => this.changeSpeed(1),
      "-": () => this.changeSpeed(-1),
      "1": () => this.setViews(1),
      "2": () => this.setViews(2),
      "4": () => this.setViews(4),
      o: camera("orbit"),
      c: camera("chase"),
      p: camera("plan"),
      b: camera("onboard"),
      f: camera("fixed"),
      Home: () => this.stage?.views[this.stage.focused]?.recentre(),
      g: () => this.toggleLayer("grid"),
      k: () => this.toggleLayer("contacts"),
      t: () => this.toggleLayer("tracks"),
      a: () => this.toggleLayer("frames"),
      n: () => this.toggleLayer("labels"),
      m: () => this.togglePlace(),
      "/": () => {
        this.openTab("plots");
        this.plotSearch.input.focus();
      },
      v: () => {
        this.openTab("values");
        this.valuesPanel.search("");
      },
      x: () => this.togglePanel(),
      d: () => this.switchTheme(),
      "?": () => this.help.toggle(),
    };
  }
}
