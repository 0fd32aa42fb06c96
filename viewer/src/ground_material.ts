// SPDX-License-Identifier: Apache-2.0
// The material of the ground: natural colour with fine structure from a noise texture, or slope,
// soil region, height; with grid and contour lines; ruts in natural, slip or sinkage colour. All
// switches are uniforms, so each viewport can have its own without building anything.
import * as THREE from "three";
import { noiseTexture, RAMP_GLSL, REGION_COLOURS } from "./look";
import type { Layers } from "./settings";

export const MASK_SIZE = 512; // tiles of ruts per side, wrapped

const SURFACES = { natural: 0, slope: 1, soil: 2, height: 3 };
const RUTS = { natural: 0, slip: 1, sinkage: 2 };

export class GroundUniforms {
  readonly uNoise = { value: noiseTexture() };
  readonly uSurface = { value: 0 };
  readonly uRutColour = { value: 0 };
  readonly uGrid = { value: 0 };
  readonly uContour = { value: 0 };
  readonly uContourStep = { value: 1 };
  readonly uHeight = { value: new THREE.Vector2(0, 1) };
  readonly uSinkage = { value: 0.1 };
  readonly uRegion = { value: REGION_COLOURS.map((c) => new THREE.Color(c)) };
  readonly uMask = { value: maskTexture() };
  readonly uMaskTile = { value: 0 }; // side of a rut tile [m]; 0: no ruts shown
  readonly uDetail = { value: 1 };
  readonly uIcy = { value: [0, 0, 0, 0, 0, 0, 0, 0] };

  apply(layers: Layers): void {
    this.uSurface.value = SURFACES[layers.surface];
    this.uRutColour.value = RUTS[layers.rutColour];
    this.uGrid.value = layers.grid ? 1 : 0;
    this.uContour.value = layers.contours ? 1 : 0;
  }
}

