// SPDX-License-Identifier: Apache-2.0
// The ground of one run: tiles of heights with levels of detail, meshes, ruts.
//
// A tile is cut into blocks of at most BLOCK cells. A block has one set of points and an index list
// per stride (1, 2, 4, ...); the stride is chosen by the distance from the camera, for each
// viewport. Skirts hang from the edges of blocks and hide the cracks between strides and levels.
// Cells of a coarse tile that a finer one covers are left out.
import * as THREE from "three";
import { GroundUniforms, groundMaterial, MASK_SIZE } from "./ground_material";
import { palette, roundUp, studio, type Look } from "./look";
import type { RutTile, TerrainInfo, Tile, TriangleMesh } from "./protocol";

const BLOCK = 32; // cells
const STRIDES = [1, 2, 4, 8, 16];
const PIXEL = 0.0012; // [rad] of a picture 700 pixels high

class Block {
  readonly mesh: THREE.Mesh;
  readonly centre: THREE.Vector3;
  readonly radius: number;
  private readonly geometries: (THREE.BufferGeometry | null)[] = STRIDES.map(() => null);
  private whole = true;

  constructor(
    readonly tile: Tile,
    readonly i0: number,
    readonly j0: number,
    readonly nx: number, // points
    readonly ny: number,
    private readonly attributes: Record<string, THREE.BufferAttribute>,
    material: THREE.Material,
    private readonly cache: Map<string, THREE.BufferAttribute>,
    private readonly gaps: boolean,
  ) {
    this.mesh = new THREE.Mesh(this.geometry(0), material);
    this.mesh.receiveShadow = true;
    this.mesh.matrixAutoUpdate = false;
    const sphere = this.geometry(0).boundingSphere;
    this.centre = sphere?.center ?? new THREE.Vector3();
    this.radius = sphere?.radius ?? 0;
  }

  /** Chooses the stride for a camera, so that a cell takes about `pixels` pixels. */
  choose(eye: THREE.Vector3, metresPerPixel: number, pixels: number): void {
    if (!this.whole) return;
    const distance = Math.max(this.centre.distanceTo(eye) - this.radius, 0);
    const cell = Math.max(this.tile.dx, this.tile.dy);
    this.mesh.geometry = this.geometry(strideFor(cell, distance, metresPerPixel, pixels));
  }

  /** Leaves out the cells whose centre is in one of the finer rectangles. */
  cut(finer: Tile[]): void {
    const mine = finer.filter((f) => overlaps(f, this.rectangle()));
    this.whole = mine.length === 0;
    if (this.whole) {
      this.mesh.visible = true;
      return;
    }
    const keep = (i: number, j: number): boolean => {
      const x = this.tile.x0 + (this.i0 + i + 0.5) * this.tile.dx;
      const y = this.tile.y0 + (this.j0 + j + 0.5) * this.tile.dy;
      return !mine.some((f) => x > f.x0 && x < f.x0 + (f.nx - 1) * f.dx && y > f.y0 && y < f.y0 + (f.ny - 1) * f.dy);
    };
    const index = gridIndex(this.nx, this.ny, 1, (i, j) => keep(i, j) && this.solid(i, j, 1));
    this.mesh.visible = index.length > 0;
    if (!this.mesh.visible) return;
    const geometry = this.bare();
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.mesh.geometry = geometry;
  }

  rectangle(): { x0: number; y0: number; x1: number; y1: number } {
    const t = this.tile;
    return {
      x0: t.x0 + this.i0 * t.dx,
      y0: t.y0 + this.j0 * t.dy,
      x1: t.x0 + (this.i0 + this.nx - 1) * t.dx,
      y1: t.y0 + (this.j0 + this.ny - 1) * t.dy,
    };
  }

  dispose(): void {
    for (const geometry of this.geometries) geometry?.dispose();
    this.mesh.removeFromParent();
  }

