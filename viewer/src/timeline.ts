// SPDX-License-Identifier: Apache-2.0
// The timeline: the span of the run, the moment shown, markers for events. Dragging it scrubs: a
// replay is asked to seek, a live run is looked at in what the page has seen of it.
import { clock, h } from "./dom";
import type { RunEvent } from "./protocol";

export interface TimeSource {
  span(): [number, number];
  time(): number;
  seen(): [number, number]; // what can be gone to
  seek(time: number, done: boolean): void;
  events(): { run: number; event: RunEvent }[];
}

export class Timeline {
  readonly element: HTMLElement;
  private readonly track = h("div", { className: "track", tabIndex: 0, role: "slider", title: "Drag to look at another moment" });
  private readonly seen = h("div", { className: "seen" });
  private readonly fill = h("div", { className: "fill" });
  private readonly knob = h("div", { className: "knob" });
  private readonly markers = h("div", { className: "markers" });
  private readonly start = h("span", { className: "t0" });
  private readonly end = h("span", { className: "t1" });
  private readonly tip = h("div", { className: "tip", hidden: true });
  private drawn = "";
  private pressed = false;

  constructor(private readonly source: TimeSource) {
    this.track.append(this.seen, this.fill, this.markers, this.knob, this.tip);
    this.track.setAttribute("aria-label", "Time");
    this.track.dataset.test = "timeline";
    this.element = h("footer", { className: "timeline" }, this.start, this.track, this.end);
    this.track.addEventListener("pointerdown", (e) => {
      this.pressed = true;
      this.track.setPointerCapture(e.pointerId);
      this.source.seek(this.timeAt(e), false);
    });
    this.track.addEventListener("pointermove", (e) => {
      this.hover(e);
      if (this.pressed) this.source.seek(this.timeAt(e), false);
    });
    this.track.addEventListener("pointerup", (e) => {
      if (this.pressed) this.source.seek(this.timeAt(e), true);
      this.pressed = false;
    });
    this.track.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  private timeAt(e: PointerEvent): number {
    const box = this.track.getBoundingClientRect();
    const [t0, t1] = this.source.span();
    return t0 + (t1 - t0) * Math.min(Math.max((e.clientX - box.left) / box.width, 0), 1);
  }

  private hover(e: PointerEvent): void {
    const time = this.timeAt(e);
    const [t0, t1] = this.source.span();
    const near = this.source
      .events()
      .filter(({ event }) => Math.abs(event.time - time) < 0.008 * (t1 - t0))
      .slice(0, 4);
    this.tip.hidden = false;
    this.tip.textContent = [clock(time), ...near.map(({ event }) => `${clock(event.time)}  ${event.text}`)].join("\n");
    const box = this.track.getBoundingClientRect();
    this.tip.style.left = `${Math.min(Math.max(e.clientX - box.left, 40), box.width - 120)}px`;
  }

  update(): void {
    const [t0, t1] = this.source.span();
    const [s0, s1] = this.source.seen();
    const span = Math.max(t1 - t0, 1e-9);
    const percent = (t: number): string => `${((100 * (t - t0)) / span).toFixed(3)}%`;
    const at = Math.min(Math.max(this.source.time(), t0), t1);
    this.fill.style.width = this.knob.style.left = percent(at);
    this.seen.style.left = percent(s0);
    this.seen.style.width = `${((100 * Math.max(s1 - s0, 0)) / span).toFixed(3)}%`;
    this.start.textContent = clock(t0);
    this.end.textContent = clock(t1);
    this.track.setAttribute("aria-valuenow", at.toFixed(3));
    const events = this.source.events();
    const drawn = `${events.length} ${t0} ${t1.toPrecision(3)}`;
    if (drawn !== this.drawn) this.drawMarkers(events, percent);
    this.drawn = drawn;
  }

  private drawMarkers(events: { run: number; event: RunEvent }[], percent: (t: number) => string): void {
    this.markers.replaceChildren(
      ...events.slice(-400).map(({ event }) => {
        const marker = h("i", { className: `marker ${event.kind}`, title: event.text });
        marker.style.left = percent(event.time);
        return marker;
      }),
    );
  }
}
