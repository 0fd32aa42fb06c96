// SPDX-License-Identifier: Apache-2.0
// The scene of one or two runs in three.js: what each run brings, and what of it a viewport shows.
import * as THREE from "three";
import { cave, lookOf, studio, sunAt, type Look } from "./look";
import { Overlays } from "./overlays";
import { PlannedPath } from "./plan";
import { MAP_KINDS } from "./protocol";
import { Robot, type MeshSource } from "./robot";
import type { Run } from "./run";
import type { Layers } from "./settings";
import { Sensed } from "./sensed";
import { Sky } from "./sky";
import { TerrainView } from "./terrain";
import { DrivenPath } from "./way";

export const RUN_TINT = [null, 0xff8a3d];

export class RunView {
  readonly group = new THREE.Group();
  readonly robot: Robot;
  readonly terrain = new TerrainView();
  readonly overlays = new Overlays();
  readonly planned = new PlannedPath();
  readonly driven = new DrivenPath();
  readonly sensed = new Sensed();
  private planLaid = -1; // tiles of ground that it was laid on; -1: not laid
  readonly focus = new THREE.Vector3();
  readonly shift = new THREE.Matrix4();
  shifted = false;
  measured = false;
  com: THREE.Vector3 | null = null;
  private readonly massCentre = new THREE.Vector3();

  constructor(
    readonly run: Run,
    source: MeshSource,
  ) {
    this.robot = new Robot(source);
    this.group.add(this.terrain.group, this.terrain.rutGroup, this.robot.group, this.overlays.group, this.planned.group, this.driven.group);
    this.group.add(this.sensed.points, this.sensed.sights, ...this.sensed.sheets);
  }

  /** It is known what stands where. */
  get present(): boolean {
    return this.run.scene !== null && this.run.frame.bodies > 0;
  }

  /** Ground with overhangs rises above the robot: it is inside. */
  get enclosed(): boolean {
    return this.terrain.hasMesh && !this.terrain.hasHeights && this.terrain.range[1] > this.focus.z + 0.6 * this.robot.size;
  }

  build(look: Look, tint: number | null): void {
    const scene = this.run.scene;
    if (!scene) return;
    this.robot.build(scene.bodies, tint);
    this.terrain.reset(scene.terrain, look);
    this.overlays.weight = (scene.mass ?? 0) * Math.hypot(...(scene.gravity as [number, number, number]));
    this.overlays.reset(this.robot.names);
    this.planChanged();
    this.driven.clear();
    this.measured = false;
    void this.robot.ready.then(() => {
      this.measured = false;
      this.run.fresh = true;
    });
  }

  planChanged(): void {
    this.planLaid = -1;
  }

  /** The plan lies on the ground that is known: again when there is more of it. */
  private layPlan(): void {
    if (this.planLaid === this.terrain.tileCount) return;
    this.planLaid = this.terrain.tileCount;
    this.planned.draw(this.run.plan, this.robot.size, (x, y) => this.terrain.heightAt(x, y));
  }

  /** Brings the objects to the run's frame. `any`: layers that some viewport shows. */
  update(any: (key: keyof Layers) => boolean): void {
    this.terrain.update();
    const frame = this.run.frame;
    if (!this.present) return;
    if (!this.measured) {
      this.robot.measure(frame);
      this.planChanged();
    }
    this.measured = true;
    this.robot.update(frame, this.shifted ? this.shift : null);
    this.robot.centre(frame, this.focus);
    if (this.shifted) this.focus.applyMatrix4(this.shift);
    const o = this.overlays;
    o.frames.visible = any("frames");
    o.labels.visible = any("labels");
    o.contacts.visible = frame.pulls ? any("pulls") : any("contacts");
    o.tethers.visible = any("tethers");
    o.support.visible = any("support");
    this.com = any("com") && this.robot.hasMass ? this.robot.centreOfMass(frame, this.massCentre) : null;
    o.update(frame, this.robot.size, this.com);
    if (any("plan")) this.layPlan();
    if (MAP_KINDS.some((kind) => any(kind))) this.sensed.draw(this.terrain.tileCount, 0.01 * this.robot.size, (x, y) => this.terrain.heightAt(x, y));
    if (any("path")) this.driven.draw(this.run.time, this.robot.size, this.terrain.tileCount, (x, y) => this.terrain.heightAt(x, y));
    this.run.fresh = false;
  }

  show(layers: Layers, ground: boolean): void {
    const o = this.overlays;
    this.robot.group.visible = layers.robot;
    this.robot.ornaments.visible = layers.ornaments;
    o.frames.visible = layers.frames;
    o.labels.visible = layers.labels;
    o.contacts.visible = this.run.frame.pulls ? layers.pulls : layers.contacts;
    o.tethers.visible = layers.tethers;
    this.driven.group.visible = layers.path;
    this.sensed.points.visible = layers.lidar;
    this.sensed.sights.visible = layers.sights;
    MAP_KINDS.forEach((kind, what) => (this.sensed.sheets[what].visible = layers[kind]));
    this.planned.group.visible = layers.plan;
    o.tracks.visible = layers.tracks;
    o.support.visible = layers.support;
    o.com.visible = layers.com;
    this.terrain.group.visible = ground;
    this.terrain.rutGroup.visible = ground && layers.ruts;
    this.terrain.uniforms.apply(layers);
  }

