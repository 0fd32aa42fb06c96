// SPDX-License-Identifier: Apache-2.0
// What the program and the page say to each other: docs/viewer-protocol.md. Types of the text
// messages and decoders of the binary ones. Decoders check every length before they read: a message
// that is too short or too long is an error, not garbage.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z

export interface Visual {
  shape: "box" | "sphere" | "cylinder" | "capsule" | "mesh";
  size?: number[];
  mesh?: number;
  scale?: number[];
  position?: number[];
  quaternion?: number[];
  colour?: number[] | null;
}
export interface BodyInfo {
  name: string;
  parent: number | string | null;
  visuals: Visual[];
  ornament?: boolean;
  mass?: number; // [kg]
  com?: number[]; // in the body's axes [m]
}
export type CameraKind = "orbit" | "chase" | "plan" | "onboard" | "fixed";
export interface CameraInfo {
  name: string;
  kind: CameraKind;
  body?: string | number | null;
  position?: number[] | null;
  target?: number[] | null;
  fov?: number | null;
}
export interface TerrainInfo {
  kind: string;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  colour?: number[] | null;
  extends?: boolean; // the ground goes on beyond what is shown
  materials?: { name: string; soil?: string | null; colour?: number[] | null }[];
}
export interface RunInfo {
  run: number;
  name: string;
  scene: string;
}
export interface Hello {
  op: "hello";
  protocol: number;
  version: string;
  mode: "live" | "replay";
  runs: RunInfo[];
  start: number;
  end: number | null;
  light: string;
}
export interface SunInfo {
  azimuth: number;
  elevation: number;
  body?: string;
  track?: number[][]; // [time, azimuth, elevation] of a sun that moves
}
/** How the scene wants to be looked at (its key `camera`). */
export interface ViewInfo {
  kind: CameraKind;
  azimuth: number;
  elevation: number;
  distance: number; // 0: fit the robot
  target: [number, number, number];
  follow: boolean;
  layers: string; // names separated by commas
}
export interface SceneMessage {
  op: "scene";
  run: number;
  bodies: BodyInfo[];
  cameras: CameraInfo[];
  sun: SunInfo | null;
  gravity: number[];
  springs: string[];
  terrain: TerrainInfo | null;
  mass?: number; // [kg]
  view?: ViewInfo;
  sensors?: { cameras: number; lidars: number }; // that are on
  plots?: { title: string; values: string[] }[];
}
export interface Status {
  op: "status";
  run: number;
  time: number;
  wall: number;
  paused: boolean;
  speed: number;
  rtf: number;
  steps: number;
  stopped: string | null;
  gravity_on: boolean;
  clients: number;
  dropped: number;
  start?: number;
  end?: number;
}
export interface ValueInfo {
  i: number;
  name: string;
  unit: string;
  kind: string;
  writable: boolean;
  doc: string;
}
export interface ValuesMessage {
  op: "values";
  run: number;
  values: ValueInfo[];
}
export interface SeriesMessage {
  op: "series";
  id: number;
  run: number;
  name: string;
  unit: string;
  times: (number | null)[];
  values: (number | null)[];
  append: boolean;
}
export type EventKind = "stop" | "command" | "validity" | "checkpoint" | "note";
export interface RunEvent {
  time: number;
  kind: EventKind;
  text: string;
}
export interface EventsMessage {
  op: "events";
  run: number;
  events: RunEvent[];
}
/** What a rover means to drive; places as x, y, x, y ... [m]. */
export interface PlanRover {
  driving: boolean;
  goal: number; // waypoint that it drives to, from 1; 0: none
  motion: number[];
  waypoints: number[];
}
export interface PlanMessage {
  op: "plan";
  run: number;
  rovers: PlanRover[];
}
export interface Answer {
  op: "answer";
  to: number;
  ok: boolean;
  text: string;
  value?: unknown;
}
/** Answers to this page that the server had to drop. */
export interface Lost {
  op: "lost";
  answers: number;
}
export type ServerMessage =
  | Hello
  | SceneMessage
  | Status
  | ValuesMessage
  | SeriesMessage
  | EventsMessage
  | PlanMessage
  | Answer
  | Lost;

export const enum Kind {
  Frame = 1,
  Tile = 2,
  Mesh = 3,
  Rut = 4,
  Image = 5,
  Way = 6,
  Points = 7,
  Map = 8,
  Sight = 9,
}

