// SPDX-License-Identifier: Apache-2.0
// The bodies of one run. Equal visuals share one instanced mesh: a robot of sixty bodies costs a
// dozen draw calls. Each frame writes one matrix per visual.
import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { decodeMesh, type BodyInfo, type Frame, type Visual } from "./protocol";

export type MeshSource = (mesh: number) => Promise<ArrayBuffer>;

interface Slot {
  body: number;
  local: THREE.Matrix4;
}
interface Batch {
  mesh: THREE.InstancedMesh;
  slots: Slot[];
  ornament: boolean;
}

const SHELL = 0xdcdfe2; // painted structure
const METAL = 0x9aa3ad; // links
const TYRE = 0x6a7079;
const ORNAMENT = 0xb18cff;

const isWheel = (name: string): boolean => /wheel|tyre|tire|screw|track/i.test(name);

export class Robot {
  readonly group = new THREE.Group();
  readonly ornaments = new THREE.Group();
  names: string[] = [];
  private masses: { body: number; mass: number; com: THREE.Vector3 }[] = [];
  parents: number[] = [];
  lowest = 0; // [m] height of the lowest point of the visuals then
  rise = 0; // [m] middle of the visuals above that of the bodies' origins then
  size = 1; // [m] radius about the middle that holds all visuals at the first frame
  ready: Promise<void> = Promise.resolve();
  hasOrnaments = false;
  private physical: boolean[] = [];
  private batches: Batch[] = [];
  private readonly box = new THREE.Box3();
  private readonly matrix = new THREE.Matrix4();
  private readonly pose = new THREE.Matrix4();
  private readonly p = new THREE.Vector3();
  private readonly q = new THREE.Quaternion();
  private readonly one = new THREE.Vector3(1, 1, 1);
  private readonly touched = new THREE.Vector3();

  constructor(private readonly source: MeshSource) {
    this.group.add(this.ornaments);
  }

  build(bodies: BodyInfo[], tint: number | null): void {
    this.clear();
    this.names = bodies.map((b) => b.name);
    this.parents = bodies.map((b) => parentIndex(b, bodies));
    this.masses = bodies.flatMap((b, body) => (b.mass ? [{ body, mass: b.mass, com: new THREE.Vector3().fromArray(b.com ?? [0, 0, 0]) }] : []));
    this.physical = bodies.map((b) => b.ornament !== true);
    this.hasOrnaments = bodies.some((b) => b.ornament === true);
    const groups = new Map<string, { visual: Visual; body: BodyInfo; slots: Slot[]; colours: THREE.Color[] }>();
    bodies.forEach((body, index) => {
      for (const visual of body.visuals) {
        const key = batchKey(visual, body);
        let group = groups.get(key);
        if (!group) groups.set(key, (group = { visual, body, slots: [], colours: [] }));
        group.slots.push({ body: index, local: localMatrix(visual) });
        group.colours.push(colourOf(visual, body, index, tint));
      }
    });
    const pending: Promise<void>[] = [];
    for (const g of groups.values()) pending.push(this.addBatch(g.visual, g.body, g.slots, g.colours));
    this.ready = Promise.all(pending).then(() => undefined);
  }

  /** Writes the poses of a frame; `shift` moves the whole robot (while it is dragged). */
  update(frame: Frame, shift: THREE.Matrix4 | null): void {
    for (const batch of this.batches) {
      batch.slots.forEach((slot, k) => {
        if (slot.body >= frame.bodies) return;
        this.bodyMatrix(frame, slot.body, this.pose);
        if (shift) this.pose.premultiply(shift);
        batch.mesh.setMatrixAt(k, this.matrix.multiplyMatrices(this.pose, slot.local));
      });
      batch.mesh.instanceMatrix.needsUpdate = true;
      batch.mesh.boundingSphere = null;
    }
  }

  bodyMatrix(frame: Frame, body: number, out: THREE.Matrix4): THREE.Matrix4 {
    this.p.fromArray(frame.position, 3 * body);
    this.q.fromArray(frame.quaternion, 4 * body);
    return out.compose(this.p, this.q, this.one);
  }

  /** Middle of the box around the bodies' origins; ornaments do not count. */
  centre(frame: Frame, out: THREE.Vector3): THREE.Vector3 {
    this.box.makeEmpty();
    for (let b = 0; b < Math.min(frame.bodies, this.physical.length); b++) {
      if (this.physical[b]) this.box.expandByPoint(this.touched.fromArray(frame.position, 3 * b));
    }
    if (this.box.isEmpty()) return out.fromArray(frame.position, 0);
    return this.box.getCenter(out);
  }

  get hasMass(): boolean {
    return this.masses.length > 0;
  }

  /** Centre of mass of the whole robot. */
  centreOfMass(frame: Frame, out: THREE.Vector3): THREE.Vector3 {
    let total = 0;
    out.set(0, 0, 0);
    for (const { body, mass, com } of this.masses) {
      if (body >= frame.bodies) continue;
      this.q.fromArray(frame.quaternion, 4 * body);
      this.p.fromArray(frame.position, 3 * body).add(this.touched.copy(com).applyQuaternion(this.q));
      out.addScaledVector(this.p, mass);
      total += mass;
    }
    return out.divideScalar(total || 1);
  }