  private bare(): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    for (const [name, attribute] of Object.entries(this.attributes)) geometry.setAttribute(name, attribute);
    const first = this.geometries[0];
    if (first) {
      geometry.boundingSphere = first.boundingSphere;
      geometry.boundingBox = first.boundingBox;
    } else {
      finiteBounds(geometry);
    }
    return geometry;
  }

  private geometry(k: number): THREE.BufferGeometry {
    let geometry = this.geometries[k];
    if (geometry) return geometry;
    geometry = this.bare();
    const stride = STRIDES[k];
    if (this.gaps) {
      const index = gridIndex(this.nx, this.ny, stride, (i, j) => this.solid(i, j, stride));
      geometry.setIndex(new THREE.BufferAttribute(index, 1));
    } else {
      geometry.setIndex(sharedIndex(this.cache, this.nx, this.ny, stride));
    }
    this.geometries[k] = geometry;
    return geometry;
  }

  private solid(i: number, j: number, stride: number): boolean {
    const i1 = Math.min(i + stride, this.nx - 1);
    const j1 = Math.min(j + stride, this.ny - 1);
    const z = (a: number, b: number): number => this.tile.height[(this.j0 + b) * this.tile.nx + this.i0 + a];
    return !Number.isNaN(z(i, j) + z(i1, j) + z(i, j1) + z(i1, j1));
  }
}

function strideFor(cell: number, distance: number, metresPerPixel: number, pixels: number): number {
  const size = pixels * (metresPerPixel > 0 ? metresPerPixel : distance * PIXEL);
  return Math.min(Math.floor(Math.log2(Math.max(size / cell, 1))), STRIDES.length - 1);
}

function overlaps(f: Tile, r: { x0: number; y0: number; x1: number; y1: number }): boolean {
  return f.x0 < r.x1 && f.x0 + (f.nx - 1) * f.dx > r.x0 && f.y0 < r.y1 && f.y0 + (f.ny - 1) * f.dy > r.y0;
}

/** Points of a block are followed by those of its skirt: south, north, west, east. Anticlockwise seen from above. */
function gridIndex(nx: number, ny: number, stride: number, keep: ((i: number, j: number) => boolean) | null): Uint32Array {
  const columns = samples(nx, stride);
  const rows = samples(ny, stride);
  const cells = (columns.length - 1) * (rows.length - 1) + 2 * (columns.length + rows.length - 2);
  const index = new Uint32Array(cells * 6);
  let n = 0;
  const quad = (a: number, b: number, c: number, d: number): void => {
    index[n++] = a;
    index[n++] = b;
    index[n++] = c;
    index[n++] = a;
    index[n++] = c;
    index[n++] = d;
  };
  for (let r = 0; r + 1 < rows.length; r++) {
    for (let c = 0; c + 1 < columns.length; c++) {
      const [i0, i1, j0, j1] = [columns[c], columns[c + 1], rows[r], rows[r + 1]];
      if (!keep || keep(i0, j0)) quad(j0 * nx + i0, j0 * nx + i1, j1 * nx + i1, j1 * nx + i0);
    }
  }
  if (keep) return index.slice(0, n);
  const skirt = nx * ny;
  for (let c = 0; c + 1 < columns.length; c++) {
    const [a, b] = [columns[c], columns[c + 1]];
    quad(skirt + a, skirt + b, b, a);
    quad((ny - 1) * nx + a, (ny - 1) * nx + b, skirt + nx + b, skirt + nx + a);
  }
  for (let r = 0; r + 1 < rows.length; r++) {
    const [a, b] = [rows[r], rows[r + 1]];
    quad(a * nx, b * nx, skirt + 2 * nx + b, skirt + 2 * nx + a);
    quad(skirt + 2 * nx + ny + a, skirt + 2 * nx + ny + b, b * nx + nx - 1, a * nx + nx - 1);
  }
  return index.slice(0, n);
}

function sharedIndex(cache: Map<string, THREE.BufferAttribute>, nx: number, ny: number, stride: number): THREE.BufferAttribute {
  const key = `${nx} ${ny} ${stride}`;
  let shared = cache.get(key);
  if (!shared) cache.set(key, (shared = new THREE.BufferAttribute(gridIndex(nx, ny, stride, null), 1)));
  return shared;
}

function samples(n: number, stride: number): number[] {
  const list: number[] = [];
  for (let i = 0; i < n - 1; i += stride) list.push(i);
  list.push(n - 1);
  return list;
}

