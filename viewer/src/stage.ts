// SPDX-License-Identifier: Apache-2.0
// The canvas and its viewports: layout, the loop of pictures, what each viewport shows. Pictures
// are drawn only while something changes.
import * as THREE from "three";
import { button, h, number, segmented } from "./dom";
import { LayerList, type LayerSource } from "./layers_panel";
import { REGION_COLOURS } from "./look";
import type { CameraInfo } from "./protocol";
import type { Layers, RunChoice, Settings } from "./settings";
import { Viewport, type DragHandler } from "./viewport";
import type { RunView, World } from "./world";

const LINGER = 1500; // [ms] of pictures after the last change: cameras settle
const SLOW = 34; // [ms] per picture from which the quality goes down

/** Steps of quality: resolution against the screen's, pixels per cell of the ground, side of the shadow map. */
const QUALITY = [
  { ratio: 1, cell: 5, shadow: 2048 },
  { ratio: 0.85, cell: 9, shadow: 1024 },
  { ratio: 0.7, cell: 14, shadow: 1024 },
  { ratio: 0.55, cell: 20, shadow: 512 },
];

export interface StageHost {
  settings(): Settings;
  changed(): void;
  missing(key: Parameters<LayerSource["missing"]>[0]): string;
  picked(name: string): void;
  beforeFrame(interval: number): void; // since the last picture [ms]
}

export class Stage {
  readonly element = h("main", { className: "stage" });
  readonly views: Viewport[] = [];
  readonly renderer: THREE.WebGLRenderer;
  private readonly grid = h("div", { className: "panes" });
  private readonly chrome: { update: () => void }[] = [];
  private activeUntil = 0;
  private last = 0;
  private quality = 0;
  private slow = 0;
  focused = 0;
  pictures = 0;
  adaptive: boolean;
  hold = false; // cameras do not lag behind (pictures without a viewer)

  constructor(
    drawing: Drawing,
    private readonly world: World,
    private readonly host: StageHost,
    best: boolean,
  ) {
    const { canvas, context } = drawing;
    const software = !best && drawing.software;
    this.adaptive = !best;
    if (software) this.quality = QUALITY.length - 1; // the first picture soon; a still one is drawn in full
    this.renderer = new THREE.WebGLRenderer({ canvas, context });
    this.renderer.debug.checkShaderErrors = !software; // asking waits for each one
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.95;
    this.renderer.autoClear = false;
    this.element.append(canvas, this.grid);
    new ResizeObserver(() => this.touch()).observe(this.element);
    requestAnimationFrame((t) => this.tick(t));
  }

  /** Arranges the panes as the settings say. */
  arrange(drag: DragHandler): void {
    const settings = this.host.settings();
    this.views.length = 0;
    this.chrome.length = 0;
    this.grid.replaceChildren();
    this.grid.dataset.count = String(settings.views);
    this.focused = Math.min(this.focused, settings.views - 1);
    for (let k = 0; k < settings.views; k++) {
      const view = new Viewport(settings.view[k]);
      view.drag = drag;
      view.onChange = () => {
        this.host.changed();
        this.touch();
      };
      view.onFocus = () => {
        this.focused = k;
        this.update();
      };
      view.onPick = (ray) => this.pick(view, ray);
      this.views.push(view);
      this.decorate(view, k);
      this.grid.append(view.pane);
    }
    this.setCameras();
    this.update();
  }

  /** Something changed: draw for a while. */
  touch(): void {
    this.activeUntil = performance.now() + LINGER;
  }

  update(): void {
    for (const c of this.chrome) c.update();
    this.views.forEach((v, k) => v.pane.classList.toggle("focused", k === this.focused && this.views.length > 1));
    this.touch();
  }

  setCameras(): void {
    for (const view of this.views) view.cameras = this.runOf(view.state.run)?.run.scene?.cameras ?? [];
    for (const c of this.chrome) c.update();
  }

  layersOf(view: Viewport): Layers {
    return view.state.layers ?? this.host.settings().layers;
  }

  runOf(choice: RunChoice): RunView | undefined {
    return this.world.runs[choice === "b" ? 1 : 0] ?? this.world.runs[0];
  }

  /** True if any viewport shows a layer. */
  any(key: keyof Layers): boolean {
    return this.views.some((view) => Boolean(this.layersOf(view)[key]));
  }

  setCamera(camera: string, k = this.focused): void {
    const view = this.views[k];
    if (!view) return;
    if (view.kind === "plan" || camera === "plan") view.state.distance = 0;
    view.state.camera = camera;
    view.snap();
    this.host.changed();
    this.update();
  }

