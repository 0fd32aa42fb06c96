// SPDX-License-Identifier: Apache-2.0
// Made-up runs for the tests of the page: a rover on cratered ground that leaves ruts, a snake of sixty bodies, a rover in a tube. Everything follows from
// the distance driven, so a moment can be computed without those before it. No physics: only the page is tested with it.

export const wave = (x, y) =>
  1.1 * Math.sin(0.055 * x + 0.4) * Math.cos(0.047 * y) + 0.35 * Math.sin(0.17 * x) * Math.sin(0.15 * y + 1) + 0.04 * Math.sin(0.9 * x + 0.5 * y);

const CRATERS = [[16, 11, 6], [-22, 18, 9], [-9, -21, 5], [32, -24, 12], [7, -9, 2.2], [-44, -40, 15], [52, 41, 14], [-14, 6, 2.6], [3.5, 13, 1.6]];

export function groundHeight(x, y) {
  let z = wave(x, y);
  for (const [cx, cy, r] of CRATERS) {
    const d = Math.hypot(x - cx, y - cy) / r;
    if (d < 1) z += 0.22 * r * (d * d - 1) + 0.05 * r;
    else if (d < 2.2) z += 0.05 * r * Math.exp(-((d - 1) ** 2) * 6);
  }
  return z;
}
const soilAt = (x, y) => (Math.sin(0.05 * x + 1) * Math.cos(0.06 * y) > 0.25 ? 1 : CRATERS.some(([a, b, r]) => Math.hypot(x - a, y - b) < r) ? 2 : 0);

const fromEuler = (roll, pitch, yaw) => {
  const [cr, sr, cp, sp, cy, sy] = [roll, pitch, yaw].flatMap((a) => [Math.cos(a / 2), Math.sin(a / 2)]);
  return [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy];
};
const multiply = (a, b) => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];
const rotate = (q, v) => multiply(multiply(q, [0, ...v]), [q[0], -q[1], -q[2], -q[3]]).slice(1);

const WHEELS = [["fl", 1.0, 0.75], ["ml", 0, 0.85], ["rl", -1.0, 0.75], ["fr", 1.0, -0.75], ["mr", 0, -0.85], ["rr", -1.0, -0.75]];
const RADIUS = 0.26;
const SIDE = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // z axis of a wheel's cylinder to the robot's y

