// SPDX-License-Identifier: Apache-2.0
// Live plots of named values. A signal is asked for once, whatever number of plots show it. What is
// drawn is the lowest and highest value of each half pixel column, so that a plot of an hour costs
// as much as one of a second and no peak is lost.
import uPlot from "uplot";
import { button, h, number } from "./dom";
import { Series, upperBound } from "./run";
import type { PlotState, Settings } from "./settings";

export const LINE_COLOURS = ["#3d8bff", "#ff7a45", "#22b07d", "#c264e8", "#e0a800", "#e5487d", "#27b3c9", "#8a94a3", "#9a6b3f", "#a9d13a"];

/** Angles are drawn in degrees: the unit that is shown for one of the program, and what its values are multiplied by. */
export function shownUnit(unit: string): { unit: string; scale: number } {
  return /^rad(\/|$)/.test(unit) ? { unit: unit.replace("rad", "deg"), scale: 180 / Math.PI } : { unit, scale: 1 };
}

export interface SignalSource {
  ask(run: number, name: string): number; // subscribes; the id of the request
  drop(id: number): void;
  unit(run: number, name: string): string;
  runs(): number;
  runName(run: number): string;
  time(): number; // the moment shown
  span(): [number, number]; // of the run
  seek(time: number): void;
}

interface Signal {
  id: number;
  run: number;
  name: string;
  series: Series;
  users: number;
}

export class SignalStore {
  private readonly signals = new Map<string, Signal>();
  changed = false;
  constructor(private readonly source: SignalSource) {}

  use(run: number, name: string): Signal {
    const key = `${run} ${name}`;
    let signal = this.signals.get(key);
    if (!signal) {
      signal = { id: this.source.ask(run, name), run, name, series: new Series(), users: 0 };
      this.signals.set(key, signal);
    }
    signal.users++;
    return signal;
  }
  release(signal: Signal): void {
    if (--signal.users > 0) return;
    this.signals.delete(`${signal.run} ${signal.name}`);
    this.source.drop(signal.id);
  }
  byId(id: number): Signal | undefined {
    for (const signal of this.signals.values()) if (signal.id === id) return signal;
    return undefined;
  }
  receive(id: number, times: (number | null)[], values: (number | null)[], append: boolean, unit: string): void {
    const signal = this.byId(id);
    if (!signal) return;
    if (!append) signal.series.clear();
    const shown = shownUnit(unit);
    signal.series.unit = shown.unit;
    signal.series.error = "";
    signal.series.append(times, shown.scale === 1 ? values : values.map((v) => (v === null ? null : shown.scale * v)));
    this.changed = true;
  }
  /** After a new connection everything is asked for again. */
  askAgain(): void {
    for (const signal of this.signals.values()) signal.id = this.source.ask(signal.run, signal.name);
  }
  clear(): void {
    for (const signal of this.signals.values()) signal.series.clear();
    this.changed = true;
  }
}

/** Lowest and highest of the samples in each of `columns` columns over [t0, t1], in order of time: y[2c], y[2c + 1]. */
export function decimate(series: Series, t0: number, t1: number, columns: number, y: (number | null)[]): void {
  y.length = 2 * columns;
  y.fill(null);
  if (series.length === 0 || t1 <= t0) return;
  const first = Math.max(upperBound(series.times, t0, series.length) - 1, 0);
  const last = Math.min(upperBound(series.times, t1, series.length), series.length - 1);
  const scale = columns / (t1 - t0);
  for (let k = first; k <= last; k++) {
    const value = series.values[k];
    if (Number.isNaN(value)) continue;
    const c = Math.min(Math.max(Math.floor((series.times[k] - t0) * scale), 0), columns - 1);
    put(y, 2 * c, value);
  }
}

