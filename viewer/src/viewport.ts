// SPDX-License-Identifier: Apache-2.0
// One viewport: a pane of the page with its own camera. All viewports are drawn by one renderer
// into one canvas.
//
//   orbit     about the robot, or about a free point of the world
//   chase     behind the robot, turning with it
//   plan      from above, north up, true to scale
//   onboard   from a body of the robot
//   fixed     where it stands
import * as THREE from "three";
import type { CameraInfo, CameraKind } from "./protocol";
import type { ViewState } from "./settings";
import type { RunView } from "./world";

const FOV = 45; // [deg], vertical
const UP = new THREE.Vector3(0, 0, 1);

export interface DragHandler {
  start(view: Viewport, ray: THREE.Raycaster): boolean;
  move(ray: THREE.Raycaster, vertical: number): void;
  turn(angle: number): void;
  end(): void;
}

export class Viewport {
  readonly pane: HTMLElement;
  readonly perspective = new THREE.PerspectiveCamera(FOV, 1, 0.05, 20000);
  readonly plan = new THREE.OrthographicCamera(-1, 1, 1, -1, -5000, 5000);
  private readonly target = new THREE.Vector3();
  private yaw = Number.NaN;
  private readonly wanted = new THREE.Vector3();
  private readonly direction = new THREE.Vector3();
  private readonly body = new THREE.Matrix4();
  private readonly pointers = new Map<number, PointerEvent>();
  private dragging = false;
  private moved = 0;
  private lastRun = -1;
  metresPerPixel = 0;
  onChange: () => void = () => undefined;
  onPick: (ray: THREE.Raycaster) => void = () => undefined;
  onFocus: () => void = () => undefined;
  drag: DragHandler | null = null;

  constructor(public state: ViewState) {
    this.pane = document.createElement("div");
    this.pane.className = "pane";
    this.listen();
  }

  get kind(): CameraKind {
    return this.named()?.kind ?? (this.state.camera as CameraKind);
  }
  cameras: CameraInfo[] = [];

  get camera(): THREE.Camera {
    return this.kind === "plan" ? this.plan : this.perspective;
  }

  named(): CameraInfo | null {
    if (!this.state.camera.startsWith("name:")) return null;
    return this.cameras.find((c) => c.name === this.state.camera.slice(5)) ?? null;
  }

  /** Forgets smoothing, so that the next picture stands where it should. */
  snap(): void {
    this.yaw = Number.NaN;
    this.lastRun = -1;
  }

  /** Moves the camera to where its kind wants it; dt is the time since the last picture [s]. */
  aim(view: RunView, dt: number, width: number, height: number): void {
    const kind = this.kind;
    const size = view.robot.size;
    this.follow(view, dt);
    this.perspective.aspect = width / Math.max(height, 1);
    this.perspective.fov = this.named()?.fov ? THREE.MathUtils.radToDeg(this.named()?.fov ?? 0) : FOV;
    this.perspective.near = Math.max(0.004 * size, 0.002);
    this.perspective.far = Math.max(3000, 400 * size);
    this.metresPerPixel = 0;
    if (kind === "plan") this.aimPlan(view, width, height);
    else if (kind === "onboard") this.aimOnboard(view);
    else if (kind === "fixed") this.aimFixed(view);
    else this.aimOrbit(view, kind === "chase");
    this.perspective.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** The point looked at follows the robot softly. */
  private follow(view: RunView, dt: number): void {
    this.wanted.copy(view.focus);
    const heading = view.heading();
    const fresh = Number.isNaN(this.yaw) || this.lastRun !== view.run.index || this.target.distanceTo(this.wanted) > 6 * view.robot.size;
    if (fresh) {
      this.target.copy(this.wanted);
      this.yaw = heading;
    }
    this.lastRun = view.run.index;
    this.target.lerp(this.wanted, 1 - Math.exp(-dt / 0.08));
    const turn = Math.atan2(Math.sin(heading - this.yaw), Math.cos(heading - this.yaw));
    this.yaw += turn * (1 - Math.exp(-dt / 0.45));
  }

  private distance(view: RunView): number {
    if (this.state.distance > 0) return this.state.distance;
    const alone = view.robot.names.length < 3 ? 1.9 : 1; // a single body fills the picture otherwise
    return (alone * view.robot.size * 2.35) / Math.min(0.85 * this.perspective.aspect, 1); // narrow panes: fit the width
  }

  private aimOrbit(view: RunView, chase: boolean): void {
    const s = this.state;
    // Chase: azimuth is counted from behind the robot, so that the default looks forwards.
    const azimuth = chase ? this.yaw + Math.PI + (s.azimuth + 2.4) : s.azimuth;
    const elevation = chase ? Math.min(s.elevation, 1.2) * 0.75 : s.elevation;
    this.direction.set(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation));
    this.wanted.fromArray(s.offset);
    if (!s.free || chase) {
      this.wanted.add(this.target);
      if (!(view.run.scene?.view && view.run.scene.view.distance > 0)) this.wanted.z += 0.4 * view.robot.rise; // the whole robot fits: its near, low parts look larger than its mast
    }
    const d = this.distance(view);
    this.perspective.position.copy(this.wanted).addScaledVector(this.direction, d);
    // Never under the ground.
    const ground = view.terrain.heightAt(this.perspective.position.x, this.perspective.position.y);
    const least = ground + 0.06 * view.robot.size;
    if (ground < this.wanted.z && this.perspective.position.z < least) this.perspective.position.z = least;
    this.perspective.up.copy(UP);
    this.perspective.lookAt(this.wanted);
  }