/** Bounds from the points that are there; heights that are not are NaN. */
function finiteBounds(geometry: THREE.BufferGeometry): void {
  const position = geometry.getAttribute("position");
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  for (let k = 0; k < position.count; k++) {
    point.fromBufferAttribute(position, k);
    if (!Number.isNaN(point.z)) box.expandByPoint(point);
  }
  geometry.boundingBox = box;
  geometry.boundingSphere = box.getBoundingSphere(new THREE.Sphere());
}

interface RutView {
  tile: RutTile;
  mesh: THREE.Mesh;
  base: Float32Array; // height of the untouched ground at the points
  settled: boolean; // base is that of the ground as it is known
  dirty: boolean;
}

export class TerrainView {
  readonly group = new THREE.Group();
  readonly rutGroup = new THREE.Group();
  readonly uniforms = new GroundUniforms();
  private readonly material = groundMaterial(this.uniforms, null);
  /** Without contours: they would run straight out from the border, where no ground is known. */
  private readonly apronMaterial = groundMaterial({ ...this.uniforms, uContour: { value: 0 } } as GroundUniforms, null);
  private readonly rutMaterial = groundMaterial(this.uniforms, "RUT");
  private readonly meshMaterial = groundMaterial(this.uniforms, "WALL");
  private readonly tiles = new Map<string, { tile: Tile; blocks: Block[] }>();
  private readonly ruts = new Map<string, RutView>();
  private readonly cache = new Map<string, THREE.BufferAttribute>();
  private plane: THREE.Mesh | null = null;
  private meshes: THREE.Mesh[] = [];
  private cutPending = false;
  private ground = new THREE.Color(0x9a8f79);
  private palette = makePalette(palette(studio(true), null).colours);
  private apron: THREE.Mesh | null = null; // ground beyond the tiles
  private extends = false;
  private low = Infinity;
  private high = -Infinity;
  private deepest = 0.02;
  hasSoil = false;

  get hasHeights(): boolean {
    return this.tiles.size > 0;
  }
  get hasRuts(): boolean {
    return this.ruts.size > 0;
  }
  get hasMesh(): boolean {
    return this.meshes.length > 0;
  }
  get sinkageScale(): number {
    return this.uniforms.uSinkage.value;
  }
  get contourStep(): number {
    return this.uniforms.uContourStep.value;
  }
  get range(): [number, number] {
    return [this.low, this.high];
  }
  get tileCount(): number {
    return this.tiles.size;
  }

  /** Forgets everything of the run before. */
  reset(info: TerrainInfo | null, look: Look): void {
    for (const { blocks } of this.tiles.values()) for (const block of blocks) block.dispose();
    this.tiles.clear();
    this.sorted = null;
    for (const mesh of this.meshes) mesh.removeFromParent();
    this.meshes = [];
    this.clearRuts();
    this.plane?.removeFromParent();
    this.plane = null;
    this.low = Infinity;
    this.high = -Infinity;
    this.hasSoil = false;
    const { colours, icy } = palette(look, info);
    this.ground.copy(colours[0]);
    this.uniforms.uIcy.value = icy;
    this.palette = makePalette(colours);
    this.apron?.removeFromParent();
    this.apron = null;
    this.extends = info?.extends === true;
    if (info && info.kind === "plane") this.addPlane(info);
  }

  clearRuts(): void {
    for (const rut of this.ruts.values()) {
      rut.mesh.removeFromParent();
      rut.mesh.geometry.dispose();
    }
    this.ruts.clear();
    (this.uniforms.uMask.value.image.data as Uint8Array).fill(0);
    this.uniforms.uMask.value.needsUpdate = true;
  }

  addTile(tile: Tile): void {
    const key = `${tile.level} ${tile.tileX} ${tile.tileY}`;
    const old = this.tiles.get(key);
    if (old) for (const block of old.blocks) block.dispose();
    const blocks: Block[] = [];
    for (let j = 0; j < tile.ny - 1; j += BLOCK) {
      for (let i = 0; i < tile.nx - 1; i += BLOCK) blocks.push(this.makeBlock(tile, i, j));
    }
    this.tiles.set(key, { tile, blocks });
    this.sorted = null;
    for (const block of blocks) this.group.add(block.mesh);
    this.noteRange(tile);
    if (this.plane) this.plane.visible = false;
    this.cutPending = true;
    for (const rut of this.ruts.values()) if (overlaps(tile, rutRectangle(rut.tile))) rut.settled = false;
  }

