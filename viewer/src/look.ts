// SPDX-License-Identifier: Apache-2.0
// How a world looks: sky and light by the body it is, or by its gravity where no body is named;
// colours of what the ground is made of; the colour ramps shared by the shaders and their legends.
import * as THREE from "three";
import type { SunInfo, TerrainInfo } from "./protocol";

/** What ground is made of, as far as it can be told from the names of materials and soils. */
export type Stuff = "ice" | "sand" | "soil" | "rock" | "concrete" | "steel" | "ground";

export interface Look {
  name: string;
  stuff: Record<Stuff, number>;
  zenith: number;
  horizon: number;
  sun: number;
  low: number; // colour of the sun near the horizon
  sunPower: number;
  skyPower: number;
  air: number; // how much the light fades towards the horizon; 0: none
}

const COMMON = { ice: 0xdfeaf2, concrete: 0xa09e98, steel: 0x98a0a8 };

const ICE_MOON: Look = {
  name: "ice moon",
  stuff: { ...COMMON, sand: 0xc4ced6, soil: 0xb4bfc8, rock: 0x8f979e, ground: 0xcfdbe4 },
  zenith: 0x05070c, horizon: 0x0b1018, sun: 0xfdfcff, low: 0xfdfcff, sunPower: 2.7, skyPower: 0.42, air: 0,
};
const MOON: Look = {
  name: "moon",
  stuff: { ...COMMON, sand: 0x8f8c87, soil: 0x83807b, rock: 0x74726f, ground: 0x888580 },
  zenith: 0x020304, horizon: 0x06070a, sun: 0xfffbf2, low: 0xfffbf2, sunPower: 3.2, skyPower: 0.3, air: 0,
};
const MARS: Look = {
  name: "mars",
  stuff: { ...COMMON, sand: 0xab8a6b, soil: 0xa07c62, rock: 0x947460, ground: 0xa37f65 },
  zenith: 0xa88058, horizon: 0xdcbf97, sun: 0xfff0dc, low: 0xd9e4ff, sunPower: 2.5, skyPower: 0.95, air: 0.16,
};
const EARTH: Look = {
  name: "earth",
  stuff: { ...COMMON, sand: 0xc0a97f, soil: 0x85705a, rock: 0x86827c, ground: 0xa89c86 },
  zenith: 0x3f74b4, horizon: 0xbdd3e6, sun: 0xfff4e2, low: 0xff9c55, sunPower: 2.5, skyPower: 1.0, air: 0.13,
};
const BODIES: Record<string, Look> = { earth: EARTH, moon: MOON, mars: MARS, europa: ICE_MOON, enceladus: ICE_MOON };

/** Without ground there is no planet to look at, and inside of it none either: a plain studio, light or dark as the page. */
export function studio(dark: boolean): Look {
  return {
    ...EARTH,
    name: "studio",
    zenith: dark ? 0x12161b : 0xd7dee6,
    horizon: dark ? 0x29303a : 0xf3f6f9,
    sun: 0xffffff,
    low: 0xffffff,
    sunPower: 2.2,
    skyPower: 1.15,
    air: 0,
  };
}

/** Inside of the ground: dark, so that the walls stand out. */
export function cave(dark: boolean): Look {
  return { ...studio(true), zenith: dark ? 0x12161b : 0x27303a, horizon: dark ? 0x29303a : 0x55626f };
}

export function lookOf(body: string, gravity: number): Look {
  if (BODIES[body]) return BODIES[body];
  if (gravity > 0 && gravity < 1) return ICE_MOON;
  return gravity >= 1 && gravity < 2.6 ? MOON : gravity >= 2.6 && gravity < 6 ? MARS : EARTH;
}

const STUFF: [RegExp, Stuff][] = [
  [/ice|glacier|snow|firn|frost/i, "ice"],
  [/concrete|floor|pavement|asphalt|plaster/i, "concrete"],
  [/steel|metal|alumin|iron/i, "steel"],
  [/sandstone|rock|basalt|outcrop|boulder|stone|gravel/i, "rock"],
  [/sand|dune|drift|ripple/i, "sand"],
  [/soil|regolith|loam|clay|crust|clod|trench|simulant|dust|dirt|mer_|viking|msl|grc|jsc|lunar|fjs|es-/i, "soil"],
];
export function stuffOf(material: { name: string; soil?: string | null } | undefined): Stuff {
  for (const name of [material?.soil ?? "", material?.name ?? ""]) {
    for (const [pattern, stuff] of STUFF) if (pattern.test(name)) return stuff;
  }
  return "ground";
}

/** Natural colours of the 256 materials of a terrain, and which of the first eight shine like ice. */
export function palette(look: Look, info: TerrainInfo | null): { colours: THREE.Color[]; icy: number[] } {
  const own = info?.colour ? new THREE.Color().setRGB(info.colour[0], info.colour[1], info.colour[2], THREE.SRGBColorSpace) : null;
  const used = new Map<Stuff, number>();
  const colours: THREE.Color[] = [];
  const icy: number[] = [];
  for (let k = 0; k < 256; k++) {
    const stuff = k === 0 || info?.materials?.[k] ? stuffOf(info?.materials?.[k]) : "ground";
    const again = used.get(stuff) ?? 0; // the same stuff once more: a little lighter or darker
    used.set(stuff, again + 1);
    const shift = again === 0 ? 0 : (again % 2 === 0 ? 0.035 : -0.045) + (((again * 0.618034) % 1) - 0.5) * 0.02;
    const colour = own?.clone() ?? new THREE.Color(info?.materials?.[k]?.colour ? 0 : look.stuff[stuff]);
    const given = info?.materials?.[k]?.colour;
    if (given) colour.setRGB(given[0], given[1], given[2], THREE.SRGBColorSpace);
    colours.push(colour.offsetHSL(0, 0, shift));
    if (k < 8) icy.push(stuff === "ice" ? 1 : 0);
  }
  return { colours, icy };
}

