// SPDX-License-Identifier: Apache-2.0
// The bar at the top: which run, how it goes, and the buttons that change it.
import { button, clock, h, icon, number, segmented } from "./dom";
import type { Settings } from "./settings";

export interface ToolbarHost {
  paused(): boolean;
  replay(): boolean;
  speed(): number;
  rtf(): number;
  time(): number;
  past(): boolean;
  gravityOn(): boolean;
  stopped(): string | null;
  title(): string;
  clients(): number;
  settings(): Settings;
  togglePause(): void;
  step(): void;
  restart(): void;
  setSpeed(factor: number): void;
  live(): void;
  gravity(): void;
  checkpoint(): void;
  place(): void;
  placing(): boolean;
  setViews(n: 1 | 2 | 4): void;
  copyLink(): void;
  theme(): void;
  help(): void;
  panel(): void;
}

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 0];

export class Toolbar {
  readonly element: HTMLElement;
  private readonly title = h("span", { className: "title" });
  private readonly chip = h("span", { className: "chip" });
  private readonly pause = button("Pause", "Pause or go on (space)", () => this.host.togglePause(), "pause", "primary wide");
  private readonly speed = h("select", { title: "Speed (+ and −)", data: { test: "speed" } });
  private readonly time = h("b", { className: "time", data: { test: "time" } });
  private readonly rate = h("span", { className: "rate", title: "How fast the run goes against the clock on the wall" });
  private readonly live: HTMLButtonElement;
  private readonly gravity: HTMLButtonElement;
  private readonly placing: HTMLButtonElement;
  private readonly checkpoint: HTMLButtonElement;
  private readonly views;
  private shownPause = "";

  constructor(private readonly host: ToolbarHost) {
    this.pause.dataset.test = "pause";
    for (const s of SPEEDS) this.speed.append(h("option", { value: String(s) }, s === 0 ? "max" : `${s} ×`));
    this.speed.onchange = () => this.host.setSpeed(Number(this.speed.value));
    this.live = button("Live", "Back to the newest moment (L)", () => host.live(), undefined, "live");
    this.gravity = button("Gravity", "Gravity on or off", () => host.gravity(), "gravity", "toggle");
    this.gravity.dataset.test = "gravity";
    this.placing = button("Place", "Drag the robot to another place; the wheel turns it (M)", () => host.place(), "hand", "toggle");
    this.placing.dataset.test = "place";
    this.checkpoint = button("Checkpoint", "Save the state of the run", () => host.checkpoint(), "flag");
    this.views = this.viewChoice();
    const step = button("", "One step (.)", () => host.step(), "step");
    step.dataset.test = "step";
    const restart = button("", "Restart (R)", () => host.restart(), "restart");
    restart.dataset.test = "restart";
    this.element = h(
      "header",
      { className: "toolbar" },
      h("span", { className: "brand" }, "Rille"),
      this.title,
      this.chip,
      h("div", { className: "group" }, restart, this.pause, step, this.speed),
      h("div", { className: "clock" }, this.time, this.rate, this.live),
      h("div", { className: "spacer" }),
      h("div", { className: "group" }, this.placing, this.gravity, this.checkpoint),
      this.views.element,
      h(
        "div",
        { className: "group" },
        button("", "Copy a link to this arrangement", () => host.copyLink(), "link", "quiet"),
        button("", "Light or dark (D)", () => host.theme(), "light", "quiet"),
        button("", "Keys (?)", () => host.help(), "help", "quiet"),
        button("", "Panel on and off (X)", () => host.panel(), "panel", "quiet"),
      ),
    );
  }

  private viewChoice(): { element: HTMLElement; update: () => void } {
    const choice = segmented(
      [
        { value: "1", label: "", title: "One viewport (1)" },
        { value: "2", label: "", title: "Two viewports (2)" },
        { value: "4", label: "", title: "Four viewports (4)" },
      ],
      () => String(this.host.settings().views),
      (value) => this.host.setViews(Number(value) as 1 | 2 | 4),
      "icons",
    );
    const glyphs = ["one", "two", "four"];
    choice.element.querySelectorAll("button").forEach((b, k) => b.append(icon(glyphs[k])));
    choice.element.dataset.test = "views";
    return choice;
  }

  private chipText(stopped: string | null, paused: boolean): [string, string] {
    const { host } = this;
    if (host.past()) return ["Past", "still"];
    if (stopped && /duration|end of/.test(stopped)) return ["Finished", "replay"];
    if (stopped) return [`Stopped: ${stopped}`, "bad"];
    if (host.replay()) return ["Replay", "replay"];
    return paused ? ["Paused", "still"] : ["Live", "go"];
  }

  update(): void {
    const { host } = this;
    const paused = host.paused();
    const stopped = host.stopped();
    const ended = stopped !== null && !host.replay();
    const label = ended ? "Again" : paused ? (host.replay() ? "Play" : "Run") : "Pause";
    if (label !== this.shownPause) {
      this.pause.replaceChildren(icon(ended ? "restart" : paused ? "play" : "pause"), h("span", {}, label));
      this.pause.setAttribute("aria-label", label);
      this.shownPause = label;
    }
    setText(this.title, host.title());
    const [text, tone] = this.chipText(stopped, paused);
    setText(this.chip, text);
    this.chip.className = `chip ${tone}`;
    this.chip.title = stopped ?? "";
    setText(this.time, clock(host.time()));
    setText(this.rate, paused || host.rtf() <= 0 ? "" : `${number(Number(host.rtf().toPrecision(2)))} × real time`);
    this.live.hidden = !host.past();
    this.live.classList.toggle("pulse", host.past());
    this.gravity.setAttribute("aria-pressed", String(host.gravityOn()));
    this.placing.setAttribute("aria-pressed", String(host.placing()));
    this.gravity.disabled = this.placing.disabled = this.checkpoint.disabled = host.replay();
    if (document.activeElement !== this.speed) this.speed.value = String(nearest(host.speed()));
    this.views.update();
  }
}

function nearest(speed: number): number {
  if (speed <= 0) return 0;
  return SPEEDS.filter((s) => s > 0).reduce((a, b) => (Math.abs(Math.log(b / speed)) < Math.abs(Math.log(a / speed)) ? b : a));
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
