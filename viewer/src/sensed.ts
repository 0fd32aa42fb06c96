// SPDX-License-Identifier: Apache-2.0
// What a robot has sensed or made of it: points of a lidar, what cameras see of the ground, maps of
// hazards and of goodness, and the mobility map that it was given. Each message replaces the one of its name or kind before.
import * as THREE from "three";
import { MAP_KINDS, RayEnd, type MapKind, type PointCloud, type Sight, type ValueMap } from "./protocol";

const DRAPE = 96; // cells of the sheet that a map lies on, at most, on a side
type HeightAt = (x: number, y: number) => number;

/** Green over yellow to red: good to bad. Hazards are the clearer the worse they are. */
export function mapColour(value: number, hazard: boolean): [number, number, number, number] {
  const bad = hazard ? value : 1 - value;
  const stops = [[46, 140, 87], [237, 214, 77], [232, 122, 41], [189, 31, 43]];
  const s = Math.min(Math.max(bad, 0), 1) * 3;
  const k = Math.min(Math.floor(s), 2);
  const [r, g, b] = [0, 1, 2].map((c) => Math.round(stops[k][c] + (s - k) * (stops[k + 1][c] - stops[k][c])));
  return [r, g, b, hazard ? Math.round(60 + 160 * bad) : 150];
}

/** Red (near) over yellow, green and cyan to blue (far), as of a part u of the way. */
export function rangeColour(u: number): [number, number, number] {
  const s = 4 * Math.min(Math.max(u, 0), 1);
  const ramp = (x: number): number => Math.min(Math.max(x, 0), 1);
  return [ramp(2 - s), ramp(Math.min(s, 4 - s)), ramp(s - 2)];
}

/** Colours of points by their range; the farthest of 50 is beyond the scale, so that one stray does not set it. */
export function rangeColours(range: Float32Array): Float32Array {
  const sorted = Float32Array.from(range).sort();
  const far = Math.max(sorted[Math.floor(0.98 * (sorted.length - 1))] ?? 0, 1e-3);
  const colours = new Float32Array(3 * range.length);
  range.forEach((r, k) => colours.set(rangeColour(r / far), 3 * k));
  return colours;
}

/** Where the border of a frame lies on the ground: pieces of neighbouring rays that end there. */
export function footprint({ rays }: Sight): number[][] {
  const n = rays.length / 4;
  const lines: number[][] = [];
  for (let k = 0; k < n; k++) {
    const next = (k + 1) % n;
    if (rays[4 * k + 3] !== RayEnd.Ground || rays[4 * next + 3] !== RayEnd.Ground) continue;
    lines.push([...rays.subarray(4 * k, 4 * k + 3), ...rays.subarray(4 * next, 4 * next + 3)]);
  }
  return lines;
}

export class Sensed {
  readonly points = new THREE.Group();
  readonly sights = new THREE.Group();
  readonly sheets = MAP_KINDS.map(() => new THREE.Group()); // one for each kind of map
  private readonly clouds = new Map<string, THREE.Points>();
  private readonly maps: (ValueMap | undefined)[] = [];
  private laid: (number | undefined)[] = []; // tiles of ground known when a map was laid

  private readonly seen = new Map<string, THREE.Group>();

  setPoints({ name, position, range }: PointCloud): void {
    const old = this.clouds.get(name);
    old?.geometry.dispose();
    old?.removeFromParent();
    this.clouds.delete(name);
    if (position.length === 0) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    if (range) geometry.setAttribute("color", new THREE.BufferAttribute(rangeColours(range), 3));
    const cloud = new THREE.Points(geometry, range ? rangeMaterial : cloudMaterial);
    this.clouds.set(name, cloud);
    this.points.add(cloud);
  }

  /** Edges of what a camera sees up to `length`, and its border on the ground, `lift` above it. */
  setSight(sight: Sight, length: number, lift: number): void {
    const old = this.seen.get(sight.name);
    for (const part of (old?.children ?? []) as THREE.Mesh[]) part.geometry.dispose();
    old?.removeFromParent();
    const group = new THREE.Group();
    group.add(lines(frustum(sight, length), edgeMaterial));
    group.add(lines(footprint(sight).map((l) => l.map((x, k) => (k % 3 === 2 ? x + lift : x))), printMaterial));
    group.add(sheet(sight, lift));
    this.seen.set(sight.name, group);
    this.sights.add(group);
  }

  setMap(map: ValueMap): void {
    this.maps[map.what] = map;
    this.laid[map.what] = undefined;
  }