  /** Heading of the base in plan, from its x axis; the y axis decides where x points up. */
  heading(): number {
    const f = this.run.frame;
    if (f.bodies === 0) return 0;
    axis.set(1, 0, 0).applyQuaternion(turn.fromArray(f.quaternion, 0));
    if (Math.hypot(axis.x, axis.y) < 0.2) axis.set(0, -1, 0).applyQuaternion(turn).set(-axis.y, axis.x, 0);
    return Math.atan2(axis.y, axis.x);
  }
}

const axis = new THREE.Vector3();
const turn = new THREE.Quaternion();

export class World {
  readonly scene = new THREE.Scene();
  readonly sky = new Sky();
  readonly runs: RunView[] = [];
  private readonly floor: THREE.GridHelper;
  private readonly catcher: THREE.Mesh; // of shadows, where there is no ground
  private look: Look = studio(true);
  private dark = true;
  private sunShown = 0; // elevation that light and sky stand for

  constructor() {
    this.scene.add(this.sky.group);
    this.floor = new THREE.GridHelper(40, 40, 0x8090a0, 0x8090a0);
    this.floor.rotateX(Math.PI / 2);
    const material = this.floor.material as THREE.LineBasicMaterial;
    material.transparent = true;
    material.opacity = 0.22;
    material.depthWrite = false;
    this.catcher = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.28 }));
    this.catcher.receiveShadow = true;
    this.catcher.renderOrder = -1;
    this.scene.add(this.floor, this.catcher);
    this.applyLook();
  }

  clear(): void {
    for (const view of this.runs) view.group.removeFromParent();
    this.runs.length = 0;
  }

  addRun(run: Run, source: MeshSource): RunView {
    const view = new RunView(run, source);
    this.runs.push(view);
    this.scene.add(view.group);
    return view;
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.applyLook();
  }

  buildRun(view: RunView): void {
    this.applyLook();
    view.build(this.look, RUN_TINT[view.run.index] ?? null);
    this.applyLook();
  }

  /** Behind everything where there is no dome: plan views. */
  get background(): THREE.Color {
    return this.sky.horizon;
  }

  /** Sky, light and fog by what the first run stands on. */
  applyLook(): void {
    const first = this.runs[0]?.run.scene;
    const [gx, gy, gz] = first?.gravity ?? [0, 0, 0];
    const onGround = first?.terrain != null;
    const underground = this.runs[0]?.enclosed === true;
    const world = (): Look => lookOf(first?.sun?.body ?? "", Math.hypot(gx, gy, gz));
    this.look = !onGround ? studio(this.dark) : underground ? cave(this.dark) : world();
    const sun = onGround && !underground ? sunAt(first?.sun, this.runs[0].run.time) : null;
    this.sunShown = sun?.elevation ?? 0;
    this.sky.set(this.look, sun, underground);
    this.scene.fog = null;
    if (onGround && this.look.air > 0 && !underground && first?.terrain) {
      const reach = Math.max(first.terrain.x1 - first.terrain.x0, first.terrain.y1 - first.terrain.y0, 200);
      this.scene.fog = new THREE.FogExp2(this.sky.horizon, 0.45 / Math.min(reach, 4000));
    }
    (this.floor.material as THREE.LineBasicMaterial).color.set(this.dark ? 0x9fb2c8 : 0x5a6b7e);
  }

  update(any: (key: keyof Layers) => boolean): void {
    const measured = this.runs.every((view) => view.measured);
    for (const view of this.runs) view.update(any);
    if (!measured) this.applyLook();
    const first = this.runs[0];
    const sun = first?.run.scene?.sun;
    if (sun?.track?.length && Math.abs((sunAt(sun, first.run.time)?.elevation ?? 0) - this.sunShown) > 0.002) this.applyLook();
    if (first) this.sky.cover(first.focus, first.robot.size * (this.runs.length > 1 ? 1.6 : 1));
  }

  /** Prepares the scene for one viewport. */
  prepare(layers: Layers, shown: (run: number) => boolean, camera: THREE.Camera, metresPerPixel: number, cellPixels: number): void {
    let ground = false;
    eye.setFromMatrixPosition(camera.matrixWorld);
    for (const view of this.runs) {
      view.group.visible = shown(view.run.index);
      if (!view.group.visible) continue;
      view.show(layers, !ground);
      view.terrain.choose(eye, metresPerPixel, cellPixels, layers.ruts && !ground);
      ground = true;
    }
    this.sky.sun.castShadow = layers.shadows;
    this.sky.follow(camera);
    const empty = this.runs[0]?.run.scene?.terrain == null;
    this.floor.visible = empty || (layers.grid && !this.runs.some((v) => v.terrain.hasHeights));
    const size = this.runs[0]?.robot.size ?? 1;
    const cell = Math.pow(10, Math.round(Math.log10(Math.max(size, 0.05) / 2)));
    this.floor.scale.setScalar(cell);
    this.floor.position.z = this.catcher.position.z = this.floorLevel();
    this.catcher.visible = empty && layers.shadows;
    this.catcher.scale.setScalar(20 * Math.max(size, 0.1));
  }

  /** Without ground the grid lies under the robot's first place. */
  private floorLevel(): number {
    const view = this.runs[0];
    if (!view || view.run.scene?.terrain) return 0;
    if (this.baseLevel === null && view.run.frame.bodies > 0) {
      if (!view.measured) return 0;
      this.baseLevel = Math.min(0, view.robot.lowest);
    }
    return this.baseLevel ?? 0;
  }
  private baseLevel: number | null = null;
}

const eye = new THREE.Vector3();