  addMesh(mesh: TriangleMesh): void {
    for (const old of this.meshes) old.removeFromParent();
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(mesh.position, 3));
    geometry.setIndex(new THREE.BufferAttribute(mesh.index, 1));
    geometry.computeVertexNormals();
    geometry.setAttribute("color", plainColour(mesh.position.length / 3, this.ground));
    const object = new THREE.Mesh(geometry, this.meshMaterial);
    object.receiveShadow = true;
    this.meshes = [object];
    this.group.add(object);
    for (let k = 2; k < mesh.position.length; k += 3) {
      this.low = Math.min(this.low, mesh.position[k]);
      this.high = Math.max(this.high, mesh.position[k]);
    }
    this.setRange();
    this.apron?.removeFromParent();
    this.layMeshApron(mesh.position);
    if (this.plane) this.plane.visible = false;
  }

  addRut(tile: RutTile): void {
    const key = `${tile.i} ${tile.j}`;
    let rut = this.ruts.get(key);
    if (!rut || rut.tile.nx !== tile.nx || rut.tile.ny !== tile.ny) {
      rut?.mesh.removeFromParent();
      rut = this.makeRut(tile);
      this.ruts.set(key, rut);
      this.setMask(tile);
    }
    rut.tile = tile;
    for (const [di, dj] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
      const near = this.ruts.get(`${tile.i - di * tile.nx} ${tile.j - dj * tile.ny}`);
      if (near) near.dirty = true;
    }
    for (const d of tile.depth) this.deepest = Math.max(this.deepest, d);
    this.uniforms.uSinkage.value = roundUp(this.deepest);
  }

  /** Height of the finest ground known at a place, NaN where there is none. */
  heightAt(x: number, y: number): number {
    const z = sample(this.finestFirst(), x, y);
    return Number.isNaN(z) && this.plane?.visible ? 0 : z;
  }

  private finestFirst(): Tile[] {
    this.sorted ??= [...this.tiles.values()].map((t) => t.tile).sort((a, b) => b.level - a.level);
    return this.sorted;
  }
  private sorted: Tile[] | null = null;

  /** Once per picture, before the viewports. */
  update(): void {
    if (this.cutPending) {
      this.cutCovered();
      this.layApron();
    }
    this.cutPending = false;
    for (const rut of this.ruts.values()) {
      if (!rut.settled) this.settle(rut);
      if (rut.dirty) this.shapeRut(rut);
    }
  }

  /** For each viewport: strides by distance. metresPerPixel is 0 for a perspective camera. */
  choose(eye: THREE.Vector3, metresPerPixel: number, pixels: number, ruts: boolean): void {
    for (const { blocks } of this.tiles.values()) for (const block of blocks) block.choose(eye, metresPerPixel, pixels);
    for (const { tile, mesh } of this.ruts.values()) {
      const sphere = mesh.geometry.boundingSphere;
      const distance = sphere ? Math.max(sphere.center.distanceTo(eye) - sphere.radius, 0) : 0;
      mesh.geometry.setIndex(this.rutIndex(tile, strideFor(tile.cell, distance, metresPerPixel, pixels)));
    }
    this.rutGroup.visible = ruts;
    this.uniforms.uMaskTile.value = ruts ? this.rutTileSide() : 0;
  }

  private rutIndex(tile: RutTile, k: number): THREE.BufferAttribute {
    return sharedIndex(this.cache, tile.nx + 1, tile.ny + 1, STRIDES[k]);
  }

  private rutTileSide(): number {
    for (const { tile } of this.ruts.values()) return tile.cell * tile.nx;
    return 0;
  }

  private addPlane(info: TerrainInfo): void {
    const geometry = new THREE.PlaneGeometry(info.x1 - info.x0, info.y1 - info.y0, 1, 1);
    geometry.translate((info.x0 + info.x1) / 2, (info.y0 + info.y1) / 2, 0);
    geometry.setAttribute("color", plainColour(4, this.ground));
    this.plane = new THREE.Mesh(geometry, this.material);
    this.plane.receiveShadow = true;
    this.group.add(this.plane);
  }

  private makeBlock(tile: Tile, i0: number, j0: number): Block {
    const nx = Math.min(BLOCK + 1, tile.nx - i0);
    const ny = Math.min(BLOCK + 1, tile.ny - j0);
    const points = blockPoints(tile, i0, j0, nx, ny, this.palette);
    if (points.soil) this.hasSoil = true;
    return new Block(tile, i0, j0, nx, ny, points.attributes, this.material, this.cache, points.gaps);
  }

  private noteRange(tile: Tile): void {
    for (const z of tile.height) {
      if (z < this.low) this.low = z;
      if (z > this.high) this.high = z;
    }
    this.setRange();
  }

  private setRange(): void {
    this.uniforms.uHeight.value.set(this.low, this.high);
    this.uniforms.uContourStep.value = roundUp(Math.max((this.high - this.low) / 24, 1e-3));
  }

  private cutCovered(): void {
    const all = [...this.tiles.values()];
    for (const { tile, blocks } of all) {
      const finer = all.map((t) => t.tile).filter((t) => t.level > tile.level);
      for (const block of blocks) block.cut(finer);
    }
  }

  /** Where the ground goes on beyond the tiles: their border, drawn out far. */
  private layApron(): void {
    const tile = [...this.tiles.values()].map((t) => t.tile).find((t) => t.level === 0);
    if (this.extends && tile && !this.apron) this.drawApron(tile);
  }

  /** Of a mesh: a square, as high as most of the mesh's border, or as its lowest part where that is level: what is higher stands on it. */
  private layMeshApron(position: Float32Array): void {
    const box = new THREE.Box3().setFromArray(position);
    const edge: number[] = [];
    const near = 0.01 * Math.max(box.max.x - box.min.x, box.max.y - box.min.y);
    for (let k = 0; k < position.length; k += 3) {
      const [x, y] = [position[k], position[k + 1]];
      if (Math.min(x - box.min.x, box.max.x - x, y - box.min.y, box.max.y - y) < near) edge.push(position[k + 2]);
    }
    edge.sort((a, b) => a - b);
    const share = (level: number): number => edge.filter((z) => Math.abs(z - level) < near).length / edge.length;
    let level = edge[Math.floor(edge.length / 2)];
    if (share(level) < 0.8) {
      level = edge[0];
      if (share(level) < 0.2) return;
    }
    if (!this.extends || edge.length === 0) return;
    // It reaches a little under the mesh, so that no crack shows between them.
    const [dx, dy] = [box.max.x - box.min.x - 2 * near, box.max.y - box.min.y - 2 * near];
    this.drawApron({
      level: 0, tileX: 0, tileY: 0, nx: 2, ny: 2, x0: box.min.x + near, y0: box.min.y + near, dx, dy,
      height: new Float32Array(4).fill(level - 0.02 * near), material: new Uint8Array(4),
    });
  }

  private drawApron(tile: Tile): void {
    const far = 30;
    const ring: number[] = [];
    for (let i = 0; i < tile.nx - 1; i++) ring.push(i);
    for (let j = 0; j < tile.ny - 1; j++) ring.push(j * tile.nx + tile.nx - 1);
    for (let i = tile.nx - 1; i > 0; i--) ring.push((tile.ny - 1) * tile.nx + i);
    for (let j = tile.ny - 1; j > 0; j--) ring.push(j * tile.nx);
    const n = ring.length;
    const position = new Float32Array(6 * n);
    const normal = new Float32Array(6 * n);
    const colour = new Uint8Array(8 * n);
    const index = new Uint32Array(6 * n);
    const [cx, cy] = [tile.x0 + ((tile.nx - 1) * tile.dx) / 2, tile.y0 + ((tile.ny - 1) * tile.dy) / 2];
    ring.forEach((k, r) => {
      const [x, y] = [tile.x0 + (k % tile.nx) * tile.dx, tile.y0 + Math.floor(k / tile.nx) * tile.dy];
      const z = Number.isNaN(tile.height[k]) ? this.low : tile.height[k];
      position.set([x, y, z], 3 * r);
      position.set([cx + far * (x - cx), cy + far * (y - cy), z], 3 * (n + r));
      for (const at of [r, n + r]) {
        normal[3 * at + 2] = 1;
        paint(colour, at, this.palette, tile.material[k]);
      }
      const next = (r + 1) % n;
      index.set([r, n + r, n + next, r, n + next, next], 6 * r);
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colour, 4, true));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.apron = new THREE.Mesh(geometry, this.apronMaterial);
    this.group.add(this.apron);
  }

  private makeRut(tile: RutTile): RutView {
    const nx = tile.nx + 1;
    const ny = tile.ny + 1;
    const geometry = new THREE.BufferGeometry();
    const dynamic = (size: number): THREE.BufferAttribute => {
      const attribute = new THREE.BufferAttribute(new Float32Array((nx * ny + 2 * (nx + ny)) * size), size);
      attribute.setUsage(THREE.DynamicDrawUsage);
      return attribute;
    };
    geometry.setAttribute("position", dynamic(3));
    geometry.setAttribute("normal", dynamic(3));
    geometry.setAttribute("rut", dynamic(3));
    geometry.setAttribute("color", plainColour(nx * ny + 2 * (nx + ny), this.ground));
    geometry.setIndex(this.rutIndex(tile, 0));
    const mesh = new THREE.Mesh(geometry, this.rutMaterial);
    mesh.receiveShadow = true;
    this.rutGroup.add(mesh);
    return { tile, mesh, base: new Float32Array(nx * ny), settled: false, dirty: true };
  }

  private settle(rut: RutView): void {
    const { tile, base } = rut;
    const near = this.finestFirst().filter((t) => overlaps(t, rutRectangle(tile)));
    const colour = rut.mesh.geometry.getAttribute("color") as THREE.BufferAttribute;
    for (let l = 0; l <= tile.ny; l++) {
      for (let k = 0; k <= tile.nx; k++) {
        const [x, y] = [(tile.i + k) * tile.cell, (tile.j + l) * tile.cell];
        const z = sample(near, x, y);
        const at = l * (tile.nx + 1) + k;
        base[at] = Number.isNaN(z) ? 0 : z;
        paint(colour.array as Uint8Array, at, this.palette, materialAt(near, x, y));
      }
    }
    colour.needsUpdate = true;
    rut.settled = rut.dirty = true;
  }

  /** Depth and slip of a cell that may be in a neighbour, and 1 if a wheel has pressed it. */
  private rutCell(tile: RutTile, k: number, l: number, out: [number, number, number]): void {
    const dk = k === tile.nx ? 1 : 0;
    const dl = l === tile.ny ? 1 : 0;
    const source = dk + dl > 0 ? this.ruts.get(`${tile.i + dk * tile.nx} ${tile.j + dl * tile.ny}`)?.tile : tile;
    const at = source ? (l - dl * tile.ny) * source.nx + (k - dk * tile.nx) : 0;
    out[0] = source ? source.depth[at] : 0;
    const code = source ? source.slip[at] : 0;
    out[1] = code > 0 ? (code - 128) / 127 : 0;
    out[2] = code > 0 ? 1 : 0;
  }

  private shapeRut(rut: RutView): void {
    const { tile, base, mesh } = rut;
    const nx = tile.nx + 1;
    const ny = tile.ny + 1;
    const position = mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    const colour = mesh.geometry.getAttribute("rut") as THREE.BufferAttribute;
    const cell: [number, number, number] = [0, 0, 0];
    for (let l = 0; l < ny; l++) {
      for (let k = 0; k < nx; k++) {
        const at = l * nx + k;
        this.rutCell(tile, k, l, cell);
        position.setXYZ(at, (tile.i + k) * tile.cell, (tile.j + l) * tile.cell, base[at] - cell[0]);
        colour.setXYZ(at, ...cell);
      }
    }
    gridNormals(mesh.geometry, nx, ny, tile.cell);
    skirts(mesh.geometry, nx, ny, 2 * tile.cell + 0.02);
    for (const name of ["position", "normal", "rut"]) mesh.geometry.getAttribute(name).needsUpdate = true;
    mesh.geometry.computeBoundingSphere();
    rut.dirty = false;
  }

  private setMask(tile: RutTile): void {
    const wrap = (a: number): number => ((a % MASK_SIZE) + MASK_SIZE) % MASK_SIZE;
    const data = this.uniforms.uMask.value.image.data as Uint8Array;
    data[wrap(Math.floor(tile.j / tile.ny)) * MASK_SIZE + wrap(Math.floor(tile.i / tile.nx))] = 255;
    this.uniforms.uMask.value.needsUpdate = true;
  }
}