export class Rover {
  constructor(options = {}) {
    this.speed = options.speed ?? 0.6;
    this.distance = 0;
    this.offset = [0, 0];
    this.flat = options.flat ?? false;
    this.height = options.height ?? groundHeight;
    this.name = "rover";
  }
  scene() {
    const wheelVisuals = [
      { shape: "cylinder", size: [RADIUS, 0.3], position: [0, 0, 0], quaternion: SIDE, colour: null },
      { shape: "cylinder", size: [0.09, 0.34], position: [0, 0, 0], quaternion: SIDE, colour: [0.72, 0.74, 0.77, 1] },
    ];
    const bodies = [
      {
        name: "chassis",
        parent: -1,
        ornament: false,
        visuals: [
          { shape: "box", size: [1.7, 1.0, 0.42], position: [0, 0, 0.1], quaternion: [1, 0, 0, 0], colour: null },
          { shape: "box", size: [1.5, 1.15, 0.03], position: [-0.05, 0, 0.33], quaternion: [1, 0, 0, 0], colour: [0.13, 0.18, 0.32, 1] },
          { shape: "cylinder", size: [0.035, 0.75], position: [0.72, 0.25, 0.65], quaternion: [1, 0, 0, 0], colour: null },
          { shape: "box", size: [0.16, 0.34, 0.16], position: [0.72, 0.25, 1.08], quaternion: [1, 0, 0, 0], colour: [0.93, 0.93, 0.9, 1] },
          { shape: "mesh", mesh: 0, scale: [1, 1, 1], position: [-0.5, -0.3, 0.34], quaternion: [1, 0, 0, 0], colour: [0.86, 0.86, 0.84, 1] },
        ],
      },
      ...WHEELS.map(([n]) => ({ name: `wheel_${n}`, parent: "chassis", ornament: false, visuals: wheelVisuals })),
      ...["left", "right"].map((n, k) => ({
        name: `rocker_${n}`,
        parent: "chassis",
        ornament: false,
        visuals: [1, -1].map((s) => ({ shape: "capsule", size: [0.045, 0.8], position: [s * 0.5, 0, -0.12], quaternion: fromEuler(0, s * 1.85, 0), colour: null, k })),
      })),
      { name: "goal", parent: -1, ornament: true, visuals: [{ shape: "sphere", size: [0.3], position: [0, 0, 0], quaternion: [1, 0, 0, 0], colour: null }] },
    ];
    return {
      bodies,
      cameras: [
        { name: "mast", kind: "onboard", body: "chassis", position: [0.82, 0.25, 1.1], target: [4, 0.1, -0.6], fov: 0.9 },
        { name: "lander", kind: "fixed", body: null, position: [-4, -6, 3.5], target: null, fov: 0.8 },
      ],
      sun: { azimuth: 2.2, elevation: 0.55 },
      gravity: [0, 0, -3.71],
      springs: [],
      terrain: { kind: "heights", x0: -100, y0: -100, x1: 100, y1: 100, colour: null },
    };
  }
  pose(s) {
    const r = 18;
    const a = s / r;
    const [x, y] = [r * Math.sin(a) + this.offset[0], r * (1 - Math.cos(a)) - 2 + this.offset[1]];
    const [c, d] = [Math.cos(a), Math.sin(a)];
    const h = this.height;
    const pitch = -Math.atan2(h(x + c, y + d) - h(x - c, y - d), 2);
    const roll = Math.atan2(h(x - 0.8 * d, y + 0.8 * c) - h(x + 0.8 * d, y - 0.8 * c), 1.6);
    return { x, y, z: h(x, y) + 0.72, q: fromEuler(roll, pitch, a), pitch, roll, yaw: a };
  }
  slip(k, s) {
    return Math.min(1, Math.max(0, 0.18 + 0.3 * Math.sin(0.8 * s + k) * Math.sin(0.11 * s)));
  }
  sinkage(k, s) {
    return 0.035 + 0.03 * this.slip(k, s);
  }
  wheels(s) {
    const p = this.pose(s);
    return WHEELS.map(([, bx, by], k) => {
      const [dx, dy] = rotate(p.q, [bx, by, 0]);
      const [x, y] = [p.x + dx, p.y + dy];
      const sink = this.sinkage(k, s);
      return { x, y, z: this.height(x, y) + RADIUS - sink, slip: this.slip(k, s), sink };
    });
  }
  moment(time, s) {
    const p = this.pose(s);
    const wheels = this.wheels(s);
    const spin = fromEuler(0, s / RADIUS, 0);
    const bodies = [[p.x, p.y, p.z, p.q]];
    for (const w of wheels) bodies.push([w.x, w.y, w.z, multiply(p.q, spin)]);
    for (const side of [0.7, -0.7]) bodies.push([...rotate(p.q, [0, side, -0.12]).map((v, k) => v + [p.x, p.y, p.z][k]), p.q]);
    bodies.push([14, 8, this.height(14, 8) + 1, [1, 0, 0, 0]]);
    const contacts = wheels.map((w, k) => [w.x, w.y, w.z - RADIUS, 20 * Math.sin(s + k), 15 * Math.cos(s), 480 + 90 * Math.sin(1.3 * s + k)]);
    return { time, bodies, contacts, springs: [] };
  }
  values(time, s) {
    const p = this.pose(s);
    const v = { "base.x": p.x, "base.y": p.y, "base.z": p.z, "base.roll": p.roll, "base.pitch": p.pitch, "base.yaw": p.yaw, "com.x": p.x, "com.y": p.y, "com.z": p.z - 0.1 };
    this.wheels(s).forEach((w, k) => {
      v[`wheel_${WHEELS[k][0]}.slip`] = w.slip;
      v[`wheel_${WHEELS[k][0]}.sinkage`] = w.sink;
      v[`wheel_${WHEELS[k][0]}.torque`] = 12 + 4 * Math.sin(s + k);
    });
    v["drive.speed"] = this.speed;
    v["energy.total"] = 900 + 50 * Math.sin(0.2 * time);
    return v;
  }
  static info(name) {
    const unit = /slip$/.test(name) ? "" : /torque$/.test(name) ? "N*m" : /roll|pitch|yaw/.test(name) ? "rad" : name === "drive.speed" ? "m/s" : /energy/.test(name) ? "J" : "m";
    return { unit, kind: name === "drive.speed" ? "parameter" : "output", writable: name === "drive.speed", doc: name === "drive.speed" ? "speed along the path" : `made-up ${name}` };
  }
}