  /** Radius about the middle that holds the robot's visuals. */
  measure(frame: Frame): void {
    const centre = this.centre(frame, new THREE.Vector3());
    let radius = 0.05;
    let highest = -Infinity;
    this.lowest = Infinity;
    for (const batch of this.batches) {
      if (batch.ornament) continue;
      batch.mesh.geometry.computeBoundingSphere();
      batch.mesh.geometry.computeBoundingBox();
      const own = batch.mesh.geometry.boundingSphere;
      const hull = batch.mesh.geometry.boundingBox;
      for (const slot of batch.slots) {
        if (slot.body >= frame.bodies || !own) continue;
        this.bodyMatrix(frame, slot.body, this.pose).multiply(slot.local);
        if (hull) {
          this.box.copy(hull).applyMatrix4(this.pose);
          this.lowest = Math.min(this.lowest, this.box.min.z);
          highest = Math.max(highest, this.box.max.z);
        }
        radius = Math.max(radius, own.center.clone().applyMatrix4(this.pose).distanceTo(centre) + own.radius * slot.local.getMaxScaleOnAxis());
      }
    }
    this.size = Math.min(radius, 1e5);
    if (!Number.isFinite(this.lowest)) this.lowest = 0;
    this.rise = Number.isFinite(highest) ? (this.lowest + highest) / 2 - centre.z : 0;
  }

  /** The body under a ray, and where. */
  pick(ray: THREE.Raycaster): { body: number; point: THREE.Vector3 } | null {
    let best: { body: number; point: THREE.Vector3 } | null = null;
    let nearest = Infinity;
    for (const batch of this.batches) {
      for (const hit of ray.intersectObject(batch.mesh, false)) {
        if (hit.distance >= nearest || hit.instanceId === undefined) continue;
        nearest = hit.distance;
        best = { body: batch.slots[hit.instanceId].body, point: hit.point };
      }
    }
    return best;
  }

  private clear(): void {
    for (const batch of this.batches) {
      batch.mesh.removeFromParent();
      batch.mesh.dispose();
    }
    this.batches = [];
  }

  private async addBatch(visual: Visual, body: BodyInfo, slots: Slot[], colours: THREE.Color[]): Promise<void> {
    const geometry = visual.shape === "mesh" ? await this.load(visual) : primitive(visual, isWheel(body.name));
    if (!geometry) return;
    const ornament = body.ornament === true;
    const mesh = new THREE.InstancedMesh(geometry, materialFor(visual, body), slots.length);
    mesh.castShadow = mesh.receiveShadow = !ornament;
    mesh.frustumCulled = false;
    colours.forEach((colour, k) => mesh.setColorAt(k, colour));
    this.batches.push({ mesh, slots, ornament });
    (ornament ? this.ornaments : this.group).add(mesh);
  }

  private async load(visual: Visual): Promise<THREE.BufferGeometry | null> {
    try {
      const mesh = decodeMesh(new DataView(await this.source(visual.mesh ?? 0)), 0);
      const indexed = new THREE.BufferGeometry();
      indexed.setAttribute("position", new THREE.BufferAttribute(mesh.position, 3));
      indexed.setIndex(new THREE.BufferAttribute(mesh.index, 1));
      return creased(indexed);
    } catch {
      return null; // the page says so through the source
    }
  }
}

/** Smooth where triangles meet at less than 35 degrees, sharp elsewhere. */
function creased(indexed: THREE.BufferGeometry): THREE.BufferGeometry {
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  const face = flat.getAttribute("normal");
  const index = indexed.getIndex();
  if (!index || index.count > 600_000) return flat;
  const around: number[][] = Array.from({ length: indexed.getAttribute("position").count }, () => []);
  for (let k = 0; k < index.count; k++) around[index.getX(k)].push(k);
  const smooth = new Float32Array(index.count * 3);
  const n = new THREE.Vector3();
  const own = new THREE.Vector3();
  const sum = new THREE.Vector3();
  for (let k = 0; k < index.count; k++) {
    own.fromBufferAttribute(face, k);
    sum.set(0, 0, 0);
    for (const other of around[index.getX(k)]) {
      n.fromBufferAttribute(face, other);
      if (n.dot(own) > 0.82) sum.add(n);
    }
    sum.normalize().toArray(smooth, 3 * k);
  }
  flat.setAttribute("normal", new THREE.BufferAttribute(smooth, 3));
  return flat;
}

function parentIndex(body: BodyInfo, bodies: BodyInfo[]): number {
  if (typeof body.parent === "number") return body.parent;
  return body.parent === null ? -1 : bodies.findIndex((b) => b.name === body.parent);
}

function batchKey(visual: Visual, body: BodyInfo): string {
  const opaque = (visual.colour?.[3] ?? 1) >= 1;
  const size = visual.shape === "mesh" ? [visual.mesh] : visual.size;
  return [visual.shape, size?.join(","), opaque, isWheel(body.name), body.ornament === true].join("|");
}

