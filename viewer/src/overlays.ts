// SPDX-License-Identifier: Apache-2.0
// What is drawn on top of the scene to explain it: frames, labels, contacts and forces, tethers,
// tracks, support polygon, centre of mass. Buffers grow in powers of two and are written in place.
import * as THREE from "three";
import { roundUp } from "./look";
import type { Frame } from "./protocol";

const FORCE = 0xff5a3c;
const CONTACT = 0xffd23f;
const PULL = 0xb06cff; // of a placement

/** Lines or points with a buffer that grows. */
class Stroke<T extends THREE.Line | THREE.LineSegments | THREE.Points> {
  private capacity = 0;
  position!: THREE.BufferAttribute;
  color!: THREE.BufferAttribute;
  count = 0;

  constructor(readonly object: T) {
    object.frustumCulled = false;
    this.reserve(64);
  }
  reserve(points: number): void {
    if (points <= this.capacity) return;
    let capacity = Math.max(this.capacity, 64);
    while (capacity < points) capacity *= 2;
    const position = new THREE.BufferAttribute(new Float32Array(capacity * 3), 3).setUsage(THREE.DynamicDrawUsage);
    const color = new THREE.BufferAttribute(new Float32Array(capacity * 3), 3).setUsage(THREE.DynamicDrawUsage);
    if (this.capacity > 0) {
      (position.array as Float32Array).set(this.position.array as Float32Array);
      (color.array as Float32Array).set(this.color.array as Float32Array);
    }
    this.object.geometry.dispose();
    this.object.geometry = new THREE.BufferGeometry();
    this.object.geometry.setAttribute("position", position).setAttribute("color", color);
    this.position = position;
    this.color = color;
    this.capacity = capacity;
  }
  point(x: number, y: number, z: number, c: THREE.Color): void {
    this.reserve(this.count + 1);
    this.position.setXYZ(this.count, x, y, z);
    this.color.setXYZ(this.count++, c.r, c.g, c.b);
  }
  done(): void {
    this.object.geometry.setDrawRange(0, this.count);
    this.position.needsUpdate = true;
    this.color.needsUpdate = true;
  }
}

const strokeMaterial = (): THREE.LineBasicMaterial => new THREE.LineBasicMaterial({ vertexColors: true });

/** Arrows as instances: shaft and head from one geometry, length by scale along z. */
class Arrows {
  readonly group = new THREE.Group();
  private shaft: THREE.InstancedMesh;
  private head: THREE.InstancedMesh;
  private dots: THREE.InstancedMesh;
  private readonly m = new THREE.Matrix4();
  private readonly q = new THREE.Quaternion();
  private readonly p = new THREE.Vector3();
  private readonly d = new THREE.Vector3();
  private readonly s = new THREE.Vector3();
  private readonly z = new THREE.Vector3(0, 0, 1);
  private capacity = 32;
  private readonly red = new THREE.MeshBasicMaterial({ color: FORCE, depthTest: false });

  constructor() {
    [this.shaft, this.head, this.dots] = this.make();
  }