/** Sixty bodies that wave, without ground, on two springs. */
export class Snake extends Rover {
  constructor(options) {
    super(options);
    this.name = "snake";
  }
  scene() {
    const bodies = Array.from({ length: 60 }, (_, k) => ({
      name: `segment_${k}`,
      parent: k - 1,
      visuals: [
        { shape: "capsule", size: [0.05, 0.08], position: [0, 0, 0], quaternion: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], colour: k % 2 ? [0.9, 0.55, 0.15, 1] : null },
        { shape: "sphere", size: [0.055], position: [0.08, 0, 0], quaternion: [1, 0, 0, 0], colour: [0.2, 0.22, 0.25, 1] },
      ],
    }));
    return { bodies, cameras: [], sun: null, gravity: [0, 0, 0], springs: ["left", "right"], terrain: null };
  }
  moment(time) {
    const bodies = [];
    let [x, y] = [-4.5, 0];
    for (let k = 0; k < 60; k++) {
      const yaw = 0.9 * Math.sin(0.25 * k - 2 * time);
      bodies.push([x, y, 0.3 + 0.1 * Math.sin(0.4 * k + time), fromEuler(0, 0, yaw)]);
      x += 0.16 * Math.cos(yaw);
      y += 0.16 * Math.sin(yaw);
    }
    const springs = [0, 59].map((k) => [bodies[k][0], bodies[k][1], bodies[k][2], bodies[k][0], 2.5, 2, 10 + 5 * Math.sin(time)]);
    return { time, bodies, contacts: [], springs };
  }
}

/** The rover in a winding tube, ground as a mesh. */
export class Tube extends Rover {
  constructor(options) {
    super({ ...options, height: (x, y) => 0.06 * Math.sin(1.1 * x) * Math.cos(y) });
    this.name = "tube";
  }
  scene() {
    return { ...super.scene(), gravity: [0, 0, -1.62], terrain: { kind: "mesh", x0: -10, y0: -5, x1: 60, y1: 40, colour: [0.45, 0.42, 0.4] } };
  }
}

// ---- wire ----

export function frameMessage(run, seq, m) {
  const size = 24 + 20 * m.bodies.length + 24 * m.contacts.length + 28 * m.springs.length;
  const b = Buffer.alloc(size);
  b.writeUInt8(1, 0);
  b.writeUInt8(run, 1);
  b.writeUInt32LE(seq >>> 0, 4);
  b.writeDoubleLE(m.time, 8);
  b.writeUInt16LE(m.bodies.length, 16);
  b.writeUInt16LE(m.contacts.length, 18);
  b.writeUInt16LE(m.springs.length, 20);
  let at = 24;
  for (const [x, y, z, q] of m.bodies) {
    for (const v of [x, y, z]) at = b.writeFloatLE(v, at);
    for (const v of q) at = b.writeInt16LE(Math.round(v * 32767), at);
  }
  for (const list of [m.contacts, m.springs]) for (const row of list) for (const v of row) at = b.writeFloatLE(v, at);
  return b;
}

export function tileMessage(run, level, tx, ty, nx, ny, x0, y0, d, height = groundHeight) {
  const b = Buffer.alloc(44 + nx * ny * 3);
  b.writeUInt8(2, 0);
  b.writeUInt8(run, 1);
  b.writeUInt16LE(level, 4);
  b.writeInt32LE(tx, 8);
  b.writeInt32LE(ty, 12);
  b.writeUInt16LE(nx, 16);
  b.writeUInt16LE(ny, 18);
  [x0, y0, d, d, -10, 0.0005].forEach((v, k) => b.writeFloatLE(v, 20 + 4 * k));
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const [x, y] = [x0 + i * d, y0 + j * d];
      b.writeUInt16LE(Math.min(65534, Math.max(0, Math.round((height(x, y) + 10) / 0.0005))), 44 + 2 * (j * nx + i));
      b.writeUInt8(soilAt(x, y), 44 + 2 * nx * ny + j * nx + i);
    }
  }
  return b;
}