/** Where the sun stands at a time: between the places of its track, or where it always is. */
export function sunAt(sun: SunInfo | null | undefined, time: number): { azimuth: number; elevation: number } | null {
  const track = sun?.track ?? [];
  if (!sun || track.length < 2) return sun ?? null;
  let k = track.findIndex((p) => p[0] > time);
  if (k < 0) k = track.length - 1;
  k = Math.max(k, 1);
  const [[t0, a0, e0], [t1, a1, e1]] = [track[k - 1], track[k]];
  const f = Math.min(Math.max((time - t0) / (t1 - t0), 0), 1);
  const turn = Math.atan2(Math.sin(a1 - a0), Math.cos(a1 - a0));
  return { azimuth: a0 + f * turn, elevation: e0 + f * (e1 - e0) };
}

// Distinct under the common colour deficiencies (Okabe-Ito), for soil regions and plots.
export const REGION_COLOURS = [0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7, 0x999999];

// A perceptually even ramp from dark blue over green to yellow; four polynomials would save nothing
// here.
export const RAMP_GLSL = /* glsl */ `
vec3 rilleRamp(float t) {
  t = clamp(t, 0.0, 1.0);
  vec3 a = vec3(0.19, 0.13, 0.40), b = vec3(0.16, 0.40, 0.60), c = vec3(0.16, 0.66, 0.52), d = vec3(0.62, 0.83, 0.27), e = vec3(0.99, 0.90, 0.25);
  float s = t * 4.0;
  vec3 r = mix(a, b, clamp(s, 0.0, 1.0));
  r = mix(r, c, clamp(s - 1.0, 0.0, 1.0));
  r = mix(r, d, clamp(s - 2.0, 0.0, 1.0));
  r = mix(r, e, clamp(s - 3.0, 0.0, 1.0));
  return r * r; // towards linear light
}
// Slip from -1 (blue) over rolling (pale) to 1 (dark red): each side darkens evenly.
vec3 rilleSlip(float t) {
  vec3 a = vec3(0.13, 0.24, 0.56), b = vec3(0.40, 0.66, 0.82), c = vec3(0.97, 0.94, 0.78), d = vec3(0.95, 0.57, 0.28), e = vec3(0.52, 0.05, 0.14);
  float s = clamp(t, -1.0, 1.0) * 2.0 + 2.0;
  vec3 r = mix(a, b, clamp(s, 0.0, 1.0));
  r = mix(r, c, clamp(s - 1.0, 0.0, 1.0));
  r = mix(r, d, clamp(s - 2.0, 0.0, 1.0));
  r = mix(r, e, clamp(s - 3.0, 0.0, 1.0));
  return r * r;
}
vec3 rilleHazard(float t) {
  vec3 a = vec3(0.18, 0.55, 0.34), b = vec3(0.93, 0.84, 0.30), c = vec3(0.91, 0.48, 0.16), d = vec3(0.74, 0.12, 0.17);
  float s = clamp(t, 0.0, 1.0) * 3.0;
  vec3 r = mix(a, b, clamp(s, 0.0, 1.0));
  r = mix(r, c, clamp(s - 1.0, 0.0, 1.0));
  r = mix(r, d, clamp(s - 2.0, 0.0, 1.0));
  return r * r;
}
`;

/** Round number of the series 1, 2, 5 next above x. */
export function roundUp(x: number): number {
  const p = Math.pow(10, Math.floor(Math.log10(x)));
  const f = x / p;
  return (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10) * p;
}

/** A tileable noise: slopes in red and green, brightness in blue. Summed from a fixed set of waves, so always the same. */
export function noiseTexture(size = 256): THREE.DataTexture {
  const data = new Uint8Array(size * size * 4);
  const height = new Float32Array(size * size);
  let seed = 12345;
  const random = (): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  for (let cells = 4, amplitude = 1; cells <= size / 2; cells *= 2, amplitude *= 0.62) addNoise(height, size, cells, amplitude, random);
  const at = (x: number, y: number): number => height[((y + size) % size) * size + ((x + size) % size)];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const k = 4 * (y * size + x);
      data[k] = 128 + 127 * Math.tanh(0.9 * (at(x - 1, y) - at(x + 1, y)));
      data[k + 1] = 128 + 127 * Math.tanh(0.9 * (at(x, y - 1) - at(x, y + 1)));
      data[k + 2] = 128 + 127 * Math.tanh(0.8 * at(x, y));
      data[k + 3] = 255;
    }
  }
  const texture = new THREE.DataTexture(data, size, size);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

function addNoise(height: Float32Array, size: number, cells: number, amplitude: number, random: () => number): void {
  const lattice = Float32Array.from({ length: cells * cells }, () => amplitude * (2 * random() - 1));
  const smooth = (f: number): number => f * f * (3 - 2 * f);
  for (let y = 0; y < size; y++) {
    const v = (y * cells) / size;
    const j = Math.floor(v);
    const fv = smooth(v - j);
    const low = j * cells;
    const high = ((j + 1) % cells) * cells;
    for (let x = 0; x < size; x++) {
      const u = (x * cells) / size;
      const i = Math.floor(u);
      const next = i + 1 === cells ? 0 : i + 1;
      const fu = smooth(u - i);
      height[y * size + x] += (1 - fv) * ((1 - fu) * lattice[low + i] + fu * lattice[low + next]) + fv * ((1 - fu) * lattice[high + i] + fu * lattice[high + next]);
    }
  }
}