export class ProtocolError extends Error {}

function need(have: number, want: number, what: string): void {
  if (have !== want) throw new ProtocolError(`${what}: ${have} bytes, ${want} expected`);
}
function atLeast(have: number, want: number, what: string): void {
  if (have < want) throw new ProtocolError(`${what}: ${have} bytes, at least ${want} expected`);
}

/** Kind and run of a binary message. */
export function decodeHead(data: DataView): { kind: number; run: number } {
  atLeast(data.byteLength, 4, "message");
  return { kind: data.getUint8(0), run: data.getUint8(1) };
}

export const FRAME_HEAD = 24;
const BODY_BYTES = 20;
const CONTACT_BYTES = 24;
const SPRING_BYTES = 28;

/** One moment of a run. The arrays are allocated once and grow; a decoded frame overwrites the one before. */
export class Frame {
  seq = 0;
  time = Number.NaN;
  bodies = 0;
  contacts = 0;
  springs = 0;
  pulls = false; // contacts are the pulls of a placement on its way
  position = new Float32Array(0); // 3 per body
  quaternion = new Float32Array(0); // 4 per body: x, y, z, w, unit length
  contact = new Float32Array(0); // 6 per contact: point, force
  spring = new Float32Array(0); // 7 per spring: from, to, force

  decode(data: DataView): void {
    atLeast(data.byteLength, FRAME_HEAD, "frame");
    const bodies = data.getUint16(16, true);
    const contacts = data.getUint16(18, true);
    const springs = data.getUint16(20, true);
    const size = FRAME_HEAD + bodies * BODY_BYTES + contacts * CONTACT_BYTES + springs * SPRING_BYTES;
    need(data.byteLength, size, "frame");
    this.seq = data.getUint32(4, true);
    this.time = data.getFloat64(8, true);
    this.pulls = (data.getUint16(22, true) & 1) !== 0;
    this.reserve(bodies, contacts, springs);
    let at = this.decodeBodies(data, FRAME_HEAD);
    for (let i = 0; i < contacts * 6; i++, at += 4) this.contact[i] = data.getFloat32(at, true);
    for (let i = 0; i < springs * 7; i++, at += 4) this.spring[i] = data.getFloat32(at, true);
  }

  private reserve(bodies: number, contacts: number, springs: number): void {
    if (this.position.length < bodies * 3) {
      this.position = new Float32Array(bodies * 3);
      this.quaternion = new Float32Array(bodies * 4);
    }
    if (this.contact.length < contacts * 6) this.contact = new Float32Array(contacts * 12);
    if (this.spring.length < springs * 7) this.spring = new Float32Array(springs * 7);
    this.bodies = bodies;
    this.contacts = contacts;
    this.springs = springs;
  }

  private decodeBodies(data: DataView, start: number): number {
    let at = start;
    for (let b = 0; b < this.bodies; b++, at += BODY_BYTES) {
      for (let k = 0; k < 3; k++) this.position[3 * b + k] = data.getFloat32(at + 4 * k, true);
      const w = data.getInt16(at + 12, true);
      const x = data.getInt16(at + 14, true);
      const y = data.getInt16(at + 16, true);
      const z = data.getInt16(at + 18, true);
      const n = Math.sqrt(w * w + x * x + y * y + z * z);
      const s = n > 0 ? 1 / n : 0;
      this.quaternion[4 * b] = x * s;
      this.quaternion[4 * b + 1] = y * s;
      this.quaternion[4 * b + 2] = z * s;
      this.quaternion[4 * b + 3] = n > 0 ? w * s : 1;
    }
    return at;
  }
}

/** A rectangle of heights; row 0 is the southern one, NaN where there is no ground. */
export interface Tile {
  level: number;
  tileX: number;
  tileY: number;
  nx: number;
  ny: number;
  x0: number;
  y0: number;
  dx: number;
  dy: number;
  height: Float32Array;
  material: Uint8Array;
}

const TILE_HEAD = 44;
export const NO_HEIGHT = 65535;