  private make(): [THREE.InstancedMesh, THREE.InstancedMesh, THREE.InstancedMesh] {
    const red = this.red;
    const yellow = new THREE.MeshBasicMaterial({ color: CONTACT });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const made: [THREE.InstancedMesh, THREE.InstancedMesh, THREE.InstancedMesh] = [
      new THREE.InstancedMesh(shaft, red, this.capacity),
      new THREE.InstancedMesh(head, red, this.capacity),
      new THREE.InstancedMesh(new THREE.SphereGeometry(1, 14, 10), yellow, this.capacity),
    ];
    for (const mesh of made) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 20;
      this.group.add(mesh);
    }
    return made;
  }

  set(frame: Frame, metresPerNewton: number, size: number): void {
    if (frame.contacts > this.capacity) {
      while (this.capacity < frame.contacts) this.capacity *= 2;
      this.group.clear();
      [this.shaft, this.head, this.dots] = this.make();
    }
    const r = 0.0055 * size;
    this.red.color.set(frame.pulls ? PULL : FORCE);
    for (let k = 0; k < frame.contacts; k++) {
      this.p.fromArray(frame.contact, 6 * k);
      this.d.fromArray(frame.contact, 6 * k + 3);
      const length = this.d.length() * metresPerNewton;
      this.q.setFromUnitVectors(this.z, length > 0 ? this.d.normalize() : this.z);
      const tip = Math.min(5 * r, 0.45 * length);
      this.s.set(r, r, Math.max(length - tip, 1e-9));
      this.shaft.setMatrixAt(k, this.m.compose(this.p, this.q, this.s));
      this.s.set(1.5 * r, 1.5 * r, 1.5 * r);
      this.dots.setMatrixAt(k, this.m.compose(this.p, this.q, this.s));
      this.p.addScaledVector(this.d, length - tip);
      this.s.set(0.5 * tip, 0.5 * tip, Math.max(tip, 1e-9));
      this.head.setMatrixAt(k, this.m.compose(this.p, this.q, this.s));
    }
    for (const mesh of [this.shaft, this.head, this.dots]) {
      mesh.count = frame.contacts;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

export class Overlays {
  readonly group = new THREE.Group();
  readonly frames = new THREE.Group();
  readonly labels = new THREE.Group();
  readonly contacts: THREE.Group;
  readonly tethers = new THREE.Group();
  readonly tracks = new THREE.Group();
  readonly support = new THREE.Group();
  readonly com = new THREE.Group();
  private readonly arrows = new Arrows();
  private readonly axes = new Stroke(new THREE.LineSegments(new THREE.BufferGeometry(), strokeMaterial()));
  private readonly ropes = new Stroke(new THREE.LineSegments(new THREE.BufferGeometry(), strokeMaterial()));
  private readonly prints: Stroke<THREE.Points>;
  private readonly hull = new Stroke(new THREE.LineSegments(new THREE.BufferGeometry(), strokeMaterial()));
  private readonly centre: THREE.Mesh;
  private readonly pressed = new Set<number>();
  private names: string[] = []; // labels are made when they are first shown
  private peak = 0;
  weight = 0; // of the robot [N]; 0: not known
  metresPerNewton = 0;
  seenContacts = false;
  seenSprings = false;

  constructor() {
    this.contacts = this.arrows.group;
    this.prints = new Stroke(
      new THREE.Points(
        new THREE.BufferGeometry(),
        new THREE.PointsMaterial({ vertexColors: true, size: 0.05, transparent: true, opacity: 0.8, depthWrite: false }),
      ),
    );
    this.frames.add(this.axes.object);
    this.tethers.add(this.ropes.object);
    this.tracks.add(this.prints.object);
    this.support.add(this.hull.object);
    this.centre = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), new THREE.MeshBasicMaterial({ color: 0x19c37d, depthTest: false }));
    this.centre.renderOrder = 20;
    this.com.add(this.centre);
    for (const stroke of [this.axes, this.hull]) (stroke.object.material as THREE.Material).depthTest = false;
    for (const stroke of [this.axes, this.hull]) stroke.object.renderOrder = 20;
    this.group.add(this.frames, this.labels, this.contacts, this.tethers, this.tracks, this.support, this.com);
  }

  /** A new robot: its labels; everything recorded is forgotten. */
  reset(names: string[]): void {
    for (const label of this.labels.children) ((label as THREE.Sprite).material.map as THREE.Texture).dispose();
    this.labels.clear();
    this.names = names;
    this.forget();
  }

  forget(): void {
    this.prints.count = 0;
    this.pressed.clear();
    this.prints.done();
  }

  /** Called for every frame received, shown or not: tracks are made of all of them. */
  record(frame: Frame): void {
    if (frame.pulls) return;
    if (frame.contacts > 0) this.seenContacts = true;
    if (frame.springs > 0) this.seenSprings = true;
    this.recordTracks(frame);
  }

  /** One print per cell of 3 cm that was touched. */
  private recordTracks(frame: Frame): void {
    const cell = 0.03;
    const before = this.prints.count;
    for (let k = 0; k < frame.contacts; k++) {
      const [x, y, z] = [frame.contact[6 * k], frame.contact[6 * k + 1], frame.contact[6 * k + 2]];
      const key = Math.round(x / cell) * 4_000_037 + Math.round(y / cell);
      if (this.pressed.has(key) || this.prints.count > 400_000) continue;
      this.pressed.add(key);
      this.prints.point(x, y, z + 0.012, colour.set(0x2b1d14));
    }
    if (this.prints.count > before) this.prints.done();
  }

  /** Writes what is visible in any viewport. */
  update(frame: Frame, size: number, com: THREE.Vector3 | null): void {
    if (this.frames.visible) this.drawAxes(frame, 0.12 * size);
    if (this.labels.visible) this.placeLabels(frame);
    if (this.contacts.visible) this.drawForces(frame, size);
    if (this.tethers.visible) this.drawRopes(frame);
    if (this.support.visible) this.drawHull(frame);
    if (com) {
      this.centre.position.copy(com);
      this.centre.scale.setScalar(0.02 * size);
    }
    this.centre.visible = com !== null;
  }

  private drawAxes(frame: Frame, length: number): void {
    this.axes.count = 0;
    for (let b = 0; b < frame.bodies; b++) {
      a.fromArray(frame.position, 3 * b);
      q.fromArray(frame.quaternion, 4 * b);
      for (let k = 0; k < 3; k++) {
        e.set(k === 0 ? length : 0, k === 1 ? length : 0, k === 2 ? length : 0).applyQuaternion(q).add(a);
        colour.set(k === 0 ? 0xf2495c : k === 1 ? 0x3fbf5f : 0x4a86ff);
        this.axes.point(a.x, a.y, a.z, colour);
        this.axes.point(e.x, e.y, e.z, colour);
      }
    }
    this.axes.done();
  }

  private placeLabels(frame: Frame): void {
    if (this.labels.children.length === 0) for (const name of this.names) this.labels.add(makeLabel(name));
    this.labels.children.forEach((label, b) => {
      label.visible = b < frame.bodies;
      if (label.visible) label.position.fromArray(frame.position, 3 * b);
    });
  }

  /** The longest arrow has half the robot's radius, unless all are small against its weight; the scale is a round number and changes rarely. */
  private drawForces(frame: Frame, size: number): void {
    let most = 0;
    for (let k = 0; k < frame.contacts; k++) {
      most = Math.max(most, Math.hypot(frame.contact[6 * k + 3], frame.contact[6 * k + 4], frame.contact[6 * k + 5]));
    }
    this.peak = Math.max(most, 0.995 * this.peak); // of forces and pulls alike
    if (this.peak > 0) this.metresPerNewton = (0.55 * size) / roundUp(Math.max(this.peak, 0.05 * this.weight));
    this.arrows.set(frame, this.metresPerNewton, size);
  }

  private drawRopes(frame: Frame): void {
    let most = 1e-9;
    for (let k = 0; k < frame.springs; k++) most = Math.max(most, Math.abs(frame.spring[7 * k + 6]));
    this.ropes.count = 0;
    for (let k = 0; k < frame.springs; k++) {
      const s = frame.spring.subarray(7 * k, 7 * k + 7);
      colour.set(0x7a8088).lerp(taut, Math.min(1, Math.abs(s[6]) / most));
      this.ropes.point(s[0], s[1], s[2], colour);
      this.ropes.point(s[3], s[4], s[5], colour);
    }
    this.ropes.done();
  }

  private drawHull(frame: Frame): void {
    const points: THREE.Vector3[] = [];
    for (let k = 0; k < frame.contacts; k++) {
      if (frame.contact[6 * k + 5] > 0) points.push(new THREE.Vector3().fromArray(frame.contact, 6 * k));
    }
    const ring = convexHull(points);
    this.hull.count = 0;
    colour.set(0x19c37d);
    ring.forEach((p, k) => {
      const next = ring[(k + 1) % ring.length];
      this.hull.point(p.x, p.y, p.z, colour);
      this.hull.point(next.x, next.y, next.z, colour);
    });
    this.hull.done();
  }
}