function rutRectangle(tile: RutTile): { x0: number; y0: number; x1: number; y1: number } {
  const [x0, y0] = [tile.i * tile.cell, tile.j * tile.cell];
  return { x0, y0, x1: x0 + tile.nx * tile.cell, y1: y0 + tile.ny * tile.cell };
}

/** Height from the first of the tiles that has one. */
function sample(tiles: Tile[], x: number, y: number): number {
  for (const tile of tiles) {
    const u = (x - tile.x0) / tile.dx;
    const v = (y - tile.y0) / tile.dy;
    if (u < 0 || v < 0 || u > tile.nx - 1 || v > tile.ny - 1) continue;
    const z = bilinear(tile, u, v);
    if (!Number.isNaN(z)) return z;
  }
  return Number.NaN;
}

function materialAt(tiles: Tile[], x: number, y: number): number {
  for (const tile of tiles) {
    const i = Math.round((x - tile.x0) / tile.dx);
    const j = Math.round((y - tile.y0) / tile.dy);
    if (i >= 0 && j >= 0 && i < tile.nx && j < tile.ny) return tile.material[j * tile.nx + i];
  }
  return 0;
}

/** Natural colours of the 256 materials; the last byte of a point's colour is the material itself. */
function makePalette(colours: THREE.Color[]): Uint8Array {
  const bytes = new Uint8Array(256 * 3);
  colours.forEach((c, k) => bytes.set([255 * c.r, 255 * c.g, 255 * c.b], 3 * k));
  return bytes;
}

