// SPDX-License-Identifier: Apache-2.0
// The way that the base of a run has gone, as a band on the ground up to the moment shown. It comes
// from the program in pieces; a piece is laid out anew when it changes, or when more of the ground
// is known.
import * as THREE from "three";
import { EDGE, bandLine, bandMaterial, bandWidth, ribbon } from "./plan";
import type { WayPiece } from "./protocol";
import { upperBound } from "./run";

const PATH = 0x2f9bff;

interface Laid {
  times: Float64Array;
  meshes: THREE.Mesh[]; // edge, fill
  line: THREE.LineSegments | null;
  tiles: number; // of ground known when it was laid
}

export class DrivenPath {
  readonly group = new THREE.Group();
  private readonly fill = bandMaterial(PATH, 1);
  private readonly edge = bandMaterial(EDGE, 0.5);
  private readonly thin = new THREE.LineBasicMaterial({ color: PATH, toneMapped: false });
  private readonly pieces: (Float32Array | undefined)[] = [];
  private readonly laid: (Laid | undefined)[] = [];
  private size = 0;

  get places(): number {
    return this.pieces.reduce((sum, p) => sum + (p ? p.length / 4 : 0), 0);
  }

  /** Takes a piece from the program. The next one begins with the end of this one. */
  set({ piece, places }: WayPiece): void {
    this.pieces[piece] = places;
    this.drop(piece);
    this.drop(piece + 1);
  }

  clear(): void {
    for (let k = 0; k < this.laid.length; k++) this.drop(k);
    this.pieces.length = this.laid.length = 0;
  }

  /** What was gone up to a time, on the ground as it is known. */
  draw(time: number, size: number, tiles: number, heightAt: (x: number, y: number) => number): void {
    if (size !== this.size) for (let k = 0; k < this.laid.length; k++) this.drop(k);
    this.size = size;
    for (let k = 0; k < this.pieces.length; k++) {
      if (this.laid[k] && this.laid[k]?.tiles !== tiles) this.drop(k);
      const piece = (this.laid[k] ??= this.lay(k, tiles, heightAt));
      const shown = Math.max(upperBound(piece.times, time + 1e-4) - 1, 0);
      for (const mesh of piece.meshes) mesh.geometry.setDrawRange(0, 6 * shown);
      piece.line?.geometry.setDrawRange(0, 2 * shown);
    }
  }

  private lay(k: number, tiles: number, heightAt: (x: number, y: number) => number): Laid {
    const before = this.pieces[k - 1];
    const own = this.pieces[k] ?? new Float32Array(0);
    const places = new Float32Array([...(before && own.length > 0 ? before.slice(-4) : []), ...own]);
    const n = places.length / 4;
    const times = Float64Array.from({ length: n }, (_, i) => places[4 * i]);
    const meshes: THREE.Mesh[] = [];
    let line: THREE.LineSegments | null = null;
    if (n > 1) {
      const way = Array.from({ length: n }, (_, i): [number, number] => [places[4 * i + 1], places[4 * i + 2]]);
      const level = Float32Array.from({ length: n }, (_, i) => places[4 * i + 3]);
      const width = 0.6 * bandWidth(this.size);
      // On top of the planned path, which is wider.
      for (const [w, lift, m, order] of [[1.7 * width, 0.6 * width, this.edge, 11.3], [width, 0.8 * width, this.fill, 11.6]] as const) {
        // Where no ground is known the way is that of the base itself.
        const mesh = new THREE.Mesh(ribbon(way, w, lift, 0, heightAt, level), m);
        mesh.renderOrder = order;
        mesh.matrixAutoUpdate = false;
        mesh.frustumCulled = false;
        this.group.add(mesh);
        meshes.push(mesh);
      }
      line = new THREE.LineSegments(bandLine(meshes[1].geometry), this.thin);
      line.frustumCulled = false;
      this.group.add(line);
    }
    return { times, meshes, line, tiles };
  }

  private drop(k: number): void {
    const laid = this.laid[k];
    for (const object of laid ? [...laid.meshes, laid.line] : []) {
      object?.geometry.dispose();
      object?.removeFromParent();
    }
    this.laid[k] = undefined;
  }
}
