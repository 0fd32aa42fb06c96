// SPDX-License-Identifier: Apache-2.0
// How a world looks: sky, light and ground by its gravity (the protocol carries no name of the planet), colours of materials, and
// the colour ramps shared by the shaders and their legends.
import * as THREE from "three";

export interface Look {
  name: string;
  ground: number; // colour of untouched ground
  zenith: number;
  horizon: number;
  sun: number;
  sunPower: number;
  skyPower: number;
  stars: boolean;
}

const LOOKS: { from: number; to: number; look: Look }[] = [
  {
    from: 1e-9,
    to: 1.0,
    look: { name: "ice moon", ground: 0xc9d6df, zenith: 0x05070c, horizon: 0x0d141d, sun: 0xfdfcff, sunPower: 2.6, skyPower: 0.5, stars: true },
  },
  {
    from: 1.0,
    to: 2.6,
    look: { name: "moon", ground: 0x8d8a85, zenith: 0x020304, horizon: 0x07080a, sun: 0xfffbf2, sunPower: 3.1, skyPower: 0.34, stars: true },
  },
  {
    from: 2.6,
    to: 6.0,
    look: { name: "mars", ground: 0xb5764c, zenith: 0x8c745c, horizon: 0xd9b48c, sun: 0xfff1dc, sunPower: 2.5, skyPower: 0.95, stars: false },
  },
];

const EARTH: Look = {
  name: "earth",
  ground: 0x9a8f79,
  zenith: 0x4f7fb5,
  horizon: 0xc9d8e4,
  sun: 0xfff4e2,
  sunPower: 2.5,
  skyPower: 1.0,
  stars: false,
};

/** Without ground there is no planet to look at: a plain studio, light or dark as the page. */
export function studio(dark: boolean): Look {
  return {
    name: "studio",
    ground: 0x808894,
    zenith: dark ? 0x161a20 : 0xdfe5ec,
    horizon: dark ? 0x2b323c : 0xf6f8fa,
    sun: 0xffffff,
    sunPower: 2.2,
    skyPower: 1.15,
    stars: false,
  };
}

export function lookOf(gravity: number): Look {
  return LOOKS.find((entry) => gravity >= entry.from && gravity < entry.to)?.look ?? EARTH;
}

// Distinct under the common colour deficiencies (Okabe-Ito), for soil regions and plots.
export const REGION_COLOURS = [0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7, 0x999999];

/** Natural colour of material k of a terrain: the ground's own, shifted a little from one material to the next. */
export function materialColour(ground: THREE.Color, k: number, out: THREE.Color): THREE.Color {
  out.copy(ground);
  if (k === 0) return out;
  const turn = ((k * 0.618034) % 1) - 0.5;
  return out.offsetHSL(turn * 0.02, turn * 0.08, (k % 2 === 0 ? 0.035 : -0.045) + turn * 0.02);
}

// A perceptually even ramp from dark blue over green to yellow; four polynomials would save nothing here.
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
    for (let x = 0; x < size; x++) {
      const u = (x * cells) / size;
      const i = Math.floor(u);
      const fu = smooth(u - i);
      const l = (di: number, dj: number): number => lattice[((j + dj) % cells) * cells + ((i + di) % cells)];
      height[y * size + x] += (1 - fv) * ((1 - fu) * l(0, 0) + fu * l(1, 0)) + fv * ((1 - fu) * l(0, 1) + fu * l(1, 1));
    }
  }
}