/** Keeps the extremes of a column in the order in which they came. */
function put(y: (number | null)[], at: number, value: number): void {
  const a = y[at];
  const b = y[at + 1];
  if (a === null) y[at] = value;
  else if (b === null) y[at + 1] = value;
  else if (a <= b) {
    if (value > b) y[at + 1] = value;
    else if (value < a) [y[at], y[at + 1]] = [b, value];
  } else if (value < b) y[at + 1] = value;
  else if (value > a) [y[at], y[at + 1]] = [b, value];
}

/** a - b at the times of a that b covers. */
export function difference(a: Series, b: Series, out: Series): void {
  out.clear();
  const times: number[] = [];
  const values: number[] = [];
  for (let k = 0; k < a.length; k++) {
    const other = b.interpolate(a.times[k]);
    if (Number.isNaN(other)) continue;
    times.push(a.times[k]);
    values.push(a.values[k] - other);
  }
  out.append(times, values);
}

class PlotCard {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private readonly box = h("div", { className: "plot-canvas" });
  private readonly legend = h("div", { className: "plot-legend" });
  private signals: Signal[] = [];
  private readonly diff = new Series();
  private readonly x: number[] = [];
  private readonly ys: (number | null)[][] = [];
  private cursor: number | null = null;
  private readonly values: HTMLElement[] = [];

  constructor(
    private readonly panel: PlotPanel,
    readonly state: PlotState,
  ) {
    const add = button("", "Add a signal to this plot", () => this.panel.target(this), "plus", "quiet");
    const close = button("", "Remove this plot", () => this.panel.remove(this), "cross", "quiet");
    const tools = h("div", { className: "plot-tools" }, add, close);
    if (panel.source.runs() > 1) tools.prepend(this.differenceButton());
    this.element = h("section", { className: "plot", data: { test: "plot" } }, tools, this.legend, this.box);
    for (const s of state.signals) this.signals.push(panel.store.use(s.run, s.name));
    this.rebuild();
  }

  private differenceButton(): HTMLElement {
    const b = button("A − B", "Show the difference of the two runs", () => {
      this.state.difference = !this.state.difference;
      b.setAttribute("aria-pressed", String(this.state.difference));
      this.rebuild();
      this.panel.onChange();
    }, undefined, "quiet toggle");
    b.dataset.test = "difference";
    b.setAttribute("aria-pressed", String(this.state.difference));
    return b;
  }

  has(run: number, name: string): boolean {
    return this.state.signals.some((s) => s.run === run && s.name === name);
  }

  add(run: number, name: string): void {
    if (this.has(run, name)) return;
    this.state.signals.push({ run, name });
    this.signals.push(this.panel.store.use(run, name));
    this.rebuild();
  }

  private removeSignal(k: number): void {
    this.panel.store.release(this.signals[k]);
    this.signals.splice(k, 1);
    this.state.signals.splice(k, 1);
    if (this.signals.length === 0) this.panel.remove(this);
    else this.rebuild();
    this.panel.onChange();
  }

  dispose(): void {
    for (const signal of this.signals) this.panel.store.release(signal);
    this.plot?.destroy();
  }

  /** The two runs of the first signal that is shown of both. */
  private pair(): [Signal, Signal] | null {
    for (const a of this.signals) {
      const b = this.signals.find((s) => s.name === a.name && s.run === 1);
      if (a.run === 0 && b) return [a, b];
    }
    return null;
  }

