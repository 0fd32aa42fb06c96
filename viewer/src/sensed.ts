// SPDX-License-Identifier: Apache-2.0
// What a robot has sensed or made of it: points of a lidar, maps of hazards and of goodness. Each
// message replaces the one of its name or kind before.
import * as THREE from "three";
import type { PointCloud, ValueMap } from "./protocol";

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

export class Sensed {
  readonly points = new THREE.Group();
  readonly hazards = new THREE.Group();
  readonly goodness = new THREE.Group();
  private readonly clouds = new Map<string, THREE.Points>();
  private readonly maps: (ValueMap | undefined)[] = [];
  private laid: (number | undefined)[] = []; // tiles of ground known when a map was laid

  setPoints({ name, position }: PointCloud): void {
    const old = this.clouds.get(name);
    old?.geometry.dispose();
    old?.removeFromParent();
    this.clouds.delete(name);
    if (position.length === 0) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    const cloud = new THREE.Points(geometry, cloudMaterial);
    this.clouds.set(name, cloud);
    this.points.add(cloud);
  }

  setMap(map: ValueMap): void {
    this.maps[map.what] = map;
    this.laid[map.what] = undefined;
  }

  has(layer: "lidar" | "hazards" | "goodness"): boolean {
    return layer === "lidar" ? this.clouds.size > 0 : this.maps[layer === "hazards" ? 0 : 1] !== undefined;
  }

  /** Lays the maps on the ground that is known. */
  draw(tiles: number, lift: number, heightAt: HeightAt): void {
    [this.hazards, this.goodness].forEach((group, what) => {
      const map = this.maps[what];
      if (!map || this.laid[what] === tiles) return;
      this.laid[what] = tiles;
      for (const sheet of group.children as THREE.Mesh[]) {
        sheet.geometry.dispose();
        (sheet.material as THREE.MeshBasicMaterial).map?.dispose();
        (sheet.material as THREE.MeshBasicMaterial).dispose();
      }
      group.clear();
      group.add(laySheet(map, what === 0, lift, heightAt));
    });
  }
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