function maskTexture(): THREE.DataTexture {
  const texture = new THREE.DataTexture(new Uint8Array(MASK_SIZE * MASK_SIZE), MASK_SIZE, MASK_SIZE, THREE.RedFormat);
  texture.magFilter = texture.minFilter = THREE.NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

const VERTEX_HEAD = /* glsl */ `
attribute vec3 rut;
varying vec3 vGround;
varying vec3 vUp;
varying vec3 vRut;
flat varying int vSoil;
`;
const VERTEX_BODY = /* glsl */ `
vGround = position;
vUp = normal;
vRut = rut;
vSoil = int(color.a * 255.0 + 0.5);
`;
const FRAGMENT_HEAD = /* glsl */ `
uniform sampler2D uNoise;
uniform sampler2D uMask;
uniform int uSurface, uRutColour;
uniform float uGrid, uContour, uContourStep, uSinkage, uMaskTile, uDetail;
uniform vec2 uHeight;
uniform float uIcy[8];
uniform vec3 uRegion[8];
varying vec3 vGround;
varying vec3 vUp;
varying vec3 vRut;
flat varying int vSoil;
${RAMP_GLSL}
bool rilleRutted(vec2 p) {
  ivec2 t = ivec2(floor(p / uMaskTile));
  ivec2 m = ((t % ${MASK_SIZE}) + ${MASK_SIZE}) % ${MASK_SIZE};
  return texelFetch(uMask, m, 0).r > 0.5;
}
float rilleLine(float x, float width) {
  float d = fwidth(x);
  float near = abs(fract(x - 0.5) - 0.5) / max(d, 1e-6);
  return (1.0 - clamp(near - width, 0.0, 1.0)) * (1.0 - smoothstep(0.12, 0.4, d));
}
`;
const COLOUR_BODY = /* glsl */ `
#ifdef WALL
if (dot(vNormal, vViewPosition) < 0.0) discard;
#endif
#ifndef RUT
if (uMaskTile > 0.0) {
  // Left out where ruts are drawn instead, up to a pixel of their border: of a pixel on it each
  // draws only a part.
  vec2 border = fwidth(vGround.xy);
  if (rilleRutted(vGround.xy - border) && rilleRutted(vGround.xy + border) &&
      rilleRutted(vGround.xy + vec2(border.x, -border.y)) && rilleRutted(vGround.xy + vec2(-border.x, border.y))) discard;
}
#endif
vec3 up = normalize(vUp);
#ifdef WALL
// Steep walls are seen from the side: the structure lies in the plane they face most.
vec3 facing = abs(up);
vec2 where = facing.z > max(facing.x, facing.y) ? vGround.xy : facing.x > facing.y ? vGround.yz : vGround.xz;
#else
vec2 where = vGround.xy;
#endif
vec3 noiseFar = texture2D(uNoise, where * 0.013).rgb;
vec3 noiseMid = texture2D(uNoise, where * 0.11 + 0.37).rgb;
vec3 noiseFine = texture2D(uNoise, where * 0.83 + 0.11).rgb;
vec3 noiseGrain = texture2D(uNoise, mat2(2.31, 1.74, -1.74, 2.31) * where + 0.23).rgb; // turned: no pattern with the coarser ones
float icy = uIcy[min(vSoil, 7)];
float steep = 1.0 - clamp(up.z, 0.0, 1.0);
if (uSurface == 0 && icy > 0.0) {
  // Bubbly white over clear blue; more of the blue where it is steep, as if one saw deeper into it.
  float clear = smoothstep(0.42, 0.72, 0.5 * noiseFar.b + 0.35 * noiseMid.b + 0.25 * noiseFine.b + 0.25 * steep);
  diffuseColor.rgb *= mix(vec3(1.02, 1.02, 1.02), vec3(0.60, 0.79, 0.92), 0.75 * clear);
  diffuseColor.rgb *= 1.0 + uDetail * (0.10 * (noiseMid.b - 0.5) + 0.10 * (noiseFine.b - 0.5) + 0.08 * (noiseGrain.b - 0.5));
} else if (uSurface == 0) {
  float tone = 0.30 * (noiseFar.b - 0.5) + 0.26 * (noiseMid.b - 0.5) + 0.22 * (noiseFine.b - 0.5) + 0.24 * (noiseGrain.b - 0.5);
  diffuseColor.rgb *= 1.0 + uDetail * tone;
#ifndef WALL
  diffuseColor.rgb *= mix(1.0, 0.8, smoothstep(0.05, 0.35, steep));
#endif
} else if (uSurface == 1) {
  diffuseColor.rgb = rilleHazard(acos(clamp(normalize(vUp).z, 0.0, 1.0)) / radians(35.0));
} else if (uSurface == 2) {
  diffuseColor.rgb = uRegion[vSoil % 8] * 0.8;
} else {
  diffuseColor.rgb = rilleRamp((vGround.z - uHeight.x) / max(uHeight.y - uHeight.x, 1e-6));
}
#ifdef RUT
float pressed = clamp(vRut.x / max(0.3 * uSinkage, 1e-6), 0.0, 1.0);
if (uRutColour == 0) diffuseColor.rgb *= 1.0 - 0.38 * pressed;
else if (abs(vRut.x) > 2e-4) {
  if (uRutColour == 1) diffuseColor.rgb = mix(diffuseColor.rgb, rilleSlip(vRut.y / max(vRut.z, 1e-3)), 0.9 * vRut.z);
  else diffuseColor.rgb = mix(diffuseColor.rgb, rilleRamp(vRut.x / uSinkage), 0.85);
}
#endif
if (uGrid > 0.0) {
  float fine = max(rilleLine(vGround.x, 0.0), rilleLine(vGround.y, 0.0));
  float wide = max(rilleLine(vGround.x * 0.1, 0.4), rilleLine(vGround.y * 0.1, 0.4));
  diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.02), uGrid * max(0.22 * fine, 0.5 * wide));
}
if (uContour > 0.0) {
  float fine = rilleLine(vGround.z / uContourStep, 0.1);
  float wide = rilleLine(vGround.z / (5.0 * uContourStep), 0.6);
  diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.03, 0.02, 0.02), uContour * max(0.45 * fine, 0.75 * wide));
}
`;
// Ice glints: the sun mirrored, as bright as the light that reaches the place.
const GLINT_BODY = /* glsl */ `
#if NUM_DIR_LIGHTS > 0
if (uSurface == 0 && icy > 0.0) {
  vec3 halfway = normalize(directionalLights[0].direction + normalize(vViewPosition));
  float mirrored = pow(max(dot(normal, halfway), 0.0), 90.0);
  reflectedLight.directDiffuse += icy * 1.6 * mirrored * reflectedLight.directDiffuse;
}
#endif
`;
// Fine structure tilts the normal: no geometry, but the light shows grain close to the camera.
const NORMAL_BODY = /* glsl */ `
normal = normalize(vNormal); // not turned round on back faces: what shows through a crack has the light of the ground around it
if (uSurface == 0 && uDetail > 0.0) {
  vec2 tilt = ((noiseGrain.rg - 0.5) * 0.35 + (noiseFine.rg - 0.5) * 0.5 + (noiseMid.rg - 0.5) * 0.35) * (1.0 - 0.6 * icy);
#ifdef WALL
  vec3 lean = facing.z > max(facing.x, facing.y) ? vec3(tilt, 0.0) : facing.x > facing.y ? vec3(0.0, tilt) : vec3(tilt.x, 0.0, tilt.y);
#else
  vec3 lean = vec3(tilt, 0.0);
#endif
  normal = normalize(normal + uDetail * (viewMatrix * vec4(lean, 0.0)).xyz);
}
`;

/** Of walls fronts only, by the smooth normal and point by point: into a tube one looks from outside, through the wall that is nearest. */
export function groundMaterial(uniforms: GroundUniforms, kind: "RUT" | "WALL" | null): THREE.MeshLambertMaterial {
  const material = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
  if (kind) material.defines = { [kind]: 1 };
  material.onBeforeCompile = (shader) => {
    for (const [name, uniform] of Object.entries(uniforms)) shader.uniforms[name] = uniform as THREE.IUniform;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${VERTEX_HEAD}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>\n${VERTEX_BODY}`);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${FRAGMENT_HEAD}`)
      .replace("#include <color_fragment>", `#include <color_fragment>\n${COLOUR_BODY}`)
      .replace("#include <normal_fragment_maps>", `#include <normal_fragment_maps>\n${NORMAL_BODY}`)
      .replace("#include <lights_fragment_end>", `#include <lights_fragment_end>\n${GLINT_BODY}`);
  };
  return material;
}
