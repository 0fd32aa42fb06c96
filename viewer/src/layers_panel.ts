// SPDX-License-Identifier: Apache-2.0
// Switches of what is drawn. A layer for which a run brings no data is shown but cannot be
// switched, and says why.
import { h, segmented } from "./dom";
import type { Layers } from "./settings";

type Switch = Exclude<keyof Layers, "surface" | "rutColour">;
export interface LayerRow {
  key: Switch;
  label: string;
  hint: string;
}

export const LAYER_GROUPS: { title: string; rows: LayerRow[] }[] = [
  {
    title: "Robot",
    rows: [
      { key: "robot", label: "Bodies", hint: "The robot's visuals" },
      { key: "ornaments", label: "Ornaments", hint: "Things that are drawn only: no sensor and no contact sees them (violet, translucent)" },
      { key: "frames", label: "Frame axes", hint: "x red, y green, z blue of each body" },
      { key: "labels", label: "Names", hint: "The names of the bodies" },
      { key: "tethers", label: "Springs and tethers", hint: "Grey when slack, red under load" },
      { key: "com", label: "Centre of mass", hint: "Of the whole robot" },
    ],
  },
  {
    title: "Contact",
    rows: [
      { key: "contacts", label: "Contacts and forces", hint: "Contact points with the force on the robot" },
      { key: "support", label: "Support polygon", hint: "Hull of the loaded contacts, seen from above" },
      { key: "pulls", label: "Pulls while placing", hint: "What draws the robot to the ground after it was dragged" },
      { key: "tracks", label: "Wheel tracks", hint: "Where the ground was touched" },
      { key: "path", label: "Driven path", hint: "The way of the base up to the moment shown" },
      { key: "plan", label: "Planned path", hint: "The motion being driven and the waypoints; the next one has a pole" },
    ],
  },
  {
    title: "Ground",
    rows: [
      { key: "ruts", label: "Ruts", hint: "The deformed ground" },
      { key: "grid", label: "Grid", hint: "Lines every 1 m and 10 m" },
      { key: "contours", label: "Contour lines", hint: "Lines of equal height" },
      { key: "shadows", label: "Shadows", hint: "Of the sun" },
    ],
  },
  {
    title: "Navigation and sensors",
    rows: [
      { key: "hazards", label: "Hazards", hint: "What the robot takes for dangerous ground: the redder, the worse" },
      { key: "goodness", label: "Goodness", hint: "How well the robot thinks it can drive there: green well, red not" },
      { key: "mapCost", label: "Mobility: cost", hint: "What a metre costs by the rover's mobility map, in the worst heading: green 1, red 5 or never" },
      { key: "mapSlip", label: "Mobility: slip", hint: "Slip by the rover's mobility map, in the worst heading: green 0, red 1" },
      { key: "mapEnergy", label: "Mobility: energy", hint: "Energy per metre by the rover's mobility map: red is the most of it" },
      { key: "mapRisk", label: "Mobility: risk", hint: "Risk by the rover's mobility map: red must not be entered" },
      { key: "lidar", label: "Lidar points", hint: "What the robot's lidars have seen: red near, blue far" },
      { key: "pictures", label: "Camera pictures", hint: "What the robot's cameras see, by ray tracing beside the run" },
      { key: "sights", label: "Camera frusta", hint: "What cameras see, and the border of it on the ground up to 30 m" },
    ],
  },
];

export interface LayerSource {
  get(): Layers;
  changed(): void;
  missing(key: keyof Layers | "soil" | "slope" | "slip"): string; // why a layer is empty, or ""
}

export class LayerList {
  readonly element = h("div", { className: "layers" });
  private readonly updates: (() => void)[] = [];

  constructor(private readonly source: LayerSource) {
    this.element.append(this.surface());
    for (const group of LAYER_GROUPS) {
      this.element.append(h("h3", {}, group.title), ...group.rows.map((row) => this.row(row)));
      if (group.title === "Ground") this.element.append(this.rutColour());
    }
  }

  private row(row: LayerRow): HTMLElement {
    const box = h("input", { type: "checkbox", data: { layer: row.key } });
    const label = h("label", { className: "check" }, box, row.label);
    box.onchange = () => {
      this.source.get()[row.key] = box.checked;
      this.source.changed();
    };
    this.updates.push(() => {
      const why = this.source.missing(row.key);
      box.checked = this.source.get()[row.key];
      box.disabled = why !== "";
      label.classList.toggle("disabled", why !== "");
      label.title = why || row.hint;
    });
    return label;
  }

  private surface(): HTMLElement {
    const choice = segmented(
      [
        { value: "natural", label: "Natural" },
        { value: "slope", label: "Slope", title: "Green: flat, red: 35 deg and more" },
        { value: "soil", label: "Soil", title: "One colour for each soil or material" },
        { value: "height", label: "Height", title: "Dark: low, bright: high" },
      ],
      () => this.source.get().surface,
      (value) => {
        this.source.get().surface = value;
        this.source.changed();
      },
    );
    this.updates.push(() => {
      choice.update();
      for (const b of choice.element.querySelectorAll("button")) {
        const value = b.dataset.value ?? "";
        const why = value === "soil" ? this.source.missing("soil") : value === "natural" ? "" : this.source.missing("slope");
        b.disabled = why !== "";
        if (why) b.title = why;
      }
    });
    return h("div", {}, h("h3", {}, "Colour of the ground"), choice.element);
  }

  private rutColour(): HTMLElement {
    const choice = segmented(
      [
        { value: "natural", label: "Natural" },
        { value: "slip", label: "Slip", title: "Of the last wheel: blue skids, pale rolls, red spins" },
        { value: "sinkage", label: "Sinkage", title: "Dark: shallow, bright: deepest so far" },
      ],
      () => this.source.get().rutColour,
      (value) => {
        this.source.get().rutColour = value;
        this.source.changed();
      },
    );
    const box = h("div", {}, h("p", { className: "hint" }, "Colour of ruts"), choice.element);
    this.updates.push(() => {
      choice.update();
      const why = this.source.missing("slip");
      for (const b of choice.element.querySelectorAll("button")) b.disabled = why !== "";
      box.title = why;
    });
    return box;
  }

  update(): void {
    for (const update of this.updates) update();
  }
}