  private pick(view: Viewport, ray: THREE.Raycaster): void {
    const run = this.runOf(view.state.run);
    const hit = run?.robot.pick(ray);
    if (run && hit) this.host.picked(run.robot.names[hit.body] ?? "");
  }

  private decorate(view: Viewport, k: number): void {
    const kinds = segmented(
      [
        { value: "orbit", label: "Orbit", title: "Look from all sides (O)" },
        { value: "chase", label: "Chase", title: "Behind the robot (C)" },
        { value: "plan", label: "Plan", title: "From above, north up (P)" },
        { value: "onboard", label: "On board", title: "From the robot (B)" },
        { value: "fixed", label: "Fixed", title: "The camera stays where it is (F)" },
      ],
      () => view.state.camera,
      (value) => this.setCamera(value, k),
    );
    kinds.element.dataset.test = "cameras";
    const named = h("select", { className: "named", title: "Cameras of the scene" });
    named.onchange = () => this.setCamera(named.value, k);
    const run = h("select", { title: "Which run this viewport shows", data: { test: "view-run" } });
    for (const [value, label] of [["a", "A"], ["b", "B"], ["both", "A + B"]]) run.append(h("option", { value }, label));
    run.onchange = () => {
      view.state.run = run.value as RunChoice;
      view.snap();
      this.setCameras();
      view.onChange();
    };
    const popover = this.layerPopover(view);
    const layers = button("", "Layers of this viewport", () => {
      popover.element.hidden = !popover.element.hidden;
      popover.update();
    }, "layers", "quiet");
    const legend = h("div", { className: "legend" });
    view.pane.append(h("div", { className: "view-bar" }, kinds.element, named, run, layers), popover.element, legend);
    this.chrome.push({
      update: () => {
        kinds.update();
        this.fillNamed(named, view);
        run.hidden = this.world.runs.length < 2;
        run.value = view.state.run;
        popover.update();
        layers.classList.toggle("on", view.state.layers !== null);
        this.drawLegend(legend, this.layersOf(view), view);
      },
    });
  }

  private fillNamed(select: HTMLSelectElement, view: Viewport): void {
    const names = view.cameras.map((c: CameraInfo) => c.name);
    select.hidden = names.length === 0;
    const signature = names.join("\n");
    if (select.dataset.names !== signature) {
      select.dataset.names = signature;
      const options = names.map((name) => h("option", { value: `name:${name}` }, name));
      select.replaceChildren(h("option", { value: "", disabled: true }, "Scene…"), ...options);
    }
    select.value = view.named() ? view.state.camera : "";
  }

  private layerPopover(view: Viewport): { element: HTMLElement; update: () => void } {
    const own = h("input", { type: "checkbox" });
    const changed = (): void => {
      this.host.changed();
      this.update();
    };
    const list = new LayerList({ get: () => this.layersOf(view), changed, missing: (key) => this.host.missing(key) });
    own.onchange = () => {
      view.state.layers = own.checked ? { ...this.host.settings().layers } : null;
      changed();
    };
    const label = h("label", { className: "check strong" }, own, "Own layers for this viewport");
    const element = h("div", { className: "popover", hidden: true }, label, list.element);
    const update = (): void => {
      own.checked = view.state.layers !== null;
      if (!element.hidden) list.update();
    };
    return { element, update };
  }

  private drawLegend(box: HTMLElement, layers: Layers, view: Viewport): void {
    const run = this.runOf(view.state.run);
    if (!run) return;
    const items: HTMLElement[] = [];
    const bar = (className: string, low: string, high: string, title: string): void => {
      items.push(h("div", { className: "scale" }, h("span", {}, title), h("i", { className }), h("em", {}, `${low} … ${high}`)));
    };
    const [low, high] = run.terrain.range;
    if (layers.surface === "slope") bar("hazard", "0", "35°", "Slope");
    if (layers.surface === "height" && Number.isFinite(low)) bar("ramp", number(low), `${number(high)} m`, "Height");
    if (layers.rutColour === "slip" && run.terrain.hasRuts) bar("slip", "−1 skids", "spins 1", "Slip");
    if (layers.rutColour === "sinkage" && run.terrain.hasRuts) bar("ramp", "0", `${number(1000 * run.terrain.sinkageScale)} mm`, "Sinkage");
    if (layers.contours && run.terrain.hasHeights) items.push(h("div", { className: "scale" }, `Contours every ${number(run.terrain.contourStep)} m`));
    if (layers.contacts && run.overlays.metresPerNewton > 0) {
      items.push(h("div", { className: "scale" }, `Force arrows: 1 m is ${number(1 / run.overlays.metresPerNewton)} N`));
    }
    if (layers.surface === "soil") items.push(this.soilLegend(run));
    box.replaceChildren(...items);
  }