function paint(out: Uint8Array, at: number, palette: Uint8Array, material: number): void {
  out[4 * at] = palette[3 * material];
  out[4 * at + 1] = palette[3 * material + 1];
  out[4 * at + 2] = palette[3 * material + 2];
  out[4 * at + 3] = material;
}

function bilinear(tile: Tile, u: number, v: number): number {
  const i = Math.min(Math.floor(u), tile.nx - 2);
  const j = Math.min(Math.floor(v), tile.ny - 2);
  const fu = u - i;
  const fv = v - j;
  const k = j * tile.nx + i;
  const z = tile.height;
  return (1 - fv) * ((1 - fu) * z[k] + fu * z[k + 1]) + fv * ((1 - fu) * z[k + tile.nx] + fu * z[k + tile.nx + 1]);
}

function plainColour(points: number, colour: THREE.Color): THREE.BufferAttribute {
  const data = new Uint8Array(points * 4);
  for (let k = 0; k < points; k++) {
    data[4 * k] = 255 * colour.r;
    data[4 * k + 1] = 255 * colour.g;
    data[4 * k + 2] = 255 * colour.b;
  }
  return new THREE.BufferAttribute(data, 4, true);
}

interface BlockPoints {
  attributes: Record<string, THREE.BufferAttribute>;
  gaps: boolean;
  soil: boolean;
}

