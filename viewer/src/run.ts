// SPDX-License-Identifier: Apache-2.0
// What the page knows about one run: its scene, status, values, events, the newest frame and, for a
// live run, the frames seen so far, so that the past can be looked at while the run goes on.
import { Frame, type PlanRover, type RunEvent, type SceneMessage, type Status, type ValueInfo } from "./protocol";

const HISTORY_BYTES = 96 * 1024 * 1024;

/** Raw frames in order of time. When they take too much room, every second one of the older half goes. */
export class History {
  private times: number[] = [];
  private frames: DataView[] = [];
  private bytes = 0;

  constructor(private readonly limit = HISTORY_BYTES) {}

  get length(): number {
    return this.times.length;
  }
  get first(): number {
    return this.times.length > 0 ? this.times[0] : Number.NaN;
  }
  get last(): number {
    return this.times.length > 0 ? this.times[this.times.length - 1] : Number.NaN;
  }

  push(time: number, frame: DataView): void {
    if (this.times.length > 0 && time < this.last) this.clear(); // restarted
    if (time === this.last) {
      this.frames[this.frames.length - 1] = frame;
      return;
    }
    this.times.push(time);
    this.frames.push(frame);
    this.bytes += frame.byteLength;
    if (this.bytes > this.limit) this.thin();
  }

  /** The last frame at or before a time, else the first. */
  at(time: number): DataView | null {
    if (this.times.length === 0) return null;
    return this.frames[Math.max(0, upperBound(this.times, time) - 1)];
  }

  clear(): void {
    this.times = [];
    this.frames = [];
    this.bytes = 0;
  }

  private thin(): void {
    const half = this.times.length >> 1;
    const keep = (_: unknown, i: number): boolean => i >= half || i % 2 === 0;
    this.times = this.times.filter(keep);
    this.frames = this.frames.filter(keep);
    this.bytes = this.frames.reduce((sum, frame) => sum + frame.byteLength, 0);
  }
}

/** Number of elements that are not greater than x, in an ascending array of which `length` elements count. */
export function upperBound(array: ArrayLike<number>, x: number, length = array.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (array[mid] <= x) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** A signal over time that grows without copying at each append. */
export class Series {
  length = 0;
  times = new Float64Array(256);
  values = new Float64Array(256);
  unit = "";
  error = "";

  clear(): void {
    this.length = 0;
  }

  append(times: ArrayLike<number | null>, values: ArrayLike<number | null>): void {
    const n = Math.min(times.length, values.length);
    this.reserve(this.length + n);
    for (let k = 0; k < n; k++) {
      const t = times[k];
      if (t === null) continue;
      if (this.length > 0 && t <= this.times[this.length - 1]) this.length = upperBound(this.times, t - 1e-12, this.length);
      this.times[this.length] = t;
      this.values[this.length++] = values[k] ?? Number.NaN;
    }
  }

  /** Linear between samples, NaN outside. */
  interpolate(t: number): number {
    const k = upperBound(this.times, t, this.length);
    if (k === 0 || this.length === 0) return Number.NaN;
    if (k === this.length) return t > this.times[k - 1] ? Number.NaN : this.values[k - 1];
    const t0 = this.times[k - 1];
    const f = (t - t0) / (this.times[k] - t0);
    return this.values[k - 1] + f * (this.values[k] - this.values[k - 1]);
  }

  /** The value of the sample next to t. */
  nearest(t: number): number {
    if (this.length === 0) return Number.NaN;
    const k = upperBound(this.times, t, this.length);
    if (k === 0) return this.values[0];
    if (k === this.length) return this.values[k - 1];
    return t - this.times[k - 1] < this.times[k] - t ? this.values[k - 1] : this.values[k];
  }

  private reserve(n: number): void {
    if (n <= this.times.length) return;
    let size = this.times.length;
    while (size < n) size *= 2;
    const times = new Float64Array(size);
    const values = new Float64Array(size);
    times.set(this.times.subarray(0, this.length));
    values.set(this.values.subarray(0, this.length));
    this.times = times;
    this.values = values;
  }
}

/** Equal but for the number of the frame: a run that stands still needs no new picture. */
export function sameFrame(a: DataView, b: DataView): boolean {
  if (a.byteLength !== b.byteLength) return false;
  for (let k = 8; k + 4 <= a.byteLength; k += 4) if (a.getInt32(k) !== b.getInt32(k)) return false;
  return true;
}

export class Run {
  scene: SceneMessage | null = null;
  status: Status | null = null;
  values: ValueInfo[] = [];
  events: RunEvent[] = [];
  plan: PlanRover[] = [];
  readonly history = new History();
  readonly frame = new Frame(); // what is shown
  private newest: DataView | null = null;
  fresh = false; // the frame changed since it was last drawn
  received = 0;

  constructor(
    readonly index: number,
    readonly name: string,
    readonly sceneName: string,
  ) {}

  /** Takes a binary frame. `at`: the moment looked at, or null for the newest. Returns true if the run started over. */
  take(data: DataView, keep: boolean, at: number | null): boolean {
    const time = data.getFloat64(8, true);
    const again = this.newest !== null && time < this.newest.getFloat64(8, true);
    this.received++;
    if (this.newest !== null && sameFrame(this.newest, data)) return false;
    this.newest = data;
    if (keep) this.history.push(time, data);
    if (at === null || again) this.show(null);
    return again;
  }

  /** Shows the frame of a moment of the history, or the newest. */
  show(at: number | null): void {
    const data = at === null ? this.newest : this.history.at(at);
    if (!data) return;
    this.frame.decode(data);
    this.fresh = true;
  }

  get time(): number {
    return Number.isNaN(this.frame.time) ? (this.status?.time ?? 0) : this.frame.time;
  }

  addEvents(events: RunEvent[]): void {
    for (const event of events) {
      const known = this.events.some((e) => e.time === event.time && e.kind === event.kind && e.text === event.text);
      if (!known) this.events.push(event);
    }
    this.events.sort((a, b) => a.time - b.time);
  }
}
