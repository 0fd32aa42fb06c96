// SPDX-License-Identifier: Apache-2.0
// How the page is arranged: kept in the browser per scene, and in the address (after #) when a link
// is copied. What belongs to the run itself (time, values, pause) is kept by the program.
import type { CameraKind, SceneMessage } from "./protocol";

export type Surface = "natural" | "slope" | "soil" | "height";
export type RutColour = "natural" | "slip" | "sinkage";

export interface Layers {
  surface: Surface;
  rutColour: RutColour;
  robot: boolean;
  ornaments: boolean;
  shadows: boolean;
  grid: boolean;
  contours: boolean;
  frames: boolean;
  labels: boolean;
  contacts: boolean;
  tracks: boolean;
  ruts: boolean;
  path: boolean;
  plan: boolean;
  hazards: boolean;
  goodness: boolean;
  mapCost: boolean;
  mapSlip: boolean;
  mapEnergy: boolean;
  mapRisk: boolean;
  lidar: boolean;
  pictures: boolean;
  sights: boolean;
  tethers: boolean;
  com: boolean;
  support: boolean;
  pulls: boolean;
}

export const DEFAULT_LAYERS: Layers = {
  surface: "natural",
  rutColour: "natural",
  robot: true,
  ornaments: true,
  shadows: true,
  grid: false,
  contours: false,
  frames: false,
  labels: false,
  contacts: false,
  tracks: false,
  ruts: true,
  path: false,
  plan: true,
  hazards: true,
  goodness: false,
  mapCost: false,
  mapSlip: false,
  mapEnergy: false,
  mapRisk: false,
  lidar: true,
  pictures: false,
  sights: false,
  tethers: true,
  com: false,
  support: false,
  pulls: true,
};

export type RunChoice = "a" | "b" | "both";

export interface ViewState {
  camera: string; // a kind, or "name:" and the name of a camera of the scene
  run: RunChoice;
  layers: Layers | null; // null: the shared ones
  azimuth: number;
  elevation: number;
  distance: number; // 0: fit the robot
  offset: [number, number, number];
  free: boolean; // orbit about a point of the world instead of the robot
}

export interface PlotState {
  signals: { run: number; name: string }[];
  difference: boolean;
}

export interface Settings {
  theme: "auto" | "light" | "dark";
  views: 1 | 2 | 4;
  view: ViewState[];
  layers: Layers;
  tab: "plots" | "values" | "layers" | "events";
  panel: boolean;
  plots: PlotState[];
  window: number; // [s] of plots; 0: all
}

export function defaultView(camera: CameraKind, run: RunChoice = "a"): ViewState {
  return {
    camera,
    run,
    layers: null,
    azimuth: -2.4,
    elevation: 0.42,
    distance: 0,
    offset: [0, 0, 0],
    free: false,
  };
}

export function defaultSettings(runs: number): Settings {
  const second = runs > 1 ? "b" : "a";
  return {
    theme: "auto",
    views: runs > 1 ? 2 : 1,
    view: [
      defaultView("orbit", "a"),
      defaultView(runs > 1 ? "orbit" : "chase", second),
      defaultView("plan", runs > 1 ? "both" : "a"),
      defaultView("onboard", "a"),
    ],
    layers: { ...DEFAULT_LAYERS },
    tab: "plots",
    panel: true,
    plots: [],
    window: 0,
  };
}

/** Takes from `saved` what has the type that `pattern` has; anything else stays as in the pattern. */
export function adopt<T>(pattern: T, saved: unknown): T {
  if (typeof pattern !== "object" || pattern === null) {
    const finite = typeof saved !== "number" || Number.isFinite(saved);
    return typeof saved === typeof pattern && finite ? (saved as T) : pattern;
  }
  if (typeof saved !== "object" || saved === null || Array.isArray(saved) !== Array.isArray(pattern)) return pattern;
  if (Array.isArray(pattern)) return pattern.map((item: unknown, i) => adopt(item, (saved as unknown[])[i])) as T;
  const result = { ...pattern } as Record<string, unknown>;
  for (const key of Object.keys(result)) result[key] = adopt(result[key], (saved as Record<string, unknown>)[key]);
  return result as T;
}

export function restore(runs: number, saved: unknown): Settings {
  const settings = adopt(defaultSettings(runs), saved);
  if (typeof saved !== "object" || saved === null) return settings;
  const raw = saved as { plots?: unknown; view?: { layers?: unknown }[] };
  if (Array.isArray(raw.plots)) settings.plots = raw.plots.slice(0, 24).map(restorePlot);
  settings.view.forEach((view, i) => {
    const layers = Array.isArray(raw.view) ? raw.view[i]?.layers : null;
    view.layers = layers ? adopt(DEFAULT_LAYERS, layers) : null;
  });
  if (![1, 2, 4].includes(settings.views)) settings.views = 1;
  return settings;
}

function restorePlot(saved: unknown): PlotState {
  const plot = adopt({ difference: false }, saved);
  const raw = (saved as { signals?: unknown } | null)?.signals;
  const signals = Array.isArray(raw) ? raw.slice(0, 12).map((s) => adopt({ run: 0, name: "" }, s)) : [];
  return { difference: plot.difference, signals: signals.filter((s) => s.name !== "") };
}

/** Layers by their names, as scenes and addresses give them. */
export function setLayer(layers: Layers, name: string): void {
  const surfaces = ["natural", "slope", "soil", "height"] as const;
  const surface = surfaces.find((s) => s === name);
  if (surface) layers.surface = surface;
  else if (name === "slip" || name === "sinkage") layers.rutColour = name;
  else if (name in layers) (layers as unknown as Record<string, boolean>)[name] = true;
}

const OPEN_PLOTS = 4; // that fit beside the ground

/** What the scene itself asks for: its camera in the first view, its layers, its plots. */
export function takeScene(settings: Settings, scene: SceneMessage): void {
  const view = scene.view;
  if (view) {
    const { azimuth, elevation, distance } = view;
    Object.assign(settings.view[0], { camera: view.kind, azimuth, elevation, distance, offset: [...view.target], free: !view.follow });
    for (const name of view.layers.split(",")) setLayer(settings.layers, name);
  }
  if (settings.plots.length > 0) return;
  for (const plot of (scene.plots ?? []).slice(0, OPEN_PLOTS)) {
    const signals = plot.values.map((name) => ({ run: scene.run, name }));
    if (signals.length > 0) settings.plots.push({ signals, difference: false });
  }
}

/** Whether the user has arranged this scene's page before, or a link arranges it. */
export function arranged(scene: string): boolean {
  try {
    return new URLSearchParams(location.hash.slice(1)).has("view") || localStorage.getItem(key(scene)) !== null;
  } catch {
    return false;
  }
}

const key = (scene: string): string => `rille.view.1:${scene}`;

export function load(scene: string, runs: number): Settings {
  try {
    const fromLink = new URLSearchParams(location.hash.slice(1)).get("view");
    const text = fromLink ?? localStorage.getItem(key(scene));
    return restore(runs, text ? JSON.parse(text) : null);
  } catch {
    return defaultSettings(runs);
  }
}

export function save(scene: string, settings: Settings): void {
  try {
    localStorage.setItem(key(scene), JSON.stringify(settings));
  } catch {
    // Storage may be forbidden or full; the page works without it.
  }
}

export function link(settings: Settings): string {
  const address = new URL(location.href);
  address.hash = new URLSearchParams({ view: JSON.stringify(settings) }).toString();
  return address.toString();
}