const colour = new THREE.Color();
const taut = new THREE.Color(FORCE);
const a = new THREE.Vector3();
const e = new THREE.Vector3();
const q = new THREE.Quaternion();

/** Convex hull in plan (monotone chain), anticlockwise. */
export function convexHull<P extends { x: number; y: number }>(points: P[]): P[] {
  const sorted = [...points].sort((p, r) => p.x - r.x || p.y - r.y);
  if (sorted.length < 3) return sorted;
  const half = (list: P[]): P[] => {
    const chain: P[] = [];
    for (const p of list) {
      while (chain.length >= 2) {
        const [u, v] = [chain[chain.length - 2], chain[chain.length - 1]];
        if ((v.x - u.x) * (p.y - u.y) - (v.y - u.y) * (p.x - u.x) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function makeLabel(text: string): THREE.Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const font = "500 26px system-ui, sans-serif";
  if (context) context.font = font;
  canvas.width = Math.ceil(context?.measureText(text).width ?? 100) + 20;
  canvas.height = 40;
  if (context) {
    context.font = font;
    context.fillStyle = "rgba(16, 20, 26, 0.72)";
    context.beginPath();
    context.roundRect(0, 0, canvas.width, canvas.height, 8);
    context.fill();
    context.fillStyle = "#ffffff";
    context.textBaseline = "middle";
    context.fillText(text, 10, 21);
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: false, sizeAttenuation: false }));
  sprite.scale.set((0.03 * canvas.width) / canvas.height, 0.03, 1);
  sprite.center.set(0, -0.4);
  sprite.renderOrder = 30;
  return sprite;
}