  private aimPlan(view: RunView, width: number, height: number): void {
    const s = this.state;
    const half = (s.distance > 0 ? s.distance : view.robot.size * 3) * 0.5;
    const wide = (half * width) / Math.max(height, 1);
    Object.assign(this.plan, { left: -wide, right: wide, top: half, bottom: -half });
    this.metresPerPixel = (2 * half) / Math.max(height, 1);
    this.wanted.fromArray(s.offset);
    if (!s.free) this.wanted.add(this.target);
    this.plan.position.set(this.wanted.x, this.wanted.y, this.wanted.z);
    this.plan.up.set(0, 1, 0);
    this.plan.lookAt(this.wanted.x, this.wanted.y, this.wanted.z - 1);
    this.plan.updateProjectionMatrix();
  }

  private aimOnboard(view: RunView): void {
    const named = this.named() ?? this.cameras.find((c) => c.kind === "onboard") ?? null;
    const index = bodyIndex(view, named?.body ?? 0);
    const size = view.robot.size;
    const position = named?.position ?? [0.15 * size, 0, 0.55 * size];
    const target = named?.target ?? [2.2 * size, 0, 0];
    if (view.run.frame.bodies > index) view.robot.bodyMatrix(view.run.frame, index, this.body);
    const eye = this.perspective.position.fromArray(position).applyMatrix4(this.body);
    const towards = this.direction.fromArray(target).applyMatrix4(this.body);
    if (named?.fov) this.perspective.fov = THREE.MathUtils.radToDeg(named.fov);
    this.perspective.up.setFromMatrixColumn(this.body, 2);
    if (Math.abs(this.perspective.up.dot(this.wanted.copy(towards).sub(eye).normalize())) > 0.98) {
      this.perspective.up.setFromMatrixColumn(this.body, 0);
    }
    this.perspective.lookAt(towards);
  }

  /** A fixed camera of the scene, or a tripod where the orbit last was, keeping the robot in the picture. */
  private aimFixed(view: RunView): void {
    const named = this.named();
    if (named?.position) this.perspective.position.fromArray(named.position);
    this.perspective.up.copy(UP);
    if (named?.target) this.perspective.lookAt(this.direction.fromArray(named.target));
    else if (named || this.perspective.position.lengthSq() > 0) this.perspective.lookAt(this.target);
    else this.aimOrbit(view, false);
  }

  private listen(): void {
    const p = this.pane;
    p.addEventListener("pointerdown", (e) => this.down(e));
    p.addEventListener("pointermove", (e) => this.move(e));
    p.addEventListener("pointerup", (e) => this.up(e));
    p.addEventListener("pointercancel", (e) => this.up(e));
    p.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    p.addEventListener("contextmenu", (e) => {
      if (e.target === p) e.preventDefault();
    });
    p.addEventListener("dblclick", (e) => {
      if (e.target === p) this.recentre();
    });
  }