  rebuild(): void {
    this.plot?.destroy();
    this.ys.length = 0;
    const showDifference = this.state.difference && this.pair() !== null;
    const count = this.signals.length + (showDifference ? 1 : 0);
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink-2").trim();
    const rule = style.getPropertyValue("--rule").trim();
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, size: 4, width: 1 }, font: "11px system-ui, sans-serif" };
    const series: uPlot.Series[] = [{}];
    for (let k = 0; k < count; k++) {
      this.ys.push([]);
      const dash = this.signals[k]?.run === 1 ? [5, 3] : k >= this.signals.length ? [2, 2] : undefined;
      series.push({ stroke: this.colour(k), width: 1.5, spanGaps: true, points: { show: false }, ...(dash ? { dash } : {}) });
    }
    this.plot = new uPlot(
      {
        width: Math.max(this.box.clientWidth || 320, 120),
        height: 132,
        series,
        legend: { show: false },
        padding: [6, 8, 0, 0],
        scales: { x: { time: false, auto: false }, y: { auto: true } },
        axes: [
          { ...axis, size: 24, gap: 2, space: 60 },
          { ...axis, size: 52, gap: 3, space: 26, values: (_, ticks) => ticks.map((t) => number(t)) },
        ],
        cursor: { sync: { key: "rille" }, drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
        hooks: {
          setCursor: [(u) => this.setCursor(u)],
          setSelect: [(u) => this.setSelect(u)],
          draw: [(u) => this.drawNow(u)],
        },
      },
      [this.x, ...this.ys] as uPlot.AlignedData,
      this.box,
    );
    this.plot.over.addEventListener("dblclick", () => this.panel.zoom(null));
    this.plot.over.addEventListener("click", (e) => {
      if (e.detail === 1 && this.plot && (e.altKey || e.ctrlKey)) this.panel.source.seek(this.plot.posToVal(e.offsetX, "x"));
    });
    this.buildLegend(showDifference);
    this.refresh();
  }

  private colour(k: number): string {
    if (k >= this.signals.length) return getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
    // The same signal of two runs has one colour.
    const first = this.signals.findIndex((s) => s.name === this.signals[k].name);
    return LINE_COLOURS[first % LINE_COLOURS.length];
  }

  private buildLegend(showDifference: boolean): void {
    this.legend.replaceChildren();
    this.values.length = 0;
    this.signals.forEach((signal, k) => {
      const swatch = h("i", { className: signal.run === 1 ? "swatch dashed" : "swatch" });
      swatch.style.setProperty("--c", this.colour(k));
      const value = h("b", {}, "–");
      this.values.push(value);
      const run = this.panel.source.runs() > 1 ? ` ${signal.run === 0 ? "A" : "B"}` : "";
      const { unit } = shownUnit(this.panel.source.unit(signal.run, signal.name));
      this.legend.append(
        h(
          "div",
          { className: "key", title: signal.name },
          swatch,
          h("span", {}, signal.name + run),
          value,
          h("em", {}, unit),
          button("", `Remove ${signal.name}`, () => this.removeSignal(k), "cross", "quiet tiny"),
        ),
      );
    });
    if (!showDifference) return;
    const swatch = h("i", { className: "swatch dotted" });
    swatch.style.setProperty("--c", this.colour(this.signals.length));
    const value = h("b", { data: { test: "difference-value" } }, "–");
    this.values.push(value);
    this.legend.append(h("div", { className: "key" }, swatch, h("span", {}, "A − B"), value));
  }

  private setCursor(u: uPlot): void {
    const left = u.cursor.left ?? -1;
    this.cursor = left >= 0 ? u.posToVal(left, "x") : null;
    this.showValues();
  }

  private setSelect(u: uPlot): void {
    if (u.select.width < 4) return;
    this.panel.zoom([u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")]);
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  /** The moment shown in the viewports. */
  private drawNow(u: uPlot): void {
    const x = u.valToPos(this.panel.source.time(), "x", true);
    if (!(x >= u.bbox.left && x <= u.bbox.left + u.bbox.width)) return;
    u.ctx.save();
    u.ctx.strokeStyle = "#ff4d4f";
    u.ctx.globalAlpha = 0.75;
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  private showValues(): void {
    const t = this.cursor ?? this.panel.source.time();
    this.values.forEach((element, k) => {
      const series = this.signals[k]?.series ?? this.diff;
      const text = series.error || number(series.nearest(t));
      if (element.textContent !== text) element.textContent = text;
    });
  }

  refresh(): void {
    if (!this.plot) return;
    const width = this.box.clientWidth;
    if (width > 0 && Math.abs(width - this.plot.width) > 1) this.plot.setSize({ width, height: 132 });
    const [t0, t1] = this.panel.range();
    const columns = Math.max(Math.round(this.plot.bbox.width / devicePixelRatio), 50);
    this.x.length = 2 * columns;
    for (let c = 0; c < 2 * columns; c++) this.x[c] = t0 + ((c + 0.25) * (t1 - t0)) / (2 * columns);
    const pair = this.state.difference ? this.pair() : null;
    if (pair) difference(pair[0].series, pair[1].series, this.diff);
    this.ys.forEach((y, k) => decimate(this.signals[k]?.series ?? this.diff, t0, t1, columns, y));
    this.plot.setData([this.x, ...this.ys] as uPlot.AlignedData, false);
    this.plot.setScale("x", { min: t0, max: t1 });
    this.showValues();
  }

  /** How many samples there are: for tests. */
  get samples(): number {
    return this.signals.reduce((sum, s) => sum + s.series.length, 0);
  }
}

export class PlotPanel {
  readonly list = h("div", { className: "plots" });
  readonly store: SignalStore;
  private cards: PlotCard[] = [];
  private zoomed: [number, number] | null = null;
  private aimed: PlotCard | null = null;
  private lastTime = Number.NaN;
  onChange: () => void = () => undefined;
  onTarget: (name: string) => void = () => undefined;

  constructor(
    readonly source: SignalSource,
    private settings: Settings,
  ) {
    this.store = new SignalStore(source);
  }

  restore(settings: Settings): void {
    for (const card of this.cards) card.dispose();
    this.settings = settings;
    this.cards = settings.plots.map((state) => new PlotCard(this, state));
    this.list.replaceChildren(...this.cards.map((card) => card.element));
  }

  /** Adds a value of every run, to the plot that waits for one or to a new plot. */
  add(name: string): void {
    const runs = Array.from({ length: this.source.runs() }, (_, k) => k);
    let card = this.aimed;
    if (!card) {
      const state: PlotState = { signals: runs.map((run) => ({ run, name })), difference: runs.length > 1 };
      this.settings.plots.push(state);
      card = new PlotCard(this, state);
      this.cards.push(card);
      this.list.append(card.element);
      card.refresh();
      card.element.scrollIntoView({ block: "nearest" });
    } else {
      for (const run of runs) card.add(run, name);
    }
    this.aimed = null;
    this.onTarget("");
    this.onChange();
  }

  target(card: PlotCard): void {
    this.aimed = card;
    this.onTarget(card.state.signals[0]?.name ?? "");
  }
  cancelTarget(): void {
    this.aimed = null;
    this.onTarget("");
  }

  remove(card: PlotCard): void {
    card.dispose();
    card.element.remove();
    this.cards = this.cards.filter((c) => c !== card);
    this.settings.plots.splice(this.settings.plots.indexOf(card.state), 1);
    if (this.aimed === card) this.cancelTarget();
    this.onChange();
  }

  zoom(range: [number, number] | null): void {
    this.zoomed = range;
    this.redraw();
  }
  get isZoomed(): boolean {
    return this.zoomed !== null;
  }

  range(): [number, number] {
    if (this.zoomed) return this.zoomed;
    const [start, end] = this.source.span();
    if (this.settings.window <= 0) return [start, Math.max(end, start + 1e-3)];
    const now = this.source.time();
    return [now - this.settings.window, now + 0.02 * this.settings.window];
  }

  redraw(): void {
    for (const card of this.cards) card.refresh();
  }
  rebuild(): void {
    for (const card of this.cards) card.rebuild();
  }

  /** Called at display rate; draws when there is something new. */
  tick(): void {
    const time = this.source.time();
    if (!this.store.changed && time === this.lastTime) return;
    this.store.changed = false;
    this.lastTime = time;
    this.redraw();
  }

  get samples(): number[] {
    return this.cards.map((card) => card.samples);
  }
}