function localMatrix(visual: Visual): THREE.Matrix4 {
  const [x, y, z] = visual.position ?? [0, 0, 0];
  const [w, a, b, c] = visual.quaternion ?? [1, 0, 0, 0];
  const [sx, sy, sz] = visual.shape === "mesh" ? (visual.scale ?? [1, 1, 1]) : [1, 1, 1];
  return new THREE.Matrix4().compose(
    new THREE.Vector3(x, y, z),
    new THREE.Quaternion(a, b, c, w).normalize(),
    new THREE.Vector3(sx, sy, sz),
  );
}

function colourOf(visual: Visual, body: BodyInfo, index: number, tint: number | null): THREE.Color {
  const colour = new THREE.Color();
  if (body.ornament) return colour.set(ORNAMENT);
  if (visual.colour) colour.setRGB(visual.colour[0], visual.colour[1], visual.colour[2], THREE.SRGBColorSpace);
  else if (isWheel(body.name)) colour.set(TYRE);
  else colour.set(index === 0 ? SHELL : METAL).offsetHSL(0, 0, index % 2 === 0 ? 0.02 : -0.03);
  if (tint !== null) colour.lerp(new THREE.Color(tint), 0.55);
  return colour;
}

function materialFor(visual: Visual, body: BodyInfo): THREE.Material {
  const alpha = visual.colour?.[3] ?? 1;
  const wheel = isWheel(body.name);
  const opacity = body.ornament ? 0.4 : alpha;
  return new THREE.MeshStandardMaterial({
    roughness: wheel ? 0.75 : 0.48,
    metalness: wheel ? 0.15 : 0.22,
    transparent: opacity < 1,
    opacity,
    depthWrite: opacity >= 1,
    side: visual.shape === "mesh" ? THREE.DoubleSide : THREE.FrontSide,
    vertexColors: visual.shape === "cylinder" && wheel,
  });
}

function primitive(visual: Visual, wheel: boolean): THREE.BufferGeometry {
  const s = visual.size ?? [];
  switch (visual.shape) {
    case "box": {
      const [x, y, z] = [s[0] ?? 0.1, s[1] ?? 0.1, s[2] ?? 0.1];
      return new RoundedBoxGeometry(x, y, z, 2, 0.07 * Math.min(x, y, z));
    }
    case "sphere":
      return new THREE.SphereGeometry(s[0] ?? 0.05, 64, 40);
    case "capsule":
      return new THREE.CapsuleGeometry(s[0] ?? 0.05, s[1] ?? 0.1, 10, 28).rotateX(Math.PI / 2);
    default:
      return bevelledCylinder(s[0] ?? 0.05, s[1] ?? 0.1, wheel);
  }
}

const SEGMENTS = 72;

/** Along z. Wheels get dark bars on the mantle and spokes on the caps: a plain one would not be seen to turn. */
function bevelledCylinder(radius: number, length: number, sectors: boolean): THREE.BufferGeometry {
  const b = 0.12 * Math.min(radius, length / 2);
  const half = length / 2;
  const corners: [number, number][] = [[0, -half], [radius - b, -half], [radius, b - half], [radius, half - b], [radius - b, half], [0, half]];
  const profile = corners.flatMap(([x, y]) => [new THREE.Vector2(x, y), new THREE.Vector2(x, y)]).slice(1, -1);
  const geometry = new THREE.LatheGeometry(profile, SEGMENTS).rotateX(Math.PI / 2).toNonIndexed();
  geometry.computeVertexNormals();
  roundNormals(geometry);
  if (!sectors) return geometry;
  const position = geometry.getAttribute("position");
  const normal = geometry.getAttribute("normal");
  const colour = new Float32Array(position.count * 3);
  for (let k = 0; k < position.count; k += 3) {
    const x = position.getX(k) + position.getX(k + 1) + position.getX(k + 2);
    const y = position.getY(k) + position.getY(k + 1) + position.getY(k + 2);
    const segment = Math.floor(((Math.atan2(y, x) / (2 * Math.PI) + 1) % 1) * SEGMENTS);
    const mantle = Math.abs(normal.getZ(k)) < 0.99;
    colour.fill(mantle ? (segment % 4 === 0 ? 0.75 : 1.25) : segment % 12 < 3 ? 1.5 : 1, 3 * k, 3 * k + 9);
  }
  geometry.setAttribute("color", new THREE.BufferAttribute(colour, 3));
  return geometry;
}

/** The mantle is round, the caps and bevels keep their edges. */
function roundNormals(geometry: THREE.BufferGeometry): void {
  const position = geometry.getAttribute("position");
  const normal = geometry.getAttribute("normal");
  for (let k = 0; k < normal.count; k++) {
    const nz = normal.getZ(k);
    if (Math.abs(nz) > 0.99) continue;
    const x = position.getX(k);
    const y = position.getY(k);
    const r = Math.hypot(x, y);
    const side = Math.sqrt(1 - nz * nz);
    if (r > 0) normal.setXYZ(k, (x / r) * side, (y / r) * side, nz);
  }
}