/** Ground of 200 m x 200 m: one coarse tile, and 8 x 8 fine ones with 1001 x 1001 points together. */
export function terrainMessages(run) {
  const list = [tileMessage(run, 0, 0, 0, 126, 126, -100, -100, 1.6)];
  for (let ty = 0; ty < 8; ty++) for (let tx = 0; tx < 8; tx++) list.push(tileMessage(run, 1, tx, ty, 126, 126, -100 + 25 * tx, -100 + 25 * ty, 0.2));
  return list;
}

export function meshBytes(points, triangles, head = 0, run = 0) {
  const b = Buffer.alloc(head + 8 + points.length * 12 + triangles.length * 12);
  if (head) {
    b.writeUInt8(3, 0);
    b.writeUInt8(run, 1);
  }
  let at = b.writeUInt32LE(points.length, head);
  at = b.writeUInt32LE(triangles.length, at);
  for (const p of points) for (const v of p) at = b.writeFloatLE(v, at);
  for (const t of triangles) for (const v of t) at = b.writeUInt32LE(v, at);
  return b;
}

/** A dish (antenna): the visual mesh 0. */
export function dish() {
  const [points, triangles] = [[], []];
  const [rings, sides] = [8, 36];
  for (let r = 0; r <= rings; r++) {
    for (let s = 0; s < sides; s++) {
      const a = (2 * Math.PI * s) / sides;
      const d = (0.3 * r) / rings;
      points.push([d * Math.cos(a), d * Math.sin(a), 0.12 + 1.2 * d * d]);
    }
  }
  for (let r = 0; r < rings; r++) {
    for (let s = 0; s < sides; s++) {
      const [a, b] = [r * sides + s, r * sides + ((s + 1) % sides)];
      triangles.push([a, b, b + sides], [a, b + sides, a + sides]);
    }
  }
  return meshBytes(points, triangles);
}

/** A tube along the rover's circle, open at both ends. */
export function tubeMessage(run) {
  const [points, triangles] = [[], []];
  const [n, sides] = [160, 40];
  for (let k = 0; k <= n; k++) {
    const a = -0.5 + (3.2 * k) / n;
    for (let s = 0; s < sides; s++) {
      const b = (2 * Math.PI * s) / sides;
      const r = 2.6 * (1 + 0.08 * Math.sin(3 * b + 9 * a) + 0.05 * Math.sin(17 * a + 5 * b));
      const radial = 18 + r * Math.cos(b);
      const z = Math.max(-0.05 + 0.05 * Math.sin(9 * radial + 30 * a), 1.7 + r * Math.sin(b));
      points.push([radial * Math.sin(a), 16 - radial * Math.cos(a), z]);
    }
  }
  for (let k = 0; k < n; k++) {
    for (let s = 0; s < sides; s++) {
      const [a, b] = [k * sides + s, k * sides + ((s + 1) % sides)];
      triangles.push([a, b, b + sides], [a, b + sides, a + sides]);
    }
  }
  return meshBytes(points, triangles, 4, run);
}

/** A piece of the way of a base: [time, x, y, z] for each place. */
export function wayMessage(run, piece, places) {
  const b = Buffer.alloc(12 + 16 * places.length);
  b.writeUInt8(6, 0);
  b.writeUInt8(run, 1);
  b.writeUInt32LE(piece, 4);
  b.writeUInt32LE(places.length, 8);
  places.flat().forEach((x, k) => b.writeFloatLE(x, 12 + 4 * k));
  return b;
}