export function decodeTile(data: DataView): Tile {
  atLeast(data.byteLength, TILE_HEAD, "terrain tile");
  const nx = data.getUint16(16, true);
  const ny = data.getUint16(18, true);
  if (nx < 2 || ny < 2) throw new ProtocolError(`terrain tile: ${nx} x ${ny} points, at least 2 x 2 expected`);
  need(data.byteLength, TILE_HEAD + nx * ny * 3, "terrain tile");
  const base = data.getFloat32(36, true);
  const step = data.getFloat32(40, true);
  const height = new Float32Array(nx * ny);
  for (let i = 0; i < nx * ny; i++) {
    const q = data.getUint16(TILE_HEAD + 2 * i, true);
    height[i] = q === NO_HEIGHT ? Number.NaN : base + step * q;
  }
  return {
    level: data.getUint16(4, true),
    tileX: data.getInt32(8, true),
    tileY: data.getInt32(12, true),
    nx,
    ny,
    x0: data.getFloat32(20, true),
    y0: data.getFloat32(24, true),
    dx: data.getFloat32(28, true),
    dy: data.getFloat32(32, true),
    height,
    material: new Uint8Array(data.buffer, data.byteOffset + TILE_HEAD + 2 * nx * ny, nx * ny).slice(),
  };
}

export interface TriangleMesh {
  position: Float32Array;
  index: Uint32Array;
}

/** `u32 points, u32 triangles, f32 xyz[], u32 abc[]` from `start`; every index is checked. */
export function decodeMesh(data: DataView, start: number): TriangleMesh {
  atLeast(data.byteLength, start + 8, "mesh");
  const points = data.getUint32(start, true);
  const triangles = data.getUint32(start + 4, true);
  need(data.byteLength, start + 8 + points * 12 + triangles * 12, "mesh");
  const position = new Float32Array(points * 3);
  const index = new Uint32Array(triangles * 3);
  let at = start + 8;
  for (let i = 0; i < points * 3; i++, at += 4) position[i] = data.getFloat32(at, true);
  for (let i = 0; i < triangles * 3; i++, at += 4) {
    const vertex = data.getUint32(at, true);
    if (vertex >= points) throw new ProtocolError(`mesh: index ${vertex} of ${points} points`);
    index[i] = vertex;
  }
  return { position, index };
}

/** A rectangle of the rut layer: cell (i + k, j + l) has its centre at ((i + k) cell, (j + l) cell). */
export interface RutTile {
  i: number;
  j: number;
  cell: number;
  nx: number;
  ny: number;
  depth: Float32Array; // [m], positive downwards
  slip: Uint8Array; // 0: no wheel has pressed the cell; 1 to 255: -1 to 1
}

const RUT_HEAD = 20;

export function decodeRut(data: DataView): RutTile {
  atLeast(data.byteLength, RUT_HEAD, "rut tile");
  const nx = data.getUint16(16, true);
  const ny = data.getUint16(18, true);
  need(data.byteLength, RUT_HEAD + nx * ny * 3, "rut tile");
  const depth = new Float32Array(nx * ny);
  for (let k = 0; k < nx * ny; k++) depth[k] = data.getInt16(RUT_HEAD + 2 * k, true) * 1e-4;
  return {
    i: data.getInt32(4, true),
    j: data.getInt32(8, true),
    cell: data.getFloat32(12, true),
    nx,
    ny,
    depth,
    slip: new Uint8Array(data.buffer, data.byteOffset + RUT_HEAD + 2 * nx * ny, nx * ny).slice(),
  };
}

/** A piece of the way of a run's base: time, x, y, z for each place. */
export interface WayPiece {
  piece: number;
  places: Float32Array;
}

const WAY_HEAD = 12;
const WAY_PIECES = 1024;

export function decodeWay(data: DataView): WayPiece {
  atLeast(data.byteLength, WAY_HEAD, "way");
  const piece = data.getUint32(4, true);
  const count = data.getUint32(8, true);
  if (piece >= WAY_PIECES) throw new ProtocolError(`way: piece ${piece}, less than ${WAY_PIECES} expected`);
  need(data.byteLength, WAY_HEAD + 16 * count, "way");
  const places = new Float32Array(4 * count);
  for (let k = 0; k < 4 * count; k++) places[k] = data.getFloat32(WAY_HEAD + 4 * k, true);
  return { piece, places };
}

