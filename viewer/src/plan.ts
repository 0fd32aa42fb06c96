// SPDX-License-Identifier: Apache-2.0
// What a rover means to drive, laid on the ground: the motion it carries out as a band, the way
// between waypoints as a dashed one, waypoints as discs; the one it drives to is larger and has a
// pole. What is not being driven is pale.
import * as THREE from "three";
import type { PlanRover } from "./protocol";

const PLAN = 0xc6ff3d;
export const EDGE = 0x16240a;
const GOAL = 0xffffff;
const STEP = 0.15; // of the robot's size: how finely a way follows the ground
const MOST = 400; // pieces of a straight way

type Place = [number, number];
type HeightAt = (x: number, y: number) => number;

/** Width of bands on the ground beside a robot of this size. */
export function bandWidth(size: number): number {
  return Math.min(Math.max(0.035 * size, 0.008), 0.2);
}

/** Pieces of a way no longer than `step`, corners kept. */
export function resample(way: Place[], step: number): Place[] {
  const out: Place[] = [];
  for (let k = 0; k + 1 < way.length; k++) {
    const [[x0, y0], [x1, y1]] = [way[k], way[k + 1]];
    const n = Math.min(MOST, Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / step)));
    for (let i = 0; i < n; i++) out.push([x0 + ((x1 - x0) * i) / n, y0 + ((y1 - y0) * i) / n]);
  }
  if (way.length > 0) out.push(way[way.length - 1]);
  return out;
}

export function places(list: number[]): Place[] {
  const out: Place[] = [];
  for (let k = 0; k + 1 < list.length; k += 2) out.push([list[k], list[k + 1]]);
  return out;
}

/** Ways that no motion covers yet: from the end of the motion (or the first waypoint) on, through the waypoints. */
export function rest(rover: PlanRover): Place[] {
  const points = places(rover.waypoints);
  if (rover.goal < 1) return points;
  const motion = places(rover.motion);
  const end = motion.length > 0 && rover.driving ? motion[motion.length - 1] : points[rover.goal - 1];
  return [end, ...points.slice(rover.goal)];
}

export class PlannedPath {
  readonly group = new THREE.Group();
  private readonly bright = bandMaterial(PLAN, 1);
  private readonly pale = bandMaterial(PLAN, 0.45);
  private readonly edge = bandMaterial(EDGE, 0.55);
  private readonly goal = bandMaterial(GOAL, 1);
  private readonly line = new THREE.LineBasicMaterial({ color: PLAN, toneMapped: false });

  /** Lays everything out anew. `size`: the robot's radius. */
  draw(rovers: PlanRover[], size: number, heightAt: HeightAt): void {
    this.clear();
    const width = bandWidth(size);
    const height: HeightAt = (x, y) => {
      const z = heightAt(x, y);
      return Number.isNaN(z) ? 0 : z;
    };
    for (const rover of rovers) {
      const fill = rover.driving ? this.bright : this.pale;
      this.band(resample(places(rover.motion), STEP * size), width, fill, 0, height);
      this.band(resample(rest(rover), STEP * size), 0.6 * width, fill, STEP * size, height);
      places(rover.waypoints).forEach(([x, y], k) => {
        const next = rover.driving && k + 1 === rover.goal;
        const ahead = rover.driving && k + 1 >= rover.goal && rover.goal > 0;
        this.mark(x, y, (next ? 3.2 : 2) * width, next, ahead ? this.bright : this.pale, height);
        if (next) this.pole(x, y, height(x, y), width, 0.8 * size);
      });
    }
  }

  private clear(): void {
    for (const object of this.group.children) (object as THREE.Mesh).geometry.dispose();
    this.group.clear();
  }

  /** A band on the ground with a dark edge; `dash`: length of its dashes, 0: whole. */
  private band(way: Place[], width: number, fill: THREE.Material, dash: number, height: HeightAt): void {
    if (way.length < 2) return;
    this.add(ribbon(way, 1.7 * width, 0.12 * width, dash, height), this.edge, 10);
    const band = ribbon(way, width, 0.3 * width, dash, height);
    this.add(band, fill, 11);
    this.group.add(new THREE.LineSegments(bandLine(band), this.line));
  }

  private mark(x: number, y: number, radius: number, next: boolean, fill: THREE.Material, height: HeightAt): void {
    const disc = (r: number, lift: number, m: THREE.Material, order: number): void => {
      const geometry = new THREE.CircleGeometry(r, 32).translate(x, y, 0);
      const position = geometry.getAttribute("position") as THREE.BufferAttribute;
      for (let k = 0; k < position.count; k++) position.setZ(k, height(position.getX(k), position.getY(k)) + lift);
      this.add(geometry, m, order);
    };
    disc(1.25 * radius, 0.1 * radius, this.edge, 12);
    disc(radius, 0.15 * radius, fill, 13);
    if (next) disc(0.45 * radius, 0.2 * radius, this.goal, 14);
  }

  private pole(x: number, y: number, z: number, width: number, length: number): void {
    const shaft = new THREE.CylinderGeometry(0.22 * width, 0.22 * width, length, 10).rotateX(Math.PI / 2).translate(x, y, z + length / 2);
    const ball = new THREE.SphereGeometry(0.9 * width, 18, 12).translate(x, y, z + length);
    this.add(shaft, this.goal, 15);
    this.add(ball, this.bright, 15);
  }

  private add(geometry: THREE.BufferGeometry, m: THREE.Material, order: number): void {
    const mesh = new THREE.Mesh(geometry, m);
    mesh.renderOrder = order;
    mesh.matrixAutoUpdate = false;
    this.group.add(mesh);
  }
}

export function bandMaterial(color: number, opacity: number): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    color, opacity, transparent: true, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -8, toneMapped: false,
  });
}

/** Quads along a way, each corner on the ground; `level`: heights of the places where there is none. */
export function ribbon(way: Place[], width: number, lift: number, dash: number, heightAt: HeightAt, level?: Float32Array): THREE.BufferGeometry {
  const height = (x: number, y: number, k: number): number => {
    const z = heightAt(x, y);
    return Number.isNaN(z) ? (level?.[k] ?? 0) : z;
  };
  const position = new Float32Array(way.length * 6);
  const index: number[] = [];
  let gone = 0;
  way.forEach(([x, y], k) => {
    const [ax, ay] = way[Math.max(k - 1, 0)];
    const [bx, by] = way[Math.min(k + 1, way.length - 1)];
    const l = Math.hypot(bx - ax, by - ay) || 1;
    const [nx, ny] = [(-(by - ay) / l) * 0.5 * width, ((bx - ax) / l) * 0.5 * width];
    position.set([x + nx, y + ny, height(x + nx, y + ny, k) + lift, x - nx, y - ny, height(x - nx, y - ny, k) + lift], 6 * k);
    if (k === 0) return;
    const shown = dash === 0 || Math.floor(gone / dash) % 2 === 0;
    gone += Math.hypot(x - way[k - 1][0], y - way[k - 1][1]);
    if (shown) index.push(2 * k - 2, 2 * k - 1, 2 * k + 1, 2 * k - 2, 2 * k + 1, 2 * k);
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.setIndex(index);
  return geometry;
}

/** A line along a band: seen from afar, where the band is narrower than a pixel. Two points for each quad. */
export function bandLine(band: THREE.BufferGeometry): THREE.BufferGeometry {
  const quads = band.getIndex();
  const index: number[] = [];
  for (let k = 0; quads && k < quads.count; k += 6) index.push(quads.getX(k), quads.getX(k + 5));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", band.getAttribute("position"));
  geometry.setIndex(index);
  return geometry;
}