  ray(e: { clientX: number; clientY: number }): THREE.Raycaster {
    const box = this.pane.getBoundingClientRect();
    const x = ((e.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((e.clientY - box.top) / box.height) * 2;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    return ray;
  }

  private down(e: PointerEvent): void {
    if (e.target !== this.pane) return;
    this.onFocus();
    this.pane.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, e);
    this.moved = 0;
    this.dragging = e.button === 0 && this.pointers.size === 1 && (this.drag?.start(this, this.ray(e)) ?? false);
  }

  private move(e: PointerEvent): void {
    const last = this.pointers.get(e.pointerId);
    if (!last) return;
    const dx = e.clientX - last.clientX;
    const dy = e.clientY - last.clientY;
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.dragging) this.drag?.move(this.ray(e), e.shiftKey ? -dy : 0);
    else if (this.pointers.size === 2) this.pinch(e);
    else if (e.buttons === 1 && !e.shiftKey && this.kind !== "plan") this.rotate(dx, dy);
    else if (e.buttons !== 0) this.pan(dx, dy);
    this.pointers.set(e.pointerId, e);
  }

  private up(e: PointerEvent): void {
    if (!this.pointers.delete(e.pointerId)) return;
    if (this.dragging) this.drag?.end();
    else if (this.moved < 4 && e.type === "pointerup" && e.button === 0) this.onPick(this.ray(e));
    this.dragging = false;
    this.onChange();
  }

  private pinch(e: PointerEvent): void {
    const other = [...this.pointers.values()].find((p) => p.pointerId !== e.pointerId);
    const last = this.pointers.get(e.pointerId);
    if (!other || !last) return;
    const gap = (p: PointerEvent): number => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
    this.zoom(gap(last) / Math.max(gap(e), 1));
  }

  private rotate(dx: number, dy: number): void {
    this.state.azimuth -= dx * 0.008;
    this.state.elevation = THREE.MathUtils.clamp(this.state.elevation + dy * 0.006, -1.45, 1.52);
    if (this.state.camera === "fixed") this.state.camera = "orbit";
    this.onChange();
  }

  private pan(dx: number, dy: number): void {
    const height = Math.max(this.pane.clientHeight, 1);
    const camera = this.camera;
    const span = camera === this.plan ? this.plan.top - this.plan.bottom : 2 * this.currentDistance() * Math.tan((FOV * Math.PI) / 360);
    const step = span / height;
    const right = this.direction.setFromMatrixColumn(camera.matrixWorld, 0).clone();
    const up = this.direction.setFromMatrixColumn(camera.matrixWorld, 1).clone();
    const offset = new THREE.Vector3().fromArray(this.state.offset).addScaledVector(right, -dx * step).addScaledVector(up, dy * step);
    this.state.offset = [offset.x, offset.y, offset.z];
    this.onChange();
  }

  private currentDistance(): number {
    return this.state.distance > 0 ? this.state.distance : this.perspective.position.distanceTo(this.wanted);
  }

  private wheel(e: WheelEvent): void {
    if (e.target !== this.pane) return;
    e.preventDefault();
    if (this.dragging) this.drag?.turn(e.deltaY * 0.002);
    else this.zoom(Math.exp(THREE.MathUtils.clamp(e.deltaY, -300, 300) * 0.0012));
  }

  zoom(factor: number): void {
    const now = this.kind === "plan" ? this.plan.top - this.plan.bottom : this.currentDistance();
    this.state.distance = THREE.MathUtils.clamp(now * factor, 1e-3, 1e4);
    this.onChange();
  }

  recentre(): void {
    Object.assign(this.state, { offset: [0, 0, 0], distance: 0, free: false, azimuth: -2.4, elevation: 0.42 });
    this.onChange();
  }
}

function bodyIndex(view: RunView, body: string | number | null): number {
  if (typeof body === "number") return Math.max(body, 0);
  return Math.max(view.robot.names.indexOf(body ?? ""), 0);
}