/** Points that a sensor has seen, in the world; `range` where the sensor has measured one [m]. */
export interface PointCloud {
  name: string;
  position: Float32Array;
  range: Float32Array | null;
}

export function decodePoints(data: DataView): PointCloud {
  atLeast(data.byteLength, 12, "points");
  const length = data.getUint16(4, true);
  const count = data.getUint32(8, true);
  const start = 12 + 4 * Math.ceil(length / 4);
  const ranged = (data.getUint16(6, true) & 1) !== 0;
  need(data.byteLength, start + (ranged ? 16 : 12) * count, "points");
  const position = new Float32Array(3 * count);
  for (let k = 0; k < 3 * count; k++) position[k] = data.getFloat32(start + 4 * k, true);
  const range = ranged ? new Float32Array(count) : null;
  if (range) for (let k = 0; k < count; k++) range[k] = data.getFloat32(start + 12 * count + 4 * k, true);
  return { name: nameAt(data, 12, length), position, range };
}

function nameAt(data: DataView, at: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset + at, length));
}

/** How a ray along the border of a camera's frame ends. */
export const enum RayEnd {
  None = -1, // the pixel has no ray
  Sky = 0, // nothing within reach
  Ground = 1,
}

/** What a camera sees: rays around its frame, clockwise from the upper left corner. */
export interface Sight {
  name: string;
  eye: Vec3;
  rays: Float32Array; // x, y, z of the end and a RayEnd, for each
}

export function decodeSight(data: DataView): Sight {
  atLeast(data.byteLength, 8, "sight");
  const length = data.getUint16(4, true);
  const count = data.getUint16(6, true);
  const start = 8 + 4 * Math.ceil(length / 4);
  if (count < 4 || count % 4 !== 0) throw new ProtocolError(`sight: ${count} rays, a multiple of 4 expected`);
  need(data.byteLength, start + 12 + 16 * count, "sight");
  const f = (k: number): number => data.getFloat32(start + 4 * k, true);
  const rays = new Float32Array(4 * count);
  for (let k = 0; k < rays.length; k++) rays[k] = f(3 + k);
  return { name: nameAt(data, 8, length), eye: [f(0), f(1), f(2)], rays };
}

/** What maps are of: hazards and goodness as seen; cost, slip, energy and risk of the mobility map that was given. */
export const MAP_KINDS = ["hazards", "goodness", "mapCost", "mapSlip", "mapEnergy", "mapRisk"] as const;
export type MapKind = (typeof MAP_KINDS)[number];

/** Values of cells on the ground, from the south-west: 0 to 254 for 0 to 1, 255 where there is none. */
export interface ValueMap {
  what: number; // index into MAP_KINDS
  x0: number;
  y0: number;
  cell: number;
  nx: number;
  ny: number;
  value: Uint8Array;
}

const MAP_HEAD = 24;

export function decodeMap(data: DataView): ValueMap {
  atLeast(data.byteLength, MAP_HEAD, "map");
  const what = data.getUint32(4, true);
  const [x0, y0, cell] = [8, 12, 16].map((at) => data.getFloat32(at, true));
  const nx = data.getUint16(20, true);
  const ny = data.getUint16(22, true);
  if (what >= MAP_KINDS.length) throw new ProtocolError(`map: kind ${what}, 0 to ${MAP_KINDS.length - 1} expected`);
  if (nx === 0 || ny === 0 || !(cell > 0) || !Number.isFinite(x0 + y0 + cell)) throw new ProtocolError(`map: ${nx} x ${ny} cells of ${cell} m`);
  need(data.byteLength, MAP_HEAD + nx * ny, "map");
  return { what, x0, y0, cell, nx, ny, value: new Uint8Array(data.buffer, data.byteOffset + MAP_HEAD, nx * ny).slice() };
}

export interface CameraImage {
  width: number;
  height: number;
  camera: string;
  jpeg: Uint8Array<ArrayBuffer>;
}

export function decodeImage(data: DataView): CameraImage {
  atLeast(data.byteLength, 9, "image");
  const length = data.getUint8(8);
  atLeast(data.byteLength, 9 + length, "image");
  const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return {
    width: data.getUint16(4, true),
    height: data.getUint16(6, true),
    camera: new TextDecoder().decode(bytes.subarray(9, 9 + length)),
    jpeg: bytes.slice(9 + length),
  };
}
