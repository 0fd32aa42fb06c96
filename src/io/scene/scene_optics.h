// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a scene holds about cameras, lidars, lamps and light.
#ifndef RI_IO_SCENE_OPTICS_H
#define RI_IO_SCENE_OPTICS_H

#include <rille/perception.h>

#include "base/option.h"
#include "optics/surface.h"

struct RiYamlNode;

/// How a material scatters light (key `light.surfaces`).
typedef struct RiSceneSurface {
    const char *material;
    RiOpticSurface surface; ///< prepared
    const struct RiYamlNode *node;
} RiSceneSurface;

/// The sky of a scene (key `light`).
typedef struct RiSceneLight {
    unsigned sky; ///< 0 by the world of the sun, 1 black, 2 uniform, 3 of Mars
    double tau, brightness;
    double earth_azimuth, earth_elevation; ///< Earth in the sky of the Moon [rad]; NAN: not there
    const char *ground_image;              ///< draped over the ground, path; NULL: none
    unsigned ground_curve;                 ///< its values are 0 of sRGB, 1 linear
    RiVec3 ground_origin;                  ///< map coordinates of the scene's origin; NAN: the image's own rule
    const struct RiSceneDisc *discs;       ///< more lights of the sky
    int disc_count;
    const RiSceneSurface *surfaces; ///< of materials; others are chosen by their names
    int surface_count;
} RiSceneLight;

/// A disc or ring of light in the sky (key `light.discs`).
typedef struct RiSceneDisc {
    double azimuth, elevation; ///< [rad], clockwise from north
    double radius, inner;      ///< angular [rad]
    RiVec3 irradiance;         ///< red, green, blue [W/m^2]
} RiSceneDisc;

typedef struct RiSceneOptics {
    RiCameraMount *cameras;
    RiLidarMount *lidars;
    RiLampMount *lamps;
    int camera_count, lidar_count, lamp_count;
    RiSceneLight light;
} RiSceneOptics;

const RiSceneLight *ri_scene_light(const RiScene *scene);
/// The error for a surface whose material nothing in the scene is of; `materials` lists those that
/// are.
RI_MUST_CHECK RiStatus ri_scene_no_material(const RiSceneSurface *surface, const char *materials);

#endif
