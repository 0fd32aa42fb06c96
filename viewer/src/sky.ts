// SPDX-License-Identifier: Apache-2.0
// Sun, sky and shadows. The sky is one sphere around the camera; the sun lights everything, its
// shadow map covers the robot's neighbourhood and moves in whole texels, so that edges do not swim.
import * as THREE from "three";
import type { Look } from "./look";

const VERTEX = /* glsl */ `
varying vec3 vDirection;
void main() {
  vDirection = position;
  vec4 p = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0);
  gl_Position = p.xyww;
}`;
const FRAGMENT = /* glsl */ `
uniform vec3 uZenith, uHorizon, uSun, uDirection;
uniform float uStars, uDisc;
varying vec3 vDirection;
float hash(vec3 p) { return fract(sin(dot(p, vec3(12.9898, 78.233, 45.164))) * 43758.5453); }
void main() {
  vec3 d = normalize(vDirection);
  float up = clamp(d.z, 0.0, 1.0);
  vec3 colour = mix(uHorizon, uZenith, pow(up, 0.55));
  colour *= 1.0 + 0.35 * min(d.z, 0.0);
  float towards = max(dot(d, uDirection), 0.0);
  colour += uDisc * uSun * (0.18 * pow(towards, 24.0) + 0.3 * pow(towards, 300.0)) * (1.0 - 0.8 * uStars);
  colour += uDisc * uSun * 3.0 * smoothstep(0.99988, 0.99995, towards);
  if (uStars > 0.0) {
    vec3 cell = floor(d * 160.0);
    vec3 centre = (cell + 0.5) / 160.0;
    float bright = hash(cell);
    float spot = smoothstep(0.0022, 0.0004, length(d - normalize(centre)));
    colour += uStars * vec3(spot * step(0.985, bright) * (0.25 + 0.75 * hash(cell + 7.0)));
  }
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

export class Sky {
  readonly group = new THREE.Group();
  readonly sun = new THREE.DirectionalLight(0xffffff, 2.5);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x888888, 1);
  private readonly lamp = new THREE.PointLight(0xffffff, 0, 0, 1.2);
  private readonly dome: THREE.Mesh;
  private readonly uniforms = {
    uZenith: { value: new THREE.Color() },
    uHorizon: { value: new THREE.Color() },
    uSun: { value: new THREE.Color() },
    uDirection: { value: new THREE.Vector3(0, 0, 1) },
    uStars: { value: 0 },
    uDisc: { value: 1 },
  };
  private reach = 0;
  private readonly right = new THREE.Vector3();
  private readonly top = new THREE.Vector3();

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: this.uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: THREE.BackSide,
      depthWrite: false,
    });
    this.dome = new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32), material);
    this.dome.frustumCulled = false;
    this.dome.renderOrder = 10; // after what is opaque: only what stays visible is shaded
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.group.add(this.dome, this.sun, this.sun.target, this.sky, this.lamp);
  }

  readonly horizon = new THREE.Color();

  set(look: Look, sun: { azimuth: number; elevation: number } | null, underground: boolean): void {
    const azimuth = sun?.azimuth ?? 2.4;
    const elevation = sun?.elevation ?? 0.75;
    // Azimuth clockwise from north (y); a sun below the horizon leaves a dim sky.
    const direction = this.uniforms.uDirection.value;
    direction.set(Math.sin(azimuth) * Math.cos(elevation), Math.cos(azimuth) * Math.cos(elevation), Math.sin(elevation));
    const twilight = look.air > 0 ? 0.2 : 0.015; // [rad] in which it gets dark
    const day = THREE.MathUtils.clamp((elevation + twilight) / (1.6 * twilight), 0, 1);
    const bright = look.air > 0 ? day * (0.5 + 0.5 * THREE.MathUtils.clamp(elevation / 0.35, 0, 1)) : day;
    const low = look.air > 0 ? Math.exp(-Math.max(elevation, 0) / 0.14) : 0;
    this.uniforms.uZenith.value.set(look.zenith).multiplyScalar(0.03 + 0.97 * bright);
    this.horizon.set(look.horizon).lerp(colour.set(look.low), 0.35 * low * day).multiplyScalar(0.04 + 0.96 * bright);
    this.uniforms.uHorizon.value.copy(this.horizon);
    this.uniforms.uSun.value.set(look.sun).lerp(colour.set(look.low), low);
    this.uniforms.uStars.value = look.air === 0 && look.name !== "studio" ? 1 : 1 - Math.min(1, 3 * day);
    this.uniforms.uDisc.value = sun && elevation > -0.02 ? 1 : 0;
    // Light that comes through air is weakened by its way, which grows like 1 / sin(elevation).
    const way = Math.exp(-look.air * (1 / Math.max(Math.sin(Math.max(elevation, 0)), 0.06) - 1));
    const up = THREE.MathUtils.clamp((elevation + 0.008) / 0.016, 0, 1);
    this.sun.color.copy(this.uniforms.uSun.value);
    this.sun.intensity = underground ? 1.1 : look.sunPower * way * up;
    this.sky.color.set(look.air > 0 || look.name === "studio" ? look.horizon : 0xbfc8d8).lerp(colour.set(0xffffff), 0.55);
    this.sky.groundColor.set(look.stuff.ground).multiplyScalar(0.65);
    this.sky.intensity = look.skyPower * (look.air > 0 ? 0.15 + 0.85 * day * (0.8 + 0.2 * Math.max(Math.sin(elevation), 0)) : 0.3 + 0.7 * up);
    this.lamp.intensity = underground ? 5 : 0;
  }

  /** Shadows about a point. */
  cover(centre: THREE.Vector3, radius: number): void {
    const reach = Math.max(radius * 1.5, 0.2);
    const camera = this.sun.shadow.camera;
    if (Math.abs(reach - this.reach) > 0.2 * this.reach) {
      this.reach = reach;
      Object.assign(camera, { left: -reach, right: reach, bottom: -reach, top: reach, near: reach * 0.05, far: reach * 8 });
      camera.updateProjectionMatrix();
      this.sun.shadow.normalBias = reach * 0.004;
    }
    const d = this.uniforms.uDirection.value;
    const texel = (2 * this.reach) / this.sun.shadow.mapSize.x;
    this.right.set(0, 0, 1).cross(d).normalize();
    if (this.right.lengthSq() < 0.5) this.right.set(1, 0, 0);
    this.top.copy(d).cross(this.right);
    const a = Math.round(centre.dot(this.right) / texel) * texel - centre.dot(this.right);
    const b = Math.round(centre.dot(this.top) / texel) * texel - centre.dot(this.top);
    this.sun.target.position.copy(centre).addScaledVector(this.right, a).addScaledVector(this.top, b);
    this.sun.position.copy(this.sun.target.position).addScaledVector(d, this.reach * 4);
  }

  setShadowSize(side: number): void {
    if (this.sun.shadow.mapSize.x === side) return;
    this.sun.shadow.mapSize.set(side, side);
    this.sun.shadow.map?.dispose();
    this.sun.shadow.map = null;
  }

  follow(camera: THREE.Camera): void {
    this.lamp.position.setFromMatrixPosition(camera.matrixWorld);
    this.dome.visible = camera instanceof THREE.PerspectiveCamera;
  }
}

const colour = new THREE.Color();