/** Positions, normals (from the whole tile, so that blocks meet without a seam) and colours, skirt included. */
function blockPoints(tile: Tile, i0: number, j0: number, nx: number, ny: number, palette: Uint8Array): BlockPoints {
  const count = nx * ny + 2 * (nx + ny);
  const position = new Float32Array(count * 3);
  const normal = new Int16Array(count * 4);
  const colour = new Uint8Array(count * 4);
  const point = (at: number, i: number, j: number, drop: number): boolean => {
    const k = j * tile.nx + i;
    position[3 * at] = tile.x0 + i * tile.dx;
    position[3 * at + 1] = tile.y0 + j * tile.dy;
    position[3 * at + 2] = tile.height[k] - drop;
    tileNormal(tile, i, j, normal, 4 * at);
    paint(colour, at, palette, tile.material[k]);
    return !Number.isNaN(tile.height[k]);
  };
  let gaps = false;
  let soil = false;
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      if (!point(j * nx + i, i0 + i, j0 + j, 0)) gaps = true;
      if (colour[4 * (j * nx + i) + 3] !== 0) soil = true;
    }
  }
  const drop = 2 * Math.max(tile.dx, tile.dy);
  const skirt = nx * ny;
  for (let i = 0; i < nx; i++) {
    point(skirt + i, i0 + i, j0, drop);
    point(skirt + nx + i, i0 + i, j0 + ny - 1, drop);
  }
  for (let j = 0; j < ny; j++) {
    point(skirt + 2 * nx + j, i0, j0 + j, drop);
    point(skirt + 2 * nx + ny + j, i0 + nx - 1, j0 + j, drop);
  }
  return {
    attributes: {
      position: new THREE.BufferAttribute(position, 3),
      normal: new THREE.BufferAttribute(normal, 4, true),
      color: new THREE.BufferAttribute(colour, 4, true),
    },
    gaps,
    soil,
  };
}

