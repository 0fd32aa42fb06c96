// SPDX-License-Identifier: Apache-2.0
// Placing the robot with the mouse: it follows the pointer over the ground at its own height above
// it; the wheel turns it, Shift lifts it. The program is asked once, when the button is let go:
// what was not lifted finds its hold on the ground there.
import * as THREE from "three";
import type { Stage } from "./stage";
import type { DragHandler, Viewport } from "./viewport";
import type { RunView } from "./world";

export class Placer implements DragHandler {
  active = false;
  private view: RunView | null = null;
  private readonly plane = new THREE.Plane();
  private readonly from = new THREE.Vector3();
  private readonly base = new THREE.Vector3();
  private readonly at = new THREE.Vector3();
  private readonly delta = new THREE.Vector3();
  private readonly rotation = new THREE.Quaternion();
  private lift = 0;
  private yaw = 0;

  constructor(
    private readonly stage: () => Stage | null,
    private readonly place: (run: number, position: number[], quaternion: number[], settle: boolean) => void,
  ) {}

  start(viewport: Viewport, ray: THREE.Raycaster): boolean {
    if (!this.active) return false;
    const view = this.stage()?.runOf(viewport.state.run);
    const hit = view?.robot.pick(ray);
    if (!view || !hit) return false;
    this.view = view;
    this.from.copy(hit.point);
    this.base.fromArray(view.run.frame.position, 0);
    this.plane.setFromNormalAndCoplanarPoint(new THREE.Vector3(0, 0, 1), hit.point);
    this.lift = this.yaw = 0;
    this.delta.set(0, 0, 0);
    return true;
  }

  move(ray: THREE.Raycaster, vertical: number): void {
    if (!this.view) return;
    if (vertical !== 0) this.lift += vertical * 0.004 * this.view.robot.size;
    else if (ray.ray.intersectPlane(this.plane, this.at)) {
      this.delta.set(this.at.x - this.from.x, this.at.y - this.from.y, 0);
      const before = this.view.terrain.heightAt(this.base.x, this.base.y);
      const after = this.view.terrain.heightAt(this.base.x + this.delta.x, this.base.y + this.delta.y);
      if (!Number.isNaN(after - before)) this.delta.z = after - before;
    }
    this.apply();
  }

  turn(angle: number): void {
    this.yaw += angle;
    this.apply();
  }

  private apply(): void {
    if (!this.view) return;
    this.rotation.setFromAxisAngle(new THREE.Vector3(0, 0, 1), this.yaw);
    const shift = this.view.shift.makeRotationFromQuaternion(this.rotation);
    const turned = this.base.clone().applyQuaternion(this.rotation);
    shift.setPosition(this.base.x - turned.x + this.delta.x, this.base.y - turned.y + this.delta.y, this.delta.z + this.lift);
    this.view.shifted = true;
    this.stage()?.touch();
  }

  end(): void {
    const view = this.view;
    if (!view) return;
    this.view = null;
    if (!view.shifted) return;
    const p = this.base.clone().applyMatrix4(view.shift);
    const q = this.rotation.clone().multiply(new THREE.Quaternion().fromArray(view.run.frame.quaternion, 0));
    view.shifted = false;
    this.place(view.run.index, [p.x, p.y, p.z], [q.w, q.x, q.y, q.z], this.lift === 0);
  }
}