  private soilLegend(run: RunView): HTMLElement {
    const materials = run.run.scene?.terrain?.materials ?? [];
    const names = materials.length > 0 ? materials.map((m) => m.name) : ["0", "1", "2", "3"];
    return h(
      "div",
      { className: "scale soils" },
      ...names.slice(0, 8).map((name, k) => {
        const swatch = h("i", { className: "swatch" });
        swatch.style.setProperty("--c", `#${REGION_COLOURS[k % 8].toString(16).padStart(6, "0")}`);
        return h("span", {}, swatch, name);
      }),
    );
  }

  private tick(now: number): void {
    requestAnimationFrame((t) => this.tick(t));
    this.host.beforeFrame(now - this.last);
    const fresh = this.world.runs.some((v) => v.run.fresh);
    if (fresh) this.touch();
    if (now > this.activeUntil) {
      if (!this.still && this.pictures > 0) this.drawStill();
      this.last = now;
      return;
    }
    this.still = false;
    const dt = Math.min((now - this.last) / 1000, 0.25);
    this.watchSpeed(now - this.last);
    this.last = now;
    this.draw(dt);
  }

  /** Nothing moves any more: one picture in the best quality. */
  private drawStill(): void {
    this.still = true;
    const moving = this.quality;
    this.quality = 0;
    if (moving > 0) this.draw(0);
    this.quality = moving;
  }
  private still = false;

  /** Lower quality where the machine cannot keep up, so that gestures stay smooth. */
  private watchSpeed(ms: number): void {
    if (!this.adaptive || ms > 1000) return;
    this.slow = this.slow === 0 ? Math.min(ms, SLOW) : 0.9 * this.slow + 0.1 * ms;
    if (this.slow < SLOW || this.quality === QUALITY.length - 1 || this.pictures < 10) return;
    this.quality++;
    this.slow = 0;
  }

  draw(dt: number): void {
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    if (width === 0 || height === 0 || !this.world.runs.some((run) => run.present)) return; // the first picture has a robot in it
    this.resize(width, height);
    this.world.update((key) => this.any(key));
    const box = this.element.getBoundingClientRect();
    this.renderer.setClearColor(this.world.background);
    this.renderer.setScissorTest(true);
    for (const view of this.views) {
      const r = view.pane.getBoundingClientRect();
      const run = this.runOf(view.state.run);
      if (!run || r.width < 2) continue;
      if (this.hold) view.snap();
      view.aim(run, dt, r.width, r.height);
      this.world.prepare(this.layersOf(view), (k) => shows(view.state.run, k), view.camera, view.metresPerPixel, QUALITY[this.quality].cell);
      const [x, y] = [r.left - box.left, box.bottom - r.bottom];
      this.renderer.setViewport(x, y, r.width, r.height);
      this.renderer.setScissor(x, y, r.width, r.height);
      this.renderer.clear();
      this.renderer.render(this.world.scene, view.camera);
    }
    this.pictures++;
    if (this.pictures % 30 === 0) for (const c of this.chrome) c.update();
  }

  private readonly size = new THREE.Vector2();
  private resize(width: number, height: number): void {
    const { ratio, shadow } = QUALITY[this.quality];
    const pixels = ratio * Math.min(devicePixelRatio, 2);
    const size = this.renderer.getSize(this.size);
    if (size.x !== width || size.y !== height || this.renderer.getPixelRatio() !== pixels) {
      this.renderer.setPixelRatio(pixels);
      this.renderer.setSize(width, height, false);
    }
    this.world.sky.setShadowSize(shadow);
  }
}

function shows(choice: RunChoice, run: number): boolean {
  return choice === "both" || (choice === "b" ? 1 : 0) === run;
}

export interface Drawing {
  canvas: HTMLCanvasElement;
  context: WebGL2RenderingContext;
  software: boolean; // there is no graphics processor
}

/** The one context of the page: contexts drawn in software take a while to come up, so none is made to try. Null: this browser cannot draw in 3-D. */
export function openDrawing(best: boolean): Drawing | null {
  const canvas = h("canvas", { className: "canvas" });
  const wanted = { alpha: false, depth: true, stencil: false, powerPreference: "high-performance", preserveDrawingBuffer: true } as const;
  const get = (more: WebGLContextAttributes): WebGL2RenderingContext | null => {
    try {
      return canvas.getContext("webgl2", { ...wanted, ...more });
    } catch {
      return null;
    }
  };
  const fast = get({ antialias: true, failIfMajorPerformanceCaveat: true });
  const context = fast ?? get({ antialias: best });
  return context && { canvas, context, software: !fast };
}