/** Normal of the height field by central differences, one-sided at edges and beside gaps. */
function tileNormal(tile: Tile, i: number, j: number, out: Int16Array, at: number): void {
  const z = tile.height;
  const k = j * tile.nx + i;
  const west = i > 0 && !Number.isNaN(z[k - 1]) ? k - 1 : k;
  const east = i < tile.nx - 1 && !Number.isNaN(z[k + 1]) ? k + 1 : k;
  const south = j > 0 && !Number.isNaN(z[k - tile.nx]) ? k - tile.nx : k;
  const north = j < tile.ny - 1 && !Number.isNaN(z[k + tile.nx]) ? k + tile.nx : k;
  const p = east > west ? (z[east] - z[west]) / ((east - west) * tile.dx) : 0;
  const q = north > south ? (z[north] - z[south]) / (((north - south) / tile.nx) * tile.dy) : 0;
  const s = 32767 / Math.sqrt(1 + p * p + q * q);
  out[at] = -p * s;
  out[at + 1] = -q * s;
  out[at + 2] = s;
}

function gridNormals(geometry: THREE.BufferGeometry, nx: number, ny: number, cell: number): void {
  const position = geometry.getAttribute("position") as THREE.BufferAttribute;
  const normal = geometry.getAttribute("normal") as THREE.BufferAttribute;
  for (let l = 0; l < ny; l++) {
    for (let k = 0; k < nx; k++) {
      const [w, e] = [Math.max(k - 1, 0), Math.min(k + 1, nx - 1)];
      const [s, n] = [Math.max(l - 1, 0), Math.min(l + 1, ny - 1)];
      const p = (position.getZ(l * nx + e) - position.getZ(l * nx + w)) / ((e - w) * cell);
      const q = (position.getZ(n * nx + k) - position.getZ(s * nx + k)) / ((n - s) * cell);
      const f = 1 / Math.sqrt(1 + p * p + q * q);
      normal.setXYZ(l * nx + k, -p * f, -q * f, f);
    }
  }
}

function skirts(geometry: THREE.BufferGeometry, nx: number, ny: number, drop: number): void {
  const copy = (to: number, from: number): void => {
    for (const name of ["position", "normal", "rut", "color"]) {
      const attribute = geometry.getAttribute(name) as THREE.BufferAttribute;
      for (let c = 0; c < attribute.itemSize; c++) attribute.setComponent(to, c, attribute.getComponent(from, c));
    }
    const position = geometry.getAttribute("position") as THREE.BufferAttribute;
    position.setZ(to, position.getZ(from) - drop);
  };
  const skirt = nx * ny;
  for (let k = 0; k < nx; k++) {
    copy(skirt + k, k);
    copy(skirt + nx + k, (ny - 1) * nx + k);
  }
  for (let l = 0; l < ny; l++) {
    copy(skirt + 2 * nx + l, l * nx);
    copy(skirt + 2 * nx + ny + l, l * nx + nx - 1);
  }
}