  has(layer: "lidar" | "sights" | MapKind): boolean {
    if (layer === "sights") return this.seen.size > 0;
    return layer === "lidar" ? this.clouds.size > 0 : this.maps[MAP_KINDS.indexOf(layer)] !== undefined;
  }

  /** Lays the maps on the ground that is known. */
  draw(tiles: number, lift: number, heightAt: HeightAt): void {
    this.sheets.forEach((group, what) => {
      const map = this.maps[what];
      if (!map || this.laid[what] === tiles) return;
      this.laid[what] = tiles;
      for (const sheet of group.children as THREE.Mesh[]) {
        sheet.geometry.dispose();
        (sheet.material as THREE.MeshBasicMaterial).map?.dispose();
        (sheet.material as THREE.MeshBasicMaterial).dispose();
      }
      group.clear();
      group.add(laySheet(map, MAP_KINDS[what] !== "goodness", lift, heightAt));
    });
  }
}

const rangeMaterial = new THREE.PointsMaterial({ vertexColors: true, size: 2.5, sizeAttenuation: false, toneMapped: false });
const edgeMaterial = new THREE.LineBasicMaterial({ color: 0xf0a020, toneMapped: false });
const printMaterial = new THREE.LineBasicMaterial({ color: 0xffc860, toneMapped: false });
const sheetMaterial = new THREE.MeshBasicMaterial({ color: 0xffc860, transparent: true, opacity: 0.18, side: THREE.DoubleSide, depthWrite: false, toneMapped: false });

function lines(pieces: number[][], material: THREE.LineBasicMaterial): THREE.LineSegments {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(pieces.flat()), 3));
  return new THREE.LineSegments(geometry, material);
}

/** From the eye to the corners of the frame and around between them, at most `length` away. */
export function frustum({ eye, rays }: Sight, length: number): number[][] {
  const quarter = rays.length / 16;
  const from = new THREE.Vector3(...eye);
  const ends: (THREE.Vector3 | null)[] = [0, 1, 2, 3].map((k) => {
    const at = 4 * k * quarter;
    if (rays[at + 3] === RayEnd.None) return null;
    const ray = new THREE.Vector3(rays[at], rays[at + 1], rays[at + 2]).sub(from);
    return ray.setLength(Math.min(ray.length(), length)).add(from);
  });
  const pieces: number[][] = [];
  ends.forEach((end, k) => {
    const next = ends[(k + 1) % 4];
    if (end) pieces.push([...eye, ...end.toArray()]);
    if (end && next) pieces.push([...end.toArray(), ...next.toArray()]);
  });
  return pieces;
}

/** The covered ground: a fan over the border where all of it lies on the ground, else nothing. */
function sheet(sight: Sight, lift: number): THREE.Mesh {
  const border = footprint(sight);
  const geometry = new THREE.BufferGeometry();
  const whole = border.length === sight.rays.length / 4;
  const middle = [0, 1, 2].map((k) => border.reduce((sum, l) => sum + l[k], 0) / Math.max(border.length, 1));
  const corners = whole ? border.flatMap((l) => [...middle, ...l]) : [];
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(corners.map((x, k) => (k % 3 === 2 ? x + lift : x))), 3));
  const mesh = new THREE.Mesh(geometry, sheetMaterial);
  mesh.renderOrder = 8;
  return mesh;
}

const cloudMaterial = new THREE.PointsMaterial({ color: 0x35e0ff, size: 2.5, sizeAttenuation: false, toneMapped: false });

function laySheet(map: ValueMap, hazard: boolean, lift: number, heightAt: HeightAt): THREE.Mesh {
  const [width, depth] = [map.nx * map.cell, map.ny * map.cell];
  const geometry = new THREE.PlaneGeometry(width, depth, Math.min(map.nx, DRAPE), Math.min(map.ny, DRAPE));
  geometry.translate(map.x0 + width / 2, map.y0 + depth / 2, 0);
  const position = geometry.getAttribute("position") as THREE.BufferAttribute;
  for (let k = 0; k < position.count; k++) {
    const z = heightAt(position.getX(k), position.getY(k));
    position.setZ(k, (Number.isNaN(z) ? 0 : z) + lift);
  }
  const colours = new Uint8Array(4 * map.nx * map.ny);
  map.value.forEach((v, k) => {
    if (v < 255) colours.set(mapColour(v / 254, hazard), 4 * k);
  });
  const texture = new THREE.DataTexture(colours, map.nx, map.ny);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.needsUpdate = true;
  const mesh = new THREE.Mesh(
    geometry,
    new THREE.MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false, toneMapped: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -4 }),
  );
  mesh.renderOrder = hazard ? 7 : 6;
  return mesh;
}