/** Points of a sensor, [x, y, z] each. */
export function pointsMessage(run, name, points, ranges = null) {
  const text = Buffer.from(name);
  const start = 12 + 4 * Math.ceil(text.length / 4);
  const b = Buffer.alloc(start + (ranges ? 16 : 12) * points.length);
  b.writeUInt16LE(ranges ? 1 : 0, 6);
  ranges?.forEach((x, k) => b.writeFloatLE(x, start + 12 * points.length + 4 * k));
  b.writeUInt8(7, 0);
  b.writeUInt8(run, 1);
  b.writeUInt16LE(text.length, 4);
  b.writeUInt32LE(points.length, 8);
  text.copy(b, 12);
  points.flat().forEach((x, k) => b.writeFloatLE(x, start + 4 * k));
  return b;
}

/** What a camera sees: its eye and [x, y, z, end] of rays around its frame. */
export function sightMessage(run, name, eye, rays) {
  const text = Buffer.from(name);
  const start = 8 + 4 * Math.ceil(text.length / 4);
  const b = Buffer.alloc(start + 12 + 16 * rays.length);
  b.writeUInt8(9, 0);
  b.writeUInt8(run, 1);
  b.writeUInt16LE(text.length, 4);
  b.writeUInt16LE(rays.length, 6);
  text.copy(b, 8);
  [...eye, ...rays.flat()].forEach((x, k) => b.writeFloatLE(x, start + 4 * k));
  return b;
}

/** A map of hazards (what = 0), goodness (1), or of a mobility map (2 cost, 3 slip, 4 energy, 5 risk); values 0 to 254, 255: none. */
export function mapMessage(run, what, x0, y0, cell, nx, values) {
  const b = Buffer.alloc(24 + values.length);
  b.writeUInt8(8, 0);
  b.writeUInt8(run, 1);
  b.writeUInt32LE(what, 4);
  [x0, y0, cell].forEach((x, k) => b.writeFloatLE(x, 8 + 4 * k));
  b.writeUInt16LE(nx, 20);
  b.writeUInt16LE(values.length / nx, 22);
  Buffer.from(values).copy(b, 24);
  return b;
}

/** Ruts: a sparse set of tiles of cells, pressed by wheels. */
export class Ruts {
  constructor(cell = 0.04, side = 64) {
    Object.assign(this, { cell, side, tiles: new Map(), changed: new Set() });
  }
  press(x, y, depth, slip, radius) {
    const { cell, side } = this;
    const n = Math.ceil((radius * 1.6) / cell);
    const [ci, cj] = [Math.round(x / cell), Math.round(y / cell)];
    for (let j = cj - n; j <= cj + n; j++) {
      for (let i = ci - n; i <= ci + n; i++) {
        const d = Math.hypot(i * cell - x, j * cell - y) / radius;
        const z = d < 0.85 ? depth : d < 1.5 ? -0.22 * depth * Math.sin(((d - 0.85) / 0.65) * Math.PI) : 0;
        if (z === 0) continue;
        const [ti, tj] = [Math.floor(i / side), Math.floor(j / side)];
        const key = `${ti} ${tj}`;
        if (!this.tiles.has(key)) this.tiles.set(key, { ti, tj, depth: new Int16Array(side * side), slip: new Uint8Array(side * side) });
        const tile = this.tiles.get(key);
        const at = (j - tj * side) * side + (i - ti * side);
        const tenth = Math.round(z * 1e4);
        if (tenth > tile.depth[at] || tile.depth[at] <= 0) {
          tile.depth[at] = Math.max(tenth, tile.depth[at] > 0 ? tile.depth[at] : tenth);
          tile.slip[at] = z > 0 ? 128 + Math.round(127 * slip) : 0; // 0: no wheel was here
          this.changed.add(key);
        }
      }
    }
  }
  message(run, key) {
    const { cell, side } = this;
    const tile = this.tiles.get(key);
    const b = Buffer.alloc(20 + side * side * 3);
    b.writeUInt8(4, 0);
    b.writeUInt8(run, 1);
    b.writeInt32LE(tile.ti * side, 4);
    b.writeInt32LE(tile.tj * side, 8);
    b.writeFloatLE(cell, 12);
    b.writeUInt16LE(side, 16);
    b.writeUInt16LE(side, 18);
    for (let k = 0; k < side * side; k++) b.writeInt16LE(tile.depth[k], 20 + 2 * k);
    Buffer.from(tile.slip.buffer).copy(b, 20 + 2 * side * side);
    return b;
  }
}
