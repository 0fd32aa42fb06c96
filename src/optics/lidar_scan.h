// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lidar shots in a ray scene.
#ifndef RI_OPTICS_LIDAR_SCAN_H
#define RI_OPTICS_LIDAR_SCAN_H

#include <rille/lidar.h>

#include "optics/ray_scene.h"

/// Where the lidar is from one moment to another: straight motion, steady turning.
typedef struct RiLidarMotion {
    double t0, t1; ///< [s]
    RiPose X0, X1; ///< lidar in the world
} RiLidarMotion;

/// The pose at a time; beyond the ends the motion goes on.
RiPose ri_lidar_pose_at(const RiLidarMotion *motion, double time);

/// Shoots `count` shots from number `first` on. `exact`: hits are computed again in double
/// precision; else they have single precision (1e-5 relative), but for what is hit, and normals.
/// Random numbers are functions of seed and shot. No heap.
void ri_lidar_shoot(const RiRayScene *scene, const RiLidar *lidar, const RiLidarMotion *motion, uint64_t seed,
                    bool exact, long long first, int count, RiReturn *out);

#endif
